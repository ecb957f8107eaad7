"""Moving characters: whole moves, of one mover or of many, one after the other, in one call.

A character is carried and pushed first, then it walks by itself; other movers slide. If there is too little room for a
mover's results, neither it nor the movers after it are moved: the caller makes room and calls again, from this one on.
"""

from __future__ import annotations

import math

from ecsphys.engine.character import carrying
from ecsphys.engine.character import mover as movers
from ecsphys.engine.character.mover import AFTER, FINE, ON, Gait, Journal, Memories, Mover, Rules, dot
from ecsphys.engine.character.slide import FLOOR_ANGLE, LOOK_AHEAD, ground_of, height_of, slide
from ecsphys.engine.character.walk import find_walls, snap_to_grid, walk
from ecsphys.engine.hits.contact_scene import Velocities
from ecsphys.engine.hits.touches import TOUCHES, TouchArrays, add_touch
from ecsphys.engine.kernels import Float64Rows, NamedTuple, kernel, packed, scalar
from ecsphys.engine.math.elementary import hypot
from ecsphys.engine.math.sorted_numbers import find_number
from ecsphys.engine.shapes.placement import ASIDE_COUNT, TRANSFORM_X, TRANSFORM_Y, shift_shape
from ecsphys.engine.spatial.searched_world import SearchedWorld, shapes_of
from ecsphys.engine.tables.collider_slots import PRESENT

# Columns of the memories, for snapshots.
SINCE, REVISION = 0, 1
STOOD_ON = 5
MEMORY_NUMBERS, MEMORY_VALUES = 2, 14

# Rows of the block of Character.
_SLOPE_LIMIT, _STEP_HEIGHT, _SNAP_DISTANCE, _UP_X, _UP_Y, _PUSH_FORCE, _MASS, _WALL_REACH, _GRID = range(9)

# In skins: how deep in a solid a character is crushed, and one that bodies rest on, as these overlap it a little.
_CRUSHED, _CRUSHED_BY_BODIES = 1.0, 100.0

# How a call ended, beside the status of a move: there is no room in the memories, the journal or for touches; too many
# are aside of the grids; and what is wrong with a mover, or, for a one-way solid, with that.
NO_MEMORIES, NO_JOURNAL, NO_TOUCHES, MANY_ASIDE = 10, 11, 12, 13
NO_COLLIDER, NO_CHARACTER, BAD_CHARACTER, BAD_UP, BAD_ONE_WAY, OUT_OF_RANGE = 20, 21, 22, 23, 24, 25

# Of the sum of a mover's sides: how far around its way solids are gathered, and in its first move.
_AROUND, _AROUND_AT_FIRST = 0.25, 2.0


@packed
class MoveArrays(NamedTuple):
    """The ``moves``, a row each; the ``walls`` (2 n,) to their left and right, entity −1 for none; their ``contacts``,
    one after the other; and scratch."""

    moves: movers.Moves
    walls: movers.Hits
    contacts: movers.Hits
    work: movers.Workspace


class MoveSettings(NamedTuple):
    """The movers from ``first`` to ``end``; whether they walk, as characters, or slide, and the direction up of sliding
    ones; the time, and the seconds by which the stages of this step have moved things already, 0 between steps; how
    boxes are padded; and how many solids may be in the small grid of changed ones."""

    first: int
    end: int
    walks: bool
    up_x: float
    up_y: float
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
    arrays: MoveArrays,
    settings: MoveSettings,
) -> tuple[int, int, int]:
    """Move entities in their order: each sees where those before it are.

    Returns how many are done, counted from the very first, why it is not all of them, and how much room is needed. All
    are checked before any is moved. Written besides ``arrays`` are the journal, the memories, the touches, transforms,
    and where colliders are placed.
    """
    moves = arrays.moves
    if settings.first == 0:
        wrong, why = _find_fault(searched, rules, moves, settings)
        if why != FINE:
            return wrong, why, 0
    for k in range(settings.first, settings.end):
        if k > settings.first and rules.notes.counts[ASIDE_COUNT] > settings.most_aside:
            return k, MANY_ASIDE, 0
        move = moves[k]
        gait = _gait_of(rules, settings, int(rules.entities.entity[move.owner]))
        shapes = shapes_of(searched)
        mover = Mover(move, gait, arrays.contacts, arrays.work, searched, shapes, rules, velocities, journal, memories)
        movers.begin_move(mover, int(moves[k - 1].contacts) if k > 0 else 0)
        move.row = k
        for side in range(2 * k, 2 * k + 2):
            movers.no_foot(arrays.walls[side])
        is_first = settings.since_start > 0.0 and settings.walks
        if settings.walks:
            numbers = memories.numbers[move.memory]
            if numbers.since != rules.placed_since[move.owner]:
                numbers.since, numbers.revision = rules.placed_since[move.owner], -1
            is_first &= numbers.revision < 0
        move.margin = (
            (_AROUND_AT_FIRST if is_first else _AROUND) * (move.max_x - move.min_x + (move.max_y - move.min_y))
            + max(gait.step_height, gait.snap_distance, gait.wall_reach)
            + LOOK_AHEAD * move.skin
        )
        movers.gather_solids(mover)
        if settings.walks:
            _walk(mover, arrays.walls, settings.clock, settings.since_start if is_first else 0.0)
        else:
            move.way_x, move.way_y = move.ask_x, move.ask_y
            on_floor, on_wall, on_ceiling, x, y = slide(mover, gait.ground, move.ask_x, move.ask_y, movers.IS_TOLD)
            move.on_floor |= on_floor
            move.on_wall |= on_wall
            move.on_ceiling |= on_ceiling
            move.remaining_x, move.remaining_y = move.ask_x - x, move.ask_y - y
        movers.put_colliders(mover, 0.0, 0.0)
        why, needed = _find_room(mover, touches)
        if why != FINE:
            return k, why, needed
        if settings.walks:
            _remember(mover, settings.clock)
        _report(mover, touches)
        _put_mover(mover, transforms, settings.padding)
    return settings.end, FINE, 0


