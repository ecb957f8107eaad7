"""The sea up to the horizon, and the sun's light on it."""

from __future__ import annotations

import numpy as np

from ecsphys.demo.scenes.landscape import dusk
from ecsphys.demo.scenes.landscape.mesh import Mesh, tint
from ecsphys.demo.scenes.landscape.plane import Plane
from ecsphys.demo.scenes.landscape.sky import SUN_X

DEPTH = 3.0
"""How far below the horizon its shore is, in the picture."""
_GLINTS = 26
_DASH = np.array(((-1.0, 0.0), (0.0, -1.0), (0.0, 1.0), (0.0, 1.0), (0.0, -1.0), (1.0, 0.0)))


class Sea:
    """Paints the sea; the glints are placed by lot, once."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._lots = rng.uniform(-1.0, 1.0, (_GLINTS, 2))
        self._depths = np.linspace(0.02, 1.0, _GLINTS) ** 1.4
        self._tints = np.empty((_GLINTS, 6, 4))
        self._tints[..., :3] = dusk.SUN
        self._tints[..., 3] = (0.85 - 0.75 * self._depths)[:, None]

    def paint(self, mesh: Mesh, plane: Plane, time: float) -> None:
        """Paint it into the plane of the sun."""
        mesh.band(plane.level(0.0), plane.level(-DEPTH), tint(dusk.SEA_FAR), tint(dusk.HILLS[1][1]))
        depth, lots = self._depths, self._lots
        sway = np.sin(time * (0.6 + 0.5 * np.abs(lots[:, 0])) + 9.0 * lots[:, 1])
        middle = np.column_stack((plane.plane_x + SUN_X + 0.5 * depth * (lots[:, 0] + sway), -depth * DEPTH))
        half = np.column_stack(((0.5 + 1.5 * (1.0 - depth)) * (0.75 + 0.25 * sway), 0.025 + 0.03 * depth))
        corners = middle[:, None] + half[:, None] * _DASH
        mesh.triangles(plane.to_world(corners.reshape(-1, 2)), self._tints.reshape(-1, 4))
