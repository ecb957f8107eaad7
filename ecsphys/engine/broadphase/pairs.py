"""Pairs of overlapping boxes within a level of the grid and between two levels, and the tables they are written to.

All searches work on the sorted boxes (by level, then by bucket), append (proxy, proxy) to ``pairs`` through ``order``,
which has the proxy of each sorted box, and return the new count. Beside them is the search that compares every box
with every other: the oracle of the grid, and a drop-in for it in small worlds.

**The spare row.** A search writes each pair that it compares to the row behind those it has found, before it knows
whether it is one: a branch that cannot be predicted would cost more. So behind the pairs there is always one row more.
What does not fit is counted only: :func:`fits` alone says how many pairs a table holds.

**The limit.** A thousand bodies in one place are half a million pairs, ten thousand are fifty million, with hundreds of
bytes for each. A search that has found more than MOST_PAIRS gives up at once: no game wants so many.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy import float64, int32, int64, uint32
from numpy.typing import NDArray

from ecsphys.engine.broadphase import cells
from ecsphys.engine.broadphase.cells import Box, GridArrays, box_at, cell_coordinate, entry
from ecsphys.engine.kernels import Capacity, Float64Rows, Int32Rows, Int64s, Uint32s, index, kernel, scalar
from ecsphys.engine.shapes.layout import OF_A, OF_B

# 2,896 colliders in one place, or 100,000 with 83 neighbours each. With their contacts and hits, about two gigabytes.
MOST_PAIRS = 1 << 22

_FIRST_ROWS = 1024


@scalar
def is_too_many(found: int) -> bool:
    """Whether a search gives up. It may ask now and then only: pairs until then are counted, and not stored."""
    return found > MOST_PAIRS


@scalar
def fits(pairs: NDArray[int32], found: int) -> bool:
    """Whether a table holds all pairs that were found, and so has not lost any to its spare row."""
    return found < pairs.shape[0] and not is_too_many(found)


@scalar
def keep_of_two_bodies(bodies: NDArray[int64], pairs: NDArray[int32], found: int) -> int:
    """Of the ``found`` pairs, which all fit, keep the pairs of two bodies, the lower body first; returns how many there
    are then."""
    count = int(int64(0))  # a literal 0 would have the callees compiled once more for it
    for k in range(found):
        a = pairs[k, OF_A]
        b = pairs[k, OF_B]
        in_order = bodies[a] < bodies[b]
        pairs[count, OF_A] = a if in_order else b
        pairs[count, OF_B] = b if in_order else a
        count += bodies[a] != bodies[b]
    return count


class TooManyPairsError(RuntimeError):
    """There are more pairs than MOST_PAIRS."""


class PairTable:
    """A table of pairs (n, 2) int32 that is kept from search to search, and grows and shrinks with the number of
    pairs."""

    __slots__ = ("_capacity", "rows")

    def __init__(self) -> None:
        self._capacity = Capacity()
        self.rows: NDArray[int32] = np.empty((_FIRST_ROWS, 2), int32)
        """All rows, used or not."""

    def fill(self, search: Callable[..., int], *arguments: Any) -> NDArray[int32]:
        """The pairs that ``search`` writes to the table, its last argument; a view, valid until the next call.

        ``search`` returns how many there are then. Where they do not fit, it is called once more, with a larger table.
        TooManyPairsError beyond the limit.
        """
        found = search(*arguments, self.rows)
        while not fits(self.rows, found):
            if is_too_many(found):
                raise TooManyPairsError(f"more than {MOST_PAIRS:,} pairs of boxes overlap")
            self._resize(self._capacity.choose(found + 1, len(self.rows)), 0)
            found = search(*arguments, self.rows)
        if len(self.rows) > _FIRST_ROWS:
            self._resize(self._capacity.choose(found + 1, len(self.rows)), found)
        return self.rows[:found]

    def _resize(self, rows: int, kept: int) -> None:
        """Replace the table by another with the same beginning."""
        if rows != len(self.rows):
            table = np.empty((rows, 2), int32)
            table[:kept] = self.rows[:kept]
            self.rows = table


# So many boxes are compared with all others. In a crowd with too many pairs there are 2,896 boxes at least.
_MOST_ASKED = 512


def find_crowd(askers: NDArray[float64], boxes: NDArray[float64]) -> tuple[int, int]:
    """The row of one of ``askers`` (k, 4), k > 0, that overlaps many of ``boxes`` (n, 4), and how many: the one with
    most of some from all over."""
    best, most = 0, -1
    for row in np.linspace(0, len(askers) - 1, min(_MOST_ASKED, len(askers))).astype(int64).tolist():
        min_x, min_y, max_x, max_y = askers[row].tolist()
        meets = (boxes[:, 0] <= max_x) & (min_x <= boxes[:, 2]) & (boxes[:, 1] <= max_y) & (min_y <= boxes[:, 3])
        count = int(np.count_nonzero(meets))
        if count > most:
            best, most = row, count
    return best, most


# Costs in nanoseconds, roughly: looking up a box in a coarser table, starting on a row of cells, comparing two boxes.
_LOOKUP_COST = 18.0
_ROW_COST = 12.0
_COMPARISON_COST = 1.5


@scalar
def overlaps_box(boxes: NDArray[float64], i: int, box: Box) -> bool:
    """Closed overlap, all four comparisons made: a branch that cannot be predicted costs more."""
    overlaps_x = (boxes[i, cells.MIN_X] <= box.max_x) & (box.min_x <= boxes[i, cells.MAX_X])
    return bool(overlaps_x & (boxes[i, cells.MIN_Y] <= box.max_y) & (box.min_y <= boxes[i, cells.MAX_Y]))


@scalar
def scan_box(
    proxy: int,
    box: Box,
    first: int,
    end: int,
    order: NDArray[uint32],
    boxes: NDArray[float64],
    pairs: NDArray[int32],
    found: int,
) -> int:
    """Pair a proxy's box with each it overlaps among the boxes first … end − 1; with none, once there are too many."""
    last = pairs.shape[0] - 1
    for q in range(first, first if is_too_many(found) else end):
        pairs[min(found, last), OF_A] = proxy
        pairs[min(found, last), OF_B] = order[q]
        found += overlaps_box(boxes, q, box)
    return found


