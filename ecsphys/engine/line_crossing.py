"""Where a straight line runs inside a shape, in the shape's own frame.

A line is its unit direction u and its *moment* m = q × u, the same for each of its points q. Points on it are
foot + t·u, where the foot, m·(u_y, −u_x), is its point nearest to the shape's centre. A ray that starts far away is
thus crossed near the shape, with numbers of the shape's size, and loses nothing to the distance.

Every function gives a *crossing*: (t_in, t_out, normal_x, normal_y), the part of the line inside the shape and the
outward unit normal where it enters; t_in ≥ t_out where it misses or only touches. At a corner the normal is that of
one of its edges.
"""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.compilation import scalar
from ecsphys.engine.exact import cross
from ecsphys.engine.shapes import POOL_NORMAL_X, POOL_NORMAL_Y, POOL_X, POOL_Y
from ecsphys.engine.slab import clip_to_slab

Crossing = tuple[float, float, float, float]

_NOWHERE = (math.inf, -math.inf, 0.0, 0.0)


@scalar
def join(a: Crossing, b: Crossing) -> Crossing:
    """The crossing of two parts of one convex shape together: from the first entry to the last exit."""
    if a[0] <= b[0]:
        return a[0], max(a[1], b[1]), a[2], a[3]
    return b[0], max(a[1], b[1]), b[2], b[3]


@scalar
def cross_disc(ux: float, uy: float, moment: float, x: float, y: float, radius: float) -> Crossing:
    """C14 for a line: a = 1, and from the point nearest to the circle's centre b = 0, c = m² − r²: t = ∓√(r² − m²)."""
    own_moment = moment - cross(x, y, ux, uy)
    if abs(own_moment) >= radius:
        return _NOWHERE
    half = math.sqrt((radius - own_moment) * (radius + own_moment))
    along = x * ux + y * uy
    normal_x = (own_moment * uy - half * ux) / radius
    normal_y = (-own_moment * ux - half * uy) / radius
    return along - half, along + half, normal_x, normal_y


@scalar
def cross_box(ux: float, uy: float, moment: float, half_x: float, half_y: float) -> Crossing:
    """C9: the two slabs, one by one, to know which of them is entered last."""
    x_in, x_out = clip_to_slab(moment * uy, ux, -half_x, half_x, -math.inf, math.inf)
    y_in, y_out = clip_to_slab(-moment * ux, uy, -half_y, half_y, -math.inf, math.inf)
    if x_in >= x_out or y_in >= y_out:
        return _NOWHERE
    if x_in > y_in:
        return x_in, min(x_out, y_out), -math.copysign(1.0, ux), 0.0
    return y_in, min(x_out, y_out), 0.0, -math.copysign(1.0, uy)


@scalar
def cross_edge(
    ux: float, uy: float, moment: float, ax: float, ay: float, bx: float, by: float, normal_x: float, normal_y: float
) -> Crossing:
    """The edge a–b of a counter-clockwise outline: an entry, an exit, or nothing.

    The signs of a × u − m and b × u − m tell the sides of the line on which the ends are; neighbouring edges compute
    the same value for their common vertex, so that no line slips through between them.
    """
    side_a = cross(ax, ay, ux, uy) - moment
    side_b = cross(bx, by, ux, uy) - moment
    if side_a == side_b or max(side_a, side_b) < 0.0 or min(side_a, side_b) > 0.0:
        return _NOWHERE
    along_a = ax * ux + ay * uy
    along_b = bx * ux + by * uy
    # Interpolated from the nearer end, so that a crossing in a vertex is exactly there.
    if abs(side_a) < abs(side_b):
        t = along_a + side_a / (side_a - side_b) * (along_b - along_a)
    else:
        t = along_b + side_b / (side_b - side_a) * (along_a - along_b)
    if side_a < side_b:
        return t, -math.inf, normal_x, normal_y
    return math.inf, t, 0.0, 0.0


@scalar
def cross_capsule(ux: float, uy: float, moment: float, half_length: float, radius: float) -> Crossing:
    """The two discs and the two straight sides."""
    if abs(moment) >= abs(half_length * uy) + radius:
        return _NOWHERE  # passes along the outline at most
    crossing = join(
        cross_disc(ux, uy, moment, -half_length, 0.0, radius),
        cross_disc(ux, uy, moment, half_length, 0.0, radius),
    )
    crossing = join(crossing, cross_edge(ux, uy, moment, -half_length, -radius, half_length, -radius, 0.0, -1.0))
    return join(crossing, cross_edge(ux, uy, moment, half_length, radius, -half_length, radius, 0.0, 1.0))


