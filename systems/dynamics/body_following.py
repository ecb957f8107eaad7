"""The list of bodies follows a change of some entities: the rows of all others stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import esper
import numpy as np
from numpy import int32, int64
from numpy.typing import NDArray

from ecsphys.components.dynamics.rigid_body import RigidBody
from ecsphys.components.motion.transform import Velocity
from ecsphys.engine.dynamics.body_mass import DYNAMIC, KIND, KINEMATIC, OWN_INVERSE_MASS, STATIC
from ecsphys.engine.dynamics.sleeping_bodies import AWAKE
from ecsphys.engine.tables.entity_rows import (
    DISABLED,
    DRAG,
    PARENT,
    RIGID_BODY,
    SOLID,
    TRANSFORM,
    VELOCITY,
)
from ecsphys.systems.dynamics.body_listing import are_on_paths, kinds_of
from ecsphys.systems.dynamics.body_surfaces import read_surfaces
from ecsphys.systems.world.entity_table import Slots
from ecsphys.systems.world.row_checks import refuse_bad_values

if TYPE_CHECKING:
    from ecsphys.systems.dynamics.body_table import BodyTable

_LINES: Final = range(DRAG + 1)


def follow_changes(table: BodyTable, changed: Slots) -> bool:
    """Update the rows of the entities in some slots, which are all that has changed since the list was made.

    Returns False, and has changed nothing, if all bodies must be listed again: with parents, which pass changes on; for
    entities that are listed for joints or characters; and if a new body belongs between others.
    """
    entities = table.tables.entities
    if entities.instances[PARENT] or np.isin(changed, table.others).any():
        return False
    is_placed = entities.rows_of(TRANSFORM)[changed] >= 0
    rigid_row = np.where(is_placed, entities.rows_of(RIGID_BODY)[changed], -1)
    is_rigid = rigid_row >= 0
    numbers = entities.slots.entity[changed]
    refuse_bad_values(RigidBody, numbers[is_rigid], rigid_row[is_rigid])
    on_path = are_on_paths(entities, changed)
    is_solid = is_placed & ~is_rigid & (entities.rows_of(SOLID)[changed] >= 0)
    is_body = is_rigid | (is_solid & (on_path | (entities.rows_of(VELOCITY)[changed] >= 0)))
    kind = kinds_of(rigid_row, on_path)
    row = np.full(changed.size, -1, int32)
    known = changed < table.row_of.size
    row[known] = table.row_of[changed[known]]
    stays = is_body & (row > 0)
    stays[stays] = table.numbers[row[stays]] == numbers[stays]
    come = np.flatnonzero(is_body & ~stays)
    come = come[np.argsort(numbers[come])]
    if come.size and numbers[come[0]] <= table.last_number:
        return False
    if table.used + come.size > len(table):
        table.wants_room = True
        return False

    gone = row[(row > 0) & ~stays]
    stays_at = np.flatnonzero(stays)
    own = row[stays_at]
    rows_now = entities.rows_in(_LINES, changed)
    values_now = values_of(rigid_row)
    is_same = table.rigid_rows[own] == rigid_row[stays_at]
    is_written = is_same & (table.values[:, own] != values_now[:, stays_at]).any(axis=0)
    is_as_it_was = is_same & ~is_written & (table.listed.kind[own] == kind[stays_at])
    is_as_it_was &= (table.listed.rows[:, own] == rows_now[:, stays_at]).all(axis=0)
    # Where this is cut short, all bodies are listed again.
    table.is_whole = False
    table.make_room_for_slots()
    table.wake_members(np.concatenate((gone, own[~is_as_it_was])))
    _clear(table, np.concatenate((gone, own[~is_same])))
    gone_slots = table.listed.owner[gone]
    table.row_of[gone_slots[table.row_of[gone_slots] == gone]] = -1
    _remove(table, gone)
    while table.used > 1 and table.numbers[table.used - 1] < 0:
        # The last rows are used again.
        table.used -= 1
    new = np.arange(table.used, table.used + come.size, dtype=int32)
    row[~stays] = -1
    row[come] = new
    table.row_of[changed] = row
    which = np.concatenate((stays_at[~is_as_it_was], come))
    _write(table, changed[which], row[which], kind[which], rigid_row[which], rows_now[:, which], values_now[:, which])
    table.states.is_changed[np.concatenate((own[is_written | ~is_same], new))] = 1
    table.used += come.size
    table.last_number = int(numbers[come[-1]]) if come.size else int(table.numbers[table.used - 1])
    table.put_bodies(changed, np.where(is_body, row, np.where(is_solid, 0, -1)).astype(int32))
    rests = entities.rows_of(DISABLED)[changed[stays_at]] >= 0
    rests &= ~is_written & (table.listed.masses[own, OWN_INVERSE_MASS] > 0.0)
    table.note_changed(row[which], np.concatenate((own[~rests], new)), gone, own[rests])
    is_held, was_held = is_rigid & (kind != KINEMATIC), table.held.has(changed)
    table.held.remove(changed[was_held & ~is_held])
    table.held.add(changed[is_held & ~was_held], entities.slots.entity.size)
    table.is_whole = True
    return True


def add_velocities(table: BodyTable, slots: Slots) -> bool:
    """Give a ``Velocity`` to each of some entities that is a dynamic body without one; returns whether any got one."""
    entities = table.tables.entities
    rigid_row = entities.rows_of(RIGID_BODY)[slots]
    lacking = (rigid_row >= 0) & (entities.rows_of(VELOCITY)[slots] < 0) & (entities.rows_of(TRANSFORM)[slots] >= 0)
    lacking[lacking] = RigidBody._columns.int64[KIND, rigid_row[lacking]] == DYNAMIC
    for entity in entities.slots.entity[slots[lacking]].tolist():
        esper.add_component(entity, Velocity())
    return bool(lacking.any())


def values_of(rigid_rows: Slots) -> NDArray[np.float64]:
    """All fields of ``RigidBody`` in some rows, (fields, n); 0 for a row −1."""
    columns = RigidBody._columns
    values: NDArray[np.float64] = np.concatenate(
        (columns.float64[:, rigid_rows], columns.int64[:, rigid_rows].astype(np.float64))
    )
    values[:, rigid_rows < 0] = 0.0
    return values


def _clear(table: BodyTable, rows: Slots) -> None:
    """Let nothing be left of the bodies that were in some rows."""
    listed = table.listed
    listed.masses[rows] = listed.forces[rows] = 0.0
    listed.arms[rows] = np.nan


def _remove(table: BodyTable, rows: Slots) -> None:
    """Leave some rows without a body, like the row of the world."""
    if not rows.size:
        return
    listed = table.listed
    listed.kind[rows] = STATIC
    listed.rows[:, rows] = listed.owner[rows] = table.rigid_rows[rows] = -1
    table.numbers[rows] = -1
    table.values[:, rows] = 0.0
    table.states.is_changed[rows] = 0


def _write(
    table: BodyTable,
    slots: Slots,
    rows: Slots,
    kind: NDArray[np.uint8],
    rigid_rows: Slots,
    component_rows: NDArray[int32],
    values: NDArray[np.float64],
) -> None:
    """Write the bodies of some rows."""
    if not rows.size:
        return
    listed = table.listed
    if (listed.kind[rows] != kind).any():
        # Contacts at rest may need the solver by now.
        table.sleep_changes += 1
    listed.kind[rows], listed.rows[:, rows], listed.owner[rows] = kind, component_rows, slots
    table.rigid_rows[rows], table.values[:, rows] = rigid_rows, values
    numbers: NDArray[int64] = table.tables.entities.slots.entity[slots]
    table.numbers[rows] = numbers
    states = table.states
    states.slow_for[rows] = states.accelerations[rows] = 0.0
    states.island[rows] = AWAKE
    states.touching[rows] = 0
    surfaces = read_surfaces(rigid_rows, kind)
    table.put_surfaces(rows, surfaces)
