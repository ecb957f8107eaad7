"""Measures of placed shapes: the bounding box, area, centroid and moment of inertia in closed form, the thickness.

A *part* is (area, x, y, inertia), the inertia about the part's own centroid for unit density. Shapes are sums of discs,
sectors, rectangles and triangles; every term of a sum is positive, so nothing cancels, however thin or far out a
part is.
"""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.kernels import Float64Rows, Int32s, index, inlined_scalar, kernel, scalar
from ecsphys.engine.math.elementary import atan2, cosine_of, hypot, sine_of
from ecsphys.engine.shapes import layout
from ecsphys.engine.shapes.segment import SEGMENT_VERTICES


@scalar
def arc_contains(
    x: float, y: float, axis_x: float, axis_y: float, cos_half: float, sin_half: float, slop: float
) -> bool:
    """Whether a direction lies between the two edges of a fan, edges included, or would if it moved by ``slop``.

    Two cross products against the edges decide, not the cosine of the angle, which cannot tell a sliver's sides
    apart. Above π (cos of the half angle negative) the fan is all that its gap is not.
    """
    left_of_start = (axis_x * cos_half + axis_y * sin_half) * y - (axis_y * cos_half - axis_x * sin_half) * x
    right_of_end = x * (axis_y * cos_half + axis_x * sin_half) - y * (axis_x * cos_half - axis_y * sin_half)
    if cos_half < 0.0:
        return max(left_of_start, right_of_end) >= -slop
    return min(left_of_start, right_of_end, x * axis_x + y * axis_y) >= -slop


@inlined_scalar
def shape_box(form: int, shapes: NDArray[float64], i: int, pool: NDArray[float64]) -> tuple[float, float, float, float]:
    """Bounding box (min_x, min_y, max_x, max_y) of a placed shape, relative to its position."""
    if form == layout.CIRCLE:
        # Here: for a circle, to call a function would take longer than all else that placing does.
        r = shapes[i, layout.RADIUS]
        cx = shapes[i, layout.CX]
        cy = shapes[i, layout.CY]
        return cx - r, cy - r, cx + r, cy + r
    return _box_of_others(form, shapes, i, pool)


@scalar
def _box_of_others(
    form: int, shapes: NDArray[float64], i: int, pool: NDArray[float64]
) -> tuple[float, float, float, float]:
    """:func:`shape_box` of any shape but a circle."""
    cx = shapes[i, layout.CX]
    cy = shapes[i, layout.CY]
    c = shapes[i, layout.AXIS_X]
    s = shapes[i, layout.AXIS_Y]
    r = shapes[i, layout.RADIUS]
    if form <= layout.CAPSULE:
        half_x = abs(c) * shapes[i, layout.HALF_X] + abs(s) * shapes[i, layout.HALF_Y] + r
        half_y = abs(s) * shapes[i, layout.HALF_X] + abs(c) * shapes[i, layout.HALF_Y] + r
        return cx - half_x, cy - half_y, cx + half_x, cy + half_y
    if form == layout.POLYGON:
        min_x = math.inf
        min_y = math.inf
        max_x = -math.inf
        max_y = -math.inf
        start = int(shapes[i, layout.START])
        for k in range(start, start + int(shapes[i, layout.COUNT])):
            x = cx + c * pool[k, layout.POOL_X] - s * pool[k, layout.POOL_Y]
            y = cy + s * pool[k, layout.POOL_X] + c * pool[k, layout.POOL_Y]
            min_x = min(min_x, x)
            min_y = min(min_y, y)
            max_x = max(max_x, x)
            max_y = max(max_y, y)
        return min_x - r, min_y - r, max_x + r, max_y + r
    # A fan's extreme point along an axis is the arc's where the arc faces that way, else the apex or an arc end.
    cos_half = shapes[i, layout.COS_HALF]
    sin_half = shapes[i, layout.SIN_HALF]
    start_x = r * (c * cos_half + s * sin_half)
    start_y = r * (s * cos_half - c * sin_half)
    end_x = r * (c * cos_half - s * sin_half)
    end_y = r * (s * cos_half + c * sin_half)
    min_x = -r if arc_contains(-1.0, 0.0, c, s, cos_half, sin_half, 0.0) else min(0.0, start_x, end_x)
    min_y = -r if arc_contains(0.0, -1.0, c, s, cos_half, sin_half, 0.0) else min(0.0, start_y, end_y)
    max_x = r if arc_contains(1.0, 0.0, c, s, cos_half, sin_half, 0.0) else max(0.0, start_x, end_x)
    max_y = r if arc_contains(0.0, 1.0, c, s, cos_half, sin_half, 0.0) else max(0.0, start_y, end_y)
    return cx + min_x, cy + min_y, cx + max_x, cy + max_y


