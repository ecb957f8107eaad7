"""The rows of bodies follow changes of some entities: the rows of all other bodies stay as they are."""

from __future__ import annotations

import math
from typing import NamedTuple

from ecsphys.engine.dynamics.bodies import LOCK_ROTATION, LOCK_X, LOCK_Y
from ecsphys.engine.dynamics.body_mass import (
    CAN_SLEEP,
    DOMINANCE,
    DYNAMIC,
    KIND,
    KINEMATIC,
    MASS_COLUMNS,
    OWN_INVERSE_MASS,
    STATIC,
    RigidBlocks,
)
from ecsphys.engine.dynamics.body_mass import FRICTION as OWN_FRICTION
from ecsphys.engine.dynamics.body_mass import LOCK_ROTATION as OWN_LOCK_ROTATION
from ecsphys.engine.dynamics.body_mass import LOCK_X as OWN_LOCK_X
from ecsphys.engine.dynamics.body_mass import LOCK_Y as OWN_LOCK_Y
from ecsphys.engine.dynamics.body_mass import RESTITUTION as OWN_RESTITUTION
from ecsphys.engine.dynamics.body_mass import ROLLING_RESISTANCE as OWN_ROLLING_RESISTANCE
from ecsphys.engine.dynamics.body_mass import TANGENT_SPEED as OWN_TANGENT_SPEED
from ecsphys.engine.dynamics.body_state import ARM_COLUMNS, FORCE_COLUMNS, BodyList
from ecsphys.engine.dynamics.contacts.materials import FRICTION, RESTITUTION, ROLLING_RESISTANCE, TANGENT_SPEED
from ecsphys.engine.dynamics.sleeping_bodies import AWAKE, SleepStates, wake_islands
from ecsphys.engine.kernels.array_types import Float64Rows, Float64s, Int32Rows, Int32s, Int64s, Uint8s
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import inlined_scalar, kernel
from ecsphys.engine.tables.collider_slots import EntitySlots
from ecsphys.engine.tables.entity_rows import (
    DISABLED,
    RIGID_BODY,
    SOLID,
    TRANSFORM,
    VELOCITY,
    is_on_path,
    row_of,
)

# Results: the rows follow; all bodies must be listed again, in the second case with more room; a dynamic body lacks a
# Velocity; a field of a RigidBody has a value that no assignment accepts.
FOLLOWED, BELONGS_BETWEEN, HAS_NO_ROOM, LACKS_VELOCITY, BAD_VALUE = range(5)

# Lists of rows, and their lengths: of no body any more; written; to be weighed; of disabled bodies, which keep their
# masses. And for each changed entity: its row, −1 for none; and whether stepped motion leaves it alone.
GONE, WRITTEN, UNMEASURED, RESTED, ROW, IS_HELD = range(6)
LISTS = 6

# Other numbers: rows in use and the highest entity in them; then the events: sleepers woke; a body is of another
# kind; an entity has or had a body, or is solid.
USED, LAST_NUMBER, IS_WOKEN, IS_OTHER_KIND, IS_OF_BODIES = range(RESTED + 1, RESTED + 6)
FOLLOWING_COUNTS = RESTED + 6

# The role of an entity: nothing to the solver, a part of the world, or a body.
_NOTHING, _OF_WORLD, _BODY = range(3)


@packed
class RigidBounds(NamedTuple):
    """The bounds of the fields of RigidBody, by block."""

    low: Float64s
    high: Float64s
    whole_low: Int64s
    whole_high: Int64s


class BodyTableRows(NamedTuple):
    """For each slot of an entity the row of its own body, and the row of the body it belongs to; −1 for none. For each
    row of a body: the entity, −1 for none; the row of RigidBody and all its values (fields, n); and, as the solver
    takes them, its surfaces, dominance, whether it may sleep, its locks and its rolling resistance.
    """

    row_of: Int32s
    of_entity: Int32s
    numbers: Int64s
    rigid_rows: Int32s
    values: Float64Rows
    surfaces: Float64Rows
    dominance: Int32s
    may_sleep: Uint8s
    locks: Uint8s
    rolling_resistance: Float64s


@inlined_scalar
def _rigid_row(slot: int, entities: EntitySlots) -> int:
    """The row of RigidBody of an entity with a place, −1 for none."""
    return row_of(RIGID_BODY, slot, entities.lines) if row_of(TRANSFORM, slot, entities.lines) >= 0 else -1


