"""Contact points of two convex hulls that overlap, or nearly do: one or two points midway between the two surfaces.

Where the separation is perpendicular to a straight edge, that edge is the *reference*. The *incident* edge is the other
hull's edge at its deepest vertex that faces the reference most. It is clipped to the reference edge's width, and both
its ends are contact points if both are inside.

A point is at one end of the shared part of the two edges; its *feature* is the pair of vertices that end there, one of
each hull. It says which point of one step is which of the next: it stays while shapes slide and turn a little, also
where the other edge becomes the reference.
"""

from __future__ import annotations

import math
from typing import Any

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.kernels import inlined_scalar
from ecsphys.engine.manifold import convex as at
from ecsphys.engine.manifold.convex import ARC, feature_point, support
from ecsphys.engine.manifold.separation import EDGE_OF_A, POINTS
from ecsphys.engine.vectors.lanes import absolute, larger, smaller, spread, where

# Two contact points closer than this part of the smaller shape's size are one.
DISTINCT = 1e-9

# Bits of one side of a feature: 16 vertices and an arc. A point that is not there has no feature.
_SIDE_BITS = 5
FEATURE_BITS = 2 * _SIDE_BITS
SIDE_FEATURES = float(1 << _SIDE_BITS)
NO_FEATURE = -1

# (count, x_0, y_0, x_1, y_1, separation_0, separation_1, feature_0, feature_1)
ManifoldNumbers = tuple[int, float, float, float, float, float, float, int, int]

# ((depth, n_x, n_y, count, x_0, y_0, x_1, y_1), (separation_0, separation_1, feature_0, feature_1)). The depth is
# negative where the surfaces are apart.
ContactNumbers = tuple[
    tuple[float, float, float, int, float, float, float, float],
    tuple[float, float, int, int],
]
NO_CONTACT: ContactNumbers = ((-math.inf, 0.0, 1.0, 0, 0.0, 0.0, 0.0, 0.0), (0.0, 0.0, NO_FEATURE, NO_FEATURE))


@inlined_scalar
def feature_of(vertex_a: int, vertex_b: int) -> int:
    """The feature of a point where a vertex, or ARC, of A and one of B meet."""
    return (vertex_a - ARC) << _SIDE_BITS | (vertex_b - ARC)


@inlined_scalar
def incident_edge(hull: NDArray[float64], vertex: int, mx: float, my: float) -> int:
    """The vertex at the other end of the straight edge at ``vertex`` that faces −m most, ARC if it has none."""
    count = int(hull[at.VERTEX_COUNT])
    edges = int(hull[at.EDGE_COUNT])
    following = vertex + 1 if vertex + 1 < count else 0
    preceding = vertex - 1 if vertex > 0 else count - 1
    if vertex >= edges and preceding >= edges:
        return ARC
    if vertex >= edges:
        return preceding
    if preceding >= edges:
        return following
    facing = hull[at.NORMAL_X + vertex] * mx + hull[at.NORMAL_Y + vertex] * my
    facing_preceding = hull[at.NORMAL_X + preceding] * mx + hull[at.NORMAL_Y + preceding] * my
    return following if facing <= facing_preceding else preceding


@inlined_scalar
def clip_to_edge(u_0: Any, height_0: Any, u_1: Any, height_1: Any, width: Any, lane: Any) -> tuple[Any, Any, Any, Any]:
    """Clip a straight edge, the deeper end first, to the ``width`` of a reference edge along which u runs.

    Numbers are of one lane or of all.
    """
    zero = spread(0.0, lane)
    one = spread(1.0, lane)
    along = u_1 - u_0
    slope = height_1 - height_0
    is_level = absolute(along) > zero
    divisor = where(is_level, along, one)
    t_start = smaller(one, larger(zero, (smaller(width, larger(zero, u_0)) - u_0) / divisor))
    t_end = smaller(one, larger(zero, (smaller(width, larger(zero, u_1)) - u_0) / divisor))
    # On a steep edge the deepest point is beside the reference edge by rounding only; sliding back along the edge would
    # lift it.
    t_start = where(absolute(slope) > absolute(along), zero, t_start)
    t_start = where(is_level, t_start, zero)
    t_end = where(is_level, t_end, one)
    return (
        smaller(width, larger(zero, u_0 + t_start * along)),
        height_0 + t_start * slope,
        smaller(width, larger(zero, u_0 + t_end * along)),
        height_0 + t_end * slope,
    )


@inlined_scalar
def facing_feature(
    hull: NDArray[float64], mx: float, my: float, origin_x: float, origin_y: float
) -> tuple[float, float, float, float, int, int]:
    """The feature of a hull that faces an edge most: (u_0, height_0, u_1, height_1, vertex_0, vertex_1), the deeper
    end first; of an arc or a lone vertex one point, and ARC.

    The edge begins at the origin, and (mx, my) is its normal outwards. u runs along it, heights are measured from it.
    """
    _, vertex = support(hull, -mx, -my)
    px, py = feature_point(hull, vertex, -mx, -my)
    u_0 = (py - origin_y) * mx - (px - origin_x) * my
    height_0 = (px - origin_x) * mx + (py - origin_y) * my
    other = ARC
    if vertex != ARC:
        other = incident_edge(hull, vertex, mx, my)
    if other == ARC:
        return u_0, height_0, u_0, height_0, vertex, ARC
    qx = hull[at.X + other]
    qy = hull[at.Y + other]
    u_1 = (qy - origin_y) * mx - (qx - origin_x) * my
    height_1 = (qx - origin_x) * mx + (qy - origin_y) * my
    return u_0, height_0, u_1, height_1, vertex, other


