"""Uniform grid without bounds, in levels for mixed sizes: which boxes overlap, each pair once.

Each box is filed in the one cell that holds its min corner. Two boxes with extents of at most one cell can only
overlap if their min corners are at most one cell apart, for a.min ≤ b.max gives a.min − b.min ≤ extent of b. So a box
need be compared only with its own and the eight cells around, and of these with one half.

Larger boxes are on levels with larger cells (:mod:`ecsphys.engine.broadphase.filing`). Between two levels, either each
finer box looks up the four to nine cells from where a coarser one may reach it, or each coarser box walks over the
finer cells it covers, a span for each row: whichever is estimated to be cheaper. What has no level is compared with
all.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import float64, int32, int64, uint32
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import (
    CELL_COUNT,
    CELL_SIZE,
    COUNT,
    END_STRAY,
    FIRST_STRAY,
    HISTOGRAM_BINS,
    LEVEL_COUNT,
    LEVELS,
)
from ecsphys.engine.broadphase.filing import file_in_grid
from ecsphys.engine.broadphase.overlaps import find_overlaps_in_grid
from ecsphys.engine.broadphase.pair_table import PairTable, fits
from ecsphys.engine.broadphase.pairs import coarser_walks, pair_level, pair_levels, scan
from ecsphys.engine.broadphase.resting import find_pairs_at_rest
from ecsphys.engine.kernels.cache_lines import aligned_zeros
from ecsphys.engine.kernels.capacity import Capacity
from ecsphys.engine.kernels.compilation import kernel

_FIRST_BOXES = 256
_FIRST_STARTS = 1024


@kernel("i8(i8[::1], u4[::1], u4[::1], u4[::1], f8[:,::1], f8[:,::1], i8[:,::1], f8[::1], i4[:,::1])")
def find_pairs_grid(
    bodies: NDArray[int64],
    sorted_keys: NDArray[uint32],
    order: NDArray[uint32],
    starts: NDArray[uint32],
    sorted_boxes: NDArray[float64],
    floats: NDArray[float64],
    integers: NDArray[int64],
    statistics: NDArray[float64],
    pairs: NDArray[int32],
) -> int:
    """Fill ``pairs`` with (a, b), a < b; return how many there are, which must fit
    (:mod:`ecsphys.engine.broadphase.pair_table`).

    ``bodies`` are those of :meth:`Grid.find_pairs`, the rest is what ``file_in_grid`` has filled.
    """
    base = int(int64(0))  # a literal 0 would have the callees compiled once more for it
    found = base
    for level in range(LEVELS):
        if integers[level, COUNT] == 0:
            continue
        found = pair_level(level, integers, starts, sorted_keys, order, sorted_boxes, pairs, found)
        for coarser in range(level + 1, LEVELS):
            if integers[coarser, COUNT] == 0:
                continue
            walking = level
            other = coarser
            if coarser_walks(level, coarser, floats, integers, starts, sorted_boxes):
                walking = coarser
                other = level
            found = pair_levels(walking, other, floats, integers, starts, order, sorted_boxes, pairs, found)
    first = int(int64(statistics[FIRST_STRAY]))
    end = int(int64(statistics[END_STRAY]))
    for p in range(first, end):
        found = scan(p, base, first, order, sorted_boxes, pairs, found)
        found = scan(p, p + 1, end, order, sorted_boxes, pairs, found)
    if not fits(pairs, found):
        return found
    kept = 0
    for k in range(found):
        a = pairs[k, 0]
        b = pairs[k, 1]
        pairs[kept, 0] = min(a, b)
        pairs[kept, 1] = max(a, b)
        kept += bodies[a] != bodies[b]
    return kept


class _Sorting(NamedTuple):
    """Room for boxes in their sorted order; as many as ``keys`` is long."""

    keys: NDArray[uint32]
    sorted_keys: NDArray[uint32]
    order: NDArray[uint32]
    boxes: NDArray[float64]

    @classmethod
    def of(cls, capacity: int) -> _Sorting:
        # Three more, which are read before they are found to be outside of a bucket.
        read = capacity + 4
        return cls(
            np.empty(capacity, uint32), np.empty(capacity, uint32), np.zeros(read, uint32), aligned_zeros(read, 4)
        )


class Grid:
    """The grid with its buffers, which grow and shrink with the number of boxes and pairs.

    Where filing is broken off, by an interrupt or for want of memory, the grid is empty until boxes are filed again.
    """

    def __init__(self) -> None:
        self._statistics = np.zeros(5)
        self._histogram = np.empty((4, HISTOGRAM_BINS), int64)
        self._floats = np.empty((LEVELS, 3))
        self._integers = np.zeros((LEVELS, 4), int64)
        self._pairs = PairTable()
        self._count = 0
        self._capacity = Capacity()
        self._sorting = _Sorting.of(_FIRST_BOXES)
        self._starts = np.empty(_FIRST_STARTS, uint32)

    @property
    def cell_size(self) -> float:
        """Side of a cell of the finest level in the last call."""
        return float(self._statistics[CELL_SIZE])

    @property
    def cell_count(self) -> int:
        """Buckets, of all levels, in which there was a box in the last call."""
        return int(self._statistics[CELL_COUNT])

    @property
    def level_count(self) -> int:
        """Levels in which there was a box in the last call."""
        return int(self._statistics[LEVEL_COUNT])

    @property
    def order(self) -> NDArray[uint32]:
        """The boxes of the last call in their sorted order."""
        return self._sorting.order[: self._count]

    @property
    def sorted_boxes(self) -> NDArray[float64]:
        """The boxes (n, 4) of the last call in their sorted order; a box blanked with NaN here is found no more."""
        return self._sorting.boxes[: self._count]

    @property
    def tables(
        self,
    ) -> tuple[NDArray[float64], NDArray[int64], NDArray[uint32], NDArray[float64], NDArray[float64]]:
        """What kernels that search the boxes filed last take: floats and integers of the levels, the buckets' starts,
        the boxes in their sorted order, and the statistics."""
        return self._floats, self._integers, self._starts, self._sorting.boxes, self._statistics

    def find_pairs(self, boxes: NDArray[float64], bodies: NDArray[int64], cell_size: float = 0.0) -> NDArray[int32]:
        """Pairs (m, 2) of overlapping boxes with a < b, each once; a view valid until the next call.

        ``boxes`` (n, 4) are min_x, min_y, max_x, max_y; boxes that only touch are a pair, a box with a NaN is in none.
        ``bodies`` (n,) names the owner of each box: boxes of one owner are no pair. ``cell_size`` is the least side of
        a cell of the finest level, or 0 to choose it by the boxes' extents. The order of the pairs depends on
        nothing but the arguments. TooManyPairsError beyond the limit.
        """
        self.file_boxes(boxes, cell_size)
        return self._pairs.fill(lambda pairs: self._find_pairs(bodies, pairs))

    def file_boxes(self, boxes: NDArray[float64], cell_size: float = 0.0) -> None:
        """Only sort the boxes into cells, for :meth:`find_overlaps`; arguments as for :meth:`find_pairs`."""
        self._count = 0
        held = len(self._sorting.keys)
        capacity = self._capacity.choose(len(boxes), held)
        if capacity != held:
            self._forget()
            self._sorting = _Sorting.of(capacity)
            self._starts = np.empty(_FIRST_STARTS, uint32)
        length = self._file(boxes, cell_size)
        if length > 0:
            self._starts = np.empty(length, uint32)
            self._file(boxes, cell_size)
        self._count = len(boxes)

    def _forget(self) -> None:
        """Have no boxes: nothing is found until others are filed."""
        self._integers[:, COUNT] = 0
        self._statistics[FIRST_STRAY] = self._statistics[END_STRAY] = 0.0

    def find_overlaps(self, query_boxes: NDArray[float64], names: NDArray[uint32] | None = None) -> NDArray[int32]:
        """Pairs (m, 2) of a query's row and the index of a box filed last that it overlaps or touches, each once.

        In the order of ``query_boxes`` (k, 4), of which one with a NaN or inside out overlaps nothing; a view valid
        until the next call of this or :meth:`find_pairs`. A query costs about what there is in the cells it covers, and
        never more than a comparison with every box. ``names`` (n,), in the sorted order, go in place of the indices.
        TooManyPairsError beyond the limit.
        """
        shown = self._sorting.order if names is None else names
        return self._pairs.fill(lambda pairs: self._find_overlaps(query_boxes, shown, pairs))

    def find_pairs_beside(
        self,
        kept: Grid,
        names: NDArray[uint32],
        boxes: NDArray[float64],
        awake: NDArray[int32],
        bodies: NDArray[int64],
        cell_size: float = 0.0,
    ) -> NDArray[int32]:
        """Pairs (m, 2) of overlapping boxes, both awake, or one awake and one in another grid's last call.

        ``boxes`` (k, 4) are those of ``awake`` (k,) among all boxes, whose owners are ``bodies`` (n,); ``names`` are
        the others, in the sorted order of the ``kept`` grid. TooManyPairsError beyond the limit.
        """
        pairs = self.find_pairs(boxes, bodies[awake], cell_size)
        found = len(pairs)
        np.take(awake, pairs, out=pairs)

        def find_at_rest(pairs: NDArray[int32]) -> int:
            floats, integers, starts, sorted_boxes, statistics = kept.tables
            return find_pairs_at_rest(
                boxes, awake, bodies, names, floats, integers, starts, sorted_boxes, statistics, pairs, found
            )

        return self._pairs.fill(find_at_rest, found)

    def _file(self, boxes: NDArray[float64], cell_size: float) -> int:
        keys, sorted_keys, order, sorted_boxes = self._sorting
        return file_in_grid(
            boxes,
            cell_size,
            keys,
            sorted_keys,
            order,
            self._starts,
            sorted_boxes,
            self._histogram,
            self._floats,
            self._integers,
            self._statistics,
        )

    def _find_pairs(self, bodies: NDArray[int64], pairs: NDArray[int32]) -> int:
        _, sorted_keys, order, sorted_boxes = self._sorting
        return find_pairs_grid(
            bodies,
            sorted_keys,
            order,
            self._starts,
            sorted_boxes,
            self._floats,
            self._integers,
            self._statistics,
            pairs,
        )

    def _find_overlaps(self, query_boxes: NDArray[float64], names: NDArray[uint32], pairs: NDArray[int32]) -> int:
        return find_overlaps_in_grid(
            query_boxes,
            self._floats,
            self._integers,
            self._starts,
            names,
            self._sorting.boxes,
            self._statistics,
            pairs,
        )
