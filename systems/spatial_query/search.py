"""All colliders of a world in grids, for queries and moves; and the tables of the kernels that search them.

The broadphase files sleeping colliders in one grid and awake colliders in another, and queries search the same grids.
Colliders that changed since are *unfiled*: in a list, which is compared with each query as a whole. When these
comparisons have taken as long as filing, all awake colliders are filed again. So neither takes much longer than the
other.

The numbers of a single query are written in one call, and each result is read in one call. Each query has tables of
its own, from :class:`~ecsphys.systems.arguments.Spares`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from operator import is_
from struct import Struct
from typing import TYPE_CHECKING, Any, Final

import esper
import numpy as np
from numpy import float64, int32, int64, uint8, uint32
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import LooseShapes
from ecsphys.components.collision.collision_filter import CollisionFilter
from ecsphys.components.collision.polygon_collider import VERTEX_POOL
from ecsphys.components.store.change_log import ENTRIES, WRITTEN
from ecsphys.engine.broadphase.pairs import PairTable, is_too_many
from ecsphys.engine.manifold.contact import CONTACT_COLUMNS, POINT_COLUMNS, ContactRows, find_contacts
from ecsphys.engine.shapes.layout import SHAPE_COLUMNS, ShapeArrays
from ecsphys.engine.shapes.placement import ASIDE_COUNT, FILED_SLEEPING
from ecsphys.engine.spatial import overlapping
from ecsphys.engine.spatial.nearest import NearPoints
from ecsphys.engine.spatial.overlapping import AskedShapes
from ecsphys.engine.spatial.rays import Movers, Rays, cast_rays
from ecsphys.engine.spatial.searched_world import FOUND, Found, Scope, SearchedWorld, SearchGrid, list_aside
from ecsphys.systems.arguments import Spares
from ecsphys.systems.collision.candidate_pairs import queries_error, rays_error
from ecsphys.systems.spatial_query.query_results import RESULT
from ecsphys.systems.world.esper_world import NeverAttached

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState


# Filing costs 64 comparisons for each collider, and a fixed part that is worth 1,000 more colliders.
_FILING_COST, _LEAST_FILED = 64, 1000

# Moving characters compare with this number of unfiled colliders, plus the root of the number of all colliders.
_LEAST_ASIDE = 32

# The first size of the list of unfiled colliders.
_FIRST_ROOM = 256

_FILTERS: Final = CollisionFilter._columns


class FiledColliders:
    """The grids of one world, brought up to date by :meth:`look` and :meth:`look_to_move`.

    ``awake`` and ``asleep``: the two grids. The notes of placing list the unfiled colliders. ``most_aside``: how many
    of these there may be while characters move.
    """

    __slots__ = (
        "_aside",
        "_aside_count",
        "_changes",
        "_compared",
        "_filing",
        "_generation",
        "_placing",
        "_revision",
        "_sleeping",
        "_state",
        "_tables",
        "_world",
        "asleep",
        "awake",
        "most_aside",
    )

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        self._begin()

    def _begin(self) -> None:
        """File the colliders of the present tables."""
        state = self._state
        self._placing, self._sleeping = state.placing, state.sleeping
        self.awake, self.asleep, self._aside = SearchGrid(), SearchGrid(), SearchGrid()
        self._world = self._world_now()
        # The revisions up to which changes were read; −1 to read them again.
        self._changes = self._filing = self._generation = self._revision = -1
        self._aside_count = self.most_aside = 0
        # The number of comparisons with unfiled colliders since all were filed.
        self._compared = 0
        # Last: after an interrupt, it is done again.
        self._tables = state.tables

    def look(self, queries: int = 1) -> SearchedWorld:
        """Bring the grids up to date, for a number of queries."""
        self._follow_changes()
        if self._changes != self._placing.changes:
            self._list_aside()
            self._changes = self._placing.changes
        if self._aside_count:
            self._compared += queries * self._aside_count
            if self._compared > _FILING_COST * (len(self._tables.colliders) + _LEAST_FILED):
                self._file_all()
        return self._world

    def look_to_move(self) -> SearchedWorld:
        """Bring the grids up to date, with at most :attr:`most_aside` unfiled colliders: moves compare with each.

        Moves read the notes of placing for these, so their own list is not brought up to date.
        """
        self._follow_changes()
        self.most_aside = _LEAST_ASIDE + math.isqrt(len(self._tables.colliders))
        if self._placing.notes.counts[ASIDE_COUNT] > self.most_aside:
            self._file_all()
        return self._world

    def _follow_changes(self) -> None:
        """Follow all changes since the last time, except in the list of unfiled colliders."""
        tables, placing, sleeping = self._tables, self._placing, self._sleeping
        if esper.get_component(NeverAttached) is not tables.answer or tables.unread or tables.refiltered:
            self._state.update()
            if self._state.tables is not tables:
                # The database was cleared.
                self._begin()
                tables, placing, sleeping = self._tables, self._placing, self._sleeping
        if 1 in WRITTEN or ENTRIES.made != placing.entries or placing.fresh or not sleeping.is_whole:
            self._state.place()
        if (
            self._filing != sleeping.filing
            or self._generation != sleeping.generation
            or self._revision != tables.revision
            or placing.are_all_aside
            or self._world.pool is not VERTEX_POOL.data
            or self._world.layers_and_masks is not _FILTERS.uint32
        ):
            self._follow()

    def _follow(self) -> None:
        """Follow all that was filed, listed and replaced since the last time."""
        tables, placing, sleeping = self._tables, self._placing, self._sleeping
        filing, generation = self._filing, self._generation
        # After an interrupt, all is filed again.
        self._filing = self._generation = -1
        if generation != sleeping.generation:
            self.asleep.adopt(sleeping.grid, sleeping.kept.slots)
        # At the beginning, and after an interrupt, the grid is unknown for which colliders were noted as filed.
        if placing.are_all_aside or filing < 0 or (filing != sleeping.filing and sleeping.filed_by is None):
            self._file_awake()
        elif filing != sleeping.filing and sleeping.filed_by is not None:
            self.awake.adopt_filed(sleeping.filed_by, sleeping.filed_slots(sleeping.filed_by))
            self._compared = 0
        world = self._world_now()
        if not all(map(is_, world, self._world)):
            self._world = world
        # A query lists the unfiled colliders; moves do not need the list.
        self._changes, self._revision = -1, tables.revision
        self._filing, self._generation = sleeping.filing, sleeping.generation

    def _file_all(self) -> None:
        known, self._filing = self._filing, -1
        self._file_awake()
        self._list_aside()
        self._world = self._world_now()
        self._filing = known

    def _file_awake(self) -> None:
        """File all colliders, except those that the grid of sleeping colliders has in their present positions."""
        state = self._state
        colliders = state.tables.colliders
        order = colliders.order
        slots = order[colliders.placed.filed[order] != FILED_SLEEPING]
        # A new grid: the present grid may belong to the broadphase.
        filed = SearchGrid()
        filed.file(colliders.placed.boxes[slots], slots.astype(uint32), state.settings.cell_size or 0.0)
        self.awake.take(filed)
        state.placing.note_filed(slots)
        self._compared = 0

    def _list_aside(self) -> None:
        """Update the list of unfiled colliders."""
        notes, placed = self._placing.notes, self._tables.colliders.placed
        count = list_aside(notes, placed, self._aside.arrays)
        if count > len(self._aside.arrays.names):
            self._aside.make_room(2 * count + _FIRST_ROOM)
            list_aside(notes, placed, self._aside.arrays)
        if self._world.aside is not self._aside.arrays:
            self._world = self._world_now()
        self._aside_count = count

    def _world_now(self) -> SearchedWorld:
        colliders = self._state.tables.colliders
        return SearchedWorld(
            self.awake.arrays,
            self.asleep.arrays,
            self._aside.arrays,
            colliders.placed,
            VERTEX_POOL.data,
            colliders.slots,
            _FILTERS.uint32,
            _FILTERS.int64,
        )


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
    """One question of ``count`` numbers, ``ask(*numbers)``, and the rows ``found``: ``answer()`` is the first result,
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
