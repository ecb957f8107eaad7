"""Coloured triangles and light in one draw call: one preallocated vertex list, written from arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import float32
from numpy.typing import NDArray
from pyglet import gl
from pyglet.graphics import Batch
from pyglet.graphics.shader import ShaderProgram

from ecsphys.demo.shaders import triangle_program

_ATTRIBUTES = {"position": 2, "color": 4, "look": 2}


class TriangleLayer:
    """Draws triangles, three vertices each.

    A vertex has a ``position`` relative to the camera in world units, a ``color`` (red, green, blue, alpha) and a
    ``look``: its place across a ribbon from −1 to 1, and 1 for light, which only adds, or 0 for paint.
    """

    def __init__(self, capacity: int = 3072) -> None:
        self._program: ShaderProgram = triangle_program()
        self._allocate(capacity)

    def _allocate(self, capacity: int) -> None:
        self._capacity = capacity
        self._drawn = 0
        formats: dict[str, Any] = dict.fromkeys(_ATTRIBUTES, "f")
        # A batch of its own: the list then starts at 0 in a buffer that nothing else shares.
        self._vertices: Any = self._program.vertex_list(capacity, gl.GL_TRIANGLES, batch=Batch(), **formats)

    def draw(
        self, view: tuple[float, float, float, float], position: NDArray[Any], color: NDArray[Any], look: NDArray[Any]
    ) -> None:
        """Draw n vertices: arrays (n, 2), (n, 4) and (n, 2), or one row for all."""
        count = len(position)
        if count > self._capacity:
            self._vertices.delete()
            self._allocate(2 * count)
        for (name, size), data in zip(_ATTRIBUTES.items(), (position, color, look), strict=True):
            values = np.frombuffer(getattr(self._vertices, name), float32).reshape(self._capacity, size)
            values[:count] = data
            # All corners of the rest in one point, as they are at first: triangles without an area.
            values[count : self._drawn] = 0.0
        self._drawn = count
        self._program["view"] = view
        self._program.use()
        self._vertices.draw(gl.GL_TRIANGLES)
        self._program.stop()
