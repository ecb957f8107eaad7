"""The rows of bodies follow changes of some entities: the rows of all other bodies stay as they are."""

from __future__ import annotations

import math

from ecsphys.engine.dynamics import bodies, body_mass
from ecsphys.engine.dynamics.body_mass import (
    CHARACTER,
    DYNAMIC,
    KINEMATIC,
    MASS_COLUMNS,
    OWN_INVERSE_MASS,
    STATIC,
    RigidBlocks,
)
from ecsphys.engine.dynamics.body_state import ARM_COLUMNS, AWAKE, FORCE_COLUMNS, BodyList, SleepStates
from ecsphys.engine.dynamics.contacts import materials
from ecsphys.engine.dynamics.contacts.materials import Materials
from ecsphys.engine.dynamics.sleeping_bodies import wake_islands
from ecsphys.engine.kernels import NamedTuple, inlined_scalar, kernel, packed
from ecsphys.engine.kernels.arrays import Float64Rows, Float64s, Int32Rows, Int32s, Int64s, Uint8s
from ecsphys.engine.tables.collider_slots import EntitySlots
from ecsphys.engine.tables.entity_rows import (
    DISABLED,
    PARENT,
    RIGID_BODY,
    SOLID,
    TRANSFORM,
    VELOCITY,
    is_on_path,
    row_of,
)

# Results: the rows follow; all bodies must be listed again; there must be more room; a dynamic body lacks a Velocity; a
# field of a RigidBody has a value that no assignment accepts.
FOLLOWED, BELONGS_BETWEEN, HAS_NO_ROOM, LACKS_VELOCITY, BAD_VALUE = range(5)

# Lists of rows, and their lengths: of no body any more; written; to be weighed; of disabled bodies, which keep their
# masses. And for each changed entity: its row, −1 for none; and whether stepped motion leaves it alone.
GONE, WRITTEN, UNMEASURED, RESTED, ROW, IS_HELD = range(6)
LISTS = 6

# Other numbers: rows in use, and how many are needed; then the events: sleepers woke; a body is of another kind; an
# entity has or had a body, or is solid.
USED, NEEDED, IS_WOKEN, IS_OTHER_KIND, IS_OF_BODIES = range(RESTED + 1, RESTED + 6)
FOLLOWING_COUNTS = RESTED + 6

# Roles that do not follow from an entity's other components: it is a character with a mass; a joint holds it.
WALKS, HELD_BY_JOINT = 1, 2

# The role of an entity: nothing to the solver, a part of the world, or a body.
_NOTHING, _OF_WORLD, _BODY = range(3)


@packed
class RigidBounds(NamedTuple):
    """The bounds of the fields of RigidBody, by block."""

    low: Float64s
    high: Float64s
    whole_low: Int64s
    whole_high: Int64s


@packed
class BodyTableRows(NamedTuple):
    """For each slot of an entity the row of its own body, and the row of the body it belongs to, −1 for none; and its
    role, 0 if that follows from its components. For each row of a body: the entity, −1 for none; the row of RigidBody
    and all its values (fields, n); and, as the solver takes them, its materials, whether it may sleep, its locks and
    its rolling resistance.
    """

    row_of: Int32s
    of_entity: Int32s
    roles: Uint8s
    numbers: Int64s
    rigid_rows: Int32s
    values: Float64Rows
    materials: Materials
    may_sleep: Uint8s
    locks: Uint8s
    rolling_resistance: Float64s


class ListedBodies(NamedTuple):
    """All that is known of the bodies, and what they are made of."""

    entities: EntitySlots
    blocks: RigidBlocks
    bounds: RigidBounds
    listed: BodyList
    states: SleepStates
    rows: BodyTableRows


@inlined_scalar
def _row(line: int, slot: int, of: ListedBodies) -> int:
    """The row of a component of an entity, −1 for none."""
    return row_of(line, slot, of.entities.lines)


@inlined_scalar
def _rigid_row(slot: int, of: ListedBodies) -> int:
    """The row of RigidBody of an entity with a place, −1 for none."""
    return _row(RIGID_BODY, slot, of) if _row(TRANSFORM, slot, of) >= 0 else -1


@inlined_scalar
def _is_bad(rigid: int, of: ListedBodies) -> bool:
    bounds = of.bounds
    found = False
    for field in range(bounds.low.shape[0]):
        value = of.blocks.reals[field, rigid]
        found = found or not (bounds.low[field] <= value <= bounds.high[field])
    for field in range(bounds.whole_low.shape[0]):
        whole = of.blocks.whole[field, rigid]
        found = found or whole < bounds.whole_low[field] or whole > bounds.whole_high[field]
    return found


@inlined_scalar
def _is_driven(slot: int, of: ListedBodies) -> bool:
    """Whether a trajectory or a parent moves an entity."""
    return _row(PARENT, slot, of) >= 0 or is_on_path(slot, of.entities.lines)


