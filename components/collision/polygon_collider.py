"""``PolygonCollider`` and ``ChainCollider``, which have any number of points: these are in one pool."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal, final

import numpy as np
from numpy import float64, int32, int64
from numpy.typing import NDArray

from ecsphys.components.other_names import checks_arguments
from ecsphys.components.store.change_log import WRITTEN
from ecsphys.components.store.column import Points, column, is_real, make_field, read_points, show, true_or_false
from ecsphys.components.store.column_store import RunPool
from ecsphys.components.store.component import FinalBase, MixedComponent
from ecsphys.components.store.many import Many, bind
from ecsphys.components.store.standing_blocks import blocks_stay
from ecsphys.engine.math.elementary import hypot, lengths_of
from ecsphys.engine.shapes import layout, segment
from ecsphys.engine.shapes.layout import MAX_VERTICES, POOL_COLUMNS
from ecsphys.engine.shapes.segment import SEGMENT_ROWS, SEGMENT_VERTICES

VerticesLike = Sequence[tuple[float, float]] | Sequence[Sequence[float]] | NDArray[Any]

# An edge this much shorter than the longest edge joins two equal points; a turn with a sine this small does not count.
_TOLERANCE: Final = 1e-9


class VertexPool(RunPool):
    """The vertices of all polygons. The columns are x, y, and the outward unit normal of the edge to the next vertex.

    A run of two vertices is a segment of a chain, which has two rows more (:mod:`ecsphys.engine.shapes.segment`).
    """

    def __init__(self) -> None:
        super().__init__(POOL_COLUMNS)

    def rows_of(self, count: int) -> int:
        return SEGMENT_ROWS if count == SEGMENT_VERTICES else count


def pool_rows(vertices: Points) -> list[tuple[float, ...]]:
    """The rows of the pool for counter-clockwise vertices: the normal of an edge is turned clockwise from the edge."""
    rows: list[tuple[float, ...]] = []
    following = (*vertices[1:], vertices[0])
    for (x, y), (next_x, next_y) in zip(vertices, following, strict=True):
        edge_x, edge_y = next_x - x, next_y - y
        length = hypot(edge_x, edge_y)
        rows.append((x, y, edge_y / length, -edge_x / length))
    return rows


VERTEX_POOL: Final = VertexPool()


def convex_vertices(owner: str, given: Any) -> Points:
    """The vertices as ``((x, y), …)``, counter-clockwise, starting with the first given.

    ``given``: points (x, y) in either winding, or an array of shape (n, 2). Raises ValueError unless all are finite and
    the polygon is strictly convex, without equal points, collinear vertices, or more than one turn around. Raises
    TypeError unless they are numbers. All messages start with ``owner``, "PolygonCollider.vertices".
    """
    vertices = read_points(owner, given)
    if not 3 <= len(vertices) <= MAX_VERTICES:
        raise ValueError(f"{owner} must have 3 to {MAX_VERTICES} points, got {len(vertices)}: {show(vertices)}")
    edges = unit_edges(owner, vertices)
    sines = []
    for i, vertex in enumerate(vertices):
        (ax, ay), (bx, by) = edges[i - 1], edges[i]
        sine = ax * by - ay * bx
        if abs(sine) <= _TOLERANCE:
            raise ValueError(
                f"{owner} must be strictly convex, but the outline does not turn at point {i}, {vertex}:"
                f" {show(vertices)}"
            )
        sines.append(sine)
    for i, sine in enumerate(sines):
        if (sine > 0.0) != (sines[0] > 0.0):
            raise ValueError(
                f"{owner} must be convex, but the outline turns left and right, at points {i - 1} and {i}:"
                f" {show(vertices)}; use CompoundCollider.from_outline for a concave outline, or ChainCollider for a"
                " line through the points"
            )
    # A closed path of left turns only is a convex polygon iff it goes around once (a pentagram does twice). Each turn
    # is below half a circle, so each time around, exactly one edge leads up after one that leads down.
    lead_up = [y > 0.0 or (y == 0.0 and x > 0.0) for x, y in edges]
    around = len([i for i, leads_up in enumerate(lead_up) if leads_up and not lead_up[i - 1]])
    if around != 1:
        raise ValueError(f"{owner} must go around once, but they go around {around} times: {show(vertices)}")
    return vertices if sines[0] > 0.0 else (vertices[0], *reversed(vertices[1:]))


def unit_edges(owner: str, vertices: Points) -> list[tuple[float, float]]:
    """The direction of each edge, from point i to the next. Raises ValueError for equal neighbors and infinite
    lengths."""
    count = len(vertices)
    vectors = []
    for i, (x, y) in enumerate(vertices):
        next_x, next_y = vertices[(i + 1) % count]
        vectors.append((next_x - x, next_y - y))
    lengths = [hypot(x, y) for x, y in vectors]
    longest = max(lengths)
    if not math.isfinite(longest):
        raise ValueError(f"{owner} are too far apart: the length of an edge is infinite: {show(vertices)}")
    for i, length in enumerate(lengths):
        if length <= _TOLERANCE * longest:
            raise ValueError(
                f"{owner} must be distinct, but points {i} and {(i + 1) % count} are both at {vertices[i]}:"
                f" {show(vertices)}"
            )
    return [(x / length, y / length) for (x, y), length in zip(vectors, lengths, strict=True)]


@checks_arguments
@final
class PolygonCollider(MixedComponent, tracked=True):
    """A convex polygon, optionally rounded: all points nearer than ``radius`` to it.

    For a concave outline use ``CompoundCollider.from_outline``, which splits it into convex parts, or a
    ``ChainCollider``, a line through its points.

    Parameters
    ----------
    vertices
        3 to 16 points (x, y) in the collider's frame, in either winding, strictly convex, or an array (n, 2). The
        attribute is a tuple of tuples, counter-clockwise from your first point. Assign all points at once, in any
        number.
    radius
        Radius of the rounding, world units, >= 0.
    offset_x, offset_y
        Position of the collider's frame in the entity's frame, units; it turns with the entity.
    angle
        Radians, counter-clockwise about the origin of the collider's frame, added to the entity's. Chapter C6.
    sensor
        Whether it reports hits without blocking: bodies, movers and bullets pass it, and queries do not find it.

    Examples
    --------
    >>> ramp = esper.create_entity(Transform(), PolygonCollider([(0, 0), (4, 0), (4, 1)]), Solid())
    """

    radius: float = column(default=0.0, low=0.0)
    offset_x: float = 0.0
    offset_y: float = 0.0
    angle: float = 0.0
    sensor: bool = column(default=False, dtype="uint8")
    _start: int = 0
    _count: int = 0

    __match_args__ = ("vertices", "radius", "offset_x", "offset_y", "angle", "sensor")

    def __init__(
        self,
        vertices: VerticesLike,
        radius: float = 0.0,
        offset_x: float = 0.0,
        offset_y: float = 0.0,
        angle: float = 0.0,
        sensor: bool = False,
    ) -> None:
        checked = convex_vertices("PolygonCollider.vertices", vertices)
        if hasattr(self, "_row"):  # called once more: row and vertices are there
            self._columns.checked(radius, offset_x, offset_y, angle, sensor, 0, 0)
            self.radius, self.offset_x, self.offset_y, self.angle = radius, offset_x, offset_y, angle
            self.sensor = sensor
        else:
            self._fill(radius, offset_x, offset_y, angle, sensor)
        self._store(checked)

    @classmethod
    def many(cls, *values: Any, **named: Any) -> Many:
        """As for every component; ``vertices`` is one outline for all entities, or a list with one outline for each."""
        given = bind(cls, values, named)
        if "vertices" not in given:
            raise TypeError("PolygonCollider.many() needs vertices")
        return _ManyPolygons(given.pop("vertices"), given)

    def __del__(self) -> None:
        VERTEX_POOL.release(self._start, self._count)

    @property
    def vertices(self) -> Points:
        """The corners ((x, y), …) in the collider's frame, counter-clockwise."""
        return VERTEX_POOL.read(self._start, self._count)

    @vertices.setter
    def vertices(self, value: VerticesLike) -> None:
        checked = convex_vertices("PolygonCollider.vertices", value)
        try:
            self._store(checked)
        finally:
            self._columns.dirty[self._row] = WRITTEN[self._columns.place] = 1

    def __reduce__(self) -> tuple[Any, ...]:
        return PolygonCollider, tuple(getattr(self, name) for name in self.__match_args__)

    def _store(self, vertices: Points) -> None:
        old_start, old_count, count, rows = self._start, self._count, len(vertices), pool_rows(vertices)
        if count == old_count:
            VERTEX_POOL.put(old_start, rows)
            return
        start = VERTEX_POOL.allocate(count)
        VERTEX_POOL.put(start, rows)
        self._start, self._count = start, count
        # Last: an interrupt leaves none with what another may be given.
        VERTEX_POOL.release(old_start, old_count)


