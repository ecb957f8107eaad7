"""Contacts and bodies of which nothing changes are not looked at one by one: nothing comes out otherwise by that."""

from __future__ import annotations

from collections.abc import Callable

import esper
import numpy as np
import pytest
from python_calls import calls_while

import ecsphys
from ecsphys import (
    AABBCollider,
    Acceleration,
    CircleCollider,
    CollisionFilter,
    Disabled,
    Gravity,
    OBBCollider,
    Parent,
    Physics,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)
from ecsphys.engine.dynamics.bodies import new_rows
from ecsphys.engine.dynamics.contact_solver import ContactSolver
from ecsphys.engine.tables.entity_rows import TRANSFORM
from ecsphys.systems.dynamics.body_solver import BodySolver
from ecsphys.systems.dynamics.changes_since_step import ChangesSinceStep
from ecsphys.systems.dynamics.resting import NONE_RESTING, Resting

DT = 1.0 / 60.0
_FIELDS = (
    "entity_a",
    "entity_b",
    "normal",
    "depth",
    "points",
    "approach_speed",
    "time",
    "is_new",
    "impulse",
    "tangent_impulse",
)


class Pyramids:
    """Seven of them; unless all sleep, a ball that flies over them and never sleeps, and what moves with it."""

    def __init__(self, all_sleep: bool = False) -> None:
        self.physics: Physics = ecsphys.install(gravity=(0.0, -10.0))
        if not all_sleep:
            self.early = esper.create_entity(Transform(0.0, 20.0), Gravity(0), CircleCollider(0.2), RigidBody())
        esper.create_entity(Transform(0.0, -0.5), AABBCollider(50.0, 0.5), Solid())
        self.boxes = [
            self.box(7.0 * k + 1.05 * (c - 0.5 * (3 - row)), 0.5 + row)
            for k in range(7)
            for row in range(4)
            for c in range(4 - row)
        ]
        if all_sleep:
            self.early, self.child, self.ball = self.boxes[:3]
        else:
            esper.add_component(self.boxes[5], Acceleration())
            of_box = Parent(self.boxes[8], y=0.2)
            self.child = esper.create_entity(Transform(), CircleCollider(0.1, sensor=True), of_box)
            self.ball = esper.create_entity(
                Transform(-3.0, 9.0), Velocity(0.2), Gravity(0), CircleCollider(0.5), RigidBody(can_sleep=False)
            )
        self.rested = 0
        self.steps(150)

    def box(self, x: float, y: float) -> int:
        return esper.create_entity(Transform(x, y), OBBCollider(0.5, 0.5), RigidBody())

    def steps(self, count: int) -> list[bytes]:
        """What a game sees after each step."""
        seen = []
        for _ in range(count):
            esper.process(DT)
            hits, ended = self.physics.hits, self.physics.hits.ended
            parts = [getattr(hits, name).tobytes() for name in _FIELDS]
            parts += [self.physics.hits.started.entity_a.tobytes(), ended.entity_a.tobytes(), ended.entity_b.tobytes()]
            poses = [(t.x, t.y, t.angle) for _, t in esper.get_component(Transform)]
            speeds = [(v.x, v.y, v.angular) for _, v in esper.get_component(Velocity)]
            seen.append(b"|".join(parts) + repr((poses, speeds)).encode())
            self.rested += self.physics._state.hits.resting.contacts is not NONE_RESTING
        return seen

    @property
    def passes_over_sleepers(self) -> bool:
        return int(np.diff(self.physics._state.hits.resting.rows).sum()) < len(self.boxes)


def _throw(world: Pyramids) -> None:
    for entity in (world.ball, world.boxes[25]):
        velocity = esper.component_for_entity(entity, Velocity)
        velocity.x, velocity.y = 3.0, -9.0


def _delete(world: Pyramids) -> None:
    esper.delete_entity(world.boxes[0])
    esper.delete_entity(world.boxes[34], immediate=True)


def _move(world: Pyramids) -> None:
    # The first to touch something: all rows after its contacts are others.
    place = esper.component_for_entity(world.early, Transform)
    place.x, place.y = 3.5, 0.19
    esper.component_for_entity(world.boxes[9], Transform).y += 0.3


def _change(world: Pyramids) -> None:
    esper.add_component(world.boxes[12], Disabled())
    esper.add_component(world.boxes[44], CollisionFilter(group=-1))
    esper.component_for_entity(world.boxes[55], RigidBody).density = 3.0


def _turn_gravity(world: Pyramids) -> None:
    world.physics.gravity = (0.5, -10.0)


def _wake(world: Pyramids) -> None:
    world.physics.bodies.wake(world.boxes[3])
    world.physics.bodies.sleep(world.ball)


def _push(world: Pyramids) -> None:
    world.physics.bodies.apply_force(world.boxes[30], (40.0, 300.0))