@inlined_scalar
def _role_of(slot: int, of: ListedBodies) -> int:
    if _row(TRANSFORM, slot, of) < 0:
        return _NOTHING
    if _row(RIGID_BODY, slot, of) >= 0 or of.rows.roles[slot] == WALKS:
        return _BODY
    if _row(SOLID, slot, of) < 0:
        return _NOTHING
    return _BODY if _row(VELOCITY, slot, of) >= 0 or _is_driven(slot, of) else _OF_WORLD


@inlined_scalar
def _has_row(role: int, slot: int, of: ListedBodies) -> bool:
    """Whether an entity in this role has a row: it is a body, or a joint holds it. Then its colliders push nothing."""
    return role == _BODY or (of.rows.roles[slot] == HELD_BY_JOINT and _row(TRANSFORM, slot, of) >= 0)


@inlined_scalar
def _kind_of(slot: int, rigid: int, of: ListedBodies) -> int:
    """The role of a body for the solver. A body that something else moves is not pushed."""
    kind = KINEMATIC
    if rigid >= 0:
        kind = int(of.blocks.whole[body_mass.KIND, rigid]) + 0
        if kind == DYNAMIC and _is_driven(slot, of):
            kind = KINEMATIC
    elif of.rows.roles[slot] == WALKS:
        kind = CHARACTER
    return kind


@inlined_scalar
def _value_of(field: int, rigid: int, blocks: RigidBlocks) -> float:
    """A field of RigidBody, the floats before the whole numbers; 0 for no row."""
    floats = blocks.reals.shape[0]
    if rigid < 0:
        return 0.0
    return float(blocks.reals[field, rigid]) if field < floats else float(blocks.whole[field - floats, rigid])


@inlined_scalar
def _has_other_values(row: int, rigid: int, of: ListedBodies) -> bool:
    found = False
    for field in range(of.rows.values.shape[0]):
        found = found or of.rows.values[field, row] != _value_of(field, rigid, of.blocks)
    return found


@inlined_scalar
def _is_as_it_was(row: int, slot: int, of: ListedBodies) -> bool:
    """Whether a body that stays in its row has the role, the values and the components that are written there."""
    rigid = _rigid_row(slot, of)
    is_same = of.rows.rigid_rows[row] == rigid and of.listed.kind[row] == _kind_of(slot, rigid, of)
    for line in range(of.listed.rows.shape[0]):
        is_same = is_same and of.listed.rows[line, row] == _row(line, slot, of)
    return is_same and not _has_other_values(row, rigid, of)


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
def _remove(row: int, of: ListedBodies) -> None:
    """Leave a row without a body, like the row of the world."""
    listed, rows = of.listed, of.rows
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
    of.states.is_changed[row] = 0


@inlined_scalar
def _write_surface(row: int, rigid: int, kind: int, blocks: RigidBlocks, rows: BodyTableRows) -> None:
    """Write the surface of a body; one without a RigidBody has the surface of the world, in row 0."""
    for column in range(rows.materials.surfaces.shape[1]):
        rows.materials.surfaces[row, column] = rows.materials.surfaces[0, column]
    rows.rolling_resistance[row] = rows.rolling_resistance[0]
    rows.materials.dominance[row] = 0 if kind == CHARACTER else rows.materials.dominance[0]
    rows.may_sleep[row] = 0
    rows.locks[row] = 0
    if rigid >= 0:
        reals = blocks.reals
        whole = blocks.whole
        rows.materials.surfaces[row, materials.FRICTION] = reals[body_mass.FRICTION, rigid]
        rows.materials.surfaces[row, materials.RESTITUTION] = reals[body_mass.RESTITUTION, rigid]
        rows.materials.surfaces[row, materials.TANGENT_SPEED] = reals[body_mass.TANGENT_SPEED, rigid]
        rows.rolling_resistance[row] = reals[body_mass.ROLLING_RESISTANCE, rigid]
        if kind == DYNAMIC:
            rows.materials.dominance[row] = whole[body_mass.DOMINANCE, rigid]
        rows.may_sleep[row] = whole[body_mass.CAN_SLEEP, rigid] != 0
        locks = bodies.LOCK_X if whole[body_mass.LOCK_X, rigid] != 0 else 0
        locks |= bodies.LOCK_Y if whole[body_mass.LOCK_Y, rigid] != 0 else 0
        locks |= bodies.LOCK_ROTATION if whole[body_mass.LOCK_ROTATION, rigid] != 0 else 0
        rows.locks[row] = locks
    rows.materials.surfaces[row, materials.ROLLING_RESISTANCE] = rows.rolling_resistance[row]


@inlined_scalar
def _write(row: int, slot: int, of: ListedBodies) -> bool:
    """Write the body of a row; returns whether it was of another kind."""
    listed, states, rows = of.listed, of.states, of.rows
    rigid = _rigid_row(slot, of)
    kind = _kind_of(slot, rigid, of)
    is_other = bool(listed.kind[row] != kind)
    listed.kind[row] = kind
    for line in range(listed.rows.shape[0]):
        listed.rows[line, row] = _row(line, slot, of)
    listed.owner[row] = slot
    rows.rigid_rows[row] = rigid
    rows.numbers[row] = of.entities.entity[slot]
    for field in range(rows.values.shape[0]):
        rows.values[field, row] = _value_of(field, rigid, of.blocks)
    states.slow_for[row] = 0.0
    for column in range(states.accelerations.shape[1]):
        states.accelerations[row, column] = 0.0
    states.island[row] = AWAKE
    states.touching[row] = 0
    _write_surface(row, rigid, kind, of.blocks, rows)
    return is_other


