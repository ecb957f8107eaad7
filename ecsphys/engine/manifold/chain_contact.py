"""Contacts with segments of chains: as with one surface, seamless at the joints, and one-sided if the chain asks for
it.

``find_contacts`` sees each segment alone: a box that slides over a joint touches the end of the next one, and the
shortest way out of that may be back where it came from. Such a normal is not *smooth*
(:mod:`ecsphys.engine.shapes.segment`): the contact is replaced by that along the segment's own normal, of what of the
other shape is over the segment; where nothing is, there is no contact: another segment has it, except at a free end.
"""

from __future__ import annotations

from numpy import float64, nan
from numpy.typing import NDArray

from ecsphys.engine.kernels import index, kernel, scalar, scratch
from ecsphys.engine.manifold import convex as at
from ecsphys.engine.manifold.contact import DEPTH, FEATURES, NORMAL, POINT_COUNT, POINTS, SEPARATIONS, ContactRows
from ecsphys.engine.manifold.convex import ARC, HULL_SIZE, between_centres, extent, set_hull
from ecsphys.engine.manifold.manifold import DISTINCT, NO_FEATURE, facing_feature, feature_of
from ecsphys.engine.math.elementary import hypot
from ecsphys.engine.math.rounding import rounding_slop
from ecsphys.engine.shapes import segment as chains
from ecsphys.engine.shapes.layout import ALONG_X, ALONG_Y, CX, CY, OF_A, OF_B, START, ShapeArrays

# Three outcomes for a contact: it stays as it is, it is made again along the segment's normal, it goes.
_SMOOTH, _TO_SNAP, _NONE = 0, 1, 2

_two_hulls = scratch((2, HULL_SIZE))


@scalar
def _judge(segment: int, nx: float, ny: float, placed: ShapeArrays, hulls: NDArray[float64]) -> tuple[int, float]:
    """What becomes of a contact with the normal n, from a segment to another shape; and the side that shape is on.

    The hulls belong to the segment and the other shape, about the segment's centre.
    """
    shapes, pool = placed.shapes, placed.pool
    start = int(shapes[segment, START])
    x, y = chains.to_chain_frame(shapes, segment, hulls[1, at.MIDDLE_X], hulls[1, at.MIDDLE_Y])
    side = chains.side_of(start, x, y, pool)
    blocking = chains.blocking_side(shapes, segment, pool)
    if blocking != chains.BOTH and side != blocking:
        return _NONE, side
    x, y = chains.to_chain_frame(shapes, segment, nx, ny)
    return (_SMOOTH if chains.is_smooth(start, x, y, side, pool) else _TO_SNAP), side


@scalar
def _over_segment(
    own: NDArray[float64], edge: int, other: NDArray[float64], before: float, after: float
) -> tuple[int, float, float, float, float, int, int]:
    """What of a hull is over an edge of a segment: (points, u_0, height_0, u_1, height_1, vertex_0, vertex_1), the
    lower point first, as of ``clipped_incident``.

    An inner corner ahead counts as well: up to ``before`` the edge's first vertex, and ``after`` its last.
    """
    mx, my = own[at.NORMAL_X + edge], own[at.NORMAL_Y + edge]
    from_x, from_y = own[at.X + edge], own[at.Y + edge]
    last = 1 - edge
    width = (own[at.Y + last] - from_y) * mx - (own[at.X + last] - from_x) * my
    low, high = -before, width + after
    u_0, height_0, u_1, height_1, vertex, end = facing_feature(other, mx, my, from_x, from_y)
    if end == ARC:
        count = 1 if low <= u_0 <= high else 0
        return count, u_0, height_0, u_0, height_0, vertex, vertex
    if max(u_0, u_1) < low or min(u_0, u_1) > high:
        return 0, u_0, height_0, u_1, height_1, vertex, end
    along, rise = u_1 - u_0, height_1 - height_0
    t_0, t_1 = 0.0, 1.0
    if along != 0.0:
        t_0 = min(max((min(max(u_0, low), high) - u_0) / along, 0.0), 1.0)
        t_1 = min(max((min(max(u_1, low), high) - u_0) / along, 0.0), 1.0)
    return 2, u_0 + t_0 * along, height_0 + t_0 * rise, u_0 + t_1 * along, height_0 + t_1 * rise, vertex, end


@scalar
def _length_beside(shapes: NDArray[float64], segment: int, which: int, side: float, pool: NDArray[float64]) -> float:
    """How long the neighbour BEFORE or AFTER a segment is where it meets it in an inner corner of a side; else 0."""
    start = int(shapes[segment, START])
    if not chains.is_concave_at(start, which, side, pool):
        return 0.0
    vertex = start if which == chains.BEFORE else start + 1
    return hypot(pool[start + which, 0] - pool[vertex, 0], pool[start + which, 1] - pool[vertex, 1])


