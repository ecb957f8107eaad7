"""Many characters moved in one call move as they do one by one, to the last bit; and what such a call is given."""

from __future__ import annotations

import linecache
import math
import random
from types import FrameType
from typing import Any

import esper
import numpy as np
import pytest
from character_level import HEROES, block, floor, hero, solid
from interrupted_lines import Interrupt, interrupted_at

import ecsphys
from ecsphys import (
    AABBCollider,
    CapsuleCollider,
    Character,
    CircleCollider,
    CollisionFilter,
    CompoundCollider,
    FanCollider,
    HarmonicTrajectory,
    OBBCollider,
    OneWay,
    Parent,
    Physics,
    PolygonCollider,
    Solid,
    Transform,
    Velocity,
)
from ecsphys.engine.character.character_move import move_all
from ecsphys.systems.character_controller import movers
from ecsphys.types import CharacterMove

WORLDS = 40
FRAMES = 8


@pytest.fixture
def physics() -> Physics:
    return ecsphys.install()


def any_collider(chance: random.Random, size: float) -> Any:
    """One of all kinds."""
    a, b = size * chance.uniform(0.2, 0.7), size * chance.uniform(0.15, 0.5)
    angle = chance.choice((0.0, math.pi / 2, chance.uniform(-2.0, 2.0)))
    return chance.choice(
        (
            lambda: CircleCollider(a, b * chance.uniform(-1.0, 1.0)),
            lambda: AABBCollider(a, b),
            lambda: OBBCollider(a, b, angle=angle),
            lambda: CapsuleCollider(a, b, angle=angle),
            lambda: FanCollider(a, chance.uniform(0.5, 5.5), angle),
            lambda: PolygonCollider([(-a, -b), (a, -b), (0.0, b)], radius=chance.choice((0.0, 0.1))),
        )
    )()


def any_body(chance: random.Random, size: float) -> list[Any]:
    """A collider, or some; sometimes with a filter."""
    body = [any_collider(chance, size)]
    if chance.random() < 0.2:
        body = [CompoundCollider([any_collider(chance, 0.7 * size) for _ in range(2)])]
    if chance.random() < 0.3:
        group = chance.choice((0, 0, -1, 2))
        body.append(CollisionFilter(layers=chance.choice((1, 2, 3)), mask=chance.choice((1, 3, 255)), group=group))
    return body


class _World:
    """Tiles and all kinds of solids, platforms that move by themselves, and characters, some of them solid."""

    def __init__(self, seed: int, name: str) -> None:
        esper.switch_world(name)
        self.physics = ecsphys.install()
        self.chance = chance = random.Random(seed)
        self.places: list[Transform] = []
        self.movers: list[int] = []
        self.transforms: list[Transform] = []
        far = chance.choice((0.0, 0.0, 1e3))
        for column in range(-8, 8):
            _, place = solid(AABBCollider(0.5, 0.5), far + column, -1.5 + chance.choice((0.0, 0.0, 0.0, 0.3)))
            self.places.append(place)
        for _ in range(chance.randrange(4, 16)):
            self._add_solid(far)
        for _ in range(chance.randrange(2, 7)):
            self._add_character(far)
        esper.process(0.0)

    def _add_solid(self, far: float) -> None:
        chance = self.chance
        place = Transform(far + chance.uniform(-7.0, 7.0), chance.uniform(-1.0, 4.0), chance.choice((0.0, 0.5, -2.0)))
        more: list[Any] = [Solid()] if chance.random() < 0.9 else []
        if chance.random() < 0.25:
            more.append(OneWay(chance.choice((0.0, 0.3)), 1.0))
        if chance.random() < 0.2:
            more.append(HarmonicTrajectory(place.x, place.y, chance.uniform(-2.0, 2.0), 1.0, 1.5))
        elif chance.random() < 0.2:
            more.append(Velocity(chance.uniform(-1.0, 1.0), 0.0, chance.uniform(-1.0, 1.0)))
        esper.create_entity(place, *any_body(chance, 1.0), *more)
        self.places.append(place)

    def _add_character(self, far: float) -> None:
        chance = self.chance
        place = Transform(far + chance.uniform(-6.0, 6.0), chance.uniform(-0.5, 3.0))
        walks = Character(0.9, chance.choice((0.0, 0.4)), chance.choice((0.0, 0.3)))
        more = [Solid()] if chance.random() < 0.4 else []
        entity = esper.create_entity(place, *any_body(chance, 1.0), walks, *more)
        if chance.random() < 0.3:
            esper.create_entity(
                Transform(place.x, place.y), any_collider(chance, 0.5), Solid(), Parent(entity, 0.6, 0.0)
            )
        self.movers.append(entity)
        self.transforms.append(place)

    def play(self, at_once: bool) -> list[list[Any]]:
        """What became of some frames: the moves, and where all are."""
        chance, played = self.chance, []
        for _ in range(FRAMES):
            place = chance.choice(self.places)
            place.x, place.y = place.x + chance.uniform(-0.4, 0.4), place.y + chance.uniform(-0.4, 0.4)
            ways = [(chance.uniform(-1.0, 1.0), chance.choice((-0.1, -0.1, 0.4, -3.0))) for _ in self.movers]
            drops = [chance.random() < 0.2 for _ in self.movers]
            moves: list[CharacterMove]
            if at_once:
                moves = list(self.physics.move_characters(self.movers, ways, drops))
            else:
                orders = zip(self.movers, ways, drops, strict=True)
                moves = [self.physics.move_character(entity, way, drop) for entity, way, drop in orders]
            played.append([*moves, *((place.x, place.y) for place in self.transforms)])
            if chance.random() < 0.7:
                esper.process(1.0 / 30.0)
        return played


