"""``CompoundCollider``: parts that are told apart, and otherwise hit as entities of their own would."""

from __future__ import annotations

import copy
import math
import pickle
import sys
from typing import Any

import esper
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from python_calls import calls_while

import ecsphys
from ecsphys import (
    COLLIDER_CLASSES,
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    Collider,
    CollisionFilter,
    CompoundCollider,
    FanCollider,
    OBBCollider,
    Physics,
    PolygonCollider,
    Transform,
    Velocity,
)
from ecsphys.types import Hit


def dumbbell() -> CompoundCollider:
    """Two circles of radius 1 at x = ±3."""
    return CompoundCollider([CircleCollider(1, offset_x=-3), CircleCollider(1, offset_x=3)])


def test_the_part_is_named_in_the_hit(fresh: Physics) -> None:
    bell = esper.create_entity(Transform(0, 0), dumbbell())
    ball = esper.create_entity(Transform(3, 1.5), CircleCollider(1))
    esper.process(0.1)
    (hit,) = fresh.hits.of(bell)
    assert (hit.entity_a, hit.part_a, hit.entity_b, hit.part_b) == (bell, 1, ball, None)
    assert hit.collider_a is CircleCollider
    assert hit.depth == 0.5
    seen = hit.seen_from(ball)
    assert (seen.part_a, seen.part_b) == (None, 1)
    assert fresh.hits.part_a.tolist() == [1]
    assert fresh.hits.part_b.tolist() == [-1]


@pytest.fixture
def fresh() -> Physics:
    return ecsphys.install()


def test_parts_turn_with_their_entity(fresh: Physics) -> None:
    bell = esper.create_entity(Transform(0, 0), Velocity(angular=math.pi), dumbbell())
    esper.create_entity(Transform(0, 3), CircleCollider(1))
    parts = []
    for _ in range(4):
        esper.process(0.5)
        parts.append([hit.part_a for hit in fresh.hits.of(bell)])
    assert parts == [[1], [], [0], []]


def test_parts_of_one_entity_never_hit_each_other_nor_its_own_colliders(fresh: Physics) -> None:
    esper.create_entity(Transform(), CircleCollider(2), CompoundCollider([CircleCollider(1), OBBCollider(1, 1)]))
    esper.process(0.1)
    assert len(fresh.hits) == 0
    assert fresh.debug.colliders.part.tolist() == [-1, 0, 1]
    assert fresh.debug.colliders.body.tolist() == [0, 0, 0]


def test_a_hit_of_a_part_starts_and_ends_on_its_own(fresh: Physics) -> None:
    bell = esper.create_entity(Transform(0, 0), dumbbell())
    esper.create_entity(Transform(0, 0), AABBCollider(5, 0.5))
    esper.process(0.1)
    assert fresh.hits.started.part_a.tolist() == [0, 1]
    compound = esper.component_for_entity(bell, CompoundCollider)
    compound.parts[0].offset_x = -50.0
    esper.process(0.1)
    assert fresh.hits.ended.part_a.tolist() == [0]
    assert fresh.hits.ended.reason.tolist() == ["separated"]
    assert fresh.hits.part_a.tolist() == [1]


def test_a_replaced_compound_ends_its_hits_as_removed_and_starts_anew_in_the_same_step(fresh: Physics) -> None:
    bell = esper.create_entity(Transform(0, 0), dumbbell())
    esper.create_entity(Transform(0, 0), AABBCollider(5, 0.5))
    esper.process(0.1)
    esper.add_component(bell, dumbbell())
    esper.process(0.1)
    assert fresh.hits.ended.reason.tolist() == ["removed", "removed"]
    assert fresh.hits.started.part_a.tolist() == [0, 1]
    esper.remove_component(bell, CompoundCollider)
    esper.process(0.1)
    assert fresh.hits.ended.reason.tolist() == ["removed", "removed"]
    assert len(fresh.hits) == 0


def test_taking_away_an_own_collider_leaves_the_hits_of_the_parts_alone(fresh: Physics) -> None:
    bell = esper.create_entity(Transform(0, 0), CircleCollider(0.5), dumbbell())
    esper.create_entity(Transform(0, 0), AABBCollider(5, 0.5))
    esper.process(0.1)
    assert fresh.hits.part_a.tolist() == [-1, 0, 1]
    esper.remove_component(bell, CircleCollider)
    esper.process(0.1)
    assert fresh.hits.ended.part_a.tolist() == [-1]
    assert fresh.hits.part_a.tolist() == [0, 1]
    assert len(fresh.hits.started) == 0