@scalar
def scan(
    p: int, first: int, end: int, order: NDArray[uint32], boxes: NDArray[float64], pairs: NDArray[int32], found: int
) -> int:
    """Pair box p with each it overlaps among the boxes first … end − 1."""
    return scan_box(entry(order, p), box_at(boxes, p), first, end, order, boxes, pairs, found)


@scalar
def pair_level(
    level: int,
    first: int,
    end: int,
    grid: GridArrays,
    keys: NDArray[uint32],
    order: NDArray[uint32],
    pairs: NDArray[int32],
    found: int,
) -> int:
    """Pairs among the boxes of one level; boxes first … end − 1 are compared here.

    Each is compared with the later boxes of its own bucket, the right bucket, and the three above. None is found twice:
    a pair is found from a to b if the difference of their buckets is one of D = {1, K − 1, K, K + 1} mod M, from b to a
    if it is one of −D, and by their order if it is 0; and for M ≥ 64 these nine differences are distinct, also where
    distant cells share buckets.
    """
    _, integers, starts, boxes, _ = grid
    offset = integers[level, cells.OFFSET]
    mask = integers[level, cells.MASK]
    stride = integers[level, cells.STRIDE]
    size = mask + 1
    last = pairs.shape[0] - 1
    start = entry(starts, offset)
    for p in range(index(start + first), index(start + end)):
        key = entry(keys, p)
        above = offset + ((key - offset + stride - 1) & mask)
        right_end = entry(starts, key + 2)
        above_first = entry(starts, above)
        above_end = entry(starts, above + 3)
        proxy = order[p]
        box = box_at(boxes, p)
        if found + 5 <= last:
            # Most spans are no longer than this: without loops of unknown length there is no branch to mispredict.
            for q in range(p + 1, p + 3):
                pairs[index(found), OF_A] = proxy
                pairs[index(found), OF_B] = order[q]
                found += (q < right_end) & overlaps_box(boxes, q, box)
            for q in range(above_first, above_first + 3):
                pairs[index(found), OF_A] = proxy
                pairs[index(found), OF_B] = order[q]
                found += (q < above_end) & overlaps_box(boxes, q, box)
        else:
            found = scan(p, p + 1, min(p + 3, right_end), order, boxes, pairs, found)
            found = scan(p, above_first, min(above_first + 3, above_end), order, boxes, pairs, found)
        if right_end > p + 3:
            found = scan(p, p + 3, right_end, order, boxes, pairs, found)
        if above_end > above_first + 3:
            found = scan(p, above_first + 3, above_end, order, boxes, pairs, found)
    if start + end < entry(starts, offset + size):
        return found
    # Spans over the end of the table go on at its start: right of bucket M − 1, above M − 1 − K and M − K.
    for k in range(3):
        bucket = (mask - (0 if k == 0 else stride) + (1 if k == 2 else 0)) & mask
        end = entry(starts, offset + (2 if k == 2 else 1))
        for p in range(entry(starts, offset + bucket), entry(starts, offset + bucket + 1)):
            found = scan(p, entry(starts, offset), end, order, boxes, pairs, found)
    return found


