"""Numbers that follow from the masses of bodies and from their centres of mass."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import float64, int32, int64
from numpy.typing import NDArray

from ecsphys.components.motion.transform import Transform, Velocity
from ecsphys.engine.dynamics import body_mass
from ecsphys.engine.dynamics.body_state import BodyList
from ecsphys.engine.dynamics.mass_effects import ROUNDING
from ecsphys.engine.math.elementwise import cos_sin_of
from ecsphys.engine.tables.entity_rows import TRANSFORM, VELOCITY

# Measured twice, bodies differ by less than this part of their size, and by so many roundings of their positions.
_SAME = 1e-9
_EPSILONS = 16.0 * float(np.finfo(float64).eps)


def refuse_weightless(masses: NDArray[float64], numbers: NDArray[int64]) -> None:
    """ValueError naming the first body, by its entity, so light that an impulse gives it no finite velocity."""
    inverses = masses[:, [body_mass.OWN_INVERSE_MASS, body_mass.OWN_INVERSE_INERTIA]]
    if np.isfinite(inverses).all():
        return
    row, column = np.argwhere(~np.isfinite(inverses))[0].tolist()
    what = ("mass", "inertia")[column]
    raise ValueError(f"entity {numbers[row]}: the {what} of its RigidBody is too small: 1/{what} is infinite")


def find_off_center(masses: NDArray[float64]) -> NDArray[int32]:
    """The rows (k,) of the dynamic bodies whose centres of mass are not at their positions, ascending."""
    apart = np.abs(masses[:, body_mass.LOCAL_X]) + np.abs(masses[:, body_mass.LOCAL_Y])
    return np.flatnonzero(apart > ROUNDING * masses[:, body_mass.FARTHEST]).astype(int32)


def keep_but_for_rounding(
    masses: NDArray[float64], rows: NDArray[int32], before: NDArray[float64], transform_rows: NDArray[int32]
) -> None:
    """Put the numbers (k, MASS_COLUMNS) ``before`` a measurement back for some bodies, where these are as good.

    Colliders are measured as they are placed: the numbers of a body that has turned differ by rounding. A step must not
    depend on how often bodies were measured.
    """
    if not before.any():
        return
    x, y = Transform._columns.float64[:2, transform_rows]
    size = before[:, body_mass.FARTHEST]
    blur = _SAME * size + _EPSILONS * (np.abs(x) + np.abs(y))
    part = np.divide(blur, size, out=np.zeros_like(size), where=size > 0.0)
    bounds = np.repeat(blur[:, None], body_mass.MASS_COLUMNS, axis=1)
    bounds[:, : body_mass.LOCAL_X] = before[:, : body_mass.LOCAL_X] * part[:, None]
    now = masses[rows]
    with np.errstate(invalid="ignore"):
        masses[rows] = np.where(np.abs(now - before) <= bounds, before, now)


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
    local_x, local_y = listed.masses[bodies, body_mass.LOCAL_X], listed.masses[bodies, body_mass.LOCAL_Y]
    cos, sin = cos_sin_of(Transform._columns.float64[2, listed.rows[TRANSFORM, bodies]])
    spin = Velocity._columns.float64[2, velocity_rows[which]]
    velocities[0, which] += spin * (sin * local_x + cos * local_y)
    velocities[1, which] -= spin * (cos * local_x - sin * local_y)
    return velocities
