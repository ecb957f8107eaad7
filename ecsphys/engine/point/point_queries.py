"""Which of the shapes whose boxes hold a point hold the point itself."""

from __future__ import annotations

from numpy import int64

from ecsphys.engine.kernels.array_types import Float64Rows, Int32Rows
from ecsphys.engine.kernels.compilation import kernel
from ecsphys.engine.point.containment import shape_contains
from ecsphys.engine.shapes.layout import ALONG_X, ALONG_Y, ShapeArrays


@kernel
def keep_containing(pairs: Int32Rows, placed: ShapeArrays, points: Float64Rows) -> int:
    """Keep those pairs (row of ``points``, placed shape) in which the shape contains the point; returns how many."""
    forms, positions, shapes, pool = placed
    kept = 0
    for k in range(pairs.shape[0]):
        r = pairs[k, 0]
        i = int(int64(pairs[k, 1]))
        x = points[r, ALONG_X] - positions[i, ALONG_X]
        y = points[r, ALONG_Y] - positions[i, ALONG_Y]
        if shape_contains(forms[i], shapes, i, pool, x, y):
            pairs[kept, 0] = r
            pairs[kept, 1] = i
            kept += 1
    return kept
