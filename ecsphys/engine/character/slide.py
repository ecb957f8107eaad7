"""How a mover moves: up to what blocks it, then along it; and its way out of solids.

The mover goes on a straight line until its colliders would come nearer than a thin *skin* to a solid, and the rest
of the displacement slides along the plane touched there, which may lead to another plane, and so on. A displacement
that would enter another plane when it slides along one of them is in a corner, and stops. (The way of Quake's
``PM_SlideMove``; in two dimensions its crease of two planes is a point.)

Where several planes are met at once, the most grazing one is taken: landing on a seam, the floor goes before the corner
of a tile.
"""

from __future__ import annotations

import math
from typing import Any

from ecsphys.engine.character.mover import SAME_NORMAL, Found, Mover, add_contact, cast, dot, shift
from ecsphys.engine.kernels import scalar
from ecsphys.engine.math.elementary import cosine_of, hypot

# Bits of the kinds of surfaces that a mover runs into.
FLOOR, WALL, CEILING = 1, 2, 4

# Of the cosine of the steepest floor.
_SLACK = 1e-9

MOST_SLIDES = 5
_MOST_WAYS_OUT = 8

# In skins: a shorter way does not count, and the gap that may remain when a mover has left a solid.
NO_WAY = 0.01
_LEAST_GAP = 0.5

# In skins: how far beyond the displacement's end solids are looked for, which is as long as another, and how much
# sooner than by an even approach to stop.
LOOK_AHEAD = 16.0
_AT_ONCE = 0.1
_MOST_BACK = 4.0

# Of the displacement: an approach below this is parallel.
_PARALLEL = 1e-9

# Of the length of a cast.
_ROUNDING = 1e-13

# Beside a way out that is blocked there may be another, along what blocks it, unless that is longer than this many.
_MOST_DETOUR = 10.0


@scalar
def set_up(move: Any, up_x: float, up_y: float, steepest: float) -> None:
    """Set the direction up, of any length, and the angle of the steepest floor."""
    length = hypot(up_x, up_y)
    move.up_x, move.up_y = (up_x / length, up_y / length) if length > 0.0 else (up_x, up_y)
    move.steepest, move.least_height = steepest, max(cosine_of(steepest) - _SLACK, _SLACK)


@scalar
def height_of(move: Any, x: float, y: float) -> float:
    """The part of a vector along up."""
    return dot(x, y, move.up_x, move.up_y)


@scalar
def is_floor(move: Any, x: float, y: float) -> bool:
    """Whether a surface with this normal is a floor."""
    return bool(height_of(move, x, y) >= move.least_height)


@scalar
def is_wall(move: Any, x: float, y: float) -> bool:
    """Whether it is a wall."""
    return bool(abs(height_of(move, x, y)) < move.least_height)


@scalar
def projected(x: float, y: float, normal_x: float, normal_y: float) -> tuple[float, float]:
    """The part of a vector along a plane: (v · t) t with the plane's direction t, which is exact on level ground."""
    along = y * normal_x - x * normal_y
    return -along * normal_y, along * normal_x


@scalar
def look(mover: Mover, x: float, y: float) -> tuple[Found, float]:
    """Cast ahead by (x, y) and shortly beyond, where a skin may already be reached.

    Returns the finding, and how far the mover may go until it enters a skin: infinity if it enters none. With the
    sine a of the angle at which it approaches a plane, it comes to the plane's skin by skin / a before it touches.
    Towards a curve that it will barely graze that is far too early; but the gap is a convex function of the way, so it
    stays below an even decrease from its start, and the skin is reached no later than by that.
    """
    hits = mover.work.ahead
    skin = mover.move.skin
    length = hypot(x, y)
    if length == 0.0:
        return cast(mover, 0.0, 0.0, hits), math.inf
    ahead_x = x / length
    ahead_y = y / length
    beyond = length + LOOK_AHEAD * skin
    found = cast(mover, ahead_x * beyond, ahead_y * beyond, hits)
    way = math.inf
    for k in range(found.hits):
        hit = hits[k]
        hit.stop = math.inf
        approach = -dot(ahead_x, ahead_y, hit.normal_x, hit.normal_y)
        if hit.fraction <= 1.0 and approach > _PARALLEL:
            touching = hit.fraction * beyond
            stop = max(touching - skin / approach, 0.0)
            if hit.gap > skin:
                stop = max(stop, touching * (1.0 - skin / hit.gap) - _MOST_BACK * skin)
            if stop < length:
                hit.stop, hit.touching, hit.approach = stop, touching, approach
                way = min(way, stop)
    return found, way


