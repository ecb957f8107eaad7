"""Moving characters: whole moves, of one mover or of many, one after the other, in one call.

A character is carried and pushed first, then it walks by itself; other movers slide. If there is too little room for a
mover's results, neither it nor the movers after it are moved: the caller makes room and calls again, from this one on.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Final, NamedTuple

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import Box, box_at
from ecsphys.engine.character import carrying, surroundings
from ecsphys.engine.character import mover as movers
from ecsphys.engine.character.carrying import JournalArrays, revision_of, taken_by
from ecsphys.engine.character.mover import (
    FINE,
    IS_TOLD,
    Mover,
    MoverArrays,
    Support,
    no_support,
    put_support,
    support_at,
)
from ecsphys.engine.character.slide import FLOOR_ANGLE, LOOK_AHEAD, ground_of, height_of, slide
from ecsphys.engine.character.surroundings import Scratch, World
from ecsphys.engine.character.walk import Gait, find_walls, snap_to_grid, walk
from ecsphys.engine.contacts.contact_writing import Velocities
from ecsphys.engine.contacts.touches import MARK, TOUCHES, Touch, TouchArrays, add_touch
from ecsphys.engine.kernels.array_types import Float64Rows, Int32s, Int64Rows, Int64s, Layout, Uint8s, record
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import kernel, scalar
from ecsphys.engine.math.elementary import hypot
from ecsphys.engine.math.sorted_numbers import find_number
from ecsphys.engine.shapes.layout import ShapeArrays
from ecsphys.engine.shapes.placement import ASIDE_COUNT, TRANSFORM_X, TRANSFORM_Y, shift_shape
from ecsphys.engine.tables.collider_slots import PRESENT

# The memory of a character from one move to the next: its transform, and the revision of the journal as of the last
# move, −1 before the first one; where it was left, and when; how fast its floor was then, and the floor; by how much it
# was put on its grid; since when it is inside a solid, −1 if it is not. Snapshots have these columns.
MEMORY_NUMBER: Final = record("", "transform_row revision")
MEMORY_VALUE: Final = record(
    "place_x place_y clock floor_vx floor_vy slot entity normal_x normal_y x y snap_x snap_y inside_since"
)
TRANSFORM_ROW, REVISION = 0, 1
STOOD_ON = 5
MEMORY_NUMBERS, MEMORY_VALUES = 2, 14

# Columns of ``dropped``.
BY_MEMORY, DROPPED_ENTITY = 0, 1

# The result of a move, and a contact of it; ``floor`` is an entity, −1 in the air.
RESULT: Final = record(
    "moved_x moved_y remaining_x remaining_y floor_normal_x floor_normal_y floor_velocity_x floor_velocity_y"
    " carried_x carried_y pushed_x pushed_y stepped",
    "on_floor on_wall on_ceiling snapped crushed floor walls contacts_end",
)
CONTACT: Final = record("normal_x normal_y x y", "entity")

# Rows of the block of Character.
_SLOPE_LIMIT, _STEP_HEIGHT, _SNAP_DISTANCE, _UP_X, _UP_Y, _PUSH_FORCE, _MASS, _WALL_REACH, _GRID = range(9)

# In skins: how deep in a solid a character is crushed, and one that bodies rest on, as these overlap it a little.
_CRUSHED, _CRUSHED_BY_BODIES = 1.0, 100.0

# How a call ended, beside the status of a mover: there is no room for results, in the memories, in the journal; too
# many are aside of the grids; there is no room for touches; and what is wrong with a mover, or, for a one-way solid,
# with that.
NO_RESULTS, NO_MEMORIES, NO_JOURNAL, MANY_ASIDE, NO_TOUCHES = 10, 11, 12, 13, 14
NO_COLLIDER, NO_CHARACTER, BAD_CHARACTER, BAD_UP, BAD_ONE_WAY, OUT_OF_RANGE = 20, 21, 22, 23, 24, 25

# Of the sum of a mover's sides: how far around its way solids are gathered, and in its first move.
_AROUND, _AROUND_AT_FIRST = 0.25, 2.0


@packed
class CharacterMemories(NamedTuple):
    """The memories of characters, a row each. ``dropped`` (n, 2): rows of characters, and the one-way entities they are
    dropping through; ``dropped_count`` (1,): how many."""

    numbers: Annotated[NDArray[np.void], Layout(MEMORY_NUMBER, 1)]
    values: Annotated[NDArray[np.void], Layout(MEMORY_VALUE, 1)]
    dropped: Int64Rows
    dropped_count: Int64s


@packed
class MoveOrders(NamedTuple):
    """Which entities (n,) to move, by their slots, −1 for none; their memories (n,), −1 for movers that slide; by how
    much (n, 2); and whether they drop (n,)."""

    owners: Int32s
    memories: Int32s
    displacements: Float64Rows
    drops: Uint8s


@packed
class MoveResults(NamedTuple):
    """For each mover a row (n,), the ``walls`` (2 n,) to its left and right, and all their ``contacts``: each mover's
    end where its row says, and begin where those of the one before end."""

    rows: Annotated[NDArray[np.void], Layout(RESULT, 1)]
    walls: Annotated[NDArray[np.void], Layout(CONTACT, 1)]
    contacts: Annotated[NDArray[np.void], Layout(CONTACT, 1)]


@packed
class Moved(NamedTuple):
    """Arrays that a move changes: transforms, the journal of where solids were, and the list of touches."""

    transforms: Float64Rows
    journal: JournalArrays
    touches: TouchArrays


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
    world: World,
    moved: Moved,
    velocities: Velocities,
    memories: CharacterMemories,
    orders: MoveOrders,
    settings: MoveSettings,
    arrays: MoverArrays,
    scratch: Scratch,
    results: MoveResults,
) -> tuple[int, int, int]:
    """Move entities in their order: each sees where those before it are.

    Returns how many are done, counted from the very first, why it is not all of them, and how much room is needed. All
    are checked before any is moved. All results of a mover are written when its move is over.
    """
    if settings.first == 0:
        wrong, why = _find_fault(world, orders, settings)
        if why != FINE:
            return wrong, why, 0
    searched = world.searched
    placed = searched.placed
    shapes = ShapeArrays(placed.forms, placed.positions, placed.shapes, searched.pool)
    mover = Mover(arrays, placed.boxes, shapes)
    state = arrays.state[0]
    for k in range(settings.first, settings.end):
        if k > settings.first and world.rules.notes.counts[ASIDE_COUNT] > settings.most_aside:
            return k, MANY_ASIDE, 0
        head = int(int64(world.rules.entities.head[orders.owners[k]]))
        surroundings.begin_move(world, arrays, head)
        _take_order(state, memories, orders, k)
        gait = _gait_of(world, settings, state.entity)
        is_first = state.memory >= 0 and memories.numbers[state.memory].revision < 0 and settings.since_start > 0.0
        since = revision_of(moved.journal)
        region, margin = _first_region(mover, gait, is_first)
        while True:
            surroundings.gather_solids(world, arrays, scratch, region)
            if is_first and moved.journal.numbers[carrying.ENTRIES] + state.solids > moved.journal.slots.shape[0]:
                return k, NO_JOURNAL, int(state.solids)
            entries = 0
            if is_first and state.status == FINE:
                dt = settings.since_start
                entries, support = carrying.begin_riding(mover, world, velocities, moved.journal, gait.ground, dt)
                if entries > 0:
                    _remember_first(state, memories, settings, since, support)
            if state.status == FINE and settings.walks:
                _walk(mover, world, moved.journal, memories, gait, settings.clock, scratch, results.rows[k])
            elif state.status == FINE:
                _slide(mover, gait, scratch, results.rows[k])
            if entries > 0:
                moved.journal.numbers[carrying.ENTRIES] -= entries
                _forget(state, memories)
            movers.put_colliders(mover, 0.0, 0.0)
            if state.status != movers.LEFT_REGION:
                break
            region = _larger_region(arrays, margin)
            margin *= 2.0
            surroundings.begin_move(world, arrays, head)
        if state.status != FINE:
            return k, int(state.status), int(state.needed)
        why, needed = _find_room(mover, moved, memories, results, k)
        if why != FINE:
            return k, why, needed
        if settings.walks:
            _remember(arrays, moved.journal, memories, scratch, results.rows[k], settings.clock)
        _put_result(arrays, results, k)
        _note_touches(arrays, moved.touches)
        _put_mover(mover, world, moved, head, settings.padding)
    return settings.end, FINE, 0


@scalar
def _find_fault(world: World, orders: MoveOrders, settings: MoveSettings) -> tuple[int, int]:
    """The first mover that cannot be moved, and why."""
    rules = world.rules
    bad = surroundings.find_bad_one_way(rules)
    if bad >= 0:
        return bad, BAD_ONE_WAY
    for k in range(settings.end):
        owner = int(int64(orders.owners[k]))
        if not _has_collider(world, owner):
            return k, NO_COLLIDER
        if not settings.walks:
            continue
        place = find_number(rules.characters, int(rules.entities.entity[owner]))
        if place < 0:
            return k, NO_CHARACTER
        row = rules.character_rows[place]
        for field in range(rules.low.shape[0]):
            if not rules.low[field] <= rules.character_block[field, row] <= rules.high[field]:
                return k, BAD_CHARACTER
        if not hypot(rules.character_block[_UP_X, row], rules.character_block[_UP_Y, row]) > 0.0:
            return k, BAD_UP
    return 0, FINE


@scalar
def _has_collider(world: World, owner: int) -> bool:
    """Whether an entity has a collider that blocks."""
    colliders = world.searched.colliders
    this = int(int64(world.rules.entities.head[owner])) if owner >= 0 else -1
    while this >= 0:
        if colliders.absence[this] == PRESENT and colliders.sensor[this] == 0:
            return True
        this = int(int64(colliders.following[this]))
    return False


@scalar
def _take_order(state: Any, memories: CharacterMemories, orders: MoveOrders, k: int) -> None:
    """Note how the k-th mover, which is laid out, moves. A memory of another transform is forgotten."""
    state.ask_x = orders.displacements[k, 0]
    state.ask_y = orders.displacements[k, 1]
    state.drops = orders.drops[k]
    state.memory = orders.memories[k]
    if state.memory >= 0 and memories.numbers[state.memory].transform_row != state.transform_row:
        _forget(state, memories)


@scalar
def _gait_of(world: World, settings: MoveSettings, entity: int) -> Gait:
    """How an entity moves."""
    if not settings.walks:
        return Gait(ground_of(settings.up_x, settings.up_y, FLOOR_ANGLE), 0.0, 0.0, _CRUSHED, False, 0.0, 0.0)
    block = world.rules.character_block
    row = world.rules.character_rows[find_number(world.rules.characters, entity)]
    has_mass = bool(block[_MASS, row] > 0.0)
    return Gait(
        ground_of(block[_UP_X, row], block[_UP_Y, row], block[_SLOPE_LIMIT, row]),
        block[_STEP_HEIGHT, row],
        block[_SNAP_DISTANCE, row],
        _CRUSHED_BY_BODIES if has_mass else _CRUSHED,
        has_mass,
        block[_WALL_REACH, row],
        block[_GRID, row],
    )


@scalar
def _first_region(mover: Mover, gait: Gait, is_first: bool) -> tuple[Box, float]:
    """Where solids are looked for, and by how much more than the way that is: in a character's first move, also what it
    may have stood on when the step began."""
    state = mover.arrays.state[0]
    box = box_at(mover.arrays.boxes, movers.OWN)
    sides = (box.max_x - box.min_x) + (box.max_y - box.min_y)
    margin = (
        (_AROUND_AT_FIRST if is_first else _AROUND) * sides
        + max(gait.step_height, gait.snap_distance, gait.wall_reach)
        + LOOK_AHEAD * state.skin
    )
    return movers.swept_box(box, state.ask_x, state.ask_y, margin), margin


@scalar
def _larger_region(arrays: MoverArrays, margin: float) -> Box:
    """Where solids are looked for after a cast has left the region."""
    known, wanted = box_at(arrays.boxes, movers.REGION), box_at(arrays.boxes, movers.WANTED)
    return Box(
        min(known.min_x, wanted.min_x - margin),
        min(known.min_y, wanted.min_y - margin),
        max(known.max_x, wanted.max_x + margin),
        max(known.max_y, wanted.max_y + margin),
    )


@scalar
def _slide(mover: Mover, gait: Gait, scratch: Scratch, result: Any) -> None:
    """Move a mover, which is laid out with its solids, along solids."""
    state = mover.arrays.state[0]
    state.way_x, state.way_y = state.ask_x, state.ask_y
    on_floor, on_wall, on_ceiling, x, y = slide(mover, gait.ground, state.ask_x, state.ask_y, IS_TOLD)
    state.on_floor |= on_floor
    state.on_wall |= on_wall
    state.on_ceiling |= on_ceiling
    movers.merge_contacts(mover.arrays)
    carrying.find_closing(mover, scratch)
    result.remaining_x, result.remaining_y = state.ask_x - x, state.ask_y - y
    result.floor_velocity_x = result.floor_velocity_y = 0.0
    result.carried_x = result.carried_y = result.pushed_x = result.pushed_y = 0.0
    result.crushed = 0


@scalar
def _walk(
    mover: Mover,
    world: World,
    journal: JournalArrays,
    memories: CharacterMemories,
    gait: Gait,
    clock: float,
    scratch: Scratch,
    result: Any,
) -> None:
    """Move a mover, which is laid out with its solids, as a character: carried and pushed first, then by itself."""
    arrays, ground = mover.arrays, gait.ground
    state, feet = arrays.state[0], arrays.feet
    memory = memories.values[state.memory]
    # No solid has moved for a character before its first move, and the memory has no time then.
    revision = memories.numbers[state.memory].revision
    stood_on = Support(int(memory.slot), int(memory.entity), memory.normal_x, memory.normal_y, memory.x, memory.y)
    was_left_here = hypot(state.place_x - memory.place_x, state.place_y - memory.place_y) <= state.skin
    last_x = memory.snap_x if was_left_here else 0.0
    last_y = memory.snap_y if was_left_here else 0.0
    movers.shift(state, -last_x, -last_y)
    _recall_dropped(state, scratch, memories)
    if stood_on.slot >= 0 and was_left_here and _is_there(world, stood_on, state):
        put_support(feet[movers.ON], stood_on)
    falls = stood_on.slot < 0 and was_left_here and height_of(ground, state.ask_x, state.ask_y) <= 0.0
    carrying.let_drop(mover, world, scratch, state.drops != 0, falls)
    carrying.find_moved(mover, world, journal, scratch, revision if revision >= 0 else revision_of(journal))
    elapsed = clock - memory.clock
    carried_x, carried_y, pushed_x, pushed_y = carrying.carry_and_push(mover, world, scratch, elapsed)
    feet[movers.ON].x += carried_x
    feet[movers.ON].y += carried_y
    start_x, start_y = state.x, state.y
    if state.status == FINE:
        walk(mover, gait)
    movers.merge_contacts(arrays)
    carrying.find_closing(mover, scratch)
    result.remaining_x, result.remaining_y = state.ask_x - (state.x - start_x), state.ask_y - (state.y - start_y)
    result.carried_x, result.carried_y = carried_x, carried_y
    result.pushed_x, result.pushed_y = pushed_x, pushed_y
    velocity_x = velocity_y = 0.0
    floor = support_at(feet[movers.AFTER])
    if floor.slot >= 0 and elapsed > 0.0:
        way_x, way_y = taken_by(state, scratch, floor.slot, floor.x, floor.y, True)
        belt_x, belt_y = carrying.belt_velocity(world, floor)
        velocity_x, velocity_y = way_x / elapsed + belt_x, way_y / elapsed + belt_y
    elif floor.slot >= 0 and stood_on.slot >= 0 and stood_on.entity == floor.entity:
        velocity_x, velocity_y = memory.floor_vx, memory.floor_vy
    result.floor_velocity_x, result.floor_velocity_y = velocity_x, velocity_y
    if movers.cast(mover, 0.0, 0.0, arrays.ahead).gap < -gait.crushed * state.skin:
        state.inside_since = memory.inside_since if was_left_here and memory.inside_since >= 0.0 else clock
    # A body that has just moved into it is stopped at the end of this step: one that crushes it is there in the next.
    result.crushed = state.inside_since >= 0.0 and (not gait.has_mass or state.inside_since < clock)
    if gait.wall_reach > 0.0:
        find_walls(mover, ground, gait.wall_reach)
    if gait.grid > 0.0:
        snap_to_grid(mover, gait.grid, last_x, last_y)


@scalar
def _is_there(world: World, on: Support, state: Any) -> bool:
    """Whether a support is still there, or again, and may block the mover."""
    colliders = world.searched.colliders
    is_same = colliders.absence[on.slot] == PRESENT and colliders.entity[on.slot] == on.entity
    return bool(is_same and surroundings.may_block(world, on.slot, state))


@scalar
def _recall_dropped(state: Any, scratch: Scratch, memories: CharacterMemories) -> None:
    """Write to the scratch through which entities a character is dropping."""
    count = 0
    for k in range(memories.dropped_count[0]):
        if memories.dropped[k, BY_MEMORY] == state.memory:
            if count < scratch.dropped.shape[0]:
                scratch.dropped[count] = memories.dropped[k, DROPPED_ENTITY]
            count += 1
    if count > scratch.dropped.shape[0]:
        movers.fail(state, movers.NO_ROWS, count)
        count = 0
    state.dropped = count


@scalar
def _remember_first(state: Any, memories: CharacterMemories, settings: MoveSettings, since: int, on: Support) -> None:
    """Remember of a character, which is moved for the first time, that it stood there ``since`` a revision."""
    memory = memories.values[state.memory]
    memories.numbers[state.memory].revision = since
    memory.place_x, memory.place_y = state.place_x, state.place_y
    memory.clock = settings.clock - settings.since_start
    put_support(memory, on)


@scalar
def _forget(state: Any, memories: CharacterMemories) -> None:
    """Start an empty memory for the mover's transform."""
    memory = memories.values[state.memory]
    memories.numbers[state.memory].transform_row = state.transform_row
    memories.numbers[state.memory].revision = -1
    memory.place_x = memory.place_y = memory.clock = memory.floor_vx = memory.floor_vy = 0.0
    memory.snap_x = memory.snap_y = 0.0
    memory.inside_since = -1.0
    put_support(memory, no_support())
    _forget_dropped(memories, state.memory)


