"""The narrowphase: which candidate pairs truly overlap, and the events that say so."""

from __future__ import annotations

from ecsphys.components.standing_blocks import blocks_may_move
from ecsphys.systems.stage import Stage


class NarrowphaseSystem(Stage):
    """Tests the candidate pairs, keeps the hits on ``physics`` and delivers the hit events."""

    phase = "narrowphase"

    def run(self, dt: float) -> None:
        tracker, stopwatch = self.physics.tracker, self.physics.stopwatch
        tracker.update()
        if stopwatch is not None:
            stopwatch.lap(self.phase)
        with blocks_may_move():
            tracker.deliver()
        if stopwatch is not None:
            stopwatch.lap("events")
