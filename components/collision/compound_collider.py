"""``CompoundCollider``: several colliders on one entity, of any classes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, final

import numpy as np
from numpy import bool_, float64, int32
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import COLLIDER_KINDS, Collider
from ecsphys.components.collision.polygon_collider import PolygonCollider, VerticesLike, unit_edges
from ecsphys.components.other_names import checks_arguments
from ecsphys.components.store.column import Points, read_points, show, true_or_false
from ecsphys.components.store.component import FinalBase
from ecsphys.engine.math.elementary import hypot, lengths_of
from ecsphys.engine.math.rounding import orientation
from ecsphys.engine.shapes.layout import MAX_VERTICES

# A turn with a sine this small is ignored: larger than what PolygonCollider rejects.
_STRAIGHT: Final = 2e-9

# The parts' area differs from the outline's by no more than this part of its box.
_SAME_AREA: Final = 1e-9

_Part = list[int]


@checks_arguments
@final
class CompoundCollider(FinalBase):
    """Several colliders on one entity, of the same or of different classes. Each is a part with a number: its index.

    Each part has its own offset and angle in the entity's frame, and its own hits: a hit has the class and number of
    the part. Parts of one entity never hit each other. The entity may have other colliders in addition.

    The list of parts is fixed. To change it, replace the component: its hits end with the reason "removed" and start
    again. The parts' fields may change: ``compound.parts[0].radius = 2.0``. ``copy.deepcopy`` copies the parts too.

    Parameters
    ----------
    parts
        One collider or more.
    sensor
        True makes all parts sensors. The attribute is True if all parts are sensors; you may also set single parts.

    Raises
    ------
    ValueError
        If there are no parts, or one instance is given twice.
    TypeError
        If a part is not a collider, or ``sensor`` is not a bool.

    Examples
    --------
    >>> hammer = CompoundCollider([OBBCollider(1.0, 0.1), CircleCollider(0.4, offset_x=1.0)])
    >>> len(hammer)
    2
    """

    __slots__ = ("_lines", "_parts")
    __match_args__ = ("parts",)

    def __init__(self, parts: Iterable[Collider], sensor: bool = False) -> None:
        sensor = true_or_false("CompoundCollider.sensor", sensor)
        try:
            given: tuple[Any, ...] = tuple(parts)
        except TypeError:
            raise TypeError(f"CompoundCollider.parts must be colliders in a list, got {parts!r}") from None
        if not given:
            raise ValueError("CompoundCollider.parts must have at least one collider, got none")
        numbers: dict[int, int] = {}
        for number, part in enumerate(given):
            if type(part) not in COLLIDER_KINDS:
                raise TypeError(f"CompoundCollider.parts[{number}] must be a collider, got {part!r}")
            if (first := numbers.setdefault(id(part), number)) != number:
                raise ValueError(
                    f"CompoundCollider.parts[{number}] is the same instance as parts[{first}], {part!r}: "
                    f"make another with copy.copy"
                )
        self._parts: tuple[Collider, ...] = given
        # For code that indexes thousands of compounds: class and row of each part, which never change.
        lines = [(COLLIDER_KINDS[type(part)], part._row) for part in given]
        self._lines: NDArray[int32] = np.array(lines, int32)
        if sensor:
            self.sensor = True

    @classmethod
    def from_outline(cls, points: VerticesLike, radius: float = 0.0, sensor: bool = False) -> CompoundCollider:
        """A filled outline, concave or not, as few convex :class:`PolygonCollider` parts, rounded by ``radius``.

        ``points``: 3 or more points (x, y) in the entity's frame, in either winding, or an array (n, 2). Raises
        ValueError if neighboring points are equal, or if the outline touches or crosses itself, and TypeError unless
        the points are numbers.

        >>> arrow = CompoundCollider.from_outline([(0, 0), (2, -1), (1, 0), (2, 1)])
        >>> len(arrow)
        2
        """
        outlines = outline_parts("CompoundCollider.points", points)
        return cls([PolygonCollider(outline, radius) for outline in outlines], sensor)

    @property
    def parts(self) -> tuple[Collider, ...]:
        """The colliders, in the order of their numbers."""
        return self._parts

    @property
    def sensor(self) -> bool:
        """Whether all parts are sensors. Assign a bool to set all parts."""
        return all(part.sensor for part in self._parts)

    @sensor.setter
    def sensor(self, value: bool) -> None:
        for part in self._parts:
            part.sensor = value

    def __len__(self) -> int:
        return len(self._parts)

    def __repr__(self) -> str:
        return f"CompoundCollider({list(self._parts)!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CompoundCollider):
            return NotImplemented
        return self._parts == other._parts

    __hash__ = None  # type: ignore[assignment]  # its parts may change

    def __reduce__(self) -> tuple[type[CompoundCollider], tuple[list[Collider]]]:
        return CompoundCollider, (list(self._parts),)


def outline_parts(owner: str, given: Any) -> list[Points]:
    """The vertices of few convex polygons that make up a simple polygon, in either winding, each counter-clockwise.

    Triangles are merged along their diagonals while the result is convex, as by
    Hertel and Mehlhorn ("Fast triangulation of simple polygons", 1983), which leaves at most four times as many parts
    as the fewest possible. The longest diagonals go first, so that parts become compact.

    Raises ValueError for fewer than 3 points, equal neighbors, no area, and an outline that touches or crosses itself.
    All messages begin with ``owner``.
    """
    points = read_points(owner, given)
    if len(points) < 3:
        raise ValueError(f"{owner} must have at least 3 points, got {len(points)}: {show(points)}")
    corners = np.array(points, float64)
    unit_edges(owner, points)
    _check_crossings(owner, corners)
    area = _signed_area(corners)
    box = np.ptp(corners, axis=0)
    if abs(area) <= _SAME_AREA * float(box[0] * box[1]):
        raise ValueError(f"{owner} must enclose an area, but all its points are on one line: {show(points)}")
    if area < 0.0:
        corners = np.concatenate((corners[:1], corners[:0:-1]))
    whole = _without_straight(list(range(len(corners))), corners)
    parts = [whole]
    if len(whole) > MAX_VERTICES or not all(turn > 0.0 for turn in _turns(whole, corners)):
        triangles = [three for three in clip_ears(corners) if len(_without_straight(three, corners)) == 3]
        parts = _merged(triangles, corners)
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


def _check_crossings(owner: str, corners: NDArray[float64]) -> None:
    """Raise ValueError if two edges meet that are not neighbors, or if two neighbors overlap."""
    count = len(corners)
    ends = np.roll(corners, -1, axis=0)
    edges = ends - corners
    low, high = np.minimum(corners, ends), np.maximum(corners, ends)
    for i in range(count):
        others = np.arange(i + 1, count)
        starts = _cross(edges[i], corners[others] - corners[i])
        stops = _cross(edges[i], ends[others] - corners[i])
        own_start = _cross(edges[others], corners[i] - corners[others])
        own_stop = _cross(edges[others], ends[i] - corners[others])
        crosses: NDArray[bool_] = (starts * stops <= 0.0) & (own_start * own_stop <= 0.0)
        # In one line, they meet where their boxes do.
        crosses = crosses & ((low[i] <= high[others]) & (high[i] >= low[others])).all(axis=1)
        along = edges[others, 0] * edges[i, 0] + edges[others, 1] * edges[i, 1]
        is_beside = (others == i + 1) | ((i == 0) & (others == count - 1))
        turns_back = is_beside & (_cross(edges[others], edges[i]) == 0.0) & (along < 0.0)
        bad = np.flatnonzero((crosses & ~is_beside) | turns_back)
        if bad.size:
            j = int(others[bad[0]])
            raise ValueError(
                f"{owner} must not cross or touch itself, but the edges that start at {tuple(corners[i].tolist())} and"
                f" {tuple(corners[j].tolist())} do; a ChainCollider may cross itself"
            )


def _cross(a: NDArray[float64], b: NDArray[float64]) -> NDArray[float64]:
    crossed: NDArray[float64] = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return crossed


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
        # The first has the edge from a to b, the second that from b to a.
        i, rest = parts[one].index(a), parts[other]
        j = rest.index(b)
        joined = parts[one][: i + 1] + (rest[j:] + rest[:j])[2:] + parts[one][i + 1 :]
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


Triangle = list[int]


def clip_ears(corners: NDArray[float64]) -> list[Triangle]:
    """The numbers of the corners (n, 2) of each triangle, counter-clockwise, as the polygon is.

    A corner on the line between its neighbors may be in no triangle. Where the polygon crosses itself, there may be
    too few triangles.
    """
    points: list[tuple[float, float]] = [(x, y) for x, y in corners.tolist()]
    ring = list(range(len(points)))
    # A corner that is convex stays so, and only others can be the first to lie in an ear.
    others = [k for k in ring if _turn(points, ring, k) <= 0]
    triangles: list[Triangle] = []
    place = waited = 0
    while len(ring) >= 3:
        if waited == len(ring):
            # No ear is left but those without an area.
            place = next((k for k in range(len(ring)) if _turn(points, ring, k) == 0), -1)
            if place < 0:
                break
        else:
            ear = [ring[place - 1], ring[place], ring[(place + 1) % len(ring)]]
            if _turn(points, ring, place) <= 0 or not _is_empty(ear, corners, points, others):
                place = (place + 1) % len(ring)
                waited += 1
                continue
            triangles.append(ear)
        if ring[place] in others:
            others.remove(ring[place])
        del ring[place]
        place %= len(ring)
        waited = 0
    return triangles


def _turn(points: list[tuple[float, float]], ring: list[int], place: int) -> int:
    """Whether a polygon turns left (1), right (−1) or not (0) at a corner."""
    return orientation(*points[ring[place - 1]], *points[ring[place]], *points[ring[(place + 1) % len(ring)]])


def _is_empty(ear: Triangle, corners: NDArray[float64], points: list[tuple[float, float]], others: list[int]) -> bool:
    """Whether no other corner lies in a triangle or on its edge."""
    box = corners[ear]
    near = corners[others]
    is_near = np.logical_and.reduce((near >= box.min(axis=0)) & (near <= box.max(axis=0)), axis=1)
    a, b, c = (points[k] for k in ear)
    for number in np.flatnonzero(is_near).tolist():
        k = others[number]
        if k in ear:
            continue
        x, y = points[k]
        if orientation(*a, *b, x, y) >= 0 and orientation(*b, *c, x, y) >= 0 and orientation(*c, *a, x, y) >= 0:
            return False
    return True
