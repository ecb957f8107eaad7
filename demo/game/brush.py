"""Paint that is drawn with OpenGL, all of a picture at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import float32
from pyglet import gl
from pyglet.graphics import Batch
from pyglet.graphics.shader import Shader, ShaderProgram

from ecsphys.demo.game.paint import Paint

_VERTEX = """#version 330 core
in vec2 position;  // pixels
in vec4 tint;      // premultiplied alpha; alpha 0 adds light
uniform vec4 clip; // scale and shift from pixels to clip space
out vec4 color;
void main() {
    gl_Position = vec4(position * clip.xy + clip.zw, 0.0, 1.0);
    color = tint;
}
"""
_FRAGMENT = """#version 330 core
in vec4 color;
out vec4 fragment;
void main() { fragment = color; }
"""


class Brush(Paint):
    """Paints in world units between ``begin`` and ``end``, into the current OpenGL context."""

    def __init__(self, capacity: int = 1024) -> None:
        super().__init__(capacity)
        self._program = ShaderProgram(Shader(_VERTEX, "vertex"), Shader(_FRAGMENT, "fragment"))
        self._allocate(capacity)
        self._middle = np.zeros(2)
        self._scale = 1.0
        self._shift = np.zeros(2)

    def _allocate(self, capacity: int) -> None:
        self._capacity = capacity
        self._drawn = 0
        self._pixels = np.empty((capacity, 2))
        formats: dict[str, Any] = {"position": "f", "tint": "f"}
        # A batch of its own: the list then starts at 0 in a buffer that nothing else shares.
        self._vertices: Any = self._program.vertex_list(capacity, gl.GL_TRIANGLES, batch=Batch(), **formats)

    def begin(self, middle: tuple[float, float], scale: float, pixel: tuple[float, float]) -> None:
        """Start a picture: the world's point ``middle`` at a pixel, ``scale`` pixels to a unit."""
        self.start(1.0 / scale)
        self._middle = np.array(middle)
        self._scale = scale
        self._shift = np.array(pixel)

    def end(self, size: tuple[int, int]) -> None:
        """Draw everything into a picture of a size in pixels."""
        paint = self.triangulate()
        count = len(paint.points)
        if count > self._capacity:
            self._vertices.delete()
            self._allocate(round(1.3 * count))
        pixels = np.subtract(paint.points, self._middle, out=self._pixels[:count])
        pixels *= self._scale
        pixels += self._shift
        for name, data in (("position", pixels), ("tint", paint.tints)):
            values = np.frombuffer(getattr(self._vertices, name), float32).reshape(self._capacity, -1)
            values[:count] = data
            values[count : self._drawn] = 0.0  # triangles without an area
        self._drawn = count
        self.again(size)

    def again(self, size: tuple[int, int]) -> None:
        """Draw what was drawn last, as it is in the vertex buffer."""
        self._program["clip"] = (2.0 / size[0], 2.0 / size[1], -1.0, -1.0)
        self._program.use()
        self._vertices.draw(gl.GL_TRIANGLES)
        self._program.stop()
