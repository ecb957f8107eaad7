"""A grid to search: its boxes have names, and for each level it is known how far the boxes in it reach."""

from __future__ import annotations

import math

import numpy as np
from numpy import float64, int64, uint32
from numpy.typing import NDArray

from ecsphys.engine.broadphase import cells
from ecsphys.engine.broadphase.grid import Grid
from ecsphys.engine.kernels import NamedTuple, aligned_zeros, kernel, packed, scalar
from ecsphys.engine.kernels.array_types import Float64Rows, Int64Rows, Int64s, Uint32s
from ecsphys.engine.shapes.placement import ASIDE_COUNT, PlacedShapes, PlacingNotes

# Columns of the layers: the level, and its first and end in the sorted order.
LEVEL, FIRST, END = 0, 1, 2


@packed
class SearchArrays(NamedTuple):
    """A grid to search: the levels with boxes in them, and last the boxes without a level; the box (4,) round the boxes
    of each; how ``many`` (1,) these layers are; and the names of all boxes, in their sorted order."""

    layers: Int64Rows
    bounds: Float64Rows
    many: Int64s
    grid: cells.GridArrays
    names: Uint32s


@kernel
def survey_grid(grid: cells.GridArrays, layers: Int64Rows, bounds: Float64Rows) -> int:
    """List the levels of a grid in ``layers`` and ``bounds`` (:class:`SearchArrays`); returns how many there are."""
    _, integers, starts, sorted_boxes, statistics = grid
    found = 0
    for level in range(cells.LEVELS + 1):
        first = int(int64(statistics[cells.FIRST_OVERSIZED]))
        end = int(int64(statistics[cells.END_OVERSIZED]))
        if level < cells.LEVELS:
            if integers[level, cells.COUNT] == 0:
                continue
            first = cells.entry(starts, integers[level, cells.OFFSET])
            end = cells.entry(starts, integers[level, cells.OFFSET] + integers[level, cells.MASK] + 1)
        box = box_round(sorted_boxes, first, end)
        if not (box.min_x <= box.max_x and box.min_y <= box.max_y):
            continue
        _set_layer(found, level if level < cells.LEVELS else cells.NO_LEVEL, first, end, box, layers, bounds)
        found += 1
    return found


@scalar
def box_round(boxes: NDArray[float64], first: int, end: int) -> cells.Box:
    """The box round the boxes first … end − 1, inside out if there are none; one that has left has NaN and counts for
    nothing."""
    min_x = math.inf
    min_y = math.inf
    max_x = -math.inf
    max_y = -math.inf
    for q in range(first, end):
        # A NaN is less than nothing.
        min_x = boxes[q, cells.MIN_X] if boxes[q, cells.MIN_X] < min_x else min_x
        min_y = boxes[q, cells.MIN_Y] if boxes[q, cells.MIN_Y] < min_y else min_y
        max_x = boxes[q, cells.MAX_X] if boxes[q, cells.MAX_X] > max_x else max_x
        max_y = boxes[q, cells.MAX_Y] if boxes[q, cells.MAX_Y] > max_y else max_y
    return cells.Box(min_x, min_y, max_x, max_y)


@scalar
def _set_layer(
    k: int, level: int, first: int, end: int, box: cells.Box, layers: NDArray[int64], bounds: NDArray[float64]
) -> None:
    layers[k, LEVEL] = level
    layers[k, FIRST] = first
    layers[k, END] = end
    bounds[k, cells.MIN_X] = box.min_x
    bounds[k, cells.MIN_Y] = box.min_y
    bounds[k, cells.MAX_X] = box.max_x
    bounds[k, cells.MAX_Y] = box.max_y


@kernel
def list_aside(notes: PlacingNotes, placed: PlacedShapes, search: SearchArrays) -> int:
    """Make a grid without levels of the placed shapes that are noted beside the grids.

    Returns how many they are; where there is no room for as many in ``search`` nothing is found in it.
    """
    count = int(int64(notes.counts[ASIDE_COUNT]))
    names, boxes, statistics = search.names, search.grid.boxes, search.grid.statistics
    search.many[0] = 0
    statistics[cells.FIRST_OVERSIZED] = 0.0
    statistics[cells.END_OVERSIZED] = 0.0
    if count > names.shape[0]:
        return count
    for k in range(count):
        names[k] = notes.aside[k]
        for column in range(4):
            boxes[k, column] = placed.boxes[notes.aside[k], column]
    zero = int(int64(0))  # a literal 0 would have the callees compiled once more for it
    box = box_round(boxes, zero, count)
    if box.min_x <= box.max_x and box.min_y <= box.max_y:
        statistics[cells.END_OVERSIZED] = count
        _set_layer(zero, cells.NO_LEVEL, zero, count, box, search.layers, search.bounds)
        search.many[0] = 1
    return count


class SearchGrid:
    """Boxes by name, filed for searches; the kernels that search take the ``arrays``.

    Where filing is broken off nothing is found until boxes are filed again.
    """

    __slots__ = ("_grid", "_names", "arrays")

    def __init__(self) -> None:
        self._grid = Grid()
        # Room for names that are others after each step.
        self._names = np.zeros(0, uint32)
        self.arrays = _search_arrays(self._grid.tables, np.zeros(0, uint32))

    def file(self, boxes: NDArray[float64], names: NDArray[uint32], cell_size: float) -> None:
        """File ``boxes`` (n, 4), which have ``names`` (n,); ``cell_size`` as for :meth:`Grid.find_pairs`."""
        self._forget()
        self._grid.file_boxes(boxes, cell_size)
        self._survey(self._grid, names[self._grid.order])

    def adopt(self, grid: Grid, names: NDArray[uint32]) -> None:
        """Search a grid that is filed elsewhere, with ``names`` (n,) in its sorted order."""
        self._forget()
        self._survey(grid, names)

    def adopt_filed(self, grid: Grid, names: NDArray[uint32]) -> None:
        """As :meth:`adopt`; the names are copied, so that kernels know the arrays from the last time."""
        self._forget()
        count = names.size
        if count > self._names.size:
            self._names = np.zeros(2 * count, uint32)
        self._names[:count] = names
        self._survey(grid, self._names)

    def take(self, other: SearchGrid) -> None:
        """Search what another one has filed, which is not used any more."""
        self._grid, self.arrays = other._grid, other.arrays

    def make_room(self, count: int) -> None:
        """Have tables for so many boxes that are listed by :func:`list_aside`."""
        self._forget()
        grid = self.arrays.grid._replace(boxes=aligned_zeros(count, 4), statistics=np.zeros(5))
        self.arrays = _search_arrays(grid, np.zeros(count, uint32))

    def _forget(self) -> None:
        self.arrays.many[0] = 0

    def _survey(self, grid: Grid, names: NDArray[uint32]) -> None:
        arrays = self.arrays
        if grid.tables is not arrays.grid or names is not arrays.names:
            self.arrays = arrays = _search_arrays(grid.tables, names)
        arrays.many[0] = survey_grid(grid.tables, arrays.layers, arrays.bounds)


def _search_arrays(grid: cells.GridArrays, names: NDArray[uint32]) -> SearchArrays:
    """The search's part of a grid, with layers of its own: a search under way goes on in the layers of the one
    before."""
    layers = cells.LEVELS + 1
    return SearchArrays(np.zeros((layers, 3), int64), np.zeros((layers, 4)), np.zeros(1, int64), grid, names)
