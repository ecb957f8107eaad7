"""Bodies are measured again where their colliders may be others, and no bit of a step tells how often."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import (
    AABBCollider,
    CircleCollider,
    CompoundCollider,
    OBBCollider,
    Physics,
    PolygonCollider,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)

DT = 1.0 / 60.0

TRIANGLE = [(0.0, 0.0), (1.0, 0.0), (0.7, 0.8)]

held: list[Any] = []


def fall(physics: Physics) -> list[int]:
    """Bodies whose centers of mass are not at their positions, above a floor."""
    esper.create_entity(Transform(0.0, -1.0), AABBCollider(30.0, 1.0), Solid())
    chance = np.random.default_rng(3)
    bodies = []
    for k, (angle, spin) in enumerate(chance.uniform(-3.0, 3.0, (12, 2))):
        shape = (
            PolygonCollider(TRIANGLE) if k % 2 else CompoundCollider([CircleCollider(0.4), OBBCollider(0.3, 0.2, 0.4)])
        )
        bodies.append(
            esper.create_entity(Transform(k % 4, 1.0 + k, angle), Velocity(0.0, 0.0, spin), shape, RigidBody())
        )
    return bodies


def nothing(physics: Physics) -> None:
    """Do nothing between steps."""


def create_a_polygon(physics: Physics) -> None:
    held.append(PolygonCollider(TRIANGLE))


def write_a_collider_that_is_nowhere(physics: Physics) -> None:
    held.append(CircleCollider(1.0))
    held[-1].radius = 2.0


def write_many_bodies_that_are_nowhere(physics: Physics) -> None:
    for _ in range(70):
        held.append(RigidBody())
        held[-1].mass = 2.0


def hold_a_view_of_masses(physics: Physics) -> None:
    held[:] = [RigidBody.column("mass")]


def digest(physics: Physics) -> None:
    physics.digest()


def take_a_snapshot(physics: Physics) -> None:
    physics.snapshot()


def poses(between: Callable[[Physics], None]) -> list[tuple[float, ...]]:
    esper.switch_world(between.__name__)
    physics = ecsphys.install(gravity=(0.0, -9.8))
    bodies = fall(physics)
    for step in range(120):
        if step == 40:
            # A gap among the rows of bodies.
            esper.delete_entity(bodies[3], immediate=True)
        between(physics)
        esper.process(DT)
    held.clear()
    return [(entity, pose.x, pose.y, pose.angle) for entity, pose in esper.get_component(Transform)]


@pytest.mark.parametrize(
    "between",
    [
        create_a_polygon,
        write_a_collider_that_is_nowhere,
        write_many_bodies_that_are_nowhere,
        hold_a_view_of_masses,
        digest,
        take_a_snapshot,
    ],
)
def test_what_changes_no_body_changes_no_bit_of_a_step(between: Callable[[Physics], None]) -> None:
    assert poses(between) == poses(nothing)


def test_a_written_collider_changes_the_masses_of_its_body_alone() -> None:
    physics = ecsphys.install()
    first, second = (
        esper.create_entity(Transform(3.0 * k, 0.0, 0.3), CircleCollider(1.0, offset_x=0.5), RigidBody(density=1.0))
        for k in range(2)
    )
    esper.process(DT)
    masses = physics.bodies.mass_of(first).mass, physics.bodies.mass_of(second).mass
    esper.component_for_entity(first, CircleCollider).radius = 2.0
    esper.process(DT)
    assert physics.bodies.mass_of(first).mass == pytest.approx(4.0 * masses[0])
    assert physics.bodies.mass_of(second).mass == masses[1]


def test_a_collider_that_becomes_a_sensor_or_is_one_no_more_changes_what_a_body_weighs_and_meets() -> None:
    physics = ecsphys.install()
    shape = CircleCollider(1.0)
    body = esper.create_entity(Transform(), shape, OBBCollider(0.5, 0.5), RigidBody(density=1.0))
    esper.process(DT)
    heavy = physics.bodies.mass_of(body).mass
    shape.sensor = True
    esper.process(DT)
    assert physics.bodies.mass_of(body).mass == pytest.approx(1.0)
    shape.sensor = False
    esper.process(DT)
    assert physics.bodies.mass_of(body).mass == pytest.approx(heavy)


def test_small_changes_of_a_size_add_up() -> None:
    physics = ecsphys.install()
    shape = CircleCollider(1.0)
    body = esper.create_entity(Transform(), shape, RigidBody(density=1.0))
    esper.process(DT)
    for _ in range(50):
        shape.radius *= 1.0 + 1e-10
        esper.process(DT)
    assert physics.bodies.mass_of(body).mass == pytest.approx(np.pi * shape.radius**2, rel=2e-9)
