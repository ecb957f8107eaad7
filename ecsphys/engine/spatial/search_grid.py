"""A grid to search: its boxes have names, and for each level it is known how far the boxes in it reach."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy import float64, int64, uint32
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import (
    COUNT,
    END_OVERSIZED,
    FIRST_OVERSIZED,
    LEVELS,
    MASK,
    MAX_X,
    MAX_Y,
    MIN_X,
    MIN_Y,
    NO_LEVEL,
    OFFSET,
    GridArrays,
    entry,
)
from ecsphys.engine.broadphase.grid import Grid
from ecsphys.engine.broadphase.overlaps import find_overlaps_in_grid
from ecsphys.engine.broadphase.pair_table import PairTable
from ecsphys.engine.kernels.array_types import Float64Rows, Int64Rows, Uint32s
from ecsphys.engine.kernels.compilation import kernel

# Columns of the layers: the level, and its first and end in the sorted order.
LEVEL, FIRST, END = 0, 1, 2


class SearchArrays(NamedTuple):
    """A grid to search: the levels with boxes in them, and last what has none; the box (4,) round the boxes of each;
    and the names of all boxes, in their sorted order."""

    layers: Int64Rows
    bounds: Float64Rows
    grid: GridArrays
    names: Uint32s


@kernel
def survey_grid(grid: GridArrays, layers: Int64Rows, bounds: Float64Rows) -> int:
    """List the levels of a grid in ``layers`` and ``bounds`` (:class:`SearchArrays`); returns how many there are."""
    _, integers, starts, sorted_boxes, statistics = grid
    found = 0
    for level in range(LEVELS + 1):
        first = int(int64(statistics[FIRST_OVERSIZED]))
        end = int(int64(statistics[END_OVERSIZED]))
        if level < LEVELS:
            if integers[level, COUNT] == 0:
                continue
            first = entry(starts, integers[level, OFFSET])
            end = entry(starts, integers[level, OFFSET] + integers[level, MASK] + 1)
        min_x = math.inf
        min_y = math.inf
        max_x = -math.inf
        max_y = -math.inf
        for q in range(first, end):
            # One that has left has a NaN, which is less than nothing.
            min_x = sorted_boxes[q, MIN_X] if sorted_boxes[q, MIN_X] < min_x else min_x
            min_y = sorted_boxes[q, MIN_Y] if sorted_boxes[q, MIN_Y] < min_y else min_y
            max_x = sorted_boxes[q, MAX_X] if sorted_boxes[q, MAX_X] > max_x else max_x
            max_y = sorted_boxes[q, MAX_Y] if sorted_boxes[q, MAX_Y] > max_y else max_y
        if not (min_x <= max_x and min_y <= max_y):
            continue
        layers[found, LEVEL] = level if level < LEVELS else NO_LEVEL
        layers[found, FIRST] = first
        layers[found, END] = end
        bounds[found, MIN_X] = min_x
        bounds[found, MIN_Y] = min_y
        bounds[found, MAX_X] = max_x
        bounds[found, MAX_Y] = max_y
        found += 1
    return found


class SearchGrid:
    """Boxes by name, filed for searches; ``arrays`` are what the kernels that search take first.

    Where filing is broken off nothing is found until boxes are filed again.
    """

    def __init__(self) -> None:
        self._grid = Grid()
        self._pairs = PairTable()
        self._layers = np.zeros((LEVELS + 1, 3), int64)
        self._bounds = np.zeros((LEVELS + 1, 4))
        self.names: NDArray[uint32] = np.zeros(0, uint32)
        self.arrays: SearchArrays = self._survey()

    def file(self, boxes: NDArray[float64], names: NDArray[uint32], cell_size: float) -> None:
        """File ``boxes`` (n, 4), which have ``names`` (n,); ``cell_size`` as for :meth:`Grid.find_pairs`."""
        self._forget()
        self._grid.file_boxes(boxes, cell_size)
        self.names = names[self._grid.order]
        self.arrays = self._survey()

    def adopt(self, grid: Grid, names: NDArray[uint32]) -> None:
        """Search a grid that is filed elsewhere, with ``names`` (n,) in its sorted order."""
        self._forget()
        self._grid = grid
        self.names = names
        self.arrays = self._survey()

    def find_overlaps(self, queries: NDArray[float64]) -> NDArray[np.int32]:
        """Pairs (m, 2) of a query's row and the name of a box that it overlaps, see :meth:`Grid.find_overlaps`."""
        tables, names = self._grid.tables, self.names
        # A table of its own: that of the grid may hold the pairs of a step.
        return self._pairs.fill(lambda pairs: find_overlaps_in_grid(queries, tables, names, pairs))

    def _forget(self) -> None:
        self.arrays = self.arrays._replace(layers=self.arrays.layers[:0])

    def _survey(self) -> SearchArrays:
        count = survey_grid(self._grid.tables, self._layers, self._bounds)
        return SearchArrays(self._layers[:count], self._bounds, self._grid.tables, self.names)
