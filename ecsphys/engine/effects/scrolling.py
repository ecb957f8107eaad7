"""Scrolling, pictures shifted row by row, and perspective.

Scrolling along one axis: camera, layers and tiles (B1–B5). The other axis is the same.

V is the view's width, P a picture's width, C the camera's place: the world's coordinate in the middle of the view. A
world of width P begins at 0. Screen coordinates begin at the view's left edge. Arguments are numbers or arrays that
broadcast, and so are results; ``visible_range`` alone takes numbers only.

Perspective projection on a screen at the distance h from the eye (B8).

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

from ecsphys.engine.math.elementwise import cos_sin_of, real_array, real_number

Reals = float | NDArray[Any]


def clamp_camera(camera: Reals, view: Reals, width: Reals) -> NDArray[float64]:
    """C in [V/2, P − V/2]; P/2 where P < V. Rows B1, B3."""
    half: Any = np.multiply(0.5, view)
    # minimum last: for P < V both bounds cross, and the middle replaces them.
    clamped = np.minimum(np.maximum(camera, half), np.subtract(width, half))
    return np.where(np.less(width, view), np.multiply(0.5, width), clamped)


def follow(camera: Reals, target: Reals, dead_zone: Reals) -> NDArray[float64]:
    """C moved only as far as keeps the target s within ±D of it: C in [s − D, s + D]. Row B4; B3 with D = 0."""
    low, high = np.subtract(target, dead_zone), np.add(target, dead_zone)
    return np.asarray(np.minimum(np.maximum(camera, low), high))


def screen_position(place: Reals, camera: Reals, view: Reals) -> NDArray[float64]:
    """Where a place s of the world is on the screen: s − C + V/2. Row B3.

    The world's own picture, whose left edge is at s = 0, is drawn at x₁ = V/2 − C (B1).
    """
    return np.asarray(np.add(np.subtract(place, camera), np.multiply(0.5, view)))


def layer_position(first: Reals, view: Reals, first_width: Reals, width: Reals) -> NDArray[float64]:
    """Where layer k's left edge is drawn: x₁·(P_k − V)/(P₁ − V); (V − P_k)/2 where P₁ = V. Row B2.

    ``first`` is x₁ and ``first_width`` P₁, of the world. At the world's left end x₁ = 0 and every layer is at 0;
    at its right end x₁ = V − P₁ and every layer is at V − P_k: all show their last column together.
    """
    spare = np.subtract(first_width, view)
    divisor = np.where(spare == 0.0, 1.0, spare)
    # + 0.0: no negative zero.
    scrolled = np.multiply(first, np.subtract(width, view)) / divisor + 0.0
    return np.where(spare == 0.0, 0.5 * np.subtract(view, width), scrolled)


def visible_range(camera: float, view: float, size: float, count: int) -> tuple[int, int]:
    """First visible tile and number of visible tiles of a map of ``count`` tiles, its left edge at 0. Row B5.

    The first is ⌊(C − V/2)/size⌋; there are never more than ⌈V/size⌉ + 1, and none outside the map, wherever the camera
    is.
    """
    left = camera - 0.5 * view
    first = math.floor(left / size)
    end = min(math.ceil((left + view) / size), first + math.ceil(view / size) + 1)
    first, end = min(max(first, 0), count), min(max(end, 0), count)
    return first, end - first


def wave_shift(amplitude: Reals, period: Reals, wavelength: Reals, time: Reals, y: Reals) -> NDArray[float64]:
    """A·sin(2π(t/T − y/λ)), for numbers or arrays that broadcast. Row B6."""
    turns = np.subtract(np.divide(time, period), np.divide(y, wavelength))
    # Whole turns are taken off, which is exact, so that the sine stays precise however long the wave has run.
    return np.asarray(np.multiply(amplitude, cos_sin_of(math.tau * (turns - np.rint(turns)))[1]))


def floor_widths(near_width: Reals, far_width: Reals, row: Reals, row_count: Reals) -> NDArray[float64]:
    """Width w of a floor's row: near at row 0, far at the last, linear between; arrays that broadcast. Row B7."""
    part = np.divide(row, np.maximum(np.subtract(row_count, 1.0), 1.0))
    return np.asarray(near_width + part * np.subtract(far_width, near_width))


def floor_shift(base: Reals, view: Reals, near_width: Reals, width: Reals) -> NDArray[float64]:
    """How far a floor's row is shifted: base·(w − V)/(w_bottom − V) − left, with left = (w_bottom − w)/2. Row B7.

    ``base`` is the bottom row's x in [V − w_bottom, 0], ``near_width`` w_bottom, ``width`` w >= V. The row's pixels lie
    in the picture from ``left`` to left + w, so drawn with this shift the row begins at base·(w − V)/(w_bottom − V) on
    the screen: the place of a layer as wide as the row (B2). A row narrower than the view stands in its middle, and so
    does everything where w_bottom = V.
    """
    spare = np.subtract(near_width, view)
    centred = (spare == 0.0) | np.less(width, view)
    scrolled = np.multiply(base, np.subtract(width, view)) / np.where(spare == 0.0, 1.0, spare)
    begin = np.where(centred, 0.5 * np.subtract(view, width), scrolled)
    return np.asarray(begin - 0.5 * np.subtract(near_width, width))


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
