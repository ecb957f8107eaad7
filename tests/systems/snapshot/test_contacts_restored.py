"""The contacts of a world do not depend on what a restore has left of its history."""

from __future__ import annotations

import esper

import ecsphys
from ecsphys import (
    AABBCollider,
    Character,
    CircleCollider,
    OBBCollider,
    Parent,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)

STEP = 1 / 60


def _tiles() -> None:
    for x in range(-12, 12):
        esper.create_entity(Transform(x + 0.5, -0.5), AABBCollider(0.5, 0.5), Solid(), RigidBody("static"))


def test_contacts_are_found_anew_in_the_same_steps_after_a_restore_where_systems_move_others_too() -> None:
    physics = ecsphys.install(gravity=(0.0, -9.8))
    _tiles()
    for k in range(6):
        esper.create_entity(Transform(k - 3, 0.6), Velocity(1.0, 0.0, 2.0), OBBCollider(0.3, 0.3), RigidBody())
    carrier = esper.create_entity(Transform(-8, 30), Velocity(), CircleCollider(0.5), RigidBody("kinematic"))
    # The hierarchy moves it in each step, after the bodies.
    esper.create_entity(Transform(), Parent(carrier, 1, 0), CircleCollider(0.2))
    hero = esper.create_entity(Transform(9, 9), AABBCollider(0.4, 0.4), Solid(), Character())

    def play(steps: int) -> list[tuple[bool, int]]:
        found = []
        for _ in range(steps):
            physics.move_character(hero, (0.0, 0.01))
            esper.process(STEP)
            solver = physics._state.solver
            assert solver is not None
            found.append((solver.found_anew, physics.digest()))
        return found

    play(5)
    for _ in range(10):
        state = physics.snapshot()
        went = play(2)
        physics.restore(state)
        assert play(2) == went
