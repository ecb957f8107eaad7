"""The materials and locks of bodies: the fields of ``RigidBody`` in the form for the solver."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy import int32, uint8
from numpy.typing import NDArray

from ecsphys.components.dynamics.rigid_body import RigidBody
from ecsphys.engine.dynamics.bodies import LOCK_ROTATION, LOCK_X, LOCK_Y
from ecsphys.engine.dynamics.body_mass import CHARACTER, DYNAMIC
from ecsphys.engine.dynamics.materials import MATERIAL_COLUMNS, Materials
from ecsphys.systems.world.entity_table import Slots

# More than any body's.
_UNMOVED_DOMINANCE: Final = 128

_DEFAULTS: Final = {field.name: field.default for field in RigidBody._columns.fields}

# RigidBody's fields of a material, in the order of its columns.
_SURFACE_FIELDS: Final = ("friction", "restitution", "rolling_resistance", "tangent_speed")


class BodySurfaces(NamedTuple):
    """The materials of bodies (n,), which of them may sleep, and which of their axes are locked."""

    materials: Materials
    may_sleep: NDArray[uint8]
    locks: NDArray[uint8]


def read_surfaces(rigid_rows: Slots, kind: NDArray[uint8]) -> BodySurfaces:
    """Read them from the rows (n,) of ``RigidBody``, −1 for a body without one, which has the defaults."""
    is_rigid = rigid_rows >= 0
    rows = rigid_rows[is_rigid]
    store = RigidBody._columns
    surfaces = np.empty((is_rigid.size, MATERIAL_COLUMNS))
    for column, name in enumerate(_SURFACE_FIELDS):
        surfaces[:, column] = _DEFAULTS[name]
        surfaces[is_rigid, column] = store.row_of_block(name)[rows]
    dominance = np.zeros(is_rigid.size, int32)
    dominance[is_rigid] = store.row_of_block("dominance")[rows]
    # What contacts do not move is dominated by nothing.
    dominance[(kind != DYNAMIC) & (kind != CHARACTER)] = _UNMOVED_DOMINANCE
    may_sleep = np.zeros(is_rigid.size, uint8)
    may_sleep[is_rigid] = store.row_of_block("can_sleep")[rows] != 0
    locks = np.zeros(is_rigid.size, uint8)
    for bit, name in ((LOCK_X, "lock_x"), (LOCK_Y, "lock_y"), (LOCK_ROTATION, "lock_rotation")):
        locks[is_rigid] |= (store.row_of_block(name)[rows] != 0) * uint8(bit)
    return BodySurfaces(Materials(surfaces, dominance), may_sleep, locks)