def _allocate_runs(polygons: Sequence[PolygonCollider], count: int) -> NDArray[int64]:
    """The starts of new runs of ``count`` vertices, one for each of some polygons, which have none yet."""
    rows = [polygon._row for polygon in polygons]
    starts = np.array([VERTEX_POOL.allocate(count) for _ in rows], int64)
    columns = PolygonCollider._columns
    with blocks_stay():
        columns.row_of_block("_start")[rows] = starts
        columns.row_of_block("_count")[rows] = count
    return starts


class _ManyPolygons(Many):
    """Polygons that :meth:`create` makes, with one outline for all or one for each."""

    __slots__ = ("_outlines",)

    def __init__(self, vertices: Any, values: dict[str, Any]) -> None:
        for hidden in ("_start", "_count"):
            if hidden in values:
                raise TypeError(f"PolygonCollider.many() has no argument {hidden!r}")
        super().__init__(PolygonCollider, values)
        name = "PolygonCollider.vertices"
        self._outlines: list[Points] | Points
        try:
            are_outlines = is_real(vertices[0][0][0])
        except (TypeError, IndexError, KeyError):
            are_outlines = False  # the points of one outline
        if are_outlines:
            self._outlines = [convex_vertices(f"{name}[{i}]", outline) for i, outline in enumerate(vertices)]
        else:
            self._outlines = convex_vertices(name, vertices)

    def check_count(self, count: int) -> None:
        super().check_count(count)
        if isinstance(self._outlines, list) and len(self._outlines) != count:
            raise ValueError(f"PolygonCollider.vertices has {len(self._outlines)} outlines for {count} entities")

    def create(self, count: int) -> list[PolygonCollider]:
        polygons: list[PolygonCollider] = super().create(count)
        if isinstance(self._outlines, list):
            for polygon, outline in zip(polygons, self._outlines, strict=True):
                polygon._store(outline)
        elif polygons:
            VERTEX_POOL.put_many(_allocate_runs(polygons, len(self._outlines)), np.array(pool_rows(self._outlines)))
        return polygons


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
        of_pool, radius = np.concatenate(rows), _RADIUS.checked(radius)
        parts = tuple(PolygonCollider.__new__(PolygonCollider) for _ in of_pool)
        for part in parts:
            part._fill(radius, 0.0, 0.0, 0.0, sensor)
        VERTEX_POOL.put_many(_allocate_runs(parts, SEGMENT_VERTICES), of_pool)
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
