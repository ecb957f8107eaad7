"""Rays and moving shapes through a grid: the first collider that each meets, or every one on a ray.

A ray goes from cell to cell (Amanatides and Woo, "A fast voxel traversal algorithm for ray tracing", 1987), on each
level of the grid by itself. A box is filed in the cell of its min corner and is less than a cell large: so from cell
(x, y) the ray can meet those filed there and in the cells to the left, below, and below left. Of these four, each step
brings two new ones, and no cell comes twice; two in a row are one span of the sorted boxes. Before a shape is tested
its box is, by its slabs; and the walk ends where the ray leaves the level's boxes, or where nothing nearer can come.

**Margin.** A box is smaller than its cell by SLACK of the cell at least. The walk is made half of that to the right and
above of the true ray: then a box that the ray meets is in those four cells even where rounding has the walk go wrong by
nearly as much. Where coordinates are so large that it might go wrong by more, or the walk would take longer than that,
the ray is compared with all boxes of the level; also with boxes that have no level.

**Shapes.** The way of a shape that moves in a straight line is cut into pieces, each no longer than the shape or some
cells, and the box round every piece asks the grid. A collider is tested in the piece in which the moving box first
meets its box, so none is tested twice; and once something is hit, the pieces beyond it are left out. When two boxes
meet is a ray against the one grown by the other.
"""

from __future__ import annotations

import math

from numpy import float64, int64, uint8
from numpy.typing import NDArray

from ecsphys.engine.broadphase import cells
from ecsphys.engine.broadphase.cells import MAX_X, MAX_Y, MIN_X, MIN_Y, NO_LEVEL, SCALE, Box, box_at
from ecsphys.engine.broadphase.pairs import fits, is_too_many, scan_box, walk_level
from ecsphys.engine.geometry.raycast import raycast_shape, scaled_direction
from ecsphys.engine.geometry.shape_cast import cast_pair
from ecsphys.engine.kernels import NamedTuple, arrays, inlined_scalar, kernel, packed, scalar, scratch
from ecsphys.engine.manifold.convex import HULLS_SHAPE, extent
from ecsphys.engine.math.elementary import hypot
from ecsphys.engine.math.rounding import TOUCHING
from ecsphys.engine.shapes.layout import ALONG_X, ALONG_Y, SHAPE_COLUMNS, ShapeArrays
from ecsphys.engine.shapes.segment import front_normal
from ecsphys.engine.spatial import searched_world
from ecsphys.engine.spatial.overlapping import AskedShapes, copy_shape
from ecsphys.engine.spatial.searched_world import END, FIRST, LEVEL

# Of a cell: how far the walk is moved, and the error up to which it is trusted.
_MARGIN = 0.5 * cells.SLACK
_TRUSTED = 0.25 * cells.SLACK

# Far more than the rounding of a ray's point, or of its times against a box, relative to their terms.
_ROUNDING = 2.0**-49

# A step from cell to cell costs as much as so many comparisons with a box.
_STEP_COST = 4.0

# Reciprocal of a direction's component that is 0, so that a product with it is no NaN.
_NO_TIME = 1e300


@scalar
def reciprocal(component: float) -> float:
    """1 / component, but large and finite for 0: a ray that does not move along an axis is always inside a slab, or
    never."""
    if abs(component) * _NO_TIME > 1.0:
        return 1.0 / component
    return _NO_TIME


@scalar
def slab_times(position: float, inverse: float, low: float, high: float) -> tuple[float, float]:
    """When a ray enters and leaves a slab; NaN for one with a NaN."""
    a = (low - position) * inverse
    b = (high - position) * inverse
    return (a if a < b else b), (b if a < b else a)


@inlined_scalar
def meets_box(
    boxes: NDArray[float64], q: int, x: float, y: float, per_x: float, per_y: float, best: float
) -> tuple[bool, float]:
    """Whether a ray meets box q before ``best``, and about when; a box with a NaN is met never."""
    near_x, far_x = slab_times(x, per_x, boxes[q, cells.MIN_X], boxes[q, cells.MAX_X])
    near_y, far_y = slab_times(y, per_y, boxes[q, cells.MIN_Y], boxes[q, cells.MAX_Y])
    near = (near_x if near_x > near_y else near_y) * (1.0 - _ROUNDING)
    far = (far_x if far_x < far_y else far_y) * (1.0 + _ROUNDING)
    # All three compared: a branch that cannot be predicted costs more.
    return (far >= 0.0) & (near <= far) & (near <= best), near


