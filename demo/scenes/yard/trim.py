"""Lines on bodies that make them things: edges lit from above, grain on planks, boards on crates, tiles on a roof."""

from __future__ import annotations

import math

import numpy as np
from numpy import float64
from numpy.typing import NDArray

import ecsphys
from ecsphys import OBBCollider, Transform
from ecsphys.demo.scenes.cached_join import CachedJoin
from ecsphys.demo.scenes.rigid.tint import Tint, hue
from ecsphys.demo.scenes.sketch import Sketch, polyline

ROOF = ((-4.1, 0.0), (4.1, 0.0), (0.5, 2.6), (-0.5, 2.6))
"""The outline of the roof, about the middle of its lower edge."""
ROOF_COLOR = hue(0x9C4256)
BRICK, GRAIN, BOARDS = range(3)
"""What a box looks like."""
_EDGES = ((-1, -1, 1, -1), (1, -1, 1, 1), (1, 1, -1, 1), (-1, 1, -1, -1))
# Ends (x, y, x, y) of lines in a box from −1 to 1 whose longer side lies along x.
_LINES: dict[int, NDArray[float64]] = {
    BRICK: np.zeros((0, 4)),
    GRAIN: np.array(((-0.94, 0.3, 0.5, 0.3), (-0.6, -0.35, 0.94, -0.35))),
    BOARDS: np.array(((-0.62, -0.62, 0.62, 0.62), (-0.62, -0.62, 0.62, -0.62), (-0.62, 0.62, 0.62, 0.62))),
}
_EDGE, _LINE = 0.1, 0.07
"""Widths in units."""
_ROOF_ROWS, _TILE = 4, 0.8
_LIGHT = np.array((0.35, 0.94))
_DARK, _BRIGHT = 0.62, 0.75
"""The brightness of an edge away from the light, and what it gains towards it."""
_FINEST = 1.0
"""Lines narrower than so many pixels are left out."""


class Trim(ecsphys.Component):
    """What a box looks like, one of the kinds above."""

    kind: int


class TrimPainter:
    """Paints the lines of all boxes in the current world."""

    def __init__(self) -> None:
        self._boxes = CachedJoin(Trim, OBBCollider, Transform, Tint)

    def paint(self, sketch: Sketch) -> None:
        """Lines first, edges after them."""
        _, trims, boxes, places, tints = self._boxes()
        half = np.column_stack([OBBCollider.column(name, writable=False)[boxes] for name in ("half_width", "half_height")])
        middle = np.column_stack([Transform.column(name, writable=False)[places] for name in ("x", "y")])
        color = np.column_stack([Tint.column(name, writable=False)[tints] for name in ("red", "green", "blue")])
        angle = Transform.column("angle", writable=False)[places]
        kinds = Trim.column("kind", writable=False)[trims]
        across = np.column_stack((np.cos(angle), np.sin(angle)))
        up = np.column_stack((-across[:, 1], across[:, 0]))
        if sketch.pixel * _FINEST < _LINE:
            tall = (half[:, 1] > half[:, 0])[:, None]
            x_axis = np.where(tall, up * half[:, 1:], across * half[:, :1])
            y_axis = np.where(tall, -across * half[:, :1], up * half[:, 1:])
            for kind, lines in _LINES.items():
                those = kinds == kind
                _strokes(sketch, lines, middle[those], x_axis[those], y_axis[those], 0.72 * color[those], _LINE)
        inset = 0.5 * _EDGE
        x_axis, y_axis = across * (half[:, :1] - inset), up * (half[:, 1:] - inset)
        lit = np.maximum(across @ _LIGHT, 0.0), np.maximum(up @ _LIGHT, 0.0)
        shades = [np.maximum(-up @ _LIGHT, 0.0), lit[0], lit[1], np.maximum(-across @ _LIGHT, 0.0)]
        for edge, shade in zip(_EDGES, shades, strict=True):
            bright = np.minimum(color * (_DARK + _BRIGHT * shade)[:, None], 1.0)
            _strokes(sketch, np.array((edge,)), middle, x_axis, y_axis, bright, _EDGE)


def paint_roof(sketch: Sketch, place: Transform) -> None:
    """Rows of tiles, and the outline."""
    cos, sin = math.cos(place.angle), math.sin(place.angle)
    to_world = np.array(((cos, sin), (-sin, cos)))
    corners = np.array(ROOF)
    rows = np.linspace(0.0, 1.0, _ROOF_ROWS + 1)[:, None]
    left, right = (corners[low] + rows * (corners[high] - corners[low]) for low, high in ((0, 3), (1, 2)))
    starts, ends = left[1:-1], right[1:-1]
    for row in range(_ROOF_ROWS):
        count = round((right[row, 0] - left[row, 0]) / _TILE)
        part = ((np.arange(count) + 0.5 * (1 + row % 2)) / (count + 0.5))[:, None]
        starts = np.vstack((starts, left[row] + part * (right[row] - left[row])))
        ends = np.vstack((ends, left[row + 1] + part * (right[row + 1] - left[row + 1])))
    middle = (place.x, place.y)
    dark = (0.72 * ROOF_COLOR[0], 0.72 * ROOF_COLOR[1], 0.72 * ROOF_COLOR[2])
    sketch.strokes(starts @ to_world + middle, ends @ to_world + middle, _LINE / sketch.pixel, dark)
    polyline(sketch, corners @ to_world + middle, _EDGE / sketch.pixel, dark, closed=True)


def _strokes(
    sketch: Sketch,
    lines: NDArray[float64],
    middle: NDArray[float64],
    x_axis: NDArray[float64],
    y_axis: NDArray[float64],
    color: NDArray[float64],
    width: float,
) -> None:
    """Each line in each box."""
    starts, ends = (
        (middle[:, None] + lines[:, k, None] * x_axis[:, None] + lines[:, k + 1, None] * y_axis[:, None]).reshape(-1, 2)
        for k in (0, 2)
    )
    sketch.strokes(starts, ends, width / sketch.pixel, np.repeat(color, len(lines), axis=0))
