"""Which boxes filed in a grid are overlapped by others that are not: regions asked for, shapes that move."""

from __future__ import annotations

from numpy import int64

from ecsphys.engine.broadphase.cells import (
    COUNT,
    END_OVERSIZED,
    FIRST_OVERSIZED,
    LEVELS,
    GridArrays,
    box_at,
)
from ecsphys.engine.broadphase.pairs import scan_box, walk_level
from ecsphys.engine.kernels.array_types import Float64Rows, Int32Rows, Uint32s
from ecsphys.engine.kernels.compilation import kernel


@kernel
def find_overlaps_in_grid(queries: Float64Rows, grid: GridArrays, order: Uint32s, pairs: Int32Rows) -> int:
    """Fill ``pairs`` with (query, box), by query; return how many there are, which must fit.

    ``queries`` (k, 4) are boxes; one with a NaN or inside out overlaps nothing; ``order``
    are the names of the grid's boxes.
    """
    found = int(int64(0))  # a literal 0 would have the callees compiled once more for it
    first = int(int64(grid.statistics[FIRST_OVERSIZED]))
    end = int(int64(grid.statistics[END_OVERSIZED]))
    for p in range(queries.shape[0]):
        box = box_at(queries, p)
        if not (box.min_x <= box.max_x and box.min_y <= box.max_y):
            continue
        for level in range(LEVELS):
            if grid.integers[level, COUNT] > 0:
                found = walk_level(p, box, level, grid, order, pairs, found)
        if end > first:
            found = scan_box(p, box, first, end, order, grid.boxes, pairs, found)
    return found
