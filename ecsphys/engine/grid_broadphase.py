"""Uniform grid without bounds, in levels for mixed sizes: which boxes overlap, each pair once.

**Filing.** Each box is filed in the one cell that holds its min corner. Two boxes with extents of at most one cell
can only overlap if their min corners are at most one cell apart, for a.min ≤ b.max gives a.min − b.min ≤ extent of b.
So a box need be compared only with its own and the eight cells around, and of these with one half: its own cell's
later boxes, the right neighbour, and the three above.

**Hashing.** Cell (cx, cy) is bucket (cx + K·cy) mod M of a table, M a power of two, K odd near 0.618·M. A row of cells
is a row of buckets, so three neighbours in a row are one span of the boxes sorted by bucket; and multiples of the
golden ratio are spread so evenly that any region of up to about M cells, whatever its shape, collides little. The
world has no bounds: distant cells share buckets, which costs a comparison, never a wrong pair.

**No pair twice.** A pair is found from a to b if the difference of their buckets is one of D = {1, K − 1, K, K + 1}
mod M, and from b to a if it is one of −D, and by their order in the bucket if it is 0. For M ≥ 64 these nine
differences are distinct, so one of the three applies, shared buckets or not.

**Coordinates.** The period P = 2^s is N cells long, N a multiple of 2^20 (of every M, then) with 2^30 ≤ N ≤ 2^31, and
the cell's size is P/N. The remainder x − ⌊x·2^−s⌋·2^s of a coordinate x is computed without rounding (but for x just
below 0, where it is within half a unit in the last place of P), and multiplied by N/P within 2^−22 of a cell. So a
cluster 10^13 cells away is filed as precisely as one at the origin. The cell is larger than the largest extent by
2^−18 of itself at least, so rounding never parts neighbours.

**Levels.** A cell for the bulk of the boxes is chosen from the distribution of their extents; larger boxes go to
levels with cells 4, 16, … times as large. Between two levels, either each finer box looks up the four to nine cells
from where a coarser one may reach it, or each coarser box walks over the finer cells it covers, a span for each row:
whichever is estimated to be cheaper. What has no level (infinite, inside out, or at coordinates near the end of
float64's range) is compared with all.
"""

from __future__ import annotations

import numpy as np
from numpy import float64, int32, int64, uint32
from numpy.typing import NDArray

from ecsphys.engine.compilation import kernel, scalar

LEVELS = 64

_LARGEST_TABLE = 1 << 20
_MISFIT = 0xFFFFFFFF
# Extents beyond this are infinite to the grid: the period of their level would overflow.
_LARGEST_EXTENT = 2.0**980
_SMALLEST_CELL = 2.0**-900
# More than rounding in the coordinates, in cells.
_SLACK = 2.0**-18

# Columns of the levels' float table and integer table.
_PERIOD, _PER_PERIOD, _SCALE = 0, 1, 2
_OFFSET, _MASK, _STRIDE, _COUNT = 0, 1, 2, 3

# Statistics returned to Python.
_CELL_SIZE, _CELL_COUNT, _LEVEL_COUNT = 0, 1, 2

# Estimated costs of the two ways between levels, in comparisons of boxes.
_LOOKUP_COST = 6.0
_ROW_COST = 4.0


@scalar
def exponent_of(value: float) -> int:
    """The k with 2^k <= value < 2^(k + 1), for a normal positive value."""
    return int(np.float64(value).view(np.int64) >> 52) - 1023


