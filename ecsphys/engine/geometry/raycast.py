"""Rays against placed shapes: the first point where a ray enters, and the outward normal there.

A *line* is (d_x, d_y, moment, length) in the shape's own frame: a direction, its length, and the *moment* q × d, the
same for each of the line's points q. The point nearest to the shape's centre, the foot, is m·(u_y, −u_x) for the unit
direction u = d/|d| and m = moment/|d|; positions along the line are distances t from the foot. A ray that starts far
away is thus crossed near the shape, with numbers of the shape's size, and loses nothing to the distance. And the side
of the line on which a vertex v is, v × d − moment, is exact where the coordinates are: d is not normalised for it.

A *crossing* is (t_in, t_out, normal_x, normal_y): the part of the line inside a shape and the outward unit normal where
it enters; t_in ≥ t_out where it misses or only touches. At a corner it is the normal of one of the edges.
"""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import exponent_of, power_of_two
from ecsphys.engine.geometry.projection import shape_contains
from ecsphys.engine.kernels import inlined_scalar, kernel, scalar
from ecsphys.engine.math.rounding import cross, safe_scale, two_sum
from ecsphys.engine.shapes import layout
from ecsphys.engine.shapes.layout import POOL_NORMAL_X, POOL_NORMAL_Y, ShapeArrays
from ecsphys.engine.shapes.segment import SEGMENT_VERTICES, blocking_side, is_segment

Line = tuple[float, float, float, float]
Crossing = tuple[float, float, float, float]

NOWHERE = (math.inf, -math.inf, 0.0, 0.0)

# How long a line is inside a shape without thickness: relative to where, and at least. It has to be more than nothing.
_THIN, _THINNEST = 2.0**-51, 1e-300


@scalar
def join(a: Crossing, b: Crossing) -> Crossing:
    """The crossing of two parts of one convex shape together: from the first entry to the last exit."""
    if a[0] <= b[0]:
        return a[0], max(a[1], b[1]), a[2], a[3]
    return b[0], max(a[1], b[1]), b[2], b[3]


@scalar
def cross_disc(line: Line, x: float, y: float, radius: float) -> Crossing:
    """C14 for a line: a = 1, and from the point nearest to the circle's centre b = 0, c = m² − r²: t = ∓√(r² − m²)."""
    dx, dy, moment, length = line
    own_moment = moment - cross(x, y, dx, dy)
    if abs(own_moment) >= radius * length:
        return NOWHERE
    ux = dx / length
    uy = dy / length
    m = own_moment / length
    half = math.sqrt((radius - m) * (radius + m))
    along = x * ux + y * uy
    return along - half, along + half, (m * uy - half * ux) / radius, (-m * ux - half * uy) / radius


@scalar
def clip_to_slab(
    position: float, direction: float, low: float, high: float, t_near: float, t_far: float
) -> tuple[float, float]:
    """The part of [t_near, t_far] in which low < position + t·direction < high; empty where t_near ≥ t_far.

    A direction along the slab (0 or −0) divides nothing: it is inside for all t or for none.
    """
    if direction == 0.0:
        if low < position < high:
            return t_near, t_far
        return 1.0, 0.0
    entry = (low - position) / direction
    leave = (high - position) / direction
    if direction < 0.0:
        entry, leave = leave, entry
    return max(t_near, entry), min(t_far, leave)


@scalar
def cross_box(line: Line, half_x: float, half_y: float) -> Crossing:
    """C9: the two slabs, one by one, to know which of them is entered last."""
    dx, dy, moment, length = line
    if abs(moment) >= half_x * abs(dy) + half_y * abs(dx):
        return NOWHERE  # all corners on one side
    ux = dx / length
    uy = dy / length
    m = moment / length
    x_in, x_out = clip_to_slab(m * uy, ux, -half_x, half_x, -math.inf, math.inf)
    y_in, y_out = clip_to_slab(-m * ux, uy, -half_y, half_y, -math.inf, math.inf)
    if x_in > y_in:
        return x_in, min(x_out, y_out), -math.copysign(1.0, ux), 0.0
    return y_in, min(x_out, y_out), 0.0, -math.copysign(1.0, uy)


