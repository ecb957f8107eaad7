"""Coloured triangles, collected from arrays during a frame and drawn at once, with soft edges and added light."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy import float32, float64
from numpy.typing import NDArray
from pyglet import gl
from pyglet.graphics import Batch
from pyglet.graphics.shader import Shader, ShaderProgram

from ecsphys.demo.palette import Color

Points = NDArray[float64]
Amount = NDArray[float64] | float

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

_SIDES = 28
_CIRCLE = np.array([(math.cos(a), math.sin(a)) for a in np.linspace(0.0, math.tau, _SIDES + 1)])


class Brush:
    """Paints in world units between ``begin`` and ``end``; later paint covers earlier.

    Points are (n, 2); alphas are one number or one a point. ``light`` adds instead of covering.
    """

    def __init__(self, capacity: int = 60_000) -> None:
        self._program = ShaderProgram(Shader(_VERTEX, "vertex"), Shader(_FRAGMENT, "fragment"))
        self._allocate(capacity)
        self._points: list[Points] = []
        self._tints: list[NDArray[float64]] = []
        self._middle = np.zeros(2)
        self._scale = 1.0
        self._shift = np.zeros(2)

    def _allocate(self, capacity: int) -> None:
        self._capacity = capacity
        formats: dict[str, Any] = {"position": "f", "tint": "f"}
        # A batch of its own: the list then starts at 0 in a buffer that nothing else shares.
        self._vertices: Any = self._program.vertex_list(capacity, gl.GL_TRIANGLES, batch=Batch(), **formats)

    @property
    def pixel(self) -> float:
        """A pixel's side in world units."""
        return 1.0 / self._scale

    def begin(self, middle: tuple[float, float], scale: float, pixel: tuple[float, float]) -> None:
        """Start a picture: the world's point ``middle`` at a pixel, ``scale`` pixels to a unit."""
        self._middle = np.array(middle)
        self._scale = scale
        self._shift = np.array(pixel)
        self._points.clear()
        self._tints.clear()

    def end(self, size: tuple[int, int]) -> None:
        """Draw everything into a picture of a size in pixels."""
        points = np.concatenate(self._points) if self._points else np.zeros((0, 2))
        count = len(points)
        if count > self._capacity:
            self._vertices.delete()
            self._allocate(2 * count)
        for name, width, data in (
            ("position", 2, (points - self._middle) * self._scale + self._shift),
            ("tint", 4, np.concatenate(self._tints) if self._tints else np.zeros((0, 4))),
        ):
            values = np.frombuffer(getattr(self._vertices, name), float32).reshape(self._capacity, width)
            values[:count] = data
            values[count:] = 0.0  # triangles without an area
        self._program["clip"] = (2.0 / size[0], 2.0 / size[1], -1.0, -1.0)
        self._program.use()
        self._vertices.draw(gl.GL_TRIANGLES)
        self._program.stop()

    def triangles(self, points: Points, tints: NDArray[float64]) -> None:
        """Three points a triangle; tints (n, 4) premultiplied."""
        self._points.append(points)
        self._tints.append(tints)

    def strip(
        self, first: Points, second: Points, color: Color, other: Color, alpha: Amount = 1.0, fade: Amount | None = None
    ) -> None:
        """The band between two lines of n points, from ``color`` at the first to ``other`` at the second.

        ``fade`` is the second line's alpha where it differs.
        """
        count = len(first)
        a = _tints(color, alpha, count)
        b = _tints(other, alpha if fade is None else fade, count)
        self.triangles(*_band(first, second, a, b))

    def ground(self, top: Points, bottom: float, color: Color, deep: Color) -> None:
        """Everything below a line, with a soft edge on top."""
        foot = np.column_stack((top[:, 0], np.full(len(top), bottom)))
        self.strip(moved(top, 0.0, 1.2 * self.pixel), top, color, color, 0.0, 1.0)
        self.strip(top, foot, color, deep)

    def polygon(self, corners: Points, color: Color, alpha: float = 1.0, deep: Color | None = None) -> None:
        """A convex polygon with soft edges; ``deep`` is the colour of its lower end."""
        center = corners.mean(axis=0)
        away = corners - center
        length = np.maximum(np.hypot(away[:, 0], away[:, 1]), 1e-9)
        outer = corners + away / length[:, None] * (0.9 * self.pixel)
        count = len(corners)
        tints = _tints(color, alpha, count)
        middle = _tints(color, alpha, 1)
        if deep is not None:
            low, high = corners[:, 1].min(), corners[:, 1].max()
            share = (corners[:, 1] - low) / max(high - low, 1e-9)
            tints[:, :3] = alpha * (np.outer(share, color) + np.outer(1.0 - share, deep))
            share_middle = (center[1] - low) / max(high - low, 1e-9)
            middle[:, :3] = alpha * (share_middle * np.array(color) + (1.0 - share_middle) * np.array(deep))
        after = np.roll(np.arange(count), -1)
        fan = np.empty((count, 3, 2))
        fan[:, 0], fan[:, 1], fan[:, 2] = center, corners, corners[after]
        shades = np.empty((count, 3, 4))
        shades[:, 0], shades[:, 1], shades[:, 2] = middle, tints, tints[after]
        self.triangles(fan.reshape(-1, 2), shades.reshape(-1, 4))
        closed = np.append(np.arange(count), 0)
        self.triangles(*_band(corners[closed], outer[closed], tints[closed], np.zeros((count + 1, 4))))

    def box(
        self, x: float, y: float, half: tuple[float, float], angle: float, color: Color, alpha: float = 1.0
    ) -> None:
        """A turned rectangle."""
        self.polygon(moved(turned(np.array(_BOX) * half, angle), x, y), color, alpha)

    def discs(
        self, centers: Points, radius: Amount, color: Color, alpha: Amount = 1.0, edge: float = 1.0, light: bool = False
    ) -> None:
        """Discs, their alpha times ``edge`` at the rim: 0 makes a glow."""
        count = len(centers)
        if count == 0:
            return
        radii = np.broadcast_to(np.asarray(radius, float64), (count,))[:, None, None]
        rim = centers[:, None, :] + radii * _CIRCLE
        middle = _tints(color, alpha, count, light)
        border = middle * edge
        fan = np.empty((count, _SIDES, 3, 2))
        fan[:, :, 0] = centers[:, None]
        fan[:, :, 1] = rim[:, :-1]
        fan[:, :, 2] = rim[:, 1:]
        shades = np.empty((count, _SIDES, 3, 4))
        shades[:, :, 0] = middle[:, None]
        shades[:, :, 1:] = border[:, None, None]
        self.triangles(fan.reshape(-1, 2), shades.reshape(-1, 4))
        if edge > 0.0:
            self._rings(rim, centers[:, None, :] + (radii + 0.9 * self.pixel) * _CIRCLE, border, border * 0.0)

    def rings(self, centers: Points, radius: Amount, width: float, color: Color, alpha: Amount = 1.0) -> None:
        """Soft rings of light of a width in world units."""
        count = len(centers)
        if count == 0:
            return
        radii = np.broadcast_to(np.asarray(radius, float64), (count,))[:, None, None]
        tints = _tints(color, alpha, count, light=True)
        middle = centers[:, None] + radii * _CIRCLE
        self._rings(centers[:, None] + np.maximum(radii - width, 0.0) * _CIRCLE, middle, tints * 0.0, tints)
        self._rings(middle, centers[:, None] + (radii + width) * _CIRCLE, tints, tints * 0.0)

    def _rings(self, inner: Points, outer: Points, a: NDArray[float64], b: NDArray[float64]) -> None:
        count = len(inner)
        quads = np.stack(
            (inner[:, :-1], outer[:, :-1], inner[:, 1:], inner[:, 1:], outer[:, :-1], outer[:, 1:]), axis=2
        )
        shades = np.empty((count, _SIDES, 6, 4))
        shades[:, :, (0, 2, 3)] = a[:, None, None]
        shades[:, :, (1, 4, 5)] = b[:, None, None]
        self.triangles(quads.reshape(-1, 2), shades.reshape(-1, 4))

    def line(
        self, points: Points, width: Amount, color: Color, alpha: Amount = 1.0, light: bool = False, soft: bool = False
    ) -> None:
        """A line through n points; ``soft`` fades to its sides over its whole width."""
        along = np.gradient(points, axis=0)
        length = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)
        across = np.column_stack((-along[:, 1], along[:, 0])) / length[:, None]
        half = 0.5 * np.broadcast_to(np.asarray(width, float64), (len(points),))[:, None]
        tints = _tints(color, alpha, len(points), light)
        clear = tints * 0.0
        core = 0.0 * half if soft else half
        rim = half if soft else half + 0.9 * self.pixel
        left, right = points + core * across, points - core * across
        if not soft:
            self.triangles(*_band(left, right, tints, tints))
        self.triangles(*_band(left, points + rim * across, tints, clear))
        self.triangles(*_band(right, points - rim * across, tints, clear))

    def dashes(self, starts: Points, ends: Points, width: Amount, color: Color, alpha: Amount = 1.0) -> None:
        """Many separate short lines of light, bright at their ends."""
        count = len(starts)
        if count == 0:
            return
        along = ends - starts
        length = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)
        across = np.column_stack((-along[:, 1], along[:, 0])) / length[:, None]
        half = 0.5 * np.broadcast_to(np.asarray(width, float64), (count,))[:, None]
        corners = np.stack((starts, ends + half * across, ends - half * across), axis=1)
        shades = np.zeros((count, 3, 4))
        shades[:, 1:] = _tints(color, alpha, count, light=True)[:, None]
        self.triangles(corners.reshape(-1, 2), shades.reshape(-1, 4))

    def flecks(self, centers: Points, radius: Amount, colors: NDArray[float64], alpha: Amount = 1.0) -> None:
        """Thousands of small diamonds of light; ``colors`` (n, 3)."""
        count = len(centers)
        if count == 0:
            return
        size = np.broadcast_to(np.asarray(radius, float64), (count,))[:, None, None]
        corners = centers[:, None] + size * np.array(((-1.0, 0.0), (0.0, -1.0), (1.0, 0.0), (0.0, 1.0)))
        tints = np.zeros((count, 6, 4))
        tints[:, :, :3] = (colors * np.broadcast_to(np.asarray(alpha, float64), (count,))[:, None])[:, None]
        self.triangles(corners[:, (0, 1, 2, 0, 2, 3)].reshape(-1, 2), tints.reshape(-1, 4))


_BOX = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))


def moved(points: Points, x: float, y: float) -> Points:
    """Points moved by (x, y)."""
    return np.asarray(points + np.array((x, y)))


def turned(points: Points, angle: float) -> Points:
    """Points turned about the origin."""
    c, s = math.cos(angle), math.sin(angle)
    return np.asarray(points @ np.array(((c, s), (-s, c))))


def _tints(color: Color, alpha: Amount, count: int, light: bool = False) -> NDArray[float64]:
    tints = np.empty((count, 4))
    tints[:, 3] = alpha
    tints[:, :3] = tints[:, 3:] * np.array(color)
    if light:
        tints[:, 3] = 0.0
    return tints


def _band(first: Points, second: Points, a: NDArray[float64], b: NDArray[float64]) -> tuple[Points, NDArray[float64]]:
    """Two triangles between each two neighbours on two lines."""

    def corners(one: NDArray[float64], other: NDArray[float64]) -> NDArray[float64]:
        band = np.stack((one[:-1], other[:-1], one[1:], one[1:], other[:-1], other[1:]), axis=1)
        return band.reshape(-1, one.shape[1])

    return corners(first, second), corners(a, b)
