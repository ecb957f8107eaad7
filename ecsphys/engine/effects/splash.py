"""Random numbers for splashes: uniform (A6) and normal by Box–Muller (A7).

The numbers are reals. An integer modulo a range, as the originals have it, can take only as many values as the range
is long, so thousands of drops lie on a few lines, and the lowest values come more often than the rest.
"""

from __future__ import annotations

import math
import operator
import sys

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.math.elementwise import cos_sin_of, log_of
from ecsphys.engine.math.real_arrays import real_array

Reals = float | NDArray[float64]

_SHAPE = "(count,), or one number"

# The most numbers that an array can have.
_MOST = sys.maxsize // 16


def uniform_splash(rng: np.random.Generator, low: Reals, high: Reals, count: int) -> NDArray[float64]:
    """``count`` uniform reals in [low, high], (count,); bounds are numbers or arrays (count,). Row A6.

    ValueError where low > high, for a negative count or another shape; TypeError for what is no real number, no whole
    count, no generator.
    """
    count = _checked_count(rng, count)
    low, high = _bounds("low", low, count), _bounds("high", high, count)
    if np.any(low > high):
        raise ValueError(f"a uniform splash needs low <= high, got {low!r} and {high!r}")
    u = rng.random(count)
    # The weighted sum cannot overflow, as high − low could; it may round past a bound.
    values: NDArray[float64] = np.clip(low * (1.0 - u) + high * u, low, high)
    return values


def normal_splash(rng: np.random.Generator, mean: Reals, sigma: Reals, count: int) -> NDArray[float64]:
    """``count`` normally distributed reals, (count,), by Box–Muller; mean and σ are numbers or arrays (count,). Row A7.

    Two uniform numbers make two independent normal ones, √(−2 ln a)·cos 2πb and √(−2 ln a)·sin 2πb. The generator
    gives numbers in [0, 1), so a = 1 − u is in (0, 1] and its logarithm finite: at most 8.6 σ from the mean.
    ValueError for σ < 0, for a negative count or another shape; TypeError for what is no real number, no whole count,
    no generator.
    """
    count = _checked_count(rng, count)
    mean, sigma = _bounds("mean", mean, count), _bounds("sigma", sigma, count)
    if np.any(sigma < 0.0):
        raise ValueError(f"a normal splash needs sigma >= 0, got {sigma!r}")
    pairs = (count + 1) // 2
    radius = np.sqrt(-2.0 * log_of(1.0 - rng.random(pairs)))
    cosines, sines = cos_sin_of(math.tau * rng.random(pairs))
    values: NDArray[float64] = mean + sigma * np.concatenate((radius * cosines, radius * sines))[:count]
    return values


def _checked_count(rng: np.random.Generator, count: int) -> int:
    if not callable(getattr(rng, "random", None)):
        raise TypeError(f"rng must be a numpy.random.Generator, got {type(rng).__name__}")
    try:
        number = operator.index(count)
    except TypeError:
        raise TypeError(f"count must be a whole number, got {count!r}") from None
    if not 0 <= number <= _MOST:
        raise ValueError(f"count must be between 0 and {_MOST}, got {count!r}")
    return number


def _bounds(name: str, values: Reals, count: int) -> Reals:
    """A number, or one for each draw."""
    array = real_array(name, values, _SHAPE)
    if array.ndim and array.shape != (count,):
        raise ValueError(f"{name} must be a number or of shape ({count},), got the shape {array.shape}")
    return array