@inlined_scalar
def _look(changed: Int32s, of: ListedBodies, lists: Int32Rows, counts: Int64s) -> int:
    """Find the present row of each changed entity that stays a body, −1 for others, and whether the rows can follow.

    Only ``lists[ROW]`` is written; and as WRITTEN the slots of all dynamic bodies that lack a Velocity, if any does.
    """
    result = FOLLOWED
    come = 0
    lacking = 0
    for i in range(changed.shape[0]):
        slot = int(changed[i]) + 0
        rigid = _rigid_row(slot, of)
        if rigid >= 0:
            if _is_bad(rigid, of):
                return BAD_VALUE
            if _row(VELOCITY, slot, of) < 0 and of.blocks.whole[body_mass.KIND, rigid] == DYNAMIC:
                result = LACKS_VELOCITY
                lists[WRITTEN, lacking] = slot
                lacking += 1
        row = int(of.rows.row_of[slot]) + 0
        number = int(of.entities.entity[slot]) + 0
        is_body = _has_row(_role_of(slot, of), slot, of)
        lists[ROW, i] = row if is_body and row > 0 and of.rows.numbers[row] == number else -1
        if is_body and lists[ROW, i] < 0:
            if result == FOLLOWED and number <= of.rows.numbers[counts[USED] - 1]:
                result = BELONGS_BETWEEN
            come += 1
    counts[WRITTEN] = lacking
    counts[NEEDED] = counts[USED] + come
    if result == FOLLOWED and counts[NEEDED] > of.rows.numbers.shape[0]:
        result = HAS_NO_ROOM
    return result


@inlined_scalar
def _list_gone(changed: Int32s, of: ListedBodies, lists: Int32Rows) -> tuple[int, bool]:
    """List the rows that are GONE, and wake all that sleeps in the islands of these, and of bodies that are not as they
    were. Returns how many are gone, and whether anything has woken."""
    states = of.states
    gone = 0
    any_sleeps = False
    for i in range(changed.shape[0]):
        slot = int(changed[i]) + 0
        row = int(of.rows.row_of[slot]) + 0
        if row <= 0 or (lists[ROW, i] >= 0 and _is_as_it_was(row, slot, of)):
            continue
        if lists[ROW, i] < 0:
            lists[GONE, gone] = row
            gone += 1
        island = int(states.island[row]) + 0
        if island != AWAKE:
            states.is_woken[island] = 1
            any_sleeps = True
    return gone, any_sleeps and wake_islands(states) > 0


@kernel
def follow_bodies(changed: Int32s, of: ListedBodies, lists: Int32Rows, counts: Int64s) -> int:
    """Update the rows of the ``changed`` entities (k,), slots by ascending entity.

    They are all that has changed since the bodies were listed, and no parents carry them; or all that may be bodies,
    in new rows. ``lists`` (LISTS, k) and ``counts`` (FOLLOWING_COUNTS,) list the events. Returns FOLLOWED, or why
    nothing has changed.
    """
    result = _look(changed, of, lists, counts)
    if result != FOLLOWED:
        return result
    listed, states, rows = of.listed, of.states, of.rows
    gone, is_woken = _list_gone(changed, of, lists)
    counts[GONE] = gone
    counts[IS_WOKEN] = is_woken
    for k in range(gone):
        _remove(int(lists[GONE, k]) + 0, of)
    used = int(counts[USED]) + 0
    while used > 1 and rows.numbers[used - 1] < 0:
        # The last rows are used again.
        used -= 1
    is_other_kind = 0
    is_of_bodies = 0
    written = 0
    unmeasured = 0
    rested = 0
    for i in range(changed.shape[0]):
        slot = int(changed[i]) + 0
        row = int(lists[ROW, i]) + 0
        role = _role_of(slot, of)
        has_row = _has_row(role, slot, of)
        rigid = _rigid_row(slot, of)
        is_disabled = _row(DISABLED, slot, of) >= 0
        is_as_it_was = True
        if has_row and row >= 0:
            is_same = bool(rows.rigid_rows[row] == rigid)
            has_values = not is_same or _has_other_values(row, rigid, of)
            is_as_it_was = _is_as_it_was(row, slot, of)
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
        elif has_row:
            is_as_it_was = False
            row = used
            used += 1
            _clear(row, listed)
            states.is_changed[row] = 1
            lists[UNMEASURED, unmeasured] = row
            unmeasured += 1
        if not is_as_it_was:
            if _write(row, slot, of):
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
    counts[WRITTEN] = written
    counts[UNMEASURED] = unmeasured
    counts[RESTED] = rested
    counts[IS_OTHER_KIND] = is_other_kind
    counts[IS_OF_BODIES] = is_of_bodies
    return FOLLOWED
