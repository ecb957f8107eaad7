"""Layers by names: the bits they stand for, names given back, tables of which layers meet, what the physics makes."""

from __future__ import annotations

import enum
from itertools import combinations, product
from typing import Any

import esper
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ecsphys
from ecsphys import (
    CircleCollider,
    CollisionFilter,
    CollisionTable,
    Transform,
    spawn_many,
)


class Layer(enum.IntFlag):
    DEFAULT = enum.auto()
    PLAYER = enum.auto()
    ENEMY = enum.auto()
    WALL = enum.auto()
    ALIVE = PLAYER | ENEMY
    SKY = 1 << 31


class Other(enum.IntFlag):
    PLAYER = 1
    TOO_HIGH = 1 << 32


SINGLE = [Layer.DEFAULT, Layer.PLAYER, Layer.ENEMY, Layer.WALL, Layer.SKY]


def hitting_pairs(*filters: CollisionFilter | None) -> set[tuple[int, int]]:
    """Which of some entities at one place hit, by their numbers."""
    esper.switch_world(f"layers {len(esper.list_worlds())}")
    physics = ecsphys.install()
    for number, own in enumerate(filters):
        esper.create_entity(Transform(0.1 * number), CircleCollider(10), *([] if own is None else [own]))
    esper.process(0.0)
    return {(a - 1, b - 1) for a, b in zip(physics.hits.entity_a, physics.hits.entity_b, strict=True)}


def test_a_filter_takes_flags_as_they_are() -> None:
    own = CollisionFilter(layers=Layer.PLAYER | Layer.WALL, mask=Layer.ENEMY)
    assert (own.layers, own.mask) == (0b1010, 0b100)
    assert type(own.layers) is int
    own.layers = Layer.ALIVE
    own.mask = ~Layer.WALL
    assert own.layers == 0b110
    assert own.mask == 0xFFFFFFF7
    entities = spawn_many(3, Transform.many(0.0), CollisionFilter.many(Layer.SKY, Layer.ENEMY))
    assert {esper.component_for_entity(entity, CollisionFilter).layers for entity in entities.tolist()} == {1 << 31}


