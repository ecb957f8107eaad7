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

from ecsphys.engine.kernels import NamedTuple, inlined_scalar, scalar
from ecsphys.engine.manifold import convex as at
from ecsphys.engine.manifold import manifold as of
from ecsphys.engine.manifold.convex import END_EDGE, START_EDGE, Pieces, feature_point, support, turn_hull

# Cosine of the angle up to which two normals are one.
_ALIKE = 1.0 - 1e-12

# A contact point in the scratch slot: where it is along the surface, its place, how far apart the surfaces are, and its
# feature. Two pieces of each shape have eight at most, and two are there before.
_ALONG, _AT_X, _AT_Y, _APART, _FEATURE = range(5)
_POINT = 5

# The slope up to which points are level.
_LEVEL = 1e-9


class _Parting(NamedTuple):
    """A translation that parts two pieces: by a depth along the unit vector n. With the slots of the pieces, and kind
    and features of their separation."""

    depth: float
    nx: float
    ny: float
    a: int
    b: int
    kind: int
    feature_a: int
    feature_b: int


@inlined_scalar
def _pieces_of(piece_a: int, piece_b: int) -> int:
    """The part of a feature that names its pieces; 0 for convex shapes."""
    return (piece_a * at.SLOTS_PER_SIDE + piece_b + 1) << of.FEATURE_BITS


@scalar
def _straddles(hulls: NDArray[float64], fan: int, other: int, slop: float) -> bool:
    """Whether the other hull lies on both sides of the line through a wide fan's seam."""
    left_x = -hulls[fan, at.ARC_AXIS_Y]
    left_y = hulls[fan, at.ARC_AXIS_X]
    seam = hulls[fan, at.ARC_X] * left_x + hulls[fan, at.ARC_Y] * left_y
    limit = -hulls[other, at.ROUNDING] - slop
    on_left = support(hulls[other], left_x, left_y)[0] - seam
    on_right = support(hulls[other], -left_x, -left_y)[0] + seam
    return bool(on_left > limit and on_right > limit)


@scalar
def _parted_by(hulls: NDArray[float64], pieces: Pieces, x: float, y: float, slop: float) -> bool:
    """Whether no piece of A overlaps any of B's after B has moved by (x, y).

    The sectors across the seams count too: A's only if the piece of B straddles its seam.
    """
    is_wide_a = pieces.first_a != pieces.whole_a
    last_b = pieces.end_b + 1 if pieces.first_b != pieces.whole_b else pieces.end_b
    moved_slot = hulls.shape[0] - 1
    moved = hulls[moved_slot]
    for q in range(pieces.first_b, last_b):
        turn_hull(hulls[q], moved, 0.0, 0.0, 0.0, x, y)
        last_a = pieces.end_a
        if is_wide_a and _straddles(hulls, pieces.whole_a, moved_slot, slop):
            last_a += 1
        for p in range(pieces.first_a, last_a):
            limit = slop - hulls[p, at.ROUNDING] - moved[at.ROUNDING]
            if of.separation(hulls[p], moved, slop, limit)[0] > limit:
                return False
    return True


@scalar
def _piece_beside(hulls: NDArray[float64], whole: int, edge: int, first: int, end: int, slop: float) -> int:
    """The piece that reaches furthest towards an edge of another hull, among the pieces beside it; −1: none reaches it.

    Where a fan's mouth is as wide as what enters, or wider, both of its tips lie beyond the ends of that edge.
    """
    nx = hulls[whole, at.NORMAL_X + edge]
    ny = hulls[whole, at.NORMAL_Y + edge]
    following = (edge + 1) % int(hulls[whole, at.VERTEX_COUNT])
    x = hulls[whole, at.X + edge]
    y = hulls[whole, at.Y + edge]
    length = (hulls[whole, at.Y + following] - y) * nx - (hulls[whole, at.X + following] - x) * ny
    found = -1
    furthest = -math.inf
    for piece in range(first, end):
        reach, feature = support(hulls[piece], -nx, -ny)
        px, py = feature_point(hulls[piece], feature, -nx, -ny)
        along = (py - y) * nx - (px - x) * ny
        if reach > furthest and -slop <= along <= length + slop:
            furthest = reach
            found = piece
    return found


