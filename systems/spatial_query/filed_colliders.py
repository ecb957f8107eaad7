"""All colliders of a world in grids, for everything that asks what is where.

The broadphase files those that sleep in one grid and those that are awake in another, and queries search these very
grids. What has changed since is *aside*: filed again in a small grid of its own. Where that has become large, all that
is awake is filed anew.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import int32, int64, uint32
from numpy.typing import NDArray

from ecsphys.engine.kernels.compilation import load_kernels
from ecsphys.engine.shapes.placement import FILED_ASIDE, FILED_AWAKE, FILED_SLEEPING
from ecsphys.engine.spatial.search_grid import SearchGrid

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState

# To file k colliders aside at each of k changes costs k²/2, to file all n anew after k of them n: the least for √n.
_LEAST_ASIDE = 32


class FiledColliders:
    """The grids of one world, brought up to date by :meth:`look`.

    ``grids``: each with the number that its colliders have in ``PlacedShapes.filed``. ``awake`` and ``asleep`` are the
    large ones of them.
    """

    __slots__ = ("_aside", "_is_aside_filed", "_loaded", "_seen", "_state", "asleep", "awake", "grids")

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        self.asleep: SearchGrid
        self.awake: SearchGrid
        self._aside: SearchGrid
        self._is_aside_filed = False
        # What was filed when: (grid of those asleep, filing of those awake, changes of the placed shapes).
        self._seen = (-1, -1, -1)
        self._loaded: set[Callable[..., Any]] = set()
        self.grids: list[tuple[SearchGrid, int]] = []

    def load(self, kernel: Callable[..., Any]) -> None:
        """Load a kernel before its first use."""
        if kernel not in self._loaded:
            load_kernels((kernel,))
            self._loaded.add(kernel)

    def look(self) -> None:
        """See the world as it is now."""
        self.look_at_large()
        if self._is_aside_filed:
            return
        aside = self._state.placing.aside
        boxes = self._state.tables.colliders.placed.boxes
        self._aside.file(boxes[aside], aside.astype(uint32), self._cell_size)
        self._is_aside_filed = True

    def look_at_large(self) -> None:
        """See the world as it is now, but for what is aside: for those that go through the list of it."""
        state = self._state
        state.update()
        state.place()
        placing, sleeping = state.placing, state.sleeping
        seen, now = self._seen, (sleeping.generation, sleeping.filing, placing.changes)
        if seen == now:
            return
        self._is_aside_filed = False
        if seen[:2] == now[:2] and not placing.are_all_aside and len(placing.aside) <= self.most_aside:
            self._seen = now
            return
        generation, filing, _ = seen
        self._seen = (-1, -1, -1)
        if not self.grids:
            self.awake, self.asleep, self._aside = SearchGrid(), SearchGrid(), SearchGrid()
            generation = filing = -1
        if generation != now[0]:
            self.asleep.adopt(sleeping.grid, sleeping.kept.slots)
        if placing.are_all_aside or (filing != now[1] and sleeping.filed_by is None):
            self._file_all()
        elif filing != now[1] and sleeping.filed_by is not None:
            self.awake.adopt(sleeping.filed_by, sleeping.filed_slots(sleeping.filed_by))
        if len(placing.aside) > self.most_aside:
            self._file_all()
        self.grids = [(self.awake, FILED_AWAKE), (self.asleep, FILED_SLEEPING), (self._aside, FILED_ASIDE)]
        self._seen = (sleeping.generation, sleeping.filing, placing.changes)

    @property
    def most_aside(self) -> int:
        """With more than so many aside, all that are awake are filed anew."""
        return _LEAST_ASIDE + math.isqrt(len(self._state.tables.colliders))

    @property
    def _cell_size(self) -> float:
        return self._state.settings.cell_size or 0.0

    def _file_all(self) -> None:
        """File all that the grid of those asleep has not as it is now."""
        state = self._state
        colliders = state.tables.colliders
        order = colliders.order
        slots = order[colliders.placed.filed[order] != FILED_SLEEPING]
        self.awake = SearchGrid()
        self.awake.file(colliders.placed.boxes[slots], slots.astype(uint32), self._cell_size)
        state.placing.note_filed(slots)

    def describe(self, slots: NDArray[int32]) -> tuple[NDArray[int64], NDArray[int64], NDArray[int64]]:
        """Entity, number of the collider's class and part (n,) of colliders (n,), −1 for slot −1."""
        colliders = self._state.tables.colliders.slots
        missing = np.flatnonzero(slots < 0)
        columns: list[NDArray[int64]] = []
        for column in (colliders.entity, colliders.kind, colliders.part):
            # Slot −1 takes the last one's first, which is then replaced.
            taken = column[slots].astype(int64, copy=False)
            taken[missing] = -1
            columns.append(taken)
        return columns[0], columns[1], columns[2]