@packed
class Rays(NamedTuple):
    """From ``origins`` along ``directions`` (n, 2), not 0, as far as ``reach`` (n,); and the hits ``found``."""

    origins: arrays.Float64Rows
    directions: arrays.Float64Rows
    reach: arrays.Float64s
    found: searched_world.Found


@kernel
def cast_rays(scope: searched_world.Scope, rays: Rays, first: int, end: int, every: bool) -> int:
    """Cast the rays ``first`` … ``end − 1`` at the colliders of a world.

    If ``every`` is false, row r of ``found`` is what ray r hits first: of two at one distance the first in the public
    order. A miss has its reach for a distance, and NaN for point and normal.

    If it is true, all hits are written, by ray. Returned is how many there are, or more than there is room for: call
    again with room for as many.
    """
    world = scope.world
    placed = searched_world.shapes_of(world)
    positions = placed.positions
    origins, directions, reach, hits = rays
    rank = world.colliders.rank
    room = hits.shape[0]
    found = 0
    for r in range(first, end):
        if is_too_many(found):
            return found
        x, y = origins[r, ALONG_X], origins[r, ALONG_Y]
        dx, dy, length = scaled_direction(directions[r, ALONG_X], directions[r, ALONG_Y])
        ux = dx / length
        uy = dy / length
        per_x = reciprocal(ux)
        per_y = reciprocal(uy)
        best = reach[r]
        nearest = -1
        point = (math.nan, math.nan)
        normal = (math.nan, math.nan)
        for number in range(searched_world.FIRST_GRID, searched_world.END_GRID):
            search = searched_world.grid_of(world, number)
            layers, bounds, _, grid, names = search
            floats, integers, starts, boxes, _ = grid
            for k in range(search.many[0]):
                near_x, far_x = slab_times(x, per_x, bounds[k, cells.MIN_X], bounds[k, cells.MAX_X])
                near_y, far_y = slab_times(y, per_y, bounds[k, cells.MIN_Y], bounds[k, cells.MAX_Y])
                begin = max(near_x, near_y, 0.0) * (1.0 - _ROUNDING)
                until = min(far_x, far_y, best) * (1.0 + _ROUNDING)
                if not begin <= until:
                    continue
                level = layers[k, LEVEL]
                low = layers[k, FIRST]
                last = layers[k, END]

                walks = False
                scale = 1.0
                cell_x = 0.0
                cell_y = 0.0
                if level < cells.NO_LEVEL:
                    scale = floats[level, cells.SCALE]
                    cell_x = cells.cell_coordinate(x + begin * ux, floats, level) + _MARGIN
                    cell_y = cells.cell_coordinate(y + begin * uy, floats, level) + _MARGIN
                    steps = (abs(ux) + abs(uy)) * (until - begin) * scale
                    error = _ROUNDING * (abs(x) + abs(y) + until) * scale
                    # False for the NaN or infinity of coordinates near the end of the range.
                    walks = (
                        (cell_x >= 0.0)
                        & (cell_y >= 0.0)
                        & (error < _TRUSTED)
                        & (steps * _STEP_COST < last - low)
                        & (steps < 0.5 * cells.LARGEST_TABLE)
                    )
                offset = 0
                mask = 0
                stride = 0
                column = 0
                row = 0
                columns = 1
                rows = 1
                if walks:
                    offset = integers[level, cells.OFFSET]
                    mask = integers[level, cells.MASK]
                    stride = integers[level, cells.STRIDE]
                    column = int(cell_x)
                    row = int(cell_y)
                    columns = 2
                    rows = 2
                # When the walk comes to the next column and row.
                cell_size = 1.0 / scale
                cell_time_x = min(abs(per_x) * cell_size, _NO_TIME)
                cell_time_y = min(abs(per_y) * cell_size, _NO_TIME)
                start_x = begin + (cell_x - column if ux < 0.0 else column + 1 - cell_x) * cell_time_x
                start_y = begin + (cell_y - row if uy < 0.0 else row + 1 - cell_y) * cell_time_y
                time_x = start_x
                time_y = start_y
                crossed_x = 0.0
                crossed_y = 0.0
                margin = _MARGIN * cell_size
                # The cells to look at are (right, top) and, where they are two, those to the left and below.
                right = column
                top = row
                while True:
                    for line in range(top - rows + 1, top + 1):
                        past = 0
                        if walks:
                            bucket = (right - columns + 1 + stride * line) & mask
                            past = bucket + columns
                            low = cells.entry(starts, offset + bucket)
                            last = cells.entry(starts, offset + min(past, mask + 1))
                        while True:
                            for q in range(low, last):
                                meets, near = meets_box(boxes, q, x, y, per_x, per_y, best)
                                if not meets:
                                    continue
                                i = cells.entry(names, q)
                                if not searched_world.is_met(i, number, scope):
                                    continue
                                distance, hit_x, hit_y, normal_x, normal_y = raycast_shape(
                                    placed, i, x, y, dx, dy, length, near <= 0.0, best
                                )
                                if distance == math.inf:
                                    continue
                                # One that starts inside has no normal, and its point is where it starts.
                                inside = distance == 0.0 and normal_x == 0.0 and normal_y == 0.0
                                hit_x = x if inside else positions[i, ALONG_X] + hit_x
                                hit_y = y if inside else positions[i, ALONG_Y] + hit_y
                                if not every:
                                    if nearest < 0 or distance != best or rank[i] < rank[nearest]:
                                        best = distance
                                        until = best
                                        nearest = i
                                        point = (hit_x, hit_y)
                                        normal = (normal_x, normal_y)
                                    continue
                                # Distant cells share buckets: a box counts where its own cell is visited.
                                if walks:
                                    own_column = int(cells.cell_coordinate(boxes[q, cells.MIN_X], floats, level))
                                    own_row = int(cells.cell_coordinate(boxes[q, cells.MIN_Y], floats, level))
                                    beside = (right - own_column) & (cells.LARGEST_TABLE - 1)
                                    if (own_row ^ line) & (cells.LARGEST_TABLE - 1) != 0 or beside >= columns:
                                        continue
                                if found < room:
                                    searched_world.write_found(
                                        found,
                                        r,
                                        i,
                                        distance,
                                        (hit_x, hit_y),
                                        (normal_x, normal_y),
                                        world.colliders,
                                        hits,
                                    )
                                found += 1
                            if past <= mask + 1:
                                break
                            # A span over the end of the table goes on at its start.
                            low = cells.entry(starts, offset)
                            last = cells.entry(starts, offset + past - mask - 1)
                            past = 0
                    if not walks or min(time_x, time_y) > until + margin:
                        break
                    if time_x < time_y:
                        crossed_x += 1.0
                        time_x = start_x + crossed_x * cell_time_x
                        column += -1 if ux < 0.0 else 1
                        right = column - 1 if ux < 0.0 else column
                        top = row
                        columns = 1
                        rows = 2
                    else:
                        crossed_y += 1.0
                        time_y = start_y + crossed_y * cell_time_y
                        row += -1 if uy < 0.0 else 1
                        top = row - 1 if uy < 0.0 else row
                        right = column
                        columns = 2
                        rows = 1
        if not every:
            searched_world.write_found(r, r, nearest, best, point, normal, world.colliders, hits)
    return found


