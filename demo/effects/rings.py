"""Rings of light that spread: from blasts, and from joints that break."""

from __future__ import annotations

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.demo.scenes.sketch import Color, Sketch

SECONDS = 0.35
_MOST = 40
_WIDTH = 3.0
"""Of a new ring, in pixels of a picture 720 pixels high."""
_USUAL_HEIGHT = 720.0
_LIGHT: Color = (1.0, 0.945, 0.788)


class Rings:
    """The rings that can still be seen."""

    def __init__(self) -> None:
        self._rings: NDArray[float64] = np.zeros((0, 4))

    def __len__(self) -> int:
        return len(self._rings)

    def add(self, x: float, y: float, reach: float) -> None:
        """A ring that spreads from (x, y) as far as ``reach``."""
        self._rings = np.concatenate((self._rings, [[x, y, reach, 0.0]]))[-_MOST:]

    def clear(self) -> None:
        """Remove all."""
        self._rings = self._rings[:0]

    def step(self, dt: float) -> None:
        """Spread all rings for ``dt`` seconds."""
        if len(self._rings):
            self._rings = self._rings + np.array((0.0, 0.0, 0.0, dt / SECONDS))
            self._rings = self._rings[self._rings[:, 3] < 1.0]

    def paint(self, sketch: Sketch) -> None:
        """Draw all, with a faint disc in each."""
        if not len(self._rings):
            return
        _, low, _, high = sketch.view
        width = _WIDTH * max((high - low) / sketch.pixel / _USUAL_HEIGHT, 0.5)
        age = self._rings[:, 3]
        radius = self._rings[:, 2] * np.sqrt(age)
        sketch.circles(self._rings[:, :2], radius, _LIGHT, 0.16 * (1.0 - age))
        sketch.circles(self._rings[:, :2], radius, _LIGHT, 0.9 * (1.0 - age) ** 1.5, line=width)
