"""The lines and dots of each kind of pattern, in the frame of a body.

Coordinates are from −1 to 1 over the body's half sizes, widths and radii in parts of its smaller half size. A shade is
how much darker (to −1: black) or brighter (to 1: white) a detail is than its body.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.demo.scenes.patterns.pattern import BRICK, CRATE, DOMINO, METAL, ROCK, RUBBER, WOOD

LENGTHWISE = (WOOD, DOMINO)
"""Kinds whose x axis is the longer side of a body, whichever that is."""

Line = tuple[float, float, float, float, float, float, float]
Dot = tuple[float, float, float, float, float]


class Details(NamedTuple):
    """``lines`` (m, 7): x and y of both ends, width, shade, alpha. ``dots`` (k, 5): x, y, radius, shade, alpha.

    ``glints`` are dots that do not turn with the body: light from above. ``fill`` is the alpha of the inside. Small
    bodies have only the first ``coarse`` lines, and no dots.
    """

    lines: NDArray[float64]
    dots: NDArray[float64]
    glints: NDArray[float64]
    fill: float
    coarse: int


def _details(lines: list[Line], dots: list[Dot], glints: list[Dot], fill: float, coarse: int) -> Details:
    tables = np.array(lines).reshape(-1, 7), np.array(dots).reshape(-1, 5), np.array(glints).reshape(-1, 5)
    return Details(*tables, fill, coarse)


def _frame(inset: float, width: float, shade: float, alpha: float) -> list[Line]:
    """A rectangle of lines within the edges."""
    a, b = -inset, inset
    corners = ((a, a), (b, a), (b, b), (a, b))
    return [(*corners[n], *corners[(n + 1) % 4], width, shade, alpha) for n in range(4)]


_DARK, _BRIGHT = -0.62, 0.42

DETAILS = {
    WOOD: _details(
        [
            (-0.86, 0.42, 0.25, 0.34, 0.10, _DARK, 0.75),
            (0.45, 0.42, 0.88, 0.46, 0.10, _DARK, 0.65),
            (-0.55, -0.02, 0.62, 0.04, 0.10, _DARK, 0.55),
            (-0.88, -0.46, -0.30, -0.40, 0.10, _DARK, 0.7),
            (-0.10, -0.44, 0.84, -0.40, 0.10, _DARK, 0.6),
        ],
        [(-0.92, 0.0, 0.13, _DARK, 0.9), (0.92, 0.0, 0.13, _DARK, 0.9)],
        [],
        0.66,
        2,
    ),
    CRATE: _details(
        [
            (-0.70, -0.70, 0.70, 0.70, 0.20, -0.5, 0.85),
            (-0.70, 0.70, 0.70, -0.70, 0.20, -0.5, 0.85),
            *_frame(0.80, 0.17, -0.5, 0.85),
        ],
        [(x, y, 0.06, 0.5, 0.8) for x in (-0.8, 0.8) for y in (-0.8, 0.8)],
        [],
        0.6,
        2,
    ),
    BRICK: _details(
        [
            (-0.96, 0.33, 0.96, 0.33, 0.08, _DARK, 0.8),
            (-0.96, -0.33, 0.96, -0.33, 0.08, _DARK, 0.8),
            (0.05, 0.36, 0.05, 0.94, 0.08, _DARK, 0.8),
            (-0.48, -0.30, -0.48, 0.30, 0.08, _DARK, 0.8),
            (0.52, -0.30, 0.52, 0.30, 0.08, _DARK, 0.8),
            (0.05, -0.94, 0.05, -0.36, 0.08, _DARK, 0.8),
        ],
        [],
        [],
        0.62,
        4,
    ),
    ROCK: _details(
        [(-0.15, 0.62, 0.12, 0.22, 0.07, _DARK, 0.7), (0.12, 0.22, -0.02, -0.10, 0.07, _DARK, 0.6)],
        [
            (-0.50, 0.20, 0.13, _DARK, 0.6),
            (0.46, 0.42, 0.09, _BRIGHT, 0.5),
            (0.50, -0.24, 0.15, _DARK, 0.55),
            (-0.30, -0.48, 0.10, _BRIGHT, 0.45),
            (0.14, -0.60, 0.08, _DARK, 0.6),
        ],
        [],
        0.6,
        2,
    ),
    METAL: _details(
        [(0.20, 0.0, 0.82, 0.0, 0.12, _BRIGHT, 0.75)],
        [
            (0.0, 0.0, 0.20, _BRIGHT, 0.7),
            *((x, y, 0.09, _DARK, 0.8) for x, y in ((-0.66, 0.0), (0.0, 0.66), (0.0, -0.66))),
        ],
        [(-0.34, 0.40, 0.30, 0.75, 0.22), (-0.38, 0.45, 0.16, 0.95, 0.5)],
        0.62,
        1,
    ),
    RUBBER: _details(
        [(-0.06, -0.88, -0.06, 0.88, 0.20, 0.65, 0.8), (0.24, -0.82, 0.24, 0.82, 0.07, 0.65, 0.7)],
        [],
        [(-0.36, 0.42, 0.15, 0.85, 0.4)],
        0.6,
        1,
    ),
    DOMINO: _details(
        [(0.0, -0.7, 0.0, 0.7, 0.22, 0.8, 0.75)],
        [(x, 0.0, 0.30, 0.8, 0.9) for x in (-0.78, -0.5, -0.22, 0.36, 0.64)],
        [],
        0.62,
        1,
    ),
}
"""Of every kind but faces."""

FACE_FILL = 0.55
