"""Cells of the grid: their size, their levels, the tables they are hashed into, and how boxes are filed in them.

**Filing.** Each box is filed in the one cell that holds its min corner. The cell is chosen for the bulk of the boxes;
larger ones go to levels with cells 4, 16, … times as large. Boxes without a level (infinite, inside out, or at
coordinates near the end of float64's range) come last.

**Coordinates.** The period P = 2^s is N cells long, N a multiple of 2^20 with 2^30 ≤ N ≤ 2^31, and the cell's size is
P/N. The remainder x − ⌊x·2^−s⌋·2^s of a coordinate x is computed without rounding (but for x just below 0, where it is
within half a unit in the last place of P), and multiplied by N/P within 2^−22 of a cell. So a cluster 10^13 cells away
is filed as precisely as one at the origin. The cell is larger than the largest extent by 2^−18 of itself at least,
so rounding never parts neighbours.

**Hashing.** Cell (cx, cy) is bucket (cx + K·cy) mod M of a table, M a power of two up to 2^20 (so that it divides the
period), K odd near 0.618·M. A row of cells is a row of buckets, so three neighbours in a row are one span of the boxes
sorted by bucket; and multiples of the golden ratio are spread so evenly that any region of up to about M cells,
whatever its shape, collides little. The world has no bounds: distant cells share buckets, which costs a comparison,
never a wrong pair.
"""

from __future__ import annotations

import numpy as np
from numpy import float64, int64, uint32
from numpy.typing import NDArray

from ecsphys.engine.kernels import NamedTuple, kernel, packed, scalar
from ecsphys.engine.kernels.arrays import Float64Rows, Float64s, Int64Rows, Uint32s

LEVELS = 64
LARGEST_TABLE = 1 << 20

# Columns of boxes.
MIN_X, MIN_Y, MAX_X, MAX_Y = 0, 1, 2, 3
# Columns of the levels' float table: period, its reciprocal, cells for each unit of length.
PERIOD, PER_PERIOD, SCALE = 0, 1, 2
# Columns of the levels' integer table: first entry in the starts, M − 1, K, number of boxes; and, a bit for each level
# from 1 on, the coarser ones whose boxes walk over its cells.
OFFSET, MASK, STRIDE, COUNT, WALKERS = 0, 1, 2, 3, 4
LEVEL_INTEGERS = 5

# Statistics of a search; the boxes without a level are FIRST_OVERSIZED … END_OVERSIZED − 1 in the sorted order.
CELL_SIZE, CELL_COUNT, FIRST_OVERSIZED, END_OVERSIZED = range(4)
STATISTICS = 4

# More than rounding in the coordinates, in cells.
SLACK = 2.0**-18
# Extents beyond this are infinite to the grid: the period of their level would overflow.
LARGEST_EXTENT = 2.0**980
SMALLEST_CELL = 2.0**-900
# A level of box ``i`` that fits none, and of one with a NaN, which overlaps nothing.
NO_LEVEL, NO_BOX = LEVELS, LEVELS + 1
# In place of the bucket of a box that does not fit the finest level.
_OTHER_LEVEL = 0xFFFFFFFF


@packed
class Sorting(NamedTuple):
    """How boxes are sorted: the bucket of each (n,), the buckets in the sorted order, and the box there."""

    keys: Uint32s
    sorted_keys: Uint32s
    order: Uint32s


@packed
class GridArrays(NamedTuple):
    """What ``file_in_grid`` fills and searches read: the boxes in their sorted order, and where to find them.

    ``floats`` and ``integers`` are the levels' tables; ``starts`` are the buckets', in the tables of all levels one
    after the other; ``boxes`` (n, 4) are by level, then by bucket, and last those without a level.
    """

    floats: Float64Rows
    integers: Int64Rows
    starts: Uint32s
    boxes: Float64Rows
    statistics: Float64s


class Box(NamedTuple):
    """One box, as numbers."""

    min_x: float
    min_y: float
    max_x: float
    max_y: float


@scalar
def box_at(boxes: NDArray[float64], i: int) -> Box:
    """One of many boxes (n, 4)."""
    return Box(boxes[i, MIN_X], boxes[i, MIN_Y], boxes[i, MAX_X], boxes[i, MAX_Y])


@scalar
def entry(array: NDArray[uint32], i: int) -> int:
    """One number, as the int64 it is computed with (numba's int() would leave it unsigned).

    The arrays are unsigned because an index that might be negative costs the check for Python's counting from the end.
    """
    return int(int64(array[i]))


@scalar
def exponent_of(value: float) -> int:
    """The k with 2^k <= value < 2^(k + 1), for a normal positive value."""
    return int(float64(value).view(int64) >> 52) - 1023


@scalar
def power_of_two(exponent: int) -> float:
    """2^exponent, from −1022 to 1023."""
    return float(int64((exponent + 1023) << 52).view(float64))


@scalar
def extents_below(boxes: NDArray[float64], bound: float) -> tuple[float, float, int]:
    """Of the extents (the larger of width and height) below a bound the largest, the sum, and how many they are."""
    largest = 0.0
    total = 0.0
    number = 0
    for i in range(boxes.shape[0]):
        width = boxes[i, MAX_X] - boxes[i, MIN_X]
        height = boxes[i, MAX_Y] - boxes[i, MIN_Y]
        extent = width if width > height else height
        counts = (extent >= 0.0) & (extent < bound)
        counted = extent if counts else 0.0
        number += counts
        total += counted
        if counted > largest:
            largest = counted
    return largest, total, number