@scalar
def covered_cells(box: Box, floats: NDArray[float64], level: int) -> tuple[int, int, float, float]:
    """Cells (first column, first row, columns, rows) of a level where boxes that overlap a box are filed.

    They begin one cell below its min corner, because a box of that level may reach over from there. The numbers of
    columns and rows are floats: they have no bound, and are infinite for a box that is inside out, has a NaN, or is too
    far out to have cells.
    """
    x = cell_coordinate(box.min_x, floats, level)
    y = cell_coordinate(box.min_y, floats, level)
    width = box.max_x - box.min_x
    height = box.max_y - box.min_y
    has_cells = (x >= 0.0) & (x < math.inf) & (y >= 0.0) & (y < math.inf)
    if not (has_cells & (width >= 0.0) & (height >= 0.0)):
        return 0, 0, math.inf, math.inf
    column = int(x)
    row = int(y)
    columns = np.floor(x - column + width * floats[level, cells.SCALE] + cells.SLACK) + 2.0
    rows = np.floor(y - row + height * floats[level, cells.SCALE] + cells.SLACK) + 2.0
    return column - 1, row - 1, columns, rows


@scalar
def walk_cost(columns: float, rows: float, count: int, size: int) -> float:
    """Cost of comparing a box with a level cell by cell; or the cost of all its boxes, if that is not larger."""
    return min(_COMPARISON_COST * count, rows * (_ROW_COST + _COMPARISON_COST * columns * (float(count) / float(size))))


@scalar
def coarser_walks(finer: int, coarser: int, grid: GridArrays) -> bool:
    """Whether it is cheaper that coarser boxes walk over the finer cells than that finer ones look up the coarser."""
    floats, integers, starts, boxes, _ = grid
    offset = integers[coarser, cells.OFFSET]
    cost = -_LOOKUP_COST * integers[finer, cells.COUNT]
    for p in range(entry(starts, offset), entry(starts, offset + integers[coarser, cells.MASK] + 1)):
        _, _, columns, rows = covered_cells(box_at(boxes, p), floats, finer)
        cost += walk_cost(columns, rows, integers[finer, cells.COUNT], integers[finer, cells.MASK] + 1)
        if cost > 0.0:
            return False
    return True


@scalar
def choose_walkers(grid: GridArrays) -> None:
    """Write down for each level which coarser ones walk over it."""
    for level in range(cells.LEVELS):
        walkers = 0
        for coarser in range(level + 1, cells.LEVELS if grid.integers[level, cells.COUNT] > 0 else 0):
            if grid.integers[coarser, cells.COUNT] > 0 and coarser_walks(level, coarser, grid):
                walkers |= 1 << (coarser - 1)
        grid.integers[level, cells.WALKERS] = walkers