@scalar
def slide(mover: Mover, x: float, y: float, how: int) -> int:
    """Move by at most a displacement, out of initial overlaps first; contacts are added with the bits ``how``.

    Returns bits of the kinds of surfaces that it ran into. The rest of the displacement is written.
    """
    move, hits, planes = mover.move, mover.work.ahead, mover.work.planes
    whole = hypot(x, y)
    found, way = look(mover, x, y)
    if found.gap < _LEAST_GAP * move.skin:
        leave_solids(mover)
        found, way = look(mover, x, y)
    start_x, start_y = move.x, move.y
    first = move.contacts
    wanted_x, wanted_y = x, y
    left_x, left_y = x, y
    # How many planes it has met where it is.
    count = 0
    sides = 0
    for _ in range(MOST_SLIDES):
        length = hypot(left_x, left_y)
        if length <= _PARALLEL * whole:
            break
        if way == math.inf:
            shift(move, left_x, left_y)
            break
        met = _first_met(mover, found, way, length)
        if way > NO_WAY * move.skin:
            shift(move, left_x * way / length, left_y * way / length)
            wanted_x, wanted_y = left_x * (1.0 - way / length), left_y * (1.0 - way / length)
            count = 0
        planes[count, 0], planes[count, 1] = hits[met].normal_x, hits[met].normal_y
        count += 1
        # Contacts with the plane that stops it, and with those in line with it.
        add_contact(mover, hits[met], how)
        for k in range(found.hits):
            apart = hypot(hits[k].normal_x - hits[met].normal_x, hits[k].normal_y - hits[met].normal_y)
            if k != met and hits[k].stop <= way + _AT_ONCE * move.skin and apart < SAME_NORMAL:
                add_contact(mover, hits[k], how)
        turns, left_x, left_y = _along_planes(mover, count, wanted_x, wanted_y, x, y)
        if not turns:
            if height_of(move, wanted_x, wanted_y) < 0.0 and _hold_up(mover, count):
                sides = FLOOR
            break
        found, way = look(mover, left_x, left_y)
    for k in range(first, move.contacts):
        height = height_of(move, mover.work.contacts[k].normal_x, mover.work.contacts[k].normal_y)
        sides |= FLOOR if height >= move.least_height else CEILING if height <= -move.least_height else WALL
    move.remaining_x, move.remaining_y = x - (move.x - start_x), y - (move.y - start_y)
    return sides


@scalar
def _first_met(mover: Mover, found: Found, way: float, length: float) -> int:
    """Which of the planes ahead stops a mover that may go ``way`` of a certain length.

    Of planes whose skins are reached at once, the first touched counts (a round mover near a seam sees the edge of the
    tile behind it as a plane that leans), and among solids that are touched at once, the most grazing; of equal ones
    their normals decide.
    """
    move, hits = mover.move, mover.work.ahead
    until = way + _AT_ONCE * move.skin
    first = math.inf
    for k in range(found.hits):
        if hits[k].stop <= until:
            first = min(first, hits[k].touching)
    first = first + move.rounding + _ROUNDING * length
    met = -1
    least = math.inf, math.inf, math.inf
    for k in range(found.hits):
        key = hits[k].approach, hits[k].normal_x, hits[k].normal_y
        if hits[k].stop <= until and hits[k].touching <= first and key < least:
            met = k
            least = key
    return met


@scalar
def _along_planes(
    mover: Mover, count: int, wanted_x: float, wanted_y: float, whole_x: float, whole_y: float
) -> tuple[bool, float, float]:
    """The rest of the wanted way, of a whole one, along one of the planes without entering another.

    False in a corner.
    """
    planes = mover.work.planes
    least = -_PARALLEL * hypot(wanted_x, wanted_y)
    for k in range(count):
        if dot(wanted_x, wanted_y, planes[k, 0], planes[k, 1]) >= least:
            continue
        x, y = _along(mover.move, wanted_x, wanted_y, planes[k, 0], planes[k, 1], whole_x, whole_y)
        is_free = True
        for other in range(count):
            is_free &= dot(x, y, planes[other, 0], planes[other, 1]) >= least
        if is_free:
            return True, x, y
    return False, 0.0, 0.0


@scalar
def _hold_up(mover: Mover, count: int) -> bool:
    """Whether two planes together carry what one of them would let slide down: up = a·n + b·m with a, b > 0."""
    up_x, up_y, planes = mover.move.up_x, mover.move.up_y, mover.work.planes
    for k in range(count):
        nx, ny = planes[k, 0], planes[k, 1]
        for other in range(k + 1, count):
            mx, my = planes[other, 0], planes[other, 1]
            between = nx * my - ny * mx
            if (up_x * my - up_y * mx) * between > 0.0 and (nx * up_y - ny * up_x) * between > 0.0:
                return True
    return False