@scalar
def squares_reach(boxes: NDArray[float64], bound: float, scale: float, goal: float) -> bool:
    """Whether the sum of the squared extents below a bound, each times a scale, reaches a goal."""
    total = 0.0
    for i in range(boxes.shape[0]):
        width = boxes[i, MAX_X] - boxes[i, MIN_X]
        height = boxes[i, MAX_Y] - boxes[i, MIN_Y]
        extent = width if width > height else height
        counted = extent * scale if (extent >= 0.0) & (extent < bound) else 0.0
        total += counted * counted
        if total >= goal:
            return True
    return False


@scalar
def choose_cell(boxes: NDArray[float64]) -> float:
    """The largest extent of the bulk of the boxes: of all up to an extent c for which the mean of (extent / c)² is no
    less than 1/16.

    With a cell c, the comparisons of a box grow as c², and its overlaps as its squared extent at least: comparisons are
    then bounded by a multiple of the overlaps.
    """
    bound = LARGEST_EXTENT
    while True:
        largest, total, number = extents_below(boxes, bound)
        if largest * number <= 3.0 * total:
            return largest  # all of one kind
        if squares_reach(boxes, bound, 1.0 / largest, 0.0625 * number):
            return largest
        bound = 0.5 * largest


@scalar
def set_levels(cell: float, floats: NDArray[float64], integers: NDArray[int64]) -> None:
    """Fill the float table, unless it is, for a finest cell just larger than ``cell``, and empty all levels."""
    wanted = cell * (1.0 + SLACK)
    # 2^30 < period / wanted <= 2^31
    period = power_of_two(exponent_of(wanted) + 31)
    cells = np.floor(period / wanted / LARGEST_TABLE) * LARGEST_TABLE
    integers[:, COUNT] = 0
    if floats[0, PERIOD] == period and floats[0, SCALE] == cells / period:
        return  # as the last time
    for level in range(LEVELS):
        floats[level, PERIOD] = period
        floats[level, PER_PERIOD] = 1.0 / period
        floats[level, SCALE] = cells / period
        period *= 4.0


@scalar
def set_table(integers: NDArray[int64], level: int, offset: int, count: int) -> int:
    """Give a level a table at ``offset``, with two buckets for each box at least; return where the next one starts.

    Three entries more mark the end of the last bucket, for spans that would run beyond it.
    """
    size = 64
    while size < 2 * count and size < LARGEST_TABLE:
        size *= 2
    integers[level, OFFSET] = offset
    integers[level, MASK] = size - 1
    integers[level, STRIDE] = int(0.6180339887498949 * size) | 1
    integers[level, COUNT] = count
    return offset + size + 3


@scalar
def cell_coordinate(x: float, floats: NDArray[float64], level: int) -> float:
    """Coordinate in cells of a level, modulo the period; NaN or negative near the end of float64's range."""
    periods = np.floor(x * floats[level, PER_PERIOD])
    return float((x - periods * floats[level, PERIOD]) * floats[level, SCALE])


@scalar
def level_of(i: int, boxes: NDArray[float64], cell: float, floats: NDArray[float64]) -> int:
    """Level of box ``i``, which does not fit the finest: 1 … LEVELS − 1, NO_LEVEL or NO_BOX."""
    min_x, min_y, max_x, max_y = boxes[i, MIN_X], boxes[i, MIN_Y], boxes[i, MAX_X], boxes[i, MAX_Y]
    if not (min_x == min_x and min_y == min_y and max_x == max_x and max_y == max_y):
        return NO_BOX
    width = max_x - min_x
    height = max_y - min_y
    extent = max(width, height)
    # The negations are true for NaN, the difference of two infinities.
    if not (width >= 0.0 and height >= 0.0 and cell < extent <= LARGEST_EXTENT):
        return NO_LEVEL
    # extent / cell < 2^(k + 1) <= 4^level
    level = (exponent_of(extent / cell) + 2) // 2
    if level >= LEVELS:
        return NO_LEVEL
    if not (cell_coordinate(min_x, floats, level) >= 0.0 and cell_coordinate(min_y, floats, level) >= 0.0):
        return NO_LEVEL
    return level


@kernel
def file_in_grid(boxes: Float64Rows, cell_size: float, sorting: Sorting, grid: GridArrays) -> int:
    """Sort ``boxes`` (n, 4) by cell, each level together, and fill ``sorting`` and ``grid``; returns 0.

    ``cell_size``: as of :meth:`Grid.find_pairs`. If the grid's ``starts`` are too short no box is filed, in any level,
    and the length they need is returned.
    """
    keys, sorted_keys, order = sorting
    floats, integers, starts, sorted_boxes, statistics = grid
    count = boxes.shape[0]
    cell = cell_size if cell_size > 0.0 else choose_cell(boxes)
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

    statistics[CELL_SIZE] = 1.0 / floats[0, SCALE]
    statistics[CELL_COUNT] = occupied
    statistics[FIRST_OVERSIZED] = entry(starts, end - 2)
    statistics[END_OVERSIZED] = entry(starts, end - 1)
    return 0
