"""Strokes, circles, boxes and placed shapes, thousands at once, written from arrays into one list of quads."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import float64, uint8
from numpy.typing import NDArray
from pyglet import gl
from pyglet.window import BaseWindow

from ecsphys.components.collision.polygon_collider import VERTEX_POOL
from ecsphys.debug_draw.quad_layer import QuadLayer
from ecsphys.engine.shapes.layout import BOX, CAPSULE, CIRCLE, CX, CY, HALF_X, RADIUS

Points = NDArray[float64]
Color = tuple[float, float, float]
Colors = Color | NDArray[float64]
Amount = NDArray[float64] | float

_X_AXIS = np.array([[1.0, 0.0]])


@dataclass(frozen=True)
class View:
    """An affine map from the world to clip space, where the picture runs from −1 to 1 on both axes.

    ``x`` and ``y`` are the world's point in the picture's middle, ``matrix`` the rows of the 2×2 matrix that maps an
    offset from it to clip space, ``pixel`` a pixel's side in world units. The offset is taken in double precision,
    so that a view far from the world's origin shows no jitter.
    """

    x: float
    y: float
    matrix: tuple[float, float, float, float]
    pixel: float

    @classmethod
    def of_window(cls, window: BaseWindow) -> View:
        """The view of ``window.projection`` and ``window.view``; ValueError unless they are orthographic."""
        m = tuple(window.projection @ window.view)
        if m[3] or m[7] or not m[15]:
            raise ValueError("DebugDraw needs an orthographic projection of the window")
        a, b, c, d = (m[i] / m[15] for i in (0, 4, 1, 5))
        shift_x, shift_y = m[12] / m[15], m[13] / m[15]
        determinant = a * d - b * c
        if not determinant:
            raise ValueError("window.projection and window.view flatten the world to a line")
        # The middle of the picture: A·p + shift = 0.
        x = (b * shift_y - d * shift_x) / determinant
        y = (c * shift_x - a * shift_y) / determinant
        viewport = (gl.GLint * 4)()
        gl.glGetIntegerv(gl.GL_VIEWPORT, ctypes.cast(viewport, ctypes.POINTER(gl.GLint)))
        # A unit square covers |det|/4 of the viewport.
        pixels = 0.25 * abs(determinant) * viewport[2] * viewport[3]
        return cls(x, y, (a, b, c, d), window.get_pixel_ratio() / math.sqrt(max(pixels, 1e-300)))


class Painter:
    """Draws into the current OpenGL context, between ``begin`` and ``end``, in the order of the calls.

    Points are (n, 2) in the world, colours red, green and blue from 0 to 1, one for all or (n, 3), alphas and widths
    one number or (n,), widths in pixels. Blending must be for premultiplied alpha:
    ``glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA)``.
    """

    def __init__(self) -> None:
        self._quads = QuadLayer()
        self._view = View(0.0, 0.0, (1.0, 0.0, 0.0, 1.0), 1.0)

    @property
    def pixel(self) -> float:
        """A pixel's side in world units."""
        return self._view.pixel

    def begin(self, view: View) -> None:
        """Start a picture, seen through a :class:`View`."""
        self._view = view
        self._quads.begin(view.matrix, view.pixel, VERTEX_POOL.data)

    def end(self) -> None:
        """Draw everything collected so far."""
        self._quads.draw()

    def relative(self, points: Points) -> Points:
        """Points as offsets from the middle of the picture."""
        return points - (self._view.x, self._view.y)

    def shapes(
        self,
        positions: Points,
        shapes: NDArray[float64],
        forms: NDArray[uint8],
        angles: NDArray[float64],
        colors: NDArray[float64],
        heat: Amount = 0.0,
        fill: Amount = 0.2,
    ) -> None:
        """Placed shapes (see ``ecsphys/engine/shapes/layout.py``), exact arcs included.

        ``angles`` (n,) show how circles turn, which have no axis; ``colors`` (n, 4) have an alpha; ``heat`` from 0 to
        1 makes a shape glow; ``fill`` is the alpha of its inside.
        """
        axis = shapes[:, 2:4].copy()
        round_ones = forms == CIRCLE
        axis[round_ones, 0] = np.cos(angles[round_ones])
        axis[round_ones, 1] = np.sin(angles[round_ones])
        dimensions = np.column_stack((shapes[:, HALF_X : RADIUS + 1], forms))
        look = np.empty((len(shapes), 3))
        look[:, 0] = heat
        look[:, 1] = fill
        look[:, 2] = 1.7
        self._quads.add(self.relative(positions) + shapes[:, CX : CY + 1], axis, dimensions, colors, look)

    def strokes(self, starts: Points, ends: Points, width: Amount, color: Colors, alpha: Amount = 1.0) -> None:
        """Lines with round ends from starts to ends."""
        along = ends - starts
        length = np.hypot(along[:, 0], along[:, 1])
        axis = np.where(length[:, None] > 0.0, along / np.where(length > 0.0, length, 1.0)[:, None], _X_AXIS)
        shape = np.zeros((len(starts), 4))
        shape[:, 0] = 0.5 * length
        shape[:, 2] = 0.5 * width * self.pixel
        shape[:, 3] = CAPSULE
        tints = _tints(color, alpha, len(starts))
        self._quads.add(self.relative(0.5 * (starts + ends)), axis, shape, tints, _look(fill=1.0))

    def circles(self, centers: Points, radius: Amount, color: Colors, alpha: Amount = 1.0, line: float = 0.0) -> None:
        """Discs of a radius in world units; rings if ``line``, their width in pixels, is not 0."""
        shape = np.zeros((len(centers), 4))
        shape[:, 2] = radius
        shape[:, 3] = CIRCLE
        look = _look(line=line) if line else _look(fill=1.0)
        self._quads.add(self.relative(centers), _X_AXIS, shape, _tints(color, alpha, len(centers)), look)

    def boxes(
        self, boxes: NDArray[float64], color: Colors, alpha: Amount = 1.0, line: float = 0.0, fill: float = 0.0
    ) -> None:
        """Axis-aligned rectangles (n, 4) of min_x, min_y, max_x, max_y, outlined, filled, or both."""
        shape = np.zeros((len(boxes), 4))
        shape[:, :2] = 0.5 * (boxes[:, 2:] - boxes[:, :2])
        shape[:, 3] = BOX
        center = self.relative(0.5 * (boxes[:, 2:] + boxes[:, :2]))
        self._quads.add(center, _X_AXIS, shape, _tints(color, alpha, len(boxes)), _look(fill, line))


def _tints(color: Colors, alpha: Amount, count: int) -> NDArray[float64]:
    tints = np.empty((count, 4))
    tints[:, :3] = color
    tints[:, 3] = alpha
    return tints


def _look(fill: float = 0.0, line: float = 0.0) -> NDArray[Any]:
    return np.array([[0.0, fill, line]])
