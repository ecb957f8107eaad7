"""Whether a contact has a normal that two shapes, lying flush, do not have together.

A ball that rolls over two tiles meets the corner of the next one, for that is there and ahead. The corner alone has
normals that lean back over the first tile; both as one surface have not: their only normal is the floor's. So says the
Fréchet normal cone: a normal of a union at a point is one of every shape that has the point.

A point of a shape S, where a mover touches it along the normal n, is at a *seam* where another shape T has an edge with

* the mover's middle on its outer side,
* the point on or below it, in T,
* a way d along the edge from the point into T over which n leans: n · d > 0,
* and nothing of S at the point above it: neither the vertex of S there, nor an end of the face that n is normal to.

Then T is nearer to the mover than S, and carries it. By the last condition a wall stays a wall, for its face goes on
above the floor. A wall's lower corner may be at a seam all the same, and so is the tip of a slope on a floor: then the
face of S that *rises* from there can be touched by the mover.
"""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.kernels import NamedTuple, inlined_scalar, scalar
from ecsphys.engine.manifold import convex as at
from ecsphys.engine.manifold.convex import ARC, may_face_arc
from ecsphys.engine.manifold.separation import nearest_vertex

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
def next_vertex(hull: NDArray[float64], vertex: int) -> int:
    """The vertex at the end of the edge that begins at one."""
    return vertex + 1 if vertex + 1 < int(hull[at.VERTEX_COUNT]) else 0


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