@scalar
def _snap(
    row: int,
    segment: int,
    other: int,
    side: float,
    margin: float,
    placed: ShapeArrays,
    hulls: NDArray[float64],
    found: ContactRows,
) -> bool:
    """Write the contact along a segment's own normal, on a side, in place of another; whether there is one."""
    forms, positions, shapes, pool = placed
    own, incident = hulls[0], hulls[1]
    edge = 0 if side == chains.RIGHT else 1
    was_apart = found.rows[row, DEPTH] <= 0.0
    before = after = 0.0
    if was_apart:
        # A shape that comes towards an inner corner meets both segments' lines.
        first, second = (chains.BEFORE, chains.AFTER) if edge == 0 else (chains.AFTER, chains.BEFORE)
        before = _length_beside(shapes, segment, first, side, pool)
        after = _length_beside(shapes, segment, second, side, pool)
    count, u_0, height_0, u_1, height_1, vertex_0, vertex_1 = _over_segment(own, edge, incident, before, after)
    if count == 0:
        return False
    rounding = own[at.ROUNDING] + incident[at.ROUNDING]
    if height_1 < height_0:
        u_0, height_0, vertex_0, u_1, height_1, vertex_1 = u_1, height_1, vertex_1, u_0, height_0, vertex_0
    apart_0, apart_1 = height_0 - rounding, height_1 - rounding
    size_own, size_other = extent(shapes, segment), extent(shapes, other)
    slop = rounding_slop(size_own, size_other, incident[at.MIDDLE_X], incident[at.MIDDLE_Y])
    if not apart_0 < margin or (was_apart and apart_0 < -slop) or (margin == 0.0 and apart_0 >= -slop):
        return False
    if apart_1 >= margin or abs(u_1 - u_0) <= DISTINCT * min(size_own, size_other):
        count = 1
    mx, my = own[at.NORMAL_X + edge], own[at.NORMAL_Y + edge]
    is_first = found.pairs[row, OF_A] == segment
    sign = 1.0 if is_first else -1.0
    # Midway in height between the two surfaces.
    lift_0 = 0.5 * (height_0 + own[at.ROUNDING] - incident[at.ROUNDING])
    lift_1 = 0.5 * (height_1 + own[at.ROUNDING] - incident[at.ROUNDING])
    from_x = positions[segment, ALONG_X] + (shapes[segment, CX] + own[at.X + edge])
    from_y = positions[segment, ALONG_Y] + (shapes[segment, CY] + own[at.Y + edge])
    rows, points = found.rows, found.points
    rows[row, NORMAL + ALONG_X] = sign * mx + 0.0
    rows[row, NORMAL + ALONG_Y] = sign * my + 0.0
    rows[row, DEPTH] = -apart_0
    rows[row, POINT_COUNT] = count
    rows[row, POINTS] = from_x - u_0 * my + lift_0 * mx
    rows[row, POINTS + 1] = from_y + u_0 * mx + lift_0 * my
    rows[row, POINTS + 2] = from_x - u_1 * my + lift_1 * mx if count == 2 else nan
    rows[row, POINTS + 3] = from_y + u_1 * mx + lift_1 * my if count == 2 else nan
    if points.shape[0] > 0:
        # The ends of the edge that these are at: as the manifold of the lower form with the higher names them.
        end_0 = edge if u_0 <= u_1 else 1 - edge
        end_1 = 1 - end_0
        is_lower = forms[segment] < forms[other] or (forms[segment] == forms[other] and is_first)
        feature_0 = feature_of(end_0, vertex_0) if is_lower else feature_of(vertex_0, end_0)
        feature_1 = feature_of(end_1, vertex_1) if is_lower else feature_of(vertex_1, end_1)
        points[row, SEPARATIONS] = apart_0
        points[row, SEPARATIONS + 1] = apart_1 if count == 2 else apart_0
        points[row, FEATURES] = feature_0
        points[row, FEATURES + 1] = feature_1 if count == 2 else NO_FEATURE
    return True


@scalar
def _is_kept(
    row: int,
    prediction: float,
    placed: ShapeArrays,
    hulls: NDArray[float64],
    found: ContactRows,
) -> bool:
    """Smooth one contact; whether there still is one."""
    forms, _, shapes, pool = placed
    a, b = int(found.pairs[row, OF_A]) + 0, int(found.pairs[row, OF_B]) + 0
    a_is_segment = chains.is_segment(forms[a], shapes, a)
    # Two chains that cross have no joint between them.
    if a_is_segment == chains.is_segment(forms[b], shapes, b):
        return True
    segment = a if a_is_segment else b
    other = b if a_is_segment else a
    dx, dy = between_centres(placed, segment, other, 1.0)
    set_hull(hulls[0], int(forms[segment]) + 0, shapes, segment, pool, 0.0, 0.0, 1.0)
    set_hull(hulls[1], int(forms[other]) + 0, shapes, other, pool, dx, dy, 1.0)
    sign = 1.0 if a_is_segment else -1.0
    nx, ny = sign * found.rows[row, NORMAL + ALONG_X], sign * found.rows[row, NORMAL + ALONG_Y]
    judged, side = _judge(segment, nx, ny, placed, hulls)
    if judged != _TO_SNAP:
        return judged == _SMOOTH
    if _snap(row, segment, other, side, prediction, placed, hulls, found):
        return True
    # There no other segment has it: the end is in a side of the other shape.
    x, y = chains.to_chain_frame(shapes, segment, nx, ny)
    return bool(chains.is_round_the_end(int(shapes[segment, START]), x, y, pool))


@kernel
def smooth_chain_contacts(
    first_row: int, count: int, placed: ShapeArrays, prediction: float, found: ContactRows
) -> int:
    """Make the ``count`` contacts from ``first_row`` on, as ``find_contacts`` wrote them, seamless where chains are.

    ``prediction``: as in ``find_contacts``. Returns how many are left; they move up.
    """
    hulls = _two_hulls()
    kept = index(first_row)
    has_points = found.points.shape[0] > 0
    for row in range(index(first_row), index(first_row) + index(count)):
        if not _is_kept(row, prediction, placed, hulls, found):
            continue
        if kept != row:
            for column in range(found.pairs.shape[1]):
                found.pairs[kept, column] = found.pairs[row, column]
            for column in range(found.rows.shape[1]):
                found.rows[kept, column] = found.rows[row, column]
            if has_points:
                for column in range(found.points.shape[1]):
                    found.points[kept, column] = found.points[row, column]
        kept += 1
    return kept - first_row
