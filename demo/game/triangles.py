"""The triangles of polygons, lines and discs with soft edges: many of a kind at once, in arrays.

Points are in world units, ``pixel`` is a pixel's side there. Tints (…, 4) have premultiplied alpha; alpha 0 adds light.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy import float32, float64, intp
from numpy.typing import NDArray

Points = NDArray[float64]
Tints = NDArray[float32]
Triangles = tuple[Points, Tints]
"""Points (…, 3t, 2) and tints (…, 3t, 4) of t triangles."""

SIDES = 28
_CIRCLE = np.array([(math.cos(a), math.sin(a)) for a in np.linspace(0.0, math.tau, SIDES + 1)])

_SOFT = 0.9
"""Width of a soft edge in pixels."""

FAN_VERTICES, RIM_VERTICES = 3 * SIDES, 6 * SIDES
"""Of a disc and of its soft edge."""


def polygon_vertices(corners: int) -> int:
    """How many vertices the triangles of a polygon have."""
    return 9 * corners


def strip_vertices(points: int) -> int:
    """How many vertices the triangles between two lines of so many points have."""
    return 6 * (points - 1)


def line_vertices(points: int, soft: bool) -> int:
    """How many vertices the triangles of a line through so many points have."""
    return (12 if soft else 18) * (points - 1)


def premultiplied(colors: NDArray[Any], alpha: NDArray[Any], light: NDArray[Any] | bool = False) -> Tints:
    """Tints (…, 4) of colours (…, 3) and alphas (…); where it is ``light`` (…) they only add."""
    tints = np.empty((*alpha.shape, 4), float32)
    np.multiply(alpha[..., None], colors, out=tints[..., :3], casting="same_kind")
    tints[..., 3] = alpha if light is False else np.where(light, 0.0, alpha)
    return tints


def polygons(
    corners: Points, colors: NDArray[float64], deeps: NDArray[float64], alphas: Points, pixel: float
) -> Triangles:
    """k convex polygons of n corners: (k, n, 2), colours and the colours of their lower ends (k, 3), alphas (k,).

    A row of ``deeps`` that is NaN stands for a colour that is the same all over.
    """
    count = corners.shape[1]
    center = corners.mean(axis=1)
    away = corners - center[:, None]
    length = np.maximum(np.hypot(away[..., 0], away[..., 1]), 1e-9)
    outer = corners + away / length[..., None] * (_SOFT * pixel)
    points = np.concatenate((center[:, None], corners, outer), axis=1)
    tints = np.zeros((len(corners), 2 * count + 1, 4), float32)
    tints[:, : count + 1] = premultiplied(colors, alphas)[:, None]
    shaded = ~np.isnan(deeps[:, 0])
    if shaded.any():
        heights = points[shaded, : count + 1, 1]
        low, high = heights[:, 1:].min(axis=1, keepdims=True), heights[:, 1:].max(axis=1, keepdims=True)
        share = ((heights - low) / np.maximum(high - low, 1e-9))[..., None]
        mixed = share * colors[shaded, None] + (1.0 - share) * deeps[shaded, None]
        tints[shaded, : count + 1, :3] = alphas[shaded, None, None] * mixed
    return _gathered(points, tints, _polygon_index(count))


def lines(points: Points, width: NDArray[float64], tints: Tints, soft: bool, pixel: float) -> Triangles:
    """k lines through n points: (k, n, 2), widths (k, n), tints (k, n, 4); ``soft`` ones fade over their width."""
    along = np.gradient(points, axis=1)
    length = np.maximum(np.hypot(along[..., 0], along[..., 1]), 1e-9)
    across = np.stack((-along[..., 1], along[..., 0]), axis=-1) / length[..., None]
    half = 0.5 * width[..., None]
    core = 0.0 * half if soft else half
    rim = half if soft else half + _SOFT * pixel
    every = np.concatenate(
        (points + core * across, points - core * across, points + rim * across, points - rim * across), axis=1
    )
    clear = np.zeros_like(tints)
    return _gathered(every, np.concatenate((tints, tints, clear, clear), axis=1), _line_index(points.shape[1], soft))


def discs(centers: Points, radii: NDArray[float64], middle: Tints, border: Tints) -> Triangles:
    """m discs: centres (m, 2), radii (m,), tints (m, 4) in the middle and at the border."""
    points = np.empty((len(centers), SIDES + 2, 2))
    points[:, 0] = centers
    points[:, 1:] = circles(centers, radii)
    tints = np.empty((len(centers), SIDES + 2, 4), float32)
    tints[:, 0] = middle
    tints[:, 1:] = border[:, None]
    return _gathered(points, tints, _fan_index(SIDES))


def rims(centers: Points, radii: NDArray[float64], border: Tints, pixel: float) -> Triangles:
    """The soft edges of the same discs."""
    return rings(centers, radii, radii + _SOFT * pixel, border, np.zeros_like(border))


def rings(
    centers: Points, inner: NDArray[float64], outer: NDArray[float64], inside: Tints, outside: Tints
) -> Triangles:
    """m rings between two radii (m,), with a tint (m, 4) at each."""
    points = np.concatenate((circles(centers, inner), circles(centers, outer)), axis=1)
    tints = np.repeat(np.stack((inside, outside), axis=1), SIDES + 1, axis=1)
    return _gathered(points, tints, _band_index(SIDES + 1, 0, SIDES + 1))


def circles(centers: Points, radii: NDArray[float64]) -> Points:
    """Points (m, SIDES + 1, 2) around centres, the last the same as the first."""
    return np.asarray(centers[:, None] + radii[:, None, None] * _CIRCLE)


def bands(first: Points, second: Points, a: Tints, b: Tints) -> Triangles:
    """k times two triangles between each two neighbours on two lines (k, n, 2) with tints (k, n, 4)."""
    count = first.shape[1]
    points, tints = np.concatenate((first, second), axis=1), np.concatenate((a, b), axis=1)
    return _gathered(points, tints, _band_index(count, 0, count))


def _gathered(points: Points, tints: Tints, rows: NDArray[intp]) -> Triangles:
    return points.take(rows, axis=1), tints.take(rows, axis=1)


@lru_cache(maxsize=256)
def _band_index(count: int, first: int, second: int) -> NDArray[intp]:
    """Rows of two lines of ``count`` points that begin at rows ``first`` and ``second``."""
    quad = np.array((first, second, first + 1, first + 1, second, second + 1))
    rows: NDArray[intp] = (np.arange(count - 1)[:, None] + quad).ravel()
    return rows


@lru_cache(maxsize=256)
def _fan_index(sides: int) -> NDArray[intp]:
    """A middle in row 0, and the corners around it."""
    corner = np.arange(sides)
    return np.stack((np.zeros_like(corner), corner + 1, corner + 2), axis=1).ravel()


@lru_cache(maxsize=256)
def _polygon_index(count: int) -> NDArray[intp]:
    """The middle in row 0, then the corners, then the same moved outwards."""
    corner = np.arange(count) + 1
    after = np.roll(corner, -1)
    fan = np.stack((np.zeros_like(corner), corner, after), axis=1)
    edge = np.stack((corner, corner + count, after, after, corner + count, after + count), axis=1)
    return np.concatenate((fan.ravel(), edge.ravel()))


@lru_cache(maxsize=256)
def _line_index(count: int, soft: bool) -> NDArray[intp]:
    """Left and right edge of the core, then the left and the right rim."""
    rims = [_band_index(count, 0, 2 * count), _band_index(count, count, 3 * count)]
    return np.concatenate(rims if soft else [_band_index(count, 0, count), *rims])
