"""Geometry drawn for the eye: shapes that are lit or not, points, marks and arrows, collected and drawn at once."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ecsphys.demo import palette
from ecsphys.demo.scenes.sketch import Color, Points, Sketch

Pair = tuple[float, float]

_Look = tuple[Color, float, float, bool]
"""Of circles: colour, alpha, width of the line, and whether the radius is in pixels."""

_ARC_STEP = math.tau / 64.0


class Board:
    """Collects what is drawn about an origin, which can be moved; ``draw`` fills first and lines after."""

    def __init__(self) -> None:
        self._origin = (0.0, 0.0)
        self._fills: list[tuple[Points, Color, float]] = []
        self._lines: dict[tuple[float, Color, float], list[tuple[float, float, float, float]]] = {}
        self._circles: dict[_Look, list[tuple[float, float, float]]] = {}

    def move_to(self, x: float, y: float) -> None:
        """Set the origin of all that follows."""
        self._origin = (x, y)

    def line(self, a: Pair, b: Pair, color: Color = palette.GUIDE, width: float = 1.8, alpha: float = 1.0) -> None:
        """A line from a to b, ``width`` in pixels."""
        x, y = self._origin
        self._lines.setdefault((width, color, alpha), []).append((a[0] + x, a[1] + y, b[0] + x, b[1] + y))

    def dot(self, p: Pair, color: Color = palette.TEXT, size: float = 3.5) -> None:
        """A point, its radius in pixels."""
        self._circle(p, size, color, 1.0, 0.0, True)

    def ring(self, p: Pair, size: float, color: Color) -> None:
        """A ring, its radius in pixels."""
        self._circle(p, size, color, 1.0, 1.5, True)

    def circle(self, center: Pair, radius: float, lit: bool = False, color: Color = palette.GUIDE) -> None:
        """A circle as a shape."""
        color = palette.LIT if lit else color
        self._circle(center, radius, color, 0.3 if lit else 0.13, 0.0, False)
        self._circle(center, radius, color, 1.0, 1.8, False)

    def _circle(self, p: Pair, radius: float, color: Color, alpha: float, line: float, in_pixels: bool) -> None:
        x, y = self._origin
        self._circles.setdefault((color, alpha, line, in_pixels), []).append((p[0] + x, p[1] + y, radius))

    def polygon(self, points: Sequence[Pair], lit: bool = False, color: Color = palette.GUIDE) -> None:
        """A shape that is seen whole from its first point: convex, or a fan that begins with its apex."""
        color = palette.LIT if lit else color
        corners = np.array(points) + self._origin
        self._fills.append((corners[_fan(len(corners))], color, 0.3 if lit else 0.13))
        for a, b in zip(points, [*points[1:], points[0]], strict=True):
            self.line(a, b, color)

    def box(self, low: Pair, high: Pair, lit: bool = False, color: Color = palette.GUIDE) -> None:
        """An axis-aligned rectangle by its corners."""
        self.polygon([low, (high[0], low[1]), high, (low[0], high[1])], lit, color)

    def turned_box(
        self, center: Pair, half_size: Pair, angle: float, lit: bool = False, color: Color = palette.GUIDE
    ) -> None:
        """A turned rectangle."""
        corners = [(-half_size[0], -half_size[1]), (half_size[0], -half_size[1])]
        corners += [(-x, -y) for x, y in corners]
        self.polygon([_moved(turned(p, angle), center) for p in corners], lit, color)

    def capsule(self, a: Pair, b: Pair, radius: float, lit: bool = False) -> None:
        """All within ``radius`` of the segment a–b."""
        direction = math.atan2(b[1] - a[1], b[0] - a[0])
        ends = [_moved(p, b) for p in arc(radius, direction, math.pi)]
        ends += [_moved(p, a) for p in arc(radius, direction + math.pi, math.pi)]
        self.polygon(ends, lit)

    def fan(self, radius: float, spread: float, direction: float, lit: bool = False) -> None:
        """A sector about the origin."""
        self.polygon([(0.0, 0.0), *arc(radius, direction, spread)], lit)

    def clock(self, center: Pair, radius: float, part: float, color: Color) -> None:
        """A dial of which a part from 0 to 1 is filled, clockwise from the top."""
        self._fills.append((_dial(radius, part) + center + np.array(self._origin), color, 0.95))
        self._circle(center, radius, color, 0.7, 1.2, False)

    def arrow(self, a: Pair, b: Pair, color: Color, head: float = 0.22) -> None:
        """A line with a head at b."""
        self.line(a, b, color)
        length = math.dist(a, b)
        if length > 0.0:
            back = ((a[0] - b[0]) * head / length, (a[1] - b[1]) * head / length)
            for turn in (-0.45, 0.45):
                self.line(b, _moved(turned(back, turn), b), color)

    def draw(self, sketch: Sketch) -> None:
        """Draw all of it, and forget it."""
        if self._fills:
            colors = np.array([(*color, alpha) for _, color, alpha in self._fills])
            triangles = [triangles for triangles, _, _ in self._fills]
            sketch.triangles(np.concatenate(triangles), np.repeat(colors, [len(some) for some in triangles], axis=0))
        if self._lines:
            ends = np.array([row for rows in self._lines.values() for row in rows])
            looks = np.array([(width, alpha, *color) for width, color, alpha in self._lines])
            width, alpha, *color = np.repeat(looks, [len(rows) for rows in self._lines.values()], axis=0).T
            sketch.strokes(ends[:, :2], ends[:, 2:], width, np.column_stack(color), alpha)
        for line, groups in itertools.groupby(self._circles.items(), lambda group: group[0][2]):
            self._draw_circles(sketch, line, list(groups))
        self._fills.clear()
        self._lines.clear()
        self._circles.clear()

    @staticmethod
    def _draw_circles(
        sketch: Sketch, line: float, groups: list[tuple[_Look, list[tuple[float, float, float]]]]
    ) -> None:
        table = np.array([row for _, rows in groups for row in rows])
        looks = np.array(
            [(sketch.pixel if in_pixels else 1.0, alpha, *color) for (color, alpha, _, in_pixels), _ in groups]
        )
        unit, alpha, *color = np.repeat(looks, [len(rows) for _, rows in groups], axis=0).T
        sketch.circles(table[:, :2], table[:, 2] * unit, np.column_stack(color), alpha, line)


def turned(p: Pair, angle: float) -> Pair:
    """A vector turned counter-clockwise."""
    cos, sin = math.cos(angle), math.sin(angle)
    return cos * p[0] - sin * p[1], sin * p[0] + cos * p[1]


def arc(radius: float, direction: float, spread: float) -> list[Pair]:
    """Points of an arc about the origin that covers direction ± spread/2, counter-clockwise."""
    steps = max(math.ceil(spread / _ARC_STEP), 1)
    turns: Iterable[float] = (direction + spread * (k / steps - 0.5) for k in range(steps + 1))
    return [(radius * math.cos(turn), radius * math.sin(turn)) for turn in turns]


@lru_cache(maxsize=64)
def _fan(corners: int) -> NDArray[np.intp]:
    """Rows of a convex shape's corners, for the triangles from its first."""
    middle = np.arange(1, corners - 1)
    return np.column_stack((np.zeros_like(middle), middle, middle + 1)).ravel()


@lru_cache(maxsize=1024)
def _dial(radius: float, part: float) -> Points:
    """Triangles' points (3n, 2) of the filled part about the origin."""
    spread = math.tau * min(max(part, 0.02), 1.0)
    rim = np.array(arc(radius, 0.5 * (math.pi - spread), spread))
    triangles: Points = np.stack((np.zeros_like(rim[1:]), rim[:-1], rim[1:]), axis=1).reshape(-1, 2)
    triangles.flags.writeable = False
    return triangles


def _moved(p: Pair, by: Pair) -> Pair:
    return p[0] + by[0], p[1] + by[1]
