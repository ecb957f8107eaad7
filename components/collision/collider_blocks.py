"""The arrays of all colliders, as the engine takes them."""

from __future__ import annotations

from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    FanCollider,
    OBBCollider,
    PolygonCollider,
)
from ecsphys.components.collision.vertex_pool import VERTEX_POOL

Block = NDArray[float64]


def collider_blocks() -> tuple[Block, Block, Block, Block, Block, Block, NDArray[int64], Block]:
    """The block of each class in the order of ``COLLIDER_CLASSES``, then where the vertices of polygons are, and these.

    Valid until the next collider is created.
    """
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
