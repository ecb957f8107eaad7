"""Joints that pull against each other: they cannot hold, and must not throw bodies about ever faster."""

from __future__ import annotations

import itertools
import math
import random
from typing import Any

import esper
import pytest

import ecsphys
from ecsphys import (
    CircleCollider,
    DistanceJoint,
    GearJoint,
    MotorJoint,
    MouseJoint,
    Physics,
    PrismaticJoint,
    RevoluteJoint,
    RigidBody,
    Transform,
    Velocity,
    WeldJoint,
    WheelJoint,
)

# Anchors are so far from the centres of their bodies, half a unit large.
_ARM = 7.0

# Units and radians a second: what a spring of 60 Hz makes of anchors that are twenty units apart.
_FASTEST = 2e3


@pytest.fixture
def empty_space() -> Physics:
    return ecsphys.install()


def _bodies(count: int, chance: random.Random) -> list[int]:
    return [
        esper.create_entity(
            Transform(chance.uniform(-3.0, 3.0), chance.uniform(-3.0, 3.0), chance.uniform(-3.0, 3.0)),
            CircleCollider(0.5),
            RigidBody(mass=1.0, inertia=0.1),
            Velocity(angular=chance.uniform(-5.0, 5.0)),
        )
        for _ in range(count)
    ]


def _hold(kind: Any, a: int, b: int, chance: random.Random) -> int:
    x_a, y_a, x_b, y_b = (chance.uniform(-_ARM, _ARM) for _ in range(4))
    return esper.create_entity(kind(a, b, x_a, y_a, x_b, y_b))


def _highest_speed() -> float:
    fastest = 0.0
    for _ in range(90):
        esper.process(1 / 60)
        for _, one in esper.get_component(Velocity):
            fastest = max(fastest, abs(one.x), abs(one.y), abs(one.angular))
            assert math.isfinite(fastest)
    return fastest


@pytest.mark.parametrize("seed", range(3))
def test_a_ring_of_hinges_at_long_arms_that_cannot_hold_stays_bounded(empty_space: Physics, seed: int) -> None:
    chance = random.Random(seed)
    bodies = _bodies(4, chance)
    for k in range(4):
        _hold(RevoluteJoint, bodies[k], bodies[k - 1], chance)
    assert _highest_speed() < _FASTEST


@pytest.mark.parametrize("kind", [WeldJoint, MotorJoint])
def test_two_joints_that_ask_for_other_places_and_angles_stay_bounded(empty_space: Physics, kind: Any) -> None:
    chance = random.Random(5)
    (body,) = _bodies(1, chance)
    for _ in range(2):
        _hold(kind, -1, body, chance)
    assert _highest_speed() < _FASTEST


def test_a_gear_in_a_loop_that_cannot_hold_stays_bounded(empty_space: Physics) -> None:
    chance = random.Random(1)
    bodies = _bodies(3, chance)
    hinges = [_hold(RevoluteJoint, bodies[k], bodies[k - 1], chance) for k in range(3)]
    esper.create_entity(GearJoint(hinges[0], hinges[1], ratio=2.0))
    esper.create_entity(GearJoint(hinges[0], hinges[2], ratio=-0.5))
    assert _highest_speed() < _FASTEST


_KINDS = (RevoluteJoint, PrismaticJoint, DistanceJoint, WeldJoint, WheelJoint, MouseJoint, MotorJoint)


@pytest.mark.parametrize(("first", "second"), list(itertools.combinations_with_replacement(_KINDS, 2)))
def test_any_two_joints_at_long_arms_that_pull_a_body_to_other_places_stay_bounded(
    empty_space: Physics, first: Any, second: Any
) -> None:
    # One of 4 Hz, or a rod, gained energy by turning what it pulls at, up to 1e7.
    chance = random.Random(7)
    bodies = _bodies(6, chance)
    for body in bodies:
        for kind in (first, second):
            x_a, y_a, x_b, y_b = (chance.uniform(-_ARM, _ARM) for _ in range(4))
            if kind is MouseJoint:
                esper.create_entity(MouseJoint(body, -1, x_b, y_b, x_a, y_a))
            elif kind is DistanceJoint:
                esper.create_entity(DistanceJoint(-1, body, x_a, y_a, x_b, y_b, length=1.0))
            else:
                esper.create_entity(kind(-1, body, x_a, y_a, x_b, y_b))
    assert _highest_speed() < _FASTEST


@pytest.mark.parametrize("kind", [WeldJoint, MotorJoint, PrismaticJoint])
@pytest.mark.parametrize("turned", [30.0, -30.0])
def test_what_a_joint_keeps_from_turning_goes_back_the_short_way(
    empty_space: Physics, kind: Any, turned: float
) -> None:
    # Else what holds a body that has rolled far away would wind it back by all of its turns.
    body = esper.create_entity(Transform(0.0, 0.0, turned), Velocity(), CircleCollider(0.5), RigidBody())
    esper.create_entity(kind(-1, body))
    for _ in range(120):
        esper.process(1 / 60)
    angle = esper.component_for_entity(body, Transform).angle
    assert abs(angle - turned) < math.pi
    assert math.remainder(angle, 2.0 * math.pi) == pytest.approx(0.0, abs=1e-3)


@pytest.mark.parametrize("masses", [(1.0, 1.0), (1.0, 1000.0)])
def test_a_motor_that_is_too_weak_for_two_free_bodies_does_not_turn_them_as_a_whole(
    empty_space: Physics, masses: tuple[float, float]
) -> None:
    pair = [
        esper.create_entity(
            Transform(x, 0.0),
            Velocity(0.0, speed),
            CircleCollider(0.5),
            RigidBody(mass=mass, inertia=0.1 * mass, can_sleep=False),
        )
        for x, speed, mass in zip((-1.0, 1.0), (4.0, -3.0), masses, strict=True)
    ]
    esper.create_entity(MotorJoint.at(pair[0], pair[1], 0.0, 0.5, max_force=50.0, max_torque=20.0))

    def momentum() -> float:
        total = 0.0
        for body, mass in zip(pair, masses, strict=True):
            place = esper.component_for_entity(body, Transform)
            speed = esper.component_for_entity(body, Velocity)
            total += mass * (place.x * speed.y - place.y * speed.x + 0.1 * speed.angular)
        return total

    first = momentum()
    for _ in range(120):
        esper.process(1 / 60)
        assert momentum() == pytest.approx(first, rel=1e-3)


def test_a_joint_at_the_centre_of_a_body_that_cannot_go_there_does_not_turn_it(empty_space: Physics) -> None:
    # A lever that is but a rounding error turned it at 1e12 rad/s.
    bodies = [
        esper.create_entity(Transform(x, 1.0), Velocity(), CircleCollider(0.5, 0.0, 1e-9), RigidBody(lock_x=True))
        for x in (-4.0, 4.0)
    ]
    esper.create_entity(MotorJoint(-1, bodies[0], 1.0, 1.0))
    esper.create_entity(RevoluteJoint(-1, bodies[1], 1.0, 1.0))
    assert _highest_speed() < _FASTEST
