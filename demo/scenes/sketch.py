"""How a scene draws what is no collider, without knowing pyglet: on a sketch that the renderer provides."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy import float64
from numpy.typing import NDArray

Points = NDArray[float64]
Color = tuple[float, float, float]
Colors = Color | NDArray[float64]
Amount = NDArray[float64] | float


class Sketch(Protocol):
    """Draws in the order of the calls. Points (n, 2) are in the world, widths and lines in pixels.

    Colours are one for all or (n, 3), alphas, widths and radii one number or (n,).
    """

    @property
    def pixel(self) -> float:
        """A pixel's side in world units."""
        ...

    @property
    def view(self) -> tuple[float, float, float, float]:
        """The visible part of the world: min_x, min_y, max_x, max_y."""
        ...

    def strokes(self, starts: Points, ends: Points, width: Amount, color: Colors, alpha: Amount = 1.0) -> None:
        """Lines with round ends."""
        ...

    def circles(self, centers: Points, radius: Amount, color: Colors, alpha: Amount = 1.0, line: float = 0.0) -> None:
        """Discs, or with a ``line`` rings."""
        ...

    def boxes(
        self, boxes: NDArray[float64], color: Colors, alpha: Amount = 1.0, line: float = 0.0, fill: float = 0.0
    ) -> None:
        """Axis-aligned rectangles (n, 4) of min_x, min_y, max_x, max_y."""
        ...

    def triangles(self, points: Points, colors: NDArray[float64], across: NDArray[float64] | None = None) -> None:
        """Triangles of three points each, ``colors`` (n, 4) or (1, 4); with ``across`` (n,) from −1 to 1 as light."""
        ...


def polyline(
    sketch: Sketch, points: Points, width: float, color: Color, alpha: float = 1.0, closed: bool = False
) -> None:
    """Lines from each point to the next."""
    starts, ends = (points, np.roll(points, -1, axis=0)) if closed else (points[:-1], points[1:])
    sketch.strokes(starts, ends, width, color, alpha)


def arrow(
    sketch: Sketch, start: tuple[float, float], end: tuple[float, float], color: Color, alpha: float = 1.0
) -> None:
    """A line with a head at its end."""
    a, b = np.array([start]), np.array([end])
    along = b - a
    length = float(np.hypot(*along[0]))
    sketch.strokes(a, b, 2.0, color, alpha)
    if length > 0.0:
        forward = along / length * min(9.0 * sketch.pixel, 0.5 * length)
        side = np.column_stack((-forward[:, 1], forward[:, 0]))
        for sign in (-0.5, 0.5):
            sketch.strokes(b, b - forward + sign * side, 2.0, color, alpha)


def rectangles(boxes: NDArray[float64]) -> Points:
    """The triangles' points (6n, 2) that fill rectangles (n, 4)."""
    corners: Points = boxes[:, (0, 1, 2, 1, 2, 3, 0, 1, 2, 3, 0, 3)].reshape(-1, 2)
    return corners


def strip_triangles(strip: NDArray[float64]) -> NDArray[float64]:
    """Rows (3(n − 2), k) of the triangles of a triangle strip's rows (n, k): each with the two before."""
    count = len(strip) - 2
    if count <= 0:
        return np.zeros((0, *strip.shape[1:]))
    rows: NDArray[float64] = strip[(np.arange(count)[:, None] + np.arange(3)).ravel()]
    return rows