@scalar
def _forget_dropped(memories: CharacterMemories, memory: int) -> None:
    kept = 0
    dropped = memories.dropped
    for k in range(memories.dropped_count[0]):
        if dropped[k, BY_MEMORY] != memory:
            dropped[kept, BY_MEMORY] = dropped[k, BY_MEMORY]
            dropped[kept, DROPPED_ENTITY] = dropped[k, DROPPED_ENTITY]
            kept += 1
    memories.dropped_count[0] = kept


@scalar
def _find_room(
    mover: Mover, moved: Moved, memories: CharacterMemories, results: MoveResults, k: int
) -> tuple[int, int]:
    """Whether there is room for all results of a move, and its new place is finite; how much room is needed."""
    state = mover.arrays.state[0]
    result = results.rows[k]
    result.moved_x, result.moved_y = state.x, state.y
    if not (abs(state.place_x + state.x) < math.inf and abs(state.place_y + state.y) < math.inf):
        return OUT_OF_RANGE, 0
    contacts = _first_contact(results, k) + int(state.contacts)
    if contacts > results.contacts.shape[0]:
        return NO_RESULTS, contacts
    dropped = int(memories.dropped_count[0] + state.dropped)
    if state.memory >= 0 and dropped > memories.dropped.shape[0]:
        return NO_MEMORIES, dropped
    if moved.journal.numbers[carrying.ENTRIES] + state.own > moved.journal.slots.shape[0]:
        return NO_JOURNAL, int(state.own)
    if moved.touches.counts[TOUCHES] + state.contacts + 1 > moved.touches.numbers.shape[0]:
        return NO_TOUCHES, int(state.contacts) + 1
    return FINE, 0


