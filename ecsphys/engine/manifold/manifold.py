"""Separation and contact points of two convex hulls.

**Separation**, signed, exact and without iteration. For a unit vector n let f(n) = h_A(n) + h_B(−n), with the support
functions h (largest p · n) of both hulls. Moved by f(n) along n, B lies beyond A's tangent line: *every* f(n) truly
separates, and the smallest one is the penetration depth where it is positive, and minus the distance where it is
negative. f is the support function of the Minkowski difference K = A − B; rounding radii only add a constant to f, so
the minimum is sought without them.

K is bounded by straight edges (an edge of A, or of B turned round), by arcs (an arc of A with a vertex of B, of B
with a vertex of A, or both arcs), and by vertices (a vertex of A with one of B). With the point k(n) of K that is
extreme along n and the unit tangent t, f'(n) = k(n) · t, so along n

* f' jumps upwards at the normal of a straight edge: a minimum may be there;
* on an arc of radius R about c, f = R + c · n: its only minimum is n = −c/|c|, the direction from the arc's centre
  to the opposite vertex, or from centre to centre of two arcs;
* at a vertex k, f = k · n, which has a minimum only where it is negative: where the hulls are disjoint, along −k.
  Then k is the difference of the two closest points of the hulls, so the pair is the closest of *all* vertex pairs,
  and no other need be tried.

Of an arc's candidates only one needs trying: a vertex v of B is extreme towards the centre c of A's arc where B lies
beyond the line through v across v − c, that is where v is the point of B nearest to c. The direction must be the arc's,
or past its end by rounding only: a vertex in line with a fan's edge is tried on the arc, whichever side it is on.

These are all candidates. Because f itself is evaluated at each, none has to be checked for lying in the range of
normals of its feature: a wrong one is merely not the smallest.

**Contact points** of hulls that overlap, or nearly do: one or two, midway between the two surfaces. Where the
separation is perpendicular to a straight edge, that edge is the *reference*. The *incident* edge is the other hull's
edge at its deepest vertex that faces the reference most. It is clipped to the reference edge's width, and both its ends
are contact points if both are inside.

A point is at one end of the shared part of the two edges; its *feature* is the pair of vertices that end there, one of
each hull. It says which point of one step is which of the next: it stays while shapes slide and turn a little, also
where the other edge becomes the reference.
"""

from __future__ import annotations

import math
from typing import Any

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.kernels import inlined_scalar, scalar
from ecsphys.engine.manifold import convex as at
from ecsphys.engine.manifold.convex import ARC, feature_point, may_face_arc, next_vertex, support
from ecsphys.engine.math.elementary import unit_vector
from ecsphys.engine.math.lanes import absolute, larger, smaller, spread, where

# The direction of the separation is perpendicular to: an edge of A, an edge of B, or nothing (it joins a
# vertex or arc of A and one of B).
POINTS, EDGE_OF_A, EDGE_OF_B = 0, 1, 2

# Face to face, the direction between two points may be an edge's normal but for rounding; then the edge's is kept,
# which gives two contact points. f tells them apart poorly (it has a minimum there), the offset of the two points
# across the normal does well. The bound is in units of f's rounding error.
_ASIDE = 1000.0

# An f above so many slops is positive, whatever rounding has done to it.
_SURELY = 2.0


@scalar
def _support_at(hull: NDArray[float64], nx: float, ny: float, candidate: int, slop: float) -> tuple[float, int]:
    """:func:`support`, at the feature ``candidate`` if it is as extreme as any but for rounding."""
    reach, feature = support(hull, nx, ny)
    if candidate == ARC:
        # Of a needle's arc both ends are as extreme, but they are further apart than that.
        radius = hull[at.ARC_RADIUS]
        if feature != ARC and may_face_arc(hull, radius * nx, radius * ny, slop):
            feature = ARC
    elif hull[at.X + candidate] * nx + hull[at.Y + candidate] * ny >= reach - slop:
        feature = candidate
    return reach, feature


@scalar
def nearest_vertex(hull: NDArray[float64], x: float, y: float) -> tuple[int, float]:
    """The vertex that is closest to (x, y), and the square of its distance."""
    nearest = 0
    best = math.inf
    for k in range(int(hull[at.VERTEX_COUNT])):
        dx = hull[at.X + k] - x
        dy = hull[at.Y + k] - y
        squared = dx * dx + dy * dy
        if squared < best:
            best = squared
            nearest = k
    return nearest, best


@scalar
def closest_vertices(a: NDArray[float64], b: NDArray[float64]) -> tuple[int, int]:
    """The vertex of A and the vertex of B that are closest to each other."""
    best = math.inf
    closest_a = 0
    closest_b = 0
    for i in range(int(a[at.VERTEX_COUNT])):
        j, squared = nearest_vertex(b, a[at.X + i], a[at.Y + i])
        if squared < best:
            best = squared
            closest_a = i
            closest_b = j
    return closest_a, closest_b


@scalar
def _nearest_on_arc(fan: NDArray[float64], other: NDArray[float64], slop: float) -> int:
    """The vertex of the other hull that is closest to the fan's apex of all those towards its arc; −1 if none is.

    Of two ends of a needle, as far away but for rounding, only one may be towards the arc.
    """
    nearest = -1
    best = math.inf
    for k in range(int(other[at.VERTEX_COUNT])):
        dx = other[at.X + k] - fan[at.ARC_X]
        dy = other[at.Y + k] - fan[at.ARC_Y]
        squared = dx * dx + dy * dy
        if squared < best and may_face_arc(fan, dx, dy, slop):
            best = squared
            nearest = k
    return nearest


