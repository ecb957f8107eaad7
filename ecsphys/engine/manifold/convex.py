"""Convex hulls: the one representation in which the generic pair geometry sees every placed shape.

A hull is the convex hull of up to 16 vertices in counter-clockwise order, rounded by a radius. A fan has one edge
more, its arc. Each is a run of HULL_SIZE numbers, a row (*slot*) of a scratch array that a kernel allocates once and
fills again for each pair, so no function below allocates. Positions in it:

* ``X, Y``: the vertices, x of vertex k at X + k;
* ``NORMAL_X, NORMAL_Y``: the outward unit normals of the straight edges, edge k from vertex k to vertex k + 1;
* the counts, radii, the arc and the middle, named below.

A circle is one vertex without edges; a capsule two vertices with an edge on either side; a fan three vertices (arc
end, apex, arc start) with two straight edges, so that its arc is the edge after the last straight one. Of a fan of π
or more this is its convex hull: two vertices (arc end, arc start) and the chord between them.
"""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.kernels import NamedTuple, inlined_scalar, scalar
from ecsphys.engine.math.elementary import cos_sin
from ecsphys.engine.math.rounding import power_of_two_scale
from ecsphys.engine.shapes import layout
from ecsphys.engine.shapes.layout import ShapeArrays
from ecsphys.engine.shapes.measures import arc_contains

X, Y, NORMAL_X, NORMAL_Y = range(0, 4 * layout.MAX_VERTICES, layout.MAX_VERTICES)

# ARC_RADIUS is 0 where there is no arc. The middle is a point of the hull, the further inside the better.
VERTEX_COUNT, EDGE_COUNT, ROUNDING, MIDDLE_X, MIDDLE_Y = range(4 * layout.MAX_VERTICES, 4 * layout.MAX_VERTICES + 5)
ARC_RADIUS, ARC_X, ARC_Y, ARC_AXIS_X, ARC_AXIS_Y, ARC_COS, ARC_SIN = range(MIDDLE_Y + 1, MIDDLE_Y + 8)

HULL_SIZE = 5 * layout.MAX_VERTICES

# A fan whose two edges are in line up to this is a half disc with one edge: which of two parallel edges is touched
# would be decided by rounding.
_FLAT = 1e-12

# The support feature of a hull is a vertex, or its arc.
ARC = -1


@scalar
def extent(shapes: NDArray[float64], i: int) -> float:
    """Bound on the distance of a placed shape's points from its entity's position: the scale of its rounding."""
    return float(shapes[i, layout.EXTENT] + abs(shapes[i, layout.CX]) + abs(shapes[i, layout.CY]))


@scalar
def pair_scale(placed: ShapeArrays, a: int, b: int, way: float) -> float:
    """The power of two by which a pair and the ways that it goes are scaled, so that squares and differences stay in
    float64's range."""
    positions = placed.positions
    quarter_x = 0.25 * positions[b, layout.ALONG_X] - 0.25 * positions[a, layout.ALONG_X]
    quarter_y = 0.25 * positions[b, layout.ALONG_Y] - 0.25 * positions[a, layout.ALONG_Y]
    size = max(extent(placed.shapes, a), extent(placed.shapes, b), way)
    return power_of_two_scale(max(0.25 * size, abs(quarter_x), abs(quarter_y)))


@inlined_scalar
def between_centres(placed: ShapeArrays, a: int, b: int, scale: float) -> tuple[float, float]:
    """From the centre or apex of shape a to the one of b, scaled: in the frame of a, so that positions far from the
    world's origin cost no precision."""
    _, positions, shapes, _ = placed
    x = scale * positions[b, layout.ALONG_X] - scale * positions[a, layout.ALONG_X]
    y = scale * positions[b, layout.ALONG_Y] - scale * positions[a, layout.ALONG_Y]
    return (
        x + scale * (shapes[b, layout.CX] - shapes[a, layout.CX]),
        y + scale * (shapes[b, layout.CY] - shapes[a, layout.CY]),
    )