@scalar
def choose_cell(boxes: NDArray[float64], histogram: NDArray[int64]) -> float:
    """The largest extent of the bulk of the boxes.

    With a cell c, the comparisons of a box grow as c², and its overlaps as its squared extent at least. The bulk ends
    at the largest power of two c for which the mean of (extent / c)² over all extents up to c is no less than 1/8
    (extents taken as the next power of two): comparisons are then bounded by a multiple of the overlaps.
    """
    count = boxes.shape[0]
    largest = 0.0
    total = 0.0
    for i in range(count):
        width = boxes[i, 2] - boxes[i, 0]
        height = boxes[i, 3] - boxes[i, 1]
        extent = width if width > height else height
        total += extent
        if extent > largest:
            largest = extent
    # Of one kind: nothing to choose. False for NaN and infinity.
    if largest * count <= 3.0 * total and largest <= _LARGEST_EXTENT:
        return largest
    histogram[:] = 0
    for i in range(count):
        extent = max(boxes[i, 2] - boxes[i, 0], boxes[i, 3] - boxes[i, 1])
        histogram[(np.float64(abs(extent)).view(np.int64) >> 52) & 2047] += 1
    below = 0
    squares = 0.0
    bulk = 0
    for k in range(1, exponent_of(_LARGEST_EXTENT) + 1023):
        below += histogram[k]
        squares = 0.25 * squares + histogram[k]
        if histogram[k] > 0 and squares >= 0.125 * below:
            bulk = k
    # The upper end of the bulk's last bin.
    bound = np.int64((bulk + 1) << 52).view(np.float64)
    largest = 0.0
    for i in range(count):
        width = boxes[i, 2] - boxes[i, 0]
        height = boxes[i, 3] - boxes[i, 1]
        extent = width if width > height else height
        if extent > largest and extent < bound:
            largest = extent
    return largest


@scalar
def level_of(i: int, boxes: NDArray[float64], cell: float, floats: NDArray[float64]) -> int:
    """Level of a box that does not fit the base level; LEVELS if it fits none, LEVELS + 1 if it has a NaN."""
    min_x, min_y, max_x, max_y = boxes[i, 0], boxes[i, 1], boxes[i, 2], boxes[i, 3]
    if not (min_x == min_x and min_y == min_y and max_x == max_x and max_y == max_y):
        return LEVELS + 1
    width = max_x - min_x
    height = max_y - min_y
    extent = max(width, height)
    # The negations are true for NaN, the difference of two infinities.
    if not (width >= 0.0 and height >= 0.0 and cell < extent <= _LARGEST_EXTENT):
        return LEVELS
    # extent / cell < 2^(k + 1) <= 4^level
    level = (exponent_of(extent / cell) + 2) // 2
    if level >= LEVELS:
        return LEVELS
    if not (cell_coordinate(min_x, floats, level) >= 0.0 and cell_coordinate(min_y, floats, level) >= 0.0):
        return LEVELS
    return level


@scalar
def table_size(count: int) -> int:
    """Buckets for so many boxes: a power of two, at least two for each box."""
    size = 64
    while size < 2 * count and size < _LARGEST_TABLE:
        size *= 2
    return size


@scalar
def set_table(integers: NDArray[uint32], level: int, offset: int, count: int) -> int:
    """Describe a level's table, which starts at ``offset``; return where the next one starts.

    Three more entries mark the end of the last bucket, for spans that would run beyond it.
    """
    size = table_size(count)
    integers[level, _OFFSET] = offset
    integers[level, _MASK] = size - 1
    integers[level, _STRIDE] = int(0.6180339887498949 * size) | 1
    integers[level, _COUNT] = count
    return offset + size + 3


@scalar
def cell_coordinate(x: float, floats: NDArray[float64], level: int) -> float:
    """Coordinate in cells of a level, modulo the period; NaN or negative where the float range ends."""
    return (x - np.floor(x * floats[level, _PER_PERIOD]) * floats[level, _PERIOD]) * floats[level, _SCALE]  # type: ignore[no-any-return]


@scalar
def overlaps_box(boxes: NDArray[float64], i: int, min_x: float, min_y: float, max_x: float, max_y: float) -> bool:
    """Closed overlap, all four comparisons made: a branch that cannot be predicted costs more."""
    return bool((boxes[i, 0] <= max_x) & (min_x <= boxes[i, 2]) & (boxes[i, 1] <= max_y) & (min_y <= boxes[i, 3]))


