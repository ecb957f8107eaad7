"""Colliders placed by their transforms, for what tests the engine with them."""

from __future__ import annotations

import numpy as np

from ecsphys.components.collision.colliders import COLLIDER_KINDS, Collider, place_loose
from ecsphys.components.motion.transform import Transform
from ecsphys.engine.shapes.placement import PlacedShapes


def place(*colliders: tuple[Collider, Transform]) -> PlacedShapes:
    """Place each collider by its transform."""
    return place_loose(
        np.array([COLLIDER_KINDS[type(collider)] for collider, _ in colliders], np.uint8),
        np.array([collider._row for collider, _ in colliders], np.int32),
        Transform._columns.float64,
        np.array([transform._row for _, transform in colliders], np.int32),
    )
