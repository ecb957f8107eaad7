"""Hands the loads of a step to the joints' components."""

from __future__ import annotations

from ecsphys.engine.kernels.array_types import Float64Rows, Int32s, Int64s
from ecsphys.engine.kernels.compilation import kernel
from ecsphys.engine.kernels.index import index


@kernel
def hand_out_loads(totals: Float64Rows, dt: float, places: Int64s, rows: Int32s, loads: Float64Rows) -> None:
    """Write force and torque of the joints at some ``places`` (k,) to the ``rows`` (k,) of their class.

    ``totals`` (joints, 3) are the impulses over the step of ``dt`` seconds, ``loads`` (rows, 3) of a class.
    """
    for k in range(places.shape[0]):
        place = index(places[k])
        row = index(rows[k])
        for axis in range(3):
            loads[row, axis] = totals[place, axis] / dt
