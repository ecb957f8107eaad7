"""A line drawn with the mouse as a collider."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys import CompoundCollider, PolygonCollider

_LEAST_AREA = 0.05
_ENDS = 0.25
"""The part of a line that its ends, beyond where they cross, may have."""

SMALL = "The shape is too small for a body"
CROSSED = "The line crosses itself; draw around a shape once"


class Drawn(NamedTuple):
    """What a line has become: a collider about the middle of its area, and where that is; None if it is no outline."""

    collider: PolygonCollider | CompoundCollider | None
    x: float = 0.0
    y: float = 0.0
    caption: str = ""
    """What there is to say of it."""


def collider_of(points: NDArray[float64], tolerance: float) -> Drawn:
    """The outline of a line (n, 2) in the world, closed from its last point to the first, concave or not.

    Corners less than ``tolerance`` away from the line between others are left out, and so are ends beyond a crossing
    near both ends.
    """
    corners = _thinned(_without_ends(points), tolerance)
    if len(corners) < 3:
        return Drawn(None, caption=SMALL)
    try:
        parts = CompoundCollider.from_outline(corners).parts
    except ValueError:
        hull = hull_of(corners)
        return Drawn(None, caption=CROSSED if len(hull) > 2 and area_of(hull) >= _LEAST_AREA else SMALL)
    if abs(area_of(corners)) < _LEAST_AREA:
        return Drawn(None, caption=SMALL)
    x, y = (float(value) for value in center_of(corners))
    outlines = [part.vertices for part in parts if isinstance(part, PolygonCollider)]
    own = [PolygonCollider([(px - x, py - y) for px, py in outline]) for outline in outlines]
    return Drawn(own[0] if len(own) == 1 else CompoundCollider(own), x, y)


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


def _without_ends(points: NDArray[float64]) -> NDArray[float64]:
    """A line from where its ends cross each other, as they do when it is drawn a little more than once around."""
    starts, edges = points[:-1], np.diff(points, axis=0)
    away = starts[None] - starts[:, None]
    turn = edges[:, None, 0] * edges[None, :, 1] - edges[:, None, 1] * edges[None, :, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        own = (away[..., 0] * edges[None, :, 1] - away[..., 1] * edges[None, :, 0]) / turn
        other = (away[..., 0] * edges[:, None, 1] - away[..., 1] * edges[:, None, 0]) / turn
    crosses = (own > 0.0) & (own < 1.0) & (other > 0.0) & (other < 1.0)
    first, last = np.nonzero(np.triu(crosses, 2))
    if first.size == 0:
        return points
    widest = int((last - first).argmax())
    i, j = int(first[widest]), int(last[widest])
    lengths = np.hypot(*edges.T)
    if lengths[i + 1 : j].sum() < (1.0 - _ENDS) * lengths.sum():
        return points
    return np.vstack((starts[i] + own[i, j] * edges[i], points[i + 1 : j + 1]))


def _thinned(corners: NDArray[float64], tolerance: float) -> NDArray[float64]:
    """A closed line without the corners that hardly stick out, the smallest first."""
    while len(corners) > 3:
        before, after = np.roll(corners, 1, axis=0), np.roll(corners, -1, axis=0)
        base = after - before
        away = corners - before
        width = np.hypot(base[:, 0], base[:, 1])
        height = np.abs(base[:, 0] * away[:, 1] - base[:, 1] * away[:, 0]) / np.where(width > 0.0, width, 1.0)
        smallest = int(height.argmin())
        if height[smallest] >= tolerance:
            break
        corners = np.delete(corners, smallest, axis=0)
    return corners
