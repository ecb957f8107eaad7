"""The narrowphase: which candidate pairs truly overlap, and the events that say so."""

from __future__ import annotations

from ecsphys.components.block_lock import BLOCKS_STAY
from ecsphys.systems.stage import Stage


class NarrowphaseSystem(Stage):
    """Tests the candidate pairs, keeps the hits on ``physics`` and delivers the hit events."""

    phase = "narrowphase"
    holds_blocks = False  # while handlers run

    def run(self, dt: float) -> None:
        tracker, stopwatch = self.physics.tracker, self.physics.stopwatch
        with BLOCKS_STAY:
            tracker.update()
        if stopwatch is not None:
            stopwatch.lap(self.phase)
        tracker.deliver()
        if stopwatch is not None:
            stopwatch.lap("events")
