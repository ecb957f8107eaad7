"""Every box against every other: the oracle of the grid, and a drop-in for it in small worlds."""

from __future__ import annotations

from numpy import float64, int32, int64
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import MAX_X, MAX_Y, MIN_X, MIN_Y, box_at
from ecsphys.engine.broadphase.pair_table import PairTable, is_too_many
from ecsphys.engine.kernels.array_types import Float64Rows, Int32Rows, Int64s
from ecsphys.engine.kernels.compilation import kernel
from ecsphys.engine.shapes.layout import OF_A, OF_B


@kernel
def find_pairs_brute_force(boxes: Float64Rows, bodies: Int64s, pairs: Int32Rows) -> int:
    """Fill ``pairs`` with (a, b), a < b, in ascending order; return how many there are, which must fit.

    ``boxes`` (n, 4) are min_x, min_y, max_x, max_y; boxes that only touch are a pair, a box with a NaN is in none.
    ``bodies`` (n,) names the owner of each box: boxes of one owner are no pair.
    """
    found = 0
    for a in range(boxes.shape[0]):
        if is_too_many(found):
            return found
        box = box_at(boxes, a)
        body = bodies[a]
        for b in range(a + 1, boxes.shape[0]):
            if (
                boxes[b, MIN_X] <= box.max_x
                and box.min_x <= boxes[b, MAX_X]
                and boxes[b, MIN_Y] <= box.max_y
                and box.min_y <= boxes[b, MAX_Y]
                and bodies[b] != body
            ):
                if found < pairs.shape[0]:
                    pairs[found, OF_A] = a
                    pairs[found, OF_B] = b
                found += 1
    return found


class BruteForce:
    """Broadphase by comparing all boxes; it finds exactly the grid's pairs, in ascending order."""

    def __init__(self) -> None:
        self.cell_size = 0.0
        self.cell_count = 0
        self.level_count = 0
        self._pairs = PairTable()

    def find_pairs(self, boxes: NDArray[float64], bodies: NDArray[int64], cell_size: float = 0.0) -> NDArray[int32]:
        """Pairs (m, 2) of overlapping boxes, valid until the next call; see :func:`find_pairs_brute_force`.

        ``cell_size`` is there for the sake of the grid's signature and has no meaning here. TooManyPairsError beyond
        the limit.
        """
        return self._pairs.fill(find_pairs_brute_force, boxes, bodies)
