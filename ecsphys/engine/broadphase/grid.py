"""Uniform grid without bounds, in levels for mixed sizes: which boxes overlap, each pair once.

Each box is filed in the one cell that holds its min corner. Two boxes with extents of at most one cell can only
overlap if their min corners are at most one cell apart, for a.min ≤ b.max gives a.min − b.min ≤ extent of b. So a box
need be compared only with its own and the eight cells around, and of these with one half.

Larger boxes are on levels with larger cells (:mod:`ecsphys.engine.broadphase.cells`). Between two levels, either each
finer box looks up the four to nine cells from where a coarser one may reach it, or each coarser box walks over the
finer cells it covers, a span for each row: whichever is estimated to be cheaper. Boxes without a level are compared
with all.

A box that has not moved for some steps may *sleep*: it then has a *place* in the sorted order of a grid that is kept,
and only awake boxes look it up. One that wakes leaves its place, which stays empty until the grid is made again.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy import float64, int32, int64, uint32
from numpy.typing import NDArray

from ecsphys.engine.broadphase import cells
from ecsphys.engine.broadphase import pairs as searches
from ecsphys.engine.kernels import Capacity, NamedTuple, aligned_zeros, inlined_scalar, kernel, packed, scalar
from ecsphys.engine.kernels.arrays import Float64Rows, Int32Rows, Int32s, Int64s, Uint8s, Uint32s
from ecsphys.engine.shapes.layout import OF_A, OF_B
from ecsphys.engine.threads.shared_work import part_count, share

# Steps without a motion after which a box may sleep: less than that, and it may just be turning round.
STILL = 3

# In place of a slot that has left its place.
EMPTY = 0xFFFFFFFF


@packed
class SleepStates(NamedTuple):
    """For each slot: its ``place`` in the kept grid, −1 awake; its steps without a motion, up to STILL; and whether it
    is listed among the ``awake``, with room for all."""

    place: Int32s
    stillness: Uint8s
    is_listed: Uint8s
    awake: Int32s


class KeptGrid(NamedTuple):
    """The grid of sleepers: ``slots`` (k,) in its sorted order, EMPTY where one has left; and its arrays."""

    slots: Uint32s
    grid: cells.GridArrays


@scalar
def _leave_place(slot: int, states: SleepStates, kept: KeptGrid) -> None:
    """Take a slot out of its place, if it has one."""
    place = states.place[slot]
    if place >= 0:
        states.place[slot] = -1
        kept.slots[place] = EMPTY
        for k in range(4):
            kept.grid.boxes[place, k] = math.nan


@scalar
def _wake(slot: int, states: SleepStates, kept: KeptGrid, count: int) -> int:
    """Take a slot out of its place, if it has one, and list it; returns how many are listed."""
    _leave_place(slot, states, kept)
    if states.is_listed[slot] == 0:
        states.is_listed[slot] = 1
        states.awake[count] = slot
        count += 1
    return count


@kernel
def wake_slots(which: Int32s, states: SleepStates, kept: KeptGrid, count: int) -> int:
    """Wake some slots, whether or not they sleep. The first ``count`` are awake; returns how many are afterwards."""
    for k in range(which.shape[0]):
        slot = int(which[k]) + 0
        states.stillness[slot] = 0
        count = _wake(slot, states, kept, count)
    return count


@kernel
def forget_slots(which: Int32s, states: SleepStates, kept: KeptGrid) -> None:
    """Take slots whose colliders are gone out of their places; awake ones stay listed."""
    for k in range(which.shape[0]):
        _leave_place(int(which[k]) + 0, states, kept)


@kernel
def wake_moved(which: Int32s, moved: Uint8s, states: SleepStates, kept: KeptGrid, count: int) -> tuple[int, int]:
    """Wake the sleepers among ``which``, and count the steps in which the others of the awake have not moved.

    ``which`` are the slots whose flag ``moved`` is set. The first ``count`` are awake. Returns how
    many are awake afterwards, and how many of them have been still for long enough to sleep.
    """
    for k in range(which.shape[0]):
        slot = int(which[k]) + 0
        if states.place[slot] >= 0:
            count = _wake(slot, states, kept, count)
    still = 0
    for k in range(count):
        slot = int(states.awake[k]) + 0
        if moved[slot]:
            states.stillness[slot] = 0
        elif states.stillness[slot] < STILL:
            states.stillness[slot] += 1
        still += states.stillness[slot] >= STILL
    return count, still


@scalar
def find_beside(boxes: Float64Rows, awake: Int32s, kept: KeptGrid, pairs: Int32Rows, found: int) -> int:
    """Append to the ``found`` pairs each awake box with each sleeping one that it overlaps, of one body as well.

    ``boxes`` (m, 4) belong to ``awake`` (m,). A collider that is gone has a box of NaN. It is skipped: it would be
    compared with every box of the level.
    """
    grid = kept.grid
    first = int(int64(grid.statistics[cells.FIRST_OVERSIZED]))
    end = int(int64(grid.statistics[cells.END_OVERSIZED]))
    for level in range(cells.LEVELS):
        for p in range(boxes.shape[0] if grid.integers[level, cells.COUNT] > 0 else 0):
            box = cells.box_at(boxes, p)
            if box.min_x == box.min_x:
                found = searches.walk_level(int(int64(awake[p])), box, level, grid, kept.slots, pairs, found)
    for p in range(boxes.shape[0] if end > first else 0):
        found = searches.scan_box(
            int(int64(awake[p])), cells.box_at(boxes, p), first, end, kept.slots, grid.boxes, pairs, found
        )
    return found


NO_SLOTS: NDArray[int32] = np.zeros(0, int32)
_NO_NAMES: NDArray[uint32] = np.zeros(0, uint32)

_FIRST_BOXES = 256
_FIRST_STARTS = 1024

# With fewer boxes than these, a part of a search is not worth handing to another thread.
_BOXES_AT_LEAST = 8192


@inlined_scalar
def _clipped(number: int, before: int, count: int) -> int:
    """A number of a box in the whole search, as one of the ``count`` boxes after those ``before``."""
    return min(max(number - before, 0), count)


@kernel
def plan_search(grid: cells.GridArrays) -> None:
    """Do what all parts of a search need, if there are several: see :func:`find_pairs_grid`."""
    searches.choose_walkers(grid)


@kernel
def find_pairs_grid(
    boxes: Float64Rows,
    awake: Int32s,
    bodies: Int64s,
    sorting: cells.Sorting,
    grid: cells.GridArrays,
    kept: KeptGrid,
    part: int,
    parts: int,
    pairs: Int32Rows,
) -> int:
    """Fill ``pairs`` with (a, b), the lower body first; return how many there are, which must fit
    (:mod:`ecsphys.engine.broadphase.pairs`).

    ``boxes`` (k, 4), which ``file_in_grid`` has filed in ``sorting`` and ``grid``, are of the slots that are ``awake``
    (k,), and the pairs are of two of these, or of one and one in the ``kept`` grid. If ``awake`` is empty, box i is of
    slot i, and no grid is kept. ``bodies`` are of all slots.

    Of several ``parts`` of the search only one ``part`` is done, after :func:`plan_search`: what all find, one after
    the other, is what one finds.
    """
    found = _search(sorting, grid, part, parts, pairs)
    if not searches.fits(pairs, found):
        return found
    if awake.shape[0] > 0:
        for k in range(found):
            pairs[k, OF_A] = awake[pairs[k, OF_A]]
            pairs[k, OF_B] = awake[pairs[k, OF_B]]
        if part == parts - 1:
            found = find_beside(boxes, awake, kept, pairs, found)
            if not searches.fits(pairs, found):
                return found
    return searches.keep_of_two_bodies(bodies, pairs, found)


@scalar
def _search(sorting: cells.Sorting, grid: cells.GridArrays, part: int, parts: int, pairs: Int32Rows) -> int:
    """The search of :func:`find_pairs_grid`: finds pairs in any order, and of one body as well."""
    keys, order = sorting.sorted_keys, sorting.order
    base = int(int64(0))  # a literal 0 would have the callees compiled once more for it
    first_oversized = int(int64(grid.statistics[cells.FIRST_OVERSIZED]))
    end_oversized = int(int64(grid.statistics[cells.END_OVERSIZED]))
    # The search goes over the boxes of each level, then over each two levels, the finer boxes first, of which
    # only one kind does something, and over the oversized. This part looks at the low … high − 1 of all these.
    whole = end_oversized - first_oversized
    levels = 0
    boxes = 0
    for level in range(cells.LEVELS):
        if grid.integers[level, cells.COUNT] > 0:
            boxes += grid.integers[level, cells.COUNT]
            levels += 1
    whole += boxes * levels
    if parts == 1 and levels > 1:
        searches.choose_walkers(grid)
    low = whole * part // parts
    high = whole * (part + 1) // parts
    before = base
    found = base
    for level in range(cells.LEVELS):
        count = grid.integers[level, cells.COUNT]
        if count == 0:
            continue
        first = _clipped(low, before, count)
        end = _clipped(high, before, count)
        if first < end:
            found = searches.pair_level(level, first, end, grid, keys, order, pairs, found)
        before += count
        for coarser in range(level + 1, cells.LEVELS):
            count_coarser = grid.integers[coarser, cells.COUNT]
            if count_coarser == 0:
                continue
            both = count + count_coarser
            if _clipped(low, before, both) < _clipped(high, before, both):
                if grid.integers[level, cells.WALKERS] >> (coarser - 1) & 1:
                    first = _clipped(low, before + count, count_coarser)
                    end = _clipped(high, before + count, count_coarser)
                    found = searches.pair_levels(coarser, first, end, level, grid, order, pairs, found)
                else:
                    first = _clipped(low, before, count)
                    end = _clipped(high, before, count)
                    found = searches.pair_levels(level, first, end, coarser, grid, order, pairs, found)
            before += both
    first = first_oversized + _clipped(low, before, end_oversized - first_oversized)
    end = first_oversized + _clipped(high, before, end_oversized - first_oversized)
    for p in range(first, end):
        found = searches.scan(p, base, first_oversized, order, grid.boxes, pairs, found)
        found = searches.scan(p, p + 1, end_oversized, order, grid.boxes, pairs, found)
    return found


class _Filed(NamedTuple):
    """Room for boxes, as many as the sorting's ``keys`` are long; one object, so that all of it is replaced at once."""

    sorting: cells.Sorting
    tables: cells.GridArrays

    def resized(self, capacity: int) -> _Filed:
        # Three more, which are read before they are found to be outside of a bucket.
        read = capacity + 4
        sorting = cells.Sorting(np.empty(capacity, uint32), np.empty(capacity, uint32), np.zeros(read, uint32))
        return _Filed(sorting, self.tables._replace(boxes=aligned_zeros(read, 4))).with_starts(_FIRST_STARTS)

    def with_starts(self, length: int) -> _Filed:
        return self._replace(tables=self.tables._replace(starts=np.empty(length, uint32)))


