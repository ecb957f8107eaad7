"""How a mover moves: up to what blocks it, then along it.

The mover goes on a straight line until its colliders would come nearer than a thin *skin* to a solid, and what is left
of the displacement slides along the plane touched there, which may lead to another plane, and so on. A displacement
that would enter another plane when it slides along one of them is in a corner, and stops. (The way of Quake's
``PM_SlideMove``; in two dimensions its crease of two planes is a point.)

Where several planes are met at once, the most grazing one is taken: landing on a seam, the floor goes before the corner
of a tile.
"""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.character.ground import Ground, is_ceiling, is_floor, is_wall, projected
from ecsphys.engine.character.leaving import NO_WAY, is_too_near, leave_solids
from ecsphys.engine.character.meetings import add_impact
from ecsphys.engine.character.mover import (
    AHEAD,
    APPROACH,
    CONTACT_NORMAL,
    CONTACTS,
    FINE,
    FOUND,
    FRACTION,
    GAP,
    HOW,
    IMPACT,
    IS_TOLD,
    NORMAL,
    PLANE_NORMAL,
    PLANES,
    ROUNDING,
    SAME_NORMAL,
    SKIN,
    STATUS,
    STOP,
    TOUCHING_AT,
    Mover,
    X,
    Y,
    dot,
    shift,
)
from ecsphys.engine.character.solid_casts import ALL, cast
from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.math.elementary import hypot

_MOST_SLIDES = 5

# In skins: how far beyond the displacement's end solids are looked for, which is as long as another, and how much
# sooner than by an even approach to stop.
LOOK_AHEAD = 16.0
_AT_ONCE = 0.1
_MOST_BACK = 4.0

# Of the displacement: an approach below this is parallel.
_PARALLEL = 1e-9

# Of the length of a cast.
_ROUNDING = 1e-13


@scalar
def slide(
    mover: Mover, pool: NDArray[float64], ground: Ground, x: float, y: float, to: int
) -> tuple[bool, bool, bool, float, float]:
    """Move by at most a displacement, out of initial overlaps first; the contacts are written to a list.

    Returns whether it ran into a floor, a wall, a ceiling, and how far it was moved by the displacement.
    """
    state, counts = mover.state, mover.counts
    skin = state[SKIN]
    counts[CONTACTS + to] = 0
    ahead_x, ahead_y = looked_ahead(mover, x, y)
    cast(mover, pool, ALL, ahead_x, ahead_y, AHEAD)
    if is_too_near(mover):
        leave_solids(mover, pool)
        cast(mover, pool, ALL, ahead_x, ahead_y, AHEAD)
    start_x, start_y = state[X], state[Y]
    whole = hypot(x, y)
    wanted_x, wanted_y = x, y
    left_x, left_y = x, y
    planes = 0
    held = False
    for _ in range(_MOST_SLIDES):
        length = hypot(left_x, left_y)
        if length <= _PARALLEL * whole or counts[STATUS] != FINE:
            break
        count = find_planes(mover, left_x, left_y, length)
        if count == 0:
            shift(mover, left_x, left_y)
            break
        way = least_stop(mover, count)
        met = _first_met(mover, count, way, length)
        if way > NO_WAY * skin:
            shift(mover, left_x * way / length, left_y * way / length)
            wanted_x, wanted_y = left_x * (1.0 - way / length), left_y * (1.0 - way / length)
            planes = 0
        normal_x, normal_y = mover.planes[met, PLANE_NORMAL], mover.planes[met, PLANE_NORMAL + 1]
        state[PLANES + 2 * planes] = normal_x
        state[PLANES + 2 * planes + 1] = normal_y
        planes += 1
        _add_planes(mover, count, way, met, to)
        turns, turned_x, turned_y = _along_planes(state, planes, wanted_x, wanted_y, ground, x, y)
        if not turns:
            held = dot(wanted_x, wanted_y, ground.up_x, ground.up_y) < 0.0 and _hold_up(state, planes, ground)
            break
        left_x, left_y = turned_x, turned_y
        ahead_x, ahead_y = looked_ahead(mover, left_x, left_y)
        cast(mover, pool, ALL, ahead_x, ahead_y, AHEAD)
    on_floor = held
    on_wall = False
    on_ceiling = False
    contacts = mover.contacts
    for k in range(counts[CONTACTS + to]):
        if int(contacts[to, k, HOW]) & IS_TOLD == 0:
            continue
        normal_x, normal_y = contacts[to, k, CONTACT_NORMAL], contacts[to, k, CONTACT_NORMAL + 1]
        on_floor |= is_floor(ground, normal_x, normal_y)
        on_wall |= is_wall(ground, normal_x, normal_y)
        on_ceiling |= is_ceiling(ground, normal_x, normal_y)
    return on_floor, on_wall, on_ceiling, state[X] - start_x, state[Y] - start_y


