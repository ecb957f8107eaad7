"""The bounding box of a placed shape, and what of a circle a fan's arc covers."""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.kernels.array_types import Float64Rows, Int32s
from ecsphys.engine.kernels.compilation import inlined_scalar, kernel, scalar
from ecsphys.engine.kernels.index import index
from ecsphys.engine.shapes import layout


@scalar
def arc_contains(
    direction_x: float, direction_y: float, axis_x: float, axis_y: float, cos_half: float, sin_half: float
) -> bool:
    """Whether a direction lies between the two edges of a fan, edges included.

    Two cross products against the edges decide, not the cosine of the angle, which cannot tell a sliver's sides
    apart. Above π (cos of the half angle negative) the fan is all that its gap is not.
    """
    start_x = axis_x * cos_half + axis_y * sin_half
    start_y = axis_y * cos_half - axis_x * sin_half
    end_x = axis_x * cos_half - axis_y * sin_half
    end_y = axis_y * cos_half + axis_x * sin_half
    left_of_start = start_x * direction_y - start_y * direction_x
    right_of_end = direction_x * end_y - direction_y * end_x
    if cos_half < 0.0:
        return left_of_start >= 0.0 or right_of_end >= 0.0
    ahead = direction_x * axis_x + direction_y * axis_y
    return left_of_start >= 0.0 and right_of_end >= 0.0 and ahead >= 0.0


@inlined_scalar
def shape_box(form: int, shapes: NDArray[float64], i: int, pool: NDArray[float64]) -> tuple[float, float, float, float]:
    """Bounding box (min_x, min_y, max_x, max_y) of a placed shape, relative to its position."""
    if form == layout.CIRCLE:
        # Here: for a circle, to call a function would take longer than all else that placing does.
        r = shapes[i, layout.RADIUS]
        cx = shapes[i, layout.CX]
        cy = shapes[i, layout.CY]
        return cx - r, cy - r, cx + r, cy + r
    return _box_of_others(form, shapes, i, pool)


@scalar
def _box_of_others(
    form: int, shapes: NDArray[float64], i: int, pool: NDArray[float64]
) -> tuple[float, float, float, float]:
    """:func:`shape_box` of any shape but a circle."""
    cx = shapes[i, layout.CX]
    cy = shapes[i, layout.CY]
    c = shapes[i, layout.AXIS_X]
    s = shapes[i, layout.AXIS_Y]
    r = shapes[i, layout.RADIUS]
    if form == layout.BOX:
        half_x = abs(c) * shapes[i, layout.HALF_X] + abs(s) * shapes[i, layout.HALF_Y]
        half_y = abs(s) * shapes[i, layout.HALF_X] + abs(c) * shapes[i, layout.HALF_Y]
        return cx - half_x, cy - half_y, cx + half_x, cy + half_y
    if form == layout.CAPSULE:
        half_x = abs(c) * shapes[i, layout.HALF_X] + r
        half_y = abs(s) * shapes[i, layout.HALF_X] + r
        return cx - half_x, cy - half_y, cx + half_x, cy + half_y
    if form == layout.POLYGON:
        min_x = math.inf
        min_y = math.inf
        max_x = -math.inf
        max_y = -math.inf
        start = int(shapes[i, layout.START])
        for k in range(start, start + int(shapes[i, layout.COUNT])):
            x = cx + c * pool[k, layout.POOL_X] - s * pool[k, layout.POOL_Y]
            y = cy + s * pool[k, layout.POOL_X] + c * pool[k, layout.POOL_Y]
            min_x = min(min_x, x)
            min_y = min(min_y, y)
            max_x = max(max_x, x)
            max_y = max(max_y, y)
        return min_x - r, min_y - r, max_x + r, max_y + r
    # A fan's extreme point along an axis is the arc's where the arc faces that way, else the apex or an arc end.
    cos_half = shapes[i, layout.COS_HALF]
    sin_half = shapes[i, layout.SIN_HALF]
    start_x = r * (c * cos_half + s * sin_half)
    start_y = r * (s * cos_half - c * sin_half)
    end_x = r * (c * cos_half - s * sin_half)
    end_y = r * (s * cos_half + c * sin_half)
    min_x = -r if arc_contains(-1.0, 0.0, c, s, cos_half, sin_half) else min(0.0, start_x, end_x)
    min_y = -r if arc_contains(0.0, -1.0, c, s, cos_half, sin_half) else min(0.0, start_y, end_y)
    max_x = r if arc_contains(1.0, 0.0, c, s, cos_half, sin_half) else max(0.0, start_x, end_x)
    max_y = r if arc_contains(0.0, 1.0, c, s, cos_half, sin_half) else max(0.0, start_y, end_y)
    return cx + min_x, cy + min_y, cx + max_x, cy + max_y


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
