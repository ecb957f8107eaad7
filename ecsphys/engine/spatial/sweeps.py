"""Shapes that move in a straight line through a grid: the first collider that each meets.

The way is cut into pieces, each no longer than the shape or some cells, and the box round every piece asks the grid. A
collider is tested in the piece in which the moving box first meets its box, so none is tested twice; and once something
is hit, the pieces beyond it are left out. When two boxes meet is a ray against the one grown by the other.
"""

from __future__ import annotations

import math

from numpy import empty, float64, int32, int64, uint8, uint32
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import NO_LEVEL, SCALE
from ecsphys.engine.broadphase.pair_table import fits
from ecsphys.engine.broadphase.pairs import scan_box, walk_level
from ecsphys.engine.cast.shape_cast import cast_shapes
from ecsphys.engine.contact.convex import extent
from ecsphys.engine.kernels.compilation import kernel
from ecsphys.engine.math.rounding import TOUCHING
from ecsphys.engine.shapes.layout import SHAPE_COLUMNS
from ecsphys.engine.spatial.query_filter import is_met
from ecsphys.engine.spatial.rays import reciprocal, slab_times
from ecsphys.engine.spatial.search_grid import END, FIRST, LEVEL

# Columns of an impact.
FRACTION, POINT, NORMAL = 0, 1, 3
SWEEP_COLUMNS = 5

# No piece of the way is shorter than so many cells, or than this part of the way.
_CELLS_AT_LEAST = 4.0
_MOST_PIECES = 4096.0

# More than the rounding of a box on its way, relative to the coordinates and the way.
_ROUNDING = 2.0**-48


