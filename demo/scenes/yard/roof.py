"""The roof of the house: its outline, and its tiles."""

from __future__ import annotations

import math

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys import Transform
from ecsphys.demo.scenes.rigid.tint import hue
from ecsphys.demo.scenes.sketch import Color, Sketch, polyline

OUTLINE = ((-4.1, 0.0), (4.1, 0.0), (0.5, 2.6), (-0.5, 2.6))
"""About the middle of its lower edge."""
COLOR = hue(0x9C4256)
_DARK: Color = (0.72 * COLOR[0], 0.72 * COLOR[1], 0.72 * COLOR[2])
_ROWS, _TILE = 4, 0.8
_WIDTH, _EDGE = 0.07, 0.1
"""Of lines in units."""


def _tiles() -> NDArray[float64]:
    """Both ends (n, 2, 2) of the lines between tiles, each row shifted by half a tile."""
    corners, part = np.array(OUTLINE), np.linspace(0.0, 1.0, _ROWS + 1)[:, None]
    left, right = (corners[low] + part * (corners[high] - corners[low]) for low, high in ((0, 3), (1, 2)))
    lines = [np.stack((left[1:-1], right[1:-1]), axis=1)]
    for row in range(_ROWS):
        count = round((right[row, 0] - left[row, 0]) / _TILE)
        along = ((np.arange(count) + 0.5 * (1 + row % 2)) / (count + 0.5))[:, None]
        ends = [left[k] + along * (right[k] - left[k]) for k in (row, row + 1)]
        lines.append(np.stack(ends, axis=1))
    return np.concatenate(lines)


_LINES = _tiles()


def paint_roof(sketch: Sketch, place: Transform) -> None:
    """Paint the lines over the roof's collider."""
    cos, sin = math.cos(place.angle), math.sin(place.angle)
    turn, middle = np.array(((cos, sin), (-sin, cos))), (place.x, place.y)
    lines = _LINES @ turn + middle
    sketch.strokes(lines[:, 0], lines[:, 1], _WIDTH / sketch.pixel, _DARK)
    polyline(sketch, np.array(OUTLINE) @ turn + middle, _EDGE / sketch.pixel, _DARK, closed=True)
