"""A grid to search: its boxes have names, and for each level it is known how far the boxes in it reach."""

from __future__ import annotations

import math

import numpy as np
from numpy import float64, int64, uint32
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import COUNT, END_STRAY, FIRST_STRAY, LEVELS, MASK, NO_LEVEL, OFFSET, entry
from ecsphys.engine.broadphase.grid import Grid
from ecsphys.engine.kernels.compilation import kernel

# Columns of the layers: the level, and its first and end in the sorted order.
LEVEL, FIRST, END = 0, 1, 2

Arrays = tuple[
    NDArray[int64],
    NDArray[float64],
    NDArray[float64],
    NDArray[int64],
    NDArray[uint32],
    NDArray[uint32],
    NDArray[float64],
]


@kernel("i8(i8[:,::1], u4[::1], f8[:,::1], f8[::1], i8[:,::1], f8[:,::1])")
def survey_grid(
    integers: NDArray[int64],
    starts: NDArray[uint32],
    sorted_boxes: NDArray[float64],
    statistics: NDArray[float64],
    layers: NDArray[int64],
    bounds: NDArray[float64],
) -> int:
    """List the levels with boxes in them, and last what has none; returns how many there are.

    The first four arrays are what ``file_in_grid`` has filled. Writes for each its row of ``layers`` and of ``bounds``,
    the box (4,) round all its boxes.
    """
    found = 0
    for level in range(LEVELS + 1):
        first = int(int64(statistics[FIRST_STRAY]))
        end = int(int64(statistics[END_STRAY]))
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
            min_x = sorted_boxes[q, 0] if sorted_boxes[q, 0] < min_x else min_x
            min_y = sorted_boxes[q, 1] if sorted_boxes[q, 1] < min_y else min_y
            max_x = sorted_boxes[q, 2] if sorted_boxes[q, 2] > max_x else max_x
            max_y = sorted_boxes[q, 3] if sorted_boxes[q, 3] > max_y else max_y
        if not (min_x <= max_x and min_y <= max_y):
            continue
        layers[found, LEVEL] = level if level < LEVELS else NO_LEVEL
        layers[found, FIRST] = first
        layers[found, END] = end
        bounds[found, 0] = min_x
        bounds[found, 1] = min_y
        bounds[found, 2] = max_x
        bounds[found, 3] = max_y
        found += 1
    return found


class SearchGrid:
    """Boxes by name, filed for searches; ``arrays`` are what the kernels that search take first.

    Where filing is broken off nothing is found until boxes are filed again.
    """

    def __init__(self) -> None:
        self._grid = Grid()
        self._layers = np.zeros((LEVELS + 1, 3), int64)
        self._bounds = np.zeros((LEVELS + 1, 4))
        self.names: NDArray[uint32] = np.zeros(0, uint32)
        self.arrays: Arrays = self._survey()

    def file(self, boxes: NDArray[float64], names: NDArray[uint32], cell_size: float) -> None:
        """File ``boxes`` (n, 4), which have ``names`` (n,); ``cell_size`` as for :meth:`Grid.find_pairs`."""
        self._forget()
        self._grid.file_boxes(boxes, cell_size)
        self.names = names[self._grid.order]
        self.arrays = self._survey()

    def adopt(self, grid: Grid, names: NDArray[uint32]) -> None:
        """Search a grid that somebody else files, with ``names`` (n,) in its sorted order."""
        self._forget()
        self._grid = grid
        self.names = names
        self.arrays = self._survey()

    def find_overlaps(self, queries: NDArray[float64]) -> NDArray[np.int32]:
        """Pairs (m, 2) of a query's row and the name of a box that it overlaps, see :meth:`Grid.find_overlaps`."""
        return self._grid.find_overlaps(queries, self.names)

    def _forget(self) -> None:
        self.arrays = (self.arrays[0][:0], *self.arrays[1:])

    def _survey(self) -> Arrays:
        floats, integers, starts, sorted_boxes, statistics = self._grid.tables
        count = survey_grid(integers, starts, sorted_boxes, statistics, self._layers, self._bounds)
        return self._layers[:count], self._bounds, floats, integers, starts, self.names, sorted_boxes
