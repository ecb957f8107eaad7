"""All colliders of a world in grids, for everything that asks what is where.

The broadphase files those that sleep in one grid and those that are awake in another, and queries search these very
grids. What has changed since is *aside*: a list, all of which is compared with what is asked. Once that has taken as
long as filing takes, all that is awake is filed anew: so neither ever takes much more than the other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy import int32, uint32
from numpy.typing import NDArray

from ecsphys.components.collision.collision_filter import CollisionFilter
from ecsphys.components.collision.vertex_pool import VERTEX_POOL
from ecsphys.components.store.change_log import ENTRIES, WRITTEN
from ecsphys.engine.broadphase.overlaps import find_overlaps_in_grid
from ecsphys.engine.kernels.compilation import load_kernels
from ecsphys.engine.shapes.placement import FILED_ASIDE, FILED_AWAKE, FILED_SLEEPING
from ecsphys.engine.spatial.search_grid import SearchGrid, list_aside, survey_grid
from ecsphys.engine.spatial.searched_world import SearchedWorld

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState

# To file a collider takes as long as to list it and compare it with so many queries; and to file any, as long as more.
_FILING_COST, _LEAST_FILED = 64, 1000

# Room for so many that are aside, at first.
_FIRST_ROOM = 256

_FILTERS: Final = CollisionFilter._columns


class FiledColliders:
    """The grids of one world, brought up to date by :meth:`look`.

    ``grids``: each with the number that its colliders have in ``PlacedShapes.filed``.
    """

    __slots__ = (
        "_aside",
        "_aside_count",
        "_aside_room",
        "_asleep",
        "_awake",
        "_changes",
        "_compared",
        "_filing",
        "_generation",
        "_loaded",
        "_placing",
        "_sleeping",
        "_state",
        "_tables",
        "_world",
        "grids",
    )

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        self._tables, self._placing, self._sleeping = state.tables, state.placing, state.sleeping
        self._loaded: set[Callable[..., Any]] = set()
        self._awake, self._asleep, self._aside = SearchGrid(), SearchGrid(), SearchGrid()
        self.grids = (self._awake, FILED_AWAKE), (self._asleep, FILED_SLEEPING), (self._aside, FILED_ASIDE)
        self._world = self._world_now()
        # How far was read what has changed; −1 where it must be read again.
        self._changes = self._filing = self._generation = -1
        self._aside_count = self._aside_room = 0
        # How many comparisons there were with what is aside, since all was filed.
        self._compared = 0

    def load(self, *kernels: Callable[..., Any]) -> None:
        """Load kernels before their first use."""
        if not self._loaded.issuperset(kernels):
            load_kernels(kernels)
            self._loaded.update(kernels)

    def look(self, queries: int = 1) -> SearchedWorld:
        """See the world as it is now, for so many queries."""
        tables, placing, sleeping = self._tables, self._placing, self._sleeping
        if not tables.is_current() or tables.unread or tables.refiltered:
            self._state.update()
        if 1 in WRITTEN or ENTRIES.made != placing.entries or placing.fresh or not sleeping.is_whole:
            self._state.place()
        if (
            self._changes != placing.changes
            or self._filing != sleeping.filing
            or self._generation != sleeping.generation
            or self._world.pool is not VERTEX_POOL.data
            or self._world.layers_and_masks is not _FILTERS.uint32
        ):
            self._follow()
        if self._aside_count:
            self._compared += queries * self._aside_count
            if self._compared > _FILING_COST * (len(tables.colliders) + _LEAST_FILED):
                self._file_all()
        return self._world

    def _follow(self) -> None:
        """Take over what has been filed, and list what has been placed, since the last time."""
        placing, sleeping = self._placing, self._sleeping
        filing, generation = self._filing, self._generation
        # Where this is cut short it is done again, and all filed again if that was not done.
        self._changes = -1
        if filing != sleeping.filing or generation != sleeping.generation or placing.are_all_aside:
            if filing < 0:
                self.load(survey_grid, list_aside)
            self._filing = self._generation = -1
            if generation != sleeping.generation:
                self._asleep.adopt(sleeping.grid, sleeping.kept.slots)
            is_filed_anew = filing != sleeping.filing
            # At first, and after an interrupt: it is not known for which of the grids what is filed was noted last.
            if placing.are_all_aside or filing < 0 or (is_filed_anew and sleeping.filed_by is None):
                self._file_awake()
            elif is_filed_anew and sleeping.filed_by is not None:
                self._awake.adopt(sleeping.filed_by, sleeping.filed_slots(sleeping.filed_by))
                self._compared = 0
            self._filing, self._generation = sleeping.filing, sleeping.generation
        self._list_aside()
        self._changes = placing.changes

    def _file_all(self) -> None:
        known, self._filing = self._filing, -1
        self._file_awake()
        self._list_aside()
        self._filing = known

    def _file_awake(self) -> None:
        """File all that the grid of those asleep has not as it is now."""
        state = self._state
        colliders = state.tables.colliders
        order = colliders.order
        slots = order[colliders.placed.filed[order] != FILED_SLEEPING]
        # A grid of its own: the one there is may be the broadphase's.
        filed = SearchGrid()
        filed.file(colliders.placed.boxes[slots], slots.astype(uint32), state.settings.cell_size or 0.0)
        self._awake.take(filed)
        state.placing.note_filed(slots)
        self._compared = 0

    def _list_aside(self) -> None:
        """Search what is aside as it is listed now, and all as it is in memory now."""
        colliders, notes = self._tables.colliders, self._placing.notes
        self._aside_count = count = list_aside(notes, colliders.placed, self._aside.arrays)
        if count > self._aside_room:
            self._aside_room = 2 * count + _FIRST_ROOM
            self._aside.make_room(self._aside_room)
            list_aside(notes, colliders.placed, self._aside.arrays)
        world = self._world
        if (
            world.aside is not self._aside.arrays
            or world.awake is not self._awake.arrays
            or world.asleep is not self._asleep.arrays
            or world.placed is not colliders.placed
            or world.colliders is not colliders.slots
            or world.pool is not VERTEX_POOL.data
            or world.layers_and_masks is not _FILTERS.uint32
        ):
            self._world = self._world_now()

    def _world_now(self) -> SearchedWorld:
        colliders = self._tables.colliders
        return SearchedWorld(
            self._awake.arrays,
            self._asleep.arrays,
            self._aside.arrays,
            colliders.placed,
            VERTEX_POOL.data,
            colliders.slots,
            _FILTERS.uint32,
            _FILTERS.int64,
        )

    def in_box(self, box: tuple[float, float, float, float]) -> NDArray[int32]:
        """The slots of all colliders whose boxes overlap or touch a box, in no order; :meth:`look` first."""
        self.load(find_overlaps_in_grid)
        filed = self._state.tables.colliders.placed.filed
        found = [np.zeros(0, int32)]
        query = np.array((box,))
        for grid, number in self.grids:
            slots = grid.find_overlaps(query)[:, 1]
            found.append(slots[filed[slots] == number])
        return np.concatenate(found)