@kernel(
    "i8(i8[:,::1], f8[:,::1], f8[:,::1], i8[:,::1], u4[::1], u4[::1], f8[:,::1],"
    " u1[::1], f8[:,::1], f8[:,::1], f8[:,::1],"
    " i8[::1], i4[::1], u4[:,::1], i8[:,::1], i8, i8[::1], u1[::1],"
    " f8[:,::1], u1[::1], f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1], i4[:,::1], i4[::1], f8[:,::1])"
)
def sweep_shapes(
    layers: NDArray[int64],
    bounds: NDArray[float64],
    floats: NDArray[float64],
    integers: NDArray[int64],
    starts: NDArray[uint32],
    names: NDArray[uint32],
    boxes: NDArray[float64],
    forms: NDArray[uint8],
    positions: NDArray[float64],
    shapes: NDArray[float64],
    pool: NDArray[float64],
    entities: NDArray[int64],
    filter_rows: NDArray[int32],
    layers_and_masks: NDArray[uint32],
    groups: NDArray[int64],
    own_filter: int,
    passed_over: NDArray[int64],
    left: NDArray[uint8],
    all_boxes: NDArray[float64],
    mover_forms: NDArray[uint8],
    mover_positions: NDArray[float64],
    mover_shapes: NDArray[float64],
    mover_boxes: NDArray[float64],
    displacements: NDArray[float64],
    pairs: NDArray[int32],
    proxies: NDArray[int32],
    impacts: NDArray[float64],
) -> int:
    """Move n placed shapes by their ``displacements`` (n, 2) and keep the first impact of each.

    The arguments are those of a :class:`SearchGrid`, placed shapes, those of ``is_met``, the boxes of all proxies, then
    the movers: their placed shapes, boxes, and displacements. ``pairs`` is scratch. ``proxies`` (n,) and ``impacts``
    (n, 5), fraction, point and normal towards the mover, have what was hit until now, −1 and infinity at first; of two
    at one fraction the lower proxy is taken. What overlaps at the start has fraction 0 and the normal of the shortest
    way out.

    Returns 0, or how many pairs must fit where they do not (:mod:`ecsphys.engine.broadphase.pair_table`): then call
    again.
    """
    zero = int(int64(0))  # a literal 0 would have the callees compiled once more for it
    pair = empty((1, 2), int64)
    pair[0, 0] = 0
    pair[0, 1] = 1
    two_forms = empty(2, uint8)
    two_positions = empty((2, 2))
    two_shapes = empty((2, SHAPE_COLUMNS))
    fraction = empty(1)
    gap = empty(1)
    normal = empty((1, 2))
    point = empty((1, 2))
    piece = empty((1, 4))
    for r in range(displacements.shape[0]):
        dx, dy = displacements[r, 0], displacements[r, 1]
        min_x, min_y, max_x, max_y = mover_boxes[r, 0], mover_boxes[r, 1], mover_boxes[r, 2], mover_boxes[r, 3]
        way = math.hypot(dx, dy)
        per_x = reciprocal(dx)
        per_y = reciprocal(dy)
        widest = max(max_x - min_x, max_y - min_y)
        pad = _ROUNDING * (way + max(abs(min_x), abs(min_y), abs(max_x), abs(max_y)))
        two_forms[0] = mover_forms[r]
        for column in range(2):
            two_positions[0, column] = mover_positions[r, column]
        for column in range(SHAPE_COLUMNS):
            two_shapes[0, column] = mover_shapes[r, column]
        for k in range(layers.shape[0]):
            near_x, far_x = slab_times(0.0, per_x, bounds[k, 0] - max_x - pad, bounds[k, 2] - min_x + pad)
            near_y, far_y = slab_times(0.0, per_y, bounds[k, 1] - max_y - pad, bounds[k, 3] - min_y + pad)
            begin = max(near_x, near_y, 0.0)
            end = min(far_x, far_y, 1.0, impacts[r, FRACTION])
            if not begin <= end:
                continue
            level = layers[k, LEVEL]
            length = way
            if level < NO_LEVEL:
                length = max(widest, _CELLS_AT_LEAST / floats[level, SCALE], way / _MOST_PIECES)
            count = int(max(math.ceil((end - begin) * way / length), 1.0)) if way > 0.0 else 1
            for number in range(count):
                until = begin + (end - begin) * (number + 1) / count
                since = begin + (end - begin) * number / count
                piece[0, 0] = min_x + min(since * dx, until * dx) - pad
                piece[0, 1] = min_y + min(since * dy, until * dy) - pad
                piece[0, 2] = max_x + max(since * dx, until * dx) + pad
                piece[0, 3] = max_y + max(since * dy, until * dy) + pad
                found = zero
                if level < NO_LEVEL:
                    found = walk_level(
                        zero, r, piece, level, floats, integers, starts, names, boxes, pairs, found
                    )  # fmt: skip
                else:
                    found = scan_box(
                        r, piece[0, 0], piece[0, 1], piece[0, 2], piece[0, 3], layers[k, FIRST], layers[k, END],
                        names, boxes, pairs, found,
                    )  # fmt: skip
                if not fits(pairs, found):
                    return found
                for p in range(found):
                    i = int(int64(pairs[p, 1]))
                    near_x, _ = slab_times(0.0, per_x, all_boxes[i, 0] - max_x, all_boxes[i, 2] - min_x)
                    near_y, _ = slab_times(0.0, per_y, all_boxes[i, 1] - max_y, all_boxes[i, 3] - min_y)
                    met_in = 0
                    if count > 1:
                        met_in = int(min(max((max(near_x, near_y) - begin) / (end - begin), 0.0) * count, count - 1))
                    if met_in != number or not is_met(
                        i, entities, filter_rows, layers_and_masks, groups, own_filter, passed_over, left
                    ):
                        continue
                    two_forms[1] = forms[i]
                    for column in range(2):
                        two_positions[1, column] = positions[i, column]
                    for column in range(SHAPE_COLUMNS):
                        two_shapes[1, column] = shapes[i, column]
                    cast_shapes(
                        pair, dx, dy, two_forms, two_positions, two_shapes, pool, fraction, gap, normal, point
                    )  # fmt: skip
                    if gap[0] < -TOUCHING * (extent(two_shapes, 0) + extent(two_shapes, 1)):
                        fraction[0] = math.inf
                        cast_shapes(
                            pair, 0.0, 0.0, two_forms, two_positions, two_shapes, pool, fraction, gap, normal, point
                        )  # fmt: skip
                        fraction[0] = 0.0
                    elif way == 0.0 or fraction[0] == math.inf:
                        continue
                    best = impacts[r, FRACTION]
                    if fraction[0] < best or (fraction[0] == best and i < proxies[r]):
                        proxies[r] = i
                        impacts[r, FRACTION] = fraction[0]
                        for column in range(2):
                            impacts[r, POINT + column] = point[0, column]
                            impacts[r, NORMAL + column] = -normal[0, column] + 0.0
                if impacts[r, FRACTION] < until:
                    break
    return 0
