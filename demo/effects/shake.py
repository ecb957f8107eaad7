"""A short shake of the picture, that wears off where everything shakes all the time."""

from __future__ import annotations

import math

SECONDS = 0.28
"""A shake is over after this time."""
REACH = 0.011
"""The farthest way of the picture, in parts of its height."""

_FREQUENCIES = 17.0, 23.0
"""Swings per second along x and y: together they do not look like a circle."""
_TIRED_SECONDS = 1.6


class Shake:
    """How far the picture is away from its place."""

    def __init__(self) -> None:
        self._strength = 0.0
        self._age = SECONDS
        self._usual = 0.0

    def push(self, strength: float) -> None:
        """Shake with a strength from 0 to 1, unless the picture shakes harder now or has done so just before."""
        wanted = min(strength, 1.0) - 0.8 * self._usual
        if wanted > self._strength * self._rest:
            self._strength, self._age = wanted, 0.0
        self._usual = max(self._usual, min(strength, 1.0))

    def step(self, dt: float) -> None:
        """Go on for ``dt`` seconds."""
        self._age += dt
        self._usual *= math.exp(-dt / _TIRED_SECONDS)

    def stop(self) -> None:
        """Stand still at once."""
        self._strength, self._age, self._usual = 0.0, SECONDS, 0.0

    @property
    def _rest(self) -> float:
        """The rest of the shake, from 1 to 0."""
        return max(1.0 - self._age / SECONDS, 0.0)

    @property
    def offset(self) -> tuple[float, float]:
        """(x, y) in parts of the picture's height; (0, 0) when nothing shakes."""
        reach = REACH * self._strength * self._rest**2
        if reach <= 0.0:
            return 0.0, 0.0
        turn = math.tau * self._age
        return reach * math.sin(_FREQUENCIES[0] * turn + 0.9), reach * math.cos(_FREQUENCIES[1] * turn)
