"""The arrays of all colliders, as the engine takes them."""

from __future__ import annotations

from ecsphys.components.collision.colliders import (
    SHAPE_CLASSES,
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    FanCollider,
    OBBCollider,
    PolygonCollider,
)
from ecsphys.components.collision.vertex_pool import VERTEX_POOL
from ecsphys.components.store.standing_blocks import while_blocks_stand
from ecsphys.engine.shapes.layout import ShapeArrays
from ecsphys.engine.shapes.placement import ColliderBlocks, PlacedShapes


@while_blocks_stand
def collider_blocks() -> ColliderBlocks:
    """The blocks of all collider classes; valid until the next collider is created. The same object while they are."""
    return ColliderBlocks(
        CircleCollider._columns.float64,
        AABBCollider._columns.float64,
        OBBCollider._columns.float64,
        CapsuleCollider._columns.float64,
        FanCollider._columns.float64,
        PolygonCollider._columns.float64,
        PolygonCollider._columns.int64,
        VERTEX_POOL.data,
        *(cls._columns.uint8 for cls in SHAPE_CLASSES),
    )


def shape_arrays(placed: PlacedShapes) -> ShapeArrays:
    """Placed shapes with the vertices of their polygons, as geometry takes them."""
    return ShapeArrays(placed.forms, placed.positions, placed.shapes, VERTEX_POOL.data)