@kernel
def grow_boxes(boxes: Float64Rows, slots: Int32s, count: int, margin: float, grown: Float64Rows) -> None:
    """Write boxes (min_x, min_y, max_x, max_y) that are larger by the ``margin`` on all sides.

    The boxes belong to some ``slots`` (count,), or the first ``count`` if no slots are given.
    """
    has_slots = slots.shape[0] > 0
    for i in range(index(count)):
        slot = index(slots[i]) if has_slots else i
        grown[i, 0] = boxes[slot, 0] - margin
        grown[i, 1] = boxes[slot, 1] - margin
        grown[i, 2] = boxes[slot, 2] + margin
        grown[i, 3] = boxes[slot, 3] + margin


Part = tuple[float, float, float, float]


@scalar
def join_parts(a: Part, b: Part) -> Part:
    """Two parts as one: by the parallel axis theorem, I = Ia + Ib + |distance|²·Aa·Ab/(Aa + Ab)."""
    area = a[0] + b[0]
    if area == 0.0:
        return a
    share = b[0] / area
    x = b[1] - a[1]
    y = b[2] - a[2]
    return area, a[1] + share * x, a[2] + share * y, a[3] + b[3] + a[0] * share * (x * x + y * y)


@scalar
def disc(radius: float) -> Part:
    """A = π·r², I = A·r²/2."""
    area = math.pi * radius * radius
    return area, 0.0, 0.0, 0.5 * area * radius * radius


@scalar
def rectangle(x: float, y: float, half_x: float, half_y: float) -> Part:
    """A = 4·hx·hy, I = A·(hx² + hy²)/3, at any turn."""
    area = 4.0 * half_x * half_y
    return area, x, y, area * (half_x * half_x + half_y * half_y) / 3.0


@scalar
def sector(x: float, y: float, axis_x: float, axis_y: float, radius: float, half_angle: float) -> Part:
    """The circular sector with its apex at (x, y), of half angle α in (0, π] on either side of a unit axis.

    A = α·r²; the centroid is (2/3)·r·sinc α from the apex, sinc α = sin α/α; about the apex I = A·r²/2, so about
    the centroid I = A·r²·(1/2 − (4/9)·sinc² α), which never cancels: the bracket is 1/18 for a sliver.
    """
    if half_angle == 0.0:
        return 0.0, x, y, 0.0
    area = half_angle * radius * radius
    sinc = sine_of(half_angle) / half_angle
    along = 2.0 / 3.0 * radius * sinc
    inertia = area * radius * radius * (0.5 - 4.0 / 9.0 * sinc * sinc)
    return area, x + along * axis_x, y + along * axis_y, inertia


@scalar
def triangle(ax: float, ay: float, bx: float, by: float, cx: float, cy: float) -> Part:
    """A = (b − a) × (c − a)/2, I = A·(sum of the squared edges)/36."""
    abx, aby = bx - ax, by - ay
    acx, acy = cx - ax, cy - ay
    bcx, bcy = cx - bx, cy - by
    area = 0.5 * (abx * acy - aby * acx)
    edges = abx * abx + aby * aby + acx * acx + acy * acy + bcx * bcx + bcy * bcy
    return area, ax + (abx + acx) / 3.0, ay + (aby + acy) / 3.0, area * edges / 36.0


@scalar
def capsule(half_length: float, radius: float) -> Part:
    """A rectangle and a half disc at either end."""
    quarter_turn = 0.5 * math.pi
    middle = rectangle(0.0, 0.0, half_length, radius)
    left = sector(-half_length, 0.0, -1.0, 0.0, radius, quarter_turn)
    right = sector(half_length, 0.0, 1.0, 0.0, radius, quarter_turn)
    _, _, _, inertia = join_parts(middle, join_parts(left, right))
    return middle[0] + left[0] + right[0], 0.0, 0.0, inertia  # centred by symmetry, not but for rounding


