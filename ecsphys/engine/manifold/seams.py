"""Seams: contacts whose normal two surfaces, lying flush or joined in a chain, do not have together.

**Flush shapes.** A ball that rolls over two tiles meets the corner of the next one, for that is there and ahead. The
corner alone has normals that lean back over the first tile; both as one surface have not: their only normal is the
floor's. So says the Fréchet normal cone: a normal of a union at a point is one of every shape that has the point.

A point of a shape S, where a mover touches it along the normal n, is at a *seam* where another shape T has an edge with

* the mover's middle on its outer side,
* the point on or below it, in T,
* a way d along the edge from the point into T over which n leans: n · d > 0,
* and nothing of S at the point above it: neither the vertex of S there, nor an end of the face that n is normal to.

Then T is nearer to the mover than S, and carries it. By the last condition a wall stays a wall, for its face goes on
above the floor. A wall's lower corner may be at a seam all the same, and so is the tip of a slope on a floor: then the
face of S that *rises* from there can be touched by the mover.

**Chains.** ``find_contacts`` sees each segment alone: a box that slides over a joint touches the end of the next one,
and the shortest way out of that may be back where it came from. Such a normal is not *smooth*
(:mod:`ecsphys.engine.shapes.segment`): the contact is replaced by that along the segment's own normal, of what of the
other shape is over the segment; where nothing is, there is no contact: another segment has it, except at a free end.
A chain may also block from one side only.
"""

from __future__ import annotations

import math

from numpy import float64, nan
from numpy.typing import NDArray

from ecsphys.engine.kernels import NamedTuple, index, inlined_scalar, kernel, scalar, scratch
from ecsphys.engine.manifold import convex as at
from ecsphys.engine.manifold.contact import DEPTH, FEATURES, NORMAL, POINT_COUNT, POINTS, SEPARATIONS, ContactRows
from ecsphys.engine.manifold.convex import ARC, HULL_SIZE, between_centres, extent, may_face_arc, next_vertex, set_hull
from ecsphys.engine.manifold.manifold import DISTINCT, NO_FEATURE, facing_feature, feature_of, nearest_vertex
from ecsphys.engine.math.elementary import hypot
from ecsphys.engine.math.rounding import rounding_slop
from ecsphys.engine.shapes import segment as chains
from ecsphys.engine.shapes.layout import ALONG_X, ALONG_Y, CX, CY, OF_A, OF_B, START, ShapeArrays

# Sine of the angle up to which a normal counts as a face's, and does not lean.
_UPRIGHT = 1e-3

# In parts of the margin, and of the size of the smallest shape: how far a flush surface may be above another, and how
# wide a gap may be. A floor with such a gap lets nothing sink that is ten times as wide.
_STEP_OF_MARGIN, _STEP_OF_SIZE = 0.25, 0.05
_GAP_OF_MARGIN, _GAP_OF_SIZE = 1.0, 0.2

NO_EDGE = -1


class Touch(NamedTuple):
    """A point of a shape, the unit normal from there to the mover, and the middle of the mover."""

    x: float
    y: float
    nx: float
    ny: float
    middle_x: float
    middle_y: float


class Tolerances(NamedTuple):
    """How far a flush surface may be above another, and how far beside."""

    step: float
    gap: float


class Seam(NamedTuple):
    """The edge of the other shape over which a contact leans, NO_EDGE where it is at no seam; and the face of its own
    shape that rises from there, NO_EDGE for none."""

    edge: int
    rising: int


_NO_SEAM = Seam(NO_EDGE, NO_EDGE)


@scalar
def _size(hull: NDArray[float64]) -> float:
    """The largest distance of a hull's points from its middle, roughly."""
    square = 0.0
    for k in range(int(hull[at.VERTEX_COUNT])):
        x = hull[at.X + k] - hull[at.MIDDLE_X]
        y = hull[at.Y + k] - hull[at.MIDDLE_Y]
        square = max(square, x * x + y * y)
    return max(math.sqrt(square), float(hull[at.ARC_RADIUS])) + float(hull[at.ROUNDING])


@scalar
def tolerances(mover: NDArray[float64], own: NDArray[float64], other: NDArray[float64], margin: float) -> Tolerances:
    """What counts as flush for three shapes."""
    size = min(_size(mover), _size(own), _size(other))
    return Tolerances(
        min(_STEP_OF_MARGIN * margin, _STEP_OF_SIZE * size), min(_GAP_OF_MARGIN * margin, _GAP_OF_SIZE * size)
    )


@inlined_scalar
def line_of(hull: NDArray[float64], edge: int) -> float:
    """Where the surface along an edge is, along its normal."""
    return float(
        hull[at.X + edge] * hull[at.NORMAL_X + edge] + hull[at.Y + edge] * hull[at.NORMAL_Y + edge] + hull[at.ROUNDING]
    )


