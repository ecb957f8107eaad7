"""The sweep: what bullets touch on their way, before colliders are placed where they are."""

from __future__ import annotations

from typing import Any

from ecsphys.engine.tables.entity_rows import BULLET
from ecsphys.systems.ccd.bullet_sweeps import BulletSweeps
from ecsphys.systems.physics import Physics
from ecsphys.systems.settings import NO_SECONDS
from ecsphys.systems.stage import Stage


class SweepSystem(Stage):
    """Sweeps every entity with a ``Bullet`` along its motion in this step, and stops it where its ``stop`` is set.

    The motion is the straight line from the ``Transform`` at the beginning of the step to where the stages and
    processors before this one have put it; on a trajectory, it is the exact curve.
    """

    phase = "sweeps"

    def __init__(self, physics: Physics) -> None:
        super().__init__(physics)
        self.sweeps = BulletSweeps(physics)

    def process(self, dt: float = NO_SECONDS, *others: Any, **named: Any) -> None:
        """As of every stage; nothing at all where there are no bullets."""
        state = self.physics.state
        if type(self) is not SweepSystem or state.swept.pairs.size or not state.has_none(BULLET):
            super().process(dt, *others, **named)

    def run(self, dt: float) -> None:
        self.sweeps.update(dt)
