"""The rows of bodies follow changes of some entities, and their masses follow their colliders.

The rows of all other bodies stay as they are.
"""

from __future__ import annotations

import math

from ecsphys.engine.dynamics import bodies as body
from ecsphys.engine.dynamics.contacts import materials
from ecsphys.engine.dynamics.contacts.materials import Materials
from ecsphys.engine.dynamics.step_end import wake_islands
from ecsphys.engine.kernels import NamedTuple, index, inlined_scalar, kernel, packed
from ecsphys.engine.kernels.arrays import Float64Rows, Float64s, Int32Rows, Int32s, Int64Rows, Int64s, Uint8s
from ecsphys.engine.math.elementary import cos_sin
from ecsphys.engine.shapes.layout import CX, CY, EXTENT, KIND_AABB, ShapeArrays
from ecsphys.engine.shapes.measures import inner_radius, join_parts, shape_mass
from ecsphys.engine.shapes.placement import TRANSFORM_ANGLE, TRANSFORM_X, TRANSFORM_Y
from ecsphys.engine.tables import entity_rows
from ecsphys.engine.tables.collider_slots import EntitySlots
from ecsphys.engine.tables.entity_rows import TRANSFORM, is_on_path, row_of

# Fields of RigidBody, in the order of its blocks.
MASS, INERTIA, DENSITY, RESTITUTION, FRICTION, ROLLING_RESISTANCE, TANGENT_SPEED = range(7)
KIND, LOCK_X, LOCK_Y, LOCK_ROTATION, DOMINANCE, CAN_SLEEP = range(6)

# Columns of the sums from which masses are made: area, centroid, inertia for unit density.
_AREA, _X, _Y, _INERTIA = range(4)

# The mass of a body without area.
_POINT_MASS = 1.0


@packed
class RigidBlocks(NamedTuple):
    """The blocks of RigidBody and of Transform."""

    reals: Float64Rows
    whole: Int64Rows
    transforms: Float64Rows


# Results: the rows follow; all bodies must be listed again; there must be more room; a dynamic body lacks a Velocity.
FOLLOWED, BELONGS_BETWEEN, HAS_NO_ROOM, LACKS_VELOCITY = range(4)

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
    """The listed bodies, and the colliders and fields that they are made of."""

    entities: EntitySlots
    blocks: RigidBlocks
    listed: body.BodyList
    states: body.SleepStates
    rows: BodyTableRows


@inlined_scalar
def _row(line: int, slot: int, of: ListedBodies) -> int:
    """The row of a component of an entity, −1 for none."""
    return row_of(line, slot, of.entities.lines)


@inlined_scalar
def _rigid_row(slot: int, of: ListedBodies) -> int:
    """The row of RigidBody of an entity with a place, −1 for none."""
    return _row(entity_rows.RIGID_BODY, slot, of) if _row(TRANSFORM, slot, of) >= 0 else -1


@inlined_scalar
def _is_driven(slot: int, of: ListedBodies) -> bool:
    """Whether a trajectory or a parent moves an entity."""
    return _row(entity_rows.PARENT, slot, of) >= 0 or is_on_path(slot, of.entities.lines)


@inlined_scalar
def _role_of(slot: int, of: ListedBodies) -> int:
    if _row(TRANSFORM, slot, of) < 0:
        return _NOTHING
    if _row(entity_rows.RIGID_BODY, slot, of) >= 0 or of.rows.roles[slot] == WALKS:
        return _BODY
    if _row(entity_rows.SOLID, slot, of) < 0:
        return _NOTHING
    return _BODY if _row(entity_rows.VELOCITY, slot, of) >= 0 or _is_driven(slot, of) else _OF_WORLD


@inlined_scalar
def _has_row(role: int, slot: int, of: ListedBodies) -> bool:
    """Whether an entity in this role has a row: it is a body, or a joint holds it. Then its colliders push nothing."""
    return role == _BODY or (of.rows.roles[slot] == HELD_BY_JOINT and _row(TRANSFORM, slot, of) >= 0)


@inlined_scalar
def _kind_of(slot: int, rigid: int, of: ListedBodies) -> int:
    """The role of a body for the solver. A body that something else moves is not pushed."""
    kind = body.KINEMATIC
    if rigid >= 0:
        kind = int(of.blocks.whole[KIND, rigid]) + 0
        if kind == body.DYNAMIC and _is_driven(slot, of):
            kind = body.KINEMATIC
    elif of.rows.roles[slot] == WALKS:
        kind = body.CHARACTER
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
def _clear(row: int, listed: body.BodyList) -> None:
    """Let nothing be left of the body that was in a row."""
    for column in range(body.MASS_COLUMNS):
        listed.masses[row, column] = 0.0
    for column in range(body.FORCE_COLUMNS):
        listed.forces[row, column] = 0.0
    for column in range(body.ARM_COLUMNS):
        listed.arms[row, column] = math.nan