@scalar
def _between_points(
    a: NDArray[float64], b: NDArray[float64], candidate: int, slop: float
) -> tuple[bool, int, int, float, float]:
    """Two points between which the separation may be: whether there are any, their features, and the way from A's to
    B's. Of ``candidate``, bit 1 is set for the arc of A, and bit 2 for the arc of B; for others it is a vertex."""
    i, j = ARC, ARC
    if candidate == 0:
        i, j = closest_vertices(a, b)
    elif candidate == 1:
        j = _nearest_on_arc(a, b, slop)
    elif candidate == 2:
        i = _nearest_on_arc(b, a, slop)
    is_there = candidate == 3 or max(i, j) >= 0
    from_x, from_y = a[at.ARC_X], a[at.ARC_Y]
    to_x, to_y = b[at.ARC_X], b[at.ARC_Y]
    if i != ARC:
        from_x, from_y = a[at.X + i], a[at.Y + i]
    if j != ARC:
        to_x, to_y = b[at.X + j], b[at.Y + j]
    x, y = to_x - from_x, to_y - from_y
    if candidate == 3:
        is_there = may_face_arc(a, x, y, slop) and may_face_arc(b, -x, -y, slop)
    return is_there, i, j, x, y


@inlined_scalar
def _shallowest_edge(
    own: NDArray[float64], other: NDArray[float64], limit: float, slop: float, stop: float
) -> tuple[float, int]:
    """The smallest f at the normal of an edge of one hull, and that edge; (limit, −1) where none is below the limit.

    The support at the other's middle bounds f from below: most edges face away from it and need no more than that.
    """
    best = limit
    shallowest = -1
    for k in range(int(own[at.EDGE_COUNT])):
        nx = own[at.NORMAL_X + k]
        ny = own[at.NORMAL_Y + k]
        if (own[at.X + k] - other[at.MIDDLE_X]) * nx + (own[at.Y + k] - other[at.MIDDLE_Y]) * ny > best + slop:
            continue
        reach, _ = support(other, -nx, -ny)
        f = own[at.X + k] * nx + own[at.Y + k] * ny + reach
        if f < best:
            best = f
            shallowest = k
            if f <= stop:
                break
    return best, shallowest


@scalar
def separation(
    a: NDArray[float64], b: NDArray[float64], slop: float, stop: float
) -> tuple[float, float, float, int, int, int]:
    """Smallest f(n) of two hulls without their rounding: (f, n_x, n_y, kind, feature of A, feature of B).

    The kind is POINTS, EDGE_OF_A or EDGE_OF_B; the features are vertices or ARC for POINTS, else both are the edge.
    ``slop`` is the rounding error to reckon with (:mod:`ecsphys.engine.math.rounding`). The search ends early with any
    f ≤ ``stop``. Two concentric circles are parted along (0, 1).
    """
    best_x = 0.0
    best_y = 1.0
    kind = POINTS
    feature = 0
    best, edge = _shallowest_edge(a, b, math.inf, slop, stop)
    if edge >= 0:
        kind, feature = EDGE_OF_A, edge
        best_x = a[at.NORMAL_X + edge]
        best_y = a[at.NORMAL_Y + edge]
    if best > stop:
        best, edge = _shallowest_edge(b, a, best, slop, stop)
        if edge >= 0:
            kind, feature = EDGE_OF_B, edge
            best_x = -b[at.NORMAL_X + edge]
            best_y = -b[at.NORMAL_Y + edge]
    feature_a = feature
    feature_b = feature
    if best <= stop:
        return best, best_x, best_y, kind, feature_a, feature_b

    arc_a = a[at.ARC_RADIUS] > 0.0
    arc_b = b[at.ARC_RADIUS] > 0.0
    if kind != POINTS and not (arc_a or arc_b) and best > _SURELY * slop:
        # The hulls truly cross. (Of segments in one line every f is 0 but for rounding, also where they are apart.)
        return best, best_x, best_y, kind, feature_a, feature_b

    # Directions between two points: first the closest vertices, then from each arc's centre. f is flat at a minimum on
    # an arc: there the arc's end may tie with it but for rounding while its direction is off by the root of that. So
    # a direction that truly is an arc's wins a tie.
    arcs = 0
    for candidate in range(4):
        if (candidate & 1 == 1 and not arc_a) or (candidate & 2 == 2 and not arc_b):
            continue
        is_there, i, j, x, y = _between_points(a, b, candidate, slop)
        if not is_there:
            continue
        nx, ny, _ = unit_vector(x, y)
        if nx == 0.0 and ny == 0.0:
            if best < math.inf:
                continue
            nx, ny = best_x, best_y
        reach_a, extreme_a = _support_at(a, nx, ny, i, slop)
        reach_b, extreme_b = _support_at(b, -nx, -ny, j, slop)
        f = reach_a + reach_b
        aside = abs(x * best_y - y * best_x)
        as_good = kind != POINTS and f <= best + slop and extreme_a == i and extreme_b == j
        arcs_here = 0
        if extreme_a == i and extreme_b == j:
            arcs_here = (1 if i == ARC else 0) + (1 if j == ARC else 0)
        on_more_arcs = kind == POINTS and f <= best + slop and arcs_here > arcs
        if f < best - slop or (as_good and aside > _ASIDE * slop) or on_more_arcs:
            best, best_x, best_y = f, nx, ny
            arcs = arcs_here
            kind, feature_a, feature_b = POINTS, extreme_a, extreme_b
            if f <= stop:
                break
    return best, best_x, best_y, kind, feature_a, feature_b


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
    following = next_vertex(hull, vertex)
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
    last = next_vertex(reference, edge)
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
    last = next_vertex(reference, edge)
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
