"""Exact motion: trajectories in closed form, without error growth at any time (rows A1, A5, A8, A11)."""

from __future__ import annotations

from ecsphys.components.motion.trajectories import (
    BallisticTrajectory,
    CircularTrajectory,
    HarmonicTrajectory,
    LinearTrajectory,
)
from ecsphys.components.motion.transform import Transform, Velocity
from ecsphys.engine.motion.trajectory_motion import step_trajectories
from ecsphys.systems.stage import Stage


class AnalyticMotionSystem(Stage):
    """Advances every trajectory by ``dt`` and writes position and velocity there; turns by ``Velocity.angular``."""

    phase = "trajectories"

    def run(self, dt: float) -> None:
        physics = self.physics
        index = physics.entered_index
        if not len(index.trajectories):
            return
        velocity = physics.current_trajectory_velocity()
        finite = step_trajectories(
            LinearTrajectory._columns.float64,
            BallisticTrajectory._columns.float64,
            CircularTrajectory._columns.float64,
            HarmonicTrajectory._columns.float64,
            Transform._columns.float64,
            Velocity._columns.float64,
            index.trajectories,
            dt,
            velocity,
        )
        physics.moved(finite)
