"""Where a throw goes: the parabola of free flight, up to the first obstacle."""

from __future__ import annotations

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys import CircleCollider, Physics
from ecsphys.demo.scenes.board import Pair

_SECONDS = 6.0
EVERY = 0.05
"""Seconds from one dot to the next."""


def flight(start: Pair, velocity: Pair, gravity: Pair, seconds: NDArray[float64]) -> NDArray[float64]:
    """The places (n, 2) of a body in free flight: x + v·t + ½·g·t², whatever the length of the steps."""
    t = seconds[:, None]
    return np.asarray(np.array(start) + t * np.array(velocity) + 0.5 * t**2 * np.array(gravity))


def aim_line(physics: Physics, radius: float, start: Pair, velocity: Pair, ignored: int) -> NDArray[float64]:
    """Dots (n, 2) along the flight of a ball; the last is where it first touches something.

    ``ignored`` is the ball itself.
    """
    dots = flight(start, velocity, physics.gravity, np.arange(0.0, _SECONDS, EVERY))
    places = np.column_stack((dots[:-1], np.zeros(len(dots) - 1)))
    hits = physics.shapecast_batch(CircleCollider(radius), places, np.diff(dots, axis=0), ignore=ignored)
    blocked = np.flatnonzero(hits.entity >= 0)
    if not len(blocked):
        return dots
    first = blocked[0]
    end = dots[first] + hits.fraction[first] * (dots[first + 1] - dots[first])
    return np.vstack((dots[: first + 1], end))
