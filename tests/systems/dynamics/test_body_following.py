"""The list of bodies follows every change as if it were made anew: bodies, masses, surfaces and colliders."""

from __future__ import annotations

from typing import Any, Literal

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import (
    AABBCollider,
    Character,
    CircleCollider,
    CollisionFilter,
    Disabled,
    DistanceJoint,
    Gravity,
    LinearTrajectory,
    OBBCollider,
    Parent,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)
from ecsphys.engine.dynamics.bodies import CHARACTER
from ecsphys.systems.dynamics.body_table import BodyTable
from ecsphys.systems.physics_state import PhysicsState

STEP = 1 / 60
KINDS: tuple[Literal["dynamic", "kinematic", "static"], ...] = ("dynamic", "kinematic", "static")


def facts(state: PhysicsState, table: BodyTable) -> dict[str, Any]:
    """What a list says, by entities and slots instead of rows."""
    listed = table.listed
    rows = np.flatnonzero(table.own.numbers >= 0)
    number_of = {int(row): int(table.own.numbers[row]) for row in rows} | {0: 0, -1: -1}
    bodies = {
        int(table.own.numbers[row]): (
            int(listed.kind[row]),
            listed.rows[:, row].tolist(),
            int(listed.owner[row]),
            int(table.own.rigid_rows[row]),
            # They are measured where a body is, so their last bits depend on when that was.
            np.round(listed.masses[row], 8).tolist(),
            np.round(table.own.materials.surfaces[row], 8).tolist(),
            int(table.own.materials.dominance[row]),
            int(table.own.may_sleep[row]),
            int(table.masses.locks[row]),
        )
        for row in rows
    }
    assert (np.diff(table.own.numbers[rows]) > 0).all(), "rows are by ascending entity"
    present = state.tables.colliders.order
    return {
        "bodies": bodies,
        "body_of": [number_of[int(row)] for row in table.body_of[present]],
        "of_entity": [number_of[int(table.own.of_entity[slot])] for slot in state.tables.entities.slot_of.values()],
        "held": sorted(table.held.slots.tolist()),
        "of_disabled": sorted(number_of[int(row)] for row in table.masses.of_disabled),
        "off_center": sorted(number_of[int(row)] for row in table.masses.off_center),
    }


def made_anew(state: PhysicsState) -> BodyTable:
    table = BodyTable(state.tables)
    table._anchors = state.body_table._anchors
    # Disabled bodies keep the masses that they had.
    table.update()
    table.masses.measure(state)
    kept = state.body_table
    for row in kept.masses.of_disabled.tolist():
        (own,) = np.flatnonzero(table.own.numbers == kept.own.numbers[row]).tolist()
        table.listed.masses[own] = kept.listed.masses[row]
        table.own.materials.surfaces[own] = kept.own.materials.surfaces[row]
        table.masses.locks[own] = kept.masses.locks[row]
    disabled = kept.own.numbers[kept.masses.of_disabled]
    table.masses.of_disabled = np.flatnonzero(np.isin(table.own.numbers, disabled)).astype(np.int32)
    table.masses._off_center = None
    return table


class Changes:
    """Random changes of a world of bodies."""

    def __init__(self, seed: int, has_parents: bool) -> None:
        self.random = np.random.default_rng(seed)
        self.physics = ecsphys.install(gravity=(0.0, -9.8))
        self.entities: list[int] = []
        self.has_parents = has_parents

    def one(self) -> int:
        return int(self.random.choice(self.entities))

    def shape(self) -> Any:
        size = float(self.random.uniform(0.2, 0.6))
        return [CircleCollider(size, offset_x=0.1 * float(self.random.integers(2))), AABBCollider(size, size)][
            int(self.random.integers(2))
        ]

    def spawn(self) -> None:
        parts: list[Any] = [Transform(*self.random.uniform(-8, 8, 2)), self.shape()]
        choice = self.random.random()
        if choice < 0.5:
            parts.append(RigidBody(KINDS[int(self.random.integers(3))]))
        elif choice < 0.8:
            parts.append(Solid())
        if self.random.random() < 0.4:
            parts.append(Velocity(*self.random.uniform(-1, 1, 2)))
        self.entities.append(esper.create_entity(*parts))

    def remove(self) -> None:
        entity = self.one()
        self.entities.remove(entity)
        esper.delete_entity(entity, immediate=bool(self.random.integers(2)))

    def toggle(self, cls: type[Any], *values: Any) -> None:
        entity = self.one()
        if esper.has_component(entity, cls):
            esper.remove_component(entity, cls)
        else:
            esper.add_component(entity, cls(*values))

    def write(self) -> None:
        bodies = [entity for entity, _ in esper.get_component(RigidBody)]
        if not bodies:
            return
        body = esper.component_for_entity(int(self.random.choice(bodies)), RigidBody)
        field, value = [
            ("friction", float(self.random.uniform(0, 1))),
            ("density", float(self.random.uniform(1, 3))),
            ("kind", KINDS[int(self.random.integers(3))]),
            ("lock_rotation", bool(self.random.integers(2))),
            ("dominance", int(self.random.integers(3))),
            ("rolling_resistance", float(self.random.uniform(0, 1))),
        ][int(self.random.integers(6))]
        setattr(body, field, value)

    def resize(self) -> None:
        for _, collider in esper.get_component(CircleCollider)[:1]:
            collider.radius = float(self.random.uniform(0.2, 0.6))

    def join(self) -> None:
        bodies = [entity for entity, body in esper.get_component(RigidBody) if body.kind == "dynamic"]
        if len(bodies) > 1 and not self.has_parents:  # what moves as one cannot be joined
            a, b = self.random.choice(bodies, 2, replace=False).tolist()
            esper.create_entity(DistanceJoint(a, b, length=2.0))

    def carry(self) -> None:
        """Let the first entity carry another one, or leave it."""
        entity = self.one()
        if esper.has_component(entity, Parent):
            esper.remove_component(entity, Parent)
        elif entity != self.entities[0]:
            esper.add_component(entity, Parent(self.entities[0]))

    def change(self) -> None:
        actions: list[Any] = [self.spawn] * 6 + [self.remove] * 3 + [self.write] * 4
        actions += [
            lambda: self.toggle(RigidBody),
            lambda: self.toggle(Solid),
            lambda: self.toggle(Velocity, 1.0, 0.0),
            lambda: self.toggle(Gravity),
            lambda: self.toggle(Disabled),
            lambda: self.toggle(OBBCollider, 0.3, 0.4),
            lambda: self.toggle(CollisionFilter),
            lambda: self.toggle(LinearTrajectory, 0.0, 0.0, 1.0, 0.0),
            lambda: esper.add_component(self.one(), RigidBody(mass=2.0)),
            lambda: esper.add_component(self.one(), Transform(3.0, 3.0)),
            self.resize,
            self.join,
            self.physics.digest,
        ]
        if self.has_parents:
            actions += [
                self.carry,
                lambda: self.toggle(Character),
            ]
        actions[int(self.random.integers(len(actions)))]()


