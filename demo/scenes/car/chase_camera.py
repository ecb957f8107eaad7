"""A camera that follows the car smoothly, looks ahead, and shows more when the car is fast."""

from __future__ import annotations

import math

import esper

from ecsphys.demo.scenes.car.vehicle import Car
from ecsphys.demo.scenes.scene import Box

WIDTH, ASPECT = 30.0, 16.0 / 9.0
_WIDER = 0.75
"""Units of width for each unit of speed."""
_AHEAD, _MOST_AHEAD = 0.55, 8.0
"""How many seconds it looks ahead, and how many units at most."""
_RISE = 0.14
"""How far the middle is above the car, in heights of the picture."""
_SECONDS, _SLOW_SECONDS = 0.25, 0.9
"""Time constants: of the place, and of looking ahead and width."""


class ChaseCamera(esper.Processor):
    """Follows after each step; ``box`` is the visible part of the world."""

    def __init__(self, car: Car) -> None:
        self._car = car
        self._x, self._y = car.place.x, car.place.y
        self._ahead = 0.0
        self._width = WIDTH

    def box(self) -> Box:
        """What to show now."""
        width, height = self._width, self._width / ASPECT
        x, y = self._x + self._ahead, self._y + _RISE * height
        return x - 0.5 * width, y - 0.5 * height, x + 0.5 * width, y + 0.5 * height

    def process(self, dt: float) -> None:
        place, velocity = self._car.place, self._car.velocity
        soon, later = 1.0 - math.exp(-dt / _SECONDS), 1.0 - math.exp(-dt / _SLOW_SECONDS)
        # The delay of the follower is made up by the car's velocity, so that it stays where it is in the picture.
        self._x += soon * (place.x + _SECONDS * velocity.x - self._x)
        self._y += soon * (place.y - self._y)
        ahead = min(max(_AHEAD * velocity.x, -_MOST_AHEAD), _MOST_AHEAD)
        self._ahead += later * (ahead - self._ahead)
        self._width += later * (WIDTH + _WIDER * abs(velocity.x) - self._width)
