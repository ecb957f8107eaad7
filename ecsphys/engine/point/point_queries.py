"""Which of the shapes whose boxes hold a point hold the point itself."""

from __future__ import annotations

from numpy import float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.engine.kernels.compilation import kernel
from ecsphys.engine.point.containment import shape_contains


@kernel("i8(i4[:,::1], u1[::1], f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1])")
def keep_containing(
    pairs: NDArray[int32],
    forms: NDArray[uint8],
    positions: NDArray[float64],
    shapes: NDArray[float64],
    pool: NDArray[float64],
    points: NDArray[float64],
) -> int:
    """Keep those pairs (row of ``points``, placed shape) in which the shape contains the point; returns how many."""
    kept = 0
    for k in range(pairs.shape[0]):
        r = pairs[k, 0]
        i = int(int64(pairs[k, 1]))
        x = points[r, 0] - positions[i, 0]
        y = points[r, 1] - positions[i, 1]
        if shape_contains(forms[i], shapes, i, pool, x, y):
            pairs[kept, 0] = r
            pairs[kept, 1] = i
            kept += 1
    return kept
