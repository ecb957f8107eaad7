"""Numbers that follow from the masses of bodies and from their centres of mass."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import float64, int32, int64
from numpy.typing import NDArray

from ecsphys.components.motion.transform import Transform, Velocity
from ecsphys.engine.dynamics.body_mass import FARTHEST, LOCAL_X, LOCAL_Y, OWN_INVERSE_INERTIA, OWN_INVERSE_MASS
from ecsphys.engine.dynamics.body_state import BodyList
from ecsphys.engine.dynamics.mass_effects import ROUNDING
from ecsphys.engine.math.elementwise import cos_sin_of
from ecsphys.engine.tables.entity_rows import TRANSFORM, VELOCITY


def refuse_weightless(masses: NDArray[float64], numbers: NDArray[int64]) -> None:
    """ValueError naming the first body, by its entity, so light that an impulse gives it no finite velocity."""
    inverses = masses[:, [OWN_INVERSE_MASS, OWN_INVERSE_INERTIA]]
    if np.isfinite(inverses).all():
        return
    row, column = np.argwhere(~np.isfinite(inverses))[0].tolist()
    what = ("mass", "inertia")[column]
    raise ValueError(f"entity {numbers[row]}: the {what} of its RigidBody is too small: 1/{what} is infinite")


def find_off_center(masses: NDArray[float64]) -> NDArray[int32]:
    """The rows (k,) of the dynamic bodies whose centres of mass are not at their positions, ascending."""
    apart = np.abs(masses[:, LOCAL_X]) + np.abs(masses[:, LOCAL_Y])
    return np.flatnonzero(apart > ROUNDING * masses[:, FARTHEST]).astype(int32)


def position_velocities(velocity_rows: NDArray[Any], listed: BodyList, off_center: NDArray[int32]) -> NDArray[float64]:
    """How fast the positions of entities move, (2, k), by their rows (k,) of Velocity.

    The position of a body moves by v − ω × r if the centre of mass is elsewhere, see :func:`find_off_center`.
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
    local_x, local_y = listed.masses[bodies, LOCAL_X], listed.masses[bodies, LOCAL_Y]
    cos, sin = cos_sin_of(Transform._columns.float64[2, listed.rows[TRANSFORM, bodies]])
    spin = Velocity._columns.float64[2, velocity_rows[which]]
    velocities[0, which] += spin * (sin * local_x + cos * local_y)
    velocities[1, which] -= spin * (cos * local_x - sin * local_y)
    return velocities
