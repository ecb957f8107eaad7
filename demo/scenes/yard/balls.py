"""Thrown balls: the oldest fade away once there are too many, and balls that leave the yard are deleted."""

from __future__ import annotations

import esper

from ecsphys import Transform
from ecsphys.demo.scenes.patterns.pattern import Pattern
from ecsphys.demo.scenes.yard.ground import ARENA

MOST = 8
"""As many thrown balls stay."""
FADE = 0.8
"""Seconds in which a ball fades away."""


class Balls(esper.Processor):
    """All thrown balls, the oldest first."""

    def __init__(self) -> None:
        self.thrown: list[int] = []
        self._fading: dict[int, float] = {}
        """Seconds since each ball began to fade."""

    def add(self, ball: int) -> None:
        """A ball has been thrown."""
        self.thrown.append(ball)

    def alphas(self) -> dict[int, float]:
        """How opaque the fading balls are, from 1 to 0."""
        return {ball: 1.0 - age / FADE for ball, age in self._fading.items()}

    def process(self, dt: float) -> None:
        while len(self.thrown) > MOST:
            oldest = self.thrown.pop(0)
            self._fading[oldest] = 0.0
            esper.remove_component(oldest, Pattern)
        for ball in [ball for ball in self.thrown if esper.component_for_entity(ball, Transform).y < ARENA[1] - 5.0]:
            self.thrown.remove(ball)
            esper.delete_entity(ball, immediate=True)
        for ball in list(self._fading):
            self._fading[ball] += dt
            if self._fading[ball] >= FADE:
                del self._fading[ball]
                esper.delete_entity(ball, immediate=True)
