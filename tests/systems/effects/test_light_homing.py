"""Homing lasers (row D6): the two rules of steering, and the flight of a chain, without any world."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy import float64
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from ecsphys.engine.effects.strips import fly, heads, turn_sines, turned

LIMIT = 0.2


def direction(angle: float) -> NDArray[float64]:
    return np.array(((math.cos(angle), math.sin(angle)),))


def turn(aim_angle: float, by_sign: bool, limit: float = LIMIT) -> float:
    """The turn in radians from +x towards a target at an angle."""
    sine = turn_sines(direction(0.0), direction(aim_angle), np.array((limit,)), np.array((by_sign,)))
    return math.asin(float(sine[0]))


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_by_sine_turns_to_the_target_and_no_farther_than_the_limit(side: float) -> None:
    assert turn(side * 0.05, by_sign=False) == pytest.approx(side * 0.05, rel=1e-12)
    assert turn(side * 0.19, by_sign=False) == pytest.approx(side * 0.19, rel=1e-12)
    assert turn(side * 0.21, by_sign=False) == pytest.approx(side * LIMIT, rel=1e-12)
    assert turn(side * 1.5, by_sign=False) == pytest.approx(side * LIMIT, rel=1e-12)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_by_sign_turns_by_the_whole_limit_however_near_the_target_is(side: float) -> None:
    for angle in (1e-9, 0.05, 1.5, 3.0):
        assert turn(side * angle, by_sign=True) == pytest.approx(side * LIMIT, rel=1e-12)
    assert turn(0.0, by_sign=True) == 0.0


@pytest.mark.parametrize("by_sign", [False, True])
def test_a_target_behind_turns_it_by_the_limit_left_where_the_cross_product_is_zero(by_sign: bool) -> None:
    assert turn(3.1, by_sign) == pytest.approx(LIMIT)  # the sine alone would say 0.04
    assert turn(-3.1, by_sign) == pytest.approx(-LIMIT)
    for cross in (0.0, -0.0):
        sine = turn_sines(direction(0.0), np.array(((-1.0, cross),)), np.array((LIMIT,)), np.array((by_sign,)))
        assert sine[0] == pytest.approx(math.sin(LIMIT))


def test_turning_by_a_sine_needs_no_angle() -> None:
    for angle in (-math.pi / 2, -0.3, 0.0, 1.0, math.pi / 2):
        assert_allclose(turned(direction(0.7), np.array((math.sin(angle),))), direction(0.7 + angle), atol=1e-15)


class Flight:
    """One laser with segments of length 1 from the origin along +x."""

    def __init__(self, target: tuple[float, float], by_sign: bool = False, limit: float = LIMIT, capacity: int = 200):
        self.joints = np.zeros((1, capacity, 2))
        self.counts = np.ones(1, np.int64)
        self.forward = direction(0.0)
        self.beyond = np.zeros(1)
        self.target = np.array((target,))
        self.limit, self.by_sign = np.array((limit,)), np.array((by_sign,))

    def fly(self, distance: float) -> None:
        fly(
            self.joints,
            self.counts,
            self.forward,
            self.beyond,
            np.array((distance,)),
            self.target,
            np.ones(1),
            self.limit,
            self.by_sign,
        )

    @property
    def head(self) -> tuple[float, float]:
        x, y = heads(self.joints, self.forward, self.beyond)[0].tolist()
        return x, y

    def error(self) -> float:
        """Angle from the direction of flight to the target."""
        dx, dy = self.target[0] - self.joints[0, 0]
        fx, fy = self.forward[0]
        return math.atan2(fx * dy - fy * dx, fx * dx + fy * dy)

    def errors(self, count: int) -> NDArray[float64]:
        found = []
        for _ in range(count):
            self.fly(1.0)
            found.append(self.error())
        return np.array(found)


def test_by_sine_settles() -> None:
    """From 90 degrees off: limited turns first, then straight at the target, and not one turn more."""
    flight = Flight((0.0, 500.0))
    errors = flight.errors(60)
    assert abs(errors[0]) > 1.0
    assert (np.diff(np.abs(errors[:10])) < 1e-12).all()
    assert np.abs(errors[10:]).max() < 1e-12


def test_by_sign_jitters() -> None:
    """It swings about the target for as long as it flies, by the whole limit at each joint."""
    flight = Flight((0.0, 500.0), by_sign=True)
    errors = flight.errors(200)[20:]
    assert np.abs(errors).max() > 0.4 * LIMIT
    assert (errors[1:] * errors[:-1] < 0.0).mean() > 0.6
    turns = np.diff(errors)
    assert_allclose(np.abs(turns), LIMIT, rtol=0.05)


def test_no_turn_is_larger_than_the_limit() -> None:
    flight = Flight((-30.0, 1.0), limit=0.15)
    flight.fly(150.0)
    steps = np.diff(flight.joints[0, : flight.counts[0]], axis=0)
    heading = np.arctan2(steps[:, 1], steps[:, 0])
    turns = (np.diff(heading) + math.pi) % math.tau - math.pi
    assert np.abs(turns).max() == pytest.approx(0.15, abs=1e-12)
    assert_allclose(np.hypot(*steps.T), 1.0, rtol=1e-12)


def test_a_target_straight_behind_is_reached_by_a_left_turn() -> None:
    flight = Flight((-40.0, 0.0))
    flight.fly(5.0)
    assert flight.head[1] > 0.0
    assert flight.forward[0, 1] > 0.0
    nearest = math.inf
    for _ in range(80):
        flight.fly(1.0)
        nearest = min(nearest, math.dist(flight.head, (-40.0, 0.0)))
    assert nearest < 1.0


def test_the_head_flies_on_between_the_joints() -> None:
    flight = Flight((100.0, 0.0))
    flight.fly(0.75)
    assert (flight.head, flight.counts[0]) == ((0.75, 0.0), 1)
    flight.fly(0.75)
    assert (flight.head, flight.counts[0]) == ((1.5, 0.0), 2)
    assert flight.joints[0, :3].tolist() == [[1, 0], [0, 0], [0, 0]]


def test_one_long_step_is_as_many_short_ones() -> None:
    once, often = Flight((20.0, 90.0)), Flight((20.0, 90.0))
    once.fly(40.0)
    for _ in range(80):
        often.fly(0.5)
    assert once.head == often.head
    assert once.joints.tolist() == often.joints.tolist()


def test_it_flies_straight_over_a_target_at_a_joint_and_stays_finite() -> None:
    flight = Flight((3.0, 0.0))
    flight.fly(3.0)
    assert flight.head == (3.0, 0.0)
    assert flight.forward.tolist() == [[1.0, 0.0]]
    flight.fly(1e300)
    assert np.isfinite(flight.joints).all()
    assert flight.counts[0] == 200