@scalar
def set_fan(
    hull: NDArray[float64],
    x: float,
    y: float,
    radius: float,
    axis_x: float,
    axis_y: float,
    cos_half: float,
    sin_half: float,
) -> None:
    """A fan with its apex at (x, y): vertices arc end, apex, arc start, if its spread is less than π.

    From π on it is its convex hull, the arc closed by the chord from arc end to arc start.
    """
    start_x = axis_x * cos_half + axis_y * sin_half
    start_y = axis_y * cos_half - axis_x * sin_half
    end_x = axis_x * cos_half - axis_y * sin_half
    end_y = axis_y * cos_half + axis_x * sin_half
    hull[X] = x + radius * end_x
    hull[Y] = y + radius * end_y
    last = 1
    if cos_half > 0.0:
        last = 2
        hull[NORMAL_X] = -end_y
        hull[NORMAL_Y] = end_x
        hull[X + 1] = x
        hull[Y + 1] = y
        hull[NORMAL_X + 1] = start_y
        hull[NORMAL_Y + 1] = -start_x
    else:
        hull[NORMAL_X] = -axis_x
        hull[NORMAL_Y] = -axis_y
    hull[X + last] = x + radius * start_x
    hull[Y + last] = y + radius * start_y
    hull[VERTEX_COUNT] = last + 1
    hull[EDGE_COUNT] = last
    hull[ROUNDING] = 0.0
    hull[ARC_RADIUS] = radius
    hull[ARC_X] = x
    hull[ARC_Y] = y
    hull[ARC_AXIS_X] = axis_x
    hull[ARC_AXIS_Y] = axis_y
    hull[ARC_COS] = cos_half
    hull[ARC_SIN] = sin_half
    hull[MIDDLE_X] = x + 0.5 * radius * axis_x
    hull[MIDDLE_Y] = y + 0.5 * radius * axis_y


@inlined_scalar
def set_hull(
    hull: NDArray[float64],
    form: int,
    shapes: NDArray[float64],
    i: int,
    pool: NDArray[float64],
    x: float,
    y: float,
    scale: float,
) -> None:
    """Fill in the convex hull of placed shape i, scaled, its centre or apex at (x, y)."""
    c = shapes[i, layout.AXIS_X]
    s = shapes[i, layout.AXIS_Y]
    radius = scale * shapes[i, layout.RADIUS]
    if form >= layout.FAN:
        cos_half = shapes[i, layout.COS_HALF]
        if cos_half < _FLAT:
            cos_half = min(cos_half, 0.0)
        set_fan(hull, x, y, radius, c, s, cos_half, shapes[i, layout.SIN_HALF])
        return
    count = 1
    edges = 0
    middle_x = x
    middle_y = y
    if form == layout.POLYGON:
        middle_x = 0.0
        middle_y = 0.0
        start = int(shapes[i, layout.START])
        count = int(shapes[i, layout.COUNT])
        edges = count
        for k in range(count):
            p = start + k
            pool_x = scale * pool[p, layout.POOL_X]
            pool_y = scale * pool[p, layout.POOL_Y]
            normal_x = pool[p, layout.POOL_NORMAL_X]
            normal_y = pool[p, layout.POOL_NORMAL_Y]
            hull[X + k] = x + (c * pool_x - s * pool_y)
            hull[Y + k] = y + (s * pool_x + c * pool_y)
            hull[NORMAL_X + k] = c * normal_x - s * normal_y
            hull[NORMAL_Y + k] = s * normal_x + c * normal_y
            middle_x += hull[X + k]
            middle_y += hull[Y + k]
        middle_x /= count
        middle_y /= count
    elif form == layout.CIRCLE:
        hull[X] = x
        hull[Y] = y
    else:
        # The edges' normals turn by quarters, beginning at −side; so do the corners, as signs of the half sizes.
        # A capsule is a box without height: it has the first two corners, and the edges below and above them.
        count = 4 if form == layout.BOX else 2
        edges = count
        along = scale * shapes[i, layout.HALF_X]
        across = scale * shapes[i, layout.HALF_Y]
        along_x = -along * c
        along_y = -along * s
        across_x = across * s
        across_y = -across * c
        normal_x = s
        normal_y = -c
        for k in range(count):
            hull[X + k] = x + along_x + across_x
            hull[Y + k] = y + along_y + across_y
            hull[NORMAL_X + k] = normal_x
            hull[NORMAL_Y + k] = normal_y
            if form == layout.CAPSULE:
                normal_x, normal_y = -normal_x, -normal_y
                along_x, along_y = -along_x, -along_y
            else:
                normal_x, normal_y = -normal_y, normal_x
                if k & 1 == 0:
                    along_x, along_y = -along_x, -along_y
                else:
                    across_x, across_y = -across_x, -across_y
    hull[VERTEX_COUNT] = count
    hull[EDGE_COUNT] = edges
    hull[ROUNDING] = radius
    hull[ARC_RADIUS] = 0.0
    hull[MIDDLE_X] = middle_x
    hull[MIDDLE_Y] = middle_y