@scalar
def _touching_point(
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


@scalar
def _points_of(
    parting: _Parting, hulls: NDArray[float64], pieces: Pieces, size: float, prediction: float
) -> of.ManifoldNumbers:
    """The manifold of two pieces, whose features name them."""
    a, b = parting.a, parting.b
    count, x_0, y_0, x_1, y_1, apart_0, apart_1, feature_0, feature_1 = of.manifold(
        hulls[a],
        hulls[b],
        parting.nx,
        parting.ny,
        parting.kind,
        parting.feature_a,
        parting.feature_b,
        size,
        prediction,
    )
    names = _pieces_of(a - pieces.whole_a, b - pieces.whole_b)
    if count == 2:
        feature_1 |= names
    return count, x_0, y_0, x_1, y_1, apart_0, apart_1, feature_0 | names, feature_1


@inlined_scalar
def _put_points(points: NDArray[float64], count: int, found: of.ManifoldNumbers, nx: float, ny: float) -> int:
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
        if not beside > of.DISTINCT * size:
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
def _joined_points(
    parting: _Parting, hulls: NDArray[float64], pieces: Pieces, slop: float, size: float, prediction: float
) -> of.ManifoldNumbers:
    """The manifold of two pieces with the points of all others along the same normal: of all the two on which the
    shapes stand. So a fan stands on both tips of its mouth."""
    nx, ny = parting.nx, parting.ny
    points = hulls[hulls.shape[0] - 1]
    count = _put_points(points, 0, _points_of(parting, hulls, pieces, size, prediction), nx, ny)
    for p in range(pieces.first_a, pieces.end_a):
        for q in range(pieces.first_b, pieces.end_b):
            least_apart = slop - prediction - hulls[p, at.ROUNDING] - hulls[q, at.ROUNDING]
            overlap, mx, my, kind, i, j = of.separation(hulls[p], hulls[q], slop, least_apart)
            if not overlap > least_apart or mx * nx + my * ny < _ALIKE:
                continue
            others = _Parting(overlap, mx, my, p, q, kind, i, j)
            count = _put_points(points, count, _points_of(others, hulls, pieces, size, prediction), nx, ny)
    first, second = _standing(points, count, size)
    first *= _POINT
    second *= _POINT
    x, y, apart = points[first + _AT_X], points[first + _AT_Y], points[first + _APART]
    feature = int(points[first + _FEATURE])
    if second == first:
        return 1, x, y, x, y, apart, apart, feature, of.NO_FEATURE
    other_x, other_y, other_apart = points[second + _AT_X], points[second + _AT_Y], points[second + _APART]
    return 2, x, y, other_x, other_y, apart, other_apart, feature, int(points[second + _FEATURE])


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
def _part_pieces(
    hulls: NDArray[float64], pieces: Pieces, slop: float, prediction: float
) -> tuple[bool, _Parting, _Parting]:
    """Whether any pieces overlap; the two that do most, or are closest, depth −inf if none are near; and the least
    overlap of two (3.) by which the shapes are parted, infinite without one."""
    whole_a, first_a, end_a, whole_b, first_b, end_b = pieces
    rounding = hulls[whole_a, at.ROUNDING] + hulls[whole_b, at.ROUNDING]
    least = slop - rounding
    least_apart = least - prediction
    is_wide_a = first_a != whole_a
    is_wide_b = first_b != whole_b
    # The sectors across the seams count where something can lie along a seam.
    last_a = end_a + 1 if is_wide_a and _straddles(hulls, whole_a, whole_b, slop) else end_a
    last_b = end_b + 1 if is_wide_b and _straddles(hulls, whole_b, whole_a, slop) else end_b
    wide_gaps = not (is_wide_a and hulls[whole_a, at.ARC_SIN] <= _NARROW_GAP) and not (
        is_wide_b and hulls[whole_b, at.ARC_SIN] <= _NARROW_GAP
    )
    overlaps = False
    deepest = _Parting(-math.inf, 0.0, 1.0, whole_a, whole_b, of.POINTS, 0, 0)
    best = _Parting(math.inf, 0.0, 1.0, whole_a, whole_b, of.POINTS, 0, 0)
    for p in range(first_a, last_a):
        for q in range(first_b, last_b):
            if overlaps and (p == end_a or q == end_b):
                continue
            overlap, nx, ny, kind, i, j = of.separation(hulls[p], hulls[q], slop, least_apart)
            found = _Parting(overlap + rounding, nx, ny, p, q, kind, i, j)
            if overlap > least_apart and found.depth > deepest.depth:
                deepest = found
            if not overlap > least:
                continue
            overlaps = True
            depth = found.depth
            if wide_gaps and depth < best.depth and _parted_by(hulls, pieces, depth * nx, depth * ny, slop):
                best = found
    return overlaps, deepest, best


@scalar
def _part_hulls(hulls: NDArray[float64], pieces: Pieces, slop: float) -> tuple[bool, _Parting]:
    """The least separation of the convex hulls (1.); and whether it is between two surfaces, not at a chord."""
    whole_a, first_a, end_a, whole_b, first_b, end_b = pieces
    is_wide_a = first_a != whole_a
    is_wide_b = first_b != whole_b
    overlap, nx, ny, kind, i, j = of.separation(hulls[whole_a], hulls[whole_b], slop, -math.inf)
    depth = overlap + hulls[whole_a, at.ROUNDING] + hulls[whole_b, at.ROUNDING]
    is_surface = not ((kind == of.EDGE_OF_A and is_wide_a) or (kind == of.EDGE_OF_B and is_wide_b))
    a, b = whole_a, whole_b
    if kind == of.EDGE_OF_A and is_wide_b:
        b = _piece_beside(hulls, whole_a, i, first_b, end_b, slop)
    elif kind == of.EDGE_OF_B and is_wide_a:
        a = _piece_beside(hulls, whole_b, j, first_a, end_a, slop)
    return is_surface and a >= 0 and b >= 0, _Parting(depth, nx, ny, a, b, kind, i, j)


@scalar
def _points_at_gap(
    hulls: NDArray[float64],
    pieces: Pieces,
    fan: int,
    at_start: bool,
    at_end: bool,
    best: float,
    nx: float,
    ny: float,
    slop: float,
    size: float,
) -> of.ManifoldNumbers:
    """The points at which a shape in the gap of a fan touches one edge of it or both; no points if it touches
    neither, but only their lines."""
    sign = best if fan == pieces.whole_a else -best
    x, y = sign * nx, sign * ny
    other = pieces.whole_a + pieces.whole_b - fan
    x_0 = y_0 = x_1 = y_1 = 0.0
    if at_start:
        at_start, x_0, y_0 = _touching_point(hulls, fan + 1, START_EDGE, other, x, y, slop)
    if at_end:
        at_end, x_1, y_1 = _touching_point(hulls, fan + 2, END_EDGE, other, x, y, slop)
    if not at_start:
        x_0, y_0 = x_1, y_1
    elif not at_end:
        x_1, y_1 = x_0, y_0
    count = 0
    if at_start or at_end:
        count = 2 if abs(x_1 - x_0) + abs(y_1 - y_0) > of.DISTINCT * size else 1
    names = _pieces_of(0, 0)
    feature_0 = names | of.feature_of(START_EDGE if at_start else END_EDGE, 0)
    feature_1 = names | of.feature_of(END_EDGE, 0) if count == 2 else of.NO_FEATURE
    return count, x_0, y_0, x_1, y_1, -best, -best, feature_0, feature_1


@scalar
def wide_fan_contact(
    hulls: NDArray[float64], pieces: Pieces, slop: float, size: float, prediction: float
) -> of.ContactNumbers:
    """Contact of two shapes filled in by ``set_pair``, at least one of them a wide fan; depth −inf: none.

    If the normal does not belong to the pieces of these points, as in the gap, each point is as far apart as the
    shapes are.
    """
    overlaps, deepest, best = _part_pieces(hulls, pieces, slop, prediction)
    if deepest.depth == -math.inf:
        return of.NO_CONTACT
    is_surface = True
    depth, nx, ny = best.depth, best.nx, best.ny
    if not overlaps:
        best = deepest
        depth, nx, ny = min(best.depth, 0.0), best.nx, best.ny
    else:
        gap_of = -1
        touches_start = False
        touches_end = False
        for fan in (pieces.whole_a, pieces.whole_b):
            is_first = fan == pieces.whole_a
            if (pieces.first_a if is_first else pieces.first_b) == fan:
                continue
            length, x, y, at_start, at_end = _into_gap(hulls, fan, pieces.whole_a + pieces.whole_b - fan, slop)
            if length < depth - slop:
                depth = length
                nx = x if is_first else -x
                ny = y if is_first else -y
                gap_of, touches_start, touches_end = fan, at_start, at_end
        has_surface, hull = _part_hulls(hulls, pieces, slop)
        if hull.depth < depth - slop:
            gap_of = -1
            best, is_surface = hull, has_surface
            depth, nx, ny = hull.depth, hull.nx, hull.ny
        if gap_of >= 0:
            is_surface = False
            count, x_0, y_0, x_1, y_1, apart_0, apart_1, feature_0, feature_1 = _points_at_gap(
                hulls, pieces, gap_of, touches_start, touches_end, depth, nx, ny, slop, size
            )
            if count > 0:
                return (depth, nx, ny, count, x_0, y_0, x_1, y_1), (apart_0, apart_1, feature_0, feature_1)
    if is_surface:
        found = _joined_points(best, hulls, pieces, slop, size, prediction)
    else:
        # The chord is no surface, nor is an edge's line beyond its ends.
        found = _points_of(deepest, hulls, pieces, size, 0.0)
    count, x_0, y_0, x_1, y_1, apart_0, apart_1, feature_0, feature_1 = found
    if not is_surface:
        apart_0 = apart_1 = -depth
    return (depth, nx, ny, count, x_0, y_0, x_1, y_1), (apart_0, apart_1, feature_0, feature_1)
