"""The colliders that a query meets: its filter meets them, and they are neither sensors nor excluded."""

from __future__ import annotations

from typing import NamedTuple

from numpy import int64

from ecsphys.engine.hits.contact_scene import FilterBlocks, is_sought, may_collide
from ecsphys.engine.kernels.array_types import Int64s, Uint8s
from ecsphys.engine.kernels.compilation import inlined_scalar
from ecsphys.engine.math.sorted_numbers import find_number
from ecsphys.engine.tables.collider_slots import ColliderSlots

# Columns of a pair.
QUERY, SLOT = 0, 1

# Instead of the row of a filter, see QueryFilter: rows −1, 0, 1 … become −2, −3, −4 ….
ANY, MUTUAL = -1, -3


class QueryFilter(NamedTuple):
    """The filter of a query for ``colliders`` filed in a ``grid``: their number in ``filed`` is the grid's.

    ``own_filter`` is the row of the query's filter, which decides alone, ANY for none; MUTUAL less that row, or less −1
    for none, where the other's mask must hold its layers, too. ``excluded`` are the entities, ascending, that it never
    meets.
    """

    colliders: ColliderSlots
    filed: Uint8s
    grid: int
    filters: FilterBlocks
    own_filter: int
    excluded: Int64s


@inlined_scalar
def is_met(i: int, query: QueryFilter) -> bool:
    """Whether a query meets the collider in slot i."""
    if query.filed[i] != query.grid or query.colliders.sensor[i] != 0:
        return False
    filter_row = int(int64(query.colliders.filter_row[i]))
    own = query.own_filter
    if own >= 0:
        if not is_sought(own, filter_row, query.filters):
            return False
    elif own != ANY and not may_collide(MUTUAL - own, filter_row, query.filters):
        return False
    return find_number(query.excluded, query.colliders.entity[i]) < 0
