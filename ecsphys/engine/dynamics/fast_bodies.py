"""Which bodies moved so far in a step that they may have passed through something."""

from __future__ import annotations

import math

from ecsphys.engine.dynamics.bodies import DTHETA, DX, DY, OMEGA, VX, VY, BodyRows
from ecsphys.engine.dynamics.body_mass import DYNAMIC, FARTHEST, KINEMATIC, THICKNESS
from ecsphys.engine.dynamics.body_state import BodyList
from ecsphys.engine.kernels.array_types import Int32Rows, Int32s, Uint8s
from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.kernels.index import index
from ecsphys.engine.math.elementary import hypot

# A body is fast if one of its points moved farther than this part of its thickness. A slower one has its middle still
# on the side of a wall from which it came, so its contact pushes it back to that side.
_FAST_PART = 0.5


@scalar
def mark_fast_bodies(
    listed: BodyList, which: Int32Rows, island: Int32s, bodies: BodyRows, dt: float, is_fast: Uint8s
) -> int:
    """Mark which of some bodies, runs (k, 2) of rows, moved farther in a step of ``dt`` seconds than half their
    thickness; returns how many did. Only dynamic bodies that are awake and kinematic ones are marked.

    No point moves farther than the centre of mass moves and than the farthest point turns.
    """
    count = 0
    for run in range(which.shape[0]):
        for b in range(index(which[run, 0]), index(which[run, 1])):
            is_fast[b] = 0
            kind = listed.kind[b]
            row = bodies.bodies[b]
            if kind == DYNAMIC and island[b] < 0:
                moved = hypot(row[DX], row[DY])
                turned = abs(row[DTHETA])
            elif kind == KINEMATIC:
                moved = dt * hypot(row[VX], row[VY])
                turned = dt * abs(row[OMEGA])
            else:
                continue
            farthest = listed.masses[b, FARTHEST]
            way = moved + min(turned, math.pi) * farthest
            if way > _FAST_PART * listed.masses[b, THICKNESS]:
                is_fast[b] = 1
                count += 1
    return count
