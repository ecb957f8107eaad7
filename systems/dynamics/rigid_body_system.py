"""The stage of the rigid bodies: forces and contacts make their velocities, and these move them."""

from __future__ import annotations

from typing import Any

from ecsphys.engine.tables.entity_rows import RIGID_BODY
from ecsphys.systems.dynamics.body_solver import BodySolver
from ecsphys.systems.physics import Physics
from ecsphys.systems.settings import NO_SECONDS
from ecsphys.systems.stage import Stage


class RigidBodySystem(Stage):
    """Moves every dynamic ``RigidBody``, and solves the contacts that the last step has found.

    It runs after all other motion and before the hierarchy, so that contacts are solved in the places in which they
    were found. A world without bodies costs nothing here.
    """

    phase = "bodies"

    def __init__(self, physics: Physics) -> None:
        super().__init__(physics)
        self._solver: BodySolver | None = None

    def process(self, dt: float = NO_SECONDS, *others: Any, **named: Any) -> None:
        """As of every stage; nothing at all where there are no bodies."""
        state = self.physics.state
        if state.tables.entities.instances[RIGID_BODY]:
            super().process(dt, *others, **named)
        elif self._solver is not None:
            # The last body is gone: contacts are no more kept for it.
            state.hits.keep_none()
            self._solver = None

    def run(self, dt: float) -> None:
        state = self.physics.state
        state.body_table.update()
        state.joints.update()
        if self._solver is None:
            self._solver = BodySolver(state, self.physics.bodies, self.physics.contacts)
        self._solver.step(dt)