@scalar
def scan(
    p: int, first: int, end: int, order: NDArray[uint32], boxes: NDArray[float64], pairs: NDArray[int32], found: int
) -> int:
    """Pair sorted box p with each it overlaps among the sorted boxes first … end − 1; return the new count."""
    last = pairs.shape[0] - 1
    min_x, min_y, max_x, max_y = boxes[p, 0], boxes[p, 1], boxes[p, 2], boxes[p, 3]
    for q in range(first, end):
        pairs[min(found, last), 0] = order[p]
        pairs[min(found, last), 1] = order[q]
        found += overlaps_box(boxes, q, min_x, min_y, max_x, max_y)
    return found


@scalar
def scan_row(
    p: int,
    bucket: int,
    columns: int,
    integers: NDArray[uint32],
    level: int,
    starts: NDArray[uint32],
    order: NDArray[uint32],
    boxes: NDArray[float64],
    pairs: NDArray[int32],
    found: int,
) -> int:
    """Pair sorted box p with those in ``columns`` buckets of a level from ``bucket`` on, round the table's end."""
    offset = int(integers[level, _OFFSET])
    size = int(integers[level, _MASK]) + 1
    past = bucket + columns
    found = scan(p, int(starts[offset + bucket]), int(starts[offset + min(past, size)]), order, boxes, pairs, found)
    if past > size:
        found = scan(p, int(starts[offset]), int(starts[offset + past - size]), order, boxes, pairs, found)
    return found


@scalar
def pair_level(
    level: int,
    integers: NDArray[uint32],
    starts: NDArray[uint32],
    keys: NDArray[uint32],
    order: NDArray[uint32],
    boxes: NDArray[float64],
    pairs: NDArray[int32],
    found: int,
) -> int:
    """Pairs among the boxes of one level."""
    offset = int(integers[level, _OFFSET])
    mask = int(integers[level, _MASK])
    stride = int(integers[level, _STRIDE])
    size = mask + 1
    last = pairs.shape[0] - 1
    for p in range(int(starts[offset]), int(starts[offset + size])):
        key = int(keys[p])
        above = offset + ((key - offset + stride - 1) & mask)
        right_end = int(starts[key + 2])
        above_first = int(starts[above])
        above_end = int(starts[above + 3])
        proxy = order[p]
        min_x, min_y, max_x, max_y = boxes[p, 0], boxes[p, 1], boxes[p, 2], boxes[p, 3]
        # Most spans are no longer than this: without loops of unknown length there is no branch to mispredict.
        for q in range(p + 1, p + 3):
            pairs[min(found, last), 0] = proxy
            pairs[min(found, last), 1] = order[q]
            found += (q < right_end) & overlaps_box(boxes, q, min_x, min_y, max_x, max_y)
        for q in range(above_first, above_first + 3):
            pairs[min(found, last), 0] = proxy
            pairs[min(found, last), 1] = order[q]
            found += (q < above_end) & overlaps_box(boxes, q, min_x, min_y, max_x, max_y)
        if right_end > p + 3:
            found = scan(p, p + 3, right_end, order, boxes, pairs, found)
        if above_end > above_first + 3:
            found = scan(p, above_first + 3, above_end, order, boxes, pairs, found)
    # Spans over the end of the table go on at its start: right of bucket M − 1, above M − 1 − K and M − K.
    for k in range(3):
        bucket = (mask - (0 if k == 0 else stride) + (1 if k == 2 else 0)) & mask
        for p in range(int(starts[offset + bucket]), int(starts[offset + bucket + 1])):
            found = scan(p, int(starts[offset]), int(starts[offset + (2 if k == 2 else 1)]), order, boxes, pairs, found)
    return found


