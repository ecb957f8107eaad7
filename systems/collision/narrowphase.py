"""The narrowphase: finds the candidate pairs that overlap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ecsphys.systems.stage import Stage
from ecsphys.systems.stepping.stage_places import NARROWPHASE

if TYPE_CHECKING:
    from ecsphys.engine.run.step_plan import StepPlan
    from ecsphys.systems.hits.step_hits import ContactBuffer


class NarrowphaseSystem(Stage):
    """Tests the candidate pairs and stores the hits in ``physics``; :class:`HitEventSystem` then sends the events."""

    phase = "narrowphase"
    runs_together = finds_hits = True
    _plan_place = NARROWPHASE

    def run(self, dt: float) -> None:
        state = self.physics._state
        state.hits.update()
        state.body_table.is_solved = False

    def _plan(self, plan: StepPlan, last: ContactBuffer, held: ContactBuffer, dt: float) -> bool:
        """Write the tests of pairs to a plan."""
        return self.physics._state.hits.plan(plan, last, held)
