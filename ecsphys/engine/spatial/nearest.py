"""The entities of a grid nearest to a point, by the distance to the nearest of their colliders.

Around the cell of the point (of the nearest point of all boxes, if it is outside of them) the cells are visited in
growing rings, on each level of the grid by itself. A box is filed in the cell of its min corner and is less than a cell
large: once the columns x − R − 1 … x + R and rows like that are done, all others are R cells away at least; and if the
point is D outside of all boxes, √(D² + R²), since it is at a right angle or more. What is found is kept in order, and
the search ends when the last of it is nearer than that.
"""

from __future__ import annotations

import math

from numpy import float64, int32, int64, uint8, uint32
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import MASK, NO_LEVEL, OFFSET, SCALE, SLACK, STRIDE, cell_coordinate, entry
from ecsphys.engine.kernels.compilation import kernel, scalar
from ecsphys.engine.point.projection import project_on_shape
from ecsphys.engine.spatial.query_filter import is_met
from ecsphys.engine.spatial.search_grid import END, FIRST, LEVEL

# Columns of what is found.
DISTANCE, POINT = 0, 1
NEAREST_COLUMNS = 3

# More than the rounding of a distance, relative to it.
_ROUNDING = 2.0**-40

# Looking into a cell costs as much as so many comparisons with a box.
_CELL_COST = 3.0


@scalar
def insert(
    i: int,
    distance: float,
    x: float,
    y: float,
    entities: NDArray[int64],
    count: int,
    proxies: NDArray[int32],
    rows: NDArray[float64],
) -> int:
    """Put a proxy among the ``count`` found in order of distance, each entity once; returns how many there are then.

    Of two at one distance the lower proxy comes first. There is room for as many as ``proxies`` has; the last one is
    dropped to make room.
    """
    place = count
    for k in range(count):
        # Proxies are in the order of their entities.
        if place == count and (rows[k, DISTANCE] > distance or (rows[k, DISTANCE] == distance and proxies[k] > i)):
            place = k
        if entities[proxies[k]] == entities[i]:
            if place == count:
                return count
            count -= 1
            for later in range(k, count):
                proxies[later] = proxies[later + 1]
                for column in range(NEAREST_COLUMNS):
                    rows[later, column] = rows[later + 1, column]
            break
    if place == proxies.shape[0]:
        return count
    count = min(count + 1, proxies.shape[0])
    for later in range(count - 1, place, -1):
        proxies[later] = proxies[later - 1]
        for column in range(NEAREST_COLUMNS):
            rows[later, column] = rows[later - 1, column]
    proxies[place] = i
    rows[place, DISTANCE] = distance
    rows[place, POINT] = x
    rows[place, POINT + 1] = y
    return count


@kernel(
    "void(i8[:,::1], f8[:,::1], f8[:,::1], i8[:,::1], u4[::1], u4[::1], f8[:,::1],"
    " u1[::1], f8[:,::1], f8[:,::1], f8[:,::1],"
    " i8[::1], i4[::1], u4[:,::1], i8[:,::1], i8, i8[::1], u1[::1],"
    " f8[:,::1], f8, i8[::1], i4[:,::1], f8[:,:,::1])"
)
def find_nearest(
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
    points: NDArray[float64],
    max_distance: float,
    counts: NDArray[int64],
    proxies: NDArray[int32],
    found: NDArray[float64],
) -> None:
    """Add to the nearest entities of each of the ``points`` (n, 2) those in a grid.

    The arguments are those of a :class:`SearchGrid`, placed shapes, those of ``is_met``, and then the points'. The
    first ``counts`` (n,) of each row of ``proxies`` (n, k) and ``found`` (n, k, 3), distance and point, are what there
    is, in order; k is how many are wanted.
    """
    for r in range(points.shape[0]):
        px, py = points[r, 0], points[r, 1]
        count = counts[r]
        wanted = proxies.shape[1]
        limit = max_distance if count < wanted else found[r, wanted - 1, DISTANCE]
        for k in range(layers.shape[0]):
            nearest_x = min(max(px, bounds[k, 0]), bounds[k, 2])
            nearest_y = min(max(py, bounds[k, 1]), bounds[k, 3])
            outside = math.hypot(px - nearest_x, py - nearest_y) * (1.0 - _ROUNDING)
            if outside > limit:
                continue
            level = layers[k, LEVEL]
            first = layers[k, FIRST]
            last = layers[k, END]
            size = last - first
            scale = 1.0
            cell_x = -1.0
            cell_y = -1.0
            if level < NO_LEVEL:
                scale = floats[level, SCALE]
                cell_x = cell_coordinate(nearest_x, floats, level)
                cell_y = cell_coordinate(nearest_y, floats, level)
            # False for the NaN of coordinates near the end of the range.
            walks = (cell_x >= 0.0) & (cell_y >= 0.0)
            column = int(cell_x) if walks else 0
            row = int(cell_y) if walks else 0
            ring = 0
            while True:
                # More cells than it is worth: then all boxes at once.
                if walks and _CELL_COST * (2 * ring + 2) * (2 * ring + 2) > size + 64:
                    walks = False
                    first = layers[k, FIRST]
                    last = layers[k, END]
                for line in range(row - ring - 1, row + ring + 1) if walks else range(1):
                    whole = line == row - ring - 1 or line == row + ring
                    step = 1 if whole else 2 * ring + 1
                    for beside in range(-ring - 1, ring + 1, step) if walks else range(1):
                        if walks:
                            bucket = integers[level, OFFSET] + (
                                (column + beside + integers[level, STRIDE] * line) & integers[level, MASK]
                            )
                            first = entry(starts, bucket)
                            last = entry(starts, bucket + 1)
                        for q in range(first, last):
                            # False for the NaN of one that has left.
                            if not (boxes[q, 0] <= boxes[q, 2] and boxes[q, 1] <= boxes[q, 3]):
                                continue
                            x = max(boxes[q, 0] - px, px - boxes[q, 2], 0.0)
                            y = max(boxes[q, 1] - py, py - boxes[q, 3], 0.0)
                            if x * x + y * y > limit * limit * (1.0 + _ROUNDING):
                                continue
                            i = entry(names, q)
                            if not is_met(
                                i, entities, filter_rows, layers_and_masks, groups, own_filter, passed_over, left
                            ):
                                continue
                            x, y, distance = project_on_shape(
                                forms[i], shapes, i, pool, px - positions[i, 0], py - positions[i, 1]
                            )
                            if not distance <= limit:
                                continue
                            if distance <= 0.0:
                                distance = 0.0
                                x = px
                                y = py
                            else:
                                x += positions[i, 0]
                                y += positions[i, 1]
                            count = insert(i, distance, x, y, entities, count, proxies[r], found[r])
                            if count == wanted:
                                limit = found[r, wanted - 1, DISTANCE]
                if not walks:
                    break
                # What is left, in cells: nothing beyond the boxes' bounds.
                if math.hypot(outside, (ring - SLACK) / scale) > limit and ring > 0:
                    break
                across = max(bounds[k, 2] - bounds[k, 0], bounds[k, 3] - bounds[k, 1]) * scale
                if ring > across + 2.0:
                    break
                ring += 1
        counts[r] = count