@scalar
def covered_cells(
    p: int, floats: NDArray[float64], level: int, boxes: NDArray[float64]
) -> tuple[int, int, float, float]:
    """Cells (first column, first row, columns, rows) of a level in which boxes that overlap sorted box p are filed.

    They begin one cell below the box's min corner, because the other box may reach over from there. The counts are
    floats for they have no bound.
    """
    x = cell_coordinate(boxes[p, 0], floats, level)
    y = cell_coordinate(boxes[p, 1], floats, level)
    column = int(x)
    row = int(y)
    columns = np.floor(x - column + (boxes[p, 2] - boxes[p, 0]) * floats[level, _SCALE] + _SLACK) + 2.0
    rows = np.floor(y - row + (boxes[p, 3] - boxes[p, 1]) * floats[level, _SCALE] + _SLACK) + 2.0
    return column - 1, row - 1, columns, rows


@scalar
def walk_cost(columns: float, rows: float, count: int, size: int) -> float:
    """Estimated comparisons of one box with a level's covered cells, row by row; at ``count``, all are compared."""
    return min(float(count), rows * (_ROW_COST + columns * count / size))


@scalar
def pair_levels(
    finer: int,
    coarser: int,
    floats: NDArray[float64],
    integers: NDArray[uint32],
    starts: NDArray[uint32],
    order: NDArray[uint32],
    boxes: NDArray[float64],
    pairs: NDArray[int32],
    found: int,
) -> int:
    """Pairs between the boxes of two levels."""
    finer_offset = int(integers[finer, _OFFSET])
    finer_size = int(integers[finer, _MASK]) + 1
    finer_count = int(integers[finer, _COUNT])
    finer_first = int(starts[finer_offset])
    finer_end = int(starts[finer_offset + finer_size])
    coarser_offset = int(integers[coarser, _OFFSET])
    coarser_size = int(integers[coarser, _MASK]) + 1
    coarser_first = int(starts[coarser_offset])
    coarser_end = int(starts[coarser_offset + coarser_size])

    cost = 0.0
    p = coarser_first
    while p < coarser_end and cost < _LOOKUP_COST * finer_count:
        _, _, columns, rows = covered_cells(p, floats, finer, boxes)
        cost += walk_cost(columns, rows, finer_count, finer_size)
        p += 1

    if cost >= _LOOKUP_COST * finer_count:
        stride = int(integers[coarser, _STRIDE])
        for p in range(finer_first, finer_end):
            column, row, columns, rows = covered_cells(p, floats, coarser, boxes)
            for k in range(int(rows)):
                bucket = (column + stride * (row + k)) & (coarser_size - 1)
                found = scan_row(p, bucket, int(columns), integers, coarser, starts, order, boxes, pairs, found)
        return found

    stride = int(integers[finer, _STRIDE])
    last = pairs.shape[0] - 1
    for p in range(coarser_first, coarser_end):
        column, row, columns, rows = covered_cells(p, floats, finer, boxes)
        if walk_cost(columns, rows, finer_count, finer_size) >= finer_count:
            found = scan(p, finer_first, finer_end, order, boxes, pairs, found)
            continue
        min_x, min_y, max_x, max_y = boxes[p, 0], boxes[p, 1], boxes[p, 2], boxes[p, 3]
        # Fewer than ``finer_size`` cells here, so a row has no bucket twice. But rows may share buckets: a box counts
        # in its own row only, and rows are told apart modulo 2^20, of which the period is a multiple.
        for k in range(int(rows)):
            bucket = (column + stride * (row + k)) & (finer_size - 1)
            past = bucket + int(columns)
            for part in range(2):
                first = 0 if part == 1 else bucket
                end = past - finer_size if part == 1 else min(past, finer_size)
                for q in range(int(starts[finer_offset + first]), int(starts[finer_offset + max(first, end)])):
                    own_row = int(cell_coordinate(boxes[q, 1], floats, finer))
                    pairs[min(found, last), 0] = order[p]
                    pairs[min(found, last), 1] = order[q]
                    found += ((own_row ^ (row + k)) & (_LARGEST_TABLE - 1) == 0) & overlaps_box(
                        boxes, q, min_x, min_y, max_x, max_y
                    )
    return found


