"""Colliders and transforms, given as instances, turned into the engine's placed shapes."""

from __future__ import annotations

import numpy as np
from numpy import uint8

from ecsphys.components.collision.colliders import COLLIDER_KINDS, Collider
from ecsphys.components.collision.loose_shapes import place_loose
from ecsphys.components.motion.transform import Transform
from ecsphys.engine.shapes.placement import PlacedShapes


def place(*colliders: tuple[Collider, Transform]) -> PlacedShapes:
    """Place each collider by its transform.

    ``TypeError`` for what is no collider or no ``Transform``; ``ValueError`` naming component and field for a value
    that slipped in through a column and is out of its bounds.
    """
    count = len(colliders)
    kinds = np.empty(count, uint8)
    transform_rows = np.empty(count, np.int32)
    collider_rows = np.empty(count, np.int32)
    for i, (collider, transform) in enumerate(colliders):
        kind = COLLIDER_KINDS.get(type(collider))
        if kind is None:
            raise TypeError(f"a collider is needed, not {collider!r}")
        if type(transform) is not Transform:  # a subclass has rows of its own
            raise TypeError(f"a Transform is needed, not {transform!r}")
        collider._columns.refuse_bad_floats(collider._row)
        transform._columns.refuse_bad_floats(transform._row)
        kinds[i] = kind
        collider_rows[i] = collider._row
        transform_rows[i] = transform._row
    return place_loose(kinds, collider_rows, Transform._columns.float64, transform_rows)
