"""The sweep: finds the entities that bullets and fast bodies touch on their way, before the other hits are found."""

from __future__ import annotations

from typing import Any

from ecsphys.systems.arguments import NO_SECONDS
from ecsphys.systems.ccd.sweeps import Sweeps
from ecsphys.systems.physics import Physics
from ecsphys.systems.stage import Stage


class SweepSystem(Stage):
    """Sweeps every entity with a ``Bullet`` along its motion in this step, and stops it if its ``stop`` is set.

    It also sweeps dynamic bodies that moved far in this step, so they do not pass through static and solid entities.

    The motion is the straight line from the ``Transform`` at the beginning of the step to its present position, after
    all stages and processors before this stage. On a trajectory, it is the exact curve.
    """

    phase = "sweeps"

    def __init__(self, physics: Physics) -> None:
        super().__init__(physics)
        self.sweeps = Sweeps(physics)

    def process(self, dt: float = NO_SECONDS, *others: Any, **named: Any) -> None:
        """As for every stage; it does nothing if no bullet flies and no body is fast."""
        state = self.physics._state
        if type(self) is not SweepSystem or state.swept.pairs.size or not self.sweeps.has_nothing():
            super().process(dt, *others, **named)

    def run(self, dt: float) -> None:
        self.sweeps.update(dt)
