"""Entities and components that come or go while an interrupt ends it, at each place where Python looks for signals."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import count, pairwise
from pathlib import Path
from types import FrameType

import esper
import pytest

ROOT = Path(__file__).parents[3]
sys.path.append(str(ROOT))  # the checks are not installed

import ecsphys  # noqa: E402
from checks.signal_places import Cut, raising_at_signal_place  # noqa: E402
from ecsphys import CircleCollider, Disabled, Transform, Velocity  # noqa: E402

# An interrupt in a finaliser is printed by Python, not raised.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

SPACING = 1.0


class Badge:
    """What one entity of the game has alone."""


def new_world(number: int) -> tuple[ecsphys.Physics, list[int]]:
    """Circles each of which overlaps those beside it; the second one has a Badge."""
    esper.clear_database()
    for processor in tuple(esper._processors):
        esper.remove_processor(type(processor))
    physics = ecsphys.install()
    entities = [esper.create_entity(Transform(SPACING * k), CircleCollider(0.7)) for k in range(number)]
    if number:
        esper.add_component(entities[1], Badge())
    return physics, entities


def worlds_cut_short(change: Callable[[list[int]], object]) -> Iterator[tuple[ecsphys.Physics, list[int]]]:
    """A world for each place at which the change of one, of five circles in a row, was cut short."""
    for number in count(1):
        physics, entities = new_world(5)
        esper.process(0.0)
        try:
            with raising_at_signal_place(number) as reached:
                change(entities)
        except Cut:
            pass
        if not reached:
            return
        yield physics, entities


def pairs_of(physics: ecsphys.Physics) -> set[tuple[int, int]]:
    return {(hit.entity_a, hit.entity_b) for hit in physics.hits}


def test_the_next_step_completes_a_deletion_of_marked_entities_that_was_cut_short_anywhere() -> None:
    def delete_marked(entities: list[int]) -> None:
        esper.delete_entity(entities[1])
        esper.delete_entity(entities[2])
        esper.clear_dead_entities()

    tried = 0
    for physics, entities in worlds_cut_short(delete_marked):
        marked = [entity for entity in entities[1:3] if not esper.entity_exists(entity)]
        esper.process(0.0)
        there = [entity for entity in entities if entity not in marked]
        assert list(esper.get_entities()) == there
        assert [entity for entity, _ in sorted(esper.get_component(Transform), key=lambda pair: pair[0])] == there
        assert [entity for entity, _ in esper.get_component(Badge)] == [entities[1]] * (entities[1] in there)
        beside = {(a, b) for a, b in pairwise(entities) if a in there and b in there}
        assert pairs_of(physics) == beside
        esper.process(0.0)
        tried += 1
    assert tried > 20


def test_the_next_step_completes_an_immediate_despawn_that_was_cut_short_anywhere() -> None:
    tried = 0
    for physics, entities in worlds_cut_short(lambda entities: ecsphys.despawn_many(entities[1:3], immediate=True)):
        esper.process(0.0)
        there = list(esper.get_entities())
        assert there in (entities, [entities[0], *entities[3:]])
        assert {entity for entity, _ in esper.get_component(CircleCollider)} == set(there)
        assert pairs_of(physics) == {(a, b) for a, b in pairwise(there) if b == a + 1}
        tried += 1
    assert tried > 10


def test_after_a_creation_that_was_cut_short_anywhere_steps_go_on_with_what_is_there() -> None:
    def create(entities: list[int]) -> None:
        esper.create_entity(Transform(0.0, 0.5), CircleCollider(0.5), Velocity())

    tried = 0
    for physics, _ in worlds_cut_short(create):
        esper.process(0.0)
        there = list(esper.get_entities())
        hitting = {entity for pair in pairs_of(physics) for entity in pair}
        assert hitting == set(there)
        # It reads everything anew.
        again = ecsphys.Physics()
        again.step(0.0)
        assert pairs_of(again) == pairs_of(physics)
        tried += 1
    assert tried > 10


def test_what_a_handler_has_attached_counts_though_it_was_cut_short_at_once() -> None:
    """Of a class that no entity had before, so that there is no table of it yet."""
    attached = 0
    for number in count(1):
        physics, entities = new_world(2)
        running: list[ecsphys.types.Hit] = []

        def disable(
            hit: ecsphys.types.Hit, entity: int = entities[1], running: list[ecsphys.types.Hit] = running
        ) -> None:
            running.append(hit)
            esper.add_component(entity, Disabled())
            running.clear()

        def is_running(_: FrameType, running: list[ecsphys.types.Hit] = running) -> bool:
            return bool(running)

        esper.set_handler("hit_started", disable)
        try:
            with raising_at_signal_place(number, is_running) as reached:
                esper.process(0.0)
        except Cut:
            pass
        esper.remove_handler("hit_started", disable)
        is_there = esper.has_component(entities[1], Disabled)
        esper.process(0.0)
        assert bool(pairs_of(physics)) != is_there
        attached += is_there
        if not reached:
            break
    assert attached > 1


def test_what_moved_in_a_step_that_was_cut_short_is_found_where_it_is_though_it_moves_no_more() -> None:
    physics, _ = new_world(0)
    esper.create_entity(Transform(10.0, 0.0), CircleCollider(1.0))
    tried = moved = 0
    for number in count(1):
        transform = Transform(0.0, 0.0)
        mover = esper.create_entity(transform, CircleCollider(1.0), Velocity(10.0, 0.0))
        esper.process(0.0)
        try:
            with raising_at_signal_place(
                number, lambda frame: frame.f_code.co_qualname.startswith("EulerMotionSystem")
            ) as reached:
                esper.process(1.0)
        except Cut:
            esper.remove_component(mover, Velocity)
            esper.process(0.0)
            assert bool(pairs_of(physics)) == (transform.x == 10.0)
            tried += 1
            moved += transform.x == 10.0
        esper.delete_entity(mover)
        esper.process(0.0)
        if not reached:
            break
    assert tried > 5
    assert moved > 1