@pytest.mark.parametrize("seed", range(WORLDS))
def test_many_move_as_one_by_one_to_the_last_bit(seed: int) -> None:
    before = esper.current_world
    try:
        one_by_one = _World(seed, "one by one").play(at_once=False)
        at_once = _World(seed, "at once").play(at_once=True)
    finally:
        esper.switch_world(before)
        for name in ("one by one", "at once"):
            if name in esper.list_worlds():
                esper.delete_world(name)
    # The digits that repr shows tell all floats apart, zeros by their signs too.
    assert repr(at_once) == repr(one_by_one)


def test_each_stands_where_those_before_it_have_left_room(physics: Physics) -> None:
    """A row of solid characters, back to back: the first one makes room for the second one, and so on."""
    floor()
    crowd = [hero(AABBCollider(0.5, 0.5), float(x), 0.5001) for x in range(5)]
    for entity, _ in crowd:
        esper.add_component(entity, Solid())
    in_front_first = [entity for entity, _ in reversed(crowd)]
    moves = physics.move_characters(in_front_first, [(0.25, 0.0)] * 5)
    assert not moves.on_wall[0]
    assert [place.x for _, place in crowd] == pytest.approx([x + 0.25 for x in range(5)], abs=1e-3)
    moves = physics.move_characters([entity for entity, _ in crowd], [(0.25, 0.0)] * 5)
    assert moves.on_wall.tolist() == [True, True, True, True, False]
    assert crowd[0][1].x == pytest.approx(0.25, abs=1e-3)


def test_more_than_the_list_of_those_aside_has_room_for(physics: Physics) -> None:
    """Hundreds of solid movers are filed anew on the way."""
    floor()
    crowd = [hero(CircleCollider(0.2), 0.5 * x - 45.0, 0.3) for x in range(150)]
    for entity, _ in crowd:
        esper.add_component(entity, Solid())
    for _ in range(3):
        moves = physics.move_characters([entity for entity, _ in crowd], [(0.05, -0.2)] * len(crowd))
    assert moves.on_floor.all()
    assert not moves.crushed.any()
    assert {move.floor for move in moves} == {moves[0].floor}
    assert np.array([place.x for _, place in crowd]) == pytest.approx(0.5 * np.arange(150) - 44.85)


def test_among_more_solids_than_there_was_room_for(physics: Physics) -> None:
    """A thousand in one place, and a mover of a hundred parts."""
    for x in range(1000):
        solid(CircleCollider(0.5), 1e-4 * x, -0.5)
    parts = CompoundCollider([CircleCollider(0.1, 0.01 * x) for x in range(100)])
    who = esper.create_entity(Transform(0.0, 0.2), parts, Character())
    move = physics.move_characters([who], [(0.0, -1.0)])[0]
    assert move.on_floor
    assert not move.crushed
    assert -0.1001 < move.moved[1] < -0.09


