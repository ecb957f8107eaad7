"""Convex hulls: the one representation in which the generic pair geometry sees every placed shape.

A hull is the convex hull of up to 16 vertices in counter-clockwise order, rounded by a radius. A fan has one edge
more, its arc. Hulls live in *slots* of a scratch array of shape (slots, 5, 16), allocated once by each kernel and
filled anew for each pair, so that no function below allocates:

* rows ``X, Y``: the vertices;
* rows ``NORMAL_X, NORMAL_Y``: the outward unit normals of the straight edges, edge k from vertex k to vertex k + 1;
* row ``ABOUT``: the counts, radii and the arc, at the positions named below.

A circle is one vertex without edges; a capsule two vertices with an edge on either side; a fan three vertices (arc
end, apex, arc start) with two straight edges, so that its arc is the edge after the last straight one.
"""

from __future__ import annotations

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

# The support feature of a hull is a vertex, or its arc.
ARC = -1


@scalar
def extent(form: int, shapes: NDArray[float64], i: int, pool: NDArray[float64]) -> float:
    """Bound on the distance of a placed shape's points from its entity's position: the scale of its rounding."""
    own = shapes[i, RADIUS]
    if form in (BOX, CAPSULE):
        own += abs(shapes[i, HALF_X]) + abs(shapes[i, HALF_Y])
    elif form == POLYGON:
        start = int(shapes[i, START])
        widest = 0.0
        for k in range(start, start + int(shapes[i, COUNT])):
            widest = max(widest, abs(pool[POOL_X, k]) + abs(pool[POOL_Y, k]))
        own += widest
    return own + abs(shapes[i, CX]) + abs(shapes[i, CY])


@scalar
def _set_vertex(hulls: NDArray[float64], slot: int, k: int, x: float, y: float) -> None:
    hulls[slot, X, k] = x
    hulls[slot, Y, k] = y


@scalar
def _set_normal(hulls: NDArray[float64], slot: int, k: int, x: float, y: float) -> None:
    hulls[slot, NORMAL_X, k] = x
    hulls[slot, NORMAL_Y, k] = y


@scalar
def _set_about(hulls: NDArray[float64], slot: int, vertices: int, edges: int, rounding: float) -> None:
    hulls[slot, ABOUT, VERTEX_COUNT] = vertices
    hulls[slot, ABOUT, EDGE_COUNT] = edges
    hulls[slot, ABOUT, ROUNDING] = rounding
    hulls[slot, ABOUT, ARC_RADIUS] = 0.0


@scalar
def _set_arc(
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
    hulls[slot, ABOUT, ARC_RADIUS] = radius
    hulls[slot, ABOUT, ARC_X] = x
    hulls[slot, ABOUT, ARC_Y] = y
    hulls[slot, ABOUT, ARC_AXIS_X] = axis_x
    hulls[slot, ABOUT, ARC_AXIS_Y] = axis_y
    hulls[slot, ABOUT, ARC_COS] = cos_half
    hulls[slot, ABOUT, ARC_SIN] = sin_half


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
    """A convex fan (spread at most π) with its apex at (x, y): vertices arc end, apex, arc start."""
    start_x = axis_x * cos_half + axis_y * sin_half
    start_y = axis_y * cos_half - axis_x * sin_half
    end_x = axis_x * cos_half - axis_y * sin_half
    end_y = axis_y * cos_half + axis_x * sin_half
    _set_vertex(hulls, slot, 0, x + radius * end_x, y + radius * end_y)
    _set_vertex(hulls, slot, 1, x, y)
    _set_vertex(hulls, slot, 2, x + radius * start_x, y + radius * start_y)
    _set_normal(hulls, slot, 0, -end_y, end_x)
    _set_normal(hulls, slot, 1, start_y, -start_x)
    _set_about(hulls, slot, 3, 2, 0.0)
    _set_arc(hulls, slot, x, y, radius, axis_x, axis_y, cos_half, sin_half)


@scalar
def set_wide_fan_hull(
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
    """The convex hull of a fan wider than π: its arc, closed by the chord from arc end to arc start."""
    _set_vertex(
        hulls,
        slot,
        0,
        x + radius * (axis_x * cos_half - axis_y * sin_half),
        y + radius * (axis_y * cos_half + axis_x * sin_half),
    )
    _set_vertex(
        hulls,
        slot,
        1,
        x + radius * (axis_x * cos_half + axis_y * sin_half),
        y + radius * (axis_y * cos_half - axis_x * sin_half),
    )
    _set_normal(hulls, slot, 0, -axis_x, -axis_y)
    _set_about(hulls, slot, 2, 1, 0.0)
    _set_arc(hulls, slot, x, y, radius, axis_x, axis_y, cos_half, sin_half)


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
    """Fill a slot with placed shape i, scaled, its centre or apex at (x, y). A wide fan: see wide_fan.py."""
    c = shapes[i, AXIS_X]
    s = shapes[i, AXIS_Y]
    radius = scale * shapes[i, RADIUS]
    if form == CIRCLE:
        _set_vertex(hulls, slot, 0, x, y)
        _set_about(hulls, slot, 1, 0, radius)
    elif form == BOX:
        along_x = scale * shapes[i, HALF_X] * c
        along_y = scale * shapes[i, HALF_X] * s
        across_x = -scale * shapes[i, HALF_Y] * s
        across_y = scale * shapes[i, HALF_Y] * c
        _set_vertex(hulls, slot, 0, x - along_x - across_x, y - along_y - across_y)
        _set_vertex(hulls, slot, 1, x + along_x - across_x, y + along_y - across_y)
        _set_vertex(hulls, slot, 2, x + along_x + across_x, y + along_y + across_y)
        _set_vertex(hulls, slot, 3, x - along_x + across_x, y - along_y + across_y)
        _set_normal(hulls, slot, 0, s, -c)
        _set_normal(hulls, slot, 1, c, s)
        _set_normal(hulls, slot, 2, -s, c)
        _set_normal(hulls, slot, 3, -c, -s)
        _set_about(hulls, slot, 4, 4, 0.0)
    elif form == CAPSULE:
        along_x = scale * shapes[i, HALF_X] * c
        along_y = scale * shapes[i, HALF_X] * s
        _set_vertex(hulls, slot, 0, x - along_x, y - along_y)
        _set_vertex(hulls, slot, 1, x + along_x, y + along_y)
        _set_normal(hulls, slot, 0, s, -c)
        _set_normal(hulls, slot, 1, -s, c)
        _set_about(hulls, slot, 2, 2, radius)
    elif form == POLYGON:
        start = int(shapes[i, START])
        count = int(shapes[i, COUNT])
        for k in range(count):
            p = start + k
            pool_x = scale * pool[POOL_X, p]
            pool_y = scale * pool[POOL_Y, p]
            normal_x = pool[POOL_NORMAL_X, p]
            normal_y = pool[POOL_NORMAL_Y, p]
            _set_vertex(hulls, slot, k, x + (c * pool_x - s * pool_y), y + (s * pool_x + c * pool_y))
            _set_normal(hulls, slot, k, c * normal_x - s * normal_y, s * normal_x + c * normal_y)
        _set_about(hulls, slot, count, count, radius)
    else:
        set_fan(hulls, slot, x, y, radius, c, s, shapes[i, COS_HALF], shapes[i, SIN_HALF])


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