@scalar
def walk_level(
    proxy: int,
    box: Box,
    level: int,
    grid: GridArrays,
    order: NDArray[uint32],
    pairs: NDArray[int32],
    found: int,
) -> int:
    """Pair a proxy's box with those it overlaps in a level of the grid.

    It goes over the cells that it covers, unless comparing it with the whole level is no more work.
    """
    if is_too_many(found):
        return found
    floats, integers, starts, boxes, _ = grid
    offset = integers[level, cells.OFFSET]
    size = integers[level, cells.MASK] + 1
    stride = integers[level, cells.STRIDE]
    count = integers[level, cells.COUNT]
    start = entry(starts, offset)
    last = pairs.shape[0] - 1
    column, row, columns, rows = covered_cells(box, floats, level)
    # The negation is true for the NaN of a box with an infinite side.
    if not walk_cost(columns, rows, count, size) < _COMPARISON_COST * count:
        return scan_box(proxy, box, start, start + count, order, boxes, pairs, found)
    # Fewer than M cells here, so no bucket comes twice in a row. But rows may share buckets: a box counts in
    # its own row only, and rows are told apart modulo 2^20, which divides the period.
    for k in range(row, row + int(rows)):
        bucket = (column + stride * k) & (size - 1)
        past = bucket + int(columns)
        first = entry(starts, offset + bucket)
        end = entry(starts, offset + min(past, size))
        for _ in range(2):
            for q in range(first, end):
                # Few of those in the cells overlap: it is not worth looking at all their rows.
                if overlaps_box(boxes, q, box):
                    own_row = int(cell_coordinate(boxes[q, cells.MIN_Y], floats, level))
                    pairs[min(found, last), OF_A] = proxy
                    pairs[min(found, last), OF_B] = order[q]
                    found += (own_row ^ k) & (cells.LARGEST_TABLE - 1) == 0
            first = start
            end = entry(starts, offset + max(past - size, 0))
    return found


@scalar
def pair_levels(
    walking: int,
    first: int,
    end: int,
    level: int,
    grid: GridArrays,
    order: NDArray[uint32],
    pairs: NDArray[int32],
    found: int,
) -> int:
    """Pairs between the boxes of two levels: those first … end − 1 of ``walking`` go over the cells of ``level`` that
    they cover."""
    start = entry(grid.starts, grid.integers[walking, cells.OFFSET])
    for p in range(index(start + first), index(start + end)):
        found = walk_level(entry(order, p), box_at(grid.boxes, p), level, grid, order, pairs, found)
    return found


@kernel
def find_overlaps_in_grid(queries: Float64Rows, grid: GridArrays, order: Uint32s, pairs: Int32Rows) -> int:
    """Fill ``pairs`` with (query, box), by query; return how many there are, which must fit.

    ``queries`` (k, 4) are boxes; one with a NaN or inside out overlaps nothing; ``order``
    are the names of the grid's boxes.
    """
    found = int(int64(0))  # a literal 0 would have the callees compiled once more for it
    first = int(int64(grid.statistics[cells.FIRST_OVERSIZED]))
    end = int(int64(grid.statistics[cells.END_OVERSIZED]))
    for p in range(queries.shape[0]):
        box = box_at(queries, p)
        if not (box.min_x <= box.max_x and box.min_y <= box.max_y):
            continue
        for level in range(cells.LEVELS):
            if grid.integers[level, cells.COUNT] > 0:
                found = walk_level(p, box, level, grid, order, pairs, found)
        if end > first:
            found = scan_box(p, box, first, end, order, grid.boxes, pairs, found)
    return found


@kernel
def find_pairs_brute_force(boxes: Float64Rows, bodies: Int64s, pairs: Int32Rows) -> int:
    """Fill ``pairs`` with (a, b), a < b, in ascending order, for boxes and bodies as of :meth:`Grid.find_pairs`; return
    how many there are, which must fit."""
    found = 0
    last = pairs.shape[0] - 1
    for a in range(boxes.shape[0]):
        if is_too_many(found):
            return found
        box = box_at(boxes, a)
        for b in range(a + 1, boxes.shape[0]):
            pairs[min(found, last), OF_A] = a
            pairs[min(found, last), OF_B] = b
            found += overlaps_box(boxes, b, box) & (bodies[b] != bodies[a])
    return found


class BruteForce:
    """Broadphase by comparing all boxes; it finds exactly the grid's pairs, in ascending order."""

    def __init__(self) -> None:
        self._pairs = PairTable()

    def find_pairs(self, boxes: NDArray[float64], bodies: NDArray[int64]) -> NDArray[int32]:
        """As :meth:`Grid.find_pairs`."""
        return self._pairs.fill(find_pairs_brute_force, boxes, bodies)