def test_those_dropped_through_are_remembered_of_each(physics: Physics) -> None:
    planks = [block(3.0 * k - 1.0, -0.2, 3.0 * k + 1.0, 0.0, OneWay())[0] for k in range(40)]
    crowd = [hero(HEROES["capsule"](), 3.0 * k, 0.6)[0] for k in range(40)]
    moves = physics.move_characters(crowd, [(0.0, -0.2)] * 40)
    assert moves.floor.tolist() == planks
    physics.move_characters(crowd, [(0.0, -0.1)] * 40, drop=[k % 2 == 0 for k in range(40)])
    moves = physics.move_characters(crowd, [(0.0, -0.1)] * 40)
    assert moves.on_floor.tolist() == [k % 2 == 1 for k in range(40)]


def test_the_columns_are_the_fields_of_each_move(physics: Physics) -> None:
    floor()
    block(1.0, 0.0, 2.0, 3.0)
    crowd = [hero(CircleCollider(0.3), 0.3 * x - 2.0, 0.31)[0] for x in range(10)]
    moves = physics.move_characters(np.array(crowd), np.full((10, 2), (1.0, -0.1)))
    assert len(moves) == len(list(moves)) == 10
    assert moves[-1] == moves[9]
    with pytest.raises(IndexError):
        moves[10]
    for k, move in enumerate(moves):
        for name in ("moved", "remaining", "floor_normal", "floor_velocity", "carried", "pushed"):
            assert tuple(getattr(moves, name)[k]) == getattr(move, name)
        for name in ("on_floor", "on_wall", "on_ceiling", "snapped", "crushed", "stepped"):
            assert getattr(moves, name)[k] == getattr(move, name)
        assert moves.floor[k] == (-1 if move.floor is None else move.floor)
        contacts = slice(moves.contact_start[k], moves.contact_start[k + 1])
        assert moves.contact_entity[contacts].tolist() == [contact.entity for contact in move.contacts]
        assert moves.contact_normal[contacts].tolist() == [list(contact.normal) for contact in move.contacts]
        assert moves.contact_point[contacts].tolist() == [list(contact.point) for contact in move.contacts]
    kept = moves.moved.copy()
    physics.move_characters(crowd, np.zeros((10, 2)))
    assert (moves.moved == kept).all()


def test_none_at_all_and_one_twice(physics: Physics) -> None:
    who, place = hero(CircleCollider(0.3), 0.0, 0.0)
    assert len(physics.move_characters([], [])) == 0
    assert len(physics.move_characters([], np.zeros((0, 2)))) == 0
    physics.move_characters([who, who], [(1.0, 0.0), (0.5, 0.0)])
    assert place.x == 1.5


def test_bad_arguments_are_refused_before_anything_moves(physics: Physics) -> None:
    who, place = hero(CircleCollider(0.3), 0.0, 0.0)
    plain = esper.create_entity(Transform(), CircleCollider(1.0))
    bare = esper.create_entity(Transform(), Character())
    gone = 12345
    way = (1.0, 0.0)
    cases: list[tuple[type[Exception], str, Any]] = [
        (KeyError, f"entity {gone} does not exist", ([who, gone], [way, way])),
        (ValueError, f"entity {plain} has no Character", ([who, plain], [way, way])),
        (ValueError, f"entity {bare} has only sensor colliders", ([who, bare], [way, way])),
        (TypeError, r"entities\[1\] must be a whole number", ([who, "a"], [way, way])),
        (ValueError, r"displacements must be of shape \(2, 2\)", ([who, who], [way])),
        (ValueError, r"displacements must be of shape \(1, 2\)", ([who], [1.0, 0.0])),
        (ValueError, rf"displacements\[1\] .entity {who}. must be finite", ([who, who], [way, (math.nan, 0.0)])),
        (TypeError, "displacements", ([who], [("a", "b")])),
        (ValueError, "drop must be", ([who, who], [way, way], [True])),
    ]
    for error, text, arguments in cases:
        with pytest.raises(error, match=text):
            physics.move_characters(*arguments)
    character = esper.component_for_entity(who, Character)
    character.up_x = character.up_y = 0.0
    with pytest.raises(ValueError, match=f"entity {who}: Character.up_x and Character.up_y must not both be 0"):
        physics.move_characters([who], [way])
    character.up_y = 1.0
    Character.column("step_height")[character._row] = -1.0
    with pytest.raises(ValueError, match=f"entity {who}: .*step_height"):
        physics.move_characters([who], [way])
    assert (place.x, place.y) == (0.0, 0.0)


