"""Characters push the dynamic bodies that stop them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ecsphys.components.dynamics.rigid_body import Character
from ecsphys.components.motion.transform import Transform, Velocity
from ecsphys.components.store.component_table import rows_of
from ecsphys.engine.dynamics.body_mass import DYNAMIC, LOCAL_X, LOCAL_Y, OWN_INVERSE_INERTIA, OWN_INVERSE_MASS
from ecsphys.engine.dynamics.body_state import FORCE_X, FORCE_Y, TORQUE
from ecsphys.engine.math.cos_sin import cos_sin
from ecsphys.engine.math.elementwise import cos_sin_of, lengths_of
from ecsphys.engine.tables.entity_rows import TRANSFORM, VELOCITY
from ecsphys.systems.character_controller.move_results import MoveContact, MoveRecords

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState


def push_bodies(state: PhysicsState, entities: list[int], moves: MoveRecords) -> None:
    """Push the dynamic bodies that stopped characters through the next step, as hard as their ``push_force`` lets them.

    ``moves`` are those of the characters. In a step as long as the last one, the force makes a body as fast as
    the character meant to be. The forces of all contacts of a move together are at most ``push_force``. The floor below
    a character is not pushed.
    """
    characters = rows_of(Character)
    rows = characters.row[np.searchsorted(characters.entity, entities)]
    columns = Character._columns
    forces = columns.row_of_block("push_force")[rows]
    if not (forces > 0.0).any() or state.dt <= 0.0:
        return
    table = state.body_table
    table.update()
    state.update()
    table.measure(state)
    steepest = cos_sin_of(columns.row_of_block("slope_limit")[rows])[0]
    up_x, up_y = columns.row_of_block("up_x")[rows], columns.row_of_block("up_y")[rows]
    length = lengths_of(up_x, up_y)
    for k in np.flatnonzero(forces > 0.0).tolist():
        left = float(forces[k])
        x, y = moves.asked(k)
        for contact in moves.contacts(k):
            normal_x, normal_y = contact.normal
            # Not by numpy's dot, which rounds as the library does that it was built with.
            if (normal_x * up_x[k] + normal_y * up_y[k]) / length[k] < steepest[k]:
                left -= _push(state, contact, -(x * normal_x + y * normal_y) / state.dt, left)


def _push(state: PhysicsState, contact: MoveContact, speed: float, most: float) -> float:
    """Push a body against the normal of a contact through the next step, with a force of ``most`` at most, until the
    point of the contact is as fast; returns the force."""
    (normal_x, normal_y), (point_x, point_y) = contact.normal, contact.point
    table = state.body_table
    row = int(table.row_of_owners(np.array([state.tables.entities.slot_of[contact.entity]]))[0])
    listed = table.listed
    if listed.kind[row] != DYNAMIC or row == 0:
        return 0.0
    x, y, angle = Transform._columns.float64[:, listed.rows[TRANSFORM, row]].tolist()
    velocity = Velocity._columns.float64[:, listed.rows[VELOCITY, row]]
    masses = listed.masses[row]
    cos, sin = cos_sin(angle)
    center_x = cos * masses[LOCAL_X] - sin * masses[LOCAL_Y]
    center_y = sin * masses[LOCAL_X] + cos * masses[LOCAL_Y]
    push_x, push_y = -normal_x, -normal_y
    arm_x, arm_y = point_x - x - center_x, point_y - y - center_y
    own = (velocity[0] - velocity[2] * arm_y) * push_x + (velocity[1] + velocity[2] * arm_x) * push_y
    turn = arm_x * push_y - arm_y * push_x
    inverse = masses[OWN_INVERSE_MASS] + masses[OWN_INVERSE_INERTIA] * turn * turn
    given = listed.forces[row]
    pushed = (given[FORCE_X] * push_x + given[FORCE_Y] * push_y) * masses[OWN_INVERSE_MASS]
    pushed += given[TORQUE] * turn * masses[OWN_INVERSE_INERTIA]
    force = min(most, ((speed - own) / state.dt - pushed) / inverse)
    if not force > 0.0:
        return 0.0
    given[FORCE_X] += force * push_x
    given[FORCE_Y] += force * push_y
    given[TORQUE] += force * turn
    return float(force)
