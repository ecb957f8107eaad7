"""Moving characters: whole moves, of one mover or of many, one after the other, in one call.

A character is carried and pushed first, then it walks by itself; other movers slide. If there is too little room for a
mover's results, neither it nor the movers after it are moved: the caller makes room and calls again, from this one on.
"""

from __future__ import annotations

import math
from typing import Any

from ecsphys.engine.character import mover as movers
from ecsphys.engine.character import walk as walks
from ecsphys.engine.character.mover import AFTER, ON, Journal, Memories, MoveArrays, Mover, Rules, dot
from ecsphys.engine.character.slide import CEILING, FLOOR, LOOK_AHEAD, WALL, height_of, set_up, slide
from ecsphys.engine.hits.hit_order import find_number
from ecsphys.engine.hits.hit_tracking import Velocities
from ecsphys.engine.hits.touches import TOUCHES, TouchArrays, add_touch
from ecsphys.engine.kernels import Float64Rows, NamedTuple, kernel, scalar
from ecsphys.engine.math.elementary import hypot
from ecsphys.engine.shapes.placement import ASIDE_COUNT, TRANSFORM_X, TRANSFORM_Y, shift_shape
from ecsphys.engine.spatial.searched_world import SearchedWorld, shapes_of
from ecsphys.engine.tables.collider_slots import PRESENT

# Columns of the memories, for snapshots.
SINCE, REVISION = 0, 1
STOOD_ON = 5
MEMORY_NUMBERS, MEMORY_VALUES = 2, 14

# Rows of the block of Character.
_SLOPE_LIMIT, _STEP_HEIGHT, _SNAP_DISTANCE, _UP_X, _UP_Y, _PUSH_FORCE, _MASS, _WALL_REACH, _GRID = range(9)

# For a mover that slides, a surface is a floor if its normal is within this angle of up.
_FLOOR_ANGLE = math.pi / 4

# In skins: how deep in a solid a character is crushed, and one that bodies rest on, as these overlap it a little.
_CRUSHED, _CRUSHED_BY_BODIES = 1.0, 100.0

# How a call ended: well; room is needed for the work, in the memories, in the journal or for touches; too many
# colliders are unfiled; or the fault of a mover, or of a one-way solid.
FINE, NO_ROOM, NO_MEMORIES, NO_JOURNAL, NO_TOUCHES, MANY_ASIDE = range(6)
NO_COLLIDER, BAD_CHARACTER, BAD_ONE_WAY, OUT_OF_RANGE = 10, 11, 12, 13

# Of the sum of a mover's sides: how far around its way solids are gathered, and in its first move.
_AROUND, _AROUND_AT_FIRST = 0.25, 2.0


class MoveSettings(NamedTuple):
    """The movers from ``first`` to ``end``; the time, and the seconds by which this step has moved things already, 0
    between steps; how boxes are padded; and how many solids may be in the small grid of changed ones."""

    first: int
    end: int
    clock: float
    since_start: float
    padding: float
    most_aside: int


