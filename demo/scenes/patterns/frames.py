"""The frames of patterned colliders: their middles, axes and half sizes, all at once, from the public arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import bool_, float64, int64
from numpy.typing import NDArray

import ecsphys
from ecsphys import (
    AABBCollider,
    CapsuleCollider,
    ChainCollider,
    CircleCollider,
    FanCollider,
    OBBCollider,
    Physics,
    PolygonCollider,
    Transform,
)

_CLASSES = ecsphys.COLLIDER_CLASSES
_POLYGON_PART = 0.4
"""The half size of a polygon's pattern, in parts of the smaller side of its box."""
_CAP_PART = 0.6


class Frames(NamedTuple):
    """``rows`` (n,) of ``physics.debug.colliders``; ``center``, unit ``axis`` and ``half`` sizes (n, 2)."""

    rows: NDArray[int64]
    center: NDArray[float64]
    axis: NDArray[float64]
    half: NDArray[float64]

    @property
    def least(self) -> NDArray[float64]:
        """The smaller half size (n,)."""
        least: NDArray[float64] = self.half.min(axis=1)
        return least

    @property
    def across(self) -> NDArray[float64]:
        """The unit axis (n, 2) a quarter turn on from ``axis``."""
        return np.column_stack((-self.axis[:, 1], self.axis[:, 0]))

    def select(self, chosen: NDArray[bool_]) -> Frames:
        """Some of them."""
        return Frames(self.rows[chosen], self.center[chosen], self.axis[chosen], self.half[chosen])

    def lengthwise(self) -> Frames:
        """The same with the axis along the longer side."""
        upright = (self.half[:, 1] > self.half[:, 0])[:, None]
        return self._replace(
            axis=np.where(upright, self.across, self.axis), half=np.where(upright, self.half[:, ::-1], self.half)
        )


def frames_of(physics: Physics, rows: NDArray[int64]) -> Frames:
    """The frames of some of ``physics.debug.colliders``, by their rows (n,). Segments of chains have no size."""
    colliders = physics.debug.colliders
    transforms = colliders.transform_row[rows]
    x, y, angle = (Transform.column(name, writable=False)[transforms] for name in ("x", "y", "angle"))
    offset, turn, half = np.zeros((len(rows), 2)), np.zeros(len(rows)), np.zeros((len(rows), 2))
    kinds, own_rows = colliders.collider[rows], colliders.collider_row[rows]
    for number in np.unique(kinds).tolist():
        cls, chosen = _CLASSES[number], kinds == number
        if cls is PolygonCollider:
            offset[chosen] = _offsets(cls, own_rows[chosen])
            boxes = colliders.boxes[rows[chosen]]
            half[chosen] = _POLYGON_PART * (boxes[:, 2:] - boxes[:, :2]).min(axis=1)[:, None]
        elif cls is not ChainCollider:
            offset[chosen], turn[chosen], half[chosen] = _measures(cls, own_rows[chosen])
            if cls is AABBCollider:
                angle[chosen] = 0.0
    c, s = np.cos(angle), np.sin(angle)
    center = np.column_stack((x + c * offset[:, 0] - s * offset[:, 1], y + s * offset[:, 0] + c * offset[:, 1]))
    axis = np.column_stack((np.cos(angle + turn), np.sin(angle + turn)))
    return Frames(rows, center, axis, half)


def _offsets(cls: type[ecsphys.Component], rows: NDArray[np.int32]) -> NDArray[float64]:
    """The middles (n, 2) of colliders of a class in the frames of their entities."""
    return np.column_stack([cls.column(name, writable=False)[rows] for name in ("offset_x", "offset_y")])


def _measures(
    cls: type[ecsphys.Component], rows: NDArray[np.int32]
) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64]]:
    """Of colliders of a class: the middle in the frame of the entity (n, 2), the turn (n,), and half sizes (n, 2)."""
    offset = _offsets(cls, rows)
    none = np.zeros(len(rows))
    if cls is CircleCollider:
        radius = cls.column("radius", writable=False)[rows]
        return offset, none, np.column_stack((radius, radius))
    if cls is FanCollider:
        radius, spread, turn = (cls.column(name, writable=False)[rows] for name in ("radius", "spread", "direction"))
        # The largest circle in a sector touches its arc and both edges.
        sine = np.sin(0.5 * np.minimum(spread, np.pi))
        inner = radius * sine / (1.0 + sine)
        away = (radius - inner)[:, None] * np.column_stack((np.cos(turn), np.sin(turn)))
        return offset + away, turn, np.column_stack((inner, inner))
    if cls is CapsuleCollider:
        length, radius, turn = (cls.column(name, writable=False)[rows] for name in ("length", "radius", "angle"))
        return offset, turn, np.column_stack((0.5 * length + _CAP_PART * radius, radius))
    half = np.column_stack([cls.column(name, writable=False)[rows] for name in ("half_width", "half_height")])
    turn = cls.column("angle", writable=False)[rows] if cls is OBBCollider else none
    return offset, turn, half
