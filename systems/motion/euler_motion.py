"""Stepped motion: velocities, forces and drag, integrated in small steps (rows A1, A3, A4, A9, A10, A11)."""

from __future__ import annotations

from ecsphys.components.motion.forces import Drag, Gravity, Orbit, Spring
from ecsphys.components.motion.transform import Acceleration, Transform, Velocity
from ecsphys.engine.motion.euler_motion import ForceBlocks, StepSettings, step_euler
from ecsphys.systems.settings import INTEGRATORS
from ecsphys.systems.stage import Stage


class EulerMotionSystem(Stage):
    """Moves every entity with ``Transform`` and ``Velocity`` that is on no trajectory."""

    phase = "motion"

    def run(self, dt: float) -> None:
        state = self.physics.state
        settings = state.settings
        finite = step_euler(
            Transform._columns.float64,
            ForceBlocks(
                Velocity._columns.float64,
                Acceleration._columns.float64,
                Gravity._columns.float64,
                Spring._columns.float64,
                Orbit._columns.float64,
                Drag._columns.float64,
            ),
            state.moving.movers,
            StepSettings(*settings.gravity, dt, settings.substeps, INTEGRATORS[settings.integrator]),
        )
        state.moved(finite)
