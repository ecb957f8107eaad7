"""How a character walks: along floors, up steps, down to the floor again; and otherwise slides as any mover does.

On the floor, a move is a level one. What pulls down is spent by standing, and where the floor falls away, the character
follows it. It goes in parts of a quarter of its size, so that a fast one follows as well as a slow one.

The corner of a floor is a floor. A round foot touches it with a normal that may be as steep as a wall's. So the
surfaces beside the corner count, not this normal: see :func:`_is_floor_beside`.
"""

from __future__ import annotations

import math
from typing import Any

from ecsphys.engine.broadphase.cells import Box
from ecsphys.engine.broadphase.pairs import overlaps_box
from ecsphys.engine.character import mover as movers
from ecsphys.engine.character import slide as slides
from ecsphys.engine.character.mover import AFTER, IS_STANDING, IS_TOLD, ON, Mover, add_contact, dot, shift
from ecsphys.engine.character.slide import FLOOR, NO_WAY, height_of, is_floor, is_wall, look, slide
from ecsphys.engine.geometry.raycast import raycast_shape, scaled_direction
from ecsphys.engine.kernels import NamedTuple, scalar
from ecsphys.engine.math.elementary import hypot, tangent_of

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

# In skins: how far from the grid a character may be that is put on it.
_MOST_SNAP = 4.0

# How much a surface may lean that puts a character on its grid.
_LEVEL = 1e-9


class Landing(NamedTuple):
    """How far down there is something, infinity for nothing; the number of hits ahead, and the one that a mover comes
    down on; and whether that is a floor, by its normal, or as it is the corner of one."""

    way: float
    hits: int
    first: int
    is_floor: bool
    is_corner: bool


@scalar
def walk(mover: Mover) -> None:
    """Move by at most the displacement asked for. The mover starts on the foot ON, or in the air.

    Written are the foot AFTER, the sides of the move, its step, and contacts.
    """
    move, feet = mover.move, mover.work.feet
    x, y = move.ask_x, move.ask_y
    height = height_of(move, x, y)
    flies = feet[ON].slot < 0 or height > 0.0
    move.way_x, move.way_y = x, y
    if flies:
        movers.no_foot(feet[ON])
    else:
        # On a floor. What pulls it down is how far it would fall without one.
        pull_x, pull_y = height * move.up_x, height * move.up_y
        level_x, level_y = x - pull_x, y - pull_y
        move.way_x, move.way_y = level_x, level_y
        length = hypot(level_x, level_y)
        parts = max(math.ceil(min(length / (_PART * move.size), float(_MOST_PARTS))), 1)
        if length == 0.0:
            slides.leave_solids(mover)
        for number in range(parts):
            # A rise along a slope, or round a corner, is not a jump.
            risen = _advance(mover, level_x / parts, level_y / parts) if length > 0.0 else 0.0
            flies = not _settle(mover, -height, risen)
            if flies:
                left = float(parts - 1 - number) / float(parts)
                x, y = left * level_x + pull_x, left * level_y + pull_y
                move.way_x, move.way_y = level_x + pull_x, level_y + pull_y
                break
    if flies:
        sides = slide(mover, x, y, IS_TOLD)
        move.sides |= sides
        if sides & FLOOR != 0 or height_of(move, x, y) <= 0.0:
            below = _land(mover, _NEAR * move.skin)
            if below.is_floor and not below.is_corner:
                _stand(mover, below, IS_STANDING)
    if feet[AFTER].slot >= 0:
        move.sides |= FLOOR