@scalar
def cross_edge(line: Line, ax: float, ay: float, bx: float, by: float, normal_x: float, normal_y: float) -> Crossing:
    """The edge a–b of a counter-clockwise outline: an entry, an exit, or nothing.

    Neighbouring edges compute the same side for their common vertex, so no line slips through between them.
    """
    dx, dy, moment, length = line
    side_a = cross(ax, ay, dx, dy) - moment
    side_b = cross(bx, by, dx, dy) - moment
    if side_a == side_b or max(side_a, side_b) < 0.0 or min(side_a, side_b) > 0.0:
        return NOWHERE
    along_a = (ax * dx + ay * dy) / length
    along_b = (bx * dx + by * dy) / length
    # Interpolated from the nearer end, so that a crossing in a vertex is exactly there.
    if abs(side_a) < abs(side_b):
        t = along_a + side_a / (side_a - side_b) * (along_b - along_a)
    else:
        t = along_b + side_b / (side_b - side_a) * (along_a - along_b)
    if side_a < side_b:
        return t, -math.inf, normal_x, normal_y
    return math.inf, t, 0.0, 0.0


@scalar
def cross_capsule(line: Line, half_length: float, radius: float) -> Crossing:
    """The two discs and the two straight sides."""
    _, dy, moment, length = line
    if abs(moment) >= half_length * abs(dy) + radius * length:
        return NOWHERE  # the core on one side, at least the radius away
    crossing = join(cross_disc(line, -half_length, 0.0, radius), cross_disc(line, half_length, 0.0, radius))
    crossing = join(crossing, cross_edge(line, -half_length, -radius, half_length, -radius, 0.0, -1.0))
    return join(crossing, cross_edge(line, half_length, radius, -half_length, radius, 0.0, 1.0))


@scalar
def _cross_segment(line: Line, start: int, pool: NDArray[float64], scale: float) -> Crossing:
    """The segment of a chain without thickness: entered and left at once, but for rounding.

    A vertex on the line counts as to the right of it, so that a line through a joint crosses one of the two segments
    there, or both where the chain turns back.
    """
    dx, dy, moment, _ = line
    ax, ay, bx, by = layout.edge_of(pool, start, SEGMENT_VERTICES, 0, scale)
    if (cross(ax, ay, dx, dy) - moment < 0.0) == (cross(bx, by, dx, dy) - moment < 0.0):
        return NOWHERE
    a = cross_edge(line, ax, ay, bx, by, pool[start, POOL_NORMAL_X], pool[start, POOL_NORMAL_Y])
    b = cross_edge(line, bx, by, ax, ay, pool[start + 1, POOL_NORMAL_X], pool[start + 1, POOL_NORMAL_Y])
    t_in, _, normal_x, normal_y = join(a, b)
    return t_in, t_in + (abs(t_in) * _THIN + _THINNEST), normal_x, normal_y


@scalar
def cross_polygon(line: Line, radius: float, start: int, count: int, pool: NDArray[float64], scale: float) -> Crossing:
    """The edges of the scaled polygon, moved outwards by the rounding, and a disc about each vertex.

    The outline of the rounded polygon is made of parts of these, and all else of them is inside it: the first entry
    and the last exit are the outline's.
    """
    dx, dy, moment, length = line
    if count == SEGMENT_VERTICES and radius == 0.0:
        return _cross_segment(line, start, pool, scale)
    crossing = NOWHERE
    lowest = math.inf
    highest = -math.inf
    for k in range(count):
        ax, ay, bx, by = layout.edge_of(pool, start, count, k, scale)
        normal_x, normal_y = pool[start + k, POOL_NORMAL_X], pool[start + k, POOL_NORMAL_Y]
        side = cross(ax, ay, dx, dy) - moment
        lowest = min(lowest, side)
        highest = max(highest, side)
        out_x, out_y = radius * normal_x, radius * normal_y
        edge = cross_edge(line, ax + out_x, ay + out_y, bx + out_x, by + out_y, normal_x, normal_y)
        crossing = join(crossing, edge)
        if radius > 0.0:
            crossing = join(crossing, cross_disc(line, ax, ay, radius))
    # A line with the whole shape on one side touches a vertex or runs along an edge.
    if lowest >= radius * length or highest <= -radius * length:
        return NOWHERE
    return crossing


