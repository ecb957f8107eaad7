"""All colliders of a world where they are now: the arrays that broadphase and narrowphase compute with."""

from __future__ import annotations

import numpy as np
from numpy import float64, uint8
from numpy.typing import NDArray

from ecsphys.components.colliders import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    FanCollider,
    OBBCollider,
    PolygonCollider,
)
from ecsphys.components.transform import Transform
from ecsphys.components.vertex_pool import VERTEX_POOL
from ecsphys.engine.shapes import SHAPE_COLUMNS, place_shapes
from ecsphys.systems.world_index import Proxies

# A box is widened by two ulps of its largest coordinate: rounding a position plus an extent may cost half an ulp per
# side and operation, and the narrowphase, which works on differences of positions, sees overlaps that thin.
_BOX_PADDING = 2.0 * float(np.finfo(float64).eps)


class PlacedColliders:
    """Placed shapes (see ``ecsphys/engine/shapes.py``) of the proxies, in their order, in buffers that are kept.

    ``forms`` (n,) uint8, ``positions`` (n, 2), ``shapes`` (n, 7) and ``boxes`` (n, 4) float64.
    """

    __slots__ = ("_buffers", "_pool_changes", "_proxies", "boxes", "forms", "positions", "shapes")

    def __init__(self) -> None:
        self._proxies: Proxies | None = None
        self._pool_changes = -1
        self._reserve(0)

    def _reserve(self, count: int) -> None:
        self._buffers = (
            np.zeros(count, uint8),
            np.zeros((count, 2)),
            np.zeros((count, SHAPE_COLUMNS)),
            np.zeros((count, 4)),
        )
        self._show(count)

    def _show(self, count: int) -> None:
        forms, positions, shapes, boxes = self._buffers
        self.forms: NDArray[uint8] = forms[:count]
        self.positions: NDArray[float64] = positions[:count]
        self.shapes: NDArray[float64] = shapes[:count]
        self.boxes: NDArray[float64] = boxes[:count]

    def outdate(self) -> None:
        """Tell that something has moved."""
        self._proxies = None

    def is_current(self, proxies: Proxies) -> bool:
        """Whether these proxies were placed last, since when nothing has moved and no polygon changed its vertices."""
        return self._proxies is proxies and self._pool_changes == VERTEX_POOL.changes

    def place(self, proxies: Proxies) -> None:
        """Place all proxies where their transforms are now."""
        count = len(proxies)
        if count > self._buffers[0].size:
            self._reserve(max(count, 2 * self._buffers[0].size, 64))
        if count != self.forms.size:
            self._show(count)
        place_shapes(
            proxies.collider,
            proxies.transform_row,
            proxies.collider_row,
            Transform._columns.float64,
            CircleCollider._columns.float64,
            AABBCollider._columns.float64,
            OBBCollider._columns.float64,
            CapsuleCollider._columns.float64,
            FanCollider._columns.float64,
            PolygonCollider._columns.float64,
            PolygonCollider._columns.int64,
            VERTEX_POOL.data,
            _BOX_PADDING,
            self.forms,
            self.positions,
            self.shapes,
            self.boxes,
        )
        self._proxies = proxies
        self._pool_changes = VERTEX_POOL.changes
