"""Contact with a fan wider than π: not convex, so the union of its two half fans.

The two overlap where any half does, or where a sector across the seam of the halves does: a needle that lies along the
seam can leave either half sideways, by half its width, and still be in the fan. Three kinds of translation are known to
part them; the shortest is the contact:

1. the least separation of the fan's *convex hull* (its arc closed by a chord). It always parts them and is never
   longer than leaving the fan's full circle, which contains the hull;
2. *into the gap*: beyond the lines of both straight edges at once. The gap is the intersection of the two half
   planes outside these lines, so a shape inside it touches neither half; the shortest such translation is past one
   line if this is enough for the other, else into their corner;
3. the least separation of *one piece*, past an edge's end for example, if afterwards none overlaps. Not with the
   narrowest gaps: what overlaps both halves by rounding only may have its tip well inside of both.

Contact points are where the shapes touch once they are parted, moved back by half the depth: at most that far from
either; of all pieces that do along the same normal the two on which they stand. Where they are parted
further than to touch, they belong to the two pieces that overlap most.

Where no pieces overlap, the contact belongs to the two closest pieces.
"""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.kernels.compilation import inlined_scalar, scalar
from ecsphys.engine.manifold import convex as at
from ecsphys.engine.manifold.convex import (
    END_EDGE,
    START_EDGE,
    feature_point,
    parted_by,
    piece_beside,
    pieces_of,
    straddles,
    support,
)
from ecsphys.engine.manifold.manifold import (
    DISTINCT,
    NO_CONTACT,
    NO_FEATURE,
    ContactNumbers,
    ManifoldNumbers,
    feature_of,
    manifold,
)
from ecsphys.engine.manifold.separation import EDGE_OF_A, EDGE_OF_B, POINTS, separation

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
    nx = hulls[half, at.NORMAL_X + edge]
    ny = hulls[half, at.NORMAL_Y + edge]
    _, feature = support(hulls[other], -nx, -ny)
    px, py = feature_point(hulls[other], feature, -nx, -ny)
    px += 0.5 * x - hulls[other, at.ROUNDING] * nx
    py += 0.5 * y - hulls[other, at.ROUNDING] * ny
    along = (py + 0.5 * y - hulls[half, at.Y + edge]) * nx - (px + 0.5 * x - hulls[half, at.X + edge]) * ny
    return -slop <= along <= hulls[half, at.ARC_RADIUS] + slop, px, py


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
            least_apart = slop - prediction - hulls[p, at.ROUNDING] - hulls[q, at.ROUNDING]
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


# Sine of half a gap's angle by which rounding errors may be magnified.
_NARROW_GAP = 1e-5


@scalar
def _into_gap(hulls: NDArray[float64], fan: int, other: int, slop: float) -> tuple[float, float, float, bool, bool]:
    """Shortest translation of ``other`` (a hull) beyond the lines of both straight edges of a wide fan.

    (length, unit x, unit y, whether it touches the start edge's line afterwards, the same for the end edge's.)

    With γ half the gap's angle, u its direction (−axis) and v a quarter turn from the axis, the edges' outward
    normals are u sin γ ± v cos γ. Beyond both lines by exactly f_start and f_end:
    u (f_start + f_end) / (2 sin γ) + v (f_start − f_end) / (2 cos γ).
    A narrow gap magnifies the rounding of f, which is why that is added.
    """
    start = fan + 1
    end = fan + 2
    start_x = hulls[start, at.NORMAL_X + START_EDGE]
    start_y = hulls[start, at.NORMAL_Y + START_EDGE]
    end_x = hulls[end, at.NORMAL_X + END_EDGE]
    end_y = hulls[end, at.NORMAL_Y + END_EDGE]
    apex_x = hulls[fan, at.ARC_X]
    apex_y = hulls[fan, at.ARC_Y]
    rounding = hulls[other, at.ROUNDING]
    past_start = apex_x * start_x + apex_y * start_y + support(hulls[other], -start_x, -start_y)[0] + rounding
    past_end = apex_x * end_x + apex_y * end_y + support(hulls[other], -end_x, -end_y)[0] + rounding
    cosine = start_x * end_x + start_y * end_y
    if past_start > 0.0 and past_start * cosine >= past_end:
        return past_start, start_x, start_y, True, False
    if past_end > 0.0 and past_end * cosine >= past_start:
        return past_end, end_x, end_y, False, True
    axis_x = hulls[fan, at.ARC_AXIS_X]
    axis_y = hulls[fan, at.ARC_AXIS_Y]
    outward = (0.5 * (past_start + past_end) + slop) / hulls[fan, at.ARC_SIN]
    sideways = -0.5 * (past_start - past_end) / hulls[fan, at.ARC_COS]
    x = -outward * axis_x - sideways * axis_y
    y = -outward * axis_y + sideways * axis_x
    length = math.sqrt(x * x + y * y)
    if not 0.0 < length < math.inf:
        return math.inf, 0.0, 1.0, False, False
    return length, x / length, y / length, True, True


