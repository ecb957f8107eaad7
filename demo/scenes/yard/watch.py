"""The yard's camera: it shows the whole yard, follows a flying ball, and comes near to the impact."""

from __future__ import annotations

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys import Transform
from ecsphys.demo.scenes.scene import STEP, Box
from ecsphys.demo.scenes.yard.ground import ARENA

_FLIGHT_WIDTH, _IMPACT_WIDTH = 54.0, 40.0
_AHEAD = 7.0
"""Units that the camera looks ahead of a flying ball."""
_ALONG = 0.4
"""How much of the ball's way after the impact the camera goes along."""
_ABOVE, _HIGHEST = 4.0, 60.0
"""Units of sky above a ball; up to which height the camera follows it."""
_SHAPE = (ARENA[2] - ARENA[0]) / (ARENA[3] - ARENA[1])
_AFTER_IMPACT, _LONGEST = 3.0, 7.0
"""Seconds of real time until the camera comes back: after the first impact, and after the throw at the latest."""
_SECONDS = 0.55
"""About the time in which the camera gets to where it should be."""


class Watch(esper.Processor):
    """Moves the picture smoothly, in real time: slow motion does not slow it down."""

    def __init__(self) -> None:
        self._now: NDArray[float64] = _frame(ARENA)
        """Middle x, y and width of the picture."""
        self._speed = np.zeros(3)
        self._ball: int | None = None
        self._since_throw = 0.0
        self._since_impact: float | None = None
        """None before the first impact."""
        self._impact_x = 0.0

    def box(self) -> Box:
        """The visible part of the world."""
        x, y, width = self._now.tolist()
        half_width, half_height = 0.5 * width, 0.5 * width / _SHAPE
        return x - half_width, y - half_height, x + half_width, y + half_height

    def go_with(self, ball: int) -> None:
        """Follow a ball that has just been thrown."""
        self._ball, self._since_throw, self._since_impact = ball, 0.0, None

    def see_impact(self, x: float) -> None:
        """The ball has struck something at x: stay near there for a while."""
        if self._since_impact is None:
            self._since_impact, self._impact_x = 0.0, x

    def come_back(self) -> None:
        """Show the whole yard again."""
        self._ball = None

    def process(self, dt: float) -> None:
        if dt <= 0.0:
            return
        self._since_throw += STEP
        if self._since_impact is not None:
            self._since_impact += STEP
        if self._since_throw > _LONGEST or (self._since_impact or 0.0) > _AFTER_IMPACT:
            self.come_back()
        # A critically damped spring: no jerk at the start, none at the end.
        rate = 2.0 / _SECONDS
        self._speed += STEP * (rate * rate * (self._wanted() - self._now) - 2.0 * rate * self._speed)
        self._now = self._now + STEP * self._speed

    def _wanted(self) -> NDArray[float64]:
        if self._ball is None or not esper.entity_exists(self._ball):
            return _frame(ARENA)
        place = esper.component_for_entity(self._ball, Transform)
        has_hit = self._since_impact is not None
        width = _IMPACT_WIDTH if has_hit else _FLIGHT_WIDTH
        half_width, half_height = 0.5 * width, 0.5 * width / _SHAPE
        x = self._impact_x + _ALONG * (place.x - self._impact_x) if has_hit else place.x + _AHEAD
        x = min(max(x, ARENA[0] + half_width), ARENA[2] - half_width)
        # The ground stays in the picture unless the ball is too high.
        y = max(ARENA[1] + half_height, min(place.y, _HIGHEST) + _ABOVE - half_height)
        return np.array((x, y, width))


def _frame(box: Box) -> NDArray[float64]:
    return np.array((0.5 * (box[0] + box[2]), 0.5 * (box[1] + box[3]), box[2] - box[0]))
