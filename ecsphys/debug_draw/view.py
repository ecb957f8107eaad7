"""Where the world is in the picture."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyglet import gl

if TYPE_CHECKING:
    from pyglet.window import BaseWindow


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