@scalar
def wide_fan_contact(
    hulls: NDArray[float64],
    whole_a: int,
    first_a: int,
    end_a: int,
    whole_b: int,
    first_b: int,
    end_b: int,
    slop: float,
    size: float,
    prediction: float,
) -> ContactNumbers:
    """Contact of two shapes filled in by :func:`set_pair`, at least one of them a wide fan; depth −inf: none.

    If the normal does not belong to the pieces of these points, as in the gap, each point is as far apart as the
    shapes are.
    """
    rounding = hulls[whole_a, at.ROUNDING] + hulls[whole_b, at.ROUNDING]
    least = slop - rounding
    least_apart = least - prediction
    is_wide_a = first_a != whole_a
    is_wide_b = first_b != whole_b
    # The sectors across the seams count where something can lie along a seam.
    last_a = end_a + 1 if is_wide_a and straddles(hulls, whole_a, whole_b, slop) else end_a
    last_b = end_b + 1 if is_wide_b and straddles(hulls, whole_b, whole_a, slop) else end_b

    best = math.inf
    best_x = 0.0
    best_y = 1.0
    # The points come from two pieces and the features of their separation along (point_x, point_y).
    point_x = 0.0
    point_y = 1.0
    piece_a = whole_a
    piece_b = whole_b
    kind = POINTS
    feature_a = 0
    feature_b = 0

    # 3., and in passing the deepest overlap of two pieces, or the two that are closest.
    deepest = 0.0
    closest = least_apart
    deep_x = 0.0
    deep_y = 1.0
    deep_a = whole_a
    deep_b = whole_b
    deep_kind = POINTS
    deep_feature_a = 0
    deep_feature_b = 0
    wide_gaps = not (is_wide_a and hulls[whole_a, at.ARC_SIN] <= _NARROW_GAP) and not (
        is_wide_b and hulls[whole_b, at.ARC_SIN] <= _NARROW_GAP
    )
    for p in range(first_a, last_a):
        for q in range(first_b, last_b):
            if deepest > 0.0 and (p == end_a or q == end_b):
                continue
            overlap, nx, ny, k, i, j = separation(hulls[p], hulls[q], slop, least_apart)
            if not overlap > least:
                if deepest == 0.0 and overlap > closest:
                    closest, deep_x, deep_y = overlap, nx, ny
                    deep_a, deep_b = p, q
                    deep_kind, deep_feature_a, deep_feature_b = k, i, j
                continue
            depth = overlap + rounding
            if depth > deepest:
                deepest, deep_x, deep_y = depth, nx, ny
                deep_a, deep_b = p, q
                deep_kind, deep_feature_a, deep_feature_b = k, i, j
            if (
                wide_gaps
                and depth < best
                and parted_by(hulls, first_a, end_a, first_b, end_b, depth * nx, depth * ny, slop)
            ):
                best, best_x, best_y = depth, nx, ny
                point_x, point_y = nx, ny
                piece_a, piece_b = p, q
                kind, feature_a, feature_b = k, i, j
    if deepest == 0.0:
        if not closest > least_apart:
            return NO_CONTACT
        found = manifold(
            hulls[deep_a], hulls[deep_b], deep_x, deep_y, deep_kind, deep_feature_a, deep_feature_b, size, prediction
        )
        best = min(closest + rounding, 0.0)
        pieces = pieces_of(deep_a - whole_a, deep_b - whole_b)
        count, x_0, y_0, x_1, y_1, apart_0, apart_1, feature_0, feature_1 = joined_points(
            with_pieces(found, pieces),
            hulls,
            (first_a, end_a, first_b, end_b),
            (deep_x, deep_y),
            slop,
            size,
            prediction,
        )
        return (best, deep_x, deep_y, count, x_0, y_0, x_1, y_1), (apart_0, apart_1, feature_0, feature_1)

    # 2.
    gap_of = -1
    touches_start = False
    touches_end = False
    for fan in (whole_a, whole_b):
        if not (is_wide_a if fan == whole_a else is_wide_b):
            continue
        length, x, y, at_start, at_end = _into_gap(hulls, fan, whole_a + whole_b - fan, slop)
        if length < best - slop:
            best = length
            best_x = x if fan == whole_a else -x
            best_y = y if fan == whole_a else -y
            gap_of = fan
            touches_start, touches_end = at_start, at_end

    # 1.
    overlap, nx, ny, k, i, j = separation(hulls[whole_a], hulls[whole_b], slop, -math.inf)
    depth = overlap + rounding
    through_chord = (k == EDGE_OF_A and is_wide_a) or (k == EDGE_OF_B and is_wide_b)
    if depth < best - slop:
        best, best_x, best_y = depth, nx, ny
        point_x, point_y = nx, ny
        gap_of = -1
        kind, feature_a, feature_b = k, i, j
        piece_a, piece_b = whole_a, whole_b
        if k == EDGE_OF_A and is_wide_b:
            piece_b = piece_beside(hulls, whole_a, i, first_b, end_b, slop)
            through_chord = through_chord or piece_b < 0
        elif k == EDGE_OF_B and is_wide_a:
            piece_a = piece_beside(hulls, whole_b, j, first_a, end_a, slop)
            through_chord = through_chord or piece_a < 0
    else:
        through_chord = False

    if gap_of >= 0:
        x = best * best_x if gap_of == whole_a else -best * best_x
        y = best * best_y if gap_of == whole_a else -best * best_y
        other = whole_a + whole_b - gap_of
        x_0 = y_0 = x_1 = y_1 = 0.0
        if touches_start:
            touches_start, x_0, y_0 = touching_point(hulls, gap_of + 1, START_EDGE, other, x, y, slop)
        if touches_end:
            touches_end, x_1, y_1 = touching_point(hulls, gap_of + 2, END_EDGE, other, x, y, slop)
        if touches_start or touches_end:
            if not touches_start:
                x_0, y_0 = x_1, y_1
            elif not touches_end:
                x_1, y_1 = x_0, y_0
            count = 2 if abs(x_1 - x_0) + abs(y_1 - y_0) > DISTINCT * size else 1
            # A shape in the gap touches one edge of it or both.
            pieces = pieces_of(0, 0)
            feature_0 = pieces | feature_of(START_EDGE if touches_start else END_EDGE, 0)
            feature_1 = NO_FEATURE if count == 1 else pieces | feature_of(END_EDGE, 0)
            return (best, best_x, best_y, count, x_0, y_0, x_1, y_1), (-best, -best, feature_0, feature_1)
    is_along = gap_of < 0 and not through_chord
    if not is_along:
        # The chord is no surface, nor is an edge's line beyond its ends.
        point_x, point_y = deep_x, deep_y
        piece_a, piece_b = deep_a, deep_b
        kind, feature_a, feature_b = deep_kind, deep_feature_a, deep_feature_b
    found = manifold(
        hulls[piece_a],
        hulls[piece_b],
        point_x,
        point_y,
        kind,
        feature_a,
        feature_b,
        size,
        prediction if is_along else 0.0,
    )
    found = with_pieces(found, pieces_of(piece_a - whole_a, piece_b - whole_b))
    if is_along:
        found = joined_points(found, hulls, (first_a, end_a, first_b, end_b), (best_x, best_y), slop, size, prediction)
    count, x_0, y_0, x_1, y_1, apart_0, apart_1, feature_0, feature_1 = found
    if not is_along:
        apart_0 = apart_1 = -best
    return (best, best_x, best_y, count, x_0, y_0, x_1, y_1), (apart_0, apart_1, feature_0, feature_1)
