"""``PolygonCollider``: the one collider whose size varies, its vertices kept in the shared pool."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast, final

from numpy import float64
from numpy.typing import NDArray

from ecsphys.components.argument_names import names_arguments
from ecsphys.components.collision.convex_vertices import Vertices, convex_vertices
from ecsphys.components.collision.vertex_pool import VERTEX_POOL
from ecsphys.components.store.change_log import WRITTEN
from ecsphys.components.store.column import column, is_real
from ecsphys.components.store.component import Component
from ecsphys.components.store.many import Many, bind
from ecsphys.components.store.standing_blocks import blocks_stay
from ecsphys.components.store.typed_components import MixedComponent
from ecsphys.engine.shapes.segment import SEGMENT_VERTICES

VerticesLike = Sequence[tuple[float, float]] | Sequence[Sequence[float]] | NDArray[Any]


@names_arguments
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
    def vertices(self) -> Vertices:
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

    def _store(self, vertices: Vertices) -> None:
        old_start, old_count, count = self._start, self._count, len(vertices)
        if count == old_count:
            VERTEX_POOL.write(old_start, vertices)
            return
        start = VERTEX_POOL.allocate(count)
        VERTEX_POOL.write(start, vertices)
        self._start, self._count = start, count
        # Last: an interrupt leaves none with what another may be given.
        VERTEX_POOL.release(old_start, old_count)


def make_segments(rows: NDArray[float64], radius: float, sensor: bool) -> tuple[PolygonCollider, ...]:
    """The segments of a chain, one or more, with these rows (n, 4, 4) of the vertex pool; the arguments are checked."""
    segments = tuple(PolygonCollider.__new__(PolygonCollider) for _ in rows)
    for segment in segments:
        segment._fill(radius, 0.0, 0.0, 0.0, sensor)
    of_rows = [segment._row for segment in segments]
    starts = VERTEX_POOL.allocate_segments(rows)
    columns = PolygonCollider._columns
    with blocks_stay():
        columns.row_of_block("_start")[of_rows] = starts
        columns.row_of_block("_count")[of_rows] = SEGMENT_VERTICES
    return segments


class _ManyPolygons(Many):
    """Polygons that :meth:`create` makes, with one outline for all or one for each."""

    __slots__ = ("_outlines",)

    def __init__(self, vertices: Any, values: dict[str, Any]) -> None:
        for hidden in ("_start", "_count"):
            if hidden in values:
                raise TypeError(f"PolygonCollider.many() has no argument {hidden!r}")
        super().__init__(PolygonCollider, values)
        name = "PolygonCollider.vertices"
        self._outlines: list[Vertices] | Vertices
        if _are_outlines(vertices):
            self._outlines = [convex_vertices(f"{name}[{i}]", outline) for i, outline in enumerate(vertices)]
        else:
            self._outlines = convex_vertices(name, vertices)

    def refuse_other_count(self, count: int) -> None:
        super().refuse_other_count(count)
        if isinstance(self._outlines, list) and len(self._outlines) != count:
            raise ValueError(f"PolygonCollider.vertices has {len(self._outlines)} outlines for {count} entities")

    def create(self, count: int) -> list[Component]:
        polygons = super().create(count)
        outlines = self._outlines
        if isinstance(outlines, list):
            for polygon, outline in zip(polygons, outlines, strict=True):
                cast(PolygonCollider, polygon)._store(outline)
        elif polygons:
            rows = [polygon._row for polygon in polygons]
            starts = VERTEX_POOL.allocate_copies(outlines, count)
            with blocks_stay():
                self.cls._columns.row_of_block("_start")[rows] = starts
                self.cls._columns.row_of_block("_count")[rows] = len(outlines)
        return polygons


def _are_outlines(vertices: Any) -> bool:
    """Whether a value is a list of outlines, and not the points of one outline."""
    try:
        x = vertices[0][0][0]
    except (TypeError, IndexError, KeyError):
        return False
    return is_real(x)