@scalar
def cross_polygon(
    ux: float, uy: float, moment: float, radius: float, start: int, count: int, pool: NDArray[float64]
) -> Crossing:
    """The edges, moved outwards by the rounding, and a disc about each vertex.

    The outline of the rounded polygon is made of parts of these, and all else of them is inside it: the first entry
    and the last exit are the outline's.
    """
    crossing = _NOWHERE
    lowest = math.inf
    highest = -math.inf
    for k in range(count):
        a = start + k
        b = start + (k + 1) % count
        ax, ay = pool[POOL_X, a], pool[POOL_Y, a]
        normal_x, normal_y = pool[POOL_NORMAL_X, a], pool[POOL_NORMAL_Y, a]
        side = cross(ax, ay, ux, uy) - moment
        lowest = min(lowest, side)
        highest = max(highest, side)
        out_x, out_y = radius * normal_x, radius * normal_y
        edge = cross_edge(
            ux,
            uy,
            moment,
            ax + out_x,
            ay + out_y,
            pool[POOL_X, b] + out_x,
            pool[POOL_Y, b] + out_y,
            normal_x,
            normal_y,
        )
        crossing = join(crossing, edge)
        if radius > 0.0:
            crossing = join(crossing, cross_disc(ux, uy, moment, ax, ay, radius))
    # A line with the whole shape on one side touches a vertex or runs along an edge.
    if lowest >= radius or highest <= -radius:
        return _NOWHERE
    return crossing


@scalar
def _clip_to_half_plane(crossing: Crossing, ux: float, uy: float, moment: float, nx: float, ny: float) -> Crossing:
    """The part of a crossing in which n · q < 0, for an outward normal n through the origin."""
    t_in, t_out, normal_x, normal_y = crossing
    at_foot = moment * (nx * uy - ny * ux)
    rate = nx * ux + ny * uy
    if rate == 0.0:
        return crossing if at_foot < 0.0 else _NOWHERE
    t = -at_foot / rate
    if rate > 0.0:
        return t_in, min(t_out, t), normal_x, normal_y
    if t > t_in:
        return t, t_out, nx, ny
    return crossing


@scalar
def cross_fan(ux: float, uy: float, moment: float, radius: float, cos_half: float, sin_half: float) -> Crossing:
    """A fan of spread up to π about the x axis: a disc and the half-planes of both edges."""
    crossing = cross_disc(ux, uy, moment, 0.0, 0.0, radius)
    if crossing[0] < crossing[1]:
        crossing = _clip_to_half_plane(crossing, ux, uy, moment, -sin_half, cos_half)
        crossing = _clip_to_half_plane(crossing, ux, uy, moment, -sin_half, -cos_half)
    return crossing


@scalar
def cross_wide_fan(
    ux: float, uy: float, moment: float, radius: float, cos_half: float, sin_half: float
) -> tuple[Crossing, Crossing]:
    """A fan of spread above π: a disc without a convex gap, hence up to two crossings, in order.

    The closed gap is where n · q ≥ 0 for the outward normals n of both edges. The line enters it at the last of its
    entries into these half-planes and leaves it at the first exit, through that edge.
    """
    disc = cross_disc(ux, uy, moment, 0.0, 0.0, radius)
    gap_in = -math.inf
    gap_out = math.inf
    normal_x = 0.0
    normal_y = 0.0
    for side in (1.0, -1.0):
        nx = -sin_half
        ny = side * cos_half
        at_foot = moment * (nx * uy - ny * ux)
        rate = nx * ux + ny * uy
        if rate == 0.0:
            if at_foot < 0.0:
                return disc, _NOWHERE
        elif rate > 0.0:
            gap_in = max(gap_in, -at_foot / rate)
        elif -at_foot / rate < gap_out:
            gap_out = -at_foot / rate
            normal_x, normal_y = nx, ny
    if gap_in > gap_out or disc[0] >= disc[1]:
        return disc, _NOWHERE
    before = (disc[0], min(disc[1], gap_in), disc[2], disc[3])
    if gap_out > disc[0]:
        return before, (gap_out, disc[1], normal_x, normal_y)
    return before, disc
