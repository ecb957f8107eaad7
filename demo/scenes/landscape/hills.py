"""A chain of hills far behind, with mist at its foot and perhaps with firs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.demo.scenes.landscape.mesh import Mesh, tint
from ecsphys.demo.scenes.landscape.plane import Plane
from ecsphys.demo.scenes.sketch import Color

_WAVES = ((0.35, 0.31, 0.0), (0.8, 0.17, 1.3), (1.7, 0.09, 4.0))
"""Wave number, share of the height and phase of a ridge."""
_TREES_APART = 0.42
_FIR = np.array(((-0.3, 0.0), (0.3, 0.0), (0.0, 0.7), (-0.22, 0.35), (0.22, 0.35), (0.0, 1.0)))


@dataclass(frozen=True)
class Hills:
    """One chain of hills.

    ``share`` says how far it goes along with the world, ``base`` and ``height`` are in units of its plane from the
    horizon, ``lift`` moves the ridge, ``sharp`` makes peaks of its tops. ``phase`` is by lot.
    """

    share: float
    base: float
    height: float
    lift: float
    waves: float
    sharp: float
    top: Color
    foot: Color
    step: float
    phase: float
    depth: float
    """How far below its base it goes on, until something nearer covers it."""
    has_trees: bool = False
    is_nearest: bool = False
    """Whether nothing covers the area below: it goes on to the picture's edge."""

    def paint(self, mesh: Mesh, plane: Plane, pixel: float) -> None:
        """Paint it into its plane; ``pixel`` is a pixel's side in the world."""
        x = plane.columns(self.step)
        y = self.base + self.height * self.ridge(x)
        ridge, foot = plane.line(x, y), self.base - self.depth
        if self.has_trees:
            self._paint_trees(mesh, plane)
        edge = ridge.copy()
        edge[:, 1] += 1.2 * pixel
        mesh.band(edge, ridge, tint(self.top, 0.0), tint(self.top))
        # Mist lies at the foot: the lower a point, the more of its colour.
        shade = np.clip((y - foot) / (self.height + self.depth), 0.0, 1.0)[:, None]
        tints = np.ones((len(x), 4))
        tints[:, :3] = np.array(self.foot) + shade * (np.array(self.top) - np.array(self.foot))
        mesh.band(ridge, plane.line(x, foot), tints, tint(self.foot))
        if self.is_nearest and plane.bottom < foot:
            mesh.band(plane.level(foot), plane.level(plane.bottom), tint(self.foot), tint(self.top))

    def ridge(self, x: NDArray[float64]) -> NDArray[float64]:
        """The height at places of its plane, from 0, the base, to about 1."""
        along = x + self.phase
        height = np.full_like(x, self.lift)
        for wave, share, phase in _WAVES:
            height += 1.4 * share * np.sin(wave * self.waves * along + phase)
        height += self.sharp * (1.0 - 2.0 * np.abs((0.31 * along) % 1.0 - 0.5)) ** 3
        return np.maximum(height, 0.0)

    def _paint_trees(self, mesh: Mesh, plane: Plane) -> None:
        """Firs in woods, with clearings between them."""
        number = np.arange(math.floor(plane.left / _TREES_APART) - 1, math.ceil(plane.right / _TREES_APART) + 2)
        lot = np.modf(np.abs(np.sin(number * 12.9898) * 43758.5453))[0]
        x = (number + 0.7 * lot) * _TREES_APART
        stands = np.sin(0.31 * x + self.phase) + 0.5 * np.sin(1.3 * x) > -0.15
        x, lot = x[stands], lot[stands]
        feet = np.column_stack((x, self.base + self.height * self.ridge(x) - 0.12))
        corners = feet[:, None] + (0.55 + 0.65 * lot)[:, None, None] * _FIR
        mesh.triangles(plane.to_world(corners.reshape(-1, 2)), tint(self.top))
