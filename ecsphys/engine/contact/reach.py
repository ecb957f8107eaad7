"""How far shapes reach before contacts are looked for again: boxes grow by it, and what it spans is near.

A row of REACH_COLUMNS for each shape: how far it moves along x and y, how far its outermost point turns, and the most
that counts of both.
"""

from __future__ import annotations

from typing import Final

from numpy import float64, zeros
from numpy.typing import NDArray

from ecsphys.engine.kernels.array_types import Float64Rows, Int32s
from ecsphys.engine.kernels.compilation import inlined_scalar, kernel
from ecsphys.engine.kernels.index import index

REACH_X, REACH_Y, REACH_TURNING, REACH_MOST = 0, 1, 2, 3
REACH_COLUMNS = 4

NO_REACH: Final[NDArray[float64]] = zeros((0, REACH_COLUMNS))


@inlined_scalar
def reach_along(shape: int, nx: float, ny: float, reach: Float64Rows) -> float:
    """How far a shape reaches in the direction n."""
    ahead = max(reach[shape, REACH_X] * nx + reach[shape, REACH_Y] * ny, 0.0) + reach[shape, REACH_TURNING]
    return float(min(ahead, reach[shape, REACH_MOST]))


@kernel
def grow_boxes(
    boxes: Float64Rows, slots: Int32s, count: int, prediction: float, reach: Float64Rows, grown: Float64Rows
) -> None:
    """Write boxes (min_x, min_y, max_x, max_y) that are larger by ``prediction`` and, where they have any, ``reach``.

    Those of some ``slots`` (count,), or the first ``count``, where no slots are given.
    """
    has_slots = slots.shape[0] > 0
    has_reach = reach.shape[0] > 0
    for i in range(index(count)):
        slot = index(slots[i]) if has_slots else i
        left = down = right = up = prediction
        if has_reach:
            left += reach_along(slot, -1.0, 0.0, reach)
            down += reach_along(slot, 0.0, -1.0, reach)
            right += reach_along(slot, 1.0, 0.0, reach)
            up += reach_along(slot, 0.0, 1.0, reach)
        grown[i, 0] = boxes[slot, 0] - left
        grown[i, 1] = boxes[slot, 1] - down
        grown[i, 2] = boxes[slot, 2] + right
        grown[i, 3] = boxes[slot, 3] + up