@scalar
def polygon(radius: float, start: int, count: int, pool: NDArray[float64]) -> Part:
    """Triangles from the first vertex; with rounding also a rectangle along each edge and a sector at each vertex.

    A segment of a chain has no mass, however thick.
    """
    if count == SEGMENT_VERTICES:
        return 0.0, 0.0, 0.0, 0.0
    first_x, first_y = pool[start, layout.POOL_X], pool[start, layout.POOL_Y]
    total = (0.0, 0.0, 0.0, 0.0)
    for k in range(count):
        ax, ay, bx, by = layout.edge_of(pool, start, count, k, 1.0)
        if 0 < k < count - 1:
            total = join_parts(total, triangle(first_x, first_y, ax, ay, bx, by))
        if radius > 0.0:
            a, b = start + k, start + (k + 1) % count
            nx, ny = pool[a, layout.POOL_NORMAL_X], pool[a, layout.POOL_NORMAL_Y]
            next_x, next_y = pool[b, layout.POOL_NORMAL_X], pool[b, layout.POOL_NORMAL_Y]
            half = 0.5 * radius
            middle_x, middle_y = 0.5 * (ax + bx) + half * nx, 0.5 * (ay + by) + half * ny
            total = join_parts(total, rectangle(middle_x, middle_y, 0.5 * hypot(bx - ax, by - ay), half))
            # The sector at b spans from this edge's normal to the next one's.
            turn = atan2(nx * next_y - ny * next_x, nx * next_x + ny * next_y)
            c, s = cosine_of(0.5 * turn), sine_of(0.5 * turn)
            total = join_parts(total, sector(bx, by, c * nx - s * ny, s * nx + c * ny, radius, 0.5 * turn))
    return total


@scalar
def shape_mass(form: int, shapes: NDArray[float64], i: int, pool: NDArray[float64]) -> Part:
    """(area, centroid_x, centroid_y, inertia about the centroid) of placed shape i; relative to its position."""
    radius = shapes[i, layout.RADIUS]
    if form == layout.CIRCLE:
        area, x, y, inertia = disc(radius)
    elif form == layout.BOX:
        area, x, y, inertia = rectangle(0.0, 0.0, shapes[i, layout.HALF_X], shapes[i, layout.HALF_Y])
    elif form == layout.CAPSULE:
        area, x, y, inertia = capsule(shapes[i, layout.HALF_X], radius)
    elif form == layout.POLYGON:
        area, x, y, inertia = polygon(radius, int(shapes[i, layout.START]), int(shapes[i, layout.COUNT]), pool)
    else:
        half_angle = atan2(shapes[i, layout.SIN_HALF], shapes[i, layout.COS_HALF])
        area, x, y, inertia = sector(0.0, 0.0, 1.0, 0.0, radius, half_angle)
    c = shapes[i, layout.AXIS_X]
    s = shapes[i, layout.AXIS_Y]
    return area, shapes[i, layout.CX] + c * x - s * y, shapes[i, layout.CY] + s * x + c * y, inertia


@scalar
def inner_radius(form: int, shapes: NDArray[float64], i: int, pool: NDArray[float64]) -> float:
    """The radius of a disc that placed shape i contains: of most shapes the largest.

    A polygon's disc has its center at the mean of the vertices. A fan of half angle α contains the disc that touches
    its arc and both edges, of radius r·sin α / (1 + sin α), or half of r where the fan is wide. A segment of a chain
    has its rounding only.
    """
    radius = float(shapes[i, layout.RADIUS])
    if form <= layout.CAPSULE:
        return radius + float(min(shapes[i, layout.HALF_X], shapes[i, layout.HALF_Y]))
    if form == layout.POLYGON:
        start = int(shapes[i, layout.START])
        count = int(shapes[i, layout.COUNT])
        x = 0.0
        y = 0.0
        for k in range(start, start + count):
            x += pool[k, layout.POOL_X]
            y += pool[k, layout.POOL_Y]
        x /= count
        y /= count
        inside = math.inf
        for k in range(start, start + count):
            depth = (pool[k, layout.POOL_X] - x) * pool[k, layout.POOL_NORMAL_X] + (pool[k, layout.POOL_Y] - y) * pool[
                k, layout.POOL_NORMAL_Y
            ]
            inside = min(inside, depth)
        return radius + max(inside, 0.0)
    sine = float(shapes[i, layout.SIN_HALF])
    return 0.5 * radius if shapes[i, layout.COS_HALF] < 0.0 else radius * sine / (1.0 + sine)