@scalar
def _advance(mover: Mover, x: float, y: float) -> float:
    """Go level, or along a slope, and up steps where a wall is in the way; tell by how much it rose."""
    move, on, contacts = mover.move, mover.work.feet[ON], mover.work.contacts
    length = hypot(x, y)
    ahead_x, ahead_y = x / length, y / length
    if on.slot >= 0 and is_floor(move, on.normal_x, on.normal_y):
        x, y = slides.projected(x, y, on.normal_x, on.normal_y)
    start_x, start_y = move.x, move.y
    mark = move.contacts
    sides = slide(mover, x, y, IS_TOLD)
    for _ in range(_MOST_STEPS):
        left = dot(x, y, ahead_x, ahead_y) - dot(move.x - start_x, move.y - start_y, ahead_x, ahead_y)
        if sides & slides.WALL == 0 or left <= NO_WAY * move.skin or move.step_height <= 0.0:
            break
        before = move.contacts
        beyond = _step(mover, left * ahead_x, left * ahead_y)
        if beyond < 0:
            move.contacts = before
            break
        # It went over its obstacle.
        for k in range(mark, before):
            if contacts[k].how & IS_TOLD != 0:
                contacts[k].how = movers.IS_VOID
        mark = before
        sides = beyond
    move.sides |= sides & ~FLOOR
    return max(height_of(move, move.x - start_x, move.y - start_y), 0.0)


@scalar
def _step(mover: Mover, x: float, y: float) -> int:
    """Go up, on by (x, y), and down; −1, and nothing done, if the way leads nowhere, or not to a floor.

    Returns what it ran into beyond.
    """
    move = mover.move
    start_x, start_y = move.x, move.y
    _, way = look(mover, move.step_height * move.up_x, move.step_height * move.up_y)
    raised = min(way, move.step_height)
    if raised > 0.0:
        shift(move, raised * move.up_x, raised * move.up_y)
        sides = slide(mover, x, y, IS_TOLD)
        if dot(move.x - start_x, move.y - start_y, x, y) > NO_WAY * move.skin * hypot(x, y):
            below = _land(mover, raised)
            if below.way == math.inf:
                shift(move, -raised * move.up_x, -raised * move.up_y)
                return sides
            if below.is_floor and not _is_too_high(mover, below):
                shift(move, -below.way * move.up_x, -below.way * move.up_y)
                move.stepped += max(height_of(move, move.x - start_x, move.y - start_y), 0.0)
                mover.work.feet[ON] = mover.work.ahead[below.first]
                return sides
    move.x, move.y = start_x, start_y
    return -1


@scalar
def _is_too_high(mover: Mover, below: Landing) -> bool:
    """Whether a floor is more than a step above the mover's ground."""
    on, floor = mover.work.feet[ON], mover.work.ahead[below.first]
    climb = height_of(mover.move, floor.x - on.x, floor.y - on.y)
    return bool(on.slot >= 0 and climb > mover.move.step_height + _AS_NEAR * mover.move.skin)


@scalar
def _settle(mover: Mover, pull: float, risen: float) -> bool:
    """Follow the floor down; False if no floor is near enough."""
    move, feet = mover.move, mover.work.feet
    near = _NEAR * move.skin
    below = _land(mover, max(move.snap_distance, pull, near) + risen)
    movers.no_foot(feet[AFTER])
    if not below.is_floor or (below.is_corner and _is_too_high(mover, below)):
        return False
    shift(move, -below.way * move.up_x, -below.way * move.up_y)
    if below.way > pull + risen + near:
        move.snapped = 1
    _stand(mover, below, IS_TOLD | IS_STANDING)
    feet[ON] = feet[AFTER]
    return True


@scalar
def _land(mover: Mover, depth: float) -> Landing:
    """Look for a floor within ``depth``: of those as near, it comes down on the highest."""
    move, hits = mover.move, mover.work.ahead
    found, way = look(mover, -depth * move.up_x, -depth * move.up_y)
    first = -1
    highest = -math.inf
    for k in range(found.hits if way < math.inf else 0):
        height = height_of(move, hits[k].normal_x, hits[k].normal_y)
        if hits[k].stop <= way + _AS_NEAR * move.skin and height > highest:
            first = k
            highest = height
    is_flat = highest >= move.least_height
    is_corner = first >= 0 and not is_flat and _is_floor_beside(mover, hits[first])
    return Landing(way, found.hits, first, is_flat or is_corner, is_corner)


@scalar
def _stand(mover: Mover, below: Landing, how: int) -> None:
    """Stand on the floor that it comes down on, and add contacts with this and with all others as near."""
    move, hits = mover.move, mover.work.ahead
    until = below.way + _AS_NEAR * move.skin
    mover.work.feet[AFTER] = hits[below.first]
    add_contact(mover, hits[below.first], how)
    for k in range(below.hits):
        if k != below.first and hits[k].stop <= until and is_floor(move, hits[k].normal_x, hits[k].normal_y):
            add_contact(mover, hits[k], how)


