"""The entities of a grid nearest to a point, by the distance to the nearest of their colliders.

Around the cell of the point (of the nearest point of all boxes, if it is outside of them) the cells are visited in
growing rings, on each level of the grid by itself. A box is filed in the cell of its min corner and is less than a cell
large: once the columns x − R − 1 … x + R and rows like that are done, all others are R cells away at least; and if the
point is D outside of all boxes, √(D² + R²), since it is at a right angle or more. The found entities are kept in order,
and the search ends when the last of it is nearer than that.
"""

from __future__ import annotations

from ecsphys.engine.broadphase import cells
from ecsphys.engine.geometry.projection import project_on_shape
from ecsphys.engine.kernels import Float64Rows, NamedTuple, kernel, packed, scalar
from ecsphys.engine.math.elementary import hypot
from ecsphys.engine.shapes.layout import ALONG_X, ALONG_Y
from ecsphys.engine.spatial import searched_world
from ecsphys.engine.spatial.searched_world import END, FIRST, LEVEL
from ecsphys.engine.tables.collider_slots import ColliderSlots

# More than the rounding of a distance, relative to it.
_ROUNDING = 2.0**-40

# Looking into a cell costs as much as so many comparisons with a box.
_CELL_COST = 3.0


@packed
class NearPoints(NamedTuple):
    """Points (n, 2), and the entities ``found`` near them: as many rows for each as entities are wanted."""

    points: Float64Rows
    found: searched_world.Found


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
    found: searched_world.Found,
) -> int:
    """Put a collider among the ``count`` found for point r, in order of distance, each entity once; returns how many
    there are then.

    Two at one distance are in the public order. There is room for as many as are ``wanted``; the last one is dropped to
    make room.
    """
    first = r * wanted
    end = first + count
    place = end
    for k in range(first, end):
        row = found[k]
        if place == end and (row.distance > distance or (row.distance == distance and row.rank > colliders.rank[i])):
            place = k
        if row.entity == colliders.entity[i]:
            if place == end:
                return count
            end -= 1
            for later in range(k, end):
                found[later] = found[later + 1]
            break
    if place == first + wanted:
        return end - first
    end = min(end + 1, first + wanted)
    for later in range(end - 1, place, -1):
        found[later] = found[later - 1]
    searched_world.write_found(place, r, i, distance, (x, y), (0.0, 0.0), colliders, found)
    return end - first


@kernel
def find_nearest(scope: searched_world.Scope, near: NearPoints, max_distance: float, wanted: int) -> int:
    """Find the ``wanted`` entities nearest to each point, no farther than ``max_distance``.

    In rows that are left over the collider is −1; normals are 0. Returns how many rows are not left over.
    """
    world = scope.world
    forms, positions, shapes, pool = searched_world.shapes_of(world)
    points, found = near
    colliders = world.colliders
    total = 0
    for r in range(points.shape[0]):
        px, py = points[r, ALONG_X], points[r, ALONG_Y]
        base = r * wanted
        count = 0
        limit = max_distance
        for number in range(searched_world.FIRST_GRID, searched_world.END_GRID):
            search = searched_world.grid_of(world, number)
            layers, bounds, _, grid, names = search
            floats, integers, starts, boxes, _ = grid
            for k in range(search.many[0]):
                nearest_x = min(max(px, bounds[k, cells.MIN_X]), bounds[k, cells.MAX_X])
                nearest_y = min(max(py, bounds[k, cells.MIN_Y]), bounds[k, cells.MAX_Y])
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
                if level < cells.NO_LEVEL:
                    scale = floats[level, cells.SCALE]
                    cell_x = cells.cell_coordinate(nearest_x, floats, level)
                    cell_y = cells.cell_coordinate(nearest_y, floats, level)
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
                                bucket = integers[level, cells.OFFSET] + (
                                    (column + beside + integers[level, cells.STRIDE] * line)
                                    & integers[level, cells.MASK]
                                )
                                first = cells.entry(starts, bucket)
                                last = cells.entry(starts, bucket + 1)
                            for q in range(first, last):
                                # False for the NaN of one that has left.
                                if not (
                                    boxes[q, cells.MIN_X] <= boxes[q, cells.MAX_X]
                                    and boxes[q, cells.MIN_Y] <= boxes[q, cells.MAX_Y]
                                ):
                                    continue
                                x = max(boxes[q, cells.MIN_X] - px, px - boxes[q, cells.MAX_X], 0.0)
                                y = max(boxes[q, cells.MIN_Y] - py, py - boxes[q, cells.MAX_Y], 0.0)
                                if x * x + y * y > limit * limit * (1.0 + _ROUNDING):
                                    continue
                                i = cells.entry(names, q)
                                if not searched_world.is_met(i, number, scope):
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
                                    limit = found[base + wanted - 1].distance
                    if not walks:
                        break
                    # The rest, in cells: nothing beyond the boxes' bounds.
                    if hypot(outside, (ring - cells.SLACK) / scale) > limit and ring > 0:
                        break
                    across = (
                        max(
                            bounds[k, cells.MAX_X] - bounds[k, cells.MIN_X],
                            bounds[k, cells.MAX_Y] - bounds[k, cells.MIN_Y],
                        )
                        * scale
                    )
                    if ring > across + 2.0:
                        break
                    ring += 1
        for k in range(base + count, base + wanted):
            found[k].collider = -1
        total += count
    return total
