"""The ground of the yard: hills at both sides, and a gorge in the plain between them."""

from __future__ import annotations

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys import ChainCollider, RigidBody, Transform
from ecsphys.demo.scenes.rigid.tint import STONE, put
from ecsphys.demo.scenes.scene import Box

ARENA: Box = (-9.0, -6.0, 61.0, 26.0)
"""The whole yard."""
GORGE = (13.5, 24.5)
"""The two edges that the bridge hangs between, both at the height 0."""
WATER = -3.6
"""The height of the water in the gorge; it does not carry anything."""
FLOOR = -7.9
_FRICTION = 0.8
_WALLS, _WALL_TOP = (-15.0, 68.0), 80.0
"""Nothing rolls further; both are outside of the picture."""

_LEFT = (
    (-20.0, 9.6),
    (-13.0, 9.0),
    (-11.0, 7.7),
    (-9.4, 5.2),
    (-8.3, 3.3),
    (-7.4, 2.4),
    (-6.2, 2.0),
    (1.4, 2.0),
    (2.6, 1.75),
    (3.6, 1.2),
    (4.6, 0.55),
    (5.6, 0.12),
    (6.6, 0.0),
    (GORGE[0], 0.0),
)
_MIDDLE = ((GORGE[0], FLOOR), (GORGE[1], FLOOR))
_RIGHT = (
    (GORGE[1], 0.0),
    (47.4, 0.0),
    (48.6, 0.2),
    (50.0, 1.0),
    (51.5, 2.4),
    (52.8, 3.5),
    (54.0, 4.1),
    (55.2, 4.3),
    (60.5, 4.3),
    (62.0, 5.0),
    (63.6, 7.2),
    (65.5, 8.8),
    (72.0, 9.4),
)

LINES: tuple[NDArray[float64], ...] = tuple(np.array(line) for line in (_LEFT, _MIDDLE, _RIGHT))
"""The surface before, in and after the gorge: each line (n, 2) from left to right."""


def height_at(x: float) -> float:
    """The height of the ground at x."""
    line = LINES[0 if x <= GORGE[0] else 1 if x < GORGE[1] else 2]
    return float(np.interp(x, line[:, 0], line[:, 1]))


def put_ground() -> int:
    """Create the ground, with a wall at each end, as one chain."""
    left, right = _WALLS
    points = np.concatenate(LINES)
    inside = points[(points[:, 0] > left) & (points[:, 0] < right)]
    ends = [np.array(((x, _WALL_TOP), (x, height_at(x)))) for x in _WALLS]
    chain = ChainCollider(np.concatenate((ends[0], inside, ends[1][::-1])), side="left")
    return put(STONE, Transform(), chain, RigidBody("static", friction=_FRICTION))
