"""Thousands of shapes in one draw call: quads in one preallocated vertex list, written from arrays."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from typing import Any

import numpy as np
from numpy import float32, float64
from numpy.typing import NDArray
from pyglet import gl
from pyglet.graphics import Batch
from pyglet.graphics.shader import ShaderProgram

from ecsphys.debug_draw.shape_shader import POOL_WIDTH, shape_program

_ATTRIBUTES = {"center": 2, "axis": 2, "shape": 4, "color": 4, "look": 3}
_CORNERS = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
_TRIANGLES = (0, 1, 2, 0, 2, 3)
_NOWHERE = 1.0e9  # centre of an unused quad: far outside the picture, so that it is clipped away


class QuadLayer:
    """Collects rows of shapes during a frame and draws them in the order they came.

    A row has the data of one shape for the shader, each an array of n rows (or one row for all):

    ``center``
        (n, 2) relative to the camera, in world units.
    ``axis``
        (n, 2) unit axis.
    ``shape``
        (n, 4) two half sizes (their meaning depends on the form, see ``ecsphys.engine.shapes.layout``), radius, form.
    ``color``
        (n, 4) red, green, blue and alpha.
    ``look``
        (n, 3) heat from 0 to 1 (glow), alpha of the fill, outline in pixels.
    """

    def __init__(self, capacity: int = 1024) -> None:
        self._program: ShaderProgram = shape_program()
        self._pool = _VertexTexture()
        self._views: dict[str, NDArray[float32]] = {}
        self._count = 0
        self._allocate(capacity)

    def _allocate(self, capacity: int) -> None:
        self._capacity = capacity
        corners = np.tile(np.array(_CORNERS, float32).ravel(), capacity)
        firsts = 4 * np.arange(capacity)[:, None]
        # A batch of its own: the list then starts at 0 in a buffer that nothing else shares.
        formats: dict[str, Any] = {"corner": ("f", corners), **dict.fromkeys(_ATTRIBUTES, "f")}
        self._vertices: Any = self._program.vertex_list_indexed(
            4 * capacity,
            gl.GL_TRIANGLES,
            (firsts + np.array(_TRIANGLES)).ravel().tolist(),
            batch=Batch(),
            **formats,
        )
        self._drawn = capacity  # nothing is clipped away yet

    def begin(
        self, view: tuple[float, float, float, float], pixel: float, pool: NDArray[float64] | None = None
    ) -> None:
        """Start a frame. ``view`` holds the rows of the 2×2 matrix from world to clip space, ``pixel`` is a pixel's
        side in world units, ``pool`` the polygons' vertices (their first two columns are x and y)."""
        self._program["view"] = view
        self._program["pixel"] = pixel
        if pool is not None:
            self._pool.update(pool)
        self.resume()

    def resume(self) -> None:
        """Go on adding to the frame after a ``draw``."""
        # Afresh every time: pyglet marks the whole buffer for upload when an attribute is read.
        self._count = 0
        for name, size in _ATTRIBUTES.items():
            flat = np.frombuffer(getattr(self._vertices, name), float32)
            self._views[name] = flat.reshape(self._capacity, 4, size)

    def add(
        self,
        center: NDArray[Any],
        axis: NDArray[Any],
        shape: NDArray[Any],
        color: NDArray[Any],
        look: NDArray[Any],
    ) -> None:
        """Append shapes; what does not fit is drawn after the buffer has been drawn and enlarged."""
        count = center.shape[0]
        if self._count + count > self._capacity:
            self.draw()
            if count > self._capacity:
                self._vertices.delete()
                self._allocate(2 * count)
            self.resume()
        rows = slice(self._count, self._count + count)
        for name, data in (("center", center), ("axis", axis), ("shape", shape), ("color", color), ("look", look)):
            self._views[name][rows] = data[:, None, :] if data.ndim == 2 else data
        self._count += count

    def draw(self) -> None:
        """Draw everything added so far. Call ``begin`` or ``resume`` before you add more."""
        if self._count == 0:
            return
        self._views["center"][self._count : self._drawn] = _NOWHERE
        self._drawn = self._count
        self._views.clear()
        self._program.use()
        self._pool.bind()
        self._vertices.draw(gl.GL_TRIANGLES)
        self._program.stop()


class _VertexTexture:
    """The polygon vertices as a texture of (x, y) pairs, POOL_WIDTH to a row, replaced when they change."""

    def __init__(self) -> None:
        self._known: NDArray[float32] = np.zeros((1, POOL_WIDTH, 2), float32)
        name = gl.GLuint()
        gl.glGenTextures(1, ctypes.byref(name))
        self._name: int = name.value
        self._context: Any = gl.current_context
        self.bind()
        gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MIN_FILTER, gl.GL_NEAREST)
        gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MAG_FILTER, gl.GL_NEAREST)
        self._upload()

    def __del__(self) -> None:
        # Without a context there is no texture any more; and Python may be ending.
        with suppress(AttributeError, ImportError):
            self._context.delete_texture(self._name)

    def bind(self) -> None:
        gl.glActiveTexture(gl.GL_TEXTURE0)
        gl.glBindTexture(gl.GL_TEXTURE_2D, self._name)

    def update(self, pool: NDArray[float64]) -> None:
        count = pool.shape[0]
        texels = np.zeros((max(-(-count // POOL_WIDTH), 1), POOL_WIDTH, 2), float32)
        # Runs of deleted polygons keep their old values, which may be beyond float32.
        with np.errstate(over="ignore"):
            texels.reshape(-1, 2)[:count] = pool[:, :2]
        if texels.shape != self._known.shape or not np.array_equal(texels, self._known):
            self._known = texels
            self.bind()
            self._upload()

    def _upload(self) -> None:
        rows = self._known.shape[0]
        gl.glTexImage2D(
            gl.GL_TEXTURE_2D,
            0,
            gl.GL_RG32F,
            POOL_WIDTH,
            rows,
            0,
            gl.GL_RG,
            gl.GL_FLOAT,
            self._known.ctypes.data_as(ctypes.c_void_p),
        )
