"""Which motions of bodies are locked."""

from __future__ import annotations

from numpy import int32, uint8
from numpy.typing import NDArray

from ecsphys.engine.dynamics.bodies import LOCK_ROTATION
from ecsphys.engine.dynamics.body_mass import DYNAMIC
from ecsphys.engine.shapes.layout import KIND_AABB


def lock_boxes(locks: NDArray[uint8], kind: NDArray[uint8], bodies: NDArray[int32], shapes: NDArray[uint8]) -> None:
    """Lock the rotation of the dynamic bodies that have an ``AABBCollider``: of each collider the row of its body and
    the kind of its shape are given.

    A box that never turns would strike like a turning one else: at a contact its angular velocity counts.
    """
    rows = bodies[(shapes == KIND_AABB) & (bodies > 0)]
    locks[rows[kind[rows] == DYNAMIC]] |= uint8(LOCK_ROTATION)
