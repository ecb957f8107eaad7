"""The entities of a grid nearest to a point, by the distance to the nearest of their colliders.

Around the cell of the point (of the nearest point of all boxes, if it is outside of them) the cells are visited in
growing rings, on each level of the grid by itself. A box is filed in the cell of its min corner and is less than a cell
large: once the columns x − R − 1 … x + R and rows like that are done, all others are R cells away at least; and if the
point is D outside of all boxes, √(D² + R²), since it is at a right angle or more. What is found is kept in order, and
the search ends when the last of it is nearer than that.
"""

from __future__ import annotations

import math

from numpy import float64, int32
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import (
    MASK,
    MAX_X,
    MAX_Y,
    MIN_X,
    MIN_Y,
    NO_LEVEL,
    OFFSET,
    SCALE,
    SLACK,
    STRIDE,
    cell_coordinate,
    entry,
)
from ecsphys.engine.kernels.array_types import Float64Blocks, Float64Rows, Int32Rows, Int64s
from ecsphys.engine.kernels.compilation import kernel, scalar
from ecsphys.engine.point.projection import project_on_shape
from ecsphys.engine.shapes.layout import ALONG_X, ALONG_Y, ShapeArrays
from ecsphys.engine.spatial.query_filter import QueryFilter, is_met
from ecsphys.engine.spatial.search_grid import END, FIRST, LEVEL, SearchArrays
from ecsphys.engine.tables.collider_slots import ColliderSlots

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
    colliders: ColliderSlots,
    count: int,
    slots: NDArray[int32],
    rows: NDArray[float64],
) -> int:
    """Put a collider among the ``count`` found in order of distance, each entity once; returns how many there are then.

    Two at one distance are in the public order. There is room for as many as ``slots`` has; the last one is dropped to
    make room.
    """
    place = count
    for k in range(count):
        comes_later = rows[k, DISTANCE] > distance or (
            rows[k, DISTANCE] == distance and colliders.rank[slots[k]] > colliders.rank[i]
        )
        if place == count and comes_later:
            place = k
        if colliders.entity[slots[k]] == colliders.entity[i]:
            if place == count:
                return count
            count -= 1
            for later in range(k, count):
                slots[later] = slots[later + 1]
                for column in range(NEAREST_COLUMNS):
                    rows[later, column] = rows[later + 1, column]
            break
    if place == slots.shape[0]:
        return count
    count = min(count + 1, slots.shape[0])
    for later in range(count - 1, place, -1):
        slots[later] = slots[later - 1]
        for column in range(NEAREST_COLUMNS):
            rows[later, column] = rows[later - 1, column]
    slots[place] = i
    rows[place, DISTANCE] = distance
    rows[place, POINT] = x
    rows[place, POINT + 1] = y
    return count


@kernel
def find_nearest(
    search: SearchArrays,
    placed: ShapeArrays,
    query: QueryFilter,
    points: Float64Rows,
    max_distance: float,
    counts: Int64s,
    slots: Int32Rows,
    found: Float64Blocks,
) -> None:
    """Add to the nearest entities of each of the ``points`` (n, 2) those in a grid.

    The first ``counts`` (n,) of each row of ``slots`` (n, k) and ``found`` (n, k, 3), distance and point, are what
    there is, in order; k is how many are wanted.
    """
    layers, bounds, grid, names = search
    floats, integers, starts, boxes, _ = grid
    forms, positions, shapes, pool = placed
    for r in range(points.shape[0]):
        px, py = points[r, ALONG_X], points[r, ALONG_Y]
        count = counts[r]
        wanted = slots.shape[1]
        limit = max_distance if count < wanted else found[r, wanted - 1, DISTANCE]
        for k in range(layers.shape[0]):
            nearest_x = min(max(px, bounds[k, MIN_X]), bounds[k, MAX_X])
            nearest_y = min(max(py, bounds[k, MIN_Y]), bounds[k, MAX_Y])
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
                            if not (boxes[q, MIN_X] <= boxes[q, MAX_X] and boxes[q, MIN_Y] <= boxes[q, MAX_Y]):
                                continue
                            x = max(boxes[q, MIN_X] - px, px - boxes[q, MAX_X], 0.0)
                            y = max(boxes[q, MIN_Y] - py, py - boxes[q, MAX_Y], 0.0)
                            if x * x + y * y > limit * limit * (1.0 + _ROUNDING):
                                continue
                            i = entry(names, q)
                            if not is_met(i, query):
                                continue
                            x, y, distance = project_on_shape(
                                forms[i], shapes, i, pool, px - positions[i, ALONG_X], py - positions[i, ALONG_Y]
                            )
                            if not distance <= limit:
                                continue
                            if distance <= 0.0:
                                distance = 0.0
                                x = px
                                y = py
                            else:
                                x += positions[i, ALONG_X]
                                y += positions[i, ALONG_Y]
                            count = insert(i, distance, x, y, query.colliders, count, slots[r], found[r])
                            if count == wanted:
                                limit = found[r, wanted - 1, DISTANCE]
                if not walks:
                    break
                # What is left, in cells: nothing beyond the boxes' bounds.
                if math.hypot(outside, (ring - SLACK) / scale) > limit and ring > 0:
                    break
                across = max(bounds[k, MAX_X] - bounds[k, MIN_X], bounds[k, MAX_Y] - bounds[k, MIN_Y]) * scale
                if ring > across + 2.0:
                    break
                ring += 1
        counts[r] = count
