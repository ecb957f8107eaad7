"""Moving characters: whole moves, of one mover or of many, one after the other, in one call.

If there is too little room for a mover's results, neither it nor the movers after it are moved: the caller makes room
and calls again, from this one on.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from numpy import float64, int32
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import Box
from ecsphys.engine.character.carrying import begin_riding
from ecsphys.engine.character.character_move import (
    REVISION,
    TRANSFORM_ROW,
    CharacterMemories,
    Order,
    Outcome,
    can_remember,
    forget,
    move_one,
    remember,
    remember_first,
)
from ecsphys.engine.character.gathering import Scratch, put_solids, set_mover, set_region
from ecsphys.engine.character.ground import FLOOR_ANGLE, ground_of, unit
from ecsphys.engine.character.meetings import find_closing, note_touches
from ecsphys.engine.character.mover import (
    COLLIDERS,
    CONTACT_COLUMNS,
    CONTACTS,
    FINE,
    FLOOR,
    HOW,
    IS_TOLD,
    LEFT_REGION,
    NEEDED,
    NO_ROWS,
    OF_MOVE,
    ON_CEILING,
    ON_FLOOR,
    ON_WALL,
    OWN_BOX,
    REGION,
    ROWS,
    SKIN,
    SLOT,
    SNAPPED,
    STATUS,
    STEPPED,
    WALLS,
    WANTED,
    WAY,
    Mover,
    X,
    Y,
    box_now,
    fail,
    no_support,
    put_support,
    support_at,
)
from ecsphys.engine.character.slide import LOOK_AHEAD, slide
from ecsphys.engine.character.solid_casts import swept_box
from ecsphys.engine.character.solid_motion import ENTRIES, JournalArrays, note_pose, revision_of
from ecsphys.engine.character.solid_world import (
    Solids,
    SolidWorld,
    find_bad_one_way,
    find_colliders,
    is_solid,
    solids_of,
)
from ecsphys.engine.character.walk import Gait
from ecsphys.engine.contacts.one_way import EntityRows
from ecsphys.engine.contacts.touches import TOUCHES, TouchArrays
from ecsphys.engine.kernels.array_types import Float64Rows, Float64s, Int32s, Int64Rows, Uint8s
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import kernel, scalar
from ecsphys.engine.math.elementary import hypot
from ecsphys.engine.math.sorted_numbers import find_number
from ecsphys.engine.shapes.placement import ASIDE_COUNT, TRANSFORM_X, TRANSFORM_Y, shift_shape
from ecsphys.engine.tables.collider_slots import PRESENT

# Rows of the block of Character.
_SLOPE_LIMIT, _STEP_HEIGHT, _SNAP_DISTANCE, _UP_X, _UP_Y, _PUSH_FORCE, _MASS, _WALL_REACH, _GRID = range(9)

# In skins: how deep in a solid a character is crushed, and one that bodies rest on, as these overlap it a little.
_CRUSHED, _CRUSHED_BY_BODIES = 1.0, 100.0

# How a call ended, beside the STATUS of a mover: there is no room for results, in the memories, in the journal; too
# many are aside of the grids; there is no room for touches; and what is wrong with a mover, or, for a one-way solid,
# with that.
NO_RESULTS, NO_MEMORIES, NO_JOURNAL, MANY_ASIDE, NO_TOUCHES = 10, 11, 12, 13, 14
NO_COLLIDER, NO_CHARACTER, BAD_CHARACTER, BAD_UP, BAD_ONE_WAY, OUT_OF_RANGE = 20, 21, 22, 23, 24, 25

# Columns of the results.
MOVED, REMAINING, FLOOR_NORMAL, OF_FLOOR, CARRIED, PUSHED, CLIMBED = 0, 2, 4, 6, 8, 10, 12
RESULT_VALUES = 13
WALL_COLUMNS = 2 * CONTACT_COLUMNS
IS_ON_FLOOR, IS_ON_WALL, IS_ON_CEILING, HAS_SNAPPED, IS_CRUSHED, FLOOR_ENTITY, CONTACTS_END, WALL_COUNT = range(8)
RESULT_NUMBERS = 8

# Of the sum of a mover's sides: how far around its way solids are gathered, and in its first move.
_AROUND, _AROUND_AT_FIRST = 0.25, 2.0


class Characters(NamedTuple):
    """The entities with a ``Character``, its block, and the bounds of its fields."""

    rows: EntityRows
    block: Float64Rows
    low: Float64s
    high: Float64s


@packed
class MoveOrders(NamedTuple):
    """Which entities (n,) to move, by their slots, −1 for none; their memories (n,); by how much (n, 2); and whether
    they drop (n,)."""

    owners: Int32s
    memories: Int32s
    displacements: Float64Rows
    drops: Uint8s


@packed
class MoveResults(NamedTuple):
    """For each mover ``values`` (n, 13) and ``numbers`` (n, 8), the ``walls`` (n, 10) to its left and right, and all
    their ``contacts``: each mover's end where its numbers say, and begin where those of the one before end."""

    values: Float64Rows
    numbers: Int64Rows
    walls: Float64Rows
    contacts: Float64Rows


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
    world: SolidWorld,
    moved: Moved,
    characters: Characters,
    memories: CharacterMemories,
    orders: MoveOrders,
    settings: MoveSettings,
    mover: Mover,
    scratch: Scratch,
    results: MoveResults,
) -> tuple[int, int, int]:
    """Move entities in their order: each sees where those before it are.

    Returns how many are done, counted from the very first, why it is not all of them, and how much room is needed. All
    are checked before any is moved. All results of a mover are written when its move is over.
    """
    if settings.first == 0:
        wrong, why = _find_fault(world, characters, orders, settings)
        if why != FINE:
            return wrong, why, 0
    solids = solids_of(world)
    counts = mover.counts
    for k in range(settings.first, settings.end):
        if k > settings.first and world.filed.notes.counts[ASIDE_COUNT] > settings.most_aside:
            return k, MANY_ASIDE, 0
        head = int(world.entities.head[orders.owners[k]]) + 0
        set_mover(mover, solids, head, world.colliders.following)
        gait = _gait_of(characters, settings, int(world.entities.entity[orders.owners[k]]))
        order = _order_of(mover, solids, world.colliders.transform_row, memories, orders, settings, k)
        outcome = Outcome(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, False, 0, 0.0, 0.0, -1.0)
        is_first = order.memory >= 0 and memories.numbers[order.memory, REVISION] < 0 and order.since_start > 0.0
        since = revision_of(moved.journal)
        entries = 0
        region, margin = _first_region(mover, gait, order, is_first)
        while counts[STATUS] == FINE:
            found, needed = find_colliders(world.filed, world.placed, region, scratch.pairs, scratch.keys)
            if needed > 0:
                fail(mover, NO_ROWS, needed)
                break
            set_region(mover, region)
            put_solids(mover, solids, scratch.keys, found, order.entity, order.filter_row)
            if is_first:
                if moved.journal.numbers[ENTRIES] + counts[ROWS] > moved.journal.slots.shape[0]:
                    return k, NO_JOURNAL, int(counts[ROWS])
                entries, support = begin_riding(mover, solids, world, moved.journal, gait.ground, order.since_start)
                if entries > 0:
                    remember_first(memories, order, since, support)
            if settings.walks:
                outcome = move_one(mover, solids, scratch, moved.journal, memories, gait, order)
            else:
                mover.state[WAY], mover.state[WAY + 1] = order.x, order.y
                on_floor, on_wall, on_ceiling, x, y = slide(mover, world.pool, gait.ground, order.x, order.y, OF_MOVE)
                find_closing(mover, scratch, 0)
                outcome = Outcome(x, y, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, False, 0, 0.0, 0.0, -1.0)
                counts[ON_FLOOR] = on_floor
                counts[ON_WALL] = on_wall
                counts[ON_CEILING] = on_ceiling
                put_support(mover.state, FLOOR, no_support())
            if entries > 0:
                moved.journal.numbers[ENTRIES] -= entries
                forget(memories, order.memory, order.transform_row)
                entries = 0
            if counts[STATUS] != LEFT_REGION:
                break
            region = _larger_region(mover, margin)
            margin *= 2.0
            set_mover(mover, solids, head, world.colliders.following)
        if counts[STATUS] != FINE:
            return k, int(counts[STATUS]), int(counts[NEEDED])
        why, needed = _find_room(mover, moved, memories, results, k, order, outcome.dropped)
        if why != FINE:
            return k, why, needed
        if settings.walks:
            remember(mover, scratch, moved.journal, memories, order, outcome)
        _put_result(mover, results, k, order, outcome)
        note_touches(mover, moved.touches, order.entity)
        _put_mover(mover, solids, world, moved, head, order, settings.padding)
    return settings.end, FINE, 0


