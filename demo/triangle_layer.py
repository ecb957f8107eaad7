"""Coloured triangles, or light, in one draw call: one preallocated vertex list, written from arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import float32
from numpy.typing import NDArray
from pyglet import gl
from pyglet.graphics import Batch
from pyglet.graphics.shader import ShaderProgram


class TriangleLayer:
    """Draws triangles, three vertices each.

    A vertex has a ``position`` relative to the camera in world units and a ``color`` (red, green, blue, alpha). Light,
    which only adds, also has its place ``across`` a ribbon from −1 to 1. ``program`` draws one or the other.
    """

    def __init__(self, program: ShaderProgram, capacity: int = 3072) -> None:
        self._program = program
        self._allocate(capacity)

    def _allocate(self, capacity: int) -> None:
        self._capacity = capacity
        self._drawn = 0
        formats: dict[str, Any] = dict.fromkeys(self._program.attributes, "f")
        # A batch of its own: the list then starts at 0 in a buffer that nothing else shares.
        self._vertices: Any = self._program.vertex_list(capacity, gl.GL_TRIANGLES, batch=Batch(), **formats)

    def draw(self, view: tuple[float, float, float, float], **attributes: NDArray[Any]) -> None:
        """Draw n vertices: for each attribute an array (n, k), or one row for all; ``position`` has all n rows."""
        count = len(attributes["position"])
        if count > self._capacity:
            self._vertices.delete()
            self._allocate(2 * count)
        for name, data in attributes.items():
            values = np.frombuffer(getattr(self._vertices, name), float32).reshape(self._capacity, -1)
            values[:count] = data
            # All corners of the rest in one point, as they are at first: triangles without an area.
            values[count : self._drawn] = 0.0
        self._drawn = count
        self._program["view"] = view
        self._program.use()
        self._vertices.draw(gl.GL_TRIANGLES)
        self._program.stop()
