"""Exact motion: trajectories in closed form, without error growth at any time (rows A1, A5, A8, A11) or on a path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ecsphys.components.motion.trajectories import (
    WAYPOINT_POOL,
    BallisticTrajectory,
    CircularTrajectory,
    HarmonicTrajectory,
    LinearTrajectory,
    PathTrajectory,
)
from ecsphys.components.motion.transform import Transform, Velocity
from ecsphys.components.store.standing_blocks import while_blocks_stand
from ecsphys.engine.motion.trajectory_motion import TrajectoryBlocks, step_trajectories
from ecsphys.engine.run.plan_layout import HAS_TRAJECTORIES
from ecsphys.systems.stage import Stage
from ecsphys.systems.stepping.stage_places import TRAJECTORIES

if TYPE_CHECKING:
    from ecsphys.engine.run.step_plan import StepPlan
    from ecsphys.systems.hits.step_hits import ContactBuffer


class AnalyticMotionSystem(Stage):
    """Advances every trajectory by ``dt`` and writes position and velocity there; turns by ``Velocity.angular``."""

    phase = "trajectories"
    runs_together = True
    _plan_place = TRAJECTORIES

    def run(self, dt: float) -> None:
        state = self.physics._state
        trajectories = state.moving.trajectories
        if not len(trajectories):
            return
        state.look_before_motion()
        state.begin_moving()
        state.end_moving(step_trajectories(*self._moving(dt)))

    def _moving(self, dt: float) -> tuple[Any, ...]:
        """The arguments of ``step_trajectories``."""
        state = self.physics._state
        transforms, velocities = Transform._columns.float64, Velocity._columns.float64
        path_velocity = state.tables.entities.slots.path_velocity
        return trajectory_blocks(), transforms, velocities, state.moving.trajectories, dt, path_velocity

    def _plan(self, plan: StepPlan, last: ContactBuffer, held: ContactBuffer, dt: float) -> bool:
        """Write the motion along all trajectories to a plan."""
        if len(self.physics._state.moving.trajectories):
            plan.put(HAS_TRAJECTORIES, 1)
            plan.record(step_trajectories, self._moving(dt))
        return True


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
