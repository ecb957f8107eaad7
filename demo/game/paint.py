"""Collects what is painted, in the order of the calls, and makes triangles of it: all of a kind at once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy import float32, float64
from numpy.typing import NDArray

from ecsphys.demo.game.triangles import (
    FAN_VERTICES,
    RIM_VERTICES,
    Points,
    Tints,
    Triangles,
    bands,
    discs,
    line_vertices,
    lines,
    polygon_vertices,
    polygons,
    premultiplied,
    rims,
    rings,
    strip_vertices,
)
from ecsphys.demo.palette import Color

Amount = NDArray[float64] | float

_BOX = np.array(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))
_BOX_VERTICES = polygon_vertices(4)
_MANY = 16  # discs of one call, from which on these are computed by themselves: in one run of vertices
_NO_DEEP = (math.nan, math.nan, math.nan)


@dataclass(frozen=True)
class Block:
    """Triangles that are kept: ``points`` (n, 2) in world units, ``tints`` (n, 4)."""

    points: Points
    tints: NDArray[float32]


@dataclass(frozen=True, slots=True)
class _Line:
    place: int
    points: Points
    width: Amount
    color: Color
    alpha: Amount
    light: bool


@dataclass(frozen=True, slots=True)
class _Strip:
    place: int
    first: Points
    second: Points
    color: Color
    other: Color
    alpha: Amount
    fade: Amount


@dataclass(frozen=True, slots=True)
class _Discs:
    place: int
    centers: Points
    radius: Amount
    color: Color
    alpha: Amount
    edge: float
    light: bool


class Paint:
    """Paint in world units, from ``start`` to ``triangulate``; later paint covers earlier.

    Points are (n, 2); alphas are one number or one a point. ``light`` adds instead of covering. Each call reserves the
    place of its vertices; most are computed in the end, all polygons with as many corners in one go, and so on. Arrays
    that are handed over must not change until then.
    """

    def __init__(self, capacity: int = 1024) -> None:
        self._points = np.empty((capacity, 2))
        self._tints = np.empty((capacity, 4), float32)
        self._count = 0
        self._pixel = 1.0
        self._polygons: dict[int, list[tuple[int, Points, Color, float, Color]]] = {}
        self._boxes: list[tuple[float, ...]] = []
        self._strips: dict[int, list[_Strip]] = {}
        self._lines: dict[tuple[int, bool], list[_Line]] = {}
        self._discs: list[_Discs] = []

    @property
    def pixel(self) -> float:
        """A pixel's side in world units."""
        return self._pixel

    def start(self, pixel: float) -> None:
        """Begin anew, for a picture with pixels of that side in world units."""
        self._pixel = pixel
        self._count = 0
        for recorded in (self._polygons, self._boxes, self._strips, self._lines, self._discs):
            recorded.clear()

    def triangulate(self) -> Block:
        """All triangles, in the order of the calls; valid until the next ``start``."""
        self._make_room()
        self._triangulate_boxes()
        for some in self._polygons.values():
            places, corners, colors, alphas, deeps = zip(*some, strict=True)
            found = polygons(np.array(corners), np.array(colors), np.array(deeps), np.array(alphas), self._pixel)
            self._put(np.array(places), found)
        for count, found_strips in self._strips.items():
            self._triangulate_strips(found_strips, count)
        for (count, soft), found_lines in self._lines.items():
            self._triangulate_lines(found_lines, count, soft)
        many = [[one] for one in self._discs if len(one.centers) >= _MANY]
        few = [one for one in self._discs if len(one.centers) < _MANY]
        for some_discs in (*many, few):
            if some_discs:
                self._triangulate_discs(some_discs)
        return Block(self._points[: self._count], self._tints[: self._count])

    def block(self) -> Block:
        """A copy of the same, to be kept and stamped."""
        found = self.triangulate()
        return Block(found.points.copy(), found.tints.copy())

    def stamp(self, block: Block) -> None:
        """Paint what has been kept."""
        self.triangles(block.points, block.tints)

    def triangles(self, points: Points, tints: NDArray[Any]) -> None:
        """Three points a triangle; tints (n, 4) premultiplied."""
        place = self._reserve(len(points))
        self._make_room()
        self._points[place : self._count] = points
        self._tints[place : self._count] = tints

    def strip(
        self, first: Points, second: Points, color: Color, other: Color, alpha: Amount = 1.0, fade: Amount | None = None
    ) -> None:
        """The band between two lines of n points, from ``color`` at the first to ``other`` at the second.

        ``fade`` is the second line's alpha where it differs.
        """
        count = len(first)
        place = self._reserve(strip_vertices(count))
        strip = _Strip(place, first, second, color, other, alpha, alpha if fade is None else fade)
        self._strips.setdefault(count, []).append(strip)

    def ground(self, top: Points, bottom: float, color: Color, deep: Color) -> None:
        """Everything below a line, with a soft edge on top."""
        foot = np.column_stack((top[:, 0], np.full(len(top), bottom)))
        self.strip(moved(top, 0.0, 1.2 * self.pixel), top, color, color, 0.0, 1.0)
        self.strip(top, foot, color, deep)

    def polygon(self, corners: Points, color: Color, alpha: float = 1.0, deep: Color | None = None) -> None:
        """A convex polygon with soft edges; ``deep`` is the colour of its lower end."""
        count = len(corners)
        place = self._reserve(polygon_vertices(count))
        row = (place, corners, color, alpha, _NO_DEEP if deep is None else deep)
        self._polygons.setdefault(count, []).append(row)

    def box(
        self, x: float, y: float, half: tuple[float, float], angle: float, color: Color, alpha: float = 1.0
    ) -> None:
        """A turned rectangle."""
        self._boxes.append((self._reserve(_BOX_VERTICES), x, y, *half, angle, alpha, *color))

    def discs(
        self, centers: Points, radius: Amount, color: Color, alpha: Amount = 1.0, edge: float = 1.0, light: bool = False
    ) -> None:
        """Discs, their alpha times ``edge`` at the rim: 0 makes a glow."""
        if len(centers):
            place = self._reserve(len(centers) * (FAN_VERTICES + (RIM_VERTICES if edge > 0.0 else 0)))
            self._discs.append(_Discs(place, centers, radius, color, alpha, edge, light))

    def rings(self, centers: Points, radius: Amount, width: float, color: Color, alpha: Amount = 1.0) -> None:
        """Soft rings of light of a width in world units."""
        count = len(centers)
        if count == 0:
            return
        radii = np.broadcast_to(np.asarray(radius, float64), (count,))
        tints = _light(color, alpha, count)
        clear = np.zeros_like(tints)
        for found in (
            rings(centers, np.maximum(radii - width, 0.0), radii, clear, tints),
            rings(centers, radii, radii + width, tints, clear),
        ):
            self.triangles(*_flat(found))

    def line(
        self, points: Points, width: Amount, color: Color, alpha: Amount = 1.0, light: bool = False, soft: bool = False
    ) -> None:
        """A line through n points; ``soft`` fades to its sides over its whole width."""
        count = len(points)
        line = _Line(self._reserve(line_vertices(count, soft)), points, width, color, alpha, light)
        self._lines.setdefault((count, soft), []).append(line)

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
        shades = np.zeros((count, 3, 4), float32)
        shades[:, 1:] = _light(color, alpha, count)[:, None]
        self.triangles(*_flat((corners, shades)))

    def flecks(self, centers: Points, radius: Amount, colors: NDArray[float64], alpha: Amount = 1.0) -> None:
        """Thousands of small diamonds of light; ``colors`` (n, 3)."""
        count = len(centers)
        if count == 0:
            return
        size = np.broadcast_to(np.asarray(radius, float64), (count,))[:, None, None]
        corners = centers[:, None] + size * np.array(((-1.0, 0.0), (0.0, -1.0), (1.0, 0.0), (0.0, 1.0)))
        tints = np.zeros((count, 6, 4), float32)
        tints[:, :, :3] = (colors * np.broadcast_to(np.asarray(alpha, float64), (count,))[:, None])[:, None]
        self.triangles(*_flat((corners[:, (0, 1, 2, 0, 2, 3)], tints)))

    def _reserve(self, vertices: int) -> int:
        place = self._count
        self._count += vertices
        return place

    def _make_room(self) -> None:
        if self._count > len(self._points):
            # Uninitialized beyond what was there: every place that has been reserved is written before it is read.
            points, tints = np.empty((2 * self._count, 2)), np.empty((2 * self._count, 4), float32)
            points[: len(self._points)] = self._points
            tints[: len(self._tints)] = self._tints
            self._points, self._tints = points, tints

    def _put(self, places: NDArray[np.int64], found: Triangles) -> None:
        """Write k runs of as many vertices where they belong."""
        size = found[0].shape[1]
        if (np.diff(places) == size).all():
            run = slice(int(places[0]), int(places[-1]) + size)
            self._points[run], self._tints[run] = _flat(found)
        else:
            rows = places[:, None] + np.arange(size)
            self._points[rows], self._tints[rows] = found

    def _triangulate_boxes(self) -> None:
        if not self._boxes:
            return
        table = np.array(self._boxes)
        x, y, half, angle = table[:, 1, None], table[:, 2, None], table[:, None, 3:5], table[:, 5, None]
        c, s, local = np.cos(angle), np.sin(angle), _BOX * half
        corners = np.stack((c * local[..., 0] - s * local[..., 1] + x, s * local[..., 0] + c * local[..., 1] + y), -1)
        deeps = np.full((len(table), 3), math.nan)
        self._put(table[:, 0].astype(np.int64), polygons(corners, table[:, 7:], deeps, table[:, 6], self._pixel))

    def _triangulate_strips(self, some: list[_Strip], count: int) -> None:
        alphas = np.empty((2, len(some), count))
        for row, strip in enumerate(some):
            alphas[0, row] = strip.alpha
            alphas[1, row] = strip.fade
        colors = np.array([[strip.color for strip in some], [strip.other for strip in some]])[:, :, None]
        first, second = np.array([strip.first for strip in some]), np.array([strip.second for strip in some])
        tints = premultiplied(colors, alphas)
        self._put(np.array([strip.place for strip in some]), bands(first, second, *tints))

    def _triangulate_lines(self, some: list[_Line], count: int, soft: bool) -> None:
        width, alpha = np.empty((2, len(some), count))
        for row, line in enumerate(some):
            width[row] = line.width
            alpha[row] = line.alpha
        colors = np.array([line.color for line in some])[:, None]
        tints = premultiplied(colors, alpha, np.array([line.light for line in some])[:, None])
        points = np.array([line.points for line in some])
        self._put(np.array([line.place for line in some]), lines(points, width, tints, soft, self._pixel))

    def _triangulate_discs(self, some: list[_Discs]) -> None:
        """The discs of one call come first, then their edges."""
        counts = np.array([len(one.centers) for one in some])
        firsts = np.cumsum(counts) - counts
        radii, alpha = np.empty((2, int(counts.sum())))
        for one, first, count in zip(some, firsts.tolist(), counts.tolist(), strict=True):
            radii[first : first + count] = one.radius
            alpha[first : first + count] = one.alpha
        colors, edges, lights, places = (
            np.repeat(np.array([getattr(one, name) for one in some]), counts, axis=0)
            for name in ("color", "edge", "light", "place")
        )
        centers = np.concatenate([one.centers for one in some])
        middle = premultiplied(colors, alpha, lights)
        border = middle * edges[:, None].astype(float32)
        number = np.arange(len(centers)) - np.repeat(firsts, counts)
        self._put(places + FAN_VERTICES * number, discs(centers, radii, middle, border))
        hard = edges > 0.0
        if hard.any():
            places += FAN_VERTICES * np.repeat(counts, counts) + RIM_VERTICES * number
            self._put(places[hard], rims(centers[hard], radii[hard], border[hard], self._pixel))


def moved(points: Points, x: float, y: float) -> Points:
    """Points moved by (x, y)."""
    return np.asarray(np.add(points, (x, y)))


def turned(points: Points, angle: float) -> Points:
    """Points turned about the origin."""
    c, s = math.cos(angle), math.sin(angle)
    return np.asarray(points @ np.array(((c, s), (-s, c))))


def _light(color: Color, alpha: Amount, count: int) -> Tints:
    return premultiplied(np.array(color), np.broadcast_to(np.asarray(alpha, float64), (count,)), True)


def _flat(found: Triangles) -> Triangles:
    """Vertices in one row."""
    return found[0].reshape(-1, 2), found[1].reshape(-1, 4)