@kernel
def move_all(
    searched: SearchedWorld,
    rules: Rules,
    velocities: Velocities,
    journal: Journal,
    memories: Memories,
    touches: TouchArrays,
    transforms: Float64Rows,
    work: MoveArrays,
    settings: MoveSettings,
) -> tuple[int, int, int]:
    """Move entities in their order: each sees where those before it are.

    Returns how many are done, counted from the very first, why it is not all of them, and how much room is needed. All
    are checked before any is moved. Written besides ``work`` are the journal, the memories, the touches, transforms,
    and where colliders are placed.
    """
    moves = work.moves
    for place in range(rules.one_way.shape[0] if settings.first == 0 else 0):
        row = rules.one_way_rows[place]
        if not 0.0 < hypot(rules.one_way_normals[0, row], rules.one_way_normals[1, row]) < math.inf:
            return place, BAD_ONE_WAY, 0
    for k in range(settings.end if settings.first == 0 else 0):
        why = _read_settings(searched, rules, moves[k])
        if why != FINE:
            return k, why, 0
    for k in range(settings.first, settings.end):
        if k > settings.first and rules.notes.counts[ASIDE_COUNT] > settings.most_aside:
            return k, MANY_ASIDE, 0
        move = moves[k]
        shapes = shapes_of(searched)
        mover = Mover(move, work, searched, shapes, rules, velocities, journal, memories, touches)
        movers.begin_move(mover, int(moves[k - 1].contacts) if k > 0 else 0)
        move.row = k
        movers.no_foot(work.walls[2 * k])
        movers.no_foot(work.walls[2 * k + 1])
        is_first = False
        if move.walks != 0:
            lacking = _find_memory(mover)
            if lacking > 0:
                return k, NO_MEMORIES, lacking
            is_first = settings.since_start > 0.0 and memories.numbers[move.memory].revision < 0
        move.margin = (
            (_AROUND_AT_FIRST if is_first else _AROUND) * (move.max_x - move.min_x + (move.max_y - move.min_y))
            + max(move.step_height, move.snap_distance, move.wall_reach)
            + LOOK_AHEAD * move.skin
        )
        movers.gather_solids(mover)
        if move.walks != 0:
            _walk(mover, settings.clock, settings.since_start if is_first else 0.0)
        else:
            move.way_x, move.way_y = move.ask_x, move.ask_y
            move.sides = slide(mover, move.ask_x, move.ask_y, movers.IS_TOLD)
        movers.put_colliders(mover, 0.0, 0.0)
        why, needed = _lacking(mover)
        if why != FINE:
            return k, why, needed
        if not (abs(move.place_x + move.x) < math.inf and abs(move.place_y + move.y) < math.inf):
            return k, OUT_OF_RANGE, 0
        move.on_floor, move.on_wall = int(move.sides & FLOOR != 0), int(move.sides & WALL != 0)
        move.on_ceiling = int(move.sides & CEILING != 0)
        if move.walks != 0:
            _remember(mover, settings.clock)
        _report(mover)
        _put_mover(mover, transforms, settings.padding)
    return settings.end, FINE, 0


@scalar
def _read_settings(searched: SearchedWorld, rules: Rules, move: Any) -> int:
    """Read how an entity moves; returns FINE, or its fault."""
    colliders, block = searched.colliders, rules.character_block
    this = int(rules.entities.head[move.owner]) if move.owner >= 0 else -1
    while this >= 0 and (colliders.absence[this] != PRESENT or colliders.sensor[this] != 0):
        this = int(colliders.following[this])
    if this < 0:
        return NO_COLLIDER
    move.step_height = move.snap_distance = move.wall_reach = move.grid = 0.0
    move.has_mass = 0
    set_up(move, move.ask_up_x, move.ask_up_y, _FLOOR_ANGLE)
    if move.walks == 0:
        return FINE
    place = find_number(rules.characters, rules.entities.entity[move.owner])
    if place < 0:
        return BAD_CHARACTER
    row = rules.character_rows[place]
    for field in range(rules.low.shape[0]):
        if not rules.low[field] <= block[field, row] <= rules.high[field]:
            return BAD_CHARACTER
    if not hypot(block[_UP_X, row], block[_UP_Y, row]) > 0.0:
        return BAD_CHARACTER
    set_up(move, block[_UP_X, row], block[_UP_Y, row], block[_SLOPE_LIMIT, row])
    move.step_height, move.snap_distance = block[_STEP_HEIGHT, row], block[_SNAP_DISTANCE, row]
    move.wall_reach, move.grid = block[_WALL_REACH, row], block[_GRID, row]
    move.has_mass = int(block[_MASS, row] > 0.0)
    return FINE


@scalar
def _find_memory(mover: Mover) -> int:
    """Find the row of the memory of a character, a new one for another transform; returns how much room is needed, 0
    if there is enough."""
    owner, memories, since = mover.move.owner, mover.memories, mover.rules.placed_since
    if owner >= memories.row_of.shape[0]:
        return int(owner) + 1
    row = int(memories.row_of[owner]) + 0
    if row < 0:
        row = int(memories.counts[movers.ROWS])
        if row == memories.numbers.shape[0]:
            return row + 1
        memories.row_of[owner], memories.owner[row] = row, owner
        memories.numbers[row].since = -1
        memories.counts[movers.ROWS] = row + 1
    numbers = memories.numbers[row]
    if numbers.since != since[owner]:
        numbers.since, numbers.revision = since[owner], -1
    mover.move.memory = row
    return 0