@inlined_scalar
def clipped_incident(
    reference: NDArray[float64], edge: int, incident: NDArray[float64]
) -> tuple[int, float, float, float, float, int, int]:
    """The incident edge over the reference edge: (points, u_0, height_0, u_1, height_1, vertex_0, vertex_1), as of
    :func:`facing_feature`, to cores without rounding. One point where the incident feature is an arc or a lone vertex.
    """
    mx = reference[at.NORMAL_X + edge]
    my = reference[at.NORMAL_Y + edge]
    origin_x = reference[at.X + edge]
    origin_y = reference[at.Y + edge]
    last = edge + 1 if edge + 1 < int(reference[at.VERTEX_COUNT]) else 0
    width = (reference[at.Y + last] - origin_y) * mx - (reference[at.X + last] - origin_x) * my
    u_0, height_0, u_1, height_1, vertex, other = facing_feature(incident, mx, my, origin_x, origin_y)
    if other == ARC:
        u_0 = min(max(u_0, 0.0), width)
        return 1, u_0, height_0, u_0, height_0, vertex, vertex
    u_0, height_0, u_1, height_1 = clip_to_edge(u_0, height_0, u_1, height_1, width, 0)
    return 2, u_0, height_0, u_1, height_1, vertex, other


@inlined_scalar
def manifold(
    a: NDArray[float64],
    b: NDArray[float64],
    nx: float,
    ny: float,
    kind: int,
    feature_a: int,
    feature_b: int,
    size: float,
    prediction: float,
) -> ManifoldNumbers:
    """Contact points of two hulls whose :func:`separation` is given, with how far apart the surfaces are at each.

    ``size`` is the smaller shape's. A second point counts where the surfaces are less than ``prediction`` apart. An
    unused one repeats the first, and has no feature.
    """
    rounding_a = a[at.ROUNDING]
    rounding_b = b[at.ROUNDING]
    if kind == POINTS:
        ax, ay = feature_point(a, feature_a, nx, ny)
        bx, by = feature_point(b, feature_b, -nx, -ny)
        middle_x = 0.5 * (ax + bx + (rounding_a - rounding_b) * nx)
        middle_y = 0.5 * (ay + by + (rounding_a - rounding_b) * ny)
        apart = (bx - ax) * nx + (by - ay) * ny - (rounding_a + rounding_b)
        feature = feature_of(feature_a, feature_b)
        return 1, middle_x, middle_y, middle_x, middle_y, apart, apart, feature, NO_FEATURE

    reference, edge, incident = a, feature_a, b
    rounding_reference, rounding_incident = rounding_a, rounding_b
    if kind != EDGE_OF_A:
        reference, edge, incident = b, feature_b, a
        rounding_reference, rounding_incident = rounding_b, rounding_a
    count, u_0, height_0, u_1, height_1, vertex_0, vertex_1 = clipped_incident(reference, edge, incident)
    if height_1 - rounding_incident - rounding_reference >= prediction or abs(u_1 - u_0) <= DISTINCT * size:
        count = 1
    mx = reference[at.NORMAL_X + edge]
    my = reference[at.NORMAL_Y + edge]
    # The end of the reference edge that each end of the incident one is at.
    last = edge + 1 if edge + 1 < int(reference[at.VERTEX_COUNT]) else 0
    end_0 = edge if u_0 <= u_1 else last
    end_1 = last if u_0 <= u_1 else edge
    if kind != EDGE_OF_A:
        end_0, vertex_0 = vertex_0, end_0
        end_1, vertex_1 = vertex_1, end_1
    # Midway in height between the incident surface, at height − rounding, and the reference surface.
    middle_0 = 0.5 * (height_0 + rounding_reference - rounding_incident)
    x_0 = reference[at.X + edge] - u_0 * my + middle_0 * mx
    y_0 = reference[at.Y + edge] + u_0 * mx + middle_0 * my
    apart_0 = height_0 - rounding_incident - rounding_reference
    feature_0 = feature_of(end_0, vertex_0)
    if count == 1:
        return count, x_0, y_0, x_0, y_0, apart_0, apart_0, feature_0, NO_FEATURE
    middle_1 = 0.5 * (height_1 + rounding_reference - rounding_incident)
    x_1 = reference[at.X + edge] - u_1 * my + middle_1 * mx
    y_1 = reference[at.Y + edge] + u_1 * mx + middle_1 * my
    apart_1 = height_1 - rounding_incident - rounding_reference
    return count, x_0, y_0, x_1, y_1, apart_0, apart_1, feature_0, feature_of(end_1, vertex_1)
