"""Lists that follow single changes: as if they were made anew, at a cost that does not depend on the world."""

from __future__ import annotations

from collections.abc import Callable

import esper
import numpy as np
import pytest
from python_calls import calls_while

import ecsphys
from ecsphys import (
    AABBCollider,
    CircleCollider,
    Gravity,
    LinearTrajectory,
    OBBCollider,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)
from ecsphys.systems.world.entity_table import SlotIndex
from ecsphys.systems.world.moving_entities import MovingEntities

STEP = 1 / 60


class Fleet:
    """A world in which entities begin and stop to move in every way."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.physics = ecsphys.install()
        self.entities = [self.spawn() for _ in range(8)]

    def spawn(self) -> int:
        parts = [Velocity(1.0, 0.0)] if self.random.random() < 0.6 else []
        body = [RigidBody(("dynamic", "kinematic")[int(self.random.integers(2))])] if self.random.random() < 0.4 else []
        return esper.create_entity(Transform(*self.random.uniform(-50, 50, 2)), CircleCollider(0.1), *parts, *body)

    def toggle(self, cls: type, part: Callable[[], object]) -> None:
        entity = int(self.random.choice(self.entities))
        if esper.has_component(entity, cls):
            esper.remove_component(entity, cls)
        else:
            esper.add_component(entity, part())

    def change(self) -> None:
        choice = int(self.random.integers(6))
        if choice == 0:
            self.entities.append(self.spawn())
        elif choice == 1 and len(self.entities) > 3:
            esper.delete_entity(self.entities.pop(int(self.random.integers(len(self.entities)))))
        elif choice == 2:
            self.toggle(Velocity, Velocity)
        elif choice == 3:
            self.toggle(Gravity, Gravity)
        elif choice == 4:
            self.toggle(LinearTrajectory, lambda: LinearTrajectory(0.0, 0.0, 1.0, 0.0))
        else:
            bodies = [entity for entity in self.entities if esper.has_component(entity, RigidBody)]
            if bodies:
                body = esper.component_for_entity(int(self.random.choice(bodies)), RigidBody)
                body.kind = ("dynamic", "kinematic")[int(self.random.integers(2))]


@pytest.mark.parametrize("seed", range(8))
def test_after_any_change_the_movers_are_those_found_anew(seed: int) -> None:
    fleet = Fleet(seed)
    for _ in range(120):
        fleet.change()
        esper.process(STEP)
        state = fleet.physics._state
        anew = MovingEntities(state.tables, state.body_table)
        assert state.moving.movers.tolist() == anew.movers.tolist()
        assert state.moving.has_movers == anew.has_movers


@pytest.mark.parametrize("count", [3, 50])
def test_an_index_of_slots_follows_what_comes_and_goes(count: int) -> None:
    random, index, wanted = np.random.default_rng(count), SlotIndex(), set[int]()
    revision = index.revision
    for _ in range(40):
        slots = random.permutation(100)[:count].astype(np.int32)
        are_in = random.random(count) < 0.5
        before = set(wanted)
        wanted = (wanted - set(slots.tolist())) | set(slots[are_in].tolist())
        index.follow(slots, are_in.tolist(), 100)
        assert set(index.slots.tolist()) == wanted
        assert len(index) == len(wanted)
        changes = index.changed_since(revision)
        assert changes is None or {slot for some in changes for slot in some.tolist()} == before ^ wanted
        revision = index.revision


def spawn_shot() -> int:
    return esper.create_entity(Transform(-50, 20), Velocity(5, 0), CircleCollider(0.2))


def spawn_body() -> int:
    return esper.create_entity(Transform(-50, 20), CircleCollider(0.2), RigidBody())


def spawn_tile() -> int:
    return esper.create_entity(Transform(-50, 20), AABBCollider(0.5, 0.5), Solid())


@pytest.mark.parametrize("spawn", [spawn_shot, spawn_body, spawn_tile])
def test_a_replaced_entity_makes_as_many_calls_in_a_world_of_any_size(spawn: Callable[[], int]) -> None:
    def calls(tiles: int) -> int:
        esper.switch_world(f"{spawn.__name__} {tiles}")
        ecsphys.install(gravity=(0.0, -9.8))
        for k in range(tiles):
            esper.create_entity(Transform(k % 50, -1 - k // 50), AABBCollider(0.5, 0.5), Solid())
        for k in range(5):
            esper.create_entity(Transform(2 * k, 0.0), OBBCollider(0.4, 0.4), RigidBody())
        for _ in range(150):
            esper.process(STEP)
        last = spawn()
        found = []
        for _ in range(8):

            def replace() -> None:
                nonlocal last
                esper.delete_entity(last)
                last = spawn()
                esper.process(STEP)

            found.append(calls_while(replace))
        return min(found)

    few, many = calls(100), calls(3000)
    esper.switch_world("default")
    assert many <= 1.05 * few
