"""Which boxes filed in a grid are overlapped by others that are not: regions asked for, shapes that move."""

from __future__ import annotations

from numpy import float64, int32, int64, uint32
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import COUNT, END_STRAY, FIRST_STRAY, LEVELS
from ecsphys.engine.broadphase.pairs import scan_box, walk_level
from ecsphys.engine.kernels.compilation import kernel


@kernel("i8(f8[:,::1], f8[:,::1], i8[:,::1], u4[::1], u4[::1], f8[:,::1], f8[::1], i4[:,::1])")
def find_overlaps_in_grid(
    queries: NDArray[float64],
    floats: NDArray[float64],
    integers: NDArray[int64],
    starts: NDArray[uint32],
    order: NDArray[uint32],
    sorted_boxes: NDArray[float64],
    statistics: NDArray[float64],
    pairs: NDArray[int32],
) -> int:
    """Fill ``pairs`` with (query, box), by query; return how many there are, which must fit.

    ``queries`` (k, 4) are boxes, of which one with a NaN or inside out overlaps nothing. The arrays after them are
    what ``file_in_grid`` has filled.
    """
    found = int(int64(0))  # a literal 0 would have the callees compiled once more for it
    first = int(int64(statistics[FIRST_STRAY]))
    end = int(int64(statistics[END_STRAY]))
    for p in range(queries.shape[0]):
        min_x, min_y, max_x, max_y = queries[p, 0], queries[p, 1], queries[p, 2], queries[p, 3]
        if not (min_x <= max_x and min_y <= max_y):
            continue
        for level in range(LEVELS):
            if integers[level, COUNT] > 0:
                found = walk_level(
                    p, p, queries, level, floats, integers, starts, order, sorted_boxes, pairs, found
                )  # fmt: skip
        if end > first:
            found = scan_box(p, min_x, min_y, max_x, max_y, first, end, order, sorted_boxes, pairs, found)
    return found
