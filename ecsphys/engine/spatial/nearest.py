"""The entities of a grid nearest to a point, by the distance to the nearest of their colliders.

Around the cell of the point (of the nearest point of all boxes, if it is outside of them) the cells are visited in
growing rings, on each level of the grid by itself. A box is filed in the cell of its min corner and is less than a cell
large: once the columns x − R − 1 … x + R and rows like that are done, all others are R cells away at least; and if the
point is D outside of all boxes, √(D² + R²), since it is at a right angle or more. The found entities are kept in order,
and the search ends when the last of it is nearer than that.
"""

from __future__ import annotations

from typing import NamedTuple

from numpy import int64

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
from ecsphys.engine.geometry.projection import project_on_shape
from ecsphys.engine.kernels.array_types import Float64Blocks, Float64Rows, Int32Rows, Int64Rows, Int64s
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import kernel, scalar
from ecsphys.engine.math.elementary import hypot
from ecsphys.engine.shapes.layout import ALONG_X, ALONG_Y
from ecsphys.engine.spatial.query_filter import is_met
from ecsphys.engine.spatial.search_grid import END, FIRST, LEVEL
from ecsphys.engine.spatial.searched_world import GRIDS, Excluded, SearchedWorld, filter_in, grid_of, shapes_of
from ecsphys.engine.tables.collider_slots import ColliderSlots

# More than the rounding of a distance, relative to it.
_ROUNDING = 2.0**-40

# Looking into a cell costs as much as so many comparisons with a box.
_CELL_COST = 3.0


@packed
class NearestFound(NamedTuple):
    """The nearest of each of ``points`` (n, 2): ``counts`` (n,) entities; the first so many of each row
    (n, k) are: entity, number of the collider's class, part, distance, point (n, k, 2), and the collider's slot."""

    points: Float64Rows
    counts: Int64s
    entity: Int64Rows
    collider: Int64Rows
    part: Int64Rows
    distance: Float64Rows
    point: Float64Blocks
    slot: Int32Rows


@scalar
def _move(r: int, source: int, target: int, found: NearestFound) -> None:
    """Copy the compared numbers in a row, from one place to another."""
    found.slot[r, target] = found.slot[r, source]
    found.distance[r, target] = found.distance[r, source]
    found.point[r, target, ALONG_X] = found.point[r, source, ALONG_X]
    found.point[r, target, ALONG_Y] = found.point[r, source, ALONG_Y]


@scalar
def insert(
    i: int,
    distance: float,
    x: float,
    y: float,
    colliders: ColliderSlots,
    r: int,
    count: int,
    wanted: int,
    found: NearestFound,
) -> int:
    """Put a collider among the ``count`` found for point r in order of distance, each entity once; returns how many
    there are then.

    Two at one distance are in the public order. There is room for as many as are ``wanted``; the last one is dropped to
    make room.
    """
    place = count
    for k in range(count):
        slot = int(int64(found.slot[r, k]))
        comes_later = found.distance[r, k] > distance or (
            found.distance[r, k] == distance and colliders.rank[slot] > colliders.rank[i]
        )
        if place == count and comes_later:
            place = k
        if colliders.entity[slot] == colliders.entity[i]:
            if place == count:
                return count
            count -= 1
            for later in range(k, count):
                _move(r, later + 1, later, found)
            break
    if place == wanted:
        return count
    count = min(count + 1, wanted)
    for later in range(count - 1, place, -1):
        _move(r, later - 1, later, found)
    found.slot[r, place] = i
    found.distance[r, place] = distance
    found.point[r, place, ALONG_X] = x
    found.point[r, place, ALONG_Y] = y
    return count


@kernel
def find_nearest(
    world: SearchedWorld, own_filter: int, excluded: Excluded, max_distance: float, wanted: int, found: NearestFound
) -> None:
    """Find the ``wanted`` entities nearest to each point, for which there is room, no farther than ``max_distance``."""
    forms, positions, shapes, pool = shapes_of(world)
    points = found.points
    colliders = world.colliders
    for r in range(points.shape[0]):
        px, py = points[r, ALONG_X], points[r, ALONG_Y]
        count = 0
        limit = max_distance
        for number in range(GRIDS):
            search = grid_of(world, number)
            if search.many[0] == 0:
                continue
            query = filter_in(world, number, own_filter, excluded)
            layers, bounds, _, grid, names = search
            floats, integers, starts, boxes, _ = grid
            for k in range(search.many[0]):
                nearest_x = min(max(px, bounds[k, MIN_X]), bounds[k, MAX_X])
                nearest_y = min(max(py, bounds[k, MIN_Y]), bounds[k, MAX_Y])
                outside = hypot(px - nearest_x, py - nearest_y) * (1.0 - _ROUNDING)
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
                                count = insert(i, distance, x, y, colliders, r, count, wanted, found)
                                if count == wanted:
                                    limit = found.distance[r, wanted - 1]
                    if not walks:
                        break
                    # The rest, in cells: nothing beyond the boxes' bounds.
                    if hypot(outside, (ring - SLACK) / scale) > limit and ring > 0:
                        break
                    across = max(bounds[k, MAX_X] - bounds[k, MIN_X], bounds[k, MAX_Y] - bounds[k, MIN_Y]) * scale
                    if ring > across + 2.0:
                        break
                    ring += 1
        found.counts[r] = count
        for place in range(count):
            slot = int(int64(found.slot[r, place]))
            found.entity[r, place] = colliders.entity[slot]
            found.collider[r, place] = int(int64(colliders.kind[slot]))
            found.part[r, place] = int(int64(colliders.part[slot]))