@scalar
def _along(
    move: Any, wanted_x: float, wanted_y: float, normal_x: float, normal_y: float, x: float, y: float
) -> tuple[float, float]:
    """The rest of the wanted way, of a displacement (x, y), along a plane.

    On a floor, what pulls down is spent by standing on it: only the rest moves, so that nothing slides down a slope by
    itself. A wall that leans back does not lift what runs against it. And where a floor meets a wall, neither turns the
    motion against the displacement: it would come back in the next move, and so for ever.
    """
    up_x, up_y = move.up_x, move.up_y
    height = height_of(move, wanted_x, wanted_y)
    climb = height_of(move, x, y)
    fall_x, fall_y = height * up_x, height * up_y
    if is_floor(move, normal_x, normal_y):
        if height < 0.0:
            wanted_x = wanted_x - fall_x
            wanted_y = wanted_y - fall_y
        turned_x, turned_y = projected(wanted_x, wanted_y, normal_x, normal_y)
        if dot(turned_x, turned_y, x - climb * up_x, y - climb * up_y) >= 0.0:
            return turned_x, turned_y
        return 0.0, 0.0
    turned_x, turned_y = projected(wanted_x, wanted_y, normal_x, normal_y)
    if is_wall(move, normal_x, normal_y):
        if height_of(move, turned_x, turned_y) > max(height, 0.0):
            turned_x, turned_y = fall_x, fall_y
            if height < 0.0:
                turned_x, turned_y = projected(fall_x, fall_y, normal_x, normal_y)
        if height_of(move, turned_x, turned_y) > max(climb, 0.0) + _PARALLEL * hypot(x, y):
            return 0.0, 0.0
    return turned_x, turned_y


@scalar
def leave_solids(mover: Mover) -> None:
    """Push the mover out of solids, deepest first, and a skin away from them, as far as it can.

    It goes through no other solid, and no deeper into any: between two that leave no way it stays.
    """
    for _ in range(_MOST_WAYS_OUT):
        count = cast(mover, 0.0, 0.0, mover.work.ahead).hits
        goes = False
        for _ in range(count):
            # The deepest of the untried ones: these have a gap of infinity.
            deepest = 0
            for k in range(count):
                if mover.work.ahead[k].gap < mover.work.ahead[deepest].gap:
                    deepest = k
            is_near = mover.work.ahead[deepest].gap < _LEAST_GAP * mover.move.skin
            goes = bool(is_near and _leave_one(mover, mover.work.ahead[deepest]))
            if goes or not is_near:
                break
        if not goes:
            return


@scalar
def _leave_one(mover: Mover, hit: Any) -> bool:
    """Leave one of the solids found by a cast without a displacement, and mark it as tried; False if it cannot."""
    skin, aside = mover.move.skin, mover.work.aside
    gap, normal_x, normal_y = hit.gap, hit.normal_x, hit.normal_y
    hit.gap = math.inf
    # If it is only too near: half of the free way at most, so in a passage just wide enough it stays in the middle.
    is_inside = gap < -NO_WAY * skin
    way = -gap if is_inside else skin - gap
    reach = way if is_inside else 2.0 * way
    found = cast(mover, reach * normal_x, reach * normal_y, aside)
    way *= found.fraction
    goes = way > NO_WAY * skin
    if goes:
        shift(mover.move, way * normal_x, way * normal_y)
    elif is_inside:
        goes = _leave_along(mover, normal_x, normal_y, -gap, aside[found.first])
    if goes and is_inside:
        add_contact(mover, hit, 0)
    return bool(goes)


@scalar
def _leave_along(mover: Mover, normal_x: float, normal_y: float, depth: float, blocking: Any) -> bool:
    """Leave a solid, which is ``depth`` deep, along the plane of the hit that blocks the way."""
    side_x, side_y = projected(normal_x, normal_y, blocking.normal_x, blocking.normal_y)
    # Along the plane, whose direction has the length c = cos(angle to the normal), by depth / c.
    square = dot(side_x, side_y, side_x, side_y)
    if square * _MOST_DETOUR * _MOST_DETOUR < 1.0:
        return False
    x, y = side_x * depth / square, side_y * depth / square
    part = cast(mover, x, y, mover.work.aside).fraction
    if part * depth <= NO_WAY * mover.move.skin:
        return False
    x, y = part * x, part * y
    shift(mover.move, x, y)
    # The way is by the plane where it is deepest. Round solids end sooner: back to the touch from outside.
    back = cast(mover, -x, -y, mover.work.aside).fraction
    if back < 1.0:
        shift(mover.move, -back * x, -back * y)
    return True
