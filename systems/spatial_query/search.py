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

from ecsphys.components.collision.collider_blocks import LooseShapes
from ecsphys.components.collision.polygon_collider import VERTEX_POOL
from ecsphys.engine.broadphase.pair_table import PairTable, is_too_many
from ecsphys.engine.manifold.contact import CONTACT_COLUMNS, POINT_COLUMNS, ContactRows, find_contacts
from ecsphys.engine.shapes.layout import SHAPE_COLUMNS, ShapeArrays
from ecsphys.engine.spatial import overlapping
from ecsphys.engine.spatial.nearest import NearPoints
from ecsphys.engine.spatial.overlapping import AskedShapes, Points
from ecsphys.engine.spatial.rays import Rays, cast_rays
from ecsphys.engine.spatial.searched_world import FOUND, Found, Scope, SearchedWorld
from ecsphys.engine.spatial.sweeps import Movers
from ecsphys.systems.arguments import Spares
from ecsphys.systems.collision.candidate_pairs import queries_error, rays_error
from ecsphys.systems.spatial_query.query_results import RESULT, OverlapArrays

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


class EntityList:
    """Room for the entities that a query finds, or many queries; ``is_kept``: whether to give it back."""

    __slots__ = ("found", "is_kept", "room", "values")

    def __init__(self, room: int = ROOM) -> None:
        self.make_room(room)

    def make_room(self, room: int) -> None:
        """Replace the tables by larger ones."""
        entity = np.zeros(room, int64)
        self.found = overlapping.FoundEntities(np.zeros(room, int64), entity, np.zeros((room + 1, 2), int32))
        self.values = entity.data
        self.room = room
        self.is_kept = room <= _MOST_KEPT

    def arrays(self, count: int) -> OverlapArrays:
        """The first so many, each with its query."""
        return OverlapArrays(self.found.query[:count], self.found.entity[:count])


class PointRow(EntityList):
    """One point: ``ask(x, y)``."""

    __slots__ = ("ask", "asked")

    def __init__(self) -> None:
        super().__init__()
        numbers = np.zeros(2)
        self.asked = Points(numbers.reshape(1, 2))
        self.ask = _writer(numbers, 2)


class ShapeRow(EntityList):
    """The colliders near a shape, or near each of several. Without these, ``loose`` is the one: place it, or
    ``ask_box(...)`` with position, shape and box of an axis-aligned box."""

    __slots__ = ("_shapes", "ask_box", "asked", "candidates", "contacts", "count", "loose")

    def __init__(self, asked: AskedShapes | None = None) -> None:
        if asked is None:
            self.loose = LooseShapes(1)
            asked = AskedShapes(*self.loose.placed[:4])
            self.ask_box = _writer(self.loose.numbers, 14)
        self.asked = asked
        self.count = len(asked.forms)
        super().__init__()

    def make_room(self, room: int) -> None:
        """Replace the tables by larger ones."""
        super().make_room(room)
        rows = self.count + room
        self.candidates = overlapping.Candidates(
            np.zeros(room, int32),
            self.found.pairs,
            np.zeros(rows, uint8),
            np.zeros((rows, 2)),
            np.zeros((rows, SHAPE_COLUMNS)),
        )
        self.contacts = ContactRows(
            np.zeros((room, 2), int32), np.zeros((room, CONTACT_COLUMNS)), np.zeros((0, POINT_COLUMNS))
        )
        self._shapes: ShapeArrays | None = None

    @property
    def shapes(self) -> ShapeArrays:
        """The shapes of the candidates, as geometry takes them."""
        if self._shapes is None or self._shapes.pool is not VERTEX_POOL.data:
            candidates = self.candidates
            self._shapes = ShapeArrays(candidates.forms, candidates.positions, candidates.shapes, VERTEX_POOL.data)
        return self._shapes


def find_at_points(scope: Scope, asked: Points, rows: EntityList) -> int:
    """Write the entities at some points to ``rows``; returns how many there are."""
    while (count := overlapping.find_containing(scope, asked, rows.found)) > rows.room:
        _refuse_too_many(count, asked.points[:, (0, 1, 0, 1)], scope.world)
        rows.make_room(count)
    return count


def find_at_shapes(scope: Scope, rows: ShapeRow) -> int:
    """Write the entities that overlap the asked shapes of ``rows`` to these; returns how many there are."""
    while (count := overlapping.gather_candidates(scope, rows.asked, rows.candidates)) > rows.room:
        _refuse_too_many(count, rows.asked.boxes, scope.world)
        rows.make_room(count)
    if not count:
        return 0
    candidates = rows.candidates
    touching = find_contacts(candidates.pairs[:count], rows.shapes, 0.0, rows.contacts, 0)
    return overlapping.list_touching(scope.world.colliders, candidates, rows.contacts, rows.count, touching, rows.found)


def all_on_rays(scope: Scope, rays: Rays) -> tuple[Found, int]:
    """All hits of some rays, by ray, and how many they are."""
    count = len(rays.reach)
    while (found := cast_rays(scope, rays, 0, count, True)) > len(rays.found):
        if is_too_many(found):
            raise rays_error(count)
        rays = rays._replace(found=np.empty(found, FOUND))
    return rays.found, found


def _refuse_too_many(count: int, boxes: NDArray[float64], world: SearchedWorld) -> None:
    """Raise RuntimeError if there are too many to count."""
    if is_too_many(count):
        raise queries_error(boxes, world.placed.boxes)
