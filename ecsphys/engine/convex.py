"""Convex hulls: the one representation in which the generic pair geometry sees every placed shape.

A hull is the convex hull of up to 16 vertices in counter-clockwise order, rounded by a radius. A fan has one edge
more, its arc. Hulls live in *slots* of a scratch array of shape (slots, 5, 16), allocated once by each kernel and
filled anew for each pair, so that no function below allocates:

* rows ``X, Y``: the vertices;
* rows ``NORMAL_X, NORMAL_Y``: the outward unit normals of the straight edges, edge k from vertex k to vertex k + 1;
* row ``ABOUT``: the counts, radii and the arc, at the positions named below.

A circle is one vertex without edges; a capsule two vertices with an edge on either side; a fan three vertices (arc
end, apex, arc start) with two straight edges, so that its arc is the edge after the last straight one. Of a fan of π
or more this is its convex hull: two vertices (arc end, arc start) and the chord between them.
"""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.compilation import scalar
from ecsphys.engine.shapes import (
    AXIS_X,
    AXIS_Y,
    BOX,
    CAPSULE,
    CIRCLE,
    COS_HALF,
    COUNT,
    CX,
    CY,
    FAN,
    HALF_X,
    HALF_Y,
    MAX_VERTICES,
    POLYGON,
    POOL_NORMAL_X,
    POOL_NORMAL_Y,
    POOL_X,
    POOL_Y,
    RADIUS,
    SIN_HALF,
    START,
    arc_contains,
)

X, Y, NORMAL_X, NORMAL_Y, ABOUT = 0, 1, 2, 3, 4
HULL_ROWS = 5
HULL_COLUMNS = MAX_VERTICES

# Positions in the row ABOUT. ARC_RADIUS is 0 where there is no arc.
VERTEX_COUNT, EDGE_COUNT, ROUNDING, ARC_RADIUS, ARC_X, ARC_Y, ARC_AXIS_X, ARC_AXIS_Y, ARC_COS, ARC_SIN = range(10)

# A fan whose two edges are in line up to this is a half disc with one edge: which of two parallel edges is touched
# would be decided by rounding.
_FLAT = 1e-12

# The support feature of a hull is a vertex, or its arc.
ARC = -1


@scalar
def extent(form: int, shapes: NDArray[float64], i: int, pool: NDArray[float64]) -> float:
    """Bound on the distance of a placed shape's points from its entity's position: the scale of its rounding."""
    own: float = shapes[i, RADIUS]
    if form in (BOX, CAPSULE):
        own += abs(shapes[i, HALF_X]) + abs(shapes[i, HALF_Y])
    elif form == POLYGON:
        start = int(shapes[i, START])
        widest = 0.0
        for k in range(start, start + int(shapes[i, COUNT])):
            widest = max(widest, abs(pool[POOL_X, k]) + abs(pool[POOL_Y, k]))
        own += widest
    own += abs(shapes[i, CX]) + abs(shapes[i, CY])
    return own


@scalar
def power_of_two_scale(size: float) -> float:
    """The power of two by which lengths up to ``size`` become lengths about 1: scaling by it rounds nothing."""
    _, exponent = math.frexp(size)
    return math.ldexp(1.0, min(max(-exponent, -1000), 1000))


@scalar
def set_fan(
    hulls: NDArray[float64],
    slot: int,
    x: float,
    y: float,
    radius: float,
    axis_x: float,
    axis_y: float,
    cos_half: float,
    sin_half: float,
) -> None:
    """A fan with its apex at (x, y): vertices arc end, apex, arc start, if its spread is less than π.

    From π on its slot gets its convex hull, which is the arc closed by the chord from arc end to arc start.
    """
    start_x = axis_x * cos_half + axis_y * sin_half
    start_y = axis_y * cos_half - axis_x * sin_half
    end_x = axis_x * cos_half - axis_y * sin_half
    end_y = axis_y * cos_half + axis_x * sin_half
    hulls[slot, X, 0] = x + radius * end_x
    hulls[slot, Y, 0] = y + radius * end_y
    last = 1
    if cos_half > 0.0:
        last = 2
        hulls[slot, NORMAL_X, 0] = -end_y
        hulls[slot, NORMAL_Y, 0] = end_x
        hulls[slot, X, 1] = x
        hulls[slot, Y, 1] = y
        hulls[slot, NORMAL_X, 1] = start_y
        hulls[slot, NORMAL_Y, 1] = -start_x
    else:
        hulls[slot, NORMAL_X, 0] = -axis_x
        hulls[slot, NORMAL_Y, 0] = -axis_y
    hulls[slot, X, last] = x + radius * start_x
    hulls[slot, Y, last] = y + radius * start_y
    hulls[slot, ABOUT, VERTEX_COUNT] = last + 1
    hulls[slot, ABOUT, EDGE_COUNT] = last
    hulls[slot, ABOUT, ROUNDING] = 0.0
    hulls[slot, ABOUT, ARC_RADIUS] = radius
    hulls[slot, ABOUT, ARC_X] = x
    hulls[slot, ABOUT, ARC_Y] = y
    hulls[slot, ABOUT, ARC_AXIS_X] = axis_x
    hulls[slot, ABOUT, ARC_AXIS_Y] = axis_y
    hulls[slot, ABOUT, ARC_COS] = cos_half
    hulls[slot, ABOUT, ARC_SIN] = sin_half


