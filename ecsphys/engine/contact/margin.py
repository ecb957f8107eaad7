"""Boxes that are larger by the margin within which contacts are looked for."""

from __future__ import annotations

from ecsphys.engine.kernels.array_types import Float64Rows, Int32s
from ecsphys.engine.kernels.compilation import kernel
from ecsphys.engine.kernels.index import index


@kernel
def grow_boxes(boxes: Float64Rows, slots: Int32s, count: int, margin: float, grown: Float64Rows) -> None:
    """Write boxes (min_x, min_y, max_x, max_y) that are larger by the ``margin`` on all sides.

    The boxes belong to some ``slots`` (count,), or the first ``count`` if no slots are given.
    """
    has_slots = slots.shape[0] > 0
    for i in range(index(count)):
        slot = index(slots[i]) if has_slots else i
        grown[i, 0] = boxes[slot, 0] - margin
        grown[i, 1] = boxes[slot, 1] - margin
        grown[i, 2] = boxes[slot, 2] + margin
        grown[i, 3] = boxes[slot, 3] + margin
