"""Rays through a grid: the first collider that each meets, or every one.

A ray goes from cell to cell (Amanatides and Woo, "A fast voxel traversal algorithm for ray tracing", 1987), on each
level of the grid by itself. A box is filed in the cell of its min corner and is less than a cell large: so from cell
(x, y) the ray can meet those filed there and in the cells to the left, below, and below left. Of these four, each step
brings two new ones, and no cell comes twice; two in a row are one span of the sorted boxes. Before a shape is tested
its box is, by its slabs; and the walk ends where the ray leaves the level's boxes, or where nothing nearer can come.

**Margin.** A box is smaller than its cell by SLACK of the cell at least. The walk is made half of that to the right and
above of the true ray: then a box that the ray meets is in those four cells even where rounding has the walk go wrong by
nearly as much. Where coordinates are so large that it might go wrong by more, or the walk would take longer than that,
the ray is compared with all boxes of the level; and so it is with those that have no level.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import (
    LARGEST_TABLE,
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
from ecsphys.engine.broadphase.pair_table import is_too_many
from ecsphys.engine.kernels.array_types import Float64Rows, Float64s, Int32Rows
from ecsphys.engine.kernels.compilation import inlined_scalar, kernel, scalar
from ecsphys.engine.ray.raycast import raycast_shape, scaled_direction
from ecsphys.engine.shapes.layout import ALONG_X, ALONG_Y, ShapeArrays
from ecsphys.engine.spatial.query_filter import QUERY, SLOT, QueryFilter, is_met
from ecsphys.engine.spatial.search_grid import END, FIRST, LEVEL, SearchArrays

# Columns of a hit.
DISTANCE, POINT, NORMAL = 0, 1, 3
RAY_COLUMNS = 5

# Of a cell: how far the walk is moved, and the error up to which it is trusted.
_MARGIN = 0.5 * SLACK
_TRUSTED = 0.25 * SLACK

# Far more than the rounding of a ray's point, or of its times against a box, relative to what they are made of.
_ROUNDING = 2.0**-49

# A step from cell to cell costs as much as so many comparisons with a box.
_STEP_COST = 4.0

# Reciprocal of a direction's component that is 0, so that a product with it is no NaN.
_NO_TIME = 1e300


@scalar
def reciprocal(component: float) -> float:
    """1 / component, but large and finite for 0: what a ray covers in no time is inside a slab always, or never."""
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
    near_x, far_x = slab_times(x, per_x, boxes[q, MIN_X], boxes[q, MAX_X])
    near_y, far_y = slab_times(y, per_y, boxes[q, MIN_Y], boxes[q, MAX_Y])
    near = (near_x if near_x > near_y else near_y) * (1.0 - _ROUNDING)
    far = (far_x if far_x < far_y else far_y) * (1.0 + _ROUNDING)
    # All three compared: a branch that cannot be predicted costs more.
    return (far >= 0.0) & (near <= far) & (near <= best), near


class Rays(NamedTuple):
    """From ``origins`` along ``directions`` (n, 2), not 0, as far as ``reach`` (n,)."""

    origins: Float64Rows
    directions: Float64Rows
    reach: Float64s


@kernel
def cast_rays(
    search: SearchArrays,
    placed: ShapeArrays,
    query: QueryFilter,
    rays: Rays,
    every: bool,
    found: int,
    pairs: Int32Rows,
    hits: Float64Rows,
) -> int:
    """Cast rays at placed shapes. A hit is its pair (ray, slot) and its row of ``hits``: distance, point and normal,
    in the world.

    If ``every`` is true all hits are appended to the ``found`` there are; the number there are then is returned, or
    more than fit: call again with room for as many. If not, rows are those of the rays: a nearer hit replaces the one
    there is, and ``reach`` ends at it; of two at one distance the first in the public order is taken.
    """
    layers, bounds, grid, names = search
    floats, integers, starts, boxes, _ = grid
    positions = placed.positions
    origins, directions, reach = rays
    rank = query.colliders.rank
    for r in range(origins.shape[0]):
        if is_too_many(found):
            return found
        x, y = origins[r, ALONG_X], origins[r, ALONG_Y]
        dx, dy, length = scaled_direction(directions[r, ALONG_X], directions[r, ALONG_Y])
        ux = dx / length
        uy = dy / length
        per_x = reciprocal(ux)
        per_y = reciprocal(uy)
        best = reach[r]
        for k in range(layers.shape[0]):
            near_x, far_x = slab_times(x, per_x, bounds[k, MIN_X], bounds[k, MAX_X])
            near_y, far_y = slab_times(y, per_y, bounds[k, MIN_Y], bounds[k, MAX_Y])
            begin = max(near_x, near_y, 0.0) * (1.0 - _ROUNDING)
            end = min(far_x, far_y, best) * (1.0 + _ROUNDING)
            if not begin <= end:
                continue
            level = layers[k, LEVEL]
            first = layers[k, FIRST]
            last = layers[k, END]

            walks = False
            scale = 1.0
            cell_x = 0.0
            cell_y = 0.0
            if level < NO_LEVEL:
                scale = floats[level, SCALE]
                cell_x = cell_coordinate(x + begin * ux, floats, level) + _MARGIN
                cell_y = cell_coordinate(y + begin * uy, floats, level) + _MARGIN
                steps = (abs(ux) + abs(uy)) * (end - begin) * scale
                error = _ROUNDING * (abs(x) + abs(y) + end) * scale
                # False for the NaN or infinity of coordinates near the end of the range.
                walks = (
                    (cell_x >= 0.0)
                    & (cell_y >= 0.0)
                    & (error < _TRUSTED)
                    & (steps * _STEP_COST < last - first)
                    & (steps < 0.5 * LARGEST_TABLE)
                )
            offset = 0
            mask = 0
            stride = 0
            column = 0
            row = 0
            columns = 1
            rows = 1
            if walks:
                offset = integers[level, OFFSET]
                mask = integers[level, MASK]
                stride = integers[level, STRIDE]
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
                        first = entry(starts, offset + bucket)
                        last = entry(starts, offset + min(past, mask + 1))
                    while True:
                        for q in range(first, last):
                            meets, near = meets_box(boxes, q, x, y, per_x, per_y, best)
                            if not meets:
                                continue
                            i = entry(names, q)
                            if not is_met(i, query):
                                continue
                            distance, hit_x, hit_y, normal_x, normal_y = raycast_shape(
                                placed, i, x, y, dx, dy, length, near <= 0.0, best
                            )
                            if distance == math.inf:
                                continue
                            place = r
                            if every:
                                # Distant cells share buckets: a box counts where its own cell is visited.
                                if walks:
                                    own_column = int(cell_coordinate(boxes[q, MIN_X], floats, level))
                                    own_row = int(cell_coordinate(boxes[q, MIN_Y], floats, level))
                                    beside = (right - own_column) & (LARGEST_TABLE - 1)
                                    if (own_row ^ line) & (LARGEST_TABLE - 1) != 0 or beside >= columns:
                                        continue
                                place = found
                                found += 1
                                if place >= pairs.shape[0]:
                                    continue
                            elif pairs[r, SLOT] >= 0 and distance == best and rank[pairs[r, SLOT]] <= rank[i]:
                                continue
                            else:
                                best = distance
                                end = best
                            pairs[place, QUERY] = r
                            pairs[place, SLOT] = i
                            hits[place, DISTANCE] = distance
                            # One that starts inside has no normal, and its point is where it starts.
                            inside = distance == 0.0 and normal_x == 0.0 and normal_y == 0.0
                            hits[place, POINT + ALONG_X] = x if inside else positions[i, ALONG_X] + hit_x
                            hits[place, POINT + ALONG_Y] = y if inside else positions[i, ALONG_Y] + hit_y
                            hits[place, NORMAL + ALONG_X] = normal_x
                            hits[place, NORMAL + ALONG_Y] = normal_y
                        if past <= mask + 1:
                            break
                        # A span over the end of the table goes on at its start.
                        first = entry(starts, offset)
                        last = entry(starts, offset + past - mask - 1)
                        past = 0
                if not walks or min(time_x, time_y) > end + margin:
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
            reach[r] = best
    return found
