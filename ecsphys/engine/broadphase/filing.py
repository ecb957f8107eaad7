"""Filing boxes in the cells of a grid: the level and cell of each, and the boxes sorted by that.

Each box is filed in the one cell that holds its min corner. The cell is chosen for the bulk of the boxes; larger ones
go to levels with cells 4, 16, … times as large. Boxes without a level (infinite, inside out, or at coordinates near the
end of float64's range) comes last.
"""

from __future__ import annotations

from typing import NamedTuple

from numpy import int64, uint32

from ecsphys.engine.broadphase.cells import (
    CELL_COUNT,
    CELL_SIZE,
    COUNT,
    END_OVERSIZED,
    FIRST_OVERSIZED,
    LARGEST_EXTENT,
    LEVEL_COUNT,
    LEVELS,
    MASK,
    MAX_X,
    MAX_Y,
    MIN_X,
    MIN_Y,
    NO_LEVEL,
    OFFSET,
    SCALE,
    SMALLEST_CELL,
    STRIDE,
    GridArrays,
    cell_coordinate,
    choose_cell,
    entry,
    level_of,
    set_levels,
    set_table,
)
from ecsphys.engine.kernels.array_types import Float64Rows, Int64Rows, Uint32s
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import kernel

_OTHER_LEVEL = 0xFFFFFFFF


@packed
class Sorting(NamedTuple):
    """How boxes are sorted: the bucket of each (n,), the buckets in the sorted order, and the box there."""

    keys: Uint32s
    sorted_keys: Uint32s
    order: Uint32s


@kernel
def file_in_grid(boxes: Float64Rows, cell_size: float, sorting: Sorting, grid: GridArrays, histogram: Int64Rows) -> int:
    """Sort ``boxes`` (n, 4) by cell, each level together, and fill ``sorting`` and ``grid``; returns 0.

    ``cell_size``: as of :meth:`Grid.find_pairs`, ``histogram`` is scratch. Where the grid's ``starts`` are too
    short no box is filed, in any level, and the length they need is returned.
    """
    keys, sorted_keys, order = sorting
    floats, integers, starts, sorted_boxes, statistics = grid
    count = boxes.shape[0]
    cell = cell_size if cell_size > 0.0 else choose_cell(boxes, histogram)
    if cell == 0.0:
        cell = 1.0  # points only: there is no scale to go by
    cell = min(max(cell, SMALLEST_CELL), LARGEST_EXTENT)
    set_levels(cell, floats, integers)

    # The finest level takes what fits. Comparisons with NaN are false.
    base = int(int64(0))  # a literal 0 would have the callees compiled once more for it
    end = set_table(integers, base, base, count)
    mask = integers[0, MASK]
    stride = integers[0, STRIDE]
    others = 0
    for i in range(count):
        x = cell_coordinate(boxes[i, MIN_X], floats, base)
        y = cell_coordinate(boxes[i, MIN_Y], floats, base)
        width = boxes[i, MAX_X] - boxes[i, MIN_X]
        height = boxes[i, MAX_Y] - boxes[i, MIN_Y]
        fits = (width >= 0.0) & (width <= cell) & (height >= 0.0) & (height <= cell) & (x >= 0.0) & (y >= 0.0)
        keys[i] = (int(x) + stride * int(y)) & mask if fits else _OTHER_LEVEL
        others += not fits
    integers[0, COUNT] = count - others

    # The others, by level; until they are sorted, ``order`` and ``sorted_keys`` hold them and their levels.
    listed = 0
    for i in range(count if others > 0 else 0):
        if keys[i] == _OTHER_LEVEL:
            level = level_of(i, boxes, cell, floats)
            if level < NO_LEVEL:
                integers[level, COUNT] += 1
            order[listed] = i
            sorted_keys[listed] = level
            listed += 1
    for level in range(1, LEVELS):
        if integers[level, COUNT] > 0:
            end = set_table(integers, level, end, integers[level, COUNT])
    if end + 2 > starts.shape[0]:
        integers[:, COUNT] = 0
        statistics[FIRST_OVERSIZED] = 0.0
        statistics[END_OVERSIZED] = 0.0
        return end + 2
    for k in range(others):
        i = entry(order, k)
        level = entry(sorted_keys, k)
        if level < NO_LEVEL:
            column = int(cell_coordinate(boxes[i, MIN_X], floats, level))
            row = int(cell_coordinate(boxes[i, MIN_Y], floats, level))
            bucket = (column + integers[level, STRIDE] * row) & integers[level, MASK]
            keys[i] = integers[level, OFFSET] + bucket
        else:
            keys[i] = end + level - NO_LEVEL
    end += 2

    # Counting sort. The running sums are the ends of the buckets; placing a box moves its bucket's end down, so that
    # they are the starts in the end. Boxes are then copied in order, which reads at random but writes in line.
    starts[:end] = 0
    for i in range(count):
        starts[keys[i]] += 1
    total = 0
    occupied = 0
    for b in range(end):
        occupied += starts[b] > 0
        total += entry(starts, b)
        starts[b] = total
    for i in range(count - 1, -1, -1):
        place = starts[keys[i]] - uint32(1)
        starts[keys[i]] = place
        order[place] = i
    for p in range(count):
        i = entry(order, p)
        sorted_keys[p] = keys[i]
        for column in range(4):
            sorted_boxes[p, column] = boxes[i, column]

    levels = 0
    for level in range(LEVELS):
        levels += integers[level, COUNT] > 0
    statistics[CELL_SIZE] = 1.0 / floats[0, SCALE]
    statistics[CELL_COUNT] = occupied
    statistics[LEVEL_COUNT] = levels
    statistics[FIRST_OVERSIZED] = entry(starts, end - 2)
    statistics[END_OVERSIZED] = entry(starts, end - 1)
    return 0
