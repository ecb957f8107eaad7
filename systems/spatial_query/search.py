"""The kernels of queries with their tables: called again where they need more room, and kept for single queries.

All numbers of a single query lie in one piece of memory, written and read in one call. Each query has tables of its
own, from :class:`~ecsphys.systems.arguments.Spares`.
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
from ecsphys.engine.spatial.overlapping import AskedShapes, Points
from ecsphys.engine.spatial.rays import Rays, cast_rays
from ecsphys.engine.spatial.searched_world import Found, Scope, SearchedWorld
from ecsphys.engine.spatial.sweeps import Movers, sweep_shapes
from ecsphys.systems.collision.candidate_pairs import queries_error, rays_error
from ecsphys.systems.spatial_query.query_results import OverlapArrays

_FIRST_HITS: Final = 256

# Room for so many entities, and for so many candidates, at first; what needs more than the most is not kept.
_FIRST_ROOM: Final = 64
_MOST_KEPT: Final = 4096

# How a single result lies in memory: query, entity, collider, part; distance, point, normal.
_ANSWER: Final = Struct("4q5d")


def found_rows(count: int, numbers: NDArray[float64] | None = None) -> Found:
    """Room for so many results; for a single one in the ``numbers`` (9,) that are given."""
    if numbers is None:
        query, entity, collider, part = np.empty((4, count), int64)
        point, normal = np.empty((count, 2)), np.empty((count, 2))
        return Found(query, entity, collider, part, np.empty(count), point, normal, np.empty(count, int32))
    query, entity, collider, part = numbers[:4].view(int64).reshape(4, 1)
    point, normal = numbers[5:7].reshape(1, 2), numbers[7:9].reshape(1, 2)
    return Found(query, entity, collider, part, numbers[4:5], point, normal, np.empty(1, int32))


def _writer(numbers: NDArray[float64], count: int) -> Callable[..., None]:
    """Writes its arguments into the first of some numbers."""
    return partial(Struct(f"{count}d").pack_into, numbers.data.cast("B"), 0)


class _SingleRow:
    """One question of ``count`` numbers, ``ask(*numbers)``, and what is ``found``: ``answer()`` returns its row of the
    query, entity, collider, part, distance, x and y of the point and of the normal."""

    __slots__ = ("answer", "ask", "found", "numbers")

    def __init__(self, count: int) -> None:
        numbers = self.numbers = np.zeros(count + _ANSWER.size // 8)
        self.found = found_rows(1, numbers[count:])
        self.ask = _writer(numbers, count)
        self.answer: Callable[[], tuple[Any, ...]] = partial(_ANSWER.unpack_from, numbers[count:].data.cast("B"))


class RayRow(_SingleRow):
    """One ray: ``ask(x, y, direction x and y, reach)``."""

    __slots__ = ("rays",)

    def __init__(self) -> None:
        super().__init__(5)
        numbers = self.numbers
        self.rays = Rays(numbers[0:2].reshape(1, 2), numbers[2:4].reshape(1, 2), numbers[4:5])


class NearestRow(_SingleRow):
    """One point: ``ask(x, y)``."""

    __slots__ = ("points",)

    def __init__(self) -> None:
        super().__init__(2)
        self.points = Points(self.numbers[0:2].reshape(1, 2))


class CastRow(_SingleRow):
    """One moving shape: place ``loose``, and ``ask(displacement x and y)``."""

    __slots__ = ("loose", "movers", "table")

    def __init__(self) -> None:
        super().__init__(2)
        self.loose = LooseShapes(1)
        self.table = PairTable()
        forms, positions, shapes, boxes, *_ = self.loose.placed
        self.movers = Movers(forms, positions, shapes, boxes, self.numbers[0:2].reshape(1, 2))


class EntityList:
    """Room for the entities that a query finds, or many queries; ``is_kept``: whether to give it back."""

    __slots__ = ("found", "is_kept", "room", "values")

    def __init__(self, room: int = _FIRST_ROOM) -> None:
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


def all_on_rays(scope: Scope, rays: Rays) -> Found:
    """All hits of some rays, sorted by ray, distance and public order."""
    count, hits = len(rays.reach), found_rows(_FIRST_HITS)
    while (found := cast_rays(scope, rays, 0, count, True, hits)) > len(hits.slot):
        if is_too_many(found):
            raise rays_error(count)
        hits = found_rows(found)
    rank = scope.world.colliders.rank[hits.slot[:found]]
    order = np.lexsort((rank, hits.distance[:found], hits.query[:found]))
    sorted_hits: Any = (column[order] for column in hits)
    return Found(*sorted_hits)


def sweep(scope: Scope, movers: Movers, table: PairTable, found: Found) -> None:
    """Write the first impact of each of some moving shapes."""
    table.fill(lambda pairs: sweep_shapes(scope, movers, pairs, found))


def _refuse_too_many(count: int, boxes: NDArray[float64], world: SearchedWorld) -> None:
    """Raise RuntimeError if there are too many to count."""
    if is_too_many(count):
        raise queries_error(boxes, world.placed.boxes)
