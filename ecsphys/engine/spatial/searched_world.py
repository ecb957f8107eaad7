"""The part of a world that a query sees: colliders that its filter meets, neither sensors nor excluded."""

from __future__ import annotations

from typing import Annotated, Final

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from ecsphys.engine.hits.contact_filter import FilterBlocks, is_sought, may_collide
from ecsphys.engine.kernels import NamedTuple, inlined_scalar, packed, scalar
from ecsphys.engine.kernels.array_types import Float64Rows, Int64Rows, Int64s, Layout, Uint32Rows, record
from ecsphys.engine.math.sorted_numbers import find_number
from ecsphys.engine.shapes.layout import ShapeArrays
from ecsphys.engine.shapes.placement import FILED_ASIDE, FILED_AWAKE, FILED_SLEEPING, PlacedShapes
from ecsphys.engine.spatial.search_grid import SearchArrays
from ecsphys.engine.tables.collider_slots import ColliderSlots

# Colliders are filed in three grids; PlacedShapes.filed has the number of each collider's grid.
FIRST_GRID, END_GRID = FILED_SLEEPING, FILED_ASIDE + 1

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
    placed: PlacedShapes
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
    return world.asleep if number == FILED_SLEEPING else world.awake if number == FILED_AWAKE else world.aside


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