@scalar
def _first_contact(results: MoveResults, k: int) -> int:
    return int(results.rows[k - 1].contacts_end) if k > 0 else 0


@scalar
def _remember(
    arrays: MoverArrays,
    journal: JournalArrays,
    memories: CharacterMemories,
    scratch: Scratch,
    result: Any,
    clock: float,
) -> None:
    """Keep the values of a move that the next one needs; there must be room."""
    state = arrays.state[0]
    memory = memories.values[state.memory]
    memories.numbers[state.memory].revision = revision_of(journal)
    memory.place_x, memory.place_y = state.place_x + state.x, state.place_y + state.y
    memory.clock = clock
    memory.floor_vx, memory.floor_vy = result.floor_velocity_x, result.floor_velocity_y
    memory.snap_x, memory.snap_y = state.snap_x, state.snap_y
    memory.inside_since = state.inside_since
    put_support(memory, support_at(arrays.feet[movers.AFTER]))
    _forget_dropped(memories, state.memory)
    count = memories.dropped_count[0]
    for k in range(state.dropped):
        memories.dropped[count + k, BY_MEMORY] = state.memory
        memories.dropped[count + k, DROPPED_ENTITY] = scratch.dropped[k]
    memories.dropped_count[0] = count + state.dropped


@scalar
def _put_contact(row: Any, hit: Any) -> None:
    """Write a contact to the results."""
    row.normal_x, row.normal_y = hit.normal_x, hit.normal_y
    row.x, row.y = hit.x, hit.y
    row.entity = hit.entity