@kernel(
    "i8(f8[:,::1], i8[::1], f8, u4[::1], u4[::1], u4[::1], u4[::1], f8[:,::1], i8[::1], f8[:,::1], u4[:,::1],"
    " f8[::1], i4[:,::1])"
)
def find_pairs_grid(
    boxes: NDArray[float64],
    bodies: NDArray[int64],
    cell_size: float,
    keys: NDArray[uint32],
    sorted_keys: NDArray[uint32],
    order: NDArray[uint32],
    starts: NDArray[uint32],
    sorted_boxes: NDArray[float64],
    histogram: NDArray[int64],
    floats: NDArray[float64],
    integers: NDArray[uint32],
    statistics: NDArray[float64],
    pairs: NDArray[int32],
) -> int:
    """Fill ``pairs`` with (a, b), a < b; return how many there are, or more than fit: then call with room for as many.

    ``boxes``, ``bodies`` and ``cell_size`` are those of :meth:`Grid.find_pairs`, the rest is scratch of the sizes that
    :class:`Grid` allocates.
    """
    count = boxes.shape[0]
    cell = cell_size if cell_size > 0.0 else choose_cell(boxes, histogram)
    if cell == 0.0:
        cell = 1.0  # points only: there is no scale to go by
    cell = min(max(cell, _SMALLEST_CELL), _LARGEST_EXTENT)

    # 2^29 < cell / 2^30 · P … so that P/2 <= cell · 2^30 < P, and the cell's own size is rounded up to P/N.
    period = np.int64((exponent_of(cell * (1.0 + _SLACK)) + 1023 + 31) << 52).view(np.float64)
    cells = np.floor(period / (cell * (1.0 + _SLACK)) / _LARGEST_TABLE) * _LARGEST_TABLE
    for level in range(LEVELS):
        floats[level, _PERIOD] = period
        floats[level, _PER_PERIOD] = 1.0 / period
        floats[level, _SCALE] = cells / period
        integers[level, _COUNT] = 0
        period *= 4.0

    # Base level: file what fits. Comparisons with NaN are false.
    end = set_table(integers, 0, 0, count)
    mask = int(integers[0, _MASK])
    stride = int(integers[0, _STRIDE])
    misfits = 0
    for i in range(count):
        x = cell_coordinate(boxes[i, 0], floats, 0)
        y = cell_coordinate(boxes[i, 1], floats, 0)
        width = boxes[i, 2] - boxes[i, 0]
        height = boxes[i, 3] - boxes[i, 1]
        fits = (width >= 0.0) & (width <= cell) & (height >= 0.0) & (height <= cell) & (x >= 0.0) & (y >= 0.0)
        keys[i] = (int(x) + stride * int(y)) & mask if fits else _MISFIT
        misfits += not fits
    integers[0, _COUNT] = count - misfits

    # The others, by level; until they are sorted, ``order`` and ``sorted_keys`` hold them and their levels.
    misfits = 0
    for i in range(count):
        if keys[i] == _MISFIT:
            level = level_of(i, boxes, cell, floats)
            if level < LEVELS:
                integers[level, _COUNT] += 1
            order[misfits] = i
            sorted_keys[misfits] = level
            misfits += 1
    for level in range(1, LEVELS):
        if integers[level, _COUNT] > 0:
            end = set_table(integers, level, end, int(integers[level, _COUNT]))
    for k in range(misfits):
        i = int(order[k])
        level = int(sorted_keys[k])
        if level < LEVELS:
            column = int(cell_coordinate(boxes[i, 0], floats, level))
            row = int(cell_coordinate(boxes[i, 1], floats, level))
            bucket = (column + int(integers[level, _STRIDE]) * row) & int(integers[level, _MASK])
            keys[i] = int(integers[level, _OFFSET]) + bucket
        else:
            keys[i] = end + level - LEVELS
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
        total += int(starts[b])
        starts[b] = total
    for i in range(count - 1, -1, -1):
        place = starts[keys[i]] - uint32(1)
        starts[keys[i]] = place
        order[place] = i
    for p in range(count):
        i = int(order[p])
        sorted_keys[p] = keys[i]
        for k in range(4):
            sorted_boxes[p, k] = boxes[i, k]

    found = 0
    levels = 0
    for level in range(LEVELS):
        if integers[level, _COUNT] == 0:
            continue
        levels += 1
        found = pair_level(level, integers, starts, sorted_keys, order, sorted_boxes, pairs, found)
        for coarser in range(level + 1, LEVELS):
            if integers[coarser, _COUNT] > 0:
                found = pair_levels(level, coarser, floats, integers, starts, order, sorted_boxes, pairs, found)
    first = int(starts[end - 2])
    last = int(starts[end - 1])
    for p in range(first, last):
        found = scan(p, 0, first, order, sorted_boxes, pairs, found)
        found = scan(p, p + 1, last, order, sorted_boxes, pairs, found)

    statistics[_CELL_SIZE] = 1.0 / floats[0, _SCALE]
    statistics[_CELL_COUNT] = occupied
    statistics[_LEVEL_COUNT] = levels
    if found > pairs.shape[0]:
        return found
    kept = 0
    for k in range(found):
        a = pairs[k, 0]
        b = pairs[k, 1]
        pairs[kept, 0] = min(a, b)
        pairs[kept, 1] = max(a, b)
        kept += bodies[a] != bodies[b]
    return kept


