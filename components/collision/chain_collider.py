"""``ChainCollider``: an outline of any number of points, as terrain or the border of an arena."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal, final

import numpy as np
from numpy import float64, int32
from numpy.typing import NDArray

from ecsphys.components.collision.polygon_collider import PolygonCollider, VerticesLike, make_segments
from ecsphys.components.other_names import checks_arguments
from ecsphys.components.store.column import Points, column, make_field, read_points, show, true_or_false
from ecsphys.components.store.component import FinalBase
from ecsphys.engine.math.elementwise import lengths_of
from ecsphys.engine.shapes import layout, segment

Side = Literal["both", "left", "right"]

_SIDES: Final[dict[str, float]] = {"both": segment.BOTH, "left": segment.LEFT, "right": segment.RIGHT}
_RADIUS: Final = make_field("ChainCollider", "radius", float, column(low=0.0))

# Two points that are this much of the largest coordinate apart are one.
_EQUAL: Final = 1e-12

# Points that a repr names; of more it tells how many.
_SHOWN: Final = 8


@checks_arguments
@final
class ChainCollider(FinalBase):
    """A line through any number of points: ground, walls, the border of an arena. It is only a line: it has no inside.

    Bodies, characters and bullets meet one seamless surface and do not snag on its inner points. Each segment is a part
    with its own hits. A part has the number of the point at which it begins: ``hit.part_a``. A chain has no mass. Use
    it for ground that does not fall: add ``Solid`` to its entity.

    The points are fixed. To change them, replace the component: its hits end with the reason "removed" and start again.
    ``radius`` and ``sensor`` may change. ``copy.copy`` makes another chain.

    Parameters
    ----------
    points
        2 or more points (x, y) in the entity's frame, or an array (n, 2); 3 or more for a closed chain. Neighboring
        points must differ.
    closed
        Whether a last segment leads back to the first point. Do not repeat the first point.
    radius
        Half its thickness, world units, >= 0.
    side
        The side from which it blocks and hits: "both", "left" or "right", seen along the points with y up. Ground that
        is drawn from left to right blocks from above with "left". The border of an arena that is drawn
        counter-clockwise blocks from inside with "left". Entities that come from the other side pass.
    sensor
        Whether it reports hits without blocking: bodies, movers and bullets pass it, and queries do not find it.

    Raises
    ------
    ValueError
        If there are too few points, neighboring points are equal, a number is NaN or infinite, or radius or side is
        bad.
    TypeError
        If the points are not numbers, or ``closed`` or ``sensor`` is not a bool.

    Examples
    --------
    >>> hills = ChainCollider([(0, 0), (4, 1), (9, 0.5), (12, 3)], side="left")
    >>> len(hills)
    3
    >>> ground = esper.create_entity(Transform(), hills, Solid())
    """

    __slots__ = ("_closed", "_given", "_lines", "_parts", "_side")
    __match_args__ = ("points", "closed", "radius", "side", "sensor")

    def __init__(
        self,
        points: VerticesLike,
        closed: bool = False,
        radius: float = 0.0,
        side: Side = "both",
        sensor: bool = False,
    ) -> None:
        self._make({"points": points}, closed, radius, side, sensor)

    @classmethod
    def from_lines(
        cls,
        lines: Iterable[VerticesLike],
        closed: bool = False,
        radius: float = 0.0,
        side: Side = "both",
        sensor: bool = False,
    ) -> ChainCollider:
        """Several chains as one component, for example an island with lakes. Each line is given as to the constructor.

        Segments are numbered through all lines, in their order.
        """
        chain = cls.__new__(cls)
        if isinstance(lines, str | bytes) or not isinstance(lines, Iterable):
            raise TypeError(f"ChainCollider.lines must be lists of points, got {show(lines)}")
        chain._make({f"lines[{i}]": line for i, line in enumerate(lines)}, closed, radius, side, sensor)
        return chain

    def _make(self, given: dict[str, VerticesLike], closed: bool, radius: float, side: Side, sensor: bool) -> None:
        closed, sensor = true_or_false("ChainCollider.closed", closed), true_or_false("ChainCollider.sensor", sensor)
        if not isinstance(side, str) or side not in _SIDES:
            raise ValueError(f"ChainCollider.side must be one of {', '.join(map(repr, _SIDES))}, got {show(side)}")
        if not given:
            raise ValueError("ChainCollider.lines must have at least one line, got none")
        lines = {f"ChainCollider.{name}": points for name, points in given.items()}
        checked = {owner: read_points(owner, points) for owner, points in lines.items()}
        rows = [_segments(owner, points, closed, _SIDES[side]) for owner, points in checked.items()]
        parts = make_segments(np.concatenate(rows), _RADIUS.checked(radius), sensor)
        self._given, self._closed, self._side = tuple(checked.values()), closed, side
        self._parts: tuple[PolygonCollider, ...] = parts
        of_parts = np.array([part._row for part in parts], int32)
        self._lines: NDArray[int32] = np.column_stack((np.full_like(of_parts, layout.KIND_CHAIN), of_parts))

    @property
    def points(self) -> Points:
        """The points ((x, y), …) of all lines, in the order in which they were given."""
        return tuple(point for line in self._given for point in line)

    @property
    def lines(self) -> tuple[Points, ...]:
        """The points of each line; most chains have one line."""
        return self._given

    @property
    def closed(self) -> bool:
        """Whether the last point is joined with the first."""
        return self._closed

    @property
    def side(self) -> str:
        """From which side it blocks: "both", "left" or "right"."""
        return self._side

    @property
    def radius(self) -> float:
        """Half the thickness."""
        return self._parts[0].radius

    @radius.setter
    def radius(self, value: float) -> None:
        value = _RADIUS.checked(value)
        for part in self._parts:
            part.radius = value

    @property
    def sensor(self) -> bool:
        """Whether it reports hits without blocking."""
        return bool(self._parts[0].sensor)

    @sensor.setter
    def sensor(self, value: bool) -> None:
        for part in self._parts:
            part.sensor = value

    def __len__(self) -> int:
        """How many segments there are."""
        return len(self._parts)

    def __repr__(self) -> str:
        given = f"closed={self._closed}, radius={self.radius!r}, side={self._side!r}, sensor={self.sensor}"
        if len(self._given) > 1:
            return f"ChainCollider.from_lines(<{len(self._given)} lines of {len(self.points)} points>, {given})"
        points = f"{list(self.points)!r}" if len(self.points) <= _SHOWN else f"<{len(self.points)} points>"
        return f"ChainCollider({points}, {given})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ChainCollider):
            return NotImplemented
        return self.__reduce__() == other.__reduce__()

    __hash__ = None  # type: ignore[assignment]  # radius and sensor may change

    def __reduce__(self) -> tuple[Any, ...]:
        return ChainCollider.from_lines, (self._given, self._closed, self.radius, self._side, self.sensor)


def _segments(owner: str, points: Points, closed: bool, side: float) -> NDArray[float64]:
    """The rows (segments, 4, 4) of the vertex pool: see :mod:`ecsphys.engine.shapes.segment`."""
    least = 3 if closed else 2
    if len(points) < least:
        kind = "closed chain" if closed else "chain"
        raise ValueError(f"{owner}: a {kind} needs at least {least} points, got {len(points)}")
    corners = np.array(points, float64)
    starts = corners if closed else corners[:-1]
    count = len(starts)
    ends = np.roll(corners, -1, axis=0)[:count]
    with np.errstate(over="ignore"):
        edges = ends - starts
        lengths = lengths_of(*edges.T)
    if not np.isfinite(lengths).all():
        raise ValueError(f"{owner} are too far apart: the length of a segment is infinite")
    equal = np.flatnonzero(lengths <= _EQUAL * np.abs(corners).max())
    if equal.size:
        i, j = int(equal[0]), (int(equal[0]) + 1) % len(corners)
        hint = "; a closed chain returns to its first point by itself, so leave out the last point"
        raise ValueError(
            f"{owner} must differ from their neighbors, but points {i} and {j} are both at {tuple(corners[i].tolist())}"
            f"{hint if closed and j == 0 else ''}"
        )
    normals = np.column_stack((edges[:, 1], -edges[:, 0])) / lengths[:, None]
    rows = np.zeros((count, segment.SEGMENT_ROWS, 4))
    rows[:, 0, :2], rows[:, 0, 2:] = starts, normals
    rows[:, segment.FOLLOWING_VERTEX, :2], rows[:, segment.FOLLOWING_VERTEX, 2:] = ends, -normals
    rows[:, segment.BEFORE, :2], rows[:, segment.AFTER, :2] = np.roll(starts, 1, axis=0), np.roll(ends, -1, axis=0)
    rows[:, segment.BEFORE :, segment.IS_THERE] = 1.0
    if not closed:
        rows[0, segment.BEFORE, segment.IS_THERE] = rows[-1, segment.AFTER, segment.IS_THERE] = 0.0
    rows[:, segment.BEFORE, segment.BLOCKING] = side
    return rows
