"""Slots of colliders between the stages of a step and between steps: what comes, goes, wakes, is asked for there."""

from __future__ import annotations

from collections.abc import Callable

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import CircleCollider, CollisionFilter, Disabled, Physics, Transform
from ecsphys.systems import NarrowphaseSystem

STEP = 1 / 60


class Does(esper.Processor):
    """A game's own processor between the stages."""

    def __init__(self, work: Callable[[], object]) -> None:
        self._work = work

    def process(self, dt: float) -> None:
        self._work()


def ball(x: float, y: float = 0.0) -> int:
    return esper.create_entity(Transform(x, y), CircleCollider(1.0))


def settled(count: int, apart: float) -> tuple[Physics, list[int]]:
    """Some balls in a row that sleep."""
    physics = ecsphys.install()
    entities = [ball(apart * k) for k in range(count)]
    for _ in range(12):
        esper.process(STEP)
    assert physics.debug.profile.counters["sleeping"] == count
    return physics, entities


def pairs_of(physics: Physics) -> list[tuple[int, int]]:
    return list(zip(physics.hits.entity_a.tolist(), physics.hits.entity_b.tolist(), strict=True))


def test_questions_between_broadphase_and_narrowphase_leave_the_pairs_as_they_are() -> None:
    physics = ecsphys.install()
    entities = [ball(10.0 * (k // 2) + k % 2) for k in range(8)]

    def ask() -> None:
        physics.query_aabb((-1.0, -1.0), (50.0, 1.0))
        physics.query_point_batch([(float(x), 0.0) for x in range(200)])

    esper.add_processor(Does(ask), ecsphys.Priority.NARROWPHASE + 1)
    esper.process(STEP)
    assert pairs_of(physics) == [(entities[k], entities[k + 1]) for k in range(0, 8, 2)]


@pytest.mark.parametrize("goes", ["deleted", "disabled"])
def test_what_came_and_went_before_it_was_placed_is_nowhere(goes: str) -> None:
    physics = ecsphys.install()
    ball(0.0)
    esper.process(STEP)
    brief = ball(1.0)
    assert len(physics.debug.colliders) == 2
    if goes == "deleted":
        esper.delete_entity(brief, immediate=True)
    else:
        esper.add_component(brief, Disabled())
    assert len(physics.debug.colliders) == 1
    assert brief not in physics.query_point((1.0, 0.5))
    esper.process(STEP)
    assert pairs_of(physics) == []
    assert brief not in physics.query_point((1.0, 0.5))


@pytest.mark.parametrize("change", ["added", "removed", "replaced"])
def test_what_sleeps_and_gets_another_filter_is_still_found(change: str) -> None:
    physics, entities = settled(5, 3.0)
    first = entities[0]
    if change != "added":
        esper.add_component(first, CollisionFilter())
        for _ in range(12):
            esper.process(STEP)
    if change == "removed":
        esper.remove_component(first, CollisionFilter)
    else:
        esper.add_component(first, CollisionFilter())
    assert physics.query_point((0.0, 0.0)) == [first]
    hit = physics.raycast((-5.0, 0.0), (1.0, 0.0))
    assert hit is not None
    assert hit.entity == first


def test_hits_among_those_asleep_are_found_again_after_a_step_without_them() -> None:
    physics, entities = settled(2, 1.0)
    giving = Does(lambda: setattr(physics.debug, "candidate_pairs", np.zeros((0, 2), np.int32)))
    esper.add_processor(giving, ecsphys.Priority.NARROWPHASE + 1)
    esper.process(STEP)
    assert pairs_of(physics) == []
    esper.remove_processor(Does)
    esper.process(STEP)
    assert physics.hits.has(*entities)


@pytest.mark.parametrize("steps", ["without a narrowphase", "none"])
def test_slots_are_used_again_where_no_step_sees_entities_go(steps: str) -> None:
    physics, _ = settled(2, 1.0)
    if steps != "none":
        esper.remove_processor(NarrowphaseSystem)
    for _ in range(2000):
        brief = ball(5.0)
        if steps == "none":
            assert physics.query_point((5.0, 0.0)) == [brief]
        else:
            esper.process(STEP)
        esper.delete_entity(brief, immediate=True)
    tables = physics._state.tables
    assert tables.colliders.used < 600
    assert tables.entities.used < 600