@scalar
def set_hull(
    hulls: NDArray[float64],
    slot: int,
    form: int,
    shapes: NDArray[float64],
    i: int,
    pool: NDArray[float64],
    x: float,
    y: float,
    scale: float,
) -> None:
    """Fill a slot with the convex hull of placed shape i, scaled, its centre or apex at (x, y)."""
    c = shapes[i, AXIS_X]
    s = shapes[i, AXIS_Y]
    radius = scale * shapes[i, RADIUS]
    if form >= FAN:
        cos_half = shapes[i, COS_HALF]
        if cos_half < _FLAT:
            cos_half = min(cos_half, 0.0)
        set_fan(hulls, slot, x, y, radius, c, s, cos_half, shapes[i, SIN_HALF])
        return
    count = 1
    edges = 0
    if form == POLYGON:
        start = int(shapes[i, START])
        count = int(shapes[i, COUNT])
        edges = count
        for k in range(count):
            p = start + k
            pool_x = scale * pool[POOL_X, p]
            pool_y = scale * pool[POOL_Y, p]
            normal_x = pool[POOL_NORMAL_X, p]
            normal_y = pool[POOL_NORMAL_Y, p]
            hulls[slot, X, k] = x + (c * pool_x - s * pool_y)
            hulls[slot, Y, k] = y + (s * pool_x + c * pool_y)
            hulls[slot, NORMAL_X, k] = c * normal_x - s * normal_y
            hulls[slot, NORMAL_Y, k] = s * normal_x + c * normal_y
    elif form == CIRCLE:
        hulls[slot, X, 0] = x
        hulls[slot, Y, 0] = y
    else:
        # The edges' normals turn by quarters, beginning at −side; so do the corners, as signs of the half sizes.
        # A capsule is a box without height: it has the first two corners, and the edges below and above them.
        count = 4 if form == BOX else 2
        edges = count
        along = scale * shapes[i, HALF_X]
        across = scale * shapes[i, HALF_Y]
        along_x = -along * c
        along_y = -along * s
        across_x = across * s
        across_y = -across * c
        normal_x = s
        normal_y = -c
        for k in range(count):
            hulls[slot, X, k] = x + along_x + across_x
            hulls[slot, Y, k] = y + along_y + across_y
            hulls[slot, NORMAL_X, k] = normal_x
            hulls[slot, NORMAL_Y, k] = normal_y
            if form == CAPSULE:
                normal_x, normal_y = -normal_x, -normal_y
                along_x, along_y = -along_x, -along_y
            else:
                normal_x, normal_y = -normal_y, normal_x
                if k & 1 == 0:
                    along_x, along_y = -along_x, -along_y
                else:
                    across_x, across_y = -across_x, -across_y
    hulls[slot, ABOUT, VERTEX_COUNT] = count
    hulls[slot, ABOUT, EDGE_COUNT] = edges
    hulls[slot, ABOUT, ROUNDING] = radius
    hulls[slot, ABOUT, ARC_RADIUS] = 0.0


@scalar
def support(hulls: NDArray[float64], slot: int, nx: float, ny: float) -> tuple[float, int]:
    """Largest p · n over the points of a hull without its rounding, and the feature it is at: a vertex or ARC."""
    if hulls[slot, ABOUT, ARC_RADIUS] > 0.0 and arc_contains(
        nx,
        ny,
        hulls[slot, ABOUT, ARC_AXIS_X],
        hulls[slot, ABOUT, ARC_AXIS_Y],
        hulls[slot, ABOUT, ARC_COS],
        hulls[slot, ABOUT, ARC_SIN],
    ):
        centre = hulls[slot, ABOUT, ARC_X] * nx + hulls[slot, ABOUT, ARC_Y] * ny
        return centre + hulls[slot, ABOUT, ARC_RADIUS], ARC
    reach = hulls[slot, X, 0] * nx + hulls[slot, Y, 0] * ny
    feature = 0
    for k in range(1, int(hulls[slot, ABOUT, VERTEX_COUNT])):
        candidate = hulls[slot, X, k] * nx + hulls[slot, Y, k] * ny
        if candidate > reach:
            reach = candidate
            feature = k
    return reach, feature


@scalar
def feature_point(hulls: NDArray[float64], slot: int, feature: int, nx: float, ny: float) -> tuple[float, float]:
    """The core's point at a feature: the vertex, or the arc's point in direction n."""
    if feature == ARC:
        radius = hulls[slot, ABOUT, ARC_RADIUS]
        return hulls[slot, ABOUT, ARC_X] + radius * nx, hulls[slot, ABOUT, ARC_Y] + radius * ny
    return hulls[slot, X, feature], hulls[slot, Y, feature]
