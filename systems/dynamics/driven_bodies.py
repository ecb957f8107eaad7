"""Kinematic bodies have moved before the solver runs. Their contacts are found where they began the step."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy import bool_, int32, int64
from numpy.typing import NDArray

from ecsphys.components.motion.transform import Transform
from ecsphys.engine.dynamics.bodies import OMEGA, VX, VY, BodyRows
from ecsphys.engine.dynamics.body_mass import KINEMATIC
from ecsphys.engine.math.elementwise import cos_sin_of
from ecsphys.engine.tables.entity_rows import PARENT, TRANSFORM

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState

Found = TypeVar("Found")

_NO_ROWS: NDArray[int64] = np.zeros(0, int64)


def found_before_motion(state: PhysicsState, rows: BodyRows, dt: float, find: Callable[[], Found]) -> Found:
    """The result of ``find`` while kinematic bodies and their children are at their places of ``dt`` seconds ago.

    The velocities in ``rows`` give the way back. Shapes that are placed meanwhile stay there until they are placed the
    next time.
    """
    driven, bodies = _driven(state, rows)
    if not driven.size:
        return find()
    transforms = Transform._columns.float64
    ends = transforms[:, driven]
    origins = transforms[:, state.body_table.listed.rows[TRANSFORM, bodies]]
    vx, vy, omega = rows.bodies[bodies][:, (VX, VY, OMEGA)].T
    cos, sin = cos_sin_of(-omega * dt)
    x, y = ends[:2] - origins[:2]
    try:
        state.begin_moving()
        Transform._columns.mark_written(driven)
        transforms[0, driven] = ends[0] - vx * dt + (cos * x - sin * y - x)
        transforms[1, driven] = ends[1] - vy * dt + (sin * x + cos * y - y)
        transforms[2, driven] = ends[2] - omega * dt
        return find()
    finally:
        Transform._columns.mark_written(driven)
        transforms[:, driven] = ends


def _driven(state: PhysicsState, rows: BodyRows) -> tuple[NDArray[int64], NDArray[int64]]:
    """The rows of Transform that kinematic bodies take along in this step, and the body of each."""
    table, tables = state.body_table, state.tables
    slots, listed = tables.colliders.slots, table.listed
    kinematic = (listed.kind == KINEMATIC).nonzero()[0]
    moving = kinematic[(rows.bodies[kinematic][:, (VX, VY, OMEGA)] != 0.0).any(axis=1)] if kinematic.size else kinematic
    if not moving.size:
        return _NO_ROWS, _NO_ROWS
    if tables.entities.instances[PARENT].count:
        moves = np.zeros(len(table), bool_)
        moves[moving] = True
        colliders = np.flatnonzero((table.body_of > 0) & moves[table.body_of]).astype(int32)
    else:
        colliders = tables.colliders_of(listed.owner[moving])
        colliders = colliders[table.body_of[colliders] > 0]
    own, first = np.unique(slots.transform_row[colliders], return_index=True)
    return own.astype(int64), table.body_of[colliders[first]].astype(int64)
