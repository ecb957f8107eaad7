"""The arrays of the collision filters, as the engine takes them."""

from __future__ import annotations

from ecsphys.components.collision.collision_filter import CollisionFilter
from ecsphys.components.store.standing_blocks import while_blocks_stand
from ecsphys.engine.contacts.contact_filter import FilterBlocks


@while_blocks_stand
def filter_blocks() -> FilterBlocks:
    """The blocks of CollisionFilter; valid until the next filter is created. The same object while they are."""
    return FilterBlocks(CollisionFilter._columns.uint32, CollisionFilter._columns.int64)
