"""Motions of a step against power series with digits to spare: offsets keep their precision however small they are."""

from __future__ import annotations

import math
import sys
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ecsphys.engine.geometry.sweep_motion import (
    AMPLITUDE_X,
    ANGLE,
    CIRCULAR,
    DAMPING,
    HARMONIC,
    KIND,
    LINEAR_X,
    MOTION_COLUMNS,
    ORBIT_RADIUS,
    POLYNOMIAL,
    TAU_CHANGE,
    UNTIL,
    is_moving,
    offset,
    reach_along,
    relative_acceleration,
    speed_bound,
    velocity,
)

Motion = NDArray[np.float64]

EPSILON = 2.0**-52
TINY = 1e-40  # what the series leave out
SMALL = [1e-14, 1e-9, 1e-4, 0.1, 0.5, 1.0]

PHASES = st.floats(-7.0, 7.0)
LENGTHS = st.floats(-10.0, 10.0)
DAMPINGS = st.one_of(
    st.sampled_from([0.0, 0.1, 1.0, 1.0 - 1e-12, 1.0 + 1e-12, 1.0 - 1e-5, 1.0 + 1e-5]), st.floats(0.0, 4.0)
)


def motion(kind: int, first: int, *values: float, until: float = 1.0) -> Motion:
    row = np.zeros(MOTION_COLUMNS)
    row[KIND] = kind
    row[UNTIL] = until
    row[first : first + len(values)] = values
    return row


NO_MOTION = motion(POLYNOMIAL, LINEAR_X)

POLYNOMIALS = st.builds(lambda *v: motion(POLYNOMIAL, LINEAR_X, *v), *[LENGTHS] * 4)
ORBITS = st.builds(lambda *v: motion(CIRCULAR, ORBIT_RADIUS, *v), st.floats(0.01, 10.0), PHASES, st.floats(-9.0, 9.0))
SWINGS = st.builds(
    lambda *v: motion(HARMONIC, AMPLITUDE_X, *v), LENGTHS, LENGTHS, PHASES, DAMPINGS, st.floats(0, 3), st.floats(0, 9)
)
MOTIONS = st.one_of(POLYNOMIALS, ORBITS, SWINGS)


def sine(angle: Decimal, derivative: int = 0) -> Decimal:
    term = angle if derivative == 0 else Decimal(1)
    total, k = Decimal(0), 1 - derivative
    while abs(term) > Decimal(10) ** -70 or k < abs(angle):
        total += term
        term *= -angle * angle / ((k + 1) * (k + 2))
        k += 2
    return total


def cosine(angle: Decimal) -> Decimal:
    return sine(angle, 1)


def oscillation(tau: Decimal, phase: float, zeta: float) -> Decimal:
    """u by the power series of u″ + 2ζu′ + u = 0, from u = sin φ and u′ = cos φ."""
    z = Decimal(zeta)
    coefficient, following = sine(Decimal(phase)), cosine(Decimal(phase))
    total, power, k = Decimal(0), Decimal(1), 0
    while k < 20 + 8 * tau * (z + 1) or abs(power * coefficient) + abs(power * following) > Decimal(10) ** -60:
        total += coefficient * power
        power *= tau
        coefficient, following = following, -(2 * z * (k + 1) * following + coefficient) / ((k + 1) * (k + 2))
        k += 1
    return total


@given(POLYNOMIALS, st.sampled_from(SMALL))
def test_a_polynomial_is_its_formula(row: Motion, t: float) -> None:
    for axis, value in enumerate(offset(row, t)):
        linear, square = Fraction(row[LINEAR_X + axis]), Fraction(row[LINEAR_X + 2 + axis])
        expected = linear * Fraction(t) + square * Fraction(t) ** 2
        assert abs(Fraction(value) - expected) <= 4 * EPSILON * t * (abs(linear) + abs(square)) + TINY


@given(ORBITS, st.sampled_from(SMALL))
def test_a_chord_of_a_circle_is_precise_however_short(row: Motion, t: float) -> None:
    radius, phase, angle = (Decimal(float(value)) for value in row[ORBIT_RADIUS : ORBIT_RADIUS + 3])
    with localcontext() as context:
        context.prec = 80
        end = phase + angle * Decimal(t)
        expected = radius * (cosine(end) - cosine(phase)), radius * (sine(end) - sine(phase))
    # The phase, up to 16, is rounded before its cosine is taken.
    tolerance = 32 * EPSILON * abs(float(radius * angle)) * t + TINY
    x, y = offset(row, t)
    assert x == pytest.approx(float(expected[0]), abs=tolerance)
    assert y == pytest.approx(float(expected[1]), abs=tolerance)


@given(SWINGS, st.sampled_from(SMALL))
def test_a_swing_is_precise_however_short(row: Motion, t: float) -> None:
    x, y, phase, zeta, tau, change = (float(value) for value in row[AMPLITUDE_X:])
    with localcontext() as context:
        # Terms grow up to e^(fastest rate · τ) before they cancel.
        context.prec = 80 + int((tau + change) * (2 * zeta + 1))
        delta = Decimal(change) * Decimal(t)
        moved = oscillation(Decimal(tau) + delta, phase, zeta) - oscillation(Decimal(tau), phase, zeta)
    tolerance = 16 * EPSILON * (1.0 + zeta) * float(delta)  # for each unit of amplitude
    along_x, along_y = offset(row, t)
    assert along_x == pytest.approx(x * float(moved), abs=tolerance * abs(x) + TINY)
    assert along_y == pytest.approx(y * float(moved), abs=tolerance * abs(y) + TINY)


