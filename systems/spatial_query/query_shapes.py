"""The shapes that queries ask with: colliders and boxes placed without an entity."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import float64, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.collider_blocks import place_loose
from ecsphys.components.collision.colliders import COLLIDER_KINDS
from ecsphys.components.motion.transform import Transform
from ecsphys.engine.shapes.layout import AXIS_X, BOX, EXTENT, HALF_X, HALF_Y, SHAPE_COLUMNS
from ecsphys.engine.spatial.overlapping import AskedShapes
from ecsphys.systems.world.collider_placing import BOX_PADDING


def kind_of(collider: Any) -> int:
    """The number of a collider's class. Raises TypeError unless it is a collider."""
    kind = COLLIDER_KINDS.get(type(collider))
    if kind is None:
        raise TypeError(f"collider must be a collider, got {collider!r}")
    return kind


def place_collider(collider: Any, transforms: NDArray[float64]) -> AskedShapes:
    """A collider once for each of ``transforms`` (n, 3): x, y, angle.

    Raises TypeError unless it is a collider, and ValueError for a value out of bounds that was written through a
    column.
    """
    kind = kind_of(collider)
    collider._columns.check_floats(collider._row)
    every = np.arange(len(transforms), dtype=np.int32)
    placed = place_loose(
        np.full(len(every), kind, uint8),
        np.full(len(every), collider._row, np.int32),
        np.ascontiguousarray(transforms.T),
        every,
        BOX_PADDING,
    )
    return AskedShapes(placed.forms, placed.positions, placed.shapes, placed.boxes)


def place_boxes(boxes: NDArray[float64]) -> AskedShapes:
    """Axis-aligned boxes (n, 4): min_x, min_y, max_x, max_y."""
    count = len(boxes)
    # Halved first: the sum of two large coordinates might be infinite.
    low, high = 0.5 * boxes[:, :2], 0.5 * boxes[:, 2:]
    shapes = np.zeros((count, SHAPE_COLUMNS))
    shapes[:, AXIS_X] = 1.0
    shapes[:, HALF_X : HALF_Y + 1] = high - low
    shapes[:, EXTENT] = shapes[:, HALF_X] + shapes[:, HALF_Y]
    return AskedShapes(np.full(count, BOX, uint8), low + high, shapes, boxes)


def transform_row(transform: Any) -> NDArray[float64]:
    """A ``Transform`` as (1, 3); TypeError for another thing, ValueError for a number that is not finite."""
    if not isinstance(transform, Transform):
        raise TypeError(f"transform must be a Transform, got {transform!r}")
    transform._columns.check_floats(transform._row)
    return np.array(((transform.x, transform.y, transform.angle),))
