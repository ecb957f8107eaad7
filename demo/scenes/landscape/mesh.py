"""Triangles that are collected during a picture and drawn in one call."""

from __future__ import annotations

import math

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.demo.scenes.sketch import Color, Points, Sketch

Tint = tuple[float, float, float, float]
Tints = Tint | NDArray[float64]

_SIDES = 40
_TURNS = np.linspace(0.0, math.tau, _SIDES + 1)
_CIRCLE = np.column_stack((np.cos(_TURNS), np.sin(_TURNS)))
_PUFF_SIDES = 8
_PUFF = _CIRCLE[:: _SIDES // _PUFF_SIDES]


def tint(color: Color, alpha: float = 1.0) -> Tint:
    """A colour with an alpha."""
    return (*color, alpha)


class Mesh:
    """Triangles in the order of the calls. Points are (n, 2) in the world, tints one for all or (n, 4)."""

    def __init__(self) -> None:
        self._points: list[Points] = []
        self._tints: list[NDArray[float64]] = []

    def triangles(self, points: Points, tints: Tints) -> None:
        """Three points each."""
        self._points.append(points)
        self._tints.append(np.broadcast_to(np.asarray(tints), (len(points), 4)))

    def band(self, first: Points, second: Points, tints: Tints, others: Tints) -> None:
        """The area between two lines of n points, from ``tints`` at the first to ``others`` at the second."""
        if len(first) > 1:
            a, b = (np.broadcast_to(np.asarray(each), (len(first), 4)) for each in (tints, others))
            self.triangles(strip(first, second), strip(a, b))

    def band_down(self, line: Points, depth: float | NDArray[float64], tints: Tints, others: Tints) -> None:
        """The area below a line, ``depth`` units deep."""
        foot = line.copy()
        foot[:, 1] -= depth
        self.band(line, foot, tints, others)

    def grid(self, points: NDArray[float64], tints: NDArray[float64]) -> None:
        """The area of a grid of points (m, n, 2), each with its tint (m, n, 4)."""
        self._points.append(_grid_corners(points))
        self._tints.append(_grid_corners(tints))

    def glow(self, x: float, y: float, radius: float, middle: Tint, border: Tint) -> None:
        """A disc whose colour changes from its middle to its border."""
        rim = (x, y) + radius * _CIRCLE
        self.band(np.broadcast_to((x, y), rim.shape), rim, middle, border)

    def puffs(self, centers: Points, radii: NDArray[float64], tints: NDArray[float64]) -> None:
        """Soft discs (n,), which fade out towards their borders."""
        corners = np.empty((len(centers), _PUFF_SIDES, 3, 2))
        corners[:, :, 0] = 0.0
        corners[:, :, 1], corners[:, :, 2] = _PUFF[:-1], _PUFF[1:]
        corners = centers[:, None, None] + radii[:, None, None, None] * corners
        each = np.repeat(tints, 3 * _PUFF_SIDES, axis=0).reshape(len(centers), -1, 3, 4)
        each[:, :, 1:, 3] = 0.0
        self.triangles(corners.reshape(-1, 2), each.reshape(-1, 4))

    def draw(self, sketch: Sketch) -> None:
        """Draw everything, and be empty again."""
        if self._points:
            sketch.triangles(np.concatenate(self._points), np.concatenate(self._tints))
            self._points.clear()
            self._tints.clear()


def strip(first: NDArray[float64], second: NDArray[float64]) -> NDArray[float64]:
    """The corners (6(n − 1), k) of the triangles between two rows (n, k)."""
    return _grid_corners(np.stack((first, second)))


def _grid_corners(rows: NDArray[float64]) -> NDArray[float64]:
    """The corners (6(m − 1)(n − 1), k) of the triangles of a grid (m, n, k)."""
    a, b, c, d = rows[:-1, :-1], rows[1:, :-1], rows[:-1, 1:], rows[1:, 1:]
    corners: NDArray[float64] = np.stack((a, b, c, c, b, d), axis=2)
    return corners.reshape(-1, rows.shape[2])