@given(MOTIONS, st.floats(0.01, 0.99))
def test_the_velocity_is_the_rate_of_the_offset(row: Motion, t: float) -> None:
    h = 1e-5
    before, after = offset(row, t - h), offset(row, t + h)
    for axis, speed in enumerate(velocity(row, t)):
        assert speed == pytest.approx((after[axis] - before[axis]) / (2 * h), abs=1e-5 * (1.0 + speed_bound(row)))


@given(MOTIONS)
def test_speed_and_acceleration_keep_within_their_bounds(row: Motion) -> None:
    fastest = speed_bound(row)
    middle_x, middle_y, spread = relative_acceleration(row, NO_MOTION, True, False)
    assert relative_acceleration(NO_MOTION, row, True, True) == (-middle_x, -middle_y, spread)
    assert relative_acceleration(NO_MOTION, row, True, False) == (0.0, 0.0, 0.0)
    h = 1e-4
    for t in np.linspace(h, 1.0 - h, 40).tolist():
        assert math.hypot(*velocity(row, t)) <= fastest * (1.0 + 1e-12)
        assert math.hypot(*offset(row, t)) <= fastest * t * (1.0 + 1e-12) + sys.float_info.min
        (x, y), (to_x, to_y) = velocity(row, t - h), velocity(row, t + h)
        rate_x, rate_y = (to_x - x) / (2 * h), (to_y - y) / (2 * h)
        assert math.hypot(rate_x - middle_x, rate_y - middle_y) <= spread * (1.0 + 1e-6) + 1e-9 * (1.0 + fastest)


@given(st.one_of(st.tuples(ORBITS, ORBITS), st.tuples(SWINGS, SWINGS), st.tuples(MOTIONS, MOTIONS)), st.booleans())
def test_the_difference_of_two_accelerations_keeps_within_its_bound(rows: tuple[Motion, Motion], alike: bool) -> None:
    a, b = rows
    if alike and a[KIND] == b[KIND]:
        # The same rates.
        same = [ORBIT_RADIUS + 2] if a[KIND] == CIRCULAR else [DAMPING, TAU_CHANGE]
        b[same] = a[same]
    middle_x, middle_y, spread = relative_acceleration(a, b, True, True)
    assert relative_acceleration(a, a, True, True) == (0.0, 0.0, 0.0)
    h = 1e-4
    for t in np.linspace(h, 1.0 - h, 20).tolist():
        x, y = (float(v - w) for v, w in zip(velocity(a, t - h), velocity(b, t - h), strict=True))
        to_x, to_y = (float(v - w) for v, w in zip(velocity(a, t + h), velocity(b, t + h), strict=True))
        rate_x, rate_y = (to_x - x) / (2 * h), (to_y - y) / (2 * h)
        rounding = 1e-9 * (1.0 + speed_bound(a) + speed_bound(b))
        assert math.hypot(rate_x - middle_x, rate_y - middle_y) <= spread * (1.0 + 1e-6) + rounding


@given(MOTIONS, st.floats(0.1, 0.9))
def test_after_its_end_a_motion_rests(row: Motion, until: float) -> None:
    whole = row.copy()
    row[UNTIL] = until
    assert offset(row, 0.5 * until) == offset(whole, 0.5 * until)
    assert velocity(row, 0.5 * until) == velocity(whole, 0.5 * until)
    assert offset(row, until) == offset(row, 1.0) == offset(whole, until)
    assert velocity(row, until) == velocity(row, 1.0) == (0.0, 0.0)
    assert is_moving(row, 0.5 * until)
    assert not is_moving(row, until)
    assert is_moving(whole, 1.0)
    assert velocity(whole, 1.0) == pytest.approx(velocity(whole, math.nextafter(1.0, 0.0)), rel=1e-12)


def test_no_motion() -> None:
    rest = NO_MOTION.copy()
    rest[ANGLE] = 3.0  # turns, but stays
    for t in (0.0, 0.3, 1.0):
        assert offset(rest, t) == velocity(rest, t) == (0.0, 0.0)
    assert speed_bound(rest) == 0.0
    assert relative_acceleration(rest, rest, True, True) == (0.0, 0.0, 0.0)


@given(MOTIONS, st.floats(0.0, 0.9), PHASES)
def test_how_far_an_offset_reaches_along_a_direction(row: Motion, t: float, towards: float) -> None:
    nx, ny = math.cos(towards), math.sin(towards)
    start = offset(row, t)
    reach = reach_along(row, t, 1.0, nx, ny)
    rounding = 1e-13 * (1.0 + speed_bound(row))
    ways = []
    for later in np.linspace(t, 1.0, 60).tolist():
        x, y = offset(row, later)
        ways.append((x - start[0]) * nx + (y - start[1]) * ny)
    assert max(ways) <= reach + rounding
    if row[KIND] == POLYNOMIAL:
        assert max(ways) >= reach - 0.01 * (1.0 + speed_bound(row))
    row[UNTIL] = t
    assert reach_along(row, t, 1.0, nx, ny) == 0.0
