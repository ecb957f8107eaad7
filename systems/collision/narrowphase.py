"""The narrowphase: which candidate pairs truly overlap, and the events that say so."""

from __future__ import annotations

from ecsphys.components.store.standing_blocks import call_without_holding
from ecsphys.systems.stage import Stage


class NarrowphaseSystem(Stage):
    """Tests the candidate pairs, keeps the hits on ``physics`` and delivers the hit events."""

    phase = "narrowphase"

    def run(self, dt: float) -> None:
        tracker, stopwatch = self.physics.tracker, self.physics.stopwatch
        tracker.update()
        if stopwatch is not None:
            stopwatch.lap(self.phase)
        call_without_holding(tracker.deliver)
        if stopwatch is not None:
            stopwatch.lap("events")
