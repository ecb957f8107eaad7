"""All colliders of a world in grids for queries: those at rest where the broadphase keeps them, the others beside."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import int32, int64, uint8, uint32
from numpy.typing import NDArray

from ecsphys.engine.kernels.compilation import load_kernels
from ecsphys.engine.spatial.search_grid import SearchGrid
from ecsphys.systems.world.placed_colliders import PlacedColliders
from ecsphys.systems.world.proxies import Proxies

if TYPE_CHECKING:
    from ecsphys.systems.physics import Physics

_NOBODY_LEFT: NDArray[uint8] = np.zeros(0, uint8)


class SearchedWorld:
    """The grids that a world's queries search, filed anew only where something has changed since the last query.

    After :meth:`look`, ``proxies`` and ``placed`` are those of now, and ``grids`` the grids they are in, each with the
    marks (n,) of those that are not in it any more, or none.
    """

    __slots__ = ("_aside", "_at_rest", "_filed", "_kept", "_loaded", "_loose", "grids", "placed", "proxies")

    def __init__(self) -> None:
        self._loose = SearchGrid()
        self._at_rest = SearchGrid()
        self._aside = PlacedColliders()
        # What the loose grid was filed for, and which grid of those at rest was taken.
        self._filed: tuple[Proxies, int, int, float] | None = None
        self._kept = -1
        self._loaded: set[Callable[..., Any]] = set()
        self.proxies: Proxies
        self.placed = self._aside
        self.grids: list[tuple[SearchGrid, NDArray[uint8]]] = []

    def load(self, kernel: Callable[..., Any]) -> None:
        """Load a kernel before its first use."""
        if kernel not in self._loaded:
            load_kernels((kernel,))
            self._loaded.add(kernel)

    def look(self, physics: Physics) -> None:
        """See the world of ``physics`` as it is now."""
        self.proxies = proxies = physics.index.proxies
        cell_size = physics.cell_size or 0.0
        if physics.placed_as_now is None:
            # Between broadphase and narrowphase: what these place must stay as it is.
            self.placed = self._aside
            self._filed = None
            self.placed.place(proxies)
            self._loose.file(self.placed.boxes, np.arange(len(proxies), dtype=uint32), cell_size)
            self.grids = [(self._loose, _NOBODY_LEFT)]
            return
        self.placed = placed = physics.placed_as_now
        resting = physics.resting
        now = (proxies, placed.changes, resting.generation, cell_size)
        if self._filed is not None and self._filed[0] is proxies and self._filed[1:] == now[1:]:
            return
        self._filed = None
        if not resting.names.size:
            if self._kept >= 0:
                self._kept, self._at_rest = -1, SearchGrid()
            self._loose.file(placed.boxes, np.arange(len(proxies), dtype=uint32), cell_size)
            self.grids = [(self._loose, _NOBODY_LEFT)]
        else:
            if self._kept != resting.generation:
                self._kept = -1
                self._at_rest.adopt(resting.grid, resting.names)
                self._kept = resting.generation
            loose = np.concatenate((resting.awake, resting.stirred(placed)))
            self._loose.file(placed.boxes[loose], loose.astype(uint32), cell_size)
            self.grids = [(self._loose, _NOBODY_LEFT), (self._at_rest, placed.moved)]
        self._filed = now

    def entities(self, found: NDArray[int32]) -> tuple[NDArray[int64], NDArray[int64], NDArray[int64]]:
        """Entity, index of the collider's class and part (n,) of proxies (n,), −1 for proxy −1."""
        proxies = self.proxies
        if not len(proxies):
            nobody = np.full(len(found), -1, int64)
            return nobody, nobody.copy(), nobody.copy()
        # Proxy −1 takes the last one's first, which is then replaced.
        missing = np.flatnonzero(found < 0)
        columns: list[NDArray[int64]] = []
        for column in (proxies.entity, proxies.collider, proxies.part):
            taken = column[found].astype(int64, copy=False)
            taken[missing] = -1
            columns.append(taken)
        return columns[0], columns[1], columns[2]
