"""A concave outline as few convex parts: triangles, merged along their diagonals while the result is convex.

The merge follows Hertel and Mehlhorn ("Fast triangulation of simple polygons", 1983), which leaves at most four times
as many parts as the fewest possible; the longest diagonals go first, so that parts become compact.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import bool_, float64
from numpy.typing import NDArray

from ecsphys.components.collision.convex_vertices import Vertices, read_points
from ecsphys.components.store.column import show
from ecsphys.engine.math.elementary import hypot
from ecsphys.engine.math.elementwise import lengths_of
from ecsphys.engine.shapes.ear_clipping import clip_ears
from ecsphys.engine.shapes.layout import MAX_VERTICES

# An edge this much shorter than the longest joins two equal points; a turn with a sine this small is ignored. Both are
# larger than what PolygonCollider refuses.
_EQUAL, _STRAIGHT = 1e-9, 2e-9

# The parts' area differs from the outline's by no more than this part of its box.
_SAME_AREA = 1e-9

_Part = list[int]


def outline_parts(owner: str, given: Any) -> list[Vertices]:
    """The vertices of convex polygons that make up a simple polygon, in either winding, each counter-clockwise.

    Raises ValueError for fewer than 3 points, equal neighbors, no area, and an outline that touches or crosses itself.
    All messages begin with ``owner``.
    """
    points = read_points(owner, given)
    if len(points) < 3:
        raise ValueError(f"{owner} must have at least 3 points, got {len(points)}: {show(points)}")
    corners = np.array(points, float64)
    _refuse_bad_edges(owner, corners)
    _refuse_crossings(owner, corners)
    area = _signed_area(corners)
    box = np.ptp(corners, axis=0)
    if abs(area) <= _SAME_AREA * float(box[0] * box[1]):
        raise ValueError(f"{owner} must enclose an area, but all its points are on one line: {show(points)}")
    if area < 0.0:
        corners = np.concatenate((corners[:1], corners[:0:-1]))
    whole = _without_straight(list(range(len(corners))), corners)
    parts = [whole]
    if len(whole) > MAX_VERTICES or not all(turn > 0.0 for turn in _turns(whole, corners)):
        parts = _merged(_triangles(corners), corners)
    found = 0.0
    for part in parts:
        found += _signed_area(corners[part])
    if abs(found - abs(area)) > _SAME_AREA * float(box[0] * box[1]):
        raise ValueError(f"{owner} could not be split into convex parts: {show(points)}")
    return [tuple((float(x), float(y)) for x, y in corners[part].tolist()) for part in parts]


def _signed_area(corners: NDArray[float64]) -> float:
    x, y = (corners - corners[0]).T
    # In order: numpy would add up in the order that suits a processor.
    return 0.5 * float(np.cumsum(x * np.roll(y, -1) - y * np.roll(x, -1))[-1])


def _refuse_bad_edges(owner: str, corners: NDArray[float64]) -> None:
    with np.errstate(over="ignore"):
        lengths = lengths_of(*(np.roll(corners, -1, axis=0) - corners).T)
    if not np.isfinite(lengths).all():
        raise ValueError(f"{owner} is too large: the length of an edge is infinite")
    equal = np.flatnonzero(lengths <= _EQUAL * lengths.max())
    if equal.size:
        i = int(equal[0])
        j = (i + 1) % len(corners)
        raise ValueError(
            f"{owner} must not repeat a point, but points {i} and {j} are both at {tuple(corners[i].tolist())}"
        )


def _refuse_crossings(owner: str, corners: NDArray[float64]) -> None:
    """Raise ValueError if two edges meet that are not neighbors, or if two neighbors overlap."""
    count = len(corners)
    ends = np.roll(corners, -1, axis=0)
    edges = ends - corners
    for i in range(count):
        others = np.arange(i + 1, count)
        starts = _turn_from(corners[i], edges[i], corners[others])
        stops = _turn_from(corners[i], edges[i], ends[others])
        own_start = _cross(edges[others], corners[i] - corners[others])
        own_stop = _cross(edges[others], ends[i] - corners[others])
        crosses: NDArray[bool_] = (starts * stops <= 0.0) & (own_start * own_stop <= 0.0)
        # In one line, they meet where their boxes do.
        crosses = crosses & _boxes_meet(corners[i], ends[i], corners[others], ends[others])
        is_beside = (others == i + 1) | ((i == 0) & (others == count - 1))
        turns_back = is_beside & (_cross(edges[others], edges[i]) == 0.0) & (_dot(edges[others], edges[i]) < 0.0)
        bad = np.flatnonzero((crosses & ~is_beside) | turns_back)
        if bad.size:
            j = int(others[bad[0]])
            raise ValueError(
                f"{owner} must not cross or touch itself, but the edges that start at {tuple(corners[i].tolist())} and"
                f" {tuple(corners[j].tolist())} do; a ChainCollider may cross itself"
            )


def _turn_from(start: NDArray[float64], edge: NDArray[float64], points: NDArray[float64]) -> NDArray[float64]:
    away = points - start
    turned: NDArray[float64] = edge[0] * away[:, 1] - edge[1] * away[:, 0]
    return turned


def _cross(a: NDArray[float64], b: NDArray[float64]) -> NDArray[float64]:
    b = np.broadcast_to(b, a.shape)
    crossed: NDArray[float64] = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return crossed


def _dot(a: NDArray[float64], b: NDArray[float64]) -> NDArray[float64]:
    found: NDArray[float64] = a[:, 0] * b[0] + a[:, 1] * b[1]
    return found


def _boxes_meet(
    start: NDArray[float64], end: NDArray[float64], starts: NDArray[float64], ends: NDArray[float64]
) -> NDArray[bool_]:
    low, high = np.minimum(start, end), np.maximum(start, end)
    lows, highs = np.minimum(starts, ends), np.maximum(starts, ends)
    meet: NDArray[bool_] = np.logical_and.reduce((lows <= high) & (highs >= low), axis=1)
    return meet


def _triangles(corners: NDArray[float64]) -> list[_Part]:
    return [three for three in clip_ears(corners) if len(_without_straight(three, corners)) == 3]


def _merged(triangles: list[_Part], corners: NDArray[float64]) -> list[_Part]:
    """Triangles merged across their common edges, the longest first, as long as parts stay convex and small enough."""
    parts: dict[int, _Part] = dict(enumerate(triangles))
    part_of = {edge: number for number, part in parts.items() for edge in _edges(part)}
    diagonals = [(a, b) for a, b in part_of if a < b and (b, a) in part_of]
    diagonals.sort(key=lambda edge: (-hypot(*(corners[edge[1]] - corners[edge[0]]).tolist()), edge))
    for a, b in diagonals:
        one, other = part_of[a, b], part_of[b, a]
        if one == other:
            continue
        joined = _joined(parts[one], parts[other], a, b)
        shape = _without_straight(joined, corners)
        if len(shape) > MAX_VERTICES or min(_turns(shape, corners)) < 0.0:
            continue
        parts[one] = joined
        del parts[other]
        for edge in _edges(joined):
            part_of[edge] = one
    return [_without_straight(part, corners) for part in parts.values()]


def _edges(part: _Part) -> list[tuple[int, int]]:
    return list(zip(part, (*part[1:], part[0]), strict=True))


def _joined(one: _Part, other: _Part, a: int, b: int) -> _Part:
    """Two parts as one: the first has the edge from a to b, the second that from b to a."""
    i, j = one.index(a), other.index(b)
    return (
        one[: i + 1] + other[j + 2 :] + other[:j] + one[i + 1 :]
        if j + 1 < len(other)
        else (one[: i + 1] + other[1:j] + one[i + 1 :])
    )


def _turns(part: _Part, corners: NDArray[float64]) -> list[float]:
    """The sine of the turn at each vertex; positive to the left."""
    at = corners[part]
    edges = np.roll(at, -1, axis=0) - at
    before = np.roll(edges, 1, axis=0)
    sines = _cross(before, edges) / (lengths_of(*before.T) * lengths_of(*edges.T))
    found: list[float] = sines.tolist()
    return found


def _without_straight(part: _Part, corners: NDArray[float64]) -> _Part:
    """A part less the vertices at which it does not turn."""
    while len(part) >= 3:
        straight = [k for k, turn in enumerate(_turns(part, corners)) if abs(turn) <= _STRAIGHT]
        if not straight:
            break
        part = part[: straight[0]] + part[straight[0] + 1 :]
    return part