@scalar
def _put_result(arrays: MoverArrays, results: MoveResults, k: int) -> None:
    """Write the rest of what became of a move."""
    state, result, floor = arrays.state[0], results.rows[k], arrays.feet[movers.AFTER]
    result.floor = floor.entity
    result.floor_normal_x, result.floor_normal_y = floor.normal_x, floor.normal_y
    result.stepped = state.stepped
    result.on_floor = state.on_floor
    result.on_wall = state.on_wall
    result.on_ceiling = state.on_ceiling
    result.snapped = state.snapped
    result.walls = 0
    for side in range(2):
        _put_contact(results.walls[2 * k + side], arrays.walls[side])
        result.walls += arrays.walls[side].entity >= 0
    told = _first_contact(results, k)
    for c in range(state.contacts):
        if arrays.contacts[c].how & IS_TOLD != 0:
            _put_contact(results.contacts[told], arrays.contacts[c])
            told += 1
    result.contacts_end = told


@scalar
def _note_touches(arrays: MoverArrays, touches: TouchArrays) -> None:
    """Add all contacts of a move to the touches, of which the narrowphase makes hits; there must be room."""
    entity = int(arrays.state[0].entity)
    add_touch(touches, Touch(int(arrays.own[0]), MARK, MARK, 0.0, 0.0, 0.0, 0.0), entity, 0.0)
    for k in range(arrays.state[0].contacts):
        met = arrays.contacts[k]
        touch = Touch(met.own, met.slot, met.entity, met.normal_x, met.normal_y, met.x, met.y)
        add_touch(touches, touch, entity, met.closing)


@scalar
def _put_mover(mover: Mover, world: World, moved: Moved, head: int, padding: float) -> None:
    """Write where the mover is: its transform, and where its colliders are placed; ``head`` is the first one."""
    searched, state = world.searched, mover.arrays.state[0]
    x, y = state.place_x + state.x, state.place_y + state.y
    moved.transforms[TRANSFORM_X, state.transform_row] = x
    moved.transforms[TRANSFORM_Y, state.transform_row] = y
    if x == state.place_x and y == state.place_y:
        return
    this = head
    while this >= 0:
        if searched.colliders.absence[this] == PRESENT:
            if surroundings.is_solid(world, this):
                carrying.note_pose(moved.journal, world, this)
            shift_shape(this, x, y, padding, searched.placed, searched.pool, world.rules.notes)
        this = int(int64(searched.colliders.following[this]))