def test_a_part_with_a_bad_value_is_refused_naming_the_entity(fresh: Physics) -> None:
    part = CircleCollider(1)
    bell = esper.create_entity(Transform(), CompoundCollider([part]))
    with pytest.raises(ValueError, match=r"CircleCollider\.radius"):
        part.radius = -1.0
    radius = CircleCollider.column("radius")
    radius[part._row] = -1.0
    with pytest.raises(ValueError, match=rf"entity {bell}: CircleCollider\.radius must be greater than 0"):
        esper.process(0.1)


def test_what_is_no_list_of_colliders_is_refused() -> None:
    with pytest.raises(ValueError, match=r"CompoundCollider\.parts must have at least one collider"):
        CompoundCollider([])
    with pytest.raises(TypeError, match=r"CompoundCollider\.parts\[1\] must be a collider, got Transform"):
        CompoundCollider([CircleCollider(1), Transform()])  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"CompoundCollider\.parts must be colliders in a list, got 3"):
        CompoundCollider(3)  # type: ignore[arg-type]
    part = CircleCollider(1)
    with pytest.raises(ValueError, match=r"CompoundCollider\.parts\[1\] is the same instance as parts"):
        CompoundCollider([part, part])


def test_one_compound_on_two_entities_is_refused_naming_both(fresh: Physics) -> None:
    shared = dumbbell()
    a, b = (esper.create_entity(Transform(), shared) for _ in range(2))
    with pytest.raises(ValueError, match=rf"entities {a} and {b} share one CompoundCollider instance"):
        esper.process(0.1)


def test_one_collider_on_its_own_and_as_a_part_is_refused(fresh: Physics) -> None:
    shared = CircleCollider(1)
    a = esper.create_entity(Transform(), shared)
    b = esper.create_entity(Transform(), CompoundCollider([shared]))
    with pytest.raises(ValueError, match=rf"entities {a} and {b} share one CircleCollider instance"):
        esper.process(0.1)
    esper.remove_component(a, CircleCollider)
    esper.add_component(b, shared)
    with pytest.raises(ValueError, match=rf"entity {b} has one CircleCollider instance twice"):
        esper.process(0.1)


def test_it_compares_prints_copies_and_pickles() -> None:
    bell = dumbbell()
    assert bell == dumbbell()
    assert bell != CompoundCollider(bell.parts[:1])
    assert bell != 3
    assert eval(repr(bell)) == bell
    assert len(bell) == 2
    for twin in (copy.deepcopy(bell), pickle.loads(pickle.dumps(bell))):
        assert twin == bell
        assert twin.parts[0] is not bell.parts[0]


coordinates = st.integers(-8, 8).map(lambda k: 0.5 * k)
sizes = st.integers(1, 4).map(lambda k: 0.5 * k)
colliders = st.one_of(
    st.builds(CircleCollider, sizes, coordinates, coordinates),
    st.builds(AABBCollider, sizes, sizes, coordinates, coordinates),
    st.builds(OBBCollider, sizes, sizes, coordinates, coordinates, coordinates),
    st.builds(CapsuleCollider, sizes, sizes, coordinates, coordinates),
    st.builds(FanCollider, sizes, sizes, coordinates, coordinates, coordinates),
    st.builds(lambda x, y: PolygonCollider([(x, y), (x + 1, y), (x, y + 1)]), coordinates, coordinates),
)
bodies = st.lists(
    st.tuples(coordinates, coordinates, coordinates, st.lists(colliders, min_size=1, max_size=4)), max_size=6
)


def described(hits: list[Hit], owner: dict[int, tuple[int, int | None]]) -> list[tuple[Any, ...]]:
    """Hits by body and part, and what they are like."""
    return sorted(
        (
            owner[hit.entity_a][0],
            owner[hit.entity_b][0],
            COLLIDER_CLASSES.index(hit.collider_a),
            COLLIDER_CLASSES.index(hit.collider_b),
            hit.part_a if hit.part_a is not None else owner[hit.entity_a][1],
            hit.part_b if hit.part_b is not None else owner[hit.entity_b][1],
            hit.normal,
            hit.depth,
            hit.points,
        )
        for hit in hits
    )


