"""The narrowphase: finds the candidate pairs that overlap."""

from __future__ import annotations

from ecsphys.systems.stage import Stage


class NarrowphaseSystem(Stage):
    """Tests the candidate pairs and stores the hits in ``physics``; :class:`HitEventSystem` then sends the events."""

    phase = "narrowphase"
    runs_together = True

    def run(self, dt: float) -> None:
        self.physics._state.hits.update()
