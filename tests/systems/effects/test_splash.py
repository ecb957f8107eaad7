"""Random splashes: bounds, moments and tails, and the clumps that the originals' integers make (A6, A7)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from ecsphys.systems.effects.particles import normal_splash, uniform_splash

COUNT = 200_000


def generator() -> np.random.Generator:
    return np.random.default_rng(12345)


class FixedUniform:
    """A generator that gives the ends of its range."""

    def __init__(self, value: float) -> None:
        self.value = value

    def random(self, count: int) -> Any:
        return np.full(count, self.value)


LAST_BELOW_ONE = math.nextafter(1.0, 0.0)


def test_uniform_has_bounds_mean_and_variance() -> None:
    a, b = -3.0, 5.0
    values = uniform_splash(generator(), a, b, COUNT)
    assert values.shape == (COUNT,)
    assert a <= values.min() < a + 1e-3
    assert b - 1e-3 < values.max() <= b
    # The standard errors are 0.005 and about 0.011.
    assert values.mean() == pytest.approx((a + b) / 2, abs=0.025)
    assert values.var() == pytest.approx((b - a) ** 2 / 12, abs=0.05)


def test_uniform_fills_every_stretch_evenly_where_integers_modulo_a_range_clump() -> None:
    """The original's ``rand() % 100`` in place of a real: as many values as the range is long, low ones favoured."""
    bins = 1000
    expected = COUNT / bins
    ours = uniform_splash(generator(), 0.0, 100.0, COUNT)
    original = generator().integers(0, 2**15, COUNT) % 100
    our_counts, their_counts = (np.histogram(values, bins, (0.0, 100.0))[0] for values in (ours, original))
    # χ² of 999 degrees of freedom has mean 999 and σ = 45.
    assert ((our_counts - expected) ** 2 / expected).sum() < 999 + 5 * 45
    assert np.unique(ours).size == COUNT
    assert np.unique(original).size == 100
    assert (their_counts == 0).sum() == 900
    # 2¹⁵ = 327·100 + 68: a range that does not divide it favours the values below 68 besides.
    favoured = np.bincount(generator().integers(0, 2**8, COUNT) % 100, minlength=100)
    assert favoured[:56].mean() / favoured[56:].mean() == pytest.approx(3 / 2, rel=0.02)


def test_uniform_at_the_ends_of_the_generators_range_stays_in_its_bounds() -> None:
    first: Any = FixedUniform(0.0)
    last: Any = FixedUniform(LAST_BELOW_ONE)
    assert uniform_splash(first, 0.1, 0.3, 1).tolist() == [0.1]
    assert 0.1 <= uniform_splash(last, 0.1, 0.3, 1)[0] <= 0.3
    assert uniform_splash(generator(), 2.5, 2.5, 3).tolist() == [2.5] * 3
    assert np.isfinite(uniform_splash(generator(), -1.7e308, 1.7e308, 100)).all()


def test_bounds_and_moments_may_be_arrays() -> None:
    low = np.array([0.0, 10.0, 20.0])
    values = uniform_splash(generator(), low, low + 1.0, 3)
    assert ((values >= low) & (values <= low + 1.0)).all()
    assert normal_splash(generator(), low, np.zeros(3), 3).tolist() == low.tolist()


def test_normal_has_mean_sigma_and_tails() -> None:
    values = (normal_splash(generator(), 7.0, 2.0, COUNT) - 7.0) / 2.0
    assert values.mean() == pytest.approx(0.0, abs=5 / math.sqrt(COUNT))
    assert values.std() == pytest.approx(1.0, abs=5 / math.sqrt(2 * COUNT))
    assert (values**3).mean() == pytest.approx(0.0, abs=0.03)
    assert (values**4).mean() == pytest.approx(3.0, abs=0.1)
    for sigmas in (1.0, 2.0, 3.0, 4.0):
        beyond = math.erfc(sigmas / math.sqrt(2.0))
        error = 5 * math.sqrt(COUNT * beyond)
        assert (np.abs(values) > sigmas).sum() == pytest.approx(COUNT * beyond, abs=error)


def test_the_two_numbers_of_a_pair_are_independent() -> None:
    values = normal_splash(generator(), 0.0, 1.0, COUNT)
    cosines, sines = values[: COUNT // 2], values[COUNT // 2 :]
    assert np.corrcoef(cosines, sines)[0, 1] == pytest.approx(0.0, abs=0.016)
    assert np.corrcoef(cosines**2, sines**2)[0, 1] == pytest.approx(0.0, abs=0.016)


def test_box_muller_follows_the_formula() -> None:
    a = 1.0 - generator().random(50)
    rng = generator()
    rng.random(50)
    b = rng.random(50)
    values = normal_splash(generator(), 0.0, 1.0, 100)
    # numpy's own functions differ from ours, and between processors, in the last bits.
    expected = np.sqrt(-2 * np.log(a)) * (np.cos(math.tau * b), np.sin(math.tau * b))
    np.testing.assert_allclose(values, expected.reshape(-1), rtol=1e-14, atol=2e-15)


def test_the_logarithm_never_meets_zero() -> None:
    first: Any = FixedUniform(0.0)
    last: Any = FixedUniform(LAST_BELOW_ONE)
    assert normal_splash(first, 3.0, 1.0, 2).tolist() == [3.0, 3.0]
    extreme = normal_splash(last, 0.0, 1.0, 2)
    assert np.isfinite(extreme).all()
    assert np.abs(extreme).max() == pytest.approx(math.sqrt(2 * 53 * math.log(2)), rel=1e-9)


@pytest.mark.parametrize("count", [0, 1, 2, 7])
def test_any_count_even_or_odd(count: int) -> None:
    assert normal_splash(generator(), 0.0, 1.0, count).shape == (count,)
    assert uniform_splash(generator(), 0.0, 1.0, count).shape == (count,)


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(ValueError, match="low <= high"):
        uniform_splash(generator(), 1.0, 0.0, 1)
    with pytest.raises(ValueError, match="sigma >= 0"):
        normal_splash(generator(), 0.0, -1.0, 1)
