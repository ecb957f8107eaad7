"""The sweep: what bullets and fast bodies touch on their way, before hits are found where they are."""

from __future__ import annotations

from typing import Any

from ecsphys.systems.arguments import NO_SECONDS
from ecsphys.systems.ccd.sweeps import Sweeps
from ecsphys.systems.physics import Physics
from ecsphys.systems.stage import Stage


class SweepSystem(Stage):
    """Sweeps every entity with a ``Bullet`` along its motion in this step, and stops it if its ``stop`` is set.

    It also sweeps dynamic bodies that moved far in this step, so that none passes through what is solid and static.

    The motion is the straight line from the ``Transform`` at the beginning of the step to where the stages and
    processors before this one have put it; on a trajectory, it is the exact curve.
    """

    phase = "sweeps"

    def __init__(self, physics: Physics) -> None:
        super().__init__(physics)
        self.sweeps = Sweeps(physics)

    def process(self, dt: float = NO_SECONDS, *others: Any, **named: Any) -> None:
        """As of every stage; nothing at all if no bullet flies and no body is fast."""
        state = self.physics._state
        if type(self) is not SweepSystem or state.swept.pairs.size or not self.sweeps.has_nothing():
            super().process(dt, *others, **named)

    def run(self, dt: float) -> None:
        self.sweeps.update(dt)
