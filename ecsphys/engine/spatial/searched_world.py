"""The part of a world that a query sees: grids of named boxes with the reach of each level, and colliders that the
query's filter meets, neither sensors nor excluded."""

from __future__ import annotations

import math
from typing import Annotated, Final

import numpy as np
from numpy import float64, int64, uint32
from numpy.typing import NDArray

from ecsphys.engine.broadphase import cells
from ecsphys.engine.broadphase.grid import Grid
from ecsphys.engine.hits.contact_filter import FilterBlocks, is_sought, may_collide
from ecsphys.engine.hits.hit_order import find_number
from ecsphys.engine.kernels import NamedTuple, aligned_zeros, inlined_scalar, kernel, packed, scalar
from ecsphys.engine.kernels.arrays import Float64Rows, Int64Rows, Int64s, Layout, Uint32Rows, Uint32s, record
from ecsphys.engine.shapes import placement
from ecsphys.engine.shapes.layout import ShapeArrays
from ecsphys.engine.tables.collider_slots import ColliderSlots

# Columns of the layers: the level, and its first and end in the sorted order.
LEVEL, FIRST, END = 0, 1, 2


@packed
class SearchArrays(NamedTuple):
    """A grid to search: the levels with boxes in them, and last the boxes without a level; the box (4,) round the boxes
    of each; how ``many`` (1,) these layers are; and the names of all boxes, in their sorted order."""

    layers: Int64Rows
    bounds: Float64Rows
    many: Int64s
    grid: cells.GridArrays
    names: Uint32s


@kernel
def survey_grid(grid: cells.GridArrays, layers: Int64Rows, bounds: Float64Rows) -> int:
    """List the levels of a grid in ``layers`` and ``bounds`` (:class:`SearchArrays`); returns how many there are."""
    _, integers, starts, sorted_boxes, statistics = grid
    found = 0
    for level in range(cells.LEVELS + 1):
        first = int(int64(statistics[cells.FIRST_OVERSIZED]))
        end = int(int64(statistics[cells.END_OVERSIZED]))
        if level < cells.LEVELS:
            if integers[level, cells.COUNT] == 0:
                continue
            first = cells.entry(starts, integers[level, cells.OFFSET])
            end = cells.entry(starts, integers[level, cells.OFFSET] + integers[level, cells.MASK] + 1)
        box = box_round(sorted_boxes, first, end)
        if not (box.min_x <= box.max_x and box.min_y <= box.max_y):
            continue
        _set_layer(found, level if level < cells.LEVELS else cells.NO_LEVEL, first, end, box, layers, bounds)
        found += 1
    return found


@scalar
def box_round(boxes: NDArray[float64], first: int, end: int) -> cells.Box:
    """The box round the boxes first … end − 1, inside out if there are none; one that has left has NaN and counts for
    nothing."""
    min_x = math.inf
    min_y = math.inf
    max_x = -math.inf
    max_y = -math.inf
    for q in range(first, end):
        # A NaN is less than nothing.
        min_x = boxes[q, cells.MIN_X] if boxes[q, cells.MIN_X] < min_x else min_x
        min_y = boxes[q, cells.MIN_Y] if boxes[q, cells.MIN_Y] < min_y else min_y
        max_x = boxes[q, cells.MAX_X] if boxes[q, cells.MAX_X] > max_x else max_x
        max_y = boxes[q, cells.MAX_Y] if boxes[q, cells.MAX_Y] > max_y else max_y
    return cells.Box(min_x, min_y, max_x, max_y)


@scalar
def _set_layer(
    k: int, level: int, first: int, end: int, box: cells.Box, layers: NDArray[int64], bounds: NDArray[float64]
) -> None:
    layers[k, LEVEL] = level
    layers[k, FIRST] = first
    layers[k, END] = end
    bounds[k, cells.MIN_X] = box.min_x
    bounds[k, cells.MIN_Y] = box.min_y
    bounds[k, cells.MAX_X] = box.max_x
    bounds[k, cells.MAX_Y] = box.max_y


@kernel
def list_aside(notes: placement.PlacingNotes, placed: placement.PlacedShapes, search: SearchArrays) -> int:
    """Make a grid without levels of the placed shapes that are noted beside the grids.

    Returns how many they are; where there is no room for as many in ``search`` nothing is found in it.
    """
    count = int(int64(notes.counts[placement.ASIDE_COUNT]))
    names, boxes, statistics = search.names, search.grid.boxes, search.grid.statistics
    search.many[0] = 0
    statistics[cells.FIRST_OVERSIZED] = 0.0
    statistics[cells.END_OVERSIZED] = 0.0
    if count > names.shape[0]:
        return count
    for k in range(count):
        names[k] = notes.aside[k]
        for column in range(4):
            boxes[k, column] = placed.boxes[notes.aside[k], column]
    zero = int(int64(0))  # a literal 0 would have the callees compiled once more for it
    box = box_round(boxes, zero, count)
    if box.min_x <= box.max_x and box.min_y <= box.max_y:
        statistics[cells.END_OVERSIZED] = count
        _set_layer(zero, cells.NO_LEVEL, zero, count, box, search.layers, search.bounds)
        search.many[0] = 1
    return count