@scalar
def _find_fault(
    world: SolidWorld, characters: Characters, orders: MoveOrders, settings: MoveSettings
) -> tuple[int, int]:
    """The first mover that cannot be moved, and why."""
    bad = find_bad_one_way(world.rules)
    if bad >= 0:
        return bad, BAD_ONE_WAY
    for k in range(settings.end):
        owner = int(orders.owners[k]) + 0
        if not _has_collider(world, owner):
            return k, NO_COLLIDER
        if not settings.walks:
            continue
        place = find_number(characters.rows.entity, int(world.entities.entity[owner]))
        if place < 0:
            return k, NO_CHARACTER
        row = characters.rows.row[place]
        for field in range(characters.low.shape[0]):
            value = characters.block[field, row]
            if not (characters.low[field] <= value and value <= characters.high[field]):
                return k, BAD_CHARACTER
        if not hypot(characters.block[_UP_X, row], characters.block[_UP_Y, row]) > 0.0:
            return k, BAD_UP
    return 0, FINE


@scalar
def _has_collider(world: SolidWorld, owner: int) -> bool:
    """Whether an entity has a collider that blocks."""
    this = int(world.entities.head[owner]) + 0 if owner >= 0 else -1
    while this >= 0:
        if world.colliders.absence[this] == PRESENT and world.colliders.sensor[this] == 0:
            return True
        this = int(world.colliders.following[this]) + 0
    return False


