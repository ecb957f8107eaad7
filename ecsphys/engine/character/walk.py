"""How a character walks: along floors, up steps, down to the floor again; and otherwise slides as any mover does.

On the floor, a move is a level one. What pulls down is spent by standing, and where the floor falls away, the character
follows it. It goes in parts of a quarter of its size, so that a fast one follows as well as a slow one.

The corner of a floor is a floor. A round foot touches it with a normal that may be as steep as a wall's. So the
surfaces beside the corner count, not this normal: see :func:`_is_floor_beside`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ecsphys.engine.broadphase.cells import Box
from ecsphys.engine.broadphase.pairs import overlaps_box
from ecsphys.engine.character import mover as movers
from ecsphys.engine.character.mover import (
    AFTER,
    FINE,
    IS_STANDING,
    IS_TOLD,
    IS_VOID,
    ON,
    Mover,
    Support,
    add_contact,
    cast,
    dot,
    no_support,
    put_support,
    shift,
    support_at,
)
from ecsphys.engine.character.slide import (
    NO_WAY,
    Ground,
    height_of,
    is_floor,
    is_wall,
    leave_solids,
    look,
    projected,
    slide,
)
from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.math.cos_sin import tangent_of
from ecsphys.engine.math.elementary import hypot
from ecsphys.engine.ray.raycast import raycast_shape, scaled_direction

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


class Landing(NamedTuple):
    """How far down there is something, infinity for nothing; the floor, if it is one; and the number of hits ahead, and
    the one that it comes down on."""

    way: float
    floor: Support
    count: int
    first: int


@scalar
def walk(mover: Mover, gait: Gait) -> None:
    """Move by at most the displacement asked for. The mover starts on the solid that it walks on, or in the air.

    Written are what it stands on after the move, the flags of the state, what it stepped, and contacts.
    """
    arrays, ground = mover.arrays, gait.ground
    state, feet = arrays.state[0], arrays.feet
    x, y = state.ask_x, state.ask_y
    height = height_of(ground, x, y)
    flies = feet[ON].slot < 0 or height > 0.0
    state.way_x, state.way_y = x, y
    if flies:
        put_support(feet[ON], no_support())
    else:
        # On a floor. What pulls it down is how far it would fall without one.
        pull_x, pull_y = height * ground.up_x, height * ground.up_y
        level_x, level_y = x - pull_x, y - pull_y
        state.way_x, state.way_y = level_x, level_y
        length = hypot(level_x, level_y)
        parts = max(math.ceil(min(length / (_PART * state.size), float(_MOST_PARTS))), 1)
        if length == 0.0:
            leave_solids(mover)
        for number in range(parts):
            # A rise along a slope, or round a corner, is not a jump.
            risen = _advance(mover, gait, level_x / parts, level_y / parts) if length > 0.0 else 0.0
            if state.status != FINE:
                return
            flies = not _settle(mover, gait, -height, risen)
            if flies:
                left = float(parts - 1 - number) / float(parts)
                x, y = left * level_x + pull_x, left * level_y + pull_y
                state.way_x, state.way_y = level_x + pull_x, level_y + pull_y
                break
    if flies:
        on_floor, on_wall, on_ceiling, _, _ = slide(mover, ground, x, y, IS_TOLD)
        state.on_wall |= on_wall
        state.on_ceiling |= on_ceiling
        state.on_floor |= on_floor
        if on_floor or height_of(ground, x, y) <= 0.0:
            below = _land(mover, ground, _NEAR * state.skin)
            floor = below.floor
            if floor.slot >= 0 and is_floor(ground, floor.normal_x, floor.normal_y):
                put_support(feet[AFTER], floor)
                _add_floors(mover, ground, below, IS_STANDING)
    if feet[AFTER].slot >= 0:
        state.on_floor = 1


@scalar
def _advance(mover: Mover, gait: Gait, x: float, y: float) -> float:
    """Go level, or along a slope, and up steps where a wall is in the way; tell by how much it rose."""
    arrays, ground = mover.arrays, gait.ground
    state = arrays.state[0]
    length = hypot(x, y)
    ahead_x, ahead_y = x / length, y / length
    support = support_at(arrays.feet[ON])
    if support.slot >= 0 and is_floor(ground, support.normal_x, support.normal_y):
        x, y = projected(x, y, support.normal_x, support.normal_y)
    start_x, start_y = state.x, state.y
    mark = state.contacts
    _, on_wall, on_ceiling, _, _ = slide(mover, ground, x, y, IS_TOLD)
    for _ in range(_MOST_STEPS):
        left = dot(x, y, ahead_x, ahead_y) - dot(state.x - start_x, state.y - start_y, ahead_x, ahead_y)
        if not on_wall or left <= NO_WAY * state.skin or gait.step_height <= 0.0:
            break
        before = state.contacts
        is_beyond, wall_beyond, ceiling_beyond = _step(mover, gait, left * ahead_x, left * ahead_y)
        if not is_beyond:
            state.contacts = before
            break
        # It went over what it had run into.
        for k in range(mark, before):
            if arrays.contacts[k].how & IS_TOLD != 0:
                arrays.contacts[k].how = IS_VOID
        mark = before
        on_wall, on_ceiling = wall_beyond, ceiling_beyond
    state.on_wall |= on_wall
    state.on_ceiling |= on_ceiling
    return max(height_of(ground, state.x - start_x, state.y - start_y), 0.0)


@scalar
def _step(mover: Mover, gait: Gait, x: float, y: float) -> tuple[bool, bool, bool]:
    """Go up, on by (x, y), and down; False, and nothing done, where that leads nowhere, or not to a floor.

    Returns also whether it ran into a wall and a ceiling beyond.
    """
    state, ground = mover.arrays.state[0], gait.ground
    start_x, start_y = state.x, state.y
    up_x, up_y = gait.step_height * ground.up_x, gait.step_height * ground.up_y
    _, way = look(mover, up_x, up_y)
    raised = min(way, gait.step_height)
    shift(state, raised * ground.up_x, raised * ground.up_y)
    if raised > 0.0:
        _, on_wall, on_ceiling, _, _ = slide(mover, ground, x, y, IS_TOLD)
        if dot(state.x - start_x, state.y - start_y, x, y) > NO_WAY * state.skin * hypot(x, y):
            below = _land(mover, ground, raised)
            if below.way == math.inf:
                shift(state, -raised * ground.up_x, -raised * ground.up_y)
                return True, on_wall, on_ceiling
            if below.floor.slot >= 0 and not _is_too_high(mover, gait, below.floor):
                shift(state, -below.way * ground.up_x, -below.way * ground.up_y)
                state.stepped += max(height_of(ground, state.x - start_x, state.y - start_y), 0.0)
                put_support(mover.arrays.feet[ON], below.floor)
                return True, on_wall, on_ceiling
    state.x, state.y = start_x, start_y
    return False, False, False


@scalar
def _is_too_high(mover: Mover, gait: Gait, floor: Support) -> bool:
    """Whether a floor is more than a step above what the mover walks on."""
    on = support_at(mover.arrays.feet[ON])
    climb = height_of(gait.ground, floor.x - on.x, floor.y - on.y)
    return bool(on.slot >= 0 and climb > gait.step_height + _AS_NEAR * mover.arrays.state[0].skin)


@scalar
def _settle(mover: Mover, gait: Gait, pull: float, risen: float) -> bool:
    """Follow the floor down; False if no floor is near enough."""
    state, feet, ground = mover.arrays.state[0], mover.arrays.feet, gait.ground
    near = _NEAR * state.skin
    below = _land(mover, ground, max(gait.snap_distance, pull, near) + risen)
    floor = below.floor
    if floor.slot >= 0 and not is_floor(ground, floor.normal_x, floor.normal_y) and _is_too_high(mover, gait, floor):
        floor = no_support()
    put_support(feet[AFTER], floor)
    if floor.slot < 0:
        return False
    shift(state, -below.way * ground.up_x, -below.way * ground.up_y)
    if below.way > pull + risen + near:
        state.snapped = 1
    put_support(feet[ON], floor)
    _add_floors(mover, ground, below, IS_TOLD | IS_STANDING)
    return True


@scalar
def _land(mover: Mover, ground: Ground, depth: float) -> Landing:
    """Look for a floor within ``depth``: of those as near, it comes down on the highest."""
    hits = mover.arrays.ahead
    found, way = look(mover, -depth * ground.up_x, -depth * ground.up_y)
    if way == math.inf:
        return Landing(way, no_support(), 0, -1)
    first = -1
    highest = -math.inf
    for k in range(found.count):
        height = height_of(ground, hits[k].normal_x, hits[k].normal_y)
        if hits[k].stop <= way + _AS_NEAR * mover.arrays.state[0].skin and height > highest:
            first = k
            highest = height
    floor = support_at(hits[first])
    if not (is_floor(ground, floor.normal_x, floor.normal_y) or _is_floor_beside(mover, ground, floor)):
        floor = no_support()
    return Landing(way, floor, found.count, first)


@scalar
def _add_floors(mover: Mover, ground: Ground, below: Landing, how: int) -> None:
    """Add contacts of the floors that a mover comes down on: first the highest, then all others as near."""
    arrays = mover.arrays
    hits = arrays.ahead
    until = below.way + _AS_NEAR * arrays.state[0].skin
    add_contact(arrays, hits[below.first], how)
    for k in range(below.count):
        if k != below.first and hits[k].stop <= until and is_floor(ground, hits[k].normal_x, hits[k].normal_y):
            add_contact(arrays, hits[k], how)


@scalar
def _is_floor_beside(mover: Mover, ground: Ground, floor: Support) -> bool:
    """Whether the surface beside a point that is touched with a steep normal is a floor: then the point is its corner.

    A ray looks down on that surface, from as high as a floor beside may be.
    """
    arrays = mover.arrays
    state = arrays.state[0]
    height = height_of(ground, floor.normal_x, floor.normal_y)
    level_x, level_y = floor.normal_x - height * ground.up_x, floor.normal_y - height * ground.up_y
    length = hypot(level_x, level_y)
    if height <= 0.0 or length == 0.0:
        return False
    aside = _BESIDE * state.skin
    rise = aside * min(tangent_of(ground.steepest), _STEEPEST_LOOK) + _NEAR * state.skin
    x = floor.x - aside * level_x / length + rise * ground.up_x
    y = floor.y - aside * level_y / length + rise * ground.up_y
    reach = 2.0 * rise + state.skin
    way = movers.swept_box(Box(x, y, x, y), -reach * ground.up_x, -reach * ground.up_y, 0.0)
    movers.need(arrays, way)
    down_x, down_y, unit = scaled_direction(-ground.up_x, -ground.up_y)
    nearest = math.inf
    is_flat = False
    for row in range(state.solids):
        solid = arrays.solids[row]
        if solid.passes != 0 or not overlaps_box(mover.bounds, solid.slot, way):
            continue
        distance, _, _, normal_x, normal_y = raycast_shape(
            mover.shapes, solid.slot, x, y, down_x, down_y, unit, True, reach
        )
        is_behind = not math.isnan(solid.one_way_x) and dot(normal_x, normal_y, solid.one_way_x, solid.one_way_y) <= 0.0
        if distance < nearest and not is_behind:
            nearest = distance
            is_flat = is_floor(ground, normal_x, normal_y)
    return is_flat


@scalar
def find_walls(mover: Mover, ground: Ground, reach: float) -> None:
    """Write the nearest wall within reach on either side, without a push: first that to the left of up."""
    hits = mover.arrays.ahead
    length = reach + mover.arrays.state[0].skin
    for side in range(2):
        turned = length if side == 0 else -length
        x, y = -turned * ground.up_y, turned * ground.up_x
        found = cast(mover, x, y, hits)
        nearest = -1
        least = 1.0
        for k in range(found.count):
            normal_x, normal_y = hits[k].normal_x, hits[k].normal_y
            is_ahead = dot(normal_x, normal_y, x, y) < 0.0 and is_wall(ground, normal_x, normal_y)
            if is_ahead and hits[k].fraction <= least:
                least = hits[k].fraction
                nearest = k
        if nearest >= 0:
            put_support(mover.arrays.walls[side], support_at(hits[nearest]))


@scalar
def snap_to_grid(mover: Mover, grid: float, last_x: float, last_y: float) -> None:
    """Put each coordinate on a multiple of ``grid`` if a surface across it was touched; by how much is noted.

    Only where it is shown is a character on the grid. The next move begins where it really is, a skin away from what it
    touches: so it moves as one without a grid does. ``last`` was added after the move before: the coordinate stays on
    the grid as long as it does not move. Where the character would overlap a solid there, nothing is done.
    """
    state = mover.arrays.state[0]
    x = _on_grid(mover, grid, state.place_x, state.x, last_x, 0)
    before = state.x
    state.x = x
    if x != before and cast(mover, 0.0, 0.0, mover.arrays.ahead).gap < 0.0:
        state.x = before
    state.snap_x = state.x - before
    y = _on_grid(mover, grid, state.place_y, state.y, last_y, 1)
    before = state.y
    state.y = y
    if y != before and cast(mover, 0.0, 0.0, mover.arrays.ahead).gap < 0.0:
        state.y = before
    state.snap_y = state.y - before


@scalar
def _on_grid(mover: Mover, grid: float, place: float, shifted: float, last: float, axis: int) -> float:
    """The shift that puts a coordinate on the grid, or the present one."""
    arrays = mover.arrays
    is_stopped = last != 0.0 and shifted == -last
    for k in range(arrays.state[0].contacts):
        across = arrays.contacts[k].normal_x if axis == 0 else arrays.contacts[k].normal_y
        is_stopped |= abs(across) >= 1.0 - _LEVEL
    on_grid = math.floor((place + shifted) / grid + 0.5) * grid
    if not is_stopped or not abs(on_grid - (place + shifted)) <= _MOST_SNAP * arrays.state[0].skin:
        return shifted
    after = on_grid - place
    # So that the sum is the very multiple.
    return after + (on_grid - (place + after))
