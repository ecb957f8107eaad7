"""Cosine and sine in one, against a sum of the series in exact fractions and against the C library."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecsphys.engine.math.cos_sin import cos_sin

ULP = 2.0**-52


def series(angle: float, first: int) -> Fraction:
    """The power series from term ``first`` (0 for the cosine, 1 for the sine), exact but for its end."""
    x = Fraction(angle)
    term = x if first else Fraction(1)
    total = term
    for k in range(first + 1, first + 120, 2):
        term *= -x * x / (k * (k + 1))
        total += term
    return total


@given(st.floats(-12.0, 12.0))
def test_both_are_within_an_ulp_of_the_series(angle: float) -> None:
    c, s = cos_sin(angle)
    assert abs(Fraction(c) - series(angle, 0)) <= ULP
    assert abs(Fraction(s) - series(angle, 1)) <= ULP


@pytest.mark.parametrize("turns", [*range(-9, 10), 1000, -54321, 636_000])
def test_whole_quarter_turns_and_their_neighbours_are_right(turns: int) -> None:
    for eighth in (0, 1):
        angle = (2 * turns + eighth) * math.pi / 4
        for near in (math.nextafter(angle, -math.inf), angle, math.nextafter(angle, math.inf)):
            c, s = cos_sin(near)
            assert c == pytest.approx(math.cos(near), rel=0, abs=ULP)
            assert s == pytest.approx(math.sin(near), rel=0, abs=ULP)


def test_angles_of_any_size_agree_with_the_c_library() -> None:
    rng = np.random.default_rng(5)
    angles = rng.choice([-1.0, 1.0], 20_000) * 10.0 ** rng.uniform(-20, 20, 20_000)
    found = np.array([cos_sin(angle) for angle in angles.tolist()])
    assert np.abs(found - np.column_stack((np.cos(angles), np.sin(angles)))).max() <= ULP
    assert np.abs(np.hypot(*found.T) - 1.0).max() <= 2 * ULP


def test_no_angle_is_no_turn() -> None:
    assert cos_sin(0.0) == (1.0, 0.0)
