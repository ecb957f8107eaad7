"""All that a query reads of a world, in one bundle that is kept while no array of it is replaced."""

from __future__ import annotations

from typing import NamedTuple

from ecsphys.engine.hits.contact_scene import FilterBlocks
from ecsphys.engine.kernels.array_types import Float64Rows, Int64Rows, Int64s, Uint32Rows
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import inlined_scalar
from ecsphys.engine.shapes.layout import ShapeArrays
from ecsphys.engine.shapes.placement import FILED_ASIDE, FILED_AWAKE, FILED_SLEEPING, PlacedShapes
from ecsphys.engine.spatial.query_filter import QueryFilter
from ecsphys.engine.spatial.search_grid import SearchArrays
from ecsphys.engine.tables.collider_slots import ColliderSlots

GRIDS = 3


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
    """The entities, ascending, that a query never meets."""

    entities: Int64s


@inlined_scalar
def grid_of(world: SearchedWorld, number: int) -> SearchArrays:
    """One of the GRIDS grids."""
    return world.awake if number == 0 else world.asleep if number == 1 else world.aside


@inlined_scalar
def filter_in(world: SearchedWorld, number: int, own_filter: int, excluded: Excluded) -> QueryFilter:
    """The filter of a query in one of the grids."""
    filed = FILED_AWAKE if number == 0 else FILED_SLEEPING if number == 1 else FILED_ASIDE
    filters = FilterBlocks(world.layers_and_masks, world.groups)
    return QueryFilter(world.colliders, world.placed.filed, filed, filters, own_filter, excluded.entities)


@inlined_scalar
def shapes_of(world: SearchedWorld) -> ShapeArrays:
    """The placed shapes, as geometry takes them."""
    return ShapeArrays(world.placed.forms, world.placed.positions, world.placed.shapes, world.pool)
