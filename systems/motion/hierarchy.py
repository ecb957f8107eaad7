"""The hierarchy: children follow their parents in the same step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import float64, int32
from numpy.typing import NDArray

from ecsphys.components.motion.transform import Parent, Transform, Velocity
from ecsphys.engine.dynamics import body_mass
from ecsphys.engine.dynamics.body_state import BodyList
from ecsphys.engine.math.elementwise import cos_sin_of
from ecsphys.engine.tables.entity_rows import PARENT, TRANSFORM, VELOCITY
from ecsphys.systems.stage import HIERARCHY, Stage

if TYPE_CHECKING:
    from ecsphys.engine.run.step_plan import StepPlan
    from ecsphys.systems.hits.step_hits import ContactBuffer
    from ecsphys.systems.physics_state import PhysicsState


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
    x, y, angle = Transform._columns.float64
    local_x, local_y, local_angle = Parent._columns.float64
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
    transform, velocity = Transform._columns.float64, Velocity._columns.float64
    path_velocity, bodies = entities.slots.path_velocity, state.body_table
    owners, velocity_rows = entities.owners_of(TRANSFORM), entities.rows_of(VELOCITY)
    found = np.zeros((3, transform.shape[1]))
    for level, (children, parents, parent_rows) in enumerate(state.levels.levels):
        if level == 0:
            slots = owners[parents]
            own = velocity_rows[slots]
            steps = own >= 0
            found[:2, parents[steps]] = position_velocities(own[steps], bodies.listed, bodies.masses.off_center)
            found[2, parents[steps]] = velocity[2, own[steps]]
            on_path = ~steps & (slots < path_velocity.shape[1])
            found[:2, parents[on_path]] = path_velocity[:, slots[on_path]]
        local_x, local_y, _ = Parent._columns.float64[:, parent_rows]
        cos, sin = cos_sin_of(transform[2, parents])
        vx, vy, omega = found[:, parents]
        found[0, children] = vx - omega * (sin * local_x + cos * local_y)
        found[1, children] = vy + omega * (cos * local_x - sin * local_y)
        found[2, children] = omega
    carried: NDArray[float64] = found[:, rows].T
    return carried


def position_velocities(velocity_rows: NDArray[Any], listed: BodyList, off_center: NDArray[int32]) -> NDArray[float64]:
    """How fast the positions of entities move, (2, k), by their rows (k,) of Velocity.

    The position of a body moves by v − ω × r if the centre of mass is elsewhere, see :attr:`BodyMasses.off_center`.
    """
    velocities: NDArray[float64] = Velocity._columns.float64[:2, velocity_rows]
    if not off_center.size:
        return velocities
    rows = listed.rows[VELOCITY, off_center]
    order = np.argsort(rows)
    place = np.minimum(np.searchsorted(rows, velocity_rows, sorter=order), len(rows) - 1)
    bodies = off_center[order[place]]
    which = np.flatnonzero(listed.rows[VELOCITY, bodies] == velocity_rows)
    bodies = bodies[which]
    local_x, local_y = listed.masses[bodies, body_mass.LOCAL_X], listed.masses[bodies, body_mass.LOCAL_Y]
    cos, sin = cos_sin_of(Transform._columns.float64[2, listed.rows[TRANSFORM, bodies]])
    spin = Velocity._columns.float64[2, velocity_rows[which]]
    velocities[0, which] += spin * (sin * local_x + cos * local_y)
    velocities[1, which] -= spin * (cos * local_x - sin * local_y)
    return velocities
