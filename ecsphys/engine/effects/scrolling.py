"""Scrolling along one axis: camera, layers and tiles (B1–B5). The other axis is the same.

V is the view's width, P a picture's width, C the camera's place: the world's coordinate in the middle of the view. A
world of width P begins at 0. Screen coordinates begin at the view's left edge. Arguments are numbers or arrays that
broadcast, and so are results; ``visible_range`` alone takes numbers only.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy import float64
from numpy.typing import NDArray

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