class Grid:
    """The grid with its buffers, which grow with the number of boxes and pairs and are never given back."""

    def __init__(self) -> None:
        self._statistics = np.zeros(3)
        self._histogram = np.empty(2048, int64)
        self._floats = np.empty((LEVELS, 3))
        self._integers = np.empty((LEVELS, 4), uint32)
        self._pairs = np.empty((1024, 2), int32)
        self._reserve(256)

    @property
    def cell_size(self) -> float:
        """Side of a cell of the finest level in the last call."""
        return float(self._statistics[_CELL_SIZE])

    @property
    def cell_count(self) -> int:
        """Buckets, of all levels, in which there was a box in the last call."""
        return int(self._statistics[_CELL_COUNT])

    @property
    def level_count(self) -> int:
        """Levels in which there was a box in the last call."""
        return int(self._statistics[_LEVEL_COUNT])

    def _reserve(self, count: int) -> None:
        self._capacity = count
        self._keys = np.empty(count, uint32)
        self._sorted_keys = np.empty(count, uint32)
        # Three more, which are read before they are found to be outside of a bucket.
        self._order = np.zeros(count + 4, uint32)
        self._sorted_boxes = np.zeros((count + 4, 4))
        # A table has fewer than four buckets for each of its boxes, or 64, and 3 more; the finest is made for all.
        self._starts = np.empty(8 * count + LEVELS * 67 + 2, uint32)

    def find_pairs(self, boxes: NDArray[float64], bodies: NDArray[int64], cell_size: float = 0.0) -> NDArray[int32]:
        """Pairs (m, 2) of overlapping boxes with a < b, each once; a view valid until the next call.

        ``boxes`` (n, 4) are min_x, min_y, max_x, max_y; boxes that only touch are a pair, a box with a NaN is in none.
        ``bodies`` (n,) names the owner of each box: boxes of one owner are no pair. ``cell_size`` is the least side of
        a cell of the finest level, or 0 to choose it by the boxes' extents. The order of the pairs depends on
        nothing but the arguments.
        """
        if len(boxes) > self._capacity:
            self._reserve(len(boxes) + len(boxes) // 2)
        count = self._run(boxes, bodies, cell_size)
        if count > len(self._pairs):
            self._pairs = np.empty((count + count // 2, 2), int32)
            count = self._run(boxes, bodies, cell_size)
        return self._pairs[:count]

    def _run(self, boxes: NDArray[float64], bodies: NDArray[int64], cell_size: float) -> int:
        return find_pairs_grid(
            boxes,
            bodies,
            cell_size,
            self._keys,
            self._sorted_keys,
            self._order,
            self._starts,
            self._sorted_boxes,
            self._histogram,
            self._floats,
            self._integers,
            self._statistics,
            self._pairs,
        )
