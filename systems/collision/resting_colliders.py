"""Colliders at rest: what has not moved for a while costs the broadphase and the narrowphase next to nothing."""

from __future__ import annotations

import numpy as np
from numpy import float64, int32, int64, uint8, uint32
from numpy.typing import NDArray

from ecsphys.engine.broadphase.grid import Grid
from ecsphys.engine.broadphase.resting import CALM, NOBODY, wake_moved
from ecsphys.systems.world.placed_colliders import PlacedColliders

# A new grid of k boxes, and the contacts in it, cost about as much as k calm boxes do awake in this many steps.
_STEPS_TO_PAY = 2


class RestingColliders:
    """Which of a world's colliders rest, in a grid that is kept, and the pairs among these.

    Whoever has not moved for some steps is let rest, as soon as keeping the calm ones awake has cost more than a new
    grid would. Whoever moves is awake at once.

    ``names`` (k,) uint32 are the proxies in the grid's berths, ``NOBODY`` where one has left; ``pairs`` (m, 2) int64
    are the pairs of berths with overlapping boxes; ``generation`` counts the grids.
    """

    __slots__ = (
        "_awake",
        "_awake_count",
        "_berths",
        "_cost",
        "_grid",
        "_stillness",
        "generation",
        "is_whole",
        "names",
        "pairs",
    )

    def __init__(self) -> None:
        self.generation = 0
        self._grid = Grid()
        self.names: NDArray[uint32] = np.zeros(0, uint32)
        self.wake_all(0)

    def wake_all(self, count: int) -> None:
        """Begin with ``count`` proxies, all awake."""
        self.is_whole = False
        """False while the arrays are changed, and after an interrupt of that: then all must be woken."""
        self.generation += 1
        if len(self.names):
            self._grid = Grid()
        self.names = np.zeros(0, uint32)
        self.pairs: NDArray[int64] = np.zeros((0, 2), int64)
        self._berths: NDArray[int32] = np.full(count, -1, int32)
        self._stillness: NDArray[uint8] = np.zeros(count, uint8)
        self._awake: NDArray[int32] = np.arange(count, dtype=int32)
        self._awake_count = count
        self._cost = 0
        self.is_whole = True

    def carry(self, successor: NDArray[int64], count: int) -> None:
        """Go on with ``count`` other proxies: the present ones are at ``successor`` (n,), or gone where that is −1."""
        self.is_whole = False
        berths = np.flatnonzero(self.names != NOBODY)
        heirs = successor[self.names[berths]]
        self.names[berths] = np.where(heirs >= 0, heirs, NOBODY)
        self._grid.sorted_boxes[berths[heirs < 0]] = np.nan
        self._berths = np.full(count, -1, int32)
        self._berths[heirs[heirs >= 0]] = berths[heirs >= 0]
        kept = successor >= 0
        stillness = np.zeros(count, uint8)
        stillness[successor[kept]] = self._stillness[kept]
        self._stillness = stillness
        awake = np.flatnonzero(self._berths < 0)
        self._awake = np.empty(count, int32)
        self._awake_count = len(awake)
        self._awake[: len(awake)] = awake
        self.is_whole = True

    @property
    def grid(self) -> Grid:
        """The grid in whose sorted order the berths are."""
        return self._grid

    def stirred(self, placed: PlacedColliders) -> NDArray[int32]:
        """Those at rest that have moved, but are not awake before the next step."""
        looked_at = placed.looked_at
        return np.unique(looked_at[(placed.moved[looked_at] != 0) & (self._berths[looked_at] >= 0)])

    @property
    def cell_size(self) -> float:
        """Side of a cell of the kept grid's finest level, 0 before there was one."""
        return self._grid.cell_size

    @property
    def cell_count(self) -> int:
        """Cells of the kept grid in which there was a collider when it was made."""
        return self._grid.cell_count if len(self.names) else 0

    @property
    def awake(self) -> NDArray[int32]:
        """The proxies that are awake, in order."""
        return self._awake[: self._awake_count]

    @property
    def is_awake(self) -> NDArray[np.bool_]:
        """For each proxy whether it is awake."""
        return self._berths < 0

    @property
    def resting_pairs(self) -> NDArray[int32]:
        """The pairs (m, 2) of proxies at rest whose boxes overlap."""
        named = self.names[self.pairs]
        pairs: NDArray[int32] = named[(named != NOBODY).all(axis=1)].astype(int32)
        return pairs

    def berths_of(self, pairs: NDArray[int32]) -> NDArray[int64]:
        """The berths (m, 2) of pairs of proxies at rest."""
        return self._berths[pairs].astype(int64)

    def find_pairs(
        self, grid: Grid, placed: PlacedColliders, bodies: NDArray[int64], cell_size: float
    ) -> NDArray[int32]:
        """Pairs (m, 2) of overlapping boxes, of which at least one is awake; a view valid until the grid's next call.

        ``bodies`` and ``cell_size`` are as for :meth:`Grid.find_pairs`.
        """
        self.is_whole = False
        self._update(placed, bodies, cell_size)
        self.is_whole = True
        if self._awake_count == len(bodies):
            return grid.find_pairs(placed.boxes, bodies, cell_size)
        return grid.find_pairs_beside(self._grid, self.names, placed.boxes[self.awake], self.awake, bodies, cell_size)

    def find_pairs_with(
        self, grid: Grid, some: NDArray[int32], boxes: NDArray[float64], bodies: NDArray[int64]
    ) -> NDArray[int32]:
        """Pairs (m, 2) of proxies: ``some`` (k,), with boxes (k, 4) of their own, with each other and with who rests.

        A view valid until the next call of ``grid``; a pair may be in it twice.
        """
        if len(self.names):
            return grid.find_pairs_beside(self._grid, self.names, boxes, some, bodies)
        return some[grid.find_pairs(boxes, bodies[some])]

    def _update(self, placed: PlacedColliders, bodies: NDArray[int64], cell_size: float) -> None:
        looked_at = placed.take_looked_at()
        if self._awake_count == len(bodies) and placed.moved.view(np.bool_).all():
            placed.moved[:] = 0
            self._stillness[:] = 0
            return
        before = self._awake_count
        self._awake_count, calm = wake_moved(
            looked_at,
            placed.moved,
            self._stillness,
            self._berths,
            self.names,
            self._grid.sorted_boxes,
            self._awake,
            self._awake_count,
        )
        if self._awake_count > before:
            self.awake.sort()  # so that pairs of them are in order
        self._cost += calm
        resting = len(bodies) - self._awake_count + calm
        if calm and self._cost >= _STEPS_TO_PAY * resting and 2 * resting >= len(bodies):
            self._rebuild(placed, bodies, cell_size)

    def _rebuild(self, placed: PlacedColliders, bodies: NDArray[int64], cell_size: float) -> None:
        """Let the calm ones rest, and file all who rest anew."""
        restless = np.sort(self.awake[self._stillness[self.awake] < CALM])
        rests = np.ones(len(bodies), np.bool_)
        rests[restless] = False
        resting = np.flatnonzero(rests)
        # A grid of its own: the one there is stays as it is until nothing can fail any more.
        grid = Grid()
        pairs = grid.find_pairs(placed.boxes[resting], bodies[resting], cell_size)
        order = grid.order
        berth = np.empty(len(resting), int64)
        berth[order] = np.arange(len(resting))
        self._grid = grid
        self.names = resting[order].astype(uint32)
        self.pairs = berth[pairs]
        self._berths[restless] = -1
        self._berths[resting] = berth
        self._awake[: len(restless)] = restless
        self._awake_count = len(restless)
        self._cost = 0
        self.generation += 1
