"""A restored world moves its characters, and has their hits, as the world that went on, to the last bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import esper
import pytest
from character_level import DT, block, hero

import ecsphys
from ecsphys import (
    AABBCollider,
    Character,
    CircleCollider,
    OBBCollider,
    Parent,
    Physics,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)
from ecsphys.types import Snapshot


@pytest.fixture
def physics() -> Physics:
    return ecsphys.install(gravity=(0.0, -10.0))


def played(physics: Physics, entity: int, steps: int, way: tuple[float, float]) -> list[Any]:
    """The contacts of the moves of an entity, and the digests."""
    seen: list[Any] = []
    for _ in range(steps):
        seen.append(physics.move_character(entity, way).contacts)
        esper.process(DT)
        seen.append(physics.digest())
    return seen


def test_contacts_of_a_move_are_in_the_order_of_entities_whatever_slots_they_have(physics: Physics) -> None:
    tiles = [block(x, -1.0, x + 1.0, 0.0)[0] for x in (0.0, 1.0)]
    entity, _ = hero(AABBCollider(0.4, 0.5), 1.0, 0.6, Character())
    state = physics.snapshot()
    first = played(physics, entity, 3, (0.0, -0.2))
    assert [contact.entity for contact in first[0]] == tiles
    esper.delete_entity(tiles[0], immediate=True)
    esper.process(DT)
    block(5.0, 0.0, 6.0, 1.0)  # takes the slot of the tile that is gone
    esper.process(DT)
    physics.restore(state)
    assert played(physics, entity, 3, (0.0, -0.2)) == first


@pytest.mark.parametrize("presses", [True, False])
def test_a_touch_of_what_would_sleep_is_as_after_a_restore_that_wakes_all(physics: Physics, presses: bool) -> None:
    for x in range(-15, 15):
        block(float(x), -1.0, x + 1.0, 0.0)
    esper.create_entity(Transform(-8.0, 0.5), OBBCollider(0.5, 0.5), RigidBody(), Solid())
    entity, place = hero(CircleCollider(0.5), 0.5, 0.6, Character(mass=2.0))
    physics.move_character(entity, (0.0, -1.0))
    if presses:
        # It is near, without a touch.
        esper.add_component(entity, Transform(place.x, place.y))
    for _ in range(100):
        esper.process(DT)
    assert physics.debug.profile.counters["sleeping"] > 20
    state = physics.snapshot()
    way = (0.0, -0.1) if presses else (0.0, 0.0)
    seen: list[object] = [physics.move_character(entity, way)] if presses else []
    for _ in range(20):
        esper.process(DT)
        seen.append(physics.digest())
    gone = block(20.0, 0.0, 21.0, 1.0)[0]
    esper.process(DT)
    esper.delete_entity(gone, immediate=True)
    physics.restore(state)
    again: list[object] = [physics.move_character(entity, way)] if presses else []
    for _ in range(20):
        esper.process(DT)
        again.append(physics.digest())
    assert again == seen


def test_a_snapshot_of_what_was_moved_and_deleted_since_the_step_is_restored_from_bytes(physics: Physics) -> None:
    block(-5.0, -1.0, 5.0, 0.0)
    doomed = [hero(CircleCollider(0.5), x, 0.6, Character())[0] for x in (0.0, 2.0)]
    entity, _ = hero(CircleCollider(0.5), -2.0, 0.6, Character())
    esper.process(DT)
    for one in (*doomed, entity):
        physics.move_character(one, (0.1, 0.0))
    for one in doomed:
        esper.delete_entity(one, immediate=True)
    state = physics.snapshot()
    first = played(physics, entity, 3, (0.1, -0.2))
    physics.restore(Snapshot.from_bytes(state.to_bytes()))
    assert played(physics, entity, 3, (0.1, -0.2)) == first
    block(6.0, 0.0, 7.0, 1.0)
    physics.restore(state)
    assert played(physics, entity, 3, (0.1, -0.2)) == first


def test_a_restore_that_makes_slots_for_absent_colliders_restores_characters(physics: Physics) -> None:
    esper.create_entity(Transform(0, -1), AABBCollider(5, 1), Solid())
    entity = esper.create_entity(Transform(0, 1), CircleCollider(0.5), Character())
    ball = esper.create_entity(Transform(0.3, 1), CircleCollider(0.5))
    physics.move_character(entity, (0.1, -0.1))
    esper.process(DT)
    esper.delete_entity(ball, immediate=True)
    state = physics.snapshot()
    went = played(physics, entity, 3, (0.05, -0.1))
    # All slots are in use, and stay so after the restore, because hits end.
    colliders = physics._state.tables.colliders
    for _ in range(colliders.capacity - len(colliders)):
        esper.create_entity(Transform(20, 0), CircleCollider(1))
    esper.process(DT)
    physics.restore(state)
    assert played(physics, entity, 3, (0.05, -0.1)) == went


def test_what_overlaps_asleep_is_touched_as_fast_as_what_overlaps_awake(physics: Physics) -> None:
    for x in range(-15, 15):
        block(float(x), -1.0, x + 1.0, 0.0)
    walls = [block(-2.0, 0.0, -0.45, 5.0)[0], block(0.45, 0.0, 2.0, 5.0)[0]]
    entity, _ = hero(AABBCollider(0.5, 0.5), 0.0, 2.0)
    for _ in range(40):
        esper.process(DT)
    assert physics.debug.profile.counters["sleeping"] > 20
    state, seen = physics.snapshot(), []
    for wakes in (False, True):
        if wakes:
            gone = block(20.0, 0.0, 21.0, 1.0)[0]
            esper.process(DT)
            esper.delete_entity(gone, immediate=True)
            physics.restore(state)
        for _ in range(3):
            assert physics.move_and_slide(entity, (0.1, 0.0)).on_wall
            esper.process(DT)
            speeds = {hit.other(entity): hit.approach_speed for hit in physics.hits.of(entity)}
            seen.append([speeds[wall] for wall in walls])
    assert seen[:3] == seen[3:]
    assert seen[0][1] > 1.0


@pytest.mark.parametrize(("crate", "way"), [((0.0, 2.0), (0.0, -0.1)), ((-0.5, 1.6), (0.05, -0.1))])
def test_a_character_under_a_crate_keeps_its_contacts_when_the_tiles_fall_asleep(
    physics: Physics, crate: tuple[float, float], way: tuple[float, float]
) -> None:
    for x in range(-15, 15):
        block(float(x), -1.0, x + 1.0, 0.0)
    block(1.0, 0.0, 2.0, 3.0)
    entity, _ = hero(AABBCollider(0.5, 0.5), 0.4, 0.6, Character(mass=2.0))
    esper.create_entity(Transform(*crate), OBBCollider(0.4, 0.4), RigidBody())
    played(physics, entity, 60, way)
    assert physics.debug.profile.counters["sleeping"] > 20
    state = physics.snapshot()
    went = played(physics, entity, 20, way)
    gone = block(20.0, 0.0, 21.0, 1.0)[0]
    esper.process(DT)
    esper.delete_entity(gone, immediate=True)
    physics.restore(state)
    assert played(physics, entity, 20, way) == went


def _bodies_with_children() -> int:
    """Bodies that fly, each with a child: systems write children in each step, after bodies have moved."""
    block(-20.0, -1.0, 20.0, 0.0)
    for k in range(6):
        place, shape = Transform(1.1 * k, 1.0 + k), OBBCollider(0.3, 0.2)
        body = esper.create_entity(place, Velocity(3.0, 0.0, 2.0), shape, RigidBody(restitution=0.8))
        esper.create_entity(Transform(), Parent(body, 0.3), CircleCollider(0.2))
    return hero(AABBCollider(0.4, 0.5), -8.0, 5.0)[0]


def _bodies_and_a_carrier() -> int:
    """Bodies on static tiles, and a child of another body."""
    for x in range(-12, 12):
        block(float(x), -1.0, x + 1.0, 0.0, RigidBody("static"))
    for k in range(6):
        esper.create_entity(Transform(k - 3, 0.6), Velocity(1.0, 0.0, 2.0), OBBCollider(0.3, 0.3), RigidBody())
    carrier = esper.create_entity(Transform(-8, 30), Velocity(), CircleCollider(0.5), RigidBody("kinematic"))
    esper.create_entity(Transform(), Parent(carrier, 1, 0), CircleCollider(0.2))
    return hero(AABBCollider(0.4, 0.4), 9.0, 9.0)[0]


@pytest.mark.parametrize(("scene", "before"), [(_bodies_with_children, 0), (_bodies_and_a_carrier, 5)])
def test_contacts_are_found_anew_in_the_same_steps_after_a_restore_where_systems_move_others_too(
    physics: Physics, scene: Callable[[], int], before: int
) -> None:
    entity = scene()
    esper.add_component(entity, Solid())

    def run(steps: int) -> list[object]:
        seen: list[object] = []
        for _ in range(steps):
            physics.move_character(entity, (0.02, 0.0))
            esper.process(DT)
            solver = physics._state.solver
            assert solver is not None
            seen.append((solver.found_anew, physics.digest()))
        return seen

    run(before)
    for _ in range(20 - 2 * before):
        state = physics.snapshot()
        went = run(2)
        physics.restore(state)
        assert run(2) == went
