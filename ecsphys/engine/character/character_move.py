"""One move of a character: carried and pushed first, then by itself."""

from __future__ import annotations

from typing import NamedTuple

from ecsphys.engine.character.carrying import belt_velocity, carry_and_push, keep_in_the_way
from ecsphys.engine.character.dropping import is_in_the_way, let_drop
from ecsphys.engine.character.gathering import Scratch
from ecsphys.engine.character.grid_snap import snap_to_grid
from ecsphys.engine.character.meetings import find_closing
from ecsphys.engine.character.mover import (
    AHEAD,
    FINE,
    FLOOR,
    NO_ROWS,
    SKIN,
    STATUS,
    SUPPORT,
    Mover,
    Support,
    X,
    Y,
    dot,
    fail,
    no_support,
    put_support,
    shift,
    support_at,
)
from ecsphys.engine.character.solid_casts import ALL, cast, least_gap
from ecsphys.engine.character.solid_motion import JournalArrays, find_moved, revision_of, velocity_at
from ecsphys.engine.character.solid_world import Solids, is_there
from ecsphys.engine.character.walk import Gait, walk
from ecsphys.engine.character.walls import find_walls
from ecsphys.engine.kernels.array_types import Float64Rows, Int64Rows, Int64s
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.math.elementary import hypot

# Columns of the memories' numbers and values. REVISION: of the journal, as of the last move; −1 before the first one.
TRANSFORM_ROW, REVISION = 0, 1
MEMORY_NUMBERS = 2
PLACE, CLOCK, FLOOR_VELOCITY, STOOD_ON, SNAP, INSIDE_SINCE = 0, 2, 3, 5, 11, 13
MEMORY_VALUES = 14

# Columns of ``dropped``.
BY_MEMORY, DROPPED_ENTITY = 0, 1


@packed
class CharacterMemories(NamedTuple):
    """The memories of characters from one move to the next, a row each.

    ``numbers``: its transform, and how far the journal was read. ``values``: where it was left, and when; its floor
    then, and how fast that was; by how much it was put on its grid; since when it is inside a solid, −1 if it is not.
    ``dropped``: rows of characters, and the one-way entities they are dropping through; ``dropped_count`` (1,): how
    many.
    """

    numbers: Int64Rows
    values: Float64Rows
    dropped: Int64Rows
    dropped_count: Int64s


class Order(NamedTuple):
    """One mover, and how it is to move: its ``entity``; the rows of its filter, its transform, and its memory; the
    transform's place; the displacement (x, y), and whether it drops; the time, and the seconds of this step by which
    its stages have moved things already."""

    entity: int
    filter_row: int
    transform_row: int
    memory: int
    place_x: float
    place_y: float
    x: float
    y: float
    drop: bool
    clock: float
    since_start: float


class Outcome(NamedTuple):
    """What became of it: by how much it was moved by its own displacement, carried and pushed; the velocity of its
    floor; whether it is crushed; how many entities in the scratch it is dropping through; by how much it was put on its
    grid; since when it is inside a solid, −1 if it is not."""

    own_x: float
    own_y: float
    carried_x: float
    carried_y: float
    pushed_x: float
    pushed_y: float
    velocity_x: float
    velocity_y: float
    is_crushed: bool
    dropped: int
    snap_x: float
    snap_y: float
    inside_since: float


@scalar
def move_one(
    mover: Mover,
    solids: Solids,
    scratch: Scratch,
    journal: JournalArrays,
    memories: CharacterMemories,
    gait: Gait,
    order: Order,
) -> Outcome:
    """Move a mover, which is laid out with its solids, as a character."""
    state, memory, ground = mover.state, memories.values[order.memory], gait.ground
    moved = find_moved(mover, solids, journal, scratch, _read_to(journal, memories, order))
    stood_on = support_at(memory, STOOD_ON)
    was_left_here = hypot(order.place_x - memory[PLACE], order.place_y - memory[PLACE + 1]) <= state[SKIN]
    is_falling = dot(order.x, order.y, ground.up_x, ground.up_y) <= 0.0
    last_x = memory[SNAP] if was_left_here else 0.0
    last_y = memory[SNAP + 1] if was_left_here else 0.0
    shift(mover, -last_x, -last_y)
    falls = stood_on.slot < 0 and was_left_here and is_falling
    dropped = _recall_dropped(mover, scratch, memories, order.memory)
    support = stood_on
    if support.slot >= 0:
        is_still_there = was_left_here and is_there(solids, support.slot, support.entity)
        if not (is_still_there and is_in_the_way(solids, scratch, support.slot, order.entity, order.filter_row, 0)):
            support = no_support()
    put_support(state, SUPPORT, support)
    dropped = let_drop(mover, solids, scratch, dropped, order.drop, falls)
    moved = keep_in_the_way(solids, scratch, moved, order.entity, order.filter_row, dropped)
    # Before its first move, the memory has no time.
    elapsed = order.clock - memory[CLOCK] if support.slot >= 0 else 0.0
    carried_x, carried_y, pushed_x, pushed_y = carry_and_push(mover, solids, scratch, moved, elapsed)
    if support.slot >= 0:
        state[SUPPORT + 4] = support.x + carried_x
        state[SUPPORT + 5] = support.y + carried_y
    start_x, start_y = state[X], state[Y]
    if mover.counts[STATUS] == FINE:
        walk(mover, solids.pool, gait, order.x, order.y)
    find_closing(mover, scratch, moved)
    own_x, own_y = state[X] - start_x, state[Y] - start_y
    velocity_x = velocity_y = 0.0
    floor = support_at(state, FLOOR)
    if floor.slot >= 0:
        elapsed = order.clock - memory[CLOCK]
        if elapsed > 0.0:
            velocity_x, velocity_y = velocity_at(scratch, moved, floor.slot, floor.x, floor.y, elapsed)
            belt_x, belt_y = belt_velocity(solids, floor)
            velocity_x += belt_x
            velocity_y += belt_y
        elif stood_on.slot >= 0 and stood_on.entity == floor.entity:
            velocity_x, velocity_y = memory[FLOOR_VELOCITY], memory[FLOOR_VELOCITY + 1]
    cast(mover, solids.pool, ALL, 0.0, 0.0, AHEAD)
    inside_since = -1.0
    if least_gap(mover, AHEAD) < -gait.crushed * state[SKIN]:
        inside_since = memory[INSIDE_SINCE] if was_left_here and memory[INSIDE_SINCE] >= 0.0 else order.clock
    # A body that has just moved into it is stopped at the end of this step: one that crushes it is there in the next.
    is_crushed = inside_since >= 0.0 and (not gait.has_mass or inside_since < order.clock)
    if gait.wall_reach > 0.0:
        find_walls(mover, solids.pool, ground, gait.wall_reach)
    snap_x = snap_y = 0.0
    if gait.grid > 0.0:
        snap_x = snap_to_grid(mover, solids.pool, gait.grid, order.place_x, last_x, 0)
        snap_y = snap_to_grid(mover, solids.pool, gait.grid, order.place_y, last_y, 1)
    return Outcome(
        own_x,
        own_y,
        carried_x,
        carried_y,
        pushed_x,
        pushed_y,
        velocity_x,
        velocity_y,
        is_crushed,
        dropped,
        snap_x,
        snap_y,
        inside_since,
    )


