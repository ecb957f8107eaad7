"""The narrowphase: which candidate pairs truly overlap."""

from __future__ import annotations

from ecsphys.systems.stage import Stage


class NarrowphaseSystem(Stage):
    """Tests the candidate pairs and keeps the hits on ``physics``; the :class:`HitEventSystem` tells of them."""

    phase = "narrowphase"

    def run(self, dt: float) -> None:
        self.physics.state.hits.update()