@inlined_scalar
def _is_bad(rigid: int, blocks: RigidBlocks, bounds: RigidBounds) -> bool:
    found = False
    for field in range(bounds.low.shape[0]):
        value = blocks.reals[field, rigid]
        found = found or not (bounds.low[field] <= value <= bounds.high[field])
    for field in range(bounds.whole_low.shape[0]):
        whole = blocks.whole[field, rigid]
        found = found or whole < bounds.whole_low[field] or whole > bounds.whole_high[field]
    return found


@inlined_scalar
def _role_of(slot: int, entities: EntitySlots) -> int:
    if _rigid_row(slot, entities) >= 0:
        return _BODY
    if row_of(TRANSFORM, slot, entities.lines) < 0 or row_of(SOLID, slot, entities.lines) < 0:
        return _NOTHING
    moves = row_of(VELOCITY, slot, entities.lines) >= 0 or is_on_path(slot, entities.lines)
    return _BODY if moves else _OF_WORLD


@inlined_scalar
def _kind_of(slot: int, rigid: int, entities: EntitySlots, blocks: RigidBlocks) -> int:
    """The role of a body for the solver. A body that something else moves is not pushed."""
    kind = KINEMATIC
    if rigid >= 0:
        kind = int(blocks.whole[KIND, rigid]) + 0
        if kind == DYNAMIC and is_on_path(slot, entities.lines):
            kind = KINEMATIC
    return kind


@inlined_scalar
def _value_of(field: int, rigid: int, blocks: RigidBlocks) -> float:
    """A field of RigidBody, the floats before the whole numbers; 0 for no row."""
    floats = blocks.reals.shape[0]
    if rigid < 0:
        return 0.0
    return float(blocks.reals[field, rigid]) if field < floats else float(blocks.whole[field - floats, rigid])


@inlined_scalar
def _has_other_values(row: int, rigid: int, blocks: RigidBlocks, rows: BodyTableRows) -> bool:
    found = False
    for field in range(rows.values.shape[0]):
        found = found or rows.values[field, row] != _value_of(field, rigid, blocks)
    return found


@inlined_scalar
def _has_other_rows(row: int, slot: int, entities: EntitySlots, listed: BodyList) -> bool:
    found = False
    for line in range(listed.rows.shape[0]):
        found = found or listed.rows[line, row] != row_of(line, slot, entities.lines)
    return found


@inlined_scalar
def _is_as_it_was(
    row: int, slot: int, entities: EntitySlots, blocks: RigidBlocks, listed: BodyList, rows: BodyTableRows
) -> bool:
    """Whether a body that stays in its row has the role that is written there."""
    rigid = _rigid_row(slot, entities)
    is_same = rows.rigid_rows[row] == rigid and listed.kind[row] == _kind_of(slot, rigid, entities, blocks)
    return (
        is_same and not _has_other_values(row, rigid, blocks, rows) and not _has_other_rows(row, slot, entities, listed)
    )


@inlined_scalar
def _clear(row: int, listed: BodyList) -> None:
    """Let nothing be left of the body that was in a row."""
    for column in range(MASS_COLUMNS):
        listed.masses[row, column] = 0.0
    for column in range(FORCE_COLUMNS):
        listed.forces[row, column] = 0.0
    for column in range(ARM_COLUMNS):
        listed.arms[row, column] = math.nan


@inlined_scalar
def _wake_written(lists: Int32Rows, count: int, states: SleepStates) -> bool:
    """Wake all that sleeps in the islands of the WRITTEN rows; returns whether anything does."""
    any_sleeps = False
    for k in range(count):
        island = int(states.island[lists[WRITTEN, k]]) + 0
        if island != AWAKE:
            states.is_woken[island] = 1
            any_sleeps = True
    return any_sleeps and wake_islands(states) > 0


@inlined_scalar
def _remove(row: int, listed: BodyList, states: SleepStates, rows: BodyTableRows) -> None:
    """Leave a row without a body, like the row of the world."""
    _clear(row, listed)
    owner = int(listed.owner[row]) + 0
    if rows.row_of[owner] == row:
        rows.row_of[owner] = -1
    listed.kind[row] = STATIC
    for line in range(listed.rows.shape[0]):
        listed.rows[line, row] = -1
    listed.owner[row] = -1
    rows.rigid_rows[row] = -1
    rows.numbers[row] = -1
    for field in range(rows.values.shape[0]):
        rows.values[field, row] = 0.0
    states.is_changed[row] = 0