@scalar
def _walk(mover: Mover, clock: float, since_start: float) -> None:
    """Move a character, which is laid out with its solids; ``since_start`` is above 0 in its first move in a step."""
    move, feet = mover.move, mover.work.feet
    memory = mover.memories.values[move.memory]
    revision = mover.memories.numbers[move.memory].revision
    is_known = revision >= 0
    was_left_here = is_known and hypot(move.place_x - memory.place_x, move.place_y - memory.place_y) <= move.skin
    stood_on = int(memory.slot) if is_known else -1
    last_x, last_y = (memory.snap_x, memory.snap_y) if was_left_here else (0.0, 0.0)
    movers.shift(move, -last_x, -last_y)
    if stood_on >= 0 and was_left_here:
        colliders = mover.searched.colliders
        is_same = colliders.absence[stood_on] == PRESENT and colliders.entity[stood_on] == memory.entity
        if is_same and movers.may_block(mover, stood_on):
            movers.copy_foot(feet[ON], memory)
    falls = stood_on < 0 and was_left_here and height_of(move, move.ask_x, move.ask_y) <= 0.0
    elapsed = clock - (memory.clock if is_known else 0.0)
    walks.let_drop(mover, falls)
    if since_start > 0.0:
        elapsed = since_start
        walks.begin_riding(mover, since_start)
    elif is_known:
        walks.find_moved(mover, revision)
    walks.carry_and_push(mover, elapsed)
    feet[ON].x += move.carried_x
    feet[ON].y += move.carried_y
    start_x, start_y = move.x, move.y
    walks.walk(mover)
    move.remaining_x, move.remaining_y = move.ask_x - (move.x - start_x), move.ask_y - (move.y - start_y)
    floor = feet[AFTER]
    if floor.slot >= 0 and elapsed > 0.0:
        way_x, way_y = walks.taken_by(mover, floor.slot, floor.x, floor.y, True)
        belt_x, belt_y = walks.belt_velocity(mover, floor)
        move.floor_velocity_x, move.floor_velocity_y = way_x / elapsed + belt_x, way_y / elapsed + belt_y
    elif floor.slot >= 0 and stood_on >= 0 and memory.entity == floor.entity:
        move.floor_velocity_x, move.floor_velocity_y = memory.floor_vx, memory.floor_vy
    depth = (_CRUSHED_BY_BODIES if move.has_mass != 0 else _CRUSHED) * move.skin
    if movers.cast(mover, 0.0, 0.0, mover.work.ahead).gap < -depth:
        move.inside_since = memory.inside_since if was_left_here and memory.inside_since >= 0.0 else clock
    # A body that has just moved into it is stopped at the end of this step: one that crushes it is there in the next.
    move.crushed = int(move.inside_since >= 0.0 and (move.has_mass == 0 or move.inside_since < clock))
    if move.wall_reach > 0.0:
        walks.find_walls(mover)
    if move.grid > 0.0:
        walks.snap_to_grid(mover, last_x, last_y)


@scalar
def _lacking(mover: Mover) -> tuple[int, int]:
    """What there is too little room for in the results of a move, and how much is needed; (FINE, 0) for nothing."""
    move, memories, journal, touches = mover.move, mover.memories, mover.journal, mover.touches
    if move.needed > 0:
        return NO_ROOM, int(move.needed)
    dropped, count = int(memories.counts[movers.PAIRS] + move.dropped), int(move.contacts - move.first_contact) + 1
    if dropped > memories.dropped.shape[0]:
        return NO_MEMORIES, dropped
    if journal.numbers[movers.ENTRIES] + move.own > journal.slots.shape[0]:
        return NO_JOURNAL, int(move.own)
    return (NO_TOUCHES, count) if touches.counts[TOUCHES] + count > touches.numbers.shape[0] else (FINE, 0)