@scalar
def may_face_arc(hull: NDArray[float64], x: float, y: float, slop: float) -> bool:
    """Whether a fan's arc has a point towards (x, y) from the apex, or would have if (x, y) moved by ``slop``."""
    return arc_contains(x, y, hull[ARC_AXIS_X], hull[ARC_AXIS_Y], hull[ARC_COS], hull[ARC_SIN], slop)


@inlined_scalar
def support(hull: NDArray[float64], nx: float, ny: float) -> tuple[float, int]:
    """Largest p · n over the points of a hull without its rounding, and the feature it is at: a vertex or ARC."""
    if hull[ARC_RADIUS] > 0.0 and may_face_arc(hull, nx, ny, 0.0):
        centre = hull[ARC_X] * nx + hull[ARC_Y] * ny
        return centre + hull[ARC_RADIUS], ARC
    reach = hull[X] * nx + hull[Y] * ny
    feature = 0
    for k in range(1, int(hull[VERTEX_COUNT])):
        candidate = hull[X + k] * nx + hull[Y + k] * ny
        if candidate > reach:
            reach = candidate
            feature = k
    return reach, feature


@inlined_scalar
def next_vertex(hull: NDArray[float64], vertex: int) -> int:
    """The vertex at the end of the edge that begins at one."""
    return vertex + 1 if vertex + 1 < int(hull[VERTEX_COUNT]) else 0


@inlined_scalar
def feature_point(hull: NDArray[float64], feature: int, nx: float, ny: float) -> tuple[float, float]:
    """The core's point at a feature: the vertex, or the arc's point in direction n."""
    if feature == ARC:
        radius = hull[ARC_RADIUS]
        return hull[ARC_X] + radius * nx, hull[ARC_Y] + radius * ny
    return hull[X + feature], hull[Y + feature]


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


# Slots: A as a whole and its three pieces, the same for B, and a piece of B after a translation.
SLOTS_PER_SIDE = 4
HULLS_SHAPE = (2 * SLOTS_PER_SIDE + 1, HULL_SIZE)

# A half fan's straight edge that is an edge of the wide fan: the first half's is at the arc's start (edge 1 of
# set_fan), the second half's at its end (edge 0).
START_EDGE, END_EDGE = 1, 0


class Pieces(NamedTuple):
    """Of two shapes in a scratch array: the slot of each one's convex hull, and the range (first, end) of slots whose
    union it is: its hull's, or its halves' if it is a wide fan. (At end is the sector across the seam then.)"""

    whole_a: int
    first_a: int
    end_a: int
    whole_b: int
    first_b: int
    end_b: int


@inlined_scalar
def set_pair(
    hulls: NDArray[float64], placed: ShapeArrays, a: int, b: int, dx: float, dy: float, scale: float
) -> Pieces:
    """Fill the slots with shapes a and b, scaled, a's centre or apex at the origin and b's at (dx, dy)."""
    forms, _, shapes, pool = placed
    first_a = 0
    end_a = 1
    for side in range(2):
        i = a if side == 0 else b
        x = side * dx
        y = side * dy
        whole = side * SLOTS_PER_SIDE
        set_hull(hulls[whole], forms[i], shapes, i, pool, x, y, scale)
        first = whole
        end = whole + 1
        if forms[i] == layout.WIDE_FAN:
            first = whole + 1
            end = whole + 3
            c = shapes[i, layout.AXIS_X]
            s = shapes[i, layout.AXIS_Y]
            # Half angles; the sine by the formula that does not cancel, as the cosine is negative; the cosine from it.
            sin_quarter = math.sqrt(0.5 * (1.0 - shapes[i, layout.COS_HALF]))
            cos_quarter = 0.5 * shapes[i, layout.SIN_HALF] / sin_quarter
            turn = -sin_quarter
            for half in range(first, end):
                axis_x = c * cos_quarter - s * turn
                axis_y = s * cos_quarter + c * turn
                set_fan(hulls[half], x, y, scale * shapes[i, layout.RADIUS], axis_x, axis_y, cos_quarter, sin_quarter)
                turn = sin_quarter
            set_fan(hulls[end], x, y, scale * shapes[i, layout.RADIUS], c, s, cos_quarter, sin_quarter)
        if side == 0:
            first_a = first
            end_a = end
    return Pieces(whole - SLOTS_PER_SIDE, first_a, end_a, whole, first, end)