@scalar
def _at_half_plane(line: Line, nx: float, ny: float) -> tuple[float, float]:
    """For a normal n through the origin: n · d, and n · foot in the same unit, so that n · q = 0 at −foot/n · d."""
    dx, dy, moment, length = line
    return nx * dx + ny * dy, moment / length * (nx * dy - ny * dx)


@scalar
def _clip_to_half_plane(crossing: Crossing, line: Line, nx: float, ny: float) -> Crossing:
    """The part of a crossing in which n · q < 0, for an outward normal n."""
    t_in, t_out, normal_x, normal_y = crossing
    rate, at_foot = _at_half_plane(line, nx, ny)
    if rate == 0.0:
        return crossing if at_foot < 0.0 else NOWHERE
    t = -at_foot / rate
    if rate > 0.0:
        return t_in, min(t_out, t), normal_x, normal_y
    if t > t_in:
        return t, t_out, nx, ny
    return crossing


@scalar
def cross_fan(line: Line, radius: float, cos_half: float, sin_half: float) -> Crossing:
    """A fan of spread up to π about the x axis: a disc and the half-planes of both edges."""
    crossing = cross_disc(line, 0.0, 0.0, radius)
    if crossing[0] < crossing[1]:
        crossing = _clip_to_half_plane(crossing, line, -sin_half, cos_half)
        crossing = _clip_to_half_plane(crossing, line, -sin_half, -cos_half)
    return crossing


@scalar
def cross_wide_fan(line: Line, radius: float, cos_half: float, sin_half: float) -> tuple[Crossing, Crossing]:
    """A fan of spread above π: a disc without a convex gap, hence up to two crossings, in order.

    The closed gap is where n · q ≥ 0 for the outward normals n of both edges. The line enters it at the last of its
    entries into these half-planes and leaves it at the first exit, through that edge.
    """
    disc = cross_disc(line, 0.0, 0.0, radius)
    gap_in = -math.inf
    gap_out = math.inf
    normal_x = 0.0
    normal_y = 0.0
    for side in (1.0, -1.0):
        nx = -sin_half
        ny = side * cos_half
        rate, at_foot = _at_half_plane(line, nx, ny)
        if rate == 0.0:
            if at_foot < 0.0:
                return disc, NOWHERE
        elif rate > 0.0:
            gap_in = max(gap_in, -at_foot / rate)
        elif -at_foot / rate < gap_out:
            gap_out = -at_foot / rate
            normal_x, normal_y = nx, ny
    if gap_in > gap_out or disc[0] >= disc[1]:
        return disc, NOWHERE
    before = (disc[0], min(disc[1], gap_in), disc[2], disc[3])
    if gap_out > disc[0]:
        return before, (gap_out, disc[1], normal_x, normal_y)
    return before, disc


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
def raycast_one(
    placed: ShapeArrays, i: int, x: float, y: float, direction_x: float, direction_y: float, max_distance: float
) -> tuple[float, float, float, float, float]:
    """(distance, x, y, normal_x, normal_y) of the first hit of a ray from (x, y) with placed shape i, in the world; no
    hit: infinite distance."""
    dx, dy, length = scaled_direction(direction_x, direction_y)
    distance, hit_x, hit_y, normal_x, normal_y = raycast_shape(placed, i, x, y, dx, dy, length, True, max_distance)
    positions = placed.positions
    return distance, positions[i, layout.ALONG_X] + hit_x, positions[i, layout.ALONG_Y] + hit_y, normal_x, normal_y
