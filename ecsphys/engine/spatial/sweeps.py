"""Shapes that move in a straight line through a grid: the first collider that each meets.

The way is cut into pieces, each no longer than the shape or some cells, and the box round every piece asks the grid. A
collider is tested in the piece in which the moving box first meets its box, so none is tested twice; and once something
is hit, the pieces beyond it are left out. When two boxes meet is a ray against the one grown by the other.
"""

from __future__ import annotations

import math

from numpy import int64, uint8

from ecsphys.engine.broadphase.cells import MAX_X, MAX_Y, MIN_X, MIN_Y, NO_LEVEL, SCALE, Box, box_at
from ecsphys.engine.broadphase.pair_table import fits
from ecsphys.engine.broadphase.pairs import scan_box, walk_level
from ecsphys.engine.geometry.shape_cast import cast_pair
from ecsphys.engine.kernels import Float64Rows, Int32Rows, NamedTuple, kernel, packed, scratch
from ecsphys.engine.manifold.convex import HULLS_SHAPE, extent
from ecsphys.engine.math.elementary import hypot
from ecsphys.engine.math.rounding import TOUCHING
from ecsphys.engine.shapes.layout import ALONG_X, ALONG_Y, SHAPE_COLUMNS, ShapeArrays
from ecsphys.engine.shapes.segment import front_normal
from ecsphys.engine.spatial import searched_world
from ecsphys.engine.spatial.overlapping import AskedShapes, copy_shape
from ecsphys.engine.spatial.rays import reciprocal, slab_times
from ecsphys.engine.spatial.search_grid import END, FIRST, LEVEL

# No piece of the way is shorter than so many cells, or than this part of the way.
_CELLS_AT_LEAST = 4.0
_MOST_PIECES = 4096.0

# More than the rounding of a box on its way, relative to the coordinates and the way.
_ROUNDING = 2.0**-48

_new_hulls = scratch(HULLS_SHAPE)
_two_forms = scratch(2, uint8)
_two_positions = scratch((2, 2))
_two_shapes = scratch((2, SHAPE_COLUMNS))


@packed
class Movers(NamedTuple):
    """Placed ``shapes`` that move, their ``displacements`` (n, 2), and what is ``found`` on the way."""

    shapes: AskedShapes
    displacements: Float64Rows
    found: searched_world.Found


@kernel
def sweep_shapes(scope: searched_world.Scope, movers: Movers, pairs: Int32Rows) -> int:
    """Move n placed shapes and find the first impact of each; of two at one fraction the first in the public order.

    The distance of an impact is the fraction of the way, 1 for none; the normal is towards the mover. What overlaps at
    the start has fraction 0 and the normal of the shortest way out. ``pairs`` is scratch. Returns 0, or how many pairs
    must fit where they do not (:mod:`ecsphys.engine.broadphase.pair_table`): then call again.
    """
    world = scope.world
    forms, positions, shapes, pool = searched_world.shapes_of(world)
    colliders = world.colliders
    all_boxes = world.placed.boxes
    asked, displacements, impacts = movers
    zero = int(int64(0))  # a literal 0 would have the callees compiled once more for it
    one = int(int64(1))
    hulls = _new_hulls()
    two_forms = _two_forms()
    two_positions = _two_positions()
    two_shapes = _two_shapes()
    two = ShapeArrays(two_forms, two_positions, two_shapes, pool)
    rank = colliders.rank
    for r in range(displacements.shape[0]):
        dx, dy = displacements[r, ALONG_X], displacements[r, ALONG_Y]
        min_x, min_y, max_x, max_y = box_at(asked.boxes, r)
        way = hypot(dx, dy)
        per_x = reciprocal(dx)
        per_y = reciprocal(dy)
        widest = max(max_x - min_x, max_y - min_y)
        pad = _ROUNDING * (way + max(abs(min_x), abs(min_y), abs(max_x), abs(max_y)))
        copy_shape(r, asked.forms, asked.positions, asked.shapes, zero, two_forms, two_positions, two_shapes)
        slot = -1
        best = math.inf
        best_point = (math.nan, math.nan)
        best_normal = (math.nan, math.nan)
        for which in range(searched_world.FIRST_GRID, searched_world.END_GRID):
            search = searched_world.grid_of(world, which)
            if search.many[0] == 0:
                continue
            layers, bounds, _, grid, names = search
            for k in range(search.many[0]):
                near_x, far_x = slab_times(0.0, per_x, bounds[k, MIN_X] - max_x - pad, bounds[k, MAX_X] - min_x + pad)
                near_y, far_y = slab_times(0.0, per_y, bounds[k, MIN_Y] - max_y - pad, bounds[k, MAX_Y] - min_y + pad)
                begin = max(near_x, near_y, 0.0)
                end = min(far_x, far_y, 1.0, best)
                if not begin <= end:
                    continue
                level = layers[k, LEVEL]
                length = way
                if level < NO_LEVEL:
                    length = max(widest, _CELLS_AT_LEAST / grid.floats[level, SCALE], way / _MOST_PIECES)
                count = int(max(math.ceil((end - begin) * way / length), 1.0)) if way > 0.0 else 1
                for number in range(count):
                    until = begin + (end - begin) * (number + 1) / count
                    since = begin + (end - begin) * number / count
                    piece = Box(
                        min_x + min(since * dx, until * dx) - pad,
                        min_y + min(since * dy, until * dy) - pad,
                        max_x + max(since * dx, until * dx) + pad,
                        max_y + max(since * dy, until * dy) + pad,
                    )
                    found = zero
                    if level < NO_LEVEL:
                        found = walk_level(r, piece, level, grid, names, pairs, found)
                    else:
                        first, last = layers[k, FIRST], layers[k, END]
                        found = scan_box(r, piece, first, last, names, grid.boxes, pairs, found)
                    if not fits(pairs, found):
                        return found
                    for p in range(found):
                        i = int(int64(pairs[p, searched_world.SLOT]))
                        near_x, _ = slab_times(0.0, per_x, all_boxes[i, MIN_X] - max_x, all_boxes[i, MAX_X] - min_x)
                        near_y, _ = slab_times(0.0, per_y, all_boxes[i, MIN_Y] - max_y, all_boxes[i, MAX_Y] - min_y)
                        met_in = 0
                        if count > 1:
                            met_in = int(
                                min(max((max(near_x, near_y) - begin) / (end - begin), 0.0) * count, count - 1)
                            )
                        if met_in != number or not searched_world.is_met(i, which, scope):
                            continue
                        copy_shape(i, forms, positions, shapes, one, two_forms, two_positions, two_shapes)
                        fraction, gap, nx, ny, x, y = cast_pair(zero, one, dx, dy, two, hulls)
                        if gap < -TOUCHING * (extent(two_shapes, 0) + extent(two_shapes, 1)):
                            _, _, nx, ny, x, y = cast_pair(zero, one, 0.0, 0.0, two, hulls)
                            fraction = 0.0
                        elif way == 0.0 or fraction == math.inf:
                            continue
                        front_x, front_y = front_normal(int(two_forms[1]) + 0, two_shapes, 1, pool)
                        if nx * front_x + ny * front_y > 0.0:
                            continue  # from behind; NaN if a hit from behind blocks as well
                        if fraction < best or (fraction == best and rank[i] < rank[slot]):
                            slot = i
                            best = fraction
                            best_point = (x, y)
                            best_normal = (-nx + 0.0, -ny + 0.0)
                    if best < until:
                        break
        searched_world.write_found(r, r, slot, min(best, 1.0), best_point, best_normal, colliders, impacts)
    return 0
