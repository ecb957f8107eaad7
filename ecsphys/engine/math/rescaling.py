"""By what placed shapes are scaled, so that formulas with squares and products serve for extreme sizes too.

Points in a shape, projections on it and rays against it are computed in plain float64: products of two of the shape's
own lengths, and of one with the distance of a point. With the size e of the shape and the distance p of the point, all
of these stay in float64's range where max(e, 1e-158 · p) is between 1e-140 and 1e70; elsewhere both are scaled by a
power of two, which rounds nothing, until that is about 1. (The square of p may overflow: it is only compared with the
shape's.)
"""

from __future__ import annotations

from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.manifold.convex import power_of_two_scale

_SMALLEST, _LARGEST = 1e-140, 1e70
_WEIGHT_OF_DISTANCE = 1e-158


@scalar
def safe_scale(extent: float, x: float, y: float) -> tuple[float, float]:
    """(scale, 1 / scale) for a shape of that extent and a point relative to its centre: 1 for all but extreme ones."""
    size = extent + _WEIGHT_OF_DISTANCE * (abs(x) + abs(y))
    if _SMALLEST < size < _LARGEST:
        return 1.0, 1.0
    scale = power_of_two_scale(size)
    return scale, 1.0 / scale
