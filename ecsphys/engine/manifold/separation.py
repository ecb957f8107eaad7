"""Signed separation of two convex hulls, exact and without iteration.

For a unit vector n let f(n) = h_A(n) + h_B(−n), with the support functions h (largest p · n) of both hulls. Moved by
f(n) along n, B lies beyond A's tangent line: *every* f(n) truly separates, and the smallest one is the penetration
depth where it is positive, and minus the distance where it is negative. f is the support function of the Minkowski
difference K = A − B; rounding radii only add a constant to f, so the minimum is sought without them.

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
"""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.kernels import inlined_scalar, scalar
from ecsphys.engine.manifold import convex as at
from ecsphys.engine.manifold.convex import ARC, may_face_arc, support
from ecsphys.engine.math.elementary import unit_vector

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
