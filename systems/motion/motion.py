"""Motion without contacts: in small steps by forces, or exactly along trajectories (rows A1, A3 to A5, A8 to A11)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ecsphys.components.motion import transform
from ecsphys.components.motion.trajectories import (
    WAYPOINT_POOL,
    BallisticTrajectory,
    CircularTrajectory,
    HarmonicTrajectory,
    LinearTrajectory,
    PathTrajectory,
)
from ecsphys.components.store.standing_blocks import while_blocks_stand
from ecsphys.engine.motion.euler_motion import ForceBlocks, StepSettings, step_euler
from ecsphys.engine.motion.trajectory_motion import TrajectoryBlocks, step_trajectories
from ecsphys.engine.run.plan_layout import HAS_MOVERS, HAS_TRAJECTORIES
from ecsphys.engine.threads.shared_work import part_count, share, slices
from ecsphys.systems.arguments import INTEGRATORS
from ecsphys.systems.stage import MOTION, TRAJECTORIES, Stage

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
        transforms, velocities = transform.Transform._columns.float64, transform.Velocity._columns.float64
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


# With fewer entities, a part is not worth handing to another thread.
_MOVERS_AT_LEAST = 8192


class EulerMotionSystem(Stage):
    """Moves every entity with ``Transform`` and ``Velocity``, unless it is on a trajectory."""

    phase = "motion"
    runs_together = True
    _plan_place = MOTION

    def is_idle(self) -> bool:
        """Whether a step has begun in which no entity moves so."""
        state = self.physics._state
        return not state.moving.has_movers and state.has_no_movers(self)

    def run(self, dt: float) -> None:
        state = self.physics._state
        settings = state.settings
        # First: it may give a body its Velocity, and the block of these may be another one then.
        movers = state.moving.movers
        count = movers.shape[1]
        if not count:
            return
        parts = part_count(count, _MOVERS_AT_LEAST, settings.threads)
        state.look_before_motion()
        state.begin_moving()
        if parts == 1:
            state.end_moving(step_euler(*self._moving(dt, 0, count)))
            return
        finite: list[bool] = []

        def move(part: slice) -> None:
            finite.append(step_euler(*self._moving(dt, part.start, part.stop)))

        try:
            share(move, slices(count, parts), settings.threads)
        finally:
            # Also where some parts have moved, and an interrupt has kept others from it.
            state.end_moving(len(finite) == parts and all(finite))

    def _moving(self, dt: float, first: int, end: int) -> tuple[Any, ...]:
        """The arguments of ``step_euler``."""
        state, settings = self.physics._state, self.physics.settings
        step = StepSettings(*settings.gravity, dt, settings.motion_substeps, INTEGRATORS[settings.integrator])
        return transform.Transform._columns.float64, force_blocks(), state.moving.movers, first, end, step

    def _plan(self, plan: StepPlan, last: ContactBuffer, held: ContactBuffer, dt: float) -> bool:
        """Write the motion of all movers to a plan; returns False where several threads share it."""
        count = self.physics._state.moving.movers.shape[1]
        if count:
            plan.put(HAS_MOVERS, 1)
            plan.record(step_euler, self._moving(dt, 0, count))
        return part_count(count, _MOVERS_AT_LEAST, self.physics.settings.threads) == 1


@while_blocks_stand
def force_blocks() -> ForceBlocks:
    """The blocks of velocities and forces; valid until the next of these components is created."""
    return ForceBlocks(
        transform.Velocity._columns.float64,
        transform.Acceleration._columns.float64,
        transform.Gravity._columns.float64,
        transform.Spring._columns.float64,
        transform.Orbit._columns.float64,
        transform.Drag._columns.float64,
    )
