"""Where a fan wider than π touches another shape: of the points of all pieces the two on which the shapes stand."""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.contact.convex import ARC_RADIUS, NORMAL_X, NORMAL_Y, ROUNDING, X, Y, feature_point, support
from ecsphys.engine.contact.manifold import DISTINCT, NO_FEATURE, ManifoldNumbers, manifold
from ecsphys.engine.contact.separation import separation
from ecsphys.engine.contact.shape_pieces import pieces_of
from ecsphys.engine.kernels.compilation import inlined_scalar, scalar

# Cosine of the angle up to which two normals are one.
_ALIKE = 1.0 - 1e-12

# A contact point in the scratch slot: where it is along the surface, its place, how far apart the surfaces are, and its
# feature. Two pieces of each shape have eight at most, and two are there before.
_ALONG, _AT_X, _AT_Y, _APART, _FEATURE = range(5)
_POINT = 5

# The slope up to which points are level.
_LEVEL = 1e-9


@scalar
def touching_point(
    hulls: NDArray[float64], half: int, edge: int, other: int, x: float, y: float, slop: float
) -> tuple[bool, float, float]:
    """Whether the other hull, moved by (x, y) until it touches the line of a half's edge, touches the edge itself.

    With it the point that touches, moved half the way back.
    """
    nx = hulls[half, NORMAL_X + edge]
    ny = hulls[half, NORMAL_Y + edge]
    _, feature = support(hulls[other], -nx, -ny)
    px, py = feature_point(hulls[other], feature, -nx, -ny)
    px += 0.5 * x - hulls[other, ROUNDING] * nx
    py += 0.5 * y - hulls[other, ROUNDING] * ny
    along = (py + 0.5 * y - hulls[half, Y + edge]) * nx - (px + 0.5 * x - hulls[half, X + edge]) * ny
    return -slop <= along <= hulls[half, ARC_RADIUS] + slop, px, py


@inlined_scalar
def with_pieces(found: ManifoldNumbers, pieces: int) -> ManifoldNumbers:
    """A manifold whose features name their pieces."""
    count, x_0, y_0, x_1, y_1, apart_0, apart_1, feature_0, feature_1 = found
    if count == 2:
        feature_1 |= pieces
    return count, x_0, y_0, x_1, y_1, apart_0, apart_1, feature_0 | pieces, feature_1


@inlined_scalar
def _put_points(points: NDArray[float64], count: int, found: ManifoldNumbers, nx: float, ny: float) -> int:
    """Put the points of a manifold behind the ``count`` that there are; how many there are now."""
    number, x_0, y_0, x_1, y_1, apart_0, apart_1, feature_0, feature_1 = found
    for k in range(number):
        x = x_0 if k == 0 else x_1
        y = y_0 if k == 0 else y_1
        start = (count + k) * _POINT
        points[start + _ALONG] = x * ny - y * nx
        points[start + _AT_X] = x
        points[start + _AT_Y] = y
        points[start + _APART] = apart_0 if k == 0 else apart_1
        points[start + _FEATURE] = feature_0 if k == 0 else feature_1
    return count + number


@inlined_scalar
def _lands_on(points: NDArray[float64], count: int, pivot: int, side: int, size: float) -> tuple[int, float]:
    """Of the points on a side of the pivot, 1 or −1, the one that a turn about it brings together first, of several
    the furthest, and by which slope; the pivot itself if there is no such point."""
    found = pivot
    least = math.inf
    furthest = 0.0
    for k in range(count):
        beside = side * (points[k * _POINT + _ALONG] - points[pivot * _POINT + _ALONG])
        if not beside > DISTINCT * size:
            continue
        slope = (points[k * _POINT + _APART] - points[pivot * _POINT + _APART]) / beside
        if slope < least - _LEVEL or (slope < least + _LEVEL and beside > furthest):
            found, least, furthest = k, slope, beside
    return found, least


@inlined_scalar
def _standing(points: NDArray[float64], count: int, size: float) -> tuple[int, int]:
    """The two of some points on which a shape stands on the other, the deeper first: the deepest of all, and the one on
    which it lands as it turns about that; where it lies level on both sides of the deepest, one on each. The same twice
    where there is no other."""
    deepest = 0
    for k in range(1, count):
        if points[k * _POINT + _APART] < points[deepest * _POINT + _APART]:
            deepest = k
    right, right_slope = _lands_on(points, count, deepest, 1, size)
    left, left_slope = _lands_on(points, count, deepest, -1, size)
    if max(left_slope, right_slope) <= _LEVEL:
        if points[left * _POINT + _APART] < points[right * _POINT + _APART]:
            return left, right
        return right, left
    return deepest, right if right_slope <= left_slope else left


@scalar
def joined_points(
    found: ManifoldNumbers,
    hulls: NDArray[float64],
    ranges: tuple[int, int, int, int],
    normal: tuple[float, float],
    slop: float,
    size: float,
    prediction: float,
) -> ManifoldNumbers:
    """A manifold of two pieces with the points of all others along the same normal: of all the two on which the shapes
    stand.

    So a fan stands on both tips of its mouth. ``ranges`` are the slots of the pieces as :func:`set_pair` gives them.
    """
    first_a, end_a, first_b, end_b = ranges
    nx, ny = normal
    points = hulls[hulls.shape[0] - 1]
    count = _put_points(points, 0, found, nx, ny)
    whole_a = first_a - 1 if end_a > first_a + 1 else first_a
    whole_b = first_b - 1 if end_b > first_b + 1 else first_b
    for p in range(first_a, end_a):
        for q in range(first_b, end_b):
            least_apart = slop - prediction - hulls[p, ROUNDING] - hulls[q, ROUNDING]
            overlap, mx, my, kind, i, j = separation(hulls[p], hulls[q], slop, least_apart)
            if not overlap > least_apart or mx * nx + my * ny < _ALIKE:
                continue
            others = manifold(hulls[p], hulls[q], mx, my, kind, i, j, size, prediction)
            count = _put_points(points, count, with_pieces(others, pieces_of(p - whole_a, q - whole_b)), nx, ny)
    first, second = _standing(points, count, size)
    first *= _POINT
    second *= _POINT
    x = points[first + _AT_X]
    y = points[first + _AT_Y]
    apart = points[first + _APART]
    feature = int(points[first + _FEATURE])
    if second == first:
        return 1, x, y, x, y, apart, apart, feature, NO_FEATURE
    return (
        2,
        x,
        y,
        points[second + _AT_X],
        points[second + _AT_Y],
        apart,
        points[second + _APART],
        feature,
        int(points[second + _FEATURE]),
    )
