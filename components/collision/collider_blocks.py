"""The arrays of all colliders, as the engine takes them."""

from __future__ import annotations

from operator import is_
from typing import Any

from numpy.typing import NDArray

from ecsphys.components.collision.colliders import (
    COLLIDER_CLASSES,
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    FanCollider,
    OBBCollider,
    PolygonCollider,
)
from ecsphys.components.collision.vertex_pool import VERTEX_POOL
from ecsphys.engine.shapes.layout import ShapeArrays
from ecsphys.engine.shapes.placement import ColliderBlocks, PlacedShapes


def _blocks_now() -> ColliderBlocks:
    return ColliderBlocks(*_replaceable(), *(cls._columns.uint8 for cls in COLLIDER_CLASSES))


def _replaceable() -> tuple[NDArray[Any], ...]:
    """The arrays by which is told whether any was replaced: a class's bytes are together with its floats."""
    return (
        CircleCollider._columns.float64,
        AABBCollider._columns.float64,
        OBBCollider._columns.float64,
        CapsuleCollider._columns.float64,
        FanCollider._columns.float64,
        PolygonCollider._columns.float64,
        PolygonCollider._columns.int64,
        VERTEX_POOL.data,
    )


_kept = _blocks_now()


def collider_blocks() -> ColliderBlocks:
    """The blocks of all collider classes; valid until the next collider is created. The same object while they are."""
    global _kept
    # The tuple is the shorter one: what follows in the bundle is not compared.
    if not all(map(is_, _replaceable(), _kept)):
        _kept = _blocks_now()
    return _kept


def shape_arrays(placed: PlacedShapes) -> ShapeArrays:
    """Placed shapes with the vertices of their polygons, as geometry takes them."""
    return ShapeArrays(placed.forms, placed.positions, placed.shapes, VERTEX_POOL.data)
