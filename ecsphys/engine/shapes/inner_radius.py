"""How thick placed shapes are: the radius of a disc inside each."""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.shapes.layout import (
    BOX,
    CAPSULE,
    CIRCLE,
    COS_HALF,
    COUNT,
    HALF_X,
    HALF_Y,
    POLYGON,
    POOL_NORMAL_X,
    POOL_NORMAL_Y,
    POOL_X,
    POOL_Y,
    RADIUS,
    SIN_HALF,
    START,
)


@scalar
def inner_radius(form: int, shapes: NDArray[float64], i: int, pool: NDArray[float64]) -> float:
    """The radius of a disc that placed shape i contains: of most shapes the largest.

    A polygon's disc has its center at the mean of the vertices. A fan of half angle α contains the disc that touches
    its arc and both edges, of radius r·sin α / (1 + sin α), or half of r where the fan is wide. A segment of a chain
    has its rounding only.
    """
    radius = float(shapes[i, RADIUS])
    if form in (CIRCLE, CAPSULE):
        return radius
    if form == BOX:
        return float(min(shapes[i, HALF_X], shapes[i, HALF_Y]))
    if form == POLYGON:
        start = int(shapes[i, START])
        count = int(shapes[i, COUNT])
        x = 0.0
        y = 0.0
        for k in range(start, start + count):
            x += pool[k, POOL_X]
            y += pool[k, POOL_Y]
        x /= count
        y /= count
        inside = math.inf
        for k in range(start, start + count):
            depth = (pool[k, POOL_X] - x) * pool[k, POOL_NORMAL_X] + (pool[k, POOL_Y] - y) * pool[k, POOL_NORMAL_Y]
            inside = min(inside, depth)
        return radius + max(inside, 0.0)
    sine = float(shapes[i, SIN_HALF])
    return 0.5 * radius if shapes[i, COS_HALF] < 0.0 else radius * sine / (1.0 + sine)
