"""Perspective projection on a screen at the distance h from the eye (B8).

The eye is at the origin and looks along +Z; X is right, Y up. A point (X, Y, Z) is seen where the line to the eye meets
the plane Z = h: by similar triangles x/h = X/Z and y/h = Y/Z, from the screen's centre. A thing is drawn h/Z times its
size, exactly 1 on the screen's plane.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy import bool_, float64
from numpy.typing import NDArray

from ecsphys.engine.math.real_arrays import real_array, real_number

PointsLike = NDArray[Any] | Sequence[Sequence[float]]


def project_perspective(
    points: PointsLike, distance: float, near: float
) -> tuple[NDArray[float64], NDArray[float64], NDArray[bool_]]:
    """Project ``points`` (n, 3). Row B8.

    Parameters
    ----------
    points
        X, Y, Z from the eye.
    distance
        h > 0, from the eye to the screen, in the points' units.
    near
        > 0; things with Z < near are not seen.

    Returns
    -------
    screen
        (n, 2), x and y from the screen's centre; NaN for points that are not seen.
    scale
        (n,), h/Z; NaN for points that are not seen.
    visible
        (n,) bool.

    Raises
    ------
    ValueError
        Points of another shape, or a distance or near plane that is not positive and finite.
    TypeError
        A value that is not a real number.
    """
    array = _points("points", points)
    distance, near = _positive("distance", distance), _positive("near", near)
    z = array[:, 2]
    visible = z >= near
    scale = np.full(z.shape, math.nan)
    np.divide(distance, z, out=scale, where=visible)
    return array[:, :2] * scale[:, None], scale, visible


def clip_at_near_plane(polygon: PointsLike, near: float) -> NDArray[float64]:
    """The part of a convex polygon (n, 3) with Z >= near, as corners (m, 3) in their order; m = 0 where none is.

    Corners are made where edges pass the plane (Sutherland and Hodgman, 1974), so that a floor that runs under the
    viewer can be projected. ValueError and TypeError as above.
    """
    corners = _points("polygon", polygon)
    near = _positive("near", near)
    kept = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if start[2] >= near:
            kept.append(start)
        if (start[2] >= near) != (end[2] >= near):
            crossing = start + (near - start[2]) / (end[2] - start[2]) * (end - start)
            crossing[2] = near
            kept.append(crossing)
    return np.array(kept, float64).reshape(-1, 3)


def _points(name: str, points: PointsLike) -> NDArray[float64]:
    array = real_array(name, points, "(n, 3)")
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"{name} must be points in space, of shape (n, 3), got {array.shape}")
    return array


def _positive(name: str, value: float) -> float:
    number = real_number(name, value)
    if not 0.0 < number < math.inf:
        raise ValueError(f"{name} must be greater than 0 and finite, got {value!r}")
    return number
