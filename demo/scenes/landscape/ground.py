"""Dark ground with a lit edge of grass, painted below lines."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.demo.scenes.landscape import dusk
from ecsphys.demo.scenes.landscape.mesh import Mesh, Tint, tint
from ecsphys.demo.scenes.scene import Box
from ecsphys.demo.scenes.sketch import Points, Sketch

_FADE = 7.0
"""The depth to which the earth gets darker."""
_TURF, _SHINE = 0.16, 1.1
_BLADES_PER_UNIT, _STONES_PER_UNIT = 3.0, 0.35
_FINEST_PIXEL = 0.055
"""Grass is drawn up to so many units a pixel: beyond it is smaller than a pixel."""


class Ground:
    """Paints the ground below lines, each an array (n, 2) of points from left to right.

    Where a line ends the ground ends too, with a vertical wall.
    """

    def __init__(self, lines: Sequence[Points], seed: int = 0) -> None:
        self._mesh = Mesh()
        self._lines = lines
        rng = np.random.default_rng(seed)
        self._grass = [_Pieces.grass(line, rng) for line in lines]
        self._stones = [_Pieces.stones(line, rng) for line in lines]

    def paint(self, sketch: Sketch) -> None:
        """Paint the part that the picture shows."""
        view, pixel = sketch.view, sketch.pixel
        for line, grass, stones in zip(self._lines, self._grass, self._stones, strict=True):
            first = max(int(np.searchsorted(line[:, 0], view[0])) - 1, 0)
            last = int(np.searchsorted(line[:, 0], view[2])) + 1
            if last - first > 1 and line[first, 0] < view[2]:
                self._paint_line(line[first:last], view, pixel)
                self._mesh.triangles(*stones.between(view[0], view[2]))
                if pixel < _FINEST_PIXEL:
                    self._mesh.triangles(*grass.between(view[0], view[2]))
        self._mesh.draw(sketch)

    def _paint_line(self, line: Points, view: Box, pixel: float) -> None:
        mesh = self._mesh
        top, deep = tint(dusk.EARTH_TOP), tint(dusk.EARTH_DEEP)
        mesh.band_down(line, _FADE, top, deep)
        lowest = float(line[:, 1].min()) - _FADE
        if float(line[:, 1].max()) - _FADE > view[1]:
            foot = line.copy()
            foot[:, 1] -= _FADE
            bottom = foot.copy()
            bottom[:, 1] = min(view[1], lowest)
            mesh.band(foot, bottom, deep, deep)
        mesh.band_down(line, _SHINE, tint(dusk.GRASS, 0.45), tint(dusk.GRASS, 0.0))
        mesh.band_down(line, _TURF, tint(dusk.GRASS_LIGHT), tint(dusk.GRASS))
        edge = line.copy()
        edge[:, 1] += 1.2 * pixel
        mesh.band(edge, line, tint(dusk.GRASS_LIGHT, 0.0), tint(dusk.GRASS_LIGHT))


class _Pieces:
    """Small triangles along a line, ordered from left to right: those in a picture are one run of them."""

    def __init__(self, x: NDArray[float64], corners: NDArray[float64], tints: NDArray[float64]) -> None:
        """Of n pieces: places (n,) in order, corners (n, k, 2), k a multiple of 3, and tints (n, k, 4)."""
        self._x = x
        self._corners = corners
        self._tints = tints

    def between(self, left: float, right: float) -> tuple[Points, NDArray[float64]]:
        """Points and tints of the pieces there."""
        run = slice(*np.searchsorted(self._x, (left - 1.0, right + 1.0)))
        return self._corners[run].reshape(-1, 2), self._tints[run].reshape(-1, 4)

    @classmethod
    def grass(cls, line: Points, rng: np.random.Generator) -> _Pieces:
        """Blades in tufts; their feet lie in the turf."""
        x, y = _places(line, _BLADES_PER_UNIT, rng)
        thick = np.sin(0.9 * x) + np.sin(2.3 * x + 1.0) > -0.2
        x, y = x[thick], y[thick]
        tall, lean = rng.uniform(0.12, 0.42, len(x)), rng.uniform(-0.14, 0.14, len(x))
        corners = np.empty((len(x), 3, 2))
        corners[..., 0] = x[:, None] + np.column_stack((np.full(len(x), -0.04), np.full(len(x), 0.04), lean))
        corners[..., 1] = y[:, None] + np.column_stack((np.full(len(x), -0.05), np.full(len(x), -0.05), tall))
        ends = (tint(dusk.GRASS), tint(dusk.GRASS), tint(dusk.GRASS_LIGHT, 0.8))
        return cls(x, corners, np.broadcast_to(np.array(ends), (len(x), 3, 4)))

    @classmethod
    def stones(cls, line: Points, rng: np.random.Generator) -> _Pieces:
        """Stones in the earth."""
        x, y = _places(line, _STONES_PER_UNIT, rng)
        y = y - rng.uniform(0.9, 5.5, len(x))
        half = rng.uniform((0.12, 0.1), (0.5, 0.26), (len(x), 2))
        square = np.array(((-1.0, -0.8), (0.9, -1.0), (-0.8, 1.0), (-0.8, 1.0), (0.9, -1.0), (1.0, 0.8)))
        corners = np.stack((x, y), axis=1)[:, None] + half[:, None] * square
        tints: Tint = tint(dusk.STONE, 0.45)
        return cls(x, corners, np.broadcast_to(np.array(tints), (len(x), 6, 4)))


def _places(line: Points, per_unit: float, rng: np.random.Generator) -> tuple[NDArray[float64], NDArray[float64]]:
    """Places by lot on a line, in order."""
    left, right = line[0, 0], line[-1, 0]
    x = np.sort(rng.uniform(left, right, max(int((right - left) * per_unit), 1)))
    return x, np.interp(x, line[:, 0], line[:, 1])
