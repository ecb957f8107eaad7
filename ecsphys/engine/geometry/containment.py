"""Whether a point is inside a placed shape: strictly, a boundary point is outside."""

from __future__ import annotations

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.geometry.predicates import closer_to_segment, within_spread
from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.math.rescaling import safe_scale
from ecsphys.engine.shapes import layout


@scalar
def to_shape_frame(shapes: NDArray[float64], i: int, px: float, py: float) -> tuple[float, float]:
    """A point relative to the shape's position, in the shape's own frame: about its centre, turned by its axis."""
    x = px - shapes[i, layout.CX]
    y = py - shapes[i, layout.CY]
    c = shapes[i, layout.AXIS_X]
    s = shapes[i, layout.AXIS_Y]
    return x * c + y * s, y * c - x * s


@scalar
def in_polygon_core(x: float, y: float, start: int, count: int, pool: NDArray[float64], scale: float) -> bool:
    """Strictly on the left of every edge of a counter-clockwise polygon, whose vertices are scaled.

    By the edges' vectors, not their unit normals: a point on the edge gives exactly 0 wherever its coordinates do.
    """
    for k in range(count):
        a = start + k
        b = start + (k + 1) % count
        ax = scale * pool[a, layout.POOL_X]
        ay = scale * pool[a, layout.POOL_Y]
        edge_x = scale * pool[b, layout.POOL_X] - ax
        edge_y = scale * pool[b, layout.POOL_Y] - ay
        if edge_x * (y - ay) - edge_y * (x - ax) <= 0.0:
            return False
    return True


@scalar
def polygon_contains(
    x: float, y: float, radius: float, start: int, count: int, pool: NDArray[float64], scale: float
) -> bool:
    """C6 with a rounded polygon and a point: inside the core, or any edge nearer than the rounding."""
    if in_polygon_core(x, y, start, count, pool, scale):
        return True
    if radius > 0.0:
        for k in range(count):
            a = start + k
            b = start + (k + 1) % count
            ax, ay = scale * pool[a, layout.POOL_X], scale * pool[a, layout.POOL_Y]
            bx, by = scale * pool[b, layout.POOL_X], scale * pool[b, layout.POOL_Y]
            if closer_to_segment(x, y, ax, ay, bx, by, radius, 0.0):
                return True
    return False


@scalar
def frame_contains(
    form: int, shapes: NDArray[float64], i: int, pool: NDArray[float64], x: float, y: float, scale: float
) -> bool:
    """Whether placed shape i, scaled, contains a point of its own frame."""
    radius = scale * shapes[i, layout.RADIUS]
    if form == layout.CIRCLE:
        return bool(x * x + y * y < radius * radius)
    if form == layout.BOX:
        return bool(abs(x) < scale * shapes[i, layout.HALF_X] and abs(y) < scale * shapes[i, layout.HALF_Y])
    if form == layout.CAPSULE:
        beyond = max(abs(x) - scale * shapes[i, layout.HALF_X], 0.0)
        return bool(beyond * beyond + y * y < radius * radius)
    if form == layout.POLYGON:
        return polygon_contains(x, y, radius, int(shapes[i, layout.START]), int(shapes[i, layout.COUNT]), pool, scale)
    between = within_spread(x, y, shapes[i, layout.COS_HALF], shapes[i, layout.SIN_HALF]) > 0.0
    return between and x * x + y * y < radius * radius


@scalar
def shape_contains(form: int, shapes: NDArray[float64], i: int, pool: NDArray[float64], px: float, py: float) -> bool:
    """Whether placed shape i contains a point given relative to its position."""
    x, y = to_shape_frame(shapes, i, px, py)
    scale, _ = safe_scale(shapes[i, layout.EXTENT], x, y)
    return frame_contains(form, shapes, i, pool, scale * x, scale * y, scale)