@scalar
def looked_ahead(mover: Mover, x: float, y: float) -> tuple[float, float]:
    """A way (x, y) and shortly beyond its end, where a skin may already be reached."""
    length = hypot(x, y)
    if length == 0.0:
        return 0.0, 0.0
    further = length + LOOK_AHEAD * mover.state[SKIN]
    return x / length * further, y / length * further


@scalar
def find_planes(mover: Mover, x: float, y: float, length: float) -> int:
    """Find the planes whose skins a mover would enter on a way of a certain length, from what is ahead.

    Of each is written where the mover has to stop and where it would touch, in units from the start; how steep it comes
    there; the impact; and the normal towards the mover. Returns how many there are.

    With the sine a of the angle at which it approaches a plane, it comes to the plane's skin by skin / a before it
    touches. Towards a curve that it will barely graze that is far too early; but the gap is a convex function of the
    way, so it stays below an even decrease from its start, and the skin is reached no later than by that.
    """
    skin = mover.state[SKIN]
    impacts, planes = mover.impacts, mover.planes
    cast_length = length + LOOK_AHEAD * skin
    ahead_x = x / length
    ahead_y = y / length
    count = 0
    for row in range(mover.counts[FOUND + AHEAD]):
        fraction = impacts[AHEAD, row, FRACTION]
        if fraction > 1.0:
            continue
        normal_x = 0.0 - impacts[AHEAD, row, NORMAL]
        normal_y = 0.0 - impacts[AHEAD, row, NORMAL + 1]
        approach = -dot(ahead_x, ahead_y, normal_x, normal_y)
        if approach > _PARALLEL:
            touching = fraction * cast_length
            stop = max(touching - skin / approach, 0.0)
            gap = impacts[AHEAD, row, GAP]
            if gap > skin:
                stop = max(stop, touching * (1.0 - skin / gap) - _MOST_BACK * skin)
            if stop < length:
                planes[count, STOP] = stop
                planes[count, TOUCHING_AT] = touching
                planes[count, APPROACH] = approach
                planes[count, IMPACT] = row
                planes[count, PLANE_NORMAL] = normal_x
                planes[count, PLANE_NORMAL + 1] = normal_y
                count += 1
    return count


@scalar
def least_stop(mover: Mover, count: int) -> float:
    """How far the mover may go until it enters a plane's skin."""
    way = math.inf
    for k in range(count):
        way = min(way, mover.planes[k, STOP])
    return way


@scalar
def _first_met(mover: Mover, count: int, way: float, length: float) -> int:
    """Which of the planes stops a mover that may go ``way`` of a certain length.

    Of planes whose skins are reached at once, the first touched counts (a round mover near a seam sees the edge of the
    tile behind it as a plane that leans), and of those that are touched at once, the most grazing.
    """
    state, planes = mover.state, mover.planes
    until = way + _AT_ONCE * state[SKIN]
    first = math.inf
    for k in range(count):
        if planes[k, STOP] <= until:
            first = min(first, planes[k, TOUCHING_AT])
    first = first + state[ROUNDING] + _ROUNDING * length
    met = -1
    for k in range(count):
        if planes[k, STOP] <= until and planes[k, TOUCHING_AT] <= first and (met < 0 or _goes_before(planes, k, met)):
            met = k
    return met


@scalar
def _goes_before(planes: NDArray[float64], a: int, b: int) -> bool:
    """Whether plane a is more grazing than plane b; of equal ones their normals decide."""
    if planes[a, APPROACH] != planes[b, APPROACH]:
        return bool(planes[a, APPROACH] < planes[b, APPROACH])
    if planes[a, PLANE_NORMAL] != planes[b, PLANE_NORMAL]:
        return bool(planes[a, PLANE_NORMAL] < planes[b, PLANE_NORMAL])
    return bool(planes[a, PLANE_NORMAL + 1] < planes[b, PLANE_NORMAL + 1])


