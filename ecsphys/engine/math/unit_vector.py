"""Direction and length of a vector."""

from __future__ import annotations

import math

from ecsphys.engine.kernels.compilation import scalar

# Outside of this range squares lose bits to the smallest floats, vanish or overflow: the vector is scaled first, by a
# power of two, which rounds nothing.
SMALL_SQUARE = 1e-280
LARGE_SQUARE = 1e280
_SCALE = 2.0**600


@scalar
def unit_vector(x: float, y: float) -> tuple[float, float, float]:
    """(x / length, y / length, length); (0, 0, 0) for the zero vector."""
    squared = x * x + y * y
    if SMALL_SQUARE < squared < LARGE_SQUARE:
        length = math.sqrt(squared)
        return x / length, y / length, length
    if x == 0.0 and y == 0.0:
        return 0.0, 0.0, 0.0
    scale = _SCALE if squared < 1.0 else 1.0 / _SCALE
    x *= scale
    y *= scale
    length = math.sqrt(x * x + y * y)
    return x / length, y / length, length / scale