@inlined_scalar
def _write_surface(row: int, rigid: int, kind: int, blocks: RigidBlocks, rows: BodyTableRows) -> None:
    """Write the surface of a body; one without a RigidBody has the surface of the world, in row 0."""
    for column in range(rows.surfaces.shape[1]):
        rows.surfaces[row, column] = rows.surfaces[0, column]
    rows.rolling_resistance[row] = rows.rolling_resistance[0]
    rows.dominance[row] = rows.dominance[0]
    rows.may_sleep[row] = 0
    rows.locks[row] = 0
    if rigid >= 0:
        reals = blocks.reals
        whole = blocks.whole
        rows.surfaces[row, FRICTION] = reals[OWN_FRICTION, rigid]
        rows.surfaces[row, RESTITUTION] = reals[OWN_RESTITUTION, rigid]
        rows.surfaces[row, TANGENT_SPEED] = reals[OWN_TANGENT_SPEED, rigid]
        rows.rolling_resistance[row] = reals[OWN_ROLLING_RESISTANCE, rigid]
        if kind == DYNAMIC:
            rows.dominance[row] = whole[DOMINANCE, rigid]
        rows.may_sleep[row] = whole[CAN_SLEEP, rigid] != 0
        locks = LOCK_X if whole[OWN_LOCK_X, rigid] != 0 else 0
        locks |= LOCK_Y if whole[OWN_LOCK_Y, rigid] != 0 else 0
        locks |= LOCK_ROTATION if whole[OWN_LOCK_ROTATION, rigid] != 0 else 0
        rows.locks[row] = locks
    rows.surfaces[row, ROLLING_RESISTANCE] = rows.rolling_resistance[row]


@inlined_scalar
def _write(
    row: int,
    slot: int,
    entities: EntitySlots,
    blocks: RigidBlocks,
    listed: BodyList,
    states: SleepStates,
    rows: BodyTableRows,
) -> bool:
    """Write the body of a row; returns whether it was of another kind."""
    rigid = _rigid_row(slot, entities)
    kind = _kind_of(slot, rigid, entities, blocks)
    is_other = bool(listed.kind[row] != kind)
    listed.kind[row] = kind
    for line in range(listed.rows.shape[0]):
        listed.rows[line, row] = row_of(line, slot, entities.lines)
    listed.owner[row] = slot
    rows.rigid_rows[row] = rigid
    rows.numbers[row] = entities.entity[slot]
    for field in range(rows.values.shape[0]):
        rows.values[field, row] = _value_of(field, rigid, blocks)
    states.slow_for[row] = 0.0
    for column in range(states.accelerations.shape[1]):
        states.accelerations[row, column] = 0.0
    states.island[row] = AWAKE
    states.touching[row] = 0
    _write_surface(row, rigid, kind, blocks, rows)
    return is_other


@inlined_scalar
def _look(
    changed: Int32s,
    entities: EntitySlots,
    blocks: RigidBlocks,
    bounds: RigidBounds,
    rows: BodyTableRows,
    lists: Int32Rows,
    counts: Int64s,
) -> int:
    """Find the present row of each changed entity that stays a body, −1 for others, and whether the rows can follow.

    Only ``lists[ROW]`` is written; and as WRITTEN the slots of all dynamic bodies that lack a Velocity, if any does.
    """
    result = FOLLOWED
    come = 0
    lacking = 0
    for i in range(changed.shape[0]):
        slot = int(changed[i]) + 0
        rigid = _rigid_row(slot, entities)
        if rigid >= 0:
            if _is_bad(rigid, blocks, bounds):
                return BAD_VALUE
            if row_of(VELOCITY, slot, entities.lines) < 0 and blocks.whole[KIND, rigid] == DYNAMIC:
                result = LACKS_VELOCITY
                lists[WRITTEN, lacking] = slot
                lacking += 1
        row = int(rows.row_of[slot]) + 0
        number = int(entities.entity[slot]) + 0
        is_body = _role_of(slot, entities) == _BODY
        lists[ROW, i] = row if is_body and row > 0 and rows.numbers[row] == number else -1
        if is_body and lists[ROW, i] < 0:
            if result == FOLLOWED and number <= counts[LAST_NUMBER]:
                result = BELONGS_BETWEEN
            come += 1
    counts[WRITTEN] = lacking
    if result == FOLLOWED and counts[USED] + come > rows.numbers.shape[0]:
        result = HAS_NO_ROOM
    return result