class SearchGrid:
    """Boxes by name, filed for searches; the kernels that search take the ``arrays``.

    Where filing is broken off nothing is found until boxes are filed again.
    """

    __slots__ = ("_grid", "_names", "arrays")

    def __init__(self) -> None:
        self._grid = Grid()
        # Room for names that are others after each step.
        self._names = np.zeros(0, uint32)
        self.arrays = _search_arrays(self._grid.tables, np.zeros(0, uint32))

    def file(self, boxes: NDArray[float64], names: NDArray[uint32], cell_size: float) -> None:
        """File ``boxes`` (n, 4), which have ``names`` (n,); ``cell_size`` as for :meth:`Grid.find_pairs`."""
        self._forget()
        self._grid.file_boxes(boxes, cell_size)
        self._survey(self._grid, names[self._grid.order])

    def adopt(self, grid: Grid, names: NDArray[uint32]) -> None:
        """Search a grid that is filed elsewhere, with ``names`` (n,) in its sorted order."""
        self._forget()
        self._survey(grid, names)

    def adopt_filed(self, grid: Grid, names: NDArray[uint32]) -> None:
        """As :meth:`adopt`; the names are copied, so that kernels know the arrays from the last time."""
        self._forget()
        count = names.size
        if count > self._names.size:
            self._names = np.zeros(2 * count, uint32)
        self._names[:count] = names
        self._survey(grid, self._names)

    def take(self, other: SearchGrid) -> None:
        """Search what another one has filed, which is not used any more."""
        self._grid, self.arrays = other._grid, other.arrays

    def make_room(self, count: int) -> None:
        """Have tables for so many boxes that are listed by :func:`list_aside`."""
        self._forget()
        grid = self.arrays.grid._replace(boxes=aligned_zeros(count, 4), statistics=np.zeros(cells.STATISTICS))
        self.arrays = _search_arrays(grid, np.zeros(count, uint32))

    def _forget(self) -> None:
        self.arrays.many[0] = 0

    def _survey(self, grid: Grid, names: NDArray[uint32]) -> None:
        arrays = self.arrays
        if grid.tables is not arrays.grid or names is not arrays.names:
            self.arrays = arrays = _search_arrays(grid.tables, names)
        arrays.many[0] = survey_grid(grid.tables, arrays.layers, arrays.bounds)


def _search_arrays(grid: cells.GridArrays, names: NDArray[uint32]) -> SearchArrays:
    """The search's part of a grid, with layers of its own: a search under way goes on in the layers of the one
    before."""
    layers = cells.LEVELS + 1
    return SearchArrays(np.zeros((layers, 3), int64), np.zeros((layers, 4)), np.zeros(1, int64), grid, names)


# Colliders are filed in three grids; PlacedShapes.filed has the number of each collider's grid.
FIRST_GRID, END_GRID = placement.FILED_SLEEPING, placement.FILED_ASIDE + 1

# Columns of a pair.
QUERY, SLOT = 0, 1

# Instead of the row of a filter, see Scope: rows −1, 0, 1 … become −2, −3, −4 ….
ANY, MUTUAL = -1, -3


@packed
class SearchedWorld(NamedTuple):
    """The colliders, as they are placed, and the three grids that they are filed in; ``pool`` are the vertices,
    ``layers_and_masks`` (2, rows) and ``groups`` (1, rows) the blocks of CollisionFilter."""

    awake: SearchArrays
    asleep: SearchArrays
    aside: SearchArrays
    placed: placement.PlacedShapes
    pool: Float64Rows
    colliders: ColliderSlots
    layers_and_masks: Uint32Rows
    groups: Int64Rows


@packed
class Excluded(NamedTuple):
    """Entities, ascending."""

    entities: Int64s


class Scope(NamedTuple):
    """The colliders that a query sees.

    ``own_filter`` is the row of the query's filter, which decides alone, ANY for none; MUTUAL less that row, or less −1
    for none, where the other's mask must hold its layers, too. It never meets the ``excluded`` entities.
    """

    world: SearchedWorld
    own_filter: int
    excluded: Excluded


# A collider that a query found: point, normal and distance; the row of the query; entity, number of the collider's
# class, part and rank, −1 for none.
FOUND: Final = record("x y normal_x normal_y distance", "query entity collider part rank")
Found = Annotated[NDArray[np.void], Layout(FOUND, 1)]


@inlined_scalar
def grid_of(world: SearchedWorld, number: int) -> SearchArrays:
    """The grid of a number."""
    return (
        world.asleep
        if number == placement.FILED_SLEEPING
        else world.awake
        if number == placement.FILED_AWAKE
        else world.aside
    )


@inlined_scalar
def is_met(i: int, number: int, scope: Scope) -> bool:
    """Whether a query meets the collider in slot i, which it found in the grid of a number."""
    colliders = scope.world.colliders
    if scope.world.placed.filed[i] != number or colliders.sensor[i] != 0:
        return False
    filters = FilterBlocks(scope.world.layers_and_masks, scope.world.groups)
    filter_row = int(int64(colliders.filter_row[i]))
    own = scope.own_filter
    if own >= 0:
        if not is_sought(own, filter_row, filters):
            return False
    elif own != ANY and not may_collide(MUTUAL - own, filter_row, filters):
        return False
    return find_number(scope.excluded.entities, colliders.entity[i]) < 0


@inlined_scalar
def shapes_of(world: SearchedWorld) -> ShapeArrays:
    """The placed shapes, as geometry takes them."""
    return ShapeArrays(world.placed.forms, world.placed.positions, world.placed.shapes, world.pool)


@scalar
def write_found(
    k: int,
    query: int,
    slot: int,
    distance: float,
    point: tuple[float, float],
    normal: tuple[float, float],
    colliders: ColliderSlots,
    found: Found,
) -> None:
    """Write a result to row k: the collider in a slot, −1 for none."""
    row = found[k]
    row.x, row.y = point
    row.normal_x, row.normal_y = normal
    row.distance = distance
    row.query = query
    row.entity = colliders.entity[slot] if slot >= 0 else -1
    row.collider = int(int64(colliders.kind[slot])) if slot >= 0 else -1
    row.part = int(int64(colliders.part[slot])) if slot >= 0 else -1
    row.rank = colliders.rank[slot] if slot >= 0 else -1