class Grid:
    """The grid with its buffers, which grow and shrink with the number of boxes and pairs.

    Where filing is broken off, by an interrupt or for want of memory, the grid is empty until boxes are filed again.
    """

    def __init__(self) -> None:
        self._pairs = searches.PairTable()
        self._parts: list[searches.PairTable] = []
        self._count = 0
        self._capacity = Capacity()
        floats, integers = np.zeros((cells.LEVELS, 3)), np.zeros((cells.LEVELS, cells.LEVEL_INTEGERS), int64)
        levels = cells.GridArrays(floats, integers, _NO_NAMES, np.zeros((0, 4)), np.zeros(cells.STATISTICS))
        self._filed = _Filed(cells.Sorting(_NO_NAMES, _NO_NAMES, _NO_NAMES), levels).resized(_FIRST_BOXES)

    @property
    def cell_size(self) -> float:
        """Side of a cell of the finest level in the last call."""
        return float(self.tables.statistics[cells.CELL_SIZE])

    @property
    def cell_count(self) -> int:
        """Buckets, of all levels, in which there was a box in the last call."""
        return int(self.tables.statistics[cells.CELL_COUNT])

    @property
    def order(self) -> NDArray[uint32]:
        """The boxes of the last call in their sorted order."""
        return self._filed.sorting.order[: self._count]

    @property
    def sorted_boxes(self) -> NDArray[float64]:
        """The boxes (n, 4) of the last call in their sorted order; a box blanked with NaN here is found no more."""
        return self.tables.boxes[: self._count]

    @property
    def tables(self) -> cells.GridArrays:
        """What kernels that search the boxes filed last take."""
        return self._filed.tables

    def find_pairs(
        self,
        boxes: NDArray[float64],
        bodies: NDArray[int64],
        cell_size: float = 0.0,
        threads: int = 1,
        awake: NDArray[int32] = NO_SLOTS,
        kept: KeptGrid | None = None,
    ) -> NDArray[int32]:
        """Pairs (m, 2) of overlapping boxes, the lower body first, each once; a view valid until the next call.

        ``boxes`` (n, 4) are min_x, min_y, max_x, max_y; boxes that only touch are a pair, a box with a NaN is in none.
        ``bodies`` names the owner of each box: boxes of one owner are no pair. ``cell_size`` is the least side of
        a cell of the finest level, or 0 to choose it by the boxes' extents. As many ``threads`` search. The order of
        the pairs depends on nothing but the other arguments. TooManyPairsError beyond the limit.

        With a ``kept`` grid the boxes belong to the slots that are ``awake`` (n,), and ``bodies`` are of all slots.
        Then the pairs are of slots: two that are awake, or one of these and one in the kept grid.
        """
        self.file_boxes(boxes, cell_size)
        *arguments, _, _, _ = self.searching(boxes, bodies, awake, kept)
        parts = part_count(len(boxes), _BOXES_AT_LEAST, threads)
        if parts == 1:
            return self._pairs.fill(find_pairs_grid, *arguments, 0, 1)
        plan_search(self.tables)
        self._parts += [searches.PairTable() for _ in range(parts - len(self._parts))]
        found: list[NDArray[int32]] = [np.zeros((0, 2), int32)] * parts

        def search(part: int) -> None:
            found[part] = self._parts[part].fill(find_pairs_grid, *arguments, part, parts)

        share(search, range(parts), threads)
        return self._pairs.fill(_join, found)

    def file_boxes(self, boxes: NDArray[float64], cell_size: float = 0.0) -> None:
        """Only sort the boxes into cells, for :meth:`find_overlaps`; arguments as for :meth:`find_pairs`."""
        self._count = 0
        if len(boxes) < _BOXES_AT_LEAST:
            self._parts = []
        held = len(self._filed.sorting.keys)
        capacity = self._capacity.choose(len(boxes), held)
        if capacity != held:
            self._forget()
            self._filed = self._filed.resized(capacity)
        length = cells.file_in_grid(boxes, cell_size, *self._filed)
        if length > 0:
            self._filed = self._filed.with_starts(length)
            cells.file_in_grid(boxes, cell_size, *self._filed)
        self._count = len(boxes)

    def _forget(self) -> None:
        """Have no boxes: nothing is found until others are filed."""
        self.tables.integers[:, cells.COUNT] = 0
        self.tables.statistics[cells.FIRST_OVERSIZED] = self.tables.statistics[cells.END_OVERSIZED] = 0.0

    def find_overlaps(self, query_boxes: NDArray[float64], names: NDArray[uint32] | None = None) -> NDArray[int32]:
        """Pairs (m, 2) of a query's row and the index of a box filed last that it overlaps or touches, each once.

        In the order of ``query_boxes`` (k, 4), where a box with a NaN or inside out overlaps nothing; a view valid
        until the next call of this or :meth:`find_pairs`. A query costs about what there is in the cells it covers, and
        never more than a comparison with every box. ``names`` (n,), in the sorted order, go in place of the indices.
        TooManyPairsError beyond the limit.
        """
        shown = self._filed.sorting.order if names is None else names
        return self._pairs.fill(searches.find_overlaps_in_grid, query_boxes, self.tables, shown)

    def filing(self, boxes: NDArray[float64], cell_size: float) -> tuple[Any, ...]:
        """The arguments of ``file_in_grid``, for as many boxes as there is room."""
        return boxes, cell_size, *self._filed

    def searching(
        self, boxes: NDArray[float64], bodies: NDArray[int64], awake: NDArray[int32], kept: KeptGrid | None
    ) -> tuple[Any, ...]:
        """The arguments of ``find_pairs_grid`` on one thread, as of :meth:`find_pairs`; the last is where it writes."""
        beside = KeptGrid(_NO_NAMES, self.tables) if kept is None else kept
        return boxes, awake, bodies, *self._filed, beside, 0, 1, self._pairs.rows

    @property
    def room(self) -> tuple[int, int]:
        """How many boxes, and how many pairs, have room."""
        return len(self._filed.sorting.keys), len(self._pairs.rows)

    def take_filed(self, count: int, found: int) -> NDArray[int32]:
        """Note that a plan has filed so many boxes, and return the pairs (m, 2) that it has found."""
        self._count = count
        return self._pairs.rows[:found]


def _join(found: list[NDArray[int32]], pairs: NDArray[int32]) -> int:
    """Fill ``pairs`` with the found pairs, one part after the other; return how many there are, which must fit."""
    total = sum(map(len, found))
    if searches.fits(pairs, total):
        np.concatenate(found, out=pairs[:total])
    return total
