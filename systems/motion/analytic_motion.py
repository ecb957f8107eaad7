"""Exact motion: trajectories in closed form, without error growth at any time (rows A1, A5, A8, A11) or on a path."""

from __future__ import annotations

from ecsphys.components.motion.path_trajectory import PathTrajectory
from ecsphys.components.motion.trajectories import (
    BallisticTrajectory,
    CircularTrajectory,
    HarmonicTrajectory,
    LinearTrajectory,
)
from ecsphys.components.motion.transform import Transform, Velocity
from ecsphys.components.motion.waypoint_pool import WAYPOINT_POOL
from ecsphys.components.store.standing_blocks import while_blocks_stand
from ecsphys.engine.motion.trajectory_motion import TrajectoryBlocks, step_trajectories
from ecsphys.systems.stage import Stage


class AnalyticMotionSystem(Stage):
    """Advances every trajectory by ``dt`` and writes position and velocity there; turns by ``Velocity.angular``."""

    phase = "trajectories"
    runs_together = True

    def run(self, dt: float) -> None:
        state = self.physics._state
        trajectories = state.moving.trajectories
        if not len(trajectories):
            return
        state.look_before_motion()
        state.begin_moving()
        finite = step_trajectories(
            trajectory_blocks(),
            Transform._columns.float64,
            Velocity._columns.float64,
            trajectories,
            dt,
            state.tables.entities.slots.path_velocity,
        )
        state.end_moving(finite)


@while_blocks_stand
def trajectory_blocks() -> TrajectoryBlocks:
    """The blocks of all trajectory classes; valid until the next trajectory is created."""
    return TrajectoryBlocks(
        LinearTrajectory._columns.float64,
        BallisticTrajectory._columns.float64,
        CircularTrajectory._columns.float64,
        HarmonicTrajectory._columns.float64,
        PathTrajectory._columns.float64,
        PathTrajectory._columns.int64,
        WAYPOINT_POOL.data,
    )
