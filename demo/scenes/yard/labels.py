"""Numbers of points that rise from what fell: digits of strokes, drawn in two calls for all of them."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.demo.scenes.landscape import dusk
from ecsphys.demo.scenes.sketch import Sketch
from ecsphys.demo.scenes.yard.tally import CHAIN_POINTS, Tally

_RISE = 2.6
_SMALL, _LARGE = 0.95, 1.35
"""Heights of digits, in units."""
_LEAST_PIXELS = 15.0
_ADVANCE, _WIDTH = 0.82, 0.56
_ARC = 17

# Each sign: lines of points in a box from (0, 0) to (1, 1). An arc is (x, y, half width, half height, start, end) with
# the angles in quarter turns.
_Arc = tuple[float, float, float, float, float, float]
_Part = _Arc | tuple[tuple[float, float], ...]
_SIGNS: dict[str, tuple[_Part, ...]] = {
    "+": (((0.1, 0.45), (0.9, 0.45)), ((0.5, 0.22), (0.5, 0.68))),
    "0": ((0.5, 0.5, 0.5, 0.5, 0.0, 4.0),),
    "1": (((0.2, 0.78), (0.6, 1.0), (0.6, 0.0)),),
    "2": ((0.5, 0.72, 0.48, 0.28, 2.0, -0.6), ((0.9, 0.58), (0.0, 0.0), (1.0, 0.0))),
    "3": ((0.45, 0.75, 0.45, 0.25, 1.6, -1.0), (0.45, 0.26, 0.5, 0.26, 1.0, -1.7)),
    "4": (((0.75, 0.0), (0.75, 1.0), (0.0, 0.3), (1.0, 0.3)),),
    "5": (((0.9, 1.0), (0.15, 1.0), (0.08, 0.55)), (0.45, 0.31, 0.52, 0.31, 1.5, -1.6)),
    "6": (((0.7, 1.0), (0.08, 0.45)), (0.5, 0.31, 0.48, 0.31, 0.0, 4.0)),
    "7": (((0.0, 1.0), (1.0, 1.0), (0.35, 0.0)),),
    "8": ((0.5, 0.75, 0.4, 0.25, 0.0, 4.0), (0.5, 0.26, 0.5, 0.26, 0.0, 4.0)),
    "9": (((0.3, 0.0), (0.92, 0.55)), (0.5, 0.69, 0.48, 0.31, 0.0, 4.0)),
}


def paint_labels(sketch: Sketch, tally: Tally) -> None:
    """All labels: a dark edge first, the digits after it; chains are larger."""
    pieces: list[NDArray[float64]] = []
    alphas: list[NDArray[float64]] = []
    heights: list[NDArray[float64]] = []
    for x, y, points, age in tally.labels:
        height = max(_LARGE if points >= CHAIN_POINTS else _SMALL, _LEAST_PIXELS * sketch.pixel)
        lines = _text(f"+{points}")
        middle = np.array((x, y + 1.0 + _RISE * (1.0 - (1.0 - age) ** 2)))
        pieces.append(middle + height * lines)
        alphas.append(np.full(len(lines), min(1.0, 3.0 * (1.0 - age))))
        heights.append(np.full(len(lines), height))
    if not pieces:
        return
    ends, alpha = np.concatenate(pieces), np.concatenate(alphas)
    width = 0.15 * np.concatenate(heights) / sketch.pixel
    sketch.strokes(ends[:, 0], ends[:, 1], width + 4.0, dusk.INK, 0.85 * alpha)
    sketch.strokes(ends[:, 0], ends[:, 1], width, dusk.LAMP, alpha)


@cache
def _text(text: str) -> NDArray[float64]:
    """Both ends (n, 2, 2) of all strokes, about the middle, one unit high."""
    strokes = []
    for place, sign in enumerate(text):
        shift = np.array((place * _ADVANCE, 0.0))
        for part in _SIGNS[sign]:
            points = shift + _points(part) * (_WIDTH, 1.0)
            strokes.append(np.stack((points[:-1], points[1:]), axis=1))
    middle = np.array((0.5 * ((len(text) - 1) * _ADVANCE + _WIDTH), 0.5))
    lines: NDArray[float64] = np.concatenate(strokes) - middle
    return lines


def _points(part: _Part) -> NDArray[float64]:
    if isinstance(part[0], tuple):
        return np.array(part, float64)
    x, y, half_width, half_height, start, end = np.array(part, float64)
    turns = 0.5 * np.pi * np.linspace(start, end, _ARC)
    return np.column_stack((x + half_width * np.cos(turns), y + half_height * np.sin(turns)))
