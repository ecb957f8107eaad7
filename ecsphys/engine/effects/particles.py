"""Particles: their memory, their flight, and their random starts.

Flight of particles under gravity and drag, in closed form: as exact in one long step as in many short ones.

v′ = a − k·v has the solution, with z = k·t,

    v = v₀·e^(−z) + a·t·φ₁(z)            φ₁(z) = (1 − e^(−z))/z      → 1 for z → 0
    x = x₀ + v₀·t·φ₁(z) + a·t²·φ₂(z)     φ₂(z) = (1 − φ₁(z))/z       → ½ for z → 0

which without drag is x₀ + v₀·t + ½·a·t² (A5).

Random numbers for splashes: uniform (A6) and normal by Box–Muller (A7).

The numbers are reals. An integer modulo a range, as the originals have it, can take only as many values as the range
is long, so thousands of drops lie on a few lines, and the lowest values come more often than the rest.
"""

from __future__ import annotations

import math
import operator
import sys
from typing import Any

import numpy as np
from numpy import bool_, float64, int64
from numpy.typing import NDArray

from ecsphys.engine.kernels import Capacity
from ecsphys.engine.math.elementwise import cos_sin_of, exp_of, expm1_of, log_of, real_array

Points = NDArray[float64]

# Below it φ₂ = (1 − φ₁)/z would lose more than two digits; six terms of the series are exact to the last one there.
_SERIES_BELOW = 0.01


def decay_weights(z: NDArray[float64]) -> tuple[NDArray[float64], NDArray[float64]]:
    """φ₁(z) and φ₂(z) for z >= 0, in the shape of z."""
    small = z < _SERIES_BELOW
    divisor = np.where(small, 1.0, z)
    first = np.where(
        small,
        1.0 - z / 2 * (1.0 - z / 3 * (1.0 - z / 4 * (1.0 - z / 5 * (1.0 - z / 6)))),
        -expm1_of(-divisor) / divisor,
    )
    second = np.where(
        small,
        0.5 - z / 6 * (1.0 - z / 4 * (1.0 - z / 5 * (1.0 - z / 6 * (1.0 - z / 7)))),
        (1.0 - first) / divisor,
    )
    return first, second


def fly(
    position: Points,
    velocity: Points,
    acceleration: Points,
    drag: NDArray[float64],
    seconds: float | NDArray[float64],
) -> None:
    """Move particles in place: ``position``, ``velocity``, ``acceleration`` (n, 2), ``drag`` (n,) in 1/s, >= 0.

    ``seconds`` is one number or (n,).
    """
    time = np.broadcast_to(np.asarray(seconds, float64), drag.shape)[:, None]
    if not drag.any():
        position += time * (velocity + 0.5 * time * acceleration)
        velocity += time * acceleration
        return
    z = drag[:, None] * time
    first, second = decay_weights(z)
    position += time * (first * velocity + time * second * acceleration)
    velocity *= exp_of(-z)
    velocity += time * first * acceleration


_FIRST_CAPACITY = 256


class ParticlePool:
    """``len(pool)`` particles in parallel arrays, the oldest first.

    The arrays are views of blocks with room for more, valid until particles are added or removed: ``position`` and
    ``velocity`` (n, 2), ``age``, ``lifetime``, ``gravity_scale`` and ``drag`` (n,), all float64, and ``style`` (n,)
    int64.
    """

    __slots__ = ("_blocks", "_capacity", "_count")

    def __init__(self) -> None:
        self._count = 0
        self._capacity = Capacity()
        pairs = [np.empty((_FIRST_CAPACITY, 2), float64) for _ in range(2)]
        singles = [np.empty(_FIRST_CAPACITY, float64) for _ in range(4)]
        self._blocks: list[NDArray[Any]] = [*pairs, *singles, np.empty(_FIRST_CAPACITY, int64)]

    def __len__(self) -> int:
        return self._count

    @property
    def position(self) -> NDArray[float64]:
        return self._blocks[0][: self._count]

    @property
    def velocity(self) -> NDArray[float64]:
        return self._blocks[1][: self._count]

    @property
    def age(self) -> NDArray[float64]:
        return self._blocks[2][: self._count]

    @property
    def lifetime(self) -> NDArray[float64]:
        return self._blocks[3][: self._count]

    @property
    def gravity_scale(self) -> NDArray[float64]:
        return self._blocks[4][: self._count]

    @property
    def drag(self) -> NDArray[float64]:
        return self._blocks[5][: self._count]

    @property
    def style(self) -> NDArray[int64]:
        return self._blocks[6][: self._count]

    def add(self, count: int, *values: NDArray[Any] | float) -> None:
        """Append ``count`` particles; ``values`` in the order of the arrays above, each of its shape or one for all."""
        first, total = self._count, self._count + count
        self._make_room(total)
        for block, value in zip(self._blocks, values, strict=True):
            block[first:total] = value
        self._count = total

    def keep(self, chosen: NDArray[bool_]) -> None:
        """Remove all particles but the ``chosen`` (n,), which keep their order."""
        self._make_room(self._count)
        if chosen.all():
            return
        survivors = np.flatnonzero(chosen)
        for block in self._blocks:
            # take makes a copy first, so source and target may overlap.
            block[: survivors.size] = block.take(survivors, axis=0)
        self._count = survivors.size

    def _make_room(self, total: int) -> None:
        """Have room for as many, but not far more for long."""
        held = len(self._blocks[0])
        capacity = self._capacity.choose(total, held)
        if capacity != held:
            self._blocks = [_resized(block, self._count, capacity) for block in self._blocks]


def _resized(block: NDArray[Any], used: int, capacity: int) -> NDArray[Any]:
    resized = np.empty((capacity, *block.shape[1:]), block.dtype)
    resized[:used] = block[:used]
    return resized


Reals = float | NDArray[float64]

_SHAPE = "(count,), or one number"

# The most numbers that an array can have.
_MOST = sys.maxsize // 16


def uniform_splash(rng: np.random.Generator, low: Reals, high: Reals, count: int) -> NDArray[float64]:
    """``count`` uniform reals in [low, high], (count,); bounds are numbers or arrays (count,). Row A6.

    ValueError where low > high, for a negative count or another shape; TypeError unless all are
    real numbers, a whole count, a generator.
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
    ValueError for σ < 0, for a negative count or another shape; TypeError unless all are real numbers, a
    whole count, a generator.
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
