"""The page "Coming from …" is right about what replaces the parts of other libraries, and about the differences."""

from __future__ import annotations

import math
from collections.abc import Callable

import esper
import pytest

import ecsphys
from ecsphys import (
    CircleCollider,
    Drag,
    HitListener,
    MotorJoint,
    OBBCollider,
    Physics,
    RevoluteJoint,
    RigidBody,
    Solid,
    Transform,
    Velocity,
    WheelJoint,
)
from ecsphys.types import Hit


def play(steps: int, before: Callable[[], None] = lambda: None) -> None:
    for _ in range(steps):
        before()
        esper.process(1 / 60)


def fastest_bounce(height: float = 5.5) -> float:
    """The highest speed upwards of a ball with restitution 0.8 that falls on ground with 0.5."""
    esper.create_entity(Transform(0, -0.5), OBBCollider(20, 0.5), RigidBody("static", restitution=0.5))
    speed = Velocity()
    esper.create_entity(Transform(0, height), speed, CircleCollider(0.5), RigidBody(restitution=0.8))
    speeds = [0.0]
    play(90, lambda: speeds.append(speed.y))
    return max(speeds)


@pytest.fixture
def falling() -> Physics:
    return ecsphys.install(gravity=(0, -10))


def test_the_larger_restitution_counts(falling: Physics) -> None:
    assert fastest_bounce() == pytest.approx(8.0)


def test_the_product_rule_is_that_of_pymunk(falling: Physics) -> None:
    falling.settings.restitution_mixing = "product"
    assert fastest_bounce() == pytest.approx(4.0)


def test_slow_impacts_do_not_bounce(falling: Physics) -> None:
    assert fastest_bounce(height=0.52) < 1e-6


def test_drag_replaces_the_damping_of_a_space() -> None:
    ecsphys.install()
    speed = Velocity(10, 0)
    esper.create_entity(Transform(), speed, CircleCollider(1), RigidBody(), Drag(linear=-math.log(0.5)))
    play(60)
    assert speed.x == pytest.approx(5.0)


def test_a_wheel_without_a_spring_is_a_groove(falling: Physics) -> None:
    bar = esper.create_entity(Transform(), OBBCollider(2, 0.1), RigidBody("static"))
    place = Transform(-1, 0)
    bead = esper.create_entity(place, CircleCollider(0.2), Velocity(2, 0, 3), RigidBody())
    esper.create_entity(WheelJoint.at(bar, bead, -1, 0, (1, 0), frequency=None, has_limits=True, lower=-1, upper=3))
    play(120)
    assert place.x == pytest.approx(2.0, abs=1e-3)
    assert place.y == pytest.approx(0.0, abs=1e-3)
    assert place.angle == pytest.approx(6.0)  # it turns freely


def test_a_motor_joint_without_a_force_is_a_rotary_spring() -> None:
    ecsphys.install()
    left, right = Transform(0, 0), Transform(5, 0, 1.0)
    a = esper.create_entity(left, OBBCollider(0.5, 0.5), RigidBody())
    b = esper.create_entity(right, Velocity(0, 1), OBBCollider(0.5, 0.5), RigidBody())
    esper.create_entity(MotorJoint(a, b, max_force=0, frequency=1))
    play(180)
    assert left.angle == pytest.approx(right.angle, abs=1e-3)
    assert left.x == pytest.approx(0.0)
    assert right.y == pytest.approx(3.0)  # free to move apart


def test_a_motor_joint_whose_angle_grows_is_a_simple_motor() -> None:
    ecsphys.install()
    speed = Velocity()
    a = esper.create_entity(Transform(), OBBCollider(0.5, 0.5), RigidBody("static"))
    b = esper.create_entity(Transform(5, 0), speed, OBBCollider(0.5, 0.5), RigidBody())
    motor = MotorJoint(a, b, max_force=0)
    esper.create_entity(motor)

    def turn_on() -> None:
        motor.angle += 3 / 60

    play(120, turn_on)
    assert speed.angular == pytest.approx(3.0, abs=0.1)


def test_a_motor_joint_that_works_beyond_limits_is_a_rotary_limit() -> None:
    ecsphys.install()
    place = Transform(5, 0)
    a = esper.create_entity(Transform(), OBBCollider(0.5, 0.5), RigidBody("static"))
    b = esper.create_entity(place, Velocity(angular=2), OBBCollider(0.5, 0.5), RigidBody())
    limit = MotorJoint(a, b, max_force=0, max_torque=0)
    esper.create_entity(limit)

    def keep_within() -> None:
        limit.angle = min(max(place.angle, -0.5), 0.5)
        limit.max_torque = 0.0 if limit.angle == place.angle else None

    play(240, keep_within)
    assert place.angle == pytest.approx(0.5, abs=0.01)


def test_a_hinge_whose_lower_limit_follows_is_a_ratchet() -> None:
    ecsphys.install()
    place, speed = Transform(), Velocity(angular=5)
    wheel = esper.create_entity(place, speed, CircleCollider(1), RigidBody())
    ratchet = RevoluteJoint.at(None, wheel, 0, 0, has_limits=True, lower=0, upper=1e9)
    esper.create_entity(ratchet)

    def click() -> None:
        ratchet.lower = max(ratchet.lower, place.angle)

    play(60, click)
    speed.angular = -5
    play(60, click)
    assert place.angle == pytest.approx(5.0, abs=0.1)


def test_joined_bodies_do_not_collide() -> None:
    physics = ecsphys.install()
    a, b = (esper.create_entity(Transform(x, 0), OBBCollider(0.5, 0.5), RigidBody()) for x in (0, 0.5))
    esper.create_entity(RevoluteJoint.at(a, b, 0.25, 0))
    play(3)
    assert len(physics.hits) == 0


def test_a_handler_may_delete_and_create(falling: Physics) -> None:
    def shatter(hit: Hit) -> None:
        esper.delete_entity(glass, immediate=True)
        esper.create_entity(Transform(3, 3), CircleCollider(0.1), RigidBody())

    esper.create_entity(Transform(0, -0.5), OBBCollider(20, 0.5), Solid())
    glass = esper.create_entity(Transform(0, 1), OBBCollider(0.5, 0.5), RigidBody(), HitListener(on_started=shatter))
    play(60)
    assert not esper.entity_exists(glass)
    assert len(esper.get_component(RigidBody)) == 1


@pytest.mark.parametrize("steps", [1, 7, 60])
def test_free_fall_is_exact_at_any_step_length(steps: int, falling: Physics) -> None:
    place = Transform()
    esper.create_entity(place, CircleCollider(0.1), RigidBody())
    for _ in range(steps):
        esper.process(1 / steps)
    assert place.y == pytest.approx(-5.0, rel=1e-9)


def test_sensors_see_each_other_and_static_bodies() -> None:
    physics = ecsphys.install()
    for x in (0.0, 0.5):
        esper.create_entity(Transform(x, 0), CircleCollider(1, sensor=True))
    esper.create_entity(Transform(-0.5, 0), CircleCollider(1), RigidBody("static"))
    esper.process(1 / 60)
    assert len(physics.hits) == 3


def test_a_fixed_wall_stops_every_fast_body() -> None:
    ecsphys.install()
    place = Transform()
    esper.create_entity(place, Velocity(1000, 0), CircleCollider(0.5), RigidBody())
    esper.create_entity(Transform(5, 0), OBBCollider(0.01, 5), Solid())
    play(2)
    assert place.x < 5