@scalar
def _add_planes(mover: Mover, count: int, way: float, met: int, to: int) -> None:
    """Add the contact of the plane that stops the mover after ``way``, and of those in line with it, to a list."""
    planes = mover.planes
    until = way + _AT_ONCE * mover.state[SKIN]
    normal_x, normal_y = planes[met, PLANE_NORMAL], planes[met, PLANE_NORMAL + 1]
    add_impact(mover, int(planes[met, IMPACT]), to, IS_TOLD)
    for k in range(count):
        if k != met and planes[k, STOP] <= until:
            apart = hypot(planes[k, PLANE_NORMAL] - normal_x, planes[k, PLANE_NORMAL + 1] - normal_y)
            if apart < SAME_NORMAL:
                add_impact(mover, int(planes[k, IMPACT]), to, IS_TOLD)


@scalar
def _along_planes(
    state: NDArray[float64], planes: int, wanted_x: float, wanted_y: float, ground: Ground, x: float, y: float
) -> tuple[bool, float, float]:
    """What is left of the wanted way along one of the planes without entering another; False in a corner."""
    least = -_PARALLEL * hypot(wanted_x, wanted_y)
    for k in range(planes):
        normal_x, normal_y = state[PLANES + 2 * k], state[PLANES + 2 * k + 1]
        if dot(wanted_x, wanted_y, normal_x, normal_y) < least:
            turned_x, turned_y = _along(wanted_x, wanted_y, normal_x, normal_y, ground, x, y)
            is_free = True
            for other in range(planes):
                other_x, other_y = state[PLANES + 2 * other], state[PLANES + 2 * other + 1]
                is_free &= dot(turned_x, turned_y, other_x, other_y) >= least
            if is_free:
                return True, turned_x, turned_y
    return False, 0.0, 0.0


@scalar
def _hold_up(state: NDArray[float64], planes: int, ground: Ground) -> bool:
    """Whether two planes together carry what one of them would let slide down: up = a·n + b·m with a, b > 0."""
    up_x, up_y = ground.up_x, ground.up_y
    for k in range(planes):
        nx, ny = state[PLANES + 2 * k], state[PLANES + 2 * k + 1]
        for other in range(k + 1, planes):
            mx, my = state[PLANES + 2 * other], state[PLANES + 2 * other + 1]
            between = nx * my - ny * mx
            if (up_x * my - up_y * mx) * between > 0.0 and (nx * up_y - ny * up_x) * between > 0.0:
                return True
    return False


@scalar
def _along(
    wanted_x: float, wanted_y: float, normal_x: float, normal_y: float, ground: Ground, x: float, y: float
) -> tuple[float, float]:
    """What is left of the wanted way, the rest of a displacement (x, y), along a plane.

    On a floor, what pulls down is spent by standing on it: only the rest moves, so that nothing slides down a slope by
    itself. A wall that leans back does not lift what runs against it. And where a floor meets a wall, neither turns the
    motion against the displacement: it would come back in the next move, and so for ever.
    """
    up_x, up_y = ground.up_x, ground.up_y
    height = dot(wanted_x, wanted_y, up_x, up_y)
    falling_x = height * up_x
    falling_y = height * up_y
    climb = dot(x, y, up_x, up_y)
    if is_floor(ground, normal_x, normal_y):
        if height < 0.0:
            wanted_x = wanted_x - falling_x
            wanted_y = wanted_y - falling_y
        turned_x, turned_y = projected(wanted_x, wanted_y, normal_x, normal_y)
        if dot(turned_x, turned_y, x - climb * up_x, y - climb * up_y) >= 0.0:
            return turned_x, turned_y
        return 0.0, 0.0
    turned_x, turned_y = projected(wanted_x, wanted_y, normal_x, normal_y)
    if is_wall(ground, normal_x, normal_y):
        if dot(turned_x, turned_y, up_x, up_y) > max(height, 0.0):
            turned_x, turned_y = falling_x, falling_y
            if height < 0.0:
                turned_x, turned_y = projected(falling_x, falling_y, normal_x, normal_y)
        if dot(turned_x, turned_y, up_x, up_y) > max(climb, 0.0) + _PARALLEL * hypot(x, y):
            return 0.0, 0.0
    return turned_x, turned_y
