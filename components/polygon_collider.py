"""``PolygonCollider``: the one collider whose size varies, its vertices kept in the shared pool."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

from numpy.typing import NDArray

from ecsphys.components.column import column
from ecsphys.components.component import Component
from ecsphys.components.convex_vertices import Vertices, convex_vertices
from ecsphys.components.vertex_pool import VERTEX_POOL

VerticesLike = Sequence[tuple[float, float]] | Sequence[Sequence[float]] | NDArray[Any]


@final
class PolygonCollider(Component, marked=True):
    """A convex polygon, optionally rounded: all points nearer than ``radius`` to it.

    ``vertices``: 3 to 16 points (x, y) in the collider's frame, in either winding, strictly convex; an array of shape
    (n, 2) will do. They read back as a tuple of tuples, counter-clockwise from the first given, and can be assigned,
    all at once, in any number. ``radius``: world units, >= 0. Row C6.
    """

    radius: float = column(default=0.0, low=0.0)
    offset_x: float = 0.0
    offset_y: float = 0.0
    angle: float = 0.0
    _start: int = 0
    _count: int = 0

    __match_args__ = ("vertices", "radius", "offset_x", "offset_y", "angle")

    def __init__(
        self,
        vertices: VerticesLike,
        radius: float = 0.0,
        offset_x: float = 0.0,
        offset_y: float = 0.0,
        angle: float = 0.0,
    ) -> None:
        checked = convex_vertices("PolygonCollider.vertices", vertices)
        self._fill(radius, offset_x, offset_y, angle)
        self._store(checked)

    def __del__(self) -> None:
        VERTEX_POOL.release(self._start, self._count)

    @property
    def vertices(self) -> Vertices:
        """The corners ((x, y), …) in the collider's frame, counter-clockwise."""
        return VERTEX_POOL.read(self._start, self._count)

    @vertices.setter
    def vertices(self, value: VerticesLike) -> None:
        self._store(convex_vertices("PolygonCollider.vertices", value))
        self._columns.marks[self._row] = 1

    def __reduce__(self) -> tuple[Any, ...]:
        return PolygonCollider, tuple(getattr(self, name) for name in self.__match_args__)

    def _store(self, vertices: Vertices) -> None:
        count = len(vertices)
        if count != self._count:
            start = VERTEX_POOL.allocate(count)
            VERTEX_POOL.release(self._start, self._count)
            self._start, self._count = start, count
        VERTEX_POOL.write(self._start, vertices)
