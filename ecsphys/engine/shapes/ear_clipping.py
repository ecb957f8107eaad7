"""A simple polygon as triangles, by clipping ears (Meisters, "Polygons have ears", 1975).

All decisions are exact, so rounding never leaves a polygon without an ear, and every machine makes the same triangles.
"""

from __future__ import annotations

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.math.exact import orientation

Triangle = list[int]


def clip_ears(corners: NDArray[float64]) -> list[Triangle]:
    """The numbers of the corners (n, 2) of each triangle, counter-clockwise, as the polygon is.

    A corner on the line between its neighbors may be in no triangle. Where the polygon crosses itself, there may be
    too few triangles.
    """
    points: list[tuple[float, float]] = [(x, y) for x, y in corners.tolist()]
    ring = list(range(len(points)))
    # A corner that is convex stays so, and only others can be the first to lie in an ear.
    others = [k for k in ring if _turn(points, ring, k) <= 0]
    triangles: list[Triangle] = []
    place = waited = 0
    while len(ring) >= 3:
        if waited == len(ring):
            # No ear is left but those without an area.
            place = next((k for k in range(len(ring)) if _turn(points, ring, k) == 0), -1)
            if place < 0:
                break
        else:
            ear = [ring[place - 1], ring[place], ring[(place + 1) % len(ring)]]
            if _turn(points, ring, place) <= 0 or not _is_empty(ear, corners, points, others):
                place = (place + 1) % len(ring)
                waited += 1
                continue
            triangles.append(ear)
        if ring[place] in others:
            others.remove(ring[place])
        del ring[place]
        place %= len(ring)
        waited = 0
    return triangles


def _turn(points: list[tuple[float, float]], ring: list[int], place: int) -> int:
    """Whether a polygon turns left (1), right (−1) or not (0) at a corner."""
    return orientation(*points[ring[place - 1]], *points[ring[place]], *points[ring[(place + 1) % len(ring)]])


def _is_empty(ear: Triangle, corners: NDArray[float64], points: list[tuple[float, float]], others: list[int]) -> bool:
    """Whether no other corner lies in a triangle or on its edge."""
    box = corners[ear]
    near = corners[others]
    is_near = np.logical_and.reduce((near >= box.min(axis=0)) & (near <= box.max(axis=0)), axis=1)
    a, b, c = (points[k] for k in ear)
    for number in np.flatnonzero(is_near).tolist():
        k = others[number]
        if k in ear:
            continue
        x, y = points[k]
        if orientation(*a, *b, x, y) >= 0 and orientation(*b, *c, x, y) >= 0 and orientation(*c, *a, x, y) >= 0:
            return False
    return True