@scalar
def _gait_of(characters: Characters, settings: MoveSettings, entity: int) -> Gait:
    """How an entity moves."""
    if not settings.walks:
        up_x, up_y = unit(settings.up_x, settings.up_y)
        return Gait(ground_of(up_x, up_y, FLOOR_ANGLE), 0.0, 0.0, _CRUSHED, False, 0.0, 0.0)
    block = characters.block
    row = characters.rows.row[find_number(characters.rows.entity, entity)]
    up_x, up_y = unit(block[_UP_X, row], block[_UP_Y, row])
    has_mass = bool(block[_MASS, row] > 0.0)
    return Gait(
        ground_of(up_x, up_y, block[_SLOPE_LIMIT, row]),
        block[_STEP_HEIGHT, row],
        block[_SNAP_DISTANCE, row],
        _CRUSHED_BY_BODIES if has_mass else _CRUSHED,
        has_mass,
        block[_WALL_REACH, row],
        block[_GRID, row],
    )


@scalar
def _order_of(
    mover: Mover,
    solids: Solids,
    transform_rows: NDArray[int32],
    memories: CharacterMemories,
    orders: MoveOrders,
    settings: MoveSettings,
    k: int,
) -> Order:
    """How the k-th mover, which is laid out, moves. A memory of another transform is forgotten."""
    slot = int(mover.numbers[0, SLOT])
    memory = int(orders.memories[k]) + 0
    transform_row = int(transform_rows[slot]) + 0
    if memory >= 0 and memories.numbers[memory, TRANSFORM_ROW] != transform_row:
        forget(memories, memory, transform_row)
    return Order(
        int(solids.entity[slot]),
        int(solids.filter_row[slot]) + 0,
        transform_row,
        memory,
        solids.positions[slot, 0],
        solids.positions[slot, 1],
        orders.displacements[k, 0],
        orders.displacements[k, 1],
        orders.drops[k] != 0,
        settings.clock,
        settings.since_start,
    )


@scalar
def _first_region(mover: Mover, gait: Gait, order: Order, is_first: bool) -> tuple[Box, float]:
    """Where solids are looked for at first, and by how much more than the way that is: in a character's first move,
    also what it may have stood on when the step began."""
    state = mover.state
    sides = (state[OWN_BOX + 2] - state[OWN_BOX]) + (state[OWN_BOX + 3] - state[OWN_BOX + 1])
    margin = (
        (_AROUND_AT_FIRST if is_first else _AROUND) * sides
        + max(gait.step_height, gait.snap_distance, gait.wall_reach)
        + LOOK_AHEAD * state[SKIN]
    )
    return swept_box(box_now(mover), order.x, order.y, margin), margin


@scalar
def _larger_region(mover: Mover, margin: float) -> Box:
    """Where solids are looked for after a cast has left the region."""
    state = mover.state
    return Box(
        min(state[REGION], state[WANTED] - margin),
        min(state[REGION + 1], state[WANTED + 1] - margin),
        max(state[REGION + 2], state[WANTED + 2] + margin),
        max(state[REGION + 3], state[WANTED + 3] + margin),
    )


