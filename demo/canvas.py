"""What scenes draw on besides their colliders: the painter of the debug drawing, and triangles."""

from __future__ import annotations

from numpy import float64
from numpy.typing import NDArray

from ecsphys.debug_draw import Painter
from ecsphys.demo.shaders import light_program, paint_program
from ecsphys.demo.triangle_layer import TriangleLayer


class Canvas(Painter):
    """A painter that can also fill triangles; see :class:`ecsphys.demo.scenes.sketch.Sketch`."""

    def __init__(self) -> None:
        super().__init__()
        self._paint = TriangleLayer(paint_program())
        self._light = TriangleLayer(light_program())

    @property
    def view(self) -> tuple[float, float, float, float]:
        """The visible part of the world: min_x, min_y, max_x, max_y."""
        half_width, half_height = 1.0 / self._view.matrix[0], 1.0 / self._view.matrix[3]
        x, y = self._view.x, self._view.y
        return x - half_width, y - half_height, x + half_width, y + half_height

    def triangles(
        self, points: NDArray[float64], colors: NDArray[float64], across: NDArray[float64] | None = None
    ) -> None:
        """Triangles of three points each, painted, or with ``across`` added as light."""
        if not len(points):
            return
        self._quads.draw()
        matrix, position = self._view.matrix, self.relative(points)
        if across is None:
            self._paint.draw(matrix, position=position, color=colors)
        else:
            self._light.draw(matrix, position=position, color=colors, across=across[:, None])
        self._quads.resume()
