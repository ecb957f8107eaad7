"""The narrowphase: which candidate pairs truly overlap, and the events that say so."""

from __future__ import annotations

from ecsphys.systems.hit_events import deliver
from ecsphys.systems.stage import Stage


class NarrowphaseSystem(Stage):
    """Tests the candidate pairs, keeps the hits on ``physics`` and delivers the hit events."""

    def run(self, dt: float) -> None:
        tracker = self.physics.tracker
        tracker.update()
        deliver(tracker)