@inlined_scalar
def _remove(row: int, of: ListedBodies) -> None:
    """Leave a row without a body, like the row of the world."""
    listed, rows = of.listed, of.rows
    _clear(row, listed)
    owner = int(listed.owner[row]) + 0
    if rows.row_of[owner] == row:
        rows.row_of[owner] = -1
    listed.kind[row] = body.STATIC
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
    rows.materials.dominance[row] = 0 if kind == body.CHARACTER else rows.materials.dominance[0]
    rows.may_sleep[row] = 0
    rows.locks[row] = 0
    if rigid >= 0:
        reals = blocks.reals
        whole = blocks.whole
        rows.materials.surfaces[row, materials.FRICTION] = reals[FRICTION, rigid]
        rows.materials.surfaces[row, materials.RESTITUTION] = reals[RESTITUTION, rigid]
        rows.materials.surfaces[row, materials.TANGENT_SPEED] = reals[TANGENT_SPEED, rigid]
        rows.rolling_resistance[row] = reals[ROLLING_RESISTANCE, rigid]
        if kind == body.DYNAMIC:
            rows.materials.dominance[row] = whole[DOMINANCE, rigid]
        rows.may_sleep[row] = whole[CAN_SLEEP, rigid] != 0
        locks = body.LOCK_X if whole[LOCK_X, rigid] != 0 else 0
        locks |= body.LOCK_Y if whole[LOCK_Y, rigid] != 0 else 0
        locks |= body.LOCK_ROTATION if whole[LOCK_ROTATION, rigid] != 0 else 0
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
    states.island[row] = body.AWAKE
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
        is_dynamic = rigid >= 0 and of.blocks.whole[KIND, rigid] == body.DYNAMIC
        if is_dynamic and _row(entity_rows.VELOCITY, slot, of) < 0:
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
        if island != body.AWAKE:
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
        is_disabled = _row(entity_rows.DISABLED, slot, of) >= 0
        is_as_it_was = True
        if has_row and row >= 0:
            is_same = bool(rows.rigid_rows[row] == rigid)
            has_values = not is_same or _has_other_values(row, rigid, of)
            is_as_it_was = _is_as_it_was(row, slot, of)
            if has_values:
                states.is_changed[row] = 1
            if not is_same:
                _clear(row, listed)
            if is_disabled and not (is_same and has_values) and listed.masses[row, body.OWN_INVERSE_MASS] > 0.0:
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
        lists[IS_HELD, i] = 1 if rigid >= 0 and listed.kind[row] != body.KINEMATIC else 0
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


class WeighedBodies(NamedTuple):
    """What bodies are, and the colliders that they are weighed with: for each slot of a collider its class, its body,
    −1 for none, and its placed shape."""

    listed: body.BodyList
    rows: BodyTableRows
    blocks: RigidBlocks
    kinds: Uint8s
    body_of: Int32s
    placed: ShapeArrays