@pytest.mark.parametrize(
    ("made", "bits"),
    [
        (CollisionFilter.of(Layer.PLAYER), (2, 0xFFFFFFFF, 0)),
        (CollisionFilter.of(Layer.ALIVE, meets=Layer.WALL), (6, 8, 0)),
        (CollisionFilter.of(Layer.SKY, avoids=Layer.SKY | Layer.WALL), (1 << 31, 0x7FFFFFF7, 0)),
        (CollisionFilter.of(Layer.WALL, meets=Layer(0)), (8, 0, 0)),
        (CollisionFilter.of(Layer.WALL, avoids=Layer(0), group=-7), (8, 0xFFFFFFFF, -7)),
        (CollisionFilter.of(Layer(0), group=3), (0, 0xFFFFFFFF, 3)),
        (CollisionFilter.of(Layer(1 << 20)), (1 << 20, 0xFFFFFFFF, 0)),
    ],
)
def test_names_stand_for_their_bits(made: CollisionFilter, bits: tuple[int, int, int]) -> None:
    assert (made.layers, made.mask, made.group) == bits


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((2,), TypeError, r"layers must be members of an enum\.IntFlag, got 2 \(int\)"),
        ((Layer.PLAYER, 4), TypeError, r"meets must be members of Layer, got 4 \(int\)"),
        ((Layer.PLAYER, Other.PLAYER), TypeError, r"meets must be members of Layer, got .*Other\.PLAYER"),
        ((Layer.PLAYER, None, Other.PLAYER), TypeError, "avoids must be members of Layer"),
        ((Layer.PLAYER, Layer.WALL, Layer.ENEMY), ValueError, "not both, got .*WALL.*ENEMY"),
        ((Other.TOO_HIGH,), ValueError, "layers must fit in 32 bits, got .*TOO_HIGH"),
        ((Other.PLAYER, Other.TOO_HIGH), ValueError, "meets must fit in 32 bits"),
        ((Layer.PLAYER & Layer.WALL,), ValueError, "an entity in no layer hits nothing"),
    ],
)
def test_what_is_no_layer_is_refused(arguments: tuple[Any, ...], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        CollisionFilter.of(*arguments)


def test_one_who_is_avoided_is_not_hit_though_he_avoids_nobody() -> None:
    shy = CollisionFilter.of(Layer.PLAYER, avoids=Layer.ENEMY)
    assert hitting_pairs(shy, CollisionFilter.of(Layer.ENEMY), CollisionFilter.of(Layer.WALL), None) == {
        (0, 2),
        (0, 3),
        (1, 2),
        (1, 3),
        (2, 3),
    }


def test_names_are_given_back_and_bits_without_one_are_left_out() -> None:
    own = CollisionFilter.of(Layer.ALIVE, meets=Layer.WALL | Layer.SKY)
    assert own.layers_as(Layer) is Layer.ALIVE
    assert own.mask_as(Layer) == Layer.WALL | Layer.SKY
    everything = CollisionFilter(layers=0b110010)
    assert everything.layers_as(Layer) is Layer.PLAYER
    assert everything.mask_as(Layer) == Layer.DEFAULT | Layer.ALIVE | Layer.WALL | Layer.SKY
    assert everything.mask_as(Layer).name == "DEFAULT|PLAYER|ENEMY|WALL|SKY"


def test_names_are_given_back_by_a_flag_that_bears_no_other_bits() -> None:
    class Strict(enum.IntFlag, boundary=enum.STRICT):
        A = 1
        C = 4

    assert CollisionFilter().mask_as(Strict) == Strict.A | Strict.C
    assert CollisionFilter(layers=6).layers_as(Strict) is Strict.C
    assert CollisionTable(Strict, {Strict.A: Strict.C}).mask(Strict.C) is Strict.A


def table() -> CollisionTable[Layer]:
    return CollisionTable(Layer, {Layer.ALIVE: Layer.WALL, Layer.ENEMY: Layer.PLAYER, Layer.SKY: Layer.SKY})


def test_what_one_side_of_a_table_says_holds_for_both() -> None:
    masks = {layer: table().mask(layer) for layer in SINGLE}
    assert masks == {
        Layer.DEFAULT: Layer(0),
        Layer.PLAYER: Layer.ENEMY | Layer.WALL,
        Layer.ENEMY: Layer.PLAYER | Layer.WALL,
        Layer.WALL: Layer.PLAYER | Layer.ENEMY,
        Layer.SKY: Layer.SKY,
    }
    assert table().mask(Layer.WALL | Layer.SKY) == Layer.ALIVE | Layer.SKY
    assert table().meets(Layer.WALL, Layer.PLAYER | Layer.SKY)
    assert not table().meets(Layer.WALL, Layer.WALL)


def test_a_table_makes_a_new_filter_for_each_entity() -> None:
    first, second = table().filter(Layer.WALL), table().filter(Layer.WALL, group=-1)
    assert first is not second
    assert (first.layers, first.mask, first.group) == (8, 6, 0)
    assert second.group == -1


def test_a_table_can_be_looked_at() -> None:
    assert str(table()).splitlines() == [
        "        DEFAULT PLAYER ENEMY WALL SKY",
        "DEFAULT    -      -      -    -    -",
        "PLAYER     -      -      x    x    -",
        "ENEMY      -      x      -    x    -",
        "WALL       -      x      x    -    -",
        "SKY        -      -      -    -    x",
    ]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((enum.Flag, {}), TypeError, r"kind must be an enum\.IntFlag, got"),
        ((Layer.PLAYER, {}), TypeError, r"kind must be an enum\.IntFlag, got"),
        ((Other, {}), ValueError, r"Other\.TOO_HIGH must fit in 32 bits"),
        ((Layer, {2: Layer.WALL}), TypeError, "layers must be members of Layer, got 2"),
        ((Layer, {Layer.WALL: Other.PLAYER}), TypeError, r"the layers that <Layer\.WALL: 8> meets must be members"),
    ],
)
def test_bad_tables_are_refused(arguments: tuple[Any, ...], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        CollisionTable(*arguments)


def test_a_table_knows_its_own_layers_only() -> None:
    with pytest.raises(TypeError, match="layers must be members of Layer"):
        table().filter(Other.PLAYER)  # type: ignore[arg-type]
    for ask in (table().filter, table().mask):
        with pytest.raises(ValueError, match="Layer has no layer 0x100000"):
            ask(Layer.WALL | Layer(1 << 20))


def test_all_but_some_may_be_written_with_a_tilde() -> None:
    """Though between 8 and 1 << 31 there are bits without a name."""
    own = CollisionTable(Layer, {Layer.WALL: ~Layer.WALL, ~Layer.ALIVE: Layer.SKY})
    assert own.mask(Layer.WALL) == Layer.DEFAULT | Layer.ALIVE | Layer.SKY
    assert own.mask(Layer.SKY) == Layer.DEFAULT | Layer.WALL | Layer.SKY
    assert own.filter(Layer.SKY).mask == 0x80000009


members = st.lists(st.sampled_from(SINGLE), min_size=1, max_size=3, unique=True)


@given(
    said=st.lists(st.tuples(members, members), max_size=4),
    entities=st.lists(members, min_size=2, max_size=6),
)
def test_entities_hit_exactly_where_one_of_theirs_was_said_to_meet_one_of_the_others(
    said: list[tuple[list[Layer], list[Layer]]], entities: list[list[Layer]]
) -> None:
    def together(layers: list[Layer]) -> Layer:
        joined = Layer(0)
        for layer in layers:
            joined |= layer
        return joined

    meets: dict[Layer, Layer] = {}
    pairs: set[frozenset[Layer]] = set()
    for some, others in said:
        if together(some) not in meets:
            meets[together(some)] = together(others)
            pairs |= {frozenset(pair) for pair in product(some, others)}
    own = CollisionTable(Layer, meets)
    expected = {
        (i, j)
        for i, j in combinations(range(len(entities)), 2)
        if any(frozenset(pair) in pairs for pair in product(entities[i], entities[j]))
    }
    assert hitting_pairs(*(own.filter(together(layers)) for layers in entities)) == expected
    for i, j in combinations(range(len(entities)), 2):
        assert own.meets(together(entities[i]), together(entities[j])) == ((i, j) in expected)
