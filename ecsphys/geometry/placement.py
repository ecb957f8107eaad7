"""Colliders and transforms, given as instances, turned into the engine's placed shapes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy import float64, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.collider_blocks import collider_blocks
from ecsphys.components.collision.colliders import COLLIDER_KINDS, Collider
from ecsphys.components.collision.vertex_pool import VERTEX_POOL
from ecsphys.components.motion.transform import Transform
from ecsphys.engine.shapes.layout import SHAPE_COLUMNS
from ecsphys.engine.shapes.placement import place_shapes


@dataclass(frozen=True, slots=True)
class PlacedShapes:
    """One row for each placed collider; the arrays' meaning is in :mod:`ecsphys.engine.shapes.layout`.

    ``boxes`` are the exact bounding boxes in the world; ``pool`` holds the polygons' vertices.
    """

    forms: NDArray[uint8]
    positions: NDArray[float64]
    shapes: NDArray[float64]
    boxes: NDArray[float64]
    pool: NDArray[float64]


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
    placed = PlacedShapes(
        np.zeros(count, uint8),
        np.zeros((count, 2)),
        np.zeros((count, SHAPE_COLUMNS)),
        np.zeros((count, 4)),
        VERTEX_POOL.data,
    )
    place_shapes(
        np.arange(count, dtype=np.int32),
        np.ones(count, uint8),
        kinds,
        transform_rows,
        collider_rows,
        Transform._columns.float64,
        *collider_blocks(),
        0.0,
        placed.forms,
        placed.positions,
        placed.shapes,
        placed.boxes,
        np.empty(count),
        np.zeros(count, uint8),
    )
    return placed
