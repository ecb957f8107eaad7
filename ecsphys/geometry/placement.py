"""Colliders and transforms, given as instances, turned into the engine's placed shapes.

The arrays for it are kept from call to call: see :class:`~ecsphys.systems.arguments.Spares`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from struct import Struct
from typing import Any, Final, NoReturn

import numpy as np
from numpy import int32

from ecsphys.components.collision.collider_blocks import LooseShapes, refuse_bad_values, shape_arrays
from ecsphys.components.collision.colliders import COLLIDER_KINDS, Collider
from ecsphys.components.collision.polygon_collider import VERTEX_POOL
from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.column import show
from ecsphys.engine.manifold.contact import CONTACT_COLUMNS, POINT_COLUMNS, ContactRows
from ecsphys.engine.shapes.layout import ShapeArrays
from ecsphys.systems.arguments import Spares


class OneShape:
    """One placed collider, and arrays for arguments and results."""

    __slots__ = (
        "ask",
        "directions",
        "distances",
        "loose",
        "nearest",
        "normals",
        "numbers",
        "points",
        "reach",
        "shapes",
    )

    _ASKED: Final = Struct("5d")

    def __init__(self) -> None:
        self.loose = LooseShapes(1)
        self.shapes = shape_arrays(self.loose.placed)
        asked, found = np.zeros(5), np.zeros(5)
        self.points, self.directions, self.reach = asked[:2].reshape(1, 2), asked[2:4].reshape(1, 2), asked[4:]
        self.ask: Callable[..., None] = partial(self._ASKED.pack_into, asked.data.cast("B"), 0)
        """Write a point, and a ray's direction and reach."""
        self.distances, self.nearest, self.normals = found[:1], found[1:3].reshape(1, 2), found[3:].reshape(1, 2)
        self.numbers = found.data
        """Distance, point and normal."""

    def place(self, collider: Collider, transform: Transform) -> ShapeArrays:
        """Place a collider by its transform.

        Raises TypeError unless they are a collider and a ``Transform``. Raises ValueError, naming component and field,
        for a value that was written through a column and is out of its bounds.
        """
        kind = COLLIDER_KINDS.get(type(collider))
        # A subclass of Transform has rows of its own.
        if kind is None or type(transform) is not Transform:
            _refuse(collider, transform, "")
        loose = self.loose
        loose.give(0, kind, collider, transform)
        if loose.place() >= 0:
            refuse_bad_values(collider, transform)
        if self.shapes.pool is not VERTEX_POOL.data:
            self.shapes = shape_arrays(loose.placed)
        return self.shapes


class TwoShapes:
    """Two placed colliders, and arrays for their contact."""

    __slots__ = ("contacts", "loose", "numbers", "order", "pair", "shapes")

    def __init__(self) -> None:
        self.loose = LooseShapes(2)
        self.shapes = shape_arrays(self.loose.placed)
        self.pair = np.zeros((1, 2), int32)
        self.order = self.pair[0].data
        """The numbers of the pair."""
        row = np.zeros((1, CONTACT_COLUMNS))
        self.contacts = ContactRows(np.zeros((1, 2), int32), row, np.zeros((0, POINT_COLUMNS)))
        self.numbers = row[0].data
        """The row of the contact."""

    def place(
        self, collider_a: Collider, transform_a: Transform, collider_b: Collider, transform_b: Transform
    ) -> ShapeArrays:
        """Place both; errors as for :meth:`OneShape.place`."""
        kind_a, kind_b = COLLIDER_KINDS.get(type(collider_a)), COLLIDER_KINDS.get(type(collider_b))
        if kind_a is None or type(transform_a) is not Transform:
            _refuse(collider_a, transform_a, "_a")
        if kind_b is None or type(transform_b) is not Transform:
            _refuse(collider_b, transform_b, "_b")
        loose = self.loose
        loose.give(0, kind_a, collider_a, transform_a)
        loose.give(1, kind_b, collider_b, transform_b)
        if loose.place() >= 0:
            refuse_bad_values(collider_a, transform_a)
            refuse_bad_values(collider_b, transform_b)
        if self.shapes.pool is not VERTEX_POOL.data:
            self.shapes = shape_arrays(loose.placed)
        return self.shapes


SINGLES = Spares(OneShape)
PAIRS = Spares(TwoShapes)


def _refuse(collider: Any, transform: Any, side: str) -> NoReturn:
    if type(collider) not in COLLIDER_KINDS:
        raise TypeError(f"collider{side} must be a collider, got {show(collider)}")
    raise TypeError(f"transform{side} must be a Transform, got {show(transform)}")
