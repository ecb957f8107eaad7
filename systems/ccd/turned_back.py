"""Bodies that are turned back to where they were stopped: their centres of mass keep their velocities."""

from __future__ import annotations

from numpy import float64, int32
from numpy.typing import NDArray

from ecsphys.components.motion.transform import Transform, Velocity
from ecsphys.engine.dynamics.body_mass import LOCAL_X, LOCAL_Y
from ecsphys.engine.math.elementwise import cos_sin_of
from ecsphys.engine.tables.entity_rows import TRANSFORM, VELOCITY
from ecsphys.systems.dynamics.body_table import BodyTable


def keep_center_velocities(table: BodyTable, bodies: NDArray[int32], before: NDArray[float64]) -> None:
    """Change the velocities of dynamic bodies (k,), by their rows, that had the angles ``before`` (k,) until now.

    The component's velocity is that of the position: v = v_centre − ω × r, and r has been turned back.
    """
    masses = table.listed.masses[bodies]
    x, y = masses[:, LOCAL_X], masses[:, LOCAL_Y]
    rows = table.listed.rows[VELOCITY, bodies]
    cos, sin = cos_sin_of(before)
    cos_now, sin_now = cos_sin_of(Transform._columns.float64[2, table.listed.rows[TRANSFORM, bodies]])
    cos, sin = cos - cos_now, sin - sin_now
    vx, vy, angular = Velocity._columns.float64
    spin = angular[rows]
    vx[rows] -= spin * (sin * x + cos * y)
    vy[rows] += spin * (cos * x - sin * y)
