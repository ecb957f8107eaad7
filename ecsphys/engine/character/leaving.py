"""The way out of solids that a mover overlaps, or is nearer to than its skin."""

from __future__ import annotations

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.character.ground import projected
from ecsphys.engine.character.meetings import add_contact, meeting_of
from ecsphys.engine.character.mover import (
    AHEAD,
    ASIDE,
    FINE,
    FOUND,
    GAP,
    NORMAL,
    OF_MOVE,
    SKIN,
    STATUS,
    Mover,
    dot,
    shift,
)
from ecsphys.engine.character.solid_casts import ALL, cast, first_impact, least_fraction, least_gap
from ecsphys.engine.kernels.compilation import scalar

_MOST_WAYS_OUT = 8

# In skins: a shorter way does not count, and the gap that may remain.
NO_WAY = 0.01
_LEAST_GAP = 0.5

# Beside a way out that is blocked there may be another, along what blocks it, unless that is longer than this many.
_MOST_DETOUR = 10.0


@scalar
def is_too_near(mover: Mover) -> bool:
    """Whether a solid ahead is nearer than may remain."""
    return bool(least_gap(mover, AHEAD) < _LEAST_GAP * mover.state[SKIN])


@scalar
def leave_solids(mover: Mover, pool: NDArray[float64]) -> None:
    """Push the mover out of solids, deepest first, and a skin away from them, as far as it can.

    It goes through no other solid, and no deeper into any: between two that leave no way it stays.
    """
    for _ in range(_MOST_WAYS_OUT):
        cast(mover, pool, ALL, 0.0, 0.0, AHEAD)
        if mover.counts[STATUS] != FINE or not is_too_near(mover) or not _leave_one(mover, pool):
            return


@scalar
def _leave_one(mover: Mover, pool: NDArray[float64]) -> bool:
    """Leave the deepest of the solids found by a cast without a displacement; False if it cannot leave any."""
    skin = mover.state[SKIN]
    impacts = mover.impacts
    count = mover.counts[FOUND + AHEAD]
    row = -1
    for _ in range(count):
        row = _next_deepest(mover, row)
        gap = impacts[AHEAD, row, GAP]
        if gap >= _LEAST_GAP * skin:
            return False
        normal_x = 0.0 - impacts[AHEAD, row, NORMAL]
        normal_y = 0.0 - impacts[AHEAD, row, NORMAL + 1]
        if gap >= -NO_WAY * skin:
            # Half of the free way at most: in a passage just wide enough, it stays in the middle.
            way = skin - gap
            cast(mover, pool, ALL, 2.0 * way * normal_x, 2.0 * way * normal_y, ASIDE)
            way *= least_fraction(mover, ASIDE)
        else:
            way = -gap
            cast(mover, pool, ALL, way * normal_x, way * normal_y, ASIDE)
            way *= least_fraction(mover, ASIDE)
            if way <= NO_WAY * skin and _leave_along(mover, pool, normal_x, normal_y, -gap):
                add_contact(mover, OF_MOVE, meeting_of(mover, AHEAD, row), 0)
                return True
        if way > NO_WAY * skin:
            if gap < -NO_WAY * skin:
                add_contact(mover, OF_MOVE, meeting_of(mover, AHEAD, row), 0)
            shift(mover, way * normal_x, way * normal_y)
            return True
    return False


@scalar
def _next_deepest(mover: Mover, last: int) -> int:
    """The impact with the next larger gap, the first of these; after −1 the one with the lowest."""
    impacts = mover.impacts
    best = -1
    for k in range(mover.counts[FOUND + AHEAD]):
        gap = impacts[AHEAD, k, GAP]
        if last >= 0:
            last_gap = impacts[AHEAD, last, GAP]
            if gap < last_gap or (gap == last_gap and k <= last):
                continue
        if best < 0 or gap < impacts[AHEAD, best, GAP]:
            best = k
    return best


@scalar
def _leave_along(mover: Mover, pool: NDArray[float64], normal_x: float, normal_y: float, depth: float) -> bool:
    """Leave a solid, which is ``depth`` deep, along the plane that blocks the way; the plane is in table ASIDE."""
    blocking = first_impact(mover, ASIDE)
    plane_x = 0.0 - mover.impacts[ASIDE, blocking, NORMAL]
    plane_y = 0.0 - mover.impacts[ASIDE, blocking, NORMAL + 1]
    side_x, side_y = projected(normal_x, normal_y, plane_x, plane_y)
    # Along the plane, whose direction has the length c = cos(angle to the normal), by depth / c.
    square = dot(side_x, side_y, side_x, side_y)
    if square * _MOST_DETOUR * _MOST_DETOUR < 1.0:
        return False
    way_x = side_x * depth / square
    way_y = side_y * depth / square
    cast(mover, pool, ALL, way_x, way_y, ASIDE)
    part = least_fraction(mover, ASIDE)
    if part * depth <= NO_WAY * mover.state[SKIN]:
        return False
    x = part * way_x
    y = part * way_y
    shift(mover, x, y)
    # The way is by the plane where it is deepest. Round solids end sooner: back to the touch from outside.
    cast(mover, pool, ALL, -x, -y, ASIDE)
    back = least_fraction(mover, ASIDE)
    if back < 1.0:
        shift(mover, -back * x, -back * y)
    return True
