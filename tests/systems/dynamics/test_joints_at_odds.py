"""Joints that pull against each other: they cannot hold, and must not throw bodies about ever faster."""

from __future__ import annotations

import math
import random
from typing import Any

import esper
import pytest

import ecsphys
from ecsphys import (
    CircleCollider,
    GearJoint,
    MotorJoint,
    Physics,
    RevoluteJoint,
    RigidBody,
    Transform,
    Velocity,
    WeldJoint,
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