@inlined_scalar
def _list_changes(
    changed: Int32s,
    entities: EntitySlots,
    blocks: RigidBlocks,
    listed: BodyList,
    rows: BodyTableRows,
    lists: Int32Rows,
    counts: Int64s,
) -> None:
    """List the rows that are GONE, and as WRITTEN the rows of bodies that stay but are not as they were."""
    gone = 0
    written = 0
    for i in range(changed.shape[0]):
        slot = int(changed[i]) + 0
        row = int(rows.row_of[slot]) + 0
        if row > 0 and lists[ROW, i] < 0:
            lists[GONE, gone] = row
            gone += 1
        elif row > 0 and not _is_as_it_was(row, slot, entities, blocks, listed, rows):
            lists[WRITTEN, written] = row
            written += 1
    counts[GONE] = gone
    counts[WRITTEN] = written


@kernel
def follow_bodies(
    changed: Int32s,
    entities: EntitySlots,
    blocks: RigidBlocks,
    bounds: RigidBounds,
    listed: BodyList,
    states: SleepStates,
    rows: BodyTableRows,
    lists: Int32Rows,
    counts: Int64s,
) -> int:
    """Update the rows of the ``changed`` entities (k,), slots by ascending entity.

    They are all that has changed since the bodies were listed; there are no parents. ``lists`` (LISTS, k) and
    ``counts`` (FOLLOWING_COUNTS,) list the events. Returns FOLLOWED, or why nothing has changed.
    """
    result = _look(changed, entities, blocks, bounds, rows, lists, counts)
    if result != FOLLOWED:
        return result
    _list_changes(changed, entities, blocks, listed, rows, lists, counts)
    gone = int(counts[GONE]) + 0
    written = int(counts[WRITTEN]) + 0
    # Until they are written again, the list of written rows has the gone ones behind.
    for k in range(gone):
        lists[WRITTEN, written + k] = lists[GONE, k]
    counts[IS_WOKEN] = _wake_written(lists, written + gone, states)
    for k in range(gone):
        _remove(int(lists[GONE, k]) + 0, listed, states, rows)
    used = int(counts[USED]) + 0
    while used > 1 and rows.numbers[used - 1] < 0:
        # The last rows are used again.
        used -= 1
    last = int(rows.numbers[used - 1]) + 0
    is_other_kind = 0
    is_of_bodies = 0
    written = 0
    unmeasured = 0
    rested = 0
    for i in range(changed.shape[0]):
        slot = int(changed[i]) + 0
        row = int(lists[ROW, i]) + 0
        role = _role_of(slot, entities)
        rigid = _rigid_row(slot, entities)
        is_disabled = row_of(DISABLED, slot, entities.lines) >= 0
        is_as_it_was = True
        if role == _BODY and row >= 0:
            is_same = bool(rows.rigid_rows[row] == rigid)
            has_values = not is_same or _has_other_values(row, rigid, blocks, rows)
            is_as_it_was = _is_as_it_was(row, slot, entities, blocks, listed, rows)
            if has_values:
                states.is_changed[row] = 1
            if not is_same:
                _clear(row, listed)
            if is_disabled and not (is_same and has_values) and listed.masses[row, OWN_INVERSE_MASS] > 0.0:
                # A disabled body hits nothing but keeps its mass.
                lists[RESTED, rested] = row
                rested += 1
            else:
                lists[UNMEASURED, unmeasured] = row
                unmeasured += 1
        elif role == _BODY:
            is_as_it_was = False
            row = used
            used += 1
            last = int(entities.entity[slot]) + 0
            _clear(row, listed)
            states.is_changed[row] = 1
            lists[UNMEASURED, unmeasured] = row
            unmeasured += 1
        if not is_as_it_was:
            if _write(row, slot, entities, blocks, listed, states, rows):
                is_other_kind = 1
            lists[WRITTEN, written] = row
            written += 1
        lists[ROW, i] = row
        lists[IS_HELD, i] = 1 if rigid >= 0 and listed.kind[row] != KINEMATIC else 0
        rows.row_of[slot] = row
        now = row if role == _BODY else (0 if role == _OF_WORLD else -1)
        if now >= 0 or rows.of_entity[slot] >= 0:
            is_of_bodies = 1
        rows.of_entity[slot] = now
    counts[USED] = used
    counts[LAST_NUMBER] = last
    counts[WRITTEN] = written
    counts[UNMEASURED] = unmeasured
    counts[RESTED] = rested
    counts[IS_OTHER_KIND] = is_other_kind
    counts[IS_OF_BODIES] = is_of_bodies
    return FOLLOWED