@pytest.mark.parametrize("seed", range(4))
def test_after_any_change_the_list_is_that_made_anew(seed: int) -> None:
    changes = Changes(seed, has_parents=seed % 4 == 3)
    for _ in range(8):
        changes.spawn()
    state, followed = changes.physics._state, 0
    for _ in range(160):
        for _ in range(int(changes.random.integers(1, 4))):
            if len(changes.entities) < 4:
                changes.spawn()
            changes.change()
        before = state.body_table.revision
        esper.process(STEP if changes.random.random() < 0.8 else 0.0)
        followed += state.body_table.revision == before
        state.update()
        state.body_table.update()
        state.body_table.masses.measure(state)
        followed_facts, new_facts = facts(state, state.body_table), facts(state, made_anew(state))
        for name, fact in new_facts.items():
            assert followed_facts[name] == fact
    assert changes.has_parents or followed > 60


def test_bodies_that_come_one_by_one_get_rows_without_a_new_list_each_time() -> None:
    physics = ecsphys.install()
    table = physics._state.body_table
    for k in range(300):
        esper.create_entity(Transform(3 * k, 0), CircleCollider(1), RigidBody())
        esper.process(STEP)
    assert len(table) >= 301
    assert table.revision < 12


def test_a_body_that_comes_and_goes_gets_the_same_row_again() -> None:
    physics = ecsphys.install()
    table = physics._state.body_table
    for k in range(5):
        esper.create_entity(Transform(3 * k, 0), CircleCollider(1), RigidBody())
    esper.process(STEP)
    esper.create_entity(Transform(30, 0), CircleCollider(1), RigidBody())
    esper.process(STEP)
    revision, last = table.revision, esper.create_entity(Transform(40, 0), CircleCollider(1), RigidBody())
    for _ in range(500):
        esper.process(STEP)
        esper.delete_entity(last)
        last = esper.create_entity(Transform(40, 0), CircleCollider(1), RigidBody())
    assert table.revision == revision


def test_a_new_dynamic_body_gets_its_velocity_in_the_change_of_the_tables_that_brings_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # As in a game that has never written a column of RigidBody.
    monkeypatch.setattr(RigidBody._columns.views, "count", 0)
    physics = ecsphys.install()
    esper.create_entity(Transform(), CircleCollider(1), RigidBody())
    esper.process(STEP)
    revision = physics._state.tables.revision
    kinds = {kind: esper.create_entity(Transform(9.0), CircleCollider(1), RigidBody(kind)) for kind in KINDS}
    esper.process(STEP)
    assert physics._state.tables.revision == revision + 1
    assert [esper.has_component(kinds[kind], Velocity) for kind in KINDS] == [True, False, False]


def test_a_query_and_a_refused_step_give_no_velocity() -> None:
    physics = ecsphys.install()
    esper.process(STEP)
    body = esper.create_entity(Transform(), CircleCollider(1), RigidBody())
    assert physics.raycast((-5.0, 0.0), (1.0, 0.0)) is not None
    assert not esper.has_component(body, Velocity)
    shared = CircleCollider(1)
    body, other = (esper.create_entity(Transform(), shared, RigidBody()) for _ in range(2))
    with pytest.raises(ValueError, match="share"):
        esper.process(STEP)
    assert not esper.has_component(body, Velocity)
    esper.remove_component(other, CircleCollider)
    esper.process(STEP)
    assert esper.has_component(body, Velocity)


def test_a_character_that_loses_its_rigid_body_is_pushed_as_a_character() -> None:
    physics = ecsphys.install()
    esper.create_entity(Transform(9.0), CircleCollider(1), RigidBody())
    hero = esper.create_entity(Transform(), CircleCollider(1), RigidBody(), Character(mass=2.0))
    esper.process(STEP)
    esper.remove_component(hero, RigidBody)
    esper.process(STEP)
    state = physics._state
    assert facts(state, state.body_table) == facts(state, made_anew(state))
    assert CHARACTER in state.body_table.listed.kind
