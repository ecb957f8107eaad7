"""The walls beside a character: found without a push, and without a move."""

from __future__ import annotations

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.character.ground import Ground, is_wall
from ecsphys.engine.character.mover import (
    AHEAD,
    CONTACT_COLUMNS,
    CONTACT_NORMAL,
    CONTACT_POINT,
    ENTITY,
    FOUND,
    FRACTION,
    NORMAL,
    OF_ENTITY,
    POINT,
    SKIN,
    SOLID,
    WALLS,
    Mover,
    dot,
)
from ecsphys.engine.character.solid_casts import ALL, cast
from ecsphys.engine.kernels.compilation import scalar


@scalar
def find_walls(mover: Mover, pool: NDArray[float64], ground: Ground, reach: float) -> None:
    """Write the nearest wall within reach on either side to WALLS, first that to the left of up."""
    state = mover.state
    length = reach + state[SKIN]
    for side in range(2):
        turned = length if side == 0 else -length
        x = -turned * ground.up_y
        y = turned * ground.up_x
        cast(mover, pool, ALL, x, y, AHEAD)
        nearest = _nearest_wall(mover, ground, x, y)
        if nearest < 0:
            continue
        impacts = mover.impacts
        first = WALLS + side * CONTACT_COLUMNS
        state[first + OF_ENTITY] = mover.numbers[int(impacts[AHEAD, nearest, SOLID]), ENTITY]
        for axis in range(2):
            state[first + CONTACT_NORMAL + axis] = 0.0 - impacts[AHEAD, nearest, NORMAL + axis]
            state[first + CONTACT_POINT + axis] = impacts[AHEAD, nearest, POINT + axis]


@scalar
def _nearest_wall(mover: Mover, ground: Ground, x: float, y: float) -> int:
    """The impact with the nearest wall on the way (x, y), −1 for none."""
    impacts = mover.impacts
    nearest = -1
    least = 1.0
    for k in range(mover.counts[FOUND + AHEAD]):
        normal_x = 0.0 - impacts[AHEAD, k, NORMAL]
        normal_y = 0.0 - impacts[AHEAD, k, NORMAL + 1]
        if dot(normal_x, normal_y, x, y) >= 0.0 or not is_wall(ground, normal_x, normal_y):
            continue
        if impacts[AHEAD, k, FRACTION] <= least:
            least = impacts[AHEAD, k, FRACTION]
            nearest = k
    return nearest
