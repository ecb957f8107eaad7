"""The narrowphase: finds the candidate pairs that overlap."""

from __future__ import annotations

from ecsphys.systems.stage import Stage


class NarrowphaseSystem(Stage):
    """Tests the candidate pairs and stores the hits in ``physics``; :class:`HitEventSystem` then sends the events."""

    phase = "narrowphase"
    runs_together = finds_hits = True

    def run(self, dt: float) -> None:
        state = self.physics._state
        state.hits.update()
        state.body_table.is_solved = False