@scalar
def _is_floor_beside(mover: Mover, touched: Any) -> bool:
    """Whether the surface beside a point that is touched with a steep normal is a floor: then the point is its corner.

    A ray looks down on that surface, from as high as a floor beside may be.
    """
    move = mover.move
    height = height_of(move, touched.normal_x, touched.normal_y)
    level_x, level_y = touched.normal_x - height * move.up_x, touched.normal_y - height * move.up_y
    length = hypot(level_x, level_y)
    if height <= 0.0 or length == 0.0:
        return False
    aside = _BESIDE * move.skin
    rise = aside * min(tangent_of(move.steepest), _STEEPEST_LOOK) + _NEAR * move.skin
    x = touched.x - aside * level_x / length + rise * move.up_x
    y = touched.y - aside * level_y / length + rise * move.up_y
    reach = 2.0 * rise + move.skin
    way = movers.swept_box(Box(x, y, x, y), -reach * move.up_x, -reach * move.up_y, 0.0)
    movers.need(mover, way)
    down_x, down_y, unit = scaled_direction(-move.up_x, -move.up_y)
    nearest = math.inf
    is_flat = False
    for row in range(move.solids):
        solid = mover.work.solids[row]
        if not overlaps_box(mover.searched.placed.boxes, solid.slot, way):
            continue
        distance, _, _, normal_x, normal_y = raycast_shape(
            mover.shapes, solid.slot, x, y, down_x, down_y, unit, True, reach
        )
        is_behind = not math.isnan(solid.one_way_x) and dot(normal_x, normal_y, solid.one_way_x, solid.one_way_y) <= 0.0
        if distance < nearest and not is_behind:
            nearest = distance
            is_flat = is_floor(move, normal_x, normal_y)
    return is_flat


@scalar
def find_walls(mover: Mover) -> None:
    """Write the nearest wall within reach on either side, without a push: first that to the left of up."""
    move, hits = mover.move, mover.work.ahead
    for side in range(2):
        length = (move.wall_reach + move.skin) * (1.0 - 2.0 * side)
        x, y = -length * move.up_y, length * move.up_x
        found = movers.cast(mover, x, y, hits)
        least = 1.0
        for k in range(found.hits):
            hit = hits[k]
            faces = is_wall(move, hit.normal_x, hit.normal_y) and dot(hit.normal_x, hit.normal_y, x, y) < 0.0
            if faces and hit.fraction <= least:
                least = hit.fraction
                mover.work.walls[2 * move.row + side] = hit


@scalar
def snap_to_grid(mover: Mover, last_x: float, last_y: float) -> None:
    """Put each coordinate on a multiple of the grid if a surface across it was touched; by how much is noted.

    Only where it is shown is a character on the grid. The next move begins where it really is, a skin away from what it
    touches: so it moves as one without a grid does. ``last`` was added after the move before: the coordinate stays on
    the grid as long as it does not move. Where the character would overlap a solid there, nothing is done.
    """
    move, contacts = mover.move, mover.work.contacts
    before_x, before_y = move.x, move.y
    for axis in range(2):
        is_x = axis == 0
        place, shifted, last = (move.place_x, move.x, last_x) if is_x else (move.place_y, move.y, last_y)
        is_stopped = last != 0.0 and shifted == -last
        for k in range(move.first_contact, move.contacts):
            is_stopped |= abs(contacts[k].normal_x if is_x else contacts[k].normal_y) >= 1.0 - _LEVEL
        on_grid = math.floor((place + shifted) / move.grid + 0.5) * move.grid
        if is_stopped and abs(on_grid - (place + shifted)) <= _MOST_SNAP * move.skin:
            # So that the sum is the very multiple.
            after = on_grid - place
            after = after + (on_grid - (place + after))
            move.x, move.y = (after, move.y) if is_x else (move.x, after)
            if movers.cast(mover, 0.0, 0.0, mover.work.ahead).gap < 0.0:
                move.x, move.y = (shifted, move.y) if is_x else (move.x, shifted)
    move.snap_x, move.snap_y = move.x - before_x, move.y - before_y