def all_hits(physics: Physics) -> list[Hit]:
    hits = physics.hits
    return list(hits)


@given(bodies)
@settings(max_examples=60, deadline=None)
def test_parts_hit_as_entities_of_their_own_would_that_do_not_meet_each_other(
    drawn: list[tuple[float, float, float, list[Collider]]],
) -> None:
    worlds = ("as compounds", "as entities")
    found = []
    for world in worlds:
        esper.switch_world(world)
        physics = ecsphys.install()
        owner: dict[int, tuple[int, int | None]] = {}
        for body, (x, y, angle, parts) in enumerate(drawn):
            copies = [copy.copy(part) for part in parts]
            if world == "as compounds":
                owner[esper.create_entity(Transform(x, y, angle), CompoundCollider(copies))] = (body, None)
                continue
            for number, part in enumerate(copies):
                filter_ = CollisionFilter(group=-1 - body)
                owner[esper.create_entity(Transform(x, y, angle), part, filter_)] = (body, number)
        esper.process(0.0)
        hits = all_hits(physics)
        if world == "as compounds":
            order = [
                (
                    hit.entity_a,
                    hit.entity_b,
                    COLLIDER_CLASSES.index(hit.collider_a),
                    COLLIDER_CLASSES.index(hit.collider_b),
                    hit.part_a,
                    hit.part_b,
                )
                for hit in hits
            ]
            assert order == sorted(order)
        found.append(described(hits, owner))
        esper.switch_world("default")
        esper.delete_world(world)
    assert found[0] == found[1]


def test_a_change_elsewhere_calls_nothing_for_each_part() -> None:
    count = 100

    def calls_of_a_changed_frame() -> int:
        esper.create_entity(Transform(1e3, 0), CircleCollider(1.0))
        return calls_while(lambda: esper.process(0.0))

    ecsphys.install()
    esper.create_entity(Transform(), CompoundCollider([CircleCollider(1.0)]))
    esper.process(0.0)
    calls_of_a_changed_frame()
    few = min(calls_of_a_changed_frame() for _ in range(3))
    for k in range(count):
        parts = [CircleCollider(1.0), CircleCollider(1.0, offset_x=1.0)]
        esper.create_entity(Transform(10.0 * k, 10.0), CompoundCollider(parts))
    esper.process(0.0)
    assert min(calls_of_a_changed_frame() for _ in range(3)) < few + count


def test_a_compound_replaced_by_one_of_other_classes_ends_its_hits_as_removed_whatever_rows_they_have(
    fresh: Physics,
) -> None:
    # Rows of one class equal those of another by chance: all pairs of a few are tried.
    circles, boxes = [CircleCollider(1) for _ in range(8)], [OBBCollider(1, 1) for _ in range(8)]
    bells = [esper.create_entity(Transform(100.0 * k, 0), CompoundCollider([one])) for k, one in enumerate(circles)]
    for k in range(8):
        esper.create_entity(Transform(100.0 * k + 0.5, 0), CircleCollider(1))
    for turn in range(8):
        esper.process(0.1)
        assert len(fresh.hits) == 8
        for k, bell in enumerate(bells):
            parts = circles if turn % 2 else boxes
            esper.add_component(bell, CompoundCollider([copy.copy(parts[k])]))
    esper.process(0.1)
    for turn in range(8):
        for k, bell in enumerate(bells):
            esper.add_component(bell, CompoundCollider([(boxes if turn % 2 else circles)[(k + turn) % 8]]))
        esper.process(0.1)
        assert fresh.hits.ended.reason.tolist() == ["removed"] * 8
        assert len(fresh.hits.started) == 8


def test_making_a_compound_takes_work_in_proportion_to_its_parts(no_garbage: None) -> None:
    def calls_for(count: int) -> int:
        parts = [CircleCollider(1.0) for _ in range(count)]
        calls = 0

        def counting(*_: Any) -> None:
            nonlocal calls
            calls += 1

        sys.setprofile(counting)
        try:
            assert len(CompoundCollider(parts)) == count
        finally:
            sys.setprofile(None)
        with pytest.raises(ValueError, match=rf"parts\[{count}\] is the same instance as parts"):
            CompoundCollider([*parts, parts[7]])
        return calls

    assert calls_for(800) < 2.2 * calls_for(400)
