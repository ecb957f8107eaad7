"""The ground of the yard: three lines with a gorge between them, and the static bodies below the lines."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys import AABBCollider, PolygonCollider, RigidBody, Solid, Transform
from ecsphys.demo.scenes.rigid.tint import STONE, put
from ecsphys.demo.scenes.scene import Box

ARENA: Box = (-12.0, -7.0, 66.0, 33.0)
"""The whole yard."""
GORGE = (15.0, 27.0)
"""The two edges that the bridge hangs between, both at the height 0."""
WATER = -4.0
"""The height of the water in the gorge; it does not carry anything."""
_FLOOR = -6.2
_BOTTOM = -14.0
_FRICTION = 0.8
_WALLS = (-16.0, 72.0)
"""Nothing rolls further; both are outside of the picture."""

_LEFT = (
    (-20.0, 9.4),
    (-15.0, 9.0),
    (-13.0, 7.6),
    (-11.4, 5.0),
    (-10.0, 3.2),
    (-8.4, 2.3),
    (-6.5, 2.0),
    (1.2, 2.0),
    (2.8, 1.6),
    (4.4, 0.7),
    (6.0, 0.15),
    (7.4, 0.0),
    (GORGE[0], 0.0),
)
_MIDDLE = ((GORGE[0], _FLOOR), (GORGE[1], _FLOOR))
_RIGHT = (
    (GORGE[1], 0.0),
    (50.2, 0.0),
    (52.0, 0.35),
    (54.0, 1.5),
    (56.0, 3.2),
    (57.6, 4.2),
    (59.2, 4.5),
    (66.0, 4.5),
    (68.0, 5.2),
    (70.0, 8.0),
    (76.0, 9.0),
)

LINES: tuple[NDArray[float64], ...] = tuple(np.array(line) for line in (_LEFT, _MIDDLE, _RIGHT))
"""The surface: each line (n, 2) from left to right."""


def height_at(x: float) -> float:
    """The height of the ground at x."""
    line = LINES[0 if x <= GORGE[0] else 1 if x < GORGE[1] else 2]
    return float(np.interp(x, line[:, 0], line[:, 1]))


def put_ground() -> tuple[int, int]:
    """Create the ground and the walls; returns the bodies at the left and the right edge of the gorge."""
    pieces = [[_piece(*ends) for ends in pairwise(line.tolist())] for line in LINES]
    for x in _WALLS:
        put(STONE, Transform(x, 30.0), AABBCollider(1.0, 60.0), Solid())
    return pieces[0][-1], pieces[-1][0]


def _piece(start: tuple[float, float], end: tuple[float, float]) -> int:
    (left, low), (right, high) = start, end
    outline = [(left, _BOTTOM), (right, _BOTTOM), (right, high), (left, low)]
    return put(STONE, Transform(), PolygonCollider(outline), RigidBody("static", friction=_FRICTION))
