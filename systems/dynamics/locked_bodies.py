"""Which motions of bodies are locked."""

from __future__ import annotations

from numpy import int32, uint8
from numpy.typing import NDArray

from ecsphys.engine.dynamics.bodies import LOCK_ROTATION
from ecsphys.engine.dynamics.body_mass import DYNAMIC
from ecsphys.engine.shapes.layout import KIND_AABB
from ecsphys.systems.world.collider_table import ColliderTable


def with_boxes_locked(
    own: NDArray[uint8], kind: NDArray[uint8], body_of: NDArray[int32], colliders: ColliderTable
) -> NDArray[uint8]:
    """The locks (n,) of bodies: their ``own``, and of those with an ``AABBCollider`` the rotation.

    A box that never turns would strike like a turning one else: at a contact its angular velocity counts.
    """
    order = colliders.order
    rows = body_of[order[colliders.slots.kind[order] == KIND_AABB]]
    rows = rows[rows > 0]
    locks = own.copy()
    locks[rows[kind[rows] == DYNAMIC]] |= uint8(LOCK_ROTATION)
    return locks
