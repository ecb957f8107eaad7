"""All colliders of a world in grids, for queries and moves.

The broadphase files sleeping colliders in one grid and awake colliders in another, and queries search the same grids.
Colliders that changed since are *unfiled*: in a list, which is compared with each query as a whole. When these
comparisons have taken as long as filing, all awake colliders are filed again. So neither takes much longer than the
other.
"""

from __future__ import annotations

import math
from operator import is_
from typing import TYPE_CHECKING, Final

import esper
from numpy import uint32

from ecsphys.components.collision.collision_filter import CollisionFilter
from ecsphys.components.collision.polygon_collider import VERTEX_POOL
from ecsphys.components.store.change_log import ENTRIES, WRITTEN
from ecsphys.engine.shapes.placement import ASIDE_COUNT, FILED_SLEEPING
from ecsphys.engine.spatial.search_grid import SearchGrid, list_aside
from ecsphys.engine.spatial.searched_world import SearchedWorld
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
        """Follow all changes since the last time, but for those of the list of unfiled colliders."""
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