@scalar
def _find_fault(searched: SearchedWorld, rules: Rules, moves: movers.Moves, settings: MoveSettings) -> tuple[int, int]:
    """The first mover that cannot be moved, or one-way entity whose normal is not a direction, and why."""
    for place in range(rules.one_way.shape[0]):
        row = rules.one_way_rows[place]
        if not 0.0 < hypot(rules.one_way_normals[0, row], rules.one_way_normals[1, row]) < math.inf:
            return place, BAD_ONE_WAY
    colliders, block = searched.colliders, rules.character_block
    for k in range(settings.end):
        this = int(rules.entities.head[moves[k].owner]) if moves[k].owner >= 0 else -1
        while this >= 0 and (colliders.absence[this] != PRESENT or colliders.sensor[this] != 0):
            this = int(colliders.following[this])
        if this < 0:
            return k, NO_COLLIDER
        if not settings.walks:
            continue
        place = find_number(rules.characters, rules.entities.entity[moves[k].owner])
        if place < 0:
            return k, NO_CHARACTER
        row = rules.character_rows[place]
        for field in range(rules.low.shape[0]):
            if not rules.low[field] <= block[field, row] <= rules.high[field]:
                return k, BAD_CHARACTER
        if not hypot(block[_UP_X, row], block[_UP_Y, row]) > 0.0:
            return k, BAD_UP
    return 0, FINE


@scalar
def _gait_of(rules: Rules, settings: MoveSettings, entity: int) -> Gait:
    """How an entity moves."""
    if not settings.walks:
        return Gait(ground_of(settings.up_x, settings.up_y, FLOOR_ANGLE), 0.0, 0.0, _CRUSHED, False, 0.0, 0.0)
    block = rules.character_block
    row = rules.character_rows[find_number(rules.characters, entity)]
    ground = ground_of(block[_UP_X, row], block[_UP_Y, row], block[_SLOPE_LIMIT, row])
    has_mass = bool(block[_MASS, row] > 0.0)
    crushed = _CRUSHED_BY_BODIES if has_mass else _CRUSHED
    step_height, snap_distance = block[_STEP_HEIGHT, row], block[_SNAP_DISTANCE, row]
    return Gait(ground, step_height, snap_distance, crushed, has_mass, block[_WALL_REACH, row], block[_GRID, row])


@scalar
def _walk(mover: Mover, walls: movers.Hits, clock: float, since_start: float) -> None:
    """Move a character, which is laid out with its solids; ``since_start`` is above 0 in its first move in a step."""
    move, feet, gait = mover.move, mover.work.feet, mover.gait
    memory = mover.memories.values[move.memory]
    revision = mover.memories.numbers[move.memory].revision
    is_known = revision >= 0
    was_left_here = is_known and hypot(move.place_x - memory.place_x, move.place_y - memory.place_y) <= move.skin
    stood_on = int(memory.slot) if is_known else -1
    last_x = memory.snap_x if was_left_here else 0.0
    last_y = memory.snap_y if was_left_here else 0.0
    movers.shift(move, -last_x, -last_y)
    if stood_on >= 0 and was_left_here:
        colliders = mover.searched.colliders
        is_same = colliders.absence[stood_on] == PRESENT and colliders.entity[stood_on] == memory.entity
        if is_same and movers.may_block(mover, stood_on):
            movers.copy_foot(feet[ON], memory)
    falls = stood_on < 0 and was_left_here and height_of(gait.ground, move.ask_x, move.ask_y) <= 0.0
    elapsed = clock - (memory.clock if is_known else 0.0)
    carrying.let_drop(mover, falls)
    if since_start > 0.0:
        elapsed = since_start
        carrying.begin_riding(mover, since_start)
    elif is_known:
        carrying.find_moved(mover, revision)
    carrying.carry_and_push(mover, elapsed)
    feet[ON].x += move.carried_x
    feet[ON].y += move.carried_y
    start_x, start_y = move.x, move.y
    walk(mover)
    move.remaining_x, move.remaining_y = move.ask_x - (move.x - start_x), move.ask_y - (move.y - start_y)
    floor = feet[AFTER]
    if floor.slot >= 0 and elapsed > 0.0:
        way_x, way_y = carrying.taken_by(mover, floor.slot, floor.x, floor.y, True)
        belt_x, belt_y = carrying.belt_velocity(mover, floor)
        move.floor_velocity_x, move.floor_velocity_y = way_x / elapsed + belt_x, way_y / elapsed + belt_y
    elif floor.slot >= 0 and stood_on >= 0 and memory.entity == floor.entity:
        move.floor_velocity_x, move.floor_velocity_y = memory.floor_vx, memory.floor_vy
    if movers.cast(mover, 0.0, 0.0, mover.work.ahead).gap < -gait.crushed * move.skin:
        move.inside_since = memory.inside_since if was_left_here and memory.inside_since >= 0.0 else clock
    # A body that has just moved into it is stopped at the end of this step: one that crushes it is there in the next.
    move.crushed = move.inside_since >= 0.0 and (not gait.has_mass or move.inside_since < clock)
    if gait.wall_reach > 0.0:
        find_walls(mover, walls)
    if gait.grid > 0.0:
        snap_to_grid(mover, last_x, last_y)