@inlined_scalar
def _height(hull: NDArray[float64], edge: int, x: float, y: float) -> float:
    """How far a point is above the surface along an edge."""
    return x * float(hull[at.NORMAL_X + edge]) + y * float(hull[at.NORMAL_Y + edge]) - line_of(hull, edge)


@scalar
def _feature_at(touch: Touch, hull: NDArray[float64], step: float) -> tuple[int, int]:
    """What of a hull a touch is at: the two ends of a face, or a vertex twice, or ARC twice."""
    edges = int(hull[at.EDGE_COUNT])
    if hull[at.ARC_RADIUS] > 0.0 and may_face_arc(hull, touch.nx, touch.ny, 0.0):
        return ARC, ARC
    for edge in range(edges):
        sine = touch.nx * hull[at.NORMAL_Y + edge] - touch.ny * hull[at.NORMAL_X + edge]
        if abs(sine) <= _UPRIGHT and touch.nx * hull[at.NORMAL_X + edge] + touch.ny * hull[at.NORMAL_Y + edge] > 0.0:
            return edge, next_vertex(hull, edge)
    x = touch.x - float(hull[at.ROUNDING]) * touch.nx
    y = touch.y - float(hull[at.ROUNDING]) * touch.ny
    vertex, nearest = nearest_vertex(hull, x, y)
    if nearest <= step * step or edges == 0:
        return vertex, vertex
    # Along an edge, as where it is the incident one.
    highest = -math.inf
    first = 0
    for edge in range(edges):
        height = _height(hull, edge, touch.x, touch.y)
        if height > highest:
            highest = height
            first = edge
    return first, next_vertex(hull, first)


@inlined_scalar
def _rise(own: NDArray[float64], vertex: int, other: NDArray[float64], edge: int) -> float:
    """How far a vertex of one hull, rounded as it is, is above the surface along an edge of another."""
    return _height(other, edge, float(own[at.X + vertex]), float(own[at.Y + vertex])) + float(own[at.ROUNDING])


@scalar
def _rising_face(
    touch: Touch, own: NDArray[float64], vertex: int, other: NDArray[float64], edge: int, step: float
) -> int:
    """The face of a hull from a vertex up over an edge of another, if it faces the mover as the touch does."""
    preceding = vertex - 1 if vertex > 0 else int(own[at.VERTEX_COUNT]) - 1
    best = 0.0
    rising = NO_EDGE
    for side in range(2):
        face = preceding if side == 0 else vertex
        end = preceding if side == 0 else next_vertex(own, vertex)
        if face >= int(own[at.EDGE_COUNT]) or _rise(own, end, other, edge) <= step:
            continue
        facing = touch.nx * own[at.NORMAL_X + face] + touch.ny * own[at.NORMAL_Y + face]
        if facing > best and _height(own, face, touch.middle_x, touch.middle_y) > 0.0:
            best = facing
            rising = face
    return rising


@scalar
def find_seam(touch: Touch, own: NDArray[float64], other: NDArray[float64], allowed: Tolerances) -> Seam:
    """Whether a touch of a hull is at a seam with another."""
    edges = int(other[at.EDGE_COUNT])
    for edge in range(edges):
        if _height(other, edge, touch.x, touch.y) > allowed.gap:
            return _NO_SEAM
    if other[at.ARC_RADIUS] > 0.0:
        x = touch.x - other[at.ARC_X]
        y = touch.y - other[at.ARC_Y]
        reach = other[at.ARC_RADIUS] + allowed.gap
        if x * x + y * y > reach * reach:
            return _NO_SEAM
    first, last = _feature_at(touch, own, allowed.step)
    if first == ARC:
        return _NO_SEAM
    for edge in range(edges):
        if _height(other, edge, touch.x, touch.y) > allowed.step:
            continue
        if not _height(other, edge, touch.middle_x, touch.middle_y) > 0.0:
            continue
        mx = float(other[at.NORMAL_X + edge])
        my = float(other[at.NORMAL_Y + edge])
        end = next_vertex(other, edge)
        u = (touch.y - other[at.Y + edge]) * mx - (touch.x - other[at.X + edge]) * my
        width = (other[at.Y + end] - other[at.Y + edge]) * mx - (other[at.X + end] - other[at.X + edge]) * my
        if u < -allowed.gap or u > width + allowed.gap:
            continue
        lean = touch.ny * mx - touch.nx * my
        if not ((lean > _UPRIGHT and u < width - allowed.gap) or (lean < -_UPRIGHT and u > allowed.gap)):
            continue
        if max(_rise(own, first, other, edge), _rise(own, last, other, edge)) > allowed.step:
            continue
        rising = NO_EDGE
        if first == last:
            rising = _rising_face(touch, own, first, other, edge, allowed.step)
        return Seam(edge, rising)
    return _NO_SEAM


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
