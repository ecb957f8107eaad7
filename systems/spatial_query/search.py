"""The kernels of queries with their tables: called again where they need more room, and kept for single queries.

The numbers of a single query are written in one call, and each result is read in one call. Each query has tables of
its own, from :class:`~ecsphys.systems.arguments.Spares`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from struct import Struct
from typing import Any, Final

import numpy as np
from numpy import float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import LooseShapes
from ecsphys.engine.broadphase.pair_table import PairTable, is_too_many
from ecsphys.engine.manifold.contact import CONTACT_COLUMNS, POINT_COLUMNS, ContactRows, find_contacts
from ecsphys.engine.shapes.layout import SHAPE_COLUMNS, ShapeArrays
from ecsphys.engine.spatial import overlapping
from ecsphys.engine.spatial.nearest import NearPoints
from ecsphys.engine.spatial.overlapping import AskedShapes
from ecsphys.engine.spatial.rays import Rays, cast_rays
from ecsphys.engine.spatial.searched_world import FOUND, Found, Scope
from ecsphys.engine.spatial.sweeps import Movers
from ecsphys.systems.arguments import Spares
from ecsphys.systems.collision.candidate_pairs import queries_error, rays_error
from ecsphys.systems.spatial_query.query_results import RESULT

# Room for so many results, entities or candidates at first; rows that need more than the most are not kept.
ROOM: Final = 64
_MOST_KEPT: Final = 4096
_MOST_IN_BATCH: Final = 1 << 16


class BatchRoom:
    """Room for the results of batches. It is kept: the first use of new memory takes as long as many rays."""

    __slots__ = ("_spares",)

    def __init__(self) -> None:
        self._spares = Spares(lambda: np.empty(0, FOUND))

    def take(self, count: int) -> Found:
        """Room for so many results, or more."""
        found = self._spares.take()
        return found if len(found) >= count else np.empty(count, FOUND)

    def columns_of(self, found: Found, rows: slice | NDArray[int64]) -> tuple[NDArray[Any], ...]:
        """Query, entity, collider, part, distance, point and normal of some rows, each in an array of its own; gives
        the room back."""
        numbers = found.view(float64).reshape(-1, FOUND.itemsize // 8)
        numbers = numbers[rows] if isinstance(rows, slice) else numbers.take(rows, axis=0)
        pairs = numbers.view("V16")  # two floats are copied at once
        distance, *wholes = numbers.T[4:9].copy()
        points = [pairs[:, column].copy().view(float64).reshape(-1, 2) for column in range(2)]
        if len(found) <= _MOST_IN_BATCH:
            self._spares.give_back(found)
        return *(column.view(int64) for column in wholes), distance, *points


def _writer(numbers: NDArray[float64], count: int) -> Callable[..., None]:
    """Writes its arguments into the first of some numbers."""
    return partial(Struct(f"{count}d").pack_into, numbers.data.cast("B"), 0)


class _SingleRow:
    """One question of ``count`` numbers, ``ask(*numbers)``, and what is ``found``: ``answer()`` is the first result,
    and ``records`` are all, as bytes."""

    __slots__ = ("answer", "ask", "found", "numbers", "records")

    def __init__(self, count: int) -> None:
        self.numbers = np.zeros(count)
        self.ask = _writer(self.numbers, count)
        self.found: Found = np.empty(ROOM, FOUND)
        self.records = self.found.view(uint8).data
        self.answer: Any = partial(RESULT.unpack_from, self.records)


class RayRow(_SingleRow):
    """One ray: ``ask(x, y, direction x and y, reach)``."""

    __slots__ = ("rays",)

    def __init__(self) -> None:
        super().__init__(5)
        numbers = self.numbers
        self.rays = Rays(numbers[0:2].reshape(1, 2), numbers[2:4].reshape(1, 2), numbers[4:5], self.found)


class NearestRow(_SingleRow):
    """One point: ``ask(x, y)``."""

    __slots__ = ("near",)

    def __init__(self) -> None:
        super().__init__(2)
        self.near = NearPoints(self.numbers.reshape(1, 2), self.found)


class CastRow(_SingleRow):
    """One moving shape: place ``loose``, and ``ask(displacement x and y)``."""

    __slots__ = ("loose", "movers", "table")

    def __init__(self) -> None:
        super().__init__(2)
        self.loose = LooseShapes(1)
        self.table = PairTable()
        self.movers = Movers(AskedShapes(*self.loose.placed[:4]), self.numbers.reshape(1, 2), self.found)


class _Entities:
    """Room for the entities that a query finds, or many queries; ``is_kept``: whether to give it back."""

    __slots__ = ("found", "is_kept", "room", "values")

    def __init__(self, room: int) -> None:
        self._make_room(room)

    def _make_room(self, room: int) -> None:
        """Replace the tables by larger ones."""
        entity = np.zeros(room, int64)
        self.found = overlapping.FoundEntities(np.zeros(room, int64), entity, np.zeros((room + 1, 2), int32))
        self.values = entity.data
        self.room = room
        self.is_kept = room <= _MOST_KEPT

    def _make_more_room(self, count: int, boxes: NDArray[float64], scope: Scope) -> None:
        """Raises RuntimeError if there are too many to count."""
        if is_too_many(count):
            raise queries_error(boxes, scope.world.placed.boxes)
        self._make_room(count)


class PointRow(_Entities):
    """One point, ``ask(x, y)``, or the points (n, 2) that are given."""

    __slots__ = ("_points", "ask")

    def __init__(self, points: NDArray[float64] | None = None) -> None:
        if points is None:
            numbers = np.zeros(2)
            self.ask = _writer(numbers, 2)
            points = numbers.reshape(1, 2)
        self._points = overlapping.Points(points)
        super().__init__(len(points) + ROOM)

    def find(self, scope: Scope) -> int:
        """Write the entities to the tables; returns how many there are."""
        while (count := overlapping.find_containing(scope, self._points, self.found)) > self.room:
            self._make_more_room(count, self._points.points[:, (0, 1, 0, 1)], scope)
        return count


class ShapeRow(_Entities):
    """One shape: place ``loose``, or ``ask_box(...)`` with position, shape and box of an axis-aligned box. Or the
    shapes that are given."""

    __slots__ = ("_asked", "_candidates", "_contacts", "_shapes", "ask_box", "loose")

    def __init__(self, asked: AskedShapes | None = None) -> None:
        if asked is None:
            self.loose = LooseShapes(1)
            asked = AskedShapes(*self.loose.placed[:4])
            self.ask_box = _writer(self.loose.numbers, 14)
        self._asked = asked
        super().__init__(ROOM)

    def _make_room(self, room: int) -> None:
        super()._make_room(room)
        rows = len(self._asked.forms) + room
        forms, positions, shapes = np.zeros(rows, uint8), np.zeros((rows, 2)), np.zeros((rows, SHAPE_COLUMNS))
        self._candidates = overlapping.Candidates(np.zeros(room, int32), self.found.pairs, forms, positions, shapes)
        self._contacts = ContactRows(
            np.zeros((room, 2), int32), np.zeros((room, CONTACT_COLUMNS)), np.zeros((0, POINT_COLUMNS))
        )
        self._shapes: ShapeArrays | None = None

    def find(self, scope: Scope) -> int:
        """Write the entities to the tables; returns how many there are."""
        asked = self._asked
        while (count := overlapping.gather_candidates(scope, asked, self._candidates)) > self.room:
            self._make_more_room(count, asked.boxes, scope)
        if not count:
            return 0
        candidates, contacts, world = self._candidates, self._contacts, scope.world
        if self._shapes is None or self._shapes.pool is not world.pool:
            self._shapes = ShapeArrays(candidates.forms, candidates.positions, candidates.shapes, world.pool)
        touching = find_contacts(candidates.pairs[:count], self._shapes, 0.0, contacts, 0)
        return overlapping.list_touching(world.colliders, candidates, contacts, len(asked.forms), touching, self.found)


def all_on_rays(scope: Scope, rays: Rays) -> tuple[Found, int]:
    """All hits of some rays, by ray, and how many they are."""
    count = len(rays.reach)
    while (found := cast_rays(scope, rays, 0, count, True)) > len(rays.found):
        if is_too_many(found):
            raise rays_error(count)
        rays = rays._replace(found=np.empty(found, FOUND))
    return rays.found, found
