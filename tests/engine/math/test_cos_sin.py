"""Cosine and sine in one, against a sum of the series in exact fractions and against the C library."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ecsphys.engine.math.elementary import cos_sin

ULP = 2.0**-52


ONE = 1 << 200


def series(angle: float) -> tuple[int, int]:
    """Cosine and sine by the power series, in units of 2^-200: exact but for a few of them."""
    x = int(Fraction(angle) * ONE)
    term, k = ONE, 0
    sums = [0, 0, 0, 0]
    while term:
        sums[k % 4] += term
        k += 1
        term = term * x // (k * ONE)
        if term == -1:  # what a division towards minus infinity leaves
            break
    return sums[0] - sums[2], sums[1] - sums[3]


@settings(max_examples=30)
@given(st.lists(st.floats(-12.0, 12.0), min_size=1, max_size=50))
def test_both_are_within_an_ulp_of_the_series(angles: list[float]) -> None:
    for angle in angles:
        for found, expected in zip(cos_sin(angle), series(angle), strict=True):
            assert abs(int(Fraction(found) * ONE) - expected) <= ULP * ONE


def test_angles_in_any_turn_are_within_an_ulp_of_the_series() -> None:
    rng = np.random.default_rng(1)
    for angle in [*rng.uniform(-12.0, 12.0, 2000), *(np.arange(-15, 16) * (math.pi / 4))]:
        for found, expected in zip(cos_sin(angle), series(angle), strict=True):
            assert abs(int(Fraction(found) * ONE) - expected) <= ULP * ONE


@pytest.mark.parametrize("turns", [*range(-9, 10), 1000, -54321, 636_000])
def test_whole_quarter_turns_and_their_neighbours_are_right(turns: int) -> None:
    for eighth in (0, 1):
        angle = (2 * turns + eighth) * math.pi / 4
        for near in (math.nextafter(angle, -math.inf), angle, math.nextafter(angle, math.inf)):
            c, s = cos_sin(near)
            assert c == pytest.approx(math.cos(near), rel=0, abs=ULP)
            assert s == pytest.approx(math.sin(near), rel=0, abs=ULP)


def test_angles_up_to_2_to_the_52_agree_with_the_c_library() -> None:
    rng = np.random.default_rng(5)
    angles = rng.choice([-1.0, 1.0], 20_000) * 2.0 ** rng.uniform(-66, 52, 20_000)
    found = np.array([cos_sin(angle) for angle in angles.tolist()])
    assert np.abs(found - np.column_stack((np.cos(angles), np.sin(angles)))).max() <= ULP
    assert np.abs(np.hypot(*found.T) - 1.0).max() <= 2 * ULP


def test_larger_angles_are_angles_and_infinity_is_none() -> None:
    rng = np.random.default_rng(6)
    for angle in [*(rng.choice([-1.0, 1.0], 2000) * 2.0 ** rng.uniform(52, 1023, 2000)).tolist(), 1.7e308]:
        assert abs(math.hypot(*cos_sin(angle)) - 1.0) <= 2 * ULP
    for angle in (math.inf, -math.inf, math.nan):
        assert all(map(math.isnan, cos_sin(angle)))


def test_no_angle_is_no_turn() -> None:
    assert cos_sin(0.0) == (1.0, 0.0)
