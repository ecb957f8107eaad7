"""Rays against placed shapes: the first point where a ray enters, and the outward normal there."""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import exponent_of, power_of_two
from ecsphys.engine.geometry.line_crossing import (
    NOWHERE,
    Crossing,
    Line,
    cross_box,
    cross_capsule,
    cross_disc,
    cross_fan,
    cross_polygon,
    cross_wide_fan,
)
from ecsphys.engine.geometry.projection import shape_contains
from ecsphys.engine.kernels.array_types import Float64Rows, Float64s
from ecsphys.engine.kernels.compilation import inlined_scalar, kernel, scalar
from ecsphys.engine.math.exact import cross, two_sum
from ecsphys.engine.math.rounding import safe_scale
from ecsphys.engine.shapes import layout
from ecsphys.engine.shapes.layout import ShapeArrays
from ecsphys.engine.shapes.segment import blocking_side, is_segment

# Between these a power of two is read off a number's bits.
_NORMAL_MIN, _NORMAL_MAX = 1e-300, 1e300


@inlined_scalar
def cross_shape(
    form: int, shapes: NDArray[float64], i: int, pool: NDArray[float64], line: Line, scale: float
) -> tuple[Crossing, Crossing]:
    """The crossings of a line with placed shape i, scaled, in its own frame: the second one only in a wide fan."""
    radius = scale * shapes[i, layout.RADIUS]
    if form == layout.CIRCLE:
        return cross_disc(line, 0.0, 0.0, radius), NOWHERE
    if form == layout.BOX:
        return cross_box(line, scale * shapes[i, layout.HALF_X], scale * shapes[i, layout.HALF_Y]), NOWHERE
    if form == layout.CAPSULE:
        return cross_capsule(line, scale * shapes[i, layout.HALF_X], radius), NOWHERE
    if form == layout.POLYGON:
        return cross_polygon(
            line, radius, int(shapes[i, layout.START]), int(shapes[i, layout.COUNT]), pool, scale
        ), NOWHERE
    if form == layout.FAN:
        return cross_fan(line, radius, shapes[i, layout.COS_HALF], shapes[i, layout.SIN_HALF]), NOWHERE
    return cross_wide_fan(line, radius, shapes[i, layout.COS_HALF], shapes[i, layout.SIN_HALF])


@scalar
def entered_after(crossing: Crossing, t: float) -> bool:
    """Whether a line enters at t or later, for a point at t that is not inside.

    Such a point is before the crossing or behind it; should rounding put one on the boundary between the two ends,
    the nearer end is the one it is on.
    """
    return crossing[0] < crossing[1] and 0.5 * crossing[0] + 0.5 * crossing[1] > t


@scalar
def scaled_direction(x: float, y: float) -> tuple[float, float, float]:
    """A direction scaled by a power of two, which is exact, so that squares do not overflow; and its length then."""
    largest = max(abs(x), abs(y))
    if _NORMAL_MIN < largest < _NORMAL_MAX:
        scale = power_of_two(-1 - exponent_of(largest))
        dx = x * scale
        dy = y * scale
    else:
        _, exponent = math.frexp(largest)
        dx = math.ldexp(x, -exponent)
        dy = math.ldexp(y, -exponent)
    # Along a coordinate axis it is exactly a unit vector, and a tangent exactly one.
    if dx == 0.0:
        dy = math.copysign(1.0, dy)
    elif dy == 0.0:
        dx = math.copysign(1.0, dx)
    return dx, dy, math.sqrt(dx * dx + dy * dy)


