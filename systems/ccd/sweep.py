"""The sweep: finds the entities that bullets and fast bodies touch on their way, before the other hits are found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ecsphys.engine.tables.entity_rows import BULLET
from ecsphys.systems.ccd.sweeps import Sweeps
from ecsphys.systems.physics import Physics
from ecsphys.systems.stage import SWEEP, Stage

if TYPE_CHECKING:
    from ecsphys.engine.run.step_plan import StepPlan
    from ecsphys.systems.hits.step_hits import ContactBuffer


class SweepSystem(Stage):
    """Sweeps every entity with a ``Bullet`` along its motion in this step, and stops it if its ``stop`` is set.

    It also sweeps dynamic bodies that moved far in this step, so they do not pass through static and solid entities.

    The motion is the straight line from the ``Transform`` at the beginning of the step to its present position, after
    all stages and processors before this stage. On a trajectory, it is the exact curve.
    """

    phase = "sweeps"
    runs_together = True
    _plan_place = SWEEP

    def __init__(self, physics: Physics) -> None:
        super().__init__(physics)
        self.sweeps = Sweeps(physics)

    def is_idle(self) -> bool:
        """Whether no bullet flies and no body is fast."""
        return not self.physics._state.swept.pairs.size and self.sweeps.has_nothing()

    def run(self, dt: float) -> None:
        self.sweeps.update(dt)

    def _bars_plans(self) -> bool:
        """Whether any bullet may meet anything: a plan sweeps nothing, and ends where bodies were fast."""
        return bool(self.physics._state.tables.entities.instances[BULLET].count) and not self.sweeps.rest()

    def _plan(self, plan: StepPlan, last: ContactBuffer, held: ContactBuffer, dt: float) -> bool:
        """True: there is nothing to write."""
        return True
