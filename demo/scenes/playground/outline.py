"""A line drawn with the mouse as a collider."""

from __future__ import annotations

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys import PolygonCollider

_LEAST_AREA = 0.05
_MOST_CORNERS = 16


def collider_of(points: NDArray[float64], tolerance: float) -> tuple[tuple[float, float], PolygonCollider] | None:
    """The place and the collider of an outline (n, 2) in the world; None where it holds next to nothing.

    Corners less than ``tolerance`` away from the line between others are left out.
    """
    corners = hull_of(points)
    if len(corners) < 3 or area_of(corners) < _LEAST_AREA:
        return None
    corners = _thinned(corners, tolerance)
    x, y = (float(value) for value in center_of(corners))
    return (x, y), PolygonCollider([(px - x, py - y) for px, py in corners.tolist()])


def hull_of(points: NDArray[float64]) -> NDArray[float64]:
    """Corners (k, 2) of the convex hull of points (n, 2), counter-clockwise."""
    ordered = np.unique(points, axis=0).tolist()
    chains: list[list[list[float]]] = []
    for half in (ordered, ordered[::-1]):
        chain: list[list[float]] = []
        for point in half:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0.0:
                chain.pop()
            chain.append(point)
        chains.append(chain[:-1])
    return np.array(chains[0] + chains[1]).reshape(-1, 2)


def area_of(corners: NDArray[float64]) -> float:
    """The area of a polygon, positive if its corners go round counter-clockwise."""
    return 0.5 * float(_crosses(corners).sum())


def center_of(corners: NDArray[float64]) -> NDArray[float64]:
    """The centre (2,) of a polygon's area."""
    cross = _crosses(corners)
    center: NDArray[float64] = ((corners + np.roll(corners, -1, axis=0)) * cross[:, None]).sum(axis=0) / (
        3.0 * cross.sum()
    )
    return center


def _crosses(corners: NDArray[float64]) -> NDArray[float64]:
    x, y = corners.T
    cross: NDArray[float64] = x * np.roll(y, -1) - np.roll(x, -1) * y
    return cross


def _turn(a: list[float], b: list[float], c: list[float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _thinned(corners: NDArray[float64], tolerance: float) -> NDArray[float64]:
    """Convex corners without those that hardly stick out, the least of them first."""
    while len(corners) > 3:
        before, after = np.roll(corners, 1, axis=0), np.roll(corners, -1, axis=0)
        base = after - before
        away = corners - before
        height = np.abs(base[:, 0] * away[:, 1] - base[:, 1] * away[:, 0]) / np.hypot(base[:, 0], base[:, 1])
        least = int(height.argmin())
        if height[least] >= tolerance and len(corners) <= _MOST_CORNERS:
            break
        corners = np.delete(corners, least, axis=0)
    return corners