@scalar
def _remember(mover: Mover, clock: float) -> None:
    """Keep the data that the next move needs; there must be room."""
    move, memories, journal = mover.move, mover.memories, mover.journal.numbers
    memory, dropped = memories.values[move.memory], memories.dropped
    memories.numbers[move.memory].revision = journal[movers.DROPPED] + journal[movers.ENTRIES]
    memory.place_x, memory.place_y, memory.clock = move.place_x + move.x, move.place_y + move.y, clock
    memory.floor_vx, memory.floor_vy = move.floor_velocity_x, move.floor_velocity_y
    memory.snap_x, memory.snap_y, memory.inside_since = move.snap_x, move.snap_y, move.inside_since
    movers.copy_foot(memory, mover.work.feet[AFTER])
    count = 0
    for k in range(memories.counts[movers.PAIRS]):
        if dropped[k, 0] != move.entity:
            dropped[count, 0], dropped[count, 1] = dropped[k, 0], dropped[k, 1]
            count += 1
    for k in range(move.dropped):
        dropped[count, 0], dropped[count, 1] = move.entity, mover.work.dropped[k]
        count += 1
    memories.counts[movers.PAIRS] = count


@scalar
def _report(mover: Mover) -> None:
    """Merge the contacts of a move, list them as touches for the narrowphase, and keep the ones to report.

    Each surface of an entity is told once, at the first place where it was met. If the mover stands on a surface that
    is not told, the last place counts.
    """
    move, contacts, touches, floor = mover.move, mover.work.contacts, mover.touches, mover.work.feet[AFTER]
    move.floor, move.floor_normal_x, move.floor_normal_y = floor.entity, floor.normal_x, floor.normal_y
    first, merged = int(move.first_contact), int(move.first_contact)
    for k in range(first, move.contacts):
        met, how = contacts[k], contacts[k].how
        is_new = how & movers.IS_VOID == 0
        for other in range(first, merged if is_new else first):
            listed = contacts[other]
            apart = hypot(met.normal_x - listed.normal_x, met.normal_y - listed.normal_y)
            if listed.entity != met.entity or apart > movers.SAME_NORMAL:
                continue
            is_told, stands = listed.how & movers.IS_TOLD != 0, how & movers.IS_STANDING != 0
            is_same = listed.own == met.own and listed.slot == met.slot
            if is_same and (listed.how & movers.IS_STANDING != 0) == stands:
                if stands and not is_told:
                    listed.x, listed.y = met.x, met.y
                is_new = is_told if stands else how & movers.IS_TOLD != 0 and not is_told
                if not is_new:
                    break
            if is_told:
                how &= movers.IS_STANDING
        if is_new:
            contacts[merged] = met
            contacts[merged].how = how
            merged += 1
    # In place of another collider, a mark: the mover was moved.
    mark = mover.work.ahead[0]
    movers.no_foot(mark)
    mark.own = mover.work.own[0]
    add_touch(touches, mark, int(move.entity), 0.0)
    told = first
    for k in range(first, merged):
        met = contacts[k]
        closing = 0.0
        if met.how & movers.IS_STANDING == 0:
            # How far both came nearer along the normal before they met.
            gone_x, gone_y = walks.taken_by(mover, met.slot, met.x, met.y, False)
            way_x, way_y = move.way_x + move.carry_x - gone_x, move.way_y + move.carry_y - gone_y
            closing = max(-dot(way_x, way_y, met.normal_x, met.normal_y), 0.0)
        add_touch(touches, met, int(move.entity), closing)
        if met.how & movers.IS_TOLD != 0:
            contacts[told] = met
            told += 1
    move.contacts = told


@scalar
def _put_mover(mover: Mover, transforms: Float64Rows, padding: float) -> None:
    """Write where the mover is: its transform, and where its colliders are placed."""
    move, searched, rules = mover.move, mover.searched, mover.rules
    x, y = move.place_x + move.x, move.place_y + move.y
    transforms[TRANSFORM_X, move.transform_row], transforms[TRANSFORM_Y, move.transform_row] = x, y
    this = int(rules.entities.head[move.owner]) if x != move.place_x or y != move.place_y else -1
    while this >= 0:
        if searched.colliders.absence[this] == PRESENT:
            if movers.is_solid(mover, this):
                walks.note_pose(mover, this)
            shift_shape(this, x, y, padding, searched.placed, searched.pool, rules.notes)
        this = int(searched.colliders.following[this]) + 0
