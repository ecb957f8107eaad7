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

These are all candidates. Because f itself is evaluated at each, none has to be checked for lying in the range of
normals of its feature: a wrong one is merely not the smallest.
"""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.compilation import scalar
from ecsphys.engine.convex import (
    ABOUT,
    ARC,
    ARC_RADIUS,
    ARC_X,
    ARC_Y,
    EDGE_COUNT,
    NORMAL_X,
    NORMAL_Y,
    VERTEX_COUNT,
    X,
    Y,
    support,
)
from ecsphys.engine.unit_vector import unit_vector

# What the direction of the separation is perpendicular to: an edge of A, an edge of B, or nothing (it joins a
# vertex or arc of A and one of B).
POINTS, EDGE_OF_A, EDGE_OF_B = 0, 1, 2

# Face to face, the direction between two points may be an edge's normal but for rounding; then the edge's is kept,
# which gives two contact points. f tells them apart poorly (it has a minimum there), the offset of the two points
# across the normal does well. The bound is in units of f's rounding error.
_ASIDE = 1000.0


@scalar
def _support_at(
    hulls: NDArray[float64], slot: int, nx: float, ny: float, candidate: int, slop: float
) -> tuple[float, int]:
    """:func:`support`, at the vertex ``candidate`` where that is as extreme as any but for rounding."""
    reach, feature = support(hulls, slot, nx, ny)
    if candidate != ARC and hulls[slot, X, candidate] * nx + hulls[slot, Y, candidate] * ny >= reach - slop:
        feature = candidate
    return reach, feature


@scalar
def closest_vertices(hulls: NDArray[float64], a: int, b: int) -> tuple[int, int]:
    """The vertex of A and the vertex of B that are closest to each other."""
    best = math.inf
    closest_a = 0
    closest_b = 0
    for i in range(int(hulls[a, ABOUT, VERTEX_COUNT])):
        for j in range(int(hulls[b, ABOUT, VERTEX_COUNT])):
            x = hulls[b, X, j] - hulls[a, X, i]
            y = hulls[b, Y, j] - hulls[a, Y, i]
            squared = x * x + y * y
            if squared < best:
                best = squared
                closest_a = i
                closest_b = j
    return closest_a, closest_b


@scalar
def separation(
    hulls: NDArray[float64], a: int, b: int, slop: float, stop: float
) -> tuple[float, float, float, int, int, int]:
    """Smallest f(n) of two hulls without their rounding: (f, n_x, n_y, kind, feature of A, feature of B).

    The kind is POINTS, EDGE_OF_A or EDGE_OF_B; the features are vertices or ARC for POINTS, else both are the edge.
    ``slop`` is the rounding error to reckon with. The search ends early with any f ≤ ``stop``. Two concentric
    circles are parted along (0, 1).
    """
    best = math.inf
    best_x = 0.0
    best_y = 1.0
    kind = POINTS
    feature_a = 0
    feature_b = 0
    edges_a = int(hulls[a, ABOUT, EDGE_COUNT])
    edges = edges_a + int(hulls[b, ABOUT, EDGE_COUNT])
    for k in range(edges):
        of_a = k < edges_a
        own, other, edge = (a, b, k) if of_a else (b, a, k - edges_a)
        nx = hulls[own, NORMAL_X, edge]
        ny = hulls[own, NORMAL_Y, edge]
        reach, _ = support(hulls, other, -nx, -ny)
        f = hulls[own, X, edge] * nx + hulls[own, Y, edge] * ny + reach
        if f < best:
            best = f
            best_x = nx if of_a else -nx
            best_y = ny if of_a else -ny
            kind = EDGE_OF_A if of_a else EDGE_OF_B
            feature_a = edge
            feature_b = edge
            if f <= stop:
                return best, best_x, best_y, kind, feature_a, feature_b

    arc_a = hulls[a, ABOUT, ARC_RADIUS] > 0.0
    arc_b = hulls[b, ABOUT, ARC_RADIUS] > 0.0
    if not (arc_a or arc_b) and edges > 0 and best > 0.0:
        return best, best_x, best_y, kind, feature_a, feature_b

    # Directions between two points: first the closest vertices, then from each arc's centre. f is flat at a minimum on
    # an arc: there the arc's end may tie with it but for rounding while its direction is off by the root of that. So
    # a direction that truly is an arc's wins a tie.
    arcs = 0
    vertices_a = int(hulls[a, ABOUT, VERTEX_COUNT])
    vertices_b = int(hulls[b, ABOUT, VERTEX_COUNT])
    tries = 1
    tries_a = vertices_b if arc_a else 0
    tries_b = vertices_a if arc_b else 0
    if arc_a and arc_b:
        tries += 1
    for k in range(tries + tries_a + tries_b):
        if k == 0:
            i, j = closest_vertices(hulls, a, b)
        elif k < tries:
            i, j = ARC, ARC
        elif k < tries + tries_a:
            i, j = ARC, k - tries
        else:
            i, j = k - tries - tries_a, ARC
        from_x, from_y = hulls[a, ABOUT, ARC_X], hulls[a, ABOUT, ARC_Y]
        to_x, to_y = hulls[b, ABOUT, ARC_X], hulls[b, ABOUT, ARC_Y]
        if i != ARC:
            from_x, from_y = hulls[a, X, i], hulls[a, Y, i]
        if j != ARC:
            to_x, to_y = hulls[b, X, j], hulls[b, Y, j]
        nx, ny, _ = unit_vector(to_x - from_x, to_y - from_y)
        if nx == 0.0 and ny == 0.0:
            continue
        reach_a, extreme_a = _support_at(hulls, a, nx, ny, i, slop)
        reach_b, extreme_b = _support_at(hulls, b, -nx, -ny, j, slop)
        f = reach_a + reach_b
        aside = abs((to_x - from_x) * best_y - (to_y - from_y) * best_x)
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
    if best == math.inf:
        best = support(hulls, a, best_x, best_y)[0] + support(hulls, b, -best_x, -best_y)[0]
    return best, best_x, best_y, kind, feature_a, feature_b
