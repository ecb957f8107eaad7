"""Motion without contacts: in small steps by forces, or exactly along trajectories (rows A1, A3 to A5, A8 to A11)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import float64, int32
from numpy.typing import NDArray

from ecsphys.components.motion import transform
from ecsphys.components.store.standing_blocks import while_blocks_stand
from ecsphys.engine.dynamics import bodies as body_rows
from ecsphys.engine.math.elementary import cos_sin_of
from ecsphys.engine.motion.euler_motion import ForceBlocks, StepSettings, step_euler
from ecsphys.engine.motion.trajectory_motion import TrajectoryBlocks, step_trajectories
from ecsphys.engine.run.plan import HAS_MOVERS, HAS_TRAJECTORIES
from ecsphys.engine.tables.entity_rows import PARENT, TRANSFORM, VELOCITY
from ecsphys.engine.threads.shared_work import part_count, share, slices
from ecsphys.systems.arguments import INTEGRATORS
from ecsphys.systems.stage import HIERARCHY, MOTION, TRAJECTORIES, Stage

if TYPE_CHECKING:
    from ecsphys.engine.run.plan import StepPlan
    from ecsphys.systems.hits.step_hits import ContactBuffer
    from ecsphys.systems.physics_state import PhysicsState


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
        transform.LinearTrajectory._columns.float64,
        transform.BallisticTrajectory._columns.float64,
        transform.CircularTrajectory._columns.float64,
        transform.HarmonicTrajectory._columns.float64,
        transform.PathTrajectory._columns.float64,
        transform.PathTrajectory._columns.int64,
        transform.WAYPOINT_POOL.data,
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


class HierarchySystem(Stage):
    """Writes the transform of every entity with a ``Parent``: its parent's frame ∘ (x, y, angle), chains included.

    If the parent was deleted or has no ``Transform``, the child stays in its place. A cycle raises ValueError before
    anything moves.
    """

    phase = "hierarchy"
    runs_together = True
    _plan_place = HIERARCHY

    def is_idle(self) -> bool:
        """Whether no entity has a ``Parent``."""
        return self.physics._state.has_none(PARENT)

    def _bars_plans(self) -> bool:
        """Whether any entity has a ``Parent``: a plan carries no children."""
        return bool(self.physics._state.tables.entities.instances[PARENT].count)

    def _plan(self, plan: StepPlan, last: ContactBuffer, held: ContactBuffer, dt: float) -> bool:
        """True: there is nothing to write."""
        return True

    def run(self, dt: float) -> None:
        carry_children(self.physics._state)


def carry_children(state: PhysicsState) -> None:
    """Move all children to where their parents carry them."""
    state.levels.update()
    levels = state.levels.levels
    if not levels:
        return
    state.begin_moving()
    x, y, angle = transform.Transform._columns.float64
    local_x, local_y, local_angle = transform.Parent._columns.float64
    finite = True
    for children, parents, rows in levels:
        cos, sin = cos_sin_of(angle[parents])
        x[children] = x[parents] + (cos * local_x[rows] - sin * local_y[rows])
        y[children] = y[parents] + (sin * local_x[rows] + cos * local_y[rows])
        angle[children] = angle[parents] + local_angle[rows]
        finite &= bool(np.isfinite((x[children], y[children], angle[children])).all())
    state.end_moving(finite)


def carried_velocities(state: PhysicsState, rows: NDArray[int32]) -> NDArray[float64]:
    """The velocities (k, 3), x, y and angular, with which parents carry children, given by rows (k,) of Transform.

    A parent moves by its ``Velocity``, by its trajectory, or with its own parent. A child's own velocity has no effect.
    The velocity of a dynamic body is the velocity of its center.
    """
    entities = state.tables.entities
    poses, velocity = transform.Transform._columns.float64, transform.Velocity._columns.float64
    path_velocity, bodies = entities.slots.path_velocity, state.body_table
    owners, velocity_rows = entities.owners_of(TRANSFORM), entities.rows_of(VELOCITY)
    found = np.zeros((3, poses.shape[1]))
    for level, (children, parents, parent_rows) in enumerate(state.levels.levels):
        if level == 0:
            slots = owners[parents]
            own = velocity_rows[slots]
            steps = own >= 0
            found[:2, parents[steps]] = position_velocities(own[steps], bodies.listed, bodies.masses.off_center)
            found[2, parents[steps]] = velocity[2, own[steps]]
            on_path = ~steps & (slots < path_velocity.shape[1])
            found[:2, parents[on_path]] = path_velocity[:, slots[on_path]]
        local_x, local_y, _ = transform.Parent._columns.float64[:, parent_rows]
        cos, sin = cos_sin_of(poses[2, parents])
        vx, vy, omega = found[:, parents]
        found[0, children] = vx - omega * (sin * local_x + cos * local_y)
        found[1, children] = vy + omega * (cos * local_x - sin * local_y)
        found[2, children] = omega
    carried: NDArray[float64] = found[:, rows].T
    return carried


def position_velocities(
    velocity_rows: NDArray[Any], listed: body_rows.BodyList, off_center: NDArray[int32]
) -> NDArray[float64]:
    """How fast positions move, (2, k), by rows (k,) of Velocity: by v − ω × r if a center of mass is elsewhere."""
    velocities: NDArray[float64] = transform.Velocity._columns.float64[:2, velocity_rows]
    if not off_center.size:
        return velocities
    rows = listed.rows[VELOCITY, off_center]
    order = np.argsort(rows)
    place = np.minimum(np.searchsorted(rows, velocity_rows, sorter=order), len(rows) - 1)
    bodies = off_center[order[place]]
    which = np.flatnonzero(listed.rows[VELOCITY, bodies] == velocity_rows)
    bodies = bodies[which]
    local_x, local_y = listed.masses[bodies, body_rows.LOCAL_X], listed.masses[bodies, body_rows.LOCAL_Y]
    cos, sin = cos_sin_of(transform.Transform._columns.float64[2, listed.rows[TRANSFORM, bodies]])
    spin = transform.Velocity._columns.float64[2, velocity_rows[which]]
    velocities[0, which] += spin * (sin * local_x + cos * local_y)
    velocities[1, which] -= spin * (cos * local_x - sin * local_y)
    return velocities