@scalar
def _read_to(journal: JournalArrays, memories: CharacterMemories, order: Order) -> int:
    """From which revision of the journal on solids have moved for a character: none have before its first move."""
    revision = int(memories.numbers[order.memory, REVISION])
    return revision if revision >= 0 else revision_of(journal)


@scalar
def _recall_dropped(mover: Mover, scratch: Scratch, memories: CharacterMemories, memory: int) -> int:
    """Write to the scratch through which entities a character is dropping; returns how many they are."""
    count = 0
    for k in range(memories.dropped_count[0]):
        if memories.dropped[k, BY_MEMORY] == memory:
            if count < scratch.dropped.shape[0]:
                scratch.dropped[count] = memories.dropped[k, DROPPED_ENTITY]
            count += 1
    if count > scratch.dropped.shape[0]:
        fail(mover, NO_ROWS, count)
        return 0
    return count


@scalar
def remember_first(memories: CharacterMemories, order: Order, since: int, on: Support) -> None:
    """Remember of a character, which is moved for the first time, that it stood there ``since`` a revision."""
    memory = memories.values[order.memory]
    memories.numbers[order.memory, REVISION] = since
    memory[PLACE] = order.place_x
    memory[PLACE + 1] = order.place_y
    memory[CLOCK] = order.clock - order.since_start
    put_support(memory, STOOD_ON, on)


@scalar
def can_remember(memories: CharacterMemories, dropped: int) -> bool:
    """Whether there is room for the entities that a character is dropping through."""
    return bool(memories.dropped_count[0] + dropped <= memories.dropped.shape[0])


@scalar
def forget(memories: CharacterMemories, memory: int, transform_row: int) -> None:
    """Start an empty memory for a transform."""
    memories.numbers[memory, TRANSFORM_ROW] = transform_row
    memories.numbers[memory, REVISION] = -1
    for column in range(MEMORY_VALUES):
        memories.values[memory, column] = 0.0
    memories.values[memory, INSIDE_SINCE] = -1.0
    put_support(memories.values[memory], STOOD_ON, no_support())
    _forget_dropped(memories, memory)


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
def remember(
    mover: Mover,
    scratch: Scratch,
    journal: JournalArrays,
    memories: CharacterMemories,
    order: Order,
    outcome: Outcome,
) -> None:
    """Keep the values of a move that the next one needs; there must be room (:func:`can_remember`)."""
    memory = memories.values[order.memory]
    memories.numbers[order.memory, REVISION] = revision_of(journal)
    memory[PLACE] = order.place_x + mover.state[X]
    memory[PLACE + 1] = order.place_y + mover.state[Y]
    memory[CLOCK] = order.clock
    memory[FLOOR_VELOCITY] = outcome.velocity_x
    memory[FLOOR_VELOCITY + 1] = outcome.velocity_y
    memory[SNAP] = outcome.snap_x
    memory[SNAP + 1] = outcome.snap_y
    memory[INSIDE_SINCE] = outcome.inside_since
    put_support(memory, STOOD_ON, support_at(mover.state, FLOOR))
    _forget_dropped(memories, order.memory)
    count = memories.dropped_count[0]
    for k in range(outcome.dropped):
        memories.dropped[count + k, BY_MEMORY] = order.memory
        memories.dropped[count + k, DROPPED_ENTITY] = scratch.dropped[k]
    memories.dropped_count[0] = count + outcome.dropped
