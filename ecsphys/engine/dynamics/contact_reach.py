"""How far ahead contacts are looked for: as far as bodies move in a step."""

from __future__ import annotations

import math

from ecsphys.engine.contact.reach import REACH_MOST, REACH_TURNING, REACH_X, REACH_Y
from ecsphys.engine.dynamics.bodies import OMEGA, VX, VY, BodyRows
from ecsphys.engine.kernels.array_types import Float64Rows, Int32s
from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.shapes.layout import CX, CY, EXTENT, ShapeArrays


@scalar
def find_reach(
    order: Int32s, body_of: Int32s, placed: ShapeArrays, bodies: BodyRows, dt: float, most: float, reach: Float64Rows
) -> None:
    """Write for each slot in ``order`` how far its collider moves in ``dt`` seconds, at ``most``: a row of
    :mod:`~ecsphys.engine.contact.reach`, zeros for those of no body."""
    rows = bodies.bodies
    shapes = placed.shapes
    for i in range(order.shape[0]):
        slot = int(order[i]) + 0
        b = int(body_of[slot]) + 0
        x = 0.0
        y = 0.0
        turning = 0.0
        if b > 0:
            x = rows[b, VX] * dt
            y = rows[b, VY] * dt
            turning = abs(rows[b, OMEGA]) * dt
            if turning > 0.0:
                away = math.sqrt(shapes[slot, CX] * shapes[slot, CX] + shapes[slot, CY] * shapes[slot, CY])
                turning *= away + shapes[slot, EXTENT]
        reach[slot, REACH_X] = x
        reach[slot, REACH_Y] = y
        reach[slot, REACH_TURNING] = turning
        reach[slot, REACH_MOST] = most