@scalar
def _find_room(
    mover: Mover,
    moved: Moved,
    memories: CharacterMemories,
    results: MoveResults,
    k: int,
    order: Order,
    dropped: int,
) -> tuple[int, int]:
    """Whether there is room for all results of a move, and its new place is finite; how much room is needed."""
    state, counts = mover.state, mover.counts
    if not (abs(order.place_x + state[X]) < math.inf and abs(order.place_y + state[Y]) < math.inf):
        results.values[k, MOVED] = state[X]
        results.values[k, MOVED + 1] = state[Y]
        return OUT_OF_RANGE, 0
    contacts = _first_contact(results, k) + int(counts[CONTACTS + OF_MOVE])
    if contacts > results.contacts.shape[0]:
        return NO_RESULTS, contacts
    if not can_remember(memories, dropped):
        return NO_MEMORIES, int(memories.dropped_count[0]) + dropped
    entries = int(moved.journal.numbers[ENTRIES] + counts[COLLIDERS])
    if entries > moved.journal.slots.shape[0]:
        return NO_JOURNAL, int(counts[COLLIDERS])
    touches = int(counts[CONTACTS + OF_MOVE]) + 1
    if moved.touches.counts[TOUCHES] + touches > moved.touches.numbers.shape[0]:
        return NO_TOUCHES, touches
    return FINE, 0


@scalar
def _first_contact(results: MoveResults, k: int) -> int:
    return int(results.numbers[k - 1, CONTACTS_END]) if k > 0 else 0


@scalar
def _put_pair(values: NDArray[float64], first: int, x: float, y: float) -> None:
    values[first] = x
    values[first + 1] = y


@scalar
def _put_result(mover: Mover, results: MoveResults, k: int, order: Order, outcome: Outcome) -> None:
    """Write what became of a move."""
    state, counts = mover.state, mover.counts
    values, numbers = results.values[k], results.numbers[k]
    floor = support_at(state, FLOOR)
    _put_pair(values, MOVED, state[X], state[Y])
    _put_pair(values, REMAINING, order.x - outcome.own_x, order.y - outcome.own_y)
    _put_pair(values, FLOOR_NORMAL, floor.normal_x, floor.normal_y)
    _put_pair(values, OF_FLOOR, outcome.velocity_x, outcome.velocity_y)
    _put_pair(values, CARRIED, outcome.carried_x, outcome.carried_y)
    _put_pair(values, PUSHED, outcome.pushed_x, outcome.pushed_y)
    values[CLIMBED] = state[STEPPED]
    numbers[IS_ON_FLOOR] = counts[ON_FLOOR]
    numbers[IS_ON_WALL] = counts[ON_WALL]
    numbers[IS_ON_CEILING] = counts[ON_CEILING]
    numbers[HAS_SNAPPED] = counts[SNAPPED]
    numbers[IS_CRUSHED] = outcome.is_crushed
    numbers[FLOOR_ENTITY] = floor.entity
    numbers[WALL_COUNT] = 0
    for side in range(2):
        if state[WALLS + side * CONTACT_COLUMNS] >= 0.0:
            numbers[WALL_COUNT] += 1
    for column in range(WALL_COLUMNS):
        results.walls[k, column] = state[WALLS + column]
    first = _first_contact(results, k)
    told = first
    for c in range(counts[CONTACTS + OF_MOVE]):
        if int(mover.contacts[OF_MOVE, c, HOW]) & IS_TOLD == 0:
            continue
        for column in range(CONTACT_COLUMNS):
            results.contacts[told, column] = mover.contacts[OF_MOVE, c, column]
        told += 1
    numbers[CONTACTS_END] = told


@scalar
def _put_mover(
    mover: Mover,
    solids: Solids,
    world: SolidWorld,
    moved: Moved,
    head: int,
    order: Order,
    padding: float,
) -> None:
    """Write where the mover is: its transform, and where its colliders are placed; ``head`` is the first one."""
    x = order.place_x + mover.state[X]
    y = order.place_y + mover.state[Y]
    moved.transforms[TRANSFORM_X, order.transform_row] = x
    moved.transforms[TRANSFORM_Y, order.transform_row] = y
    if x == order.place_x and y == order.place_y:
        return
    this = head
    while this >= 0:
        if solids.absence[this] == PRESENT:
            if is_solid(solids, this):
                note_pose(moved.journal, solids, this)
            shift_shape(this, x, y, padding, world.placed, solids.pool, world.filed.notes)
        this = int(world.colliders.following[this]) + 0