def _write_all(world: Pyramids) -> None:
    entities, rows = ecsphys.join(Transform)
    y = Transform.column("y")
    y[rows[entities == world.boxes[41]]] += 0.4


def _take_rigidity(world: Pyramids) -> None:
    # What is no body any more moves on by itself.
    esper.remove_component(world.boxes[27], RigidBody)
    esper.component_for_entity(world.boxes[27], Velocity).y = 2.0


def _accelerate(world: Pyramids) -> None:
    esper.component_for_entity(world.boxes[5], Acceleration).x = 4.0


def _begin_to_accelerate(world: Pyramids) -> None:
    esper.add_component(world.boxes[33], Acceleration(4.0))


def _set_velocity(world: Pyramids) -> None:
    world.physics.bodies.set_velocity(world.boxes[19], (0.0, 0.0), 2.0)


def _wait(world: Pyramids) -> None:
    esper.process(0.0)
    world.physics.settings.sleep_speed = 0.0


def _move_child(world: Pyramids) -> None:
    esper.component_for_entity(world.child, Parent).x = 0.8


def _decide(world: Pyramids) -> None:
    def decide(contacts: ecsphys.types.SolverContacts) -> None:
        contacts.flag[:] += 1
        contacts.is_vetoed[:] |= contacts.entity_b == world.boxes[22]

    world.physics.pre_solve = decide


_DISTURB_ANY = (
    _throw,
    _delete,
    _move,
    _change,
    _turn_gravity,
    _wake,
    _decide,
    _push,
    _write_all,
    _take_rigidity,
    _set_velocity,
    _begin_to_accelerate,
    _wait,
)


@pytest.mark.parametrize(
    ("disturb", "all_sleep"),
    [
        *((disturb, False) for disturb in (*_DISTURB_ANY, _move_child, _accelerate)),
        *((disturb, True) for disturb in _DISTURB_ANY),
    ],
)
def test_what_rests_gives_the_same_hits_and_impulses_as_if_it_were_looked_at(
    disturb: Callable[[Pyramids], None], all_sleep: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[bytes]] = []
    for knows in (True, False):
        if not knows:
            for search in ("_find_bodies", "_find_contacts"):
                monkeypatch.setattr(Resting, search, lambda *_: None)
            monkeypatch.setattr(ChangesSinceStep, "are_none", lambda _: False)
            forgets = property(lambda _: ((), False), lambda *_: None)
            monkeypatch.setattr(BodySolver, "_looked_at", forgets, raising=False)
        esper.switch_world(f"resting contacts are known: {knows}")
        world = Pyramids(all_sleep)
        assert (world.rested > 20) == knows
        frames = world.steps(10)
        assert world.passes_over_sleepers == knows
        disturb(world)
        seen.append(frames + world.steps(60))
    assert seen[0] == seen[1]


def test_a_step_in_which_all_sleep_solves_nothing_and_makes_few_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    world = Pyramids(all_sleep=True)
    world.steps(60)
    solved: list[None] = []
    solve = ContactSolver.solve
    monkeypatch.setattr(ContactSolver, "solve", lambda *given: solved.append(solve(*given)))
    # Calls and returns.
    assert calls_while(lambda: esper.process(DT)) < 520
    assert not solved
    world.physics.bodies.wake(world.boxes[0])
    esper.process(DT)
    assert len(solved) == 1


def test_what_sleeps_has_its_row_when_there_is_less_room_for_bodies() -> None:
    world = Pyramids()
    solver = world.physics._state.solver
    assert solver is not None
    solver._rows = new_rows(8000)
    world.physics._state.hits.resting.take_all()
    world.steps(80)
    assert len(solver._rows.centers) < 8000
    assert world.passes_over_sleepers
    table = world.physics._state.body_table
    rows = table.listed.rows[TRANSFORM, 1:]
    x, y = Transform.column("x", writable=False)[rows], Transform.column("y", writable=False)[rows]
    is_still = table.states.island[1:] >= 0
    assert is_still.sum() > 60
    assert np.array_equal(solver._rows.centers[1 : len(table)][is_still], np.column_stack((x, y))[is_still])


def test_a_body_that_the_game_moves_in_each_step_does_not_bring_the_search_nearer() -> None:
    physics = ecsphys.install(gravity=(0.0, 0.0))
    for k in range(80):
        esper.create_entity(Transform(2.0 * k, 5.0), AABBCollider(0.5, 0.5), RigidBody("static"))
    esper.create_entity(Transform(0.0, -5.0), Velocity(0.1), CircleCollider(0.5), RigidBody(can_sleep=False))
    paddle = Transform(0.0, 0.0)
    esper.create_entity(paddle, AABBCollider(1.0, 0.2), RigidBody("kinematic"))
    for k in range(200):
        paddle.x = 0.01 * k
        esper.process(DT)
    assert len(physics._state.sleeping.kept.slots) >= 80
    assert physics._state.hits.resting.steps_ahead > 20
