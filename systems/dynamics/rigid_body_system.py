"""The stage of the rigid bodies: forces and contacts change their velocities, and velocities move them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ecsphys.engine.tables.entity_rows import RIGID_BODY
from ecsphys.systems.dynamics.body_solver import BodySolver
from ecsphys.systems.stage import BODIES, Stage

if TYPE_CHECKING:
    from ecsphys.engine.run.step_plan import StepPlan
    from ecsphys.systems.hits.step_hits import ContactBuffer


class RigidBodySystem(Stage):
    """Moves every dynamic ``RigidBody``, and solves the contacts of the last step.

    It runs after all other motion and before the hierarchy, so contacts are solved in the positions in which they were
    found. A world without bodies costs nothing here.
    """

    phase = "bodies"
    runs_together = True
    _plan_place = BODIES

    def is_idle(self) -> bool:
        """Whether there are no bodies."""
        state = self.physics._state
        return not state.tables.entities.instances[RIGID_BODY].count and state.solver is None

    def run(self, dt: float) -> None:
        state = self.physics._state
        if not state.tables.entities.instances[RIGID_BODY].count:
            if state.solver is not None:
                # The last body is gone: contacts are no more kept for it.
                state.hits.keep_none()
                state.solver = None
            return
        state.body_table.update()
        state.joints.update()
        if state.solver is None:
            state.solver = BodySolver(state)
        state.solver.step(dt)
        state.body_table.is_solved = True

    def _plan(self, plan: StepPlan, last: ContactBuffer, held: ContactBuffer, dt: float) -> bool:
        """Write the forces and contacts of the bodies to a plan."""
        state = self.physics._state
        if self.is_idle():
            return True
        if state.solver is None or not state.tables.entities.instances[RIGID_BODY].count:
            return False
        return state.solver.plan(plan, last, dt)
