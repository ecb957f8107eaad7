"""Strips of quads: how the vertices of all light lie in arrays, and which triangles they make.

A strip of k rungs has 2k vertices: left and right end of each rung in turn, seen along the strip. Between two rungs
lies one quad of two counter-clockwise triangles, (left, right, next left) and (next left, right, next right). Texture
coordinates are (u, v): u runs along the strip, v across it from 0 on the right to 1 on the left, so that a picture
stands upright on a strip that runs along +x. Several strips lie one after the other; no triangle joins them.
"""

from __future__ import annotations

import numpy as np
from numpy import float64, int32, int64
from numpy.typing import NDArray


def interleaved(left: NDArray[float64], right: NDArray[float64]) -> NDArray[float64]:
    """Vertices (2n, 2) of rungs with the ends ``left`` and ``right`` (n, 2)."""
    return np.stack((left, right), axis=1).reshape(-1, 2)


def strip_coordinates(u: NDArray[float64]) -> NDArray[float64]:
    """Texture coordinates (2n, 2) of rungs at ``u`` (n,): v is 1 on the left and 0 on the right."""
    coordinates = np.empty((u.size, 2, 2))
    coordinates[:, :, 0] = u[:, None]
    coordinates[:, :, 1] = (1.0, 0.0)
    return coordinates.reshape(-1, 2)


def strip_triangles(rungs: NDArray[int64]) -> NDArray[int32]:
    """Vertex indices (m, 3) of strips with the given numbers of rungs (k,), one strip after the other."""
    total = int(rungs.sum())
    starts_quad = np.ones(total, np.bool_)
    starts_quad[np.cumsum(rungs)[rungs > 0] - 1] = False  # no quad begins at a strip's last rung
    first = 2 * np.flatnonzero(starts_quad).astype(int32)
    return (first[:, None] + np.array((0, 1, 2, 2, 1, 3), int32)).reshape(-1, 3)
