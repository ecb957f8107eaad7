"""What a ``Parent`` carries moves others with the velocity of its carrier; and who carries what may change."""

from __future__ import annotations

import math

import esper
import pytest

import ecsphys
from ecsphys import AABBCollider, LinearTrajectory, OBBCollider, Parent, Physics, RigidBody, Solid, Transform, Velocity

DT = 1.0 / 60.0


@pytest.fixture
def physics() -> Physics:
    return ecsphys.install(gravity=(0.0, -10.0))


def steps(count: int) -> None:
    for _ in range(count):
        esper.process(DT)


def at(entity: int) -> Transform:
    return esper.component_for_entity(entity, Transform)


def speed(entity: int) -> Velocity:
    return esper.component_for_entity(entity, Velocity)


@pytest.mark.parametrize("kind", ["solid", "body"])
@pytest.mark.parametrize("by", ["velocity", "trajectory", "grandparent"])
def test_a_carried_deck_takes_along_what_rests_on_it(kind: str, by: str, physics: Physics) -> None:
    if by == "trajectory":
        lift = esper.create_entity(Transform(), LinearTrajectory(0.0, 0.0, 2.0, 0.0))
    else:
        lift = esper.create_entity(Transform(), Velocity(2.0, 0.0))
    if by == "grandparent":
        lift = esper.create_entity(Transform(), Parent(lift))
    marks = Solid() if kind == "solid" else RigidBody("kinematic")
    esper.create_entity(Transform(0.0, -0.5), AABBCollider(4.0, 0.5), Parent(lift, 0.0, -0.5), marks)
    box = esper.create_entity(Transform(0.0, 0.5), OBBCollider(0.5, 0.5), RigidBody())
    steps(120)
    assert speed(box).x == pytest.approx(2.0, abs=0.01)
    assert at(box).y == pytest.approx(0.5, abs=0.01)


def test_a_carried_arm_strikes_with_the_speed_of_its_tip() -> None:
    ecsphys.install()
    hub = esper.create_entity(Transform(), Velocity(0.0, 0.0, 2.0))
    esper.create_entity(Transform(3.0, 0.0), OBBCollider(0.5, 0.5), Parent(hub, 3.0, 0.0), Solid())
    box = esper.create_entity(Transform(3.0, 1.2), OBBCollider(0.5, 0.5), RigidBody(restitution=1.0, friction=0.0))
    steps(10)
    # The arm comes along y with 2 · 3, and leaves the box with twice that, about: it turns a little until then.
    assert math.hypot(speed(box).x, speed(box).y) == pytest.approx(12.0, rel=0.1)


def test_a_parent_that_is_assigned_gives_its_body_to_the_child(physics: Physics) -> None:
    esper.create_entity(Transform(0.0, -0.5), AABBCollider(50.0, 0.5), Solid())
    first = esper.create_entity(Transform(0.0, 0.5), OBBCollider(0.5, 0.5), RigidBody(), Velocity())
    second = esper.create_entity(Transform(5.0, 0.5), OBBCollider(0.5, 0.5), RigidBody(), Velocity())
    parent = Parent(first, 0.0, 1.0)
    esper.create_entity(Transform(0.0, 1.5), OBBCollider(0.5, 0.5), parent)
    steps(1)
    assert physics.bodies.mass_of(first).mass == pytest.approx(2.0)
    parent.entity = second
    assert physics.bodies.mass_of(first).mass == pytest.approx(1.0)
    assert physics.bodies.mass_of(second).mass == pytest.approx(2.0)
    steps(60)
    assert at(second).y == pytest.approx(0.5, abs=0.01)


def test_a_writable_column_wakes_what_is_written_only(physics: Physics) -> None:
    esper.create_entity(Transform(0.0, -0.5), AABBCollider(50.0, 0.5), Solid())
    boxes = [esper.create_entity(Transform(3.0 * k, 0.5), OBBCollider(0.5, 0.5), RigidBody()) for k in range(2)]
    friction = RigidBody.column("friction")
    steps(60)
    assert [physics.bodies.is_asleep(box) for box in boxes] == [True, True]
    row = esper.component_for_entity(boxes[1], RigidBody)._row
    friction[row] = 0.1
    steps(2)
    assert [physics.bodies.is_asleep(box) for box in boxes] == [True, False]
    steps(60)
    assert [physics.bodies.is_asleep(box) for box in boxes] == [True, True]
