"""Our own exp, expm1, log, atan2 and hypot, against numpy's long doubles and, in the corners, against ``math``."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal, localcontext
from typing import Any

import numpy as np
import pytest

from ecsphys.engine.math.elementary import (
    angles_of,
    atan2,
    cos_sin_of,
    exp,
    exp_of,
    expm1,
    expm1_of,
    hypot,
    lengths_of,
    log,
    log_of,
)

RNG = np.random.default_rng(1)
COUNT = 2000
ONE = RNG.uniform(-700.0, 700.0, COUNT), RNG.uniform(-1.0, 1.0, COUNT), 10.0 ** RNG.uniform(-300, -1, COUNT)
TWO = RNG.normal(size=(2, COUNT)), RNG.choice([-1.0, 1.0], (2, COUNT)) * 10.0 ** RNG.uniform(-300, 300, (2, COUNT))
POSITIVE = 10.0 ** RNG.uniform(-320, 308, COUNT), RNG.uniform(0.5, 2.0, COUNT), 1.0 + RNG.uniform(-1e-6, 1e-6, COUNT)
CORNERS = (0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 5e-324, 1e308)


def ulps(found: Any, true: Any) -> float:
    """By how many units in the last place numbers are off at most."""
    return float((np.abs(np.array(found, np.longdouble) - true) / np.spacing(np.abs(true.astype(float)))).max())


@pytest.mark.parametrize(
    ("function", "true", "values", "most"),
    [
        *((exp, np.exp, (values,), 1.0) for values in ONE),
        *((expm1, np.expm1, (values,), 2.0) for values in ONE),
        *((log, np.log, (values,), 1.0) for values in POSITIVE),
        *((atan2, np.arctan2, tuple(values), 2.0) for values in TWO),
        *((hypot, np.hypot, tuple(values), 1.2) for values in TWO),
    ],
)
def test_functions_are_near_to_the_true_values(
    function: Callable[..., float], true: Callable[..., Any], values: tuple[Any, ...], most: float
) -> None:
    found = [function(*numbers) for numbers in zip(*(array.tolist() for array in values), strict=True)]
    assert ulps(found, true(*(array.astype(np.longdouble) for array in values))) <= most


def test_corners_are_as_those_of_the_c_library() -> None:
    for y in CORNERS:
        for x in CORNERS:
            np.testing.assert_allclose(hypot(y, x), math.hypot(y, x), rtol=3e-16)
            angle = atan2(y, x)
            np.testing.assert_allclose(angle, math.atan2(y, x), rtol=3e-16)
            assert math.isnan(angle) or math.copysign(1.0, angle) == math.copysign(1.0, math.atan2(y, x))
    assert [exp(x) for x in (0.0, math.inf, -math.inf, 710.0, -746.0)] == [1.0, math.inf, 0.0, math.inf, 0.0]
    assert [expm1(x) for x in (0.0, math.inf, -math.inf, 710.0, -41.0)] == [0.0, math.inf, -1.0, math.inf, -1.0]
    assert [log(x) for x in (0.0, -0.0, 1.0, math.inf)] == [-math.inf, -math.inf, 0.0, math.inf]
    assert all(math.isnan(log(x)) for x in (-1.0, -5e-324, -math.inf, math.nan))
    assert log(5e-324) == math.log(5e-324)
    assert math.isnan(exp(math.nan))
    assert math.isnan(expm1(math.nan))


def test_arrays_have_what_single_numbers_have() -> None:
    vectors = TWO[0].T
    assert angles_of(vectors).tolist() == [atan2(y, x) for x, y in vectors.tolist()]
    assert lengths_of(*TWO[0]).tolist() == [hypot(x, y) for x, y in vectors.tolist()]
    for of_all, of_one in ((exp_of, exp), (expm1_of, expm1), (log_of, log)):
        values = np.abs(vectors) if of_one is log else vectors
        assert of_all(values).tolist() == [[of_one(x), of_one(y)] for x, y in values.tolist()]
    cosines, sines = cos_sin_of(vectors)
    assert cosines.shape == sines.shape == vectors.shape


def test_errors_against_decimals_are_below_the_bounds_that_are_promised() -> None:
    """To 40 digits, at numbers that are hard: just beside 1, beside powers of two, and the ends of the range."""
    near_one = [1.0 + sign * 2.0**-k for k in range(2, 53) for sign in (-1.0, 1.0)]
    with localcontext(prec=40):
        for x in (*near_one, *(math.nextafter(2.0**k, 0.0) for k in range(-1000, 1000, 37)), 5e-324, 1.7e308):
            true = Decimal(x).ln()
            assert abs(Decimal(log(x)) - true) <= Decimal(math.ulp(float(true))), x
        for x in (*(0.34 * k - 700.0 for k in range(4100)), *(2.0**-k for k in range(60)), -0.3465735902799726):
            true = Decimal(x).exp()
            assert abs(Decimal(exp(x)) - true) <= Decimal(math.ulp(float(true))), x
            assert abs(Decimal(expm1(x)) - (true - 1)) <= 2 * Decimal(math.ulp(float(true - 1))), x
