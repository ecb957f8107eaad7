"""How a character walks: along floors, up steps, down to the floor again; and otherwise slides as any mover does.

On the floor, a move is a level one. What pulls down is spent by standing, and where the floor falls away, the character
follows it. It goes in parts of a quarter of its size, so that a fast one follows as well as a slow one.

The corner of a floor is a floor. A round foot touches it with a normal that may be as steep as a wall's. So the
surfaces beside the corner count, not this normal: see :func:`_is_floor_beside`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.character.ground import Ground, is_floor, projected
from ecsphys.engine.character.leaving import NO_WAY, leave_solids
from ecsphys.engine.character.meetings import add_contacts, add_impact
from ecsphys.engine.character.mover import (
    AHEAD,
    ASIDE,
    FINE,
    FLOOR,
    FRACTION,
    HIGHEST,
    IMPACT,
    IS_STANDING,
    IS_TOLD,
    LANDED,
    OF_MOVE,
    OF_SLIDE,
    OF_STEP,
    ON_CEILING,
    ON_FLOOR,
    ON_WALL,
    PLANE_NORMAL,
    SIZE,
    SKIN,
    SNAPPED,
    STATUS,
    STEPPED,
    STOP,
    SUPPORT,
    WAY,
    Mover,
    Support,
    X,
    Y,
    dot,
    no_support,
    put_support,
    shift,
    support_at,
    support_of,
)
from ecsphys.engine.character.slide import find_planes, least_stop, looked_ahead, slide
from ecsphys.engine.character.solid_casts import ALL, THE_DISC, cast, first_impact, least_gap, put_disc
from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.math.cos_sin import tangent_of
from ecsphys.engine.math.elementary import hypot

_MOST_PARTS = 16
_MOST_STEPS = 8

# Of the mover's size: how far it walks before the floor is looked for again.
_PART = 0.25

# In skins: how near a floor must be to stand on it, which floors are as near, and how far it looks beside a corner.
_NEAR = 4.0
_AS_NEAR = 1.0
_BESIDE = 4.0

# Beside a corner of steep floors it looks up at most so many times as far as sideways.
_STEEPEST_LOOK = 20.0


class Gait(NamedTuple):
    """How a character walks: its slope limit, how high a step it climbs, how far down it follows the floor; how
    deep in a solid it is crushed, in skins, and whether bodies feel its mass; how far beside it walls are looked for;
    and the grid on which it stops, 0 for none."""

    ground: Ground
    step_height: float
    snap_distance: float
    crushed: float
    has_mass: bool
    wall_reach: float
    grid: float


@scalar
def walk(mover: Mover, pool: NDArray[float64], gait: Gait, x: float, y: float) -> None:
    """Move by at most a displacement. The mover starts on its SUPPORT, or in the air without one.

    Written are FLOOR, its support after the move; ON_FLOOR, ON_WALL, ON_CEILING, SNAPPED, STEPPED and its contacts.
    """
    state, counts, ground = mover.state, mover.counts, gait.ground
    up_x, up_y = ground.up_x, ground.up_y
    put_support(state, FLOOR, no_support())
    height = dot(x, y, up_x, up_y)
    flies = state[SUPPORT] < 0.0 or height > 0.0
    state[WAY], state[WAY + 1] = x, y
    if flies:
        put_support(state, SUPPORT, no_support())
    else:
        # On a floor. What pulls it down is how far it would fall without one.
        pull = -height
        level_x = x - height * up_x
        level_y = y - height * up_y
        state[WAY], state[WAY + 1] = level_x, level_y
        length = hypot(level_x, level_y)
        parts = 1
        if length > 0.0:
            parts = max(math.ceil(min(length / (_PART * state[SIZE]), float(_MOST_PARTS))), 1)
        else:
            leave_solids(mover, pool)
        for number in range(parts):
            # A rise along a slope, or round a corner, is not a jump.
            risen = _advance(mover, pool, gait, level_x / parts, level_y / parts) if length > 0.0 else 0.0
            if counts[STATUS] != FINE:
                return
            flies = not _settle(mover, pool, gait, pull, risen)
            if flies:
                left = float(parts - 1 - number) / float(parts)
                x = left * level_x - pull * up_x
                y = left * level_y - pull * up_y
                state[WAY] = level_x - pull * up_x
                state[WAY + 1] = level_y - pull * up_y
                break
    if flies:
        on_floor, on_wall, on_ceiling, _, _ = slide(mover, pool, ground, x, y, OF_SLIDE)
        _tell(mover, OF_SLIDE, on_wall, on_ceiling)
        if on_floor:
            counts[ON_FLOOR] = 1
        if on_floor or dot(x, y, up_x, up_y) <= 0.0:
            way, floor = _landing(mover, pool, ground, _NEAR * state[SKIN])
            if floor.slot >= 0 and is_floor(ground, floor.normal_x, floor.normal_y):
                put_support(state, FLOOR, floor)
                _add_floors(mover, ground, way, IS_STANDING)
    if state[FLOOR] >= 0.0:
        counts[ON_FLOOR] = 1


@scalar
def _tell(mover: Mover, contacts: int, on_wall: bool, on_ceiling: bool) -> None:
    if on_wall:
        mover.counts[ON_WALL] = 1
    if on_ceiling:
        mover.counts[ON_CEILING] = 1
    add_contacts(mover, contacts, True)


@scalar
def _advance(mover: Mover, pool: NDArray[float64], gait: Gait, x: float, y: float) -> float:
    """Go level, or along a slope, and up steps where a wall is in the way; tell by how much it rose."""
    state, ground = mover.state, gait.ground
    length = hypot(x, y)
    ahead_x = x / length
    ahead_y = y / length
    way_x = x
    way_y = y
    support = support_at(state, SUPPORT)
    if support.slot >= 0 and is_floor(ground, support.normal_x, support.normal_y):
        way_x, way_y = projected(x, y, support.normal_x, support.normal_y)
    start_x, start_y = state[X], state[Y]
    _, on_wall, on_ceiling, _, _ = slide(mover, pool, ground, way_x, way_y, OF_SLIDE)
    told = OF_SLIDE
    for _ in range(_MOST_STEPS):
        left = dot(way_x, way_y, ahead_x, ahead_y) - dot(state[X] - start_x, state[Y] - start_y, ahead_x, ahead_y)
        if not on_wall or left <= NO_WAY * state[SKIN] or gait.step_height <= 0.0:
            break
        other = OF_STEP if told == OF_SLIDE else OF_SLIDE
        is_beyond, wall_beyond, ceiling_beyond = _step(mover, pool, gait, left * ahead_x, left * ahead_y, other)
        if not is_beyond:
            break
        on_wall, on_ceiling, told = wall_beyond, ceiling_beyond, other
    _tell(mover, told, on_wall, on_ceiling)
    return max(dot(state[X] - start_x, state[Y] - start_y, ground.up_x, ground.up_y), 0.0)


@scalar
def _step(mover: Mover, pool: NDArray[float64], gait: Gait, x: float, y: float, to: int) -> tuple[bool, bool, bool]:
    """Go up, on by (x, y), and down; False, and nothing done, where that leads nowhere, or not to a floor.

    Returns also whether it ran into a wall and a ceiling beyond; the contacts there are written to a list.
    """
    state = mover.state
    up_x, up_y = gait.ground.up_x, gait.ground.up_y
    start_x, start_y = state[X], state[Y]
    height = gait.step_height
    ahead_x, ahead_y = looked_ahead(mover, height * up_x, height * up_y)
    cast(mover, pool, ALL, ahead_x, ahead_y, AHEAD)
    raised = min(least_stop(mover, find_planes(mover, height * up_x, height * up_y, height)), height)
    shift(mover, raised * up_x, raised * up_y)
    if raised > 0.0:
        _, on_wall, on_ceiling, _, _ = slide(mover, pool, gait.ground, x, y, to)
        progress = dot(state[X] - start_x, state[Y] - start_y, x, y)
        if progress > NO_WAY * state[SKIN] * hypot(x, y):
            way, floor = _landing(mover, pool, gait.ground, raised)
            if way == math.inf:
                shift(mover, -raised * up_x, -raised * up_y)
                return True, on_wall, on_ceiling
            if floor.slot >= 0 and not _is_too_high(mover, gait, floor):
                shift(mover, -way * up_x, -way * up_y)
                state[STEPPED] += max(dot(state[X] - start_x, state[Y] - start_y, up_x, up_y), 0.0)
                put_support(state, SUPPORT, floor)
                return True, on_wall, on_ceiling
    shift(mover, start_x - state[X], start_y - state[Y])
    return False, False, False


@scalar
def _is_too_high(mover: Mover, gait: Gait, floor: Support) -> bool:
    """Whether a floor is more than a step above its support."""
    support = support_at(mover.state, SUPPORT)
    if support.slot < 0:
        return False
    climb = dot(floor.x - support.x, floor.y - support.y, gait.ground.up_x, gait.ground.up_y)
    return bool(climb > gait.step_height + _AS_NEAR * mover.state[SKIN])


@scalar
def _settle(mover: Mover, pool: NDArray[float64], gait: Gait, pull: float, risen: float) -> bool:
    """Follow the floor down; False if no floor is near enough."""
    state, ground = mover.state, gait.ground
    near = _NEAR * state[SKIN]
    way, floor = _landing(mover, pool, ground, max(gait.snap_distance, pull, near) + risen)
    if floor.slot >= 0 and not is_floor(ground, floor.normal_x, floor.normal_y) and _is_too_high(mover, gait, floor):
        floor = no_support()
    put_support(state, FLOOR, floor)
    if floor.slot < 0:
        return False
    shift(mover, -way * ground.up_x, -way * ground.up_y)
    if way > pull + risen + near:
        mover.counts[SNAPPED] = 1
    put_support(state, SUPPORT, floor)
    _add_floors(mover, ground, way, IS_TOLD | IS_STANDING)
    return True


@scalar
def _add_floors(mover: Mover, ground: Ground, way: float, how: int) -> None:
    """Add the floors that :func:`_landing` has found so far down: first the highest, then all others as near."""
    planes, state, best = mover.planes, mover.state, mover.counts[HIGHEST]
    add_impact(mover, int(planes[best, IMPACT]), OF_MOVE, how)
    for k in range(mover.counts[LANDED]):
        is_as_near = planes[k, STOP] <= way + _AS_NEAR * state[SKIN]
        if k != best and is_as_near and is_floor(ground, planes[k, PLANE_NORMAL], planes[k, PLANE_NORMAL + 1]):
            add_impact(mover, int(planes[k, IMPACT]), OF_MOVE, how)


@scalar
def _landing(mover: Mover, pool: NDArray[float64], ground: Ground, depth: float) -> tuple[float, Support]:
    """How far down there is something, infinity if not within ``depth``; and the floor there if it is one."""
    planes = mover.planes
    x = -depth * ground.up_x
    y = -depth * ground.up_y
    ahead_x, ahead_y = looked_ahead(mover, x, y)
    cast(mover, pool, ALL, ahead_x, ahead_y, AHEAD)
    count = find_planes(mover, x, y, depth)
    if count == 0:
        return math.inf, no_support()
    way = least_stop(mover, count)
    best = -1
    highest = -math.inf
    for k in range(count):
        if planes[k, STOP] <= way + _AS_NEAR * mover.state[SKIN]:
            height = dot(planes[k, PLANE_NORMAL], planes[k, PLANE_NORMAL + 1], ground.up_x, ground.up_y)
            if height > highest:
                best = k
                highest = height
    mover.counts[LANDED] = count
    mover.counts[HIGHEST] = best
    floor = support_of(mover, AHEAD, int(planes[best, IMPACT]))
    if is_floor(ground, floor.normal_x, floor.normal_y):
        return way, floor
    rise = _put_disc_beside(mover, ground, floor)
    if rise > 0.0:
        cast(mover, pool, THE_DISC, -2.0 * rise * ground.up_x, -2.0 * rise * ground.up_y, ASIDE)
        if _is_floor_beside(mover, ground):
            return way, floor
    return way, no_support()


@scalar
def _put_disc_beside(mover: Mover, ground: Ground, floor: Support) -> float:
    """Put the disc above the surface beside a point that is touched with a steep normal; returns how far above.

    0 where no floor can begin there.
    """
    up_x, up_y = ground.up_x, ground.up_y
    skin = mover.state[SKIN]
    height = dot(floor.normal_x, floor.normal_y, up_x, up_y)
    level_x = floor.normal_x - height * up_x
    level_y = floor.normal_y - height * up_y
    length = hypot(level_x, level_y)
    if height <= 0.0 or length == 0.0:
        return 0.0
    aside = _BESIDE * skin
    rise = aside * min(tangent_of(ground.steepest), _STEEPEST_LOOK) + _NEAR * skin
    put_disc(mover, floor.x - aside * level_x / length + rise * up_x, floor.y - aside * level_y / length + rise * up_y)
    return float(rise)


@scalar
def _is_floor_beside(mover: Mover, ground: Ground) -> bool:
    """Whether the disc has come down on a floor: then the point beside it is the corner of one."""
    if least_gap(mover, ASIDE) < 0.0:
        return False
    first = first_impact(mover, ASIDE)
    if first < 0 or mover.impacts[ASIDE, first, FRACTION] > 1.0:
        return False
    beside = support_of(mover, ASIDE, first)
    return is_floor(ground, beside.normal_x, beside.normal_y)
