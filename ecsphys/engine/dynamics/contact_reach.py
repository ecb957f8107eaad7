"""How far ahead contacts are looked for: as far as bodies move in a step."""

from __future__ import annotations

import math

from ecsphys.engine.dynamics.bodies import OMEGA, VX, VY, BodyRows
from ecsphys.engine.kernels.array_types import Float64s, Int32s
from ecsphys.engine.kernels.compilation import kernel
from ecsphys.engine.shapes.layout import CX, CY, EXTENT, ShapeArrays


@kernel
def find_reach(
    order: Int32s, body_of: Int32s, placed: ShapeArrays, bodies: BodyRows, dt: float, most: float, reach: Float64s
) -> None:
    """Write for each slot in ``order`` how far any point of its collider moves in ``dt`` seconds, at ``most``; 0 for
    those of no body."""
    rows = bodies.bodies
    shapes = placed.shapes
    for i in range(order.shape[0]):
        slot = int(order[i]) + 0
        b = int(body_of[slot]) + 0
        if b <= 0:
            reach[slot] = 0.0
            continue
        speed = math.sqrt(rows[b, VX] * rows[b, VX] + rows[b, VY] * rows[b, VY])
        turning = abs(rows[b, OMEGA])
        if turning > 0.0:
            away = math.sqrt(shapes[slot, CX] * shapes[slot, CX] + shapes[slot, CY] * shapes[slot, CY])
            speed += turning * (away + shapes[slot, EXTENT])
        reach[slot] = min(speed * dt, most)
