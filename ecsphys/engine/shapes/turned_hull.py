"""A convex hull moved and turned: cheaper than building it again from its shape."""

from __future__ import annotations

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.contact.convex import (
    ARC_AXIS_X,
    ARC_AXIS_Y,
    ARC_COS,
    ARC_RADIUS,
    ARC_SIN,
    ARC_X,
    ARC_Y,
    EDGE_COUNT,
    MIDDLE_X,
    MIDDLE_Y,
    NORMAL_X,
    NORMAL_Y,
    ROUNDING,
    VERTEX_COUNT,
    X,
    Y,
)
from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.math.cos_sin import cos_sin


@scalar
def turn_hull(
    hull: NDArray[float64], turned: NDArray[float64], angle: float, from_x: float, from_y: float, x: float, y: float
) -> None:
    """Write a hull, moved by (from_x, from_y), then turned about the origin, then moved by (x, y)."""
    c, s = 1.0, 0.0
    if angle != 0.0:
        c, s = cos_sin(angle)
    for k in range(int(hull[VERTEX_COUNT])):
        rx = hull[X + k] + from_x
        ry = hull[Y + k] + from_y
        turned[X + k] = x + (c * rx - s * ry)
        turned[Y + k] = y + (s * rx + c * ry)
    # A hull has fewer edges than vertices if it is a lone point or has an arc: their normals were never written.
    for k in range(int(hull[EDGE_COUNT])):
        nx = hull[NORMAL_X + k]
        ny = hull[NORMAL_Y + k]
        turned[NORMAL_X + k] = c * nx - s * ny
        turned[NORMAL_Y + k] = s * nx + c * ny
    rx = hull[MIDDLE_X] + from_x
    ry = hull[MIDDLE_Y] + from_y
    turned[MIDDLE_X] = x + (c * rx - s * ry)
    turned[MIDDLE_Y] = y + (s * rx + c * ry)
    turned[VERTEX_COUNT] = hull[VERTEX_COUNT]
    turned[EDGE_COUNT] = hull[EDGE_COUNT]
    turned[ROUNDING] = hull[ROUNDING]
    turned[ARC_RADIUS] = hull[ARC_RADIUS]
    if hull[ARC_RADIUS] > 0.0:
        rx = hull[ARC_X] + from_x
        ry = hull[ARC_Y] + from_y
        turned[ARC_X] = x + (c * rx - s * ry)
        turned[ARC_Y] = y + (s * rx + c * ry)
        turned[ARC_AXIS_X] = c * hull[ARC_AXIS_X] - s * hull[ARC_AXIS_Y]
        turned[ARC_AXIS_Y] = s * hull[ARC_AXIS_X] + c * hull[ARC_AXIS_Y]
        turned[ARC_COS] = hull[ARC_COS]
        turned[ARC_SIN] = hull[ARC_SIN]