@inlined_scalar
def raycast_shape(
    placed: ShapeArrays,
    i: int,
    origin_x: float,
    origin_y: float,
    dx: float,
    dy: float,
    length: float,
    may_start_inside: bool,
    max_distance: float,
) -> tuple[float, float, float, float, float]:
    """(distance, x, y, normal_x, normal_y) of the first hit of a ray with placed shape i; no hit: infinite distance.

    The point is relative to the shape's position; (dx, dy) and its ``length`` are what :func:`scaled_direction` makes.
    A ray that starts inside hits at distance 0 with normal (0, 0); ``may_start_inside`` False if it is known not to.
    """
    forms, positions, shapes, pool = placed
    form = forms[i]
    # The start relative to the shape's centre, as a float and its tail, which is exact: so the moment is accurate for a
    # ray from anywhere.
    x, x_tail = two_sum(origin_x, -positions[i, layout.ALONG_X])
    y, y_tail = two_sum(origin_y, -positions[i, layout.ALONG_Y])
    if may_start_inside and shape_contains(form, shapes, i, pool, x, y):
        return 0.0, x, y, 0.0, 0.0
    x, more = two_sum(x, -shapes[i, layout.CX])
    x_tail += more
    y, more = two_sum(y, -shapes[i, layout.CY])
    y_tail += more
    scale, unscale = safe_scale(shapes[i, layout.EXTENT], x, y)
    x *= scale
    y *= scale
    x_tail *= scale
    y_tail *= scale
    moment = cross(x, y, dx, dy) + (x_tail * dy - y_tail * dx)
    start = (x * dx + y * dy) / length

    c = shapes[i, layout.AXIS_X]
    s = shapes[i, layout.AXIS_Y]
    turned_x = dx * c + dy * s
    turned_y = dy * c - dx * s
    crossing, second = cross_shape(form, shapes, i, pool, (turned_x, turned_y, moment, length), scale)
    if not entered_after(crossing, start):
        crossing = second
        if not entered_after(crossing, start):
            return math.inf, 0.0, 0.0, 0.0, 0.0
    t, _, normal_x, normal_y = crossing
    if is_segment(form, shapes, i):
        front = blocking_side(shapes, i, pool)
        start_row = int(shapes[i, layout.START])
        if (
            front
            * (normal_x * pool[start_row, layout.POOL_NORMAL_X] + normal_y * pool[start_row, layout.POOL_NORMAL_Y])
            < 0.0
        ):
            return math.inf, 0.0, 0.0, 0.0, 0.0
    distance = max(t - start, 0.0) * unscale + 0.0  # −0 becomes 0
    if distance > max_distance:
        return math.inf, 0.0, 0.0, 0.0, 0.0
    # foot + t·u, which lies in the same place in either frame
    hit_x = (moment / length * dy + t * dx) / length
    hit_y = (-moment / length * dx + t * dy) / length
    return (
        distance,
        shapes[i, layout.CX] + hit_x * unscale,
        shapes[i, layout.CY] + hit_y * unscale,
        c * normal_x - s * normal_y + 0.0,
        s * normal_x + c * normal_y + 0.0,
    )


@kernel
def raycast_shapes(
    placed: ShapeArrays,
    origins: Float64Rows,
    directions: Float64Rows,
    max_distances: Float64s,
    distances: Float64s,
    points: Float64Rows,
    normals: Float64Rows,
) -> None:
    """Cast each ray (origins and directions (n, 2)) at the placed shape of its row. Fills the last three arrays.

    A miss has an infinite distance, and NaN for point and normal.
    """
    positions = placed.positions
    for i in range(origins.shape[0]):
        dx, dy, length = scaled_direction(directions[i, layout.ALONG_X], directions[i, layout.ALONG_Y])
        distance, x, y, normal_x, normal_y = raycast_shape(
            placed, i, origins[i, layout.ALONG_X], origins[i, layout.ALONG_Y], dx, dy, length, True, max_distances[i]
        )
        distances[i] = distance
        hit = distance < math.inf
        points[i, layout.ALONG_X] = positions[i, layout.ALONG_X] + x if hit else math.nan
        points[i, layout.ALONG_Y] = positions[i, layout.ALONG_Y] + y if hit else math.nan
        normals[i, layout.ALONG_X] = normal_x if hit else math.nan
        normals[i, layout.ALONG_Y] = normal_y if hit else math.nan
