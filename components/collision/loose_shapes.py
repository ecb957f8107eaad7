"""Colliders placed one by one, without an entity: for geometry, and for the shapes that queries ask with."""

from __future__ import annotations

import numpy as np
from numpy import float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.collider_blocks import collider_blocks
from ecsphys.engine.shapes.layout import SHAPE_COLUMNS
from ecsphys.engine.shapes.placement import (
    NOTED_COUNTS,
    ColliderBlocks,
    PlacedShapes,
    PlacingNotes,
    ShapeSources,
    place_shapes,
)

Rows = NDArray[int32]


def place_loose(
    kinds: NDArray[uint8],
    rows: Rows,
    transforms: NDArray[float64],
    transform_rows: Rows,
    padding: float = 0.0,
    blocks: ColliderBlocks | None = None,
) -> PlacedShapes:
    """n colliders of some ``kinds`` (n,) in ``rows`` (n,) of their blocks, by rows (n,) of ``transforms`` (3, m).

    ``padding`` is that of ``place_shapes``; ``blocks`` are those of the collider classes unless given.
    """
    count = len(kinds)
    every = np.arange(count, dtype=int32)
    shapes = np.zeros((count, SHAPE_COLUMNS))
    flags = np.zeros((3, count), uint8)
    placed = PlacedShapes(
        flags[0], np.zeros((count, 2)), shapes, np.zeros((count, 4)), np.zeros(count), flags[1], flags[2]
    )
    place_shapes(
        every,
        ShapeSources(kinds, transform_rows, rows, np.ones(count, uint8)),
        transforms,
        blocks or collider_blocks(),
        padding,
        placed,
        PlacingNotes(np.empty(0, int32), np.empty(0, int32), np.zeros(NOTED_COUNTS, int64)),
        False,
    )
    return placed