@kernel
def measure_bodies(order: Int32s, which: Int32s, of: WeighedBodies, masses: Float64Rows) -> None:
    """Write the ``masses`` (n, MASS_COLUMNS) of some bodies, ``which`` (k,), from the placed shapes of their colliders,
    which are in the slots ``order`` (m,).

    The parts are summed in the frame of the body's position, by the parallel axis theorem; see
    :mod:`ecsphys.engine.shapes.measures`. A dynamic body without area has the mass 1; one with an AABB does not rotate.
    """
    listed, blocks, body_of = of.listed, of.blocks, of.body_of
    forms, positions, shapes, pool = of.placed
    transforms = blocks.transforms
    for i in range(which.shape[0]):
        b = index(which[i])
        for k in range(body.MASS_COLUMNS):
            masses[b, k] = 0.0
    for i in range(order.shape[0]):
        slot = int(order[i]) + 0
        b = int(body_of[slot]) + 0
        if b < 0 or listed.kind[b] != body.DYNAMIC:
            continue
        t = listed.rows[TRANSFORM, b]
        area, x, y, inertia = shape_mass(int(forms[slot]) + 0, shapes, slot, pool)
        x += positions[slot, 0] - transforms[TRANSFORM_X, t]
        y += positions[slot, 1] - transforms[TRANSFORM_Y, t]
        whole = join_parts((masses[b, _AREA], masses[b, _X], masses[b, _Y], masses[b, _INERTIA]), (area, x, y, inertia))
        masses[b, _AREA], masses[b, _X], masses[b, _Y], masses[b, _INERTIA] = whole
    for i in range(which.shape[0]):
        b = index(which[i])
        if listed.kind[b] != body.DYNAMIC:
            continue
        area, x, y, inertia = masses[b, _AREA], masses[b, _X], masses[b, _Y], masses[b, _INERTIA]
        row = of.rows.rigid_rows[b]
        mass = blocks.reals[MASS, row]
        if mass == 0.0:
            mass = blocks.reals[DENSITY, row] * area
            if mass == 0.0:
                mass = _POINT_MASS
        given = blocks.reals[INERTIA, row]
        moment = given if given > 0.0 else (mass * (inertia / area) if area > 0.0 else 0.0)
        c, s = cos_sin(transforms[TRANSFORM_ANGLE, listed.rows[TRANSFORM, b]])
        masses[b, body.OWN_INVERSE_MASS] = 1.0 / mass
        masses[b, body.OWN_INVERSE_INERTIA] = 1.0 / moment if moment > 0.0 else 0.0
        masses[b, body.LOCAL_X] = c * x + s * y
        masses[b, body.LOCAL_Y] = c * y - s * x
        if blocks.whole[LOCK_ROTATION, row] != 0:
            masses[b, body.OWN_INVERSE_INERTIA] = 0.0
    for i in range(which.shape[0]):
        b = index(which[i])
        masses[b, body.THICKNESS] = math.inf
        masses[b, body.FARTHEST] = 0.0
    for i in range(order.shape[0]):
        slot = int(order[i]) + 0
        b = int(body_of[slot]) + 0
        # The world has no size.
        if b <= 0:
            continue
        if of.kinds[slot] == KIND_AABB:
            masses[b, body.OWN_INVERSE_INERTIA] = 0.0
        t = listed.rows[TRANSFORM, b]
        x = shapes[slot, CX] + (positions[slot, 0] - transforms[TRANSFORM_X, t])
        y = shapes[slot, CY] + (positions[slot, 1] - transforms[TRANSFORM_Y, t])
        if listed.kind[b] == body.DYNAMIC:
            c, s = cos_sin(transforms[TRANSFORM_ANGLE, t])
            x -= c * masses[b, body.LOCAL_X] - s * masses[b, body.LOCAL_Y]
            y -= s * masses[b, body.LOCAL_X] + c * masses[b, body.LOCAL_Y]
        thickness = inner_radius(int(forms[slot]) + 0, shapes, slot, pool)
        masses[b, body.THICKNESS] = min(masses[b, body.THICKNESS], thickness)
        masses[b, body.FARTHEST] = max(masses[b, body.FARTHEST], math.sqrt(x * x + y * y) + shapes[slot, EXTENT])


# Fraction of a body's reach: a center of mass that is not farther from the position is at the position.
ROUNDING = 1e-12

# Results: an impulse gives a body no finite velocity; and, a bit, a dynamic body's center of mass is elsewhere.
IS_WEIGHTLESS, IS_OFF_CENTER = -1, 1


@kernel
def follow_masses(order: Int32s, which: Int32s, of: WeighedBodies, masses: Float64Rows, locks: Uint8s) -> int:
    """Update what follows from the ``masses`` of some bodies: the rolling resistance of their surfaces, and all their
    ``locks`` (n,). ``order`` and ``which``: as of :func:`measure_bodies`.

    The rolling resistance is a length: the radius of a disc that turns as the body does, of r² = 2·inertia/mass.
    A body with a box that never turns has its rotation locked: at a contact its angular velocity counts, so the box
    would strike like a turning one. Returns 0, IS_OFF_CENTER, or IS_WEIGHTLESS: then nothing has changed.
    """
    rows = of.rows
    for i in range(which.shape[0]):
        b = index(which[i])
        if not (math.isfinite(masses[b, body.OWN_INVERSE_MASS]) and math.isfinite(masses[b, body.OWN_INVERSE_INERTIA])):
            return IS_WEIGHTLESS
    result = 0
    for i in range(which.shape[0]):
        b = index(which[i])
        radius = 0.0
        if masses[b, body.OWN_INVERSE_INERTIA] > 0.0:
            radius = math.sqrt(2.0 * masses[b, body.OWN_INVERSE_MASS] / masses[b, body.OWN_INVERSE_INERTIA])
        rows.materials.surfaces[b, materials.ROLLING_RESISTANCE] = rows.rolling_resistance[b] * radius
        locks[b] = rows.locks[b]
        apart = abs(masses[b, body.LOCAL_X]) + abs(masses[b, body.LOCAL_Y])
        if apart > ROUNDING * masses[b, body.FARTHEST]:
            result = IS_OFF_CENTER
    for i in range(order.shape[0]):
        slot = int(order[i]) + 0
        b = int(of.body_of[slot]) + 0
        if b > 0 and of.kinds[slot] == KIND_AABB and of.listed.kind[b] == body.DYNAMIC:
            locks[b] |= body.LOCK_ROTATION
    return result