@scalar
def _find_room(mover: Mover, touches: TouchArrays) -> tuple[int, int]:
    """Whether there is room for all results of a move, and its new place is finite; how much room is needed."""
    move, memories, journal = mover.move, mover.memories, mover.journal
    if move.status != FINE:
        return int(move.status), int(move.needed)
    if not (abs(move.place_x + move.x) < math.inf and abs(move.place_y + move.y) < math.inf):
        return OUT_OF_RANGE, 0
    dropped = int(memories.dropped_count[0] + move.dropped)
    if dropped > memories.dropped.shape[0]:
        return NO_MEMORIES, dropped
    if journal.numbers[movers.ENTRIES] + move.own > journal.slots.shape[0]:
        return NO_JOURNAL, int(move.own)
    count = int(move.contacts - move.first_contact) + 1
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
    for k in range(memories.dropped_count[0]):
        if dropped[k, 0] != move.memory:
            dropped[count, 0], dropped[count, 1] = dropped[k, 0], dropped[k, 1]
            count += 1
    for k in range(move.dropped):
        dropped[count, 0], dropped[count, 1] = move.memory, mover.work.dropped[k]
        count += 1
    memories.dropped_count[0] = count


@scalar
def _report(mover: Mover, touches: TouchArrays) -> None:
    """Merge the contacts of a move, list them as touches for the narrowphase, and keep the ones to report.

    Each surface of an entity is told once, at the first place where it was met. If the mover stands on a surface that
    is not told, the last place counts.
    """
    move, contacts, floor = mover.move, mover.contacts, mover.work.feet[AFTER]
    move.floor, move.floor_normal_x, move.floor_normal_y = floor.entity, floor.normal_x, floor.normal_y
    first, merged = int(move.first_contact), int(move.first_contact)
    for k in range(first, move.contacts):
        met = contacts[k]
        is_new = met.how & movers.IS_VOID == 0
        how = met.how
        for other in range(first, merged if is_new else first):
            listed = contacts[other]
            apart = hypot(met.normal_x - listed.normal_x, met.normal_y - listed.normal_y)
            if listed.entity != met.entity or apart > movers.SAME_NORMAL:
                continue
            is_told, stands = listed.how & movers.IS_TOLD != 0, how & movers.IS_STANDING != 0
            is_same_pair = listed.own == met.own and listed.slot == met.slot
            if is_same_pair and (listed.how & movers.IS_STANDING != 0) == stands:
                if stands and not is_told:
                    listed.x, listed.y = met.x, met.y
                is_new = is_told if stands else how & movers.IS_TOLD != 0 and not is_told
                if not is_new:
                    break
            if is_told:
                how &= movers.IS_STANDING
        if is_new:
            movers.copy_foot(contacts[merged], met)
            contacts[merged].own, contacts[merged].how = met.own, how
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
            gone_x, gone_y = carrying.taken_by(mover, met.slot, met.x, met.y, False)
            way_x, way_y = move.way_x + move.carry_x - gone_x, move.way_y + move.carry_y - gone_y
            closing = max(-dot(way_x, way_y, met.normal_x, met.normal_y), 0.0)
        add_touch(touches, met, int(move.entity), closing)
        if met.how & movers.IS_TOLD != 0:
            movers.copy_foot(contacts[told], met)
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
                carrying.note_pose(mover, this)
            shift_shape(this, x, y, padding, searched.placed, searched.pool, rules.notes)
        this = int(searched.colliders.following[this]) + 0