# No piece of the way is shorter than so many cells, or than this part of the way.
_CELLS_AT_LEAST = 4.0
_MOST_PIECES = 4096.0

# More than the rounding of a box on its way, relative to the coordinates and the way.
_ROUNDING_OF_BOX = 2.0**-48

_new_hulls = scratch(HULLS_SHAPE)
_two_forms = scratch(2, uint8)
_two_positions = scratch((2, 2))
_two_shapes = scratch((2, SHAPE_COLUMNS))


@packed
class Movers(NamedTuple):
    """Placed ``shapes`` that move, their ``displacements`` (n, 2), and the hits ``found`` on the way."""

    shapes: AskedShapes
    displacements: arrays.Float64Rows
    found: searched_world.Found


@kernel
def sweep_shapes(scope: searched_world.Scope, movers: Movers, pairs: arrays.Int32Rows) -> int:
    """Move n placed shapes and find the first impact of each; of two at one fraction the first in the public order.

    The distance of an impact is the fraction of the way, 1 for none; the normal is towards the mover. What overlaps at
    the start has fraction 0 and the normal of the shortest way out. ``pairs`` is scratch. Returns 0, or how many pairs
    must fit where they do not (:mod:`ecsphys.engine.broadphase.pairs`): then call again.
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
        pad = _ROUNDING_OF_BOX * (way + max(abs(min_x), abs(min_y), abs(max_x), abs(max_y)))
        copy_shape(r, asked.forms, asked.positions, asked.shapes, zero, two_forms, two_positions, two_shapes)
        slot = -1
        best = math.inf
        best_point = (math.nan, math.nan)
        best_normal = (math.nan, math.nan)
        for which in range(searched_world.FIRST_GRID, searched_world.END_GRID):
            search = searched_world.grid_of(world, which)
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
