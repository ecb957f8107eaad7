"""Flight of particles under gravity and drag, in closed form: as exact in one long step as in many short ones.

v′ = a − k·v has the solution, with z = k·t,

    v = v₀·e^(−z) + a·t·φ₁(z)            φ₁(z) = (1 − e^(−z))/z      → 1 for z → 0
    x = x₀ + v₀·t·φ₁(z) + a·t²·φ₂(z)     φ₂(z) = (1 − φ₁(z))/z       → ½ for z → 0

which without drag is x₀ + v₀·t + ½·a·t² (A5).
"""

from __future__ import annotations

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.math.elementwise import exp_of, expm1_of

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