def test_out_of_the_range_of_numbers_those_before_have_moved(physics: Physics) -> None:
    first, place = hero(CircleCollider(0.3), 0.0, 0.0)
    second, there = hero(CircleCollider(0.3), 1.5e308, 0.0)
    with pytest.raises(ValueError, match=f"entity {second}: its position is no longer finite"):
        physics.move_characters([first, second], [(1.0, 0.0), (1.5e308, 0.0)])
    assert (place.x, there.x) == (1.0, 1.5e308)
    # What is where is known all the same.
    assert physics.query_point((1.0, 0.0)) == [first]


def test_queries_and_hits_see_the_moved(physics: Physics) -> None:
    floor(-5.0)
    sensor = esper.create_entity(Transform(3.0, 0.0), CircleCollider(0.5))
    who, _ = hero(CircleCollider(0.3), 0.0, 0.0)
    esper.process(1.0 / 60.0)
    physics.move_characters([who], [(3.0, 0.0)])
    assert physics.query_point((3.0, 0.0)) == [sensor, who]
    assert physics.query_point((0.0, 0.0)) == []
    physics.move_characters([who], [(-1.0, 0.0)])
    assert physics.query_point((2.0, 0.0)) == [who]
    physics.move_characters([who], [(1.0, 0.0)])
    esper.process(1.0 / 60.0)
    assert physics.hits.has(sensor, who)


def test_a_move_is_one_call_of_the_kernel(physics: Physics, monkeypatch: pytest.MonkeyPatch) -> None:
    """No figure of time here: calls are counted."""
    for k in range(50):
        block(-5.0 + 0.2 * k, -1.0, -4.8 + 0.2 * k, 0.02 * (k % 2))
    crowd = [hero(HEROES["capsule"](), -3.0 + 0.5 * k, 0.8, Character(0.7, 0.2, 0.2))[0] for k in range(10)]
    physics.move_characters(crowd, [(0.0, -1.0)] * 10)
    calls = 0

    def counted(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        return move_all(*arguments)

    monkeypatch.setattr(movers, "move_all", counted)
    assert physics.move_characters(crowd, [(0.05, -0.01)] * 10).on_floor.all()
    assert physics.move_character(crowd[0], (0.05, -0.01)).on_floor
    assert calls == 2


def _is_meant(frame: FrameType) -> bool:
    path = frame.f_code.co_filename
    return not path.endswith(".py") or any(part in path for part in ("systems", "components", "engine"))


def _holds_blocks(frame: FrameType) -> bool:
    """No interrupt comes before a thread that holds the blocks has said so, or after it has let them go."""
    return "_blocks(thread)" in linecache.getline(frame.f_code.co_filename, frame.f_lineno)


def test_a_move_that_is_cut_short_leaves_everything_where_its_transform_is(physics: Physics) -> None:
    """At whichever line: it has moved and is found there, or it has not."""
    floor(-5.0)
    crowd = [hero(CircleCollider(0.3), 2.0 * k, 0.0) for k in range(3)]
    for entity, _ in crowd[1:]:
        esper.add_component(entity, Solid())
    entities = [entity for entity, _ in crowd]
    physics.move_characters(entities, [(0.0, 0.0)] * 3)
    was_cut, number, moved = True, 0, set()
    while was_cut:
        number += 1
        way = 0.5 if number % 2 else -0.5
        before = [place.x for _, place in crowd]
        was_cut = False
        try:
            with interrupted_at(number, _is_meant, _holds_blocks):
                physics.move_characters(entities, [(way, 0.0)] * 3)
        except Interrupt:
            was_cut = True
        moved.add(crowd[0][1].x != before[0])
        for entity, place in crowd:
            assert physics.query_point((place.x, place.y)) == [entity]
            assert physics.query_point((place.x + way, place.y)) == []
        for (_, place), x in zip(crowd, (0.0, 2.0, 4.0), strict=True):
            place.x = x
    assert number > 50
    assert moved == {False, True}
