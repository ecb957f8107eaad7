"""Slow motion for a moment: time eases down to a quarter, stays there, and comes back."""

from __future__ import annotations

import esper

from ecsphys.demo.scenes.scene import STEP

SLOWEST = 0.25
_DOWN, _HOLD, _UP = 0.12, 0.9, 0.5
"""Seconds of real time, one after the other."""


class SlowMotion(esper.Processor):
    """How fast time goes. It measures real time: each step is one picture of 1/60 s, however short the step is."""

    def __init__(self) -> None:
        self.is_allowed = True
        """Whether the player wants slow motion."""
        self._real: float | None = None
        """Seconds since it began; None if time goes as usual."""

    @property
    def pace(self) -> float:
        """Game seconds per second, from ``SLOWEST`` to 1."""
        if self._real is None or not self.is_allowed:
            return 1.0
        down = min(self._real / _DOWN, 1.0)
        up = min(max((self._real - _DOWN - _HOLD) / _UP, 0.0), 1.0)
        return 1.0 - (1.0 - SLOWEST) * _smooth(down) * (1.0 - _smooth(up))

    def start(self) -> None:
        """Begin, unless the player has turned it off."""
        if self.is_allowed:
            self._real = 0.0

    def process(self, dt: float) -> None:
        if self._real is not None and dt > 0.0:
            self._real += STEP
            if self._real > _DOWN + _HOLD + _UP:
                self._real = None


def _smooth(part: float) -> float:
    return part * part * (3.0 - 2.0 * part)
