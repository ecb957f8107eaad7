"""Where the time of a step goes."""

from __future__ import annotations

import time


class Stopwatch:
    """Seconds of one step, by phase."""

    __slots__ = ("_first", "_last", "_phases")

    def __init__(self) -> None:
        self._phases: dict[str, float] = {}
        self._first = self._last = 0.0

    def begin_step(self) -> None:
        """Forget the last step."""
        self._phases = {}
        self._first = self._last

    def resume(self) -> None:
        """A stage begins: the time since the last lap does not count."""
        self._last = time.perf_counter()

    def lap(self, phase: str) -> None:
        """Add the time since the last lap, or since the stage began, to ``phase``."""
        now = time.perf_counter()
        self._phases[phase] = self._phases.get(phase, 0.0) + now - self._last
        self._last = now

    def read(self) -> dict[str, float]:
        """Seconds of each phase of the step so far, of the rest between them, and of all from the first to the last."""
        total = self._last - self._first
        return {**self._phases, "rest": total - sum(self._phases.values()), "total": total}
