"""Which bullets come towards a segment of a chain from a side that it blocks."""

from __future__ import annotations

from ecsphys.engine.kernels.array_types import Float64Rows, Int32Rows, Int32s, Uint8s
from ecsphys.engine.kernels.compilation import kernel
from ecsphys.engine.shapes.layout import ALONG_X, ALONG_Y, CX, CY, START, ShapeArrays
from ecsphys.engine.shapes.segment import BOTH, blocking_side, is_segment, side_of, to_chain_frame


@kernel
def find_blocked(
    pairs: Int32Rows, placed: ShapeArrays, transform_row: Int32s, poses: Float64Rows, is_blocked: Uint8s
) -> None:
    """Find for each pair (m, 2) of placed shapes whether neither of the two lets the other pass from behind.

    What counts is where they were when the step began: ``poses`` (3, rows) by the ``transform_row`` of each shape.
    """
    shapes, pool = placed.shapes, placed.pool
    for k in range(pairs.shape[0]):
        is_blocked[k] = 1
        for which in range(2):
            i = int(pairs[k, which]) + 0
            other = int(pairs[k, 1 - which]) + 0
            if not is_segment(placed.forms[i], shapes, i):
                continue
            blocking = blocking_side(shapes, i, pool)
            if blocking == BOTH:
                continue
            own_row, row = transform_row[i], transform_row[other]
            x = (poses[ALONG_X, row] - poses[ALONG_X, own_row]) + (shapes[other, CX] - shapes[i, CX])
            y = (poses[ALONG_Y, row] - poses[ALONG_Y, own_row]) + (shapes[other, CY] - shapes[i, CY])
            local_x, local_y = to_chain_frame(shapes, i, x, y)
            if side_of(int(shapes[i, START]), local_x, local_y, pool) != blocking:
                is_blocked[k] = 0
