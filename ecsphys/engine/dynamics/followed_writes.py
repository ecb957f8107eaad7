"""Writes of a game between steps, to Transforms and joints: whether the next step can follow them.

Colliders that the game has moved may push a body: if not, the contacts of the last step still hold. Of joints a step
follows what decides nothing else, such as a target or the speed of a motor.
"""

from __future__ import annotations

import math
from typing import Final

from numpy import int64

from ecsphys.engine.broadphase.cells import MAX_X, MAX_Y, MIN_X, MIN_Y
from ecsphys.engine.broadphase.grid import KeptGrid, find_beside
from ecsphys.engine.broadphase.pairs import fits
from ecsphys.engine.dynamics.bodies import AWAKE, CHARACTER, DYNAMIC
from ecsphys.engine.dynamics.joints.joint_rows import BODY_A, BODY_B
from ecsphys.engine.kernels import NamedTuple, arrays, index, inlined_scalar, kernel, packed
from ecsphys.engine.shapes.layout import OF_B
from ecsphys.engine.shapes.placement import PlacingArrays, place_rows
from ecsphys.engine.tables.component_rows import find_written, note_followed

ELSEWHERE: Final = -1
"""A field that is no setting, or that decides other things as well."""
POSITIVE: Final = 256
"""Added to the column of a field that decides nothing else as long as it stays above 0."""


@packed
class BodiesOfColliders(NamedTuple):
    """The body of each slot and of each entity, and the kind of each body; and scratch space: ``reach`` (k, 4) for k
    colliders that were moved, and ``beside`` (m, 2) for their neighbours.

    ``of_slot`` is −1 for none, ``of_entity`` 0 or less.
    """

    of_slot: arrays.Int32s
    of_entity: arrays.Int32s
    kind: arrays.Uint8s
    reach: arrays.Float64Rows
    beside: arrays.Int32Rows


class Neighbours(NamedTuple):
    """What colliders may push: the slots of the last ``contacts`` (m, 2), nearer than ``margin``, the ``awake`` slots
    (n,), and what sleeps in the ``kept`` grid."""

    margin: float
    contacts: arrays.Int32Rows
    awake: arrays.Int32s
    kept: KeptGrid


@inlined_scalar
def _is_pushed(slot: int, body_of: arrays.Int32s, kind: arrays.Uint8s) -> bool:
    """Whether contacts may move the body of a collider."""
    if slot >= body_of.shape[0]:
        return False
    body = int(body_of[slot]) + 0
    return body >= 0 and (kind[body] == DYNAMIC or kind[body] == CHARACTER)


@inlined_scalar
def _body_of_row(row: int, owners: arrays.Int32s, of_entity: arrays.Int32s) -> int:
    """The body with a row of Transform, 0 or less for none; see :func:`any_of_bodies`."""
    owner = int(owners[row]) + 0 if row < owners.shape[0] else -1
    return int(of_entity[owner]) + 0 if 0 <= owner < of_entity.shape[0] else 0


@kernel
def any_of_bodies(rows: arrays.Int64s, owners: arrays.Int32s, row_of: arrays.Int32s) -> bool:
    """Whether any of some ``rows`` (k,) of Transform is a body's.

    ``owners`` has the entity of each row, −1 for none, and ``row_of`` the body of each entity, 0 or less for none.
    """
    for k in range(rows.shape[0]):
        body = _body_of_row(index(rows[k]), owners, row_of)
        if body > 0:
            return True
    return False


@inlined_scalar
def _is_beside(other: int, p: int, boxes: arrays.Float64Rows, bodies: BodiesOfColliders) -> bool:
    """Whether a collider is in the reach of the moved collider p, and contacts may move its body."""
    reach = bodies.reach
    return bool(
        _is_pushed(other, bodies.of_slot, bodies.kind)
        and boxes[other, MIN_X] <= reach[p, MAX_X]
        and boxes[other, MAX_X] >= reach[p, MIN_X]
        and boxes[other, MIN_Y] <= reach[p, MAX_Y]
        and boxes[other, MAX_Y] >= reach[p, MIN_Y]
    )


@inlined_scalar
def _may_push(slots: arrays.Int32s, boxes: arrays.Float64Rows, near: Neighbours, bodies: BodiesOfColliders) -> bool:
    body_of, kind, reach = bodies.of_slot, bodies.kind, bodies.reach
    moved = slots.shape[0]
    count = 0
    for p in range(moved):
        slot = index(slots[p])
        if _is_pushed(slot, body_of, kind):
            return True
        is_body = slot < body_of.shape[0] and body_of[slot] >= 0
        count += is_body
        # So large that nothing outside can be a contact; nothing overlaps NaN.
        margin = 2.0 * near.margin if is_body else math.nan
        reach[p, MIN_X] = boxes[slot, MIN_X] - margin
        reach[p, MIN_Y] = boxes[slot, MIN_Y] - margin
        reach[p, MAX_X] = boxes[slot, MAX_X] + margin
        reach[p, MAX_Y] = boxes[slot, MAX_Y] + margin
    if count == 0:
        return False
    for k in range(near.contacts.shape[0]):
        a = int(near.contacts[k, 0]) + 0
        b = int(near.contacts[k, 1]) + 0
        for p in range(moved):
            if (a == slots[p] and _is_pushed(b, body_of, kind)) or (b == slots[p] and _is_pushed(a, body_of, kind)):
                return True
    for p in range(moved):
        for k in range(near.awake.shape[0]):
            if _is_beside(index(near.awake[k]), p, boxes, bodies):
                return True
    found = find_beside(reach[:moved], slots, near.kept, bodies.beside, int(int64(0)))
    if not fits(bodies.beside, found):
        # More than the table holds: all are looked at.
        for p in range(moved):
            for slot in range(body_of.shape[0]):
                if _is_beside(slot, p, boxes, bodies):
                    return True
        return False
    pushed = 0
    for k in range(found):
        pushed += _is_pushed(index(bodies.beside[k, OF_B]), body_of, kind)
    return pushed > 0


@kernel
def may_push(slots: arrays.Int32s, boxes: arrays.Float64Rows, near: Neighbours, bodies: BodiesOfColliders) -> bool:
    """Whether colliders that were moved to other places may push a body, where they were or where they are.

    They are in some ``slots`` (k,); ``boxes`` are of all slots.
    """
    return _may_push(slots, boxes, near, bodies)


@kernel
def follow_moves(
    flags: arrays.Uint8s,
    counts: arrays.Int64s,
    rows: arrays.Int64s,
    slots: arrays.Int32s,
    arrays: PlacingArrays,
    padding: float,
    near: Neighbours,
    bodies: BodiesOfColliders,
    any_sleeps: bool,
) -> bool:
    """Place colliders that a game has moved; returns whether a step can go on from there as if nothing had happened.

    It can where no dynamic body was moved, and nothing that may push one; and no body at all, if ``any_sleeps``. The
    ``flags`` tell which rows of Transform were written; these are noted there as followed then, and ``counts`` (rows,)
    how often. If it cannot, some may be placed all the same. ``rows`` and ``slots`` are scratch space: with more it
    cannot.
    """
    count = find_written(flags, rows)
    if count > rows.shape[0]:
        return False
    for k in range(count):
        body = _body_of_row(index(rows[k]), arrays.owners, bodies.of_entity)
        if body > 0 and (any_sleeps or bodies.kind[body] == DYNAMIC or bodies.kind[body] == CHARACTER):
            return False
    moved = place_rows(rows, count, slots, arrays, padding)
    if moved > slots.shape[0] or _may_push(slots[:moved], arrays.placed.boxes, near, bodies):
        return False
    note_followed(flags, rows, count)
    for k in range(count):
        counts[index(rows[k])] += 1
    return True


@packed
class JointFields(NamedTuple):
    """The fields of a class of joints, a column for each row of the class.

    ``flags`` tells which rows were written. ``floats``, ``wholes`` and ``bytes`` are the fields now, ``last_floats``,
    ``last_wholes`` and ``last_bytes`` as they were read last. ``place_of`` has the place of the joint in each row, −1
    for none; ``columns`` the column of its settings for each field of ``floats``, or ELSEWHERE.
    """

    flags: arrays.Uint8s
    floats: arrays.Float64Rows
    wholes: arrays.Int64Rows
    bytes: arrays.Uint8Rows
    last_floats: arrays.Float64Rows
    last_wholes: arrays.Int64Rows
    last_bytes: arrays.Uint8Rows
    place_of: arrays.Int64s
    columns: arrays.Int64s


@inlined_scalar
def _can_follow(row: int, fields: JointFields) -> bool:
    """Whether only such fields of a joint are others that decide nothing else."""
    for k in range(fields.wholes.shape[0]):
        if fields.wholes[k, row] != fields.last_wholes[k, row]:
            return False
    for k in range(fields.bytes.shape[0]):
        if fields.bytes[k, row] != fields.last_bytes[k, row]:
            return False
    for k in range(fields.floats.shape[0]):
        now = fields.floats[k, row]
        last = fields.last_floats[k, row]
        if now != last:
            column = int(fields.columns[k]) + 0
            if column == ELSEWHERE or (column >= POSITIVE and not (now > 0.0 and last > 0.0)):
                return False
    return True


@inlined_scalar
def _follow(row: int, fields: JointFields, settings: arrays.Float64Rows) -> None:
    """Take over the fields of a joint that are others now."""
    place = index(fields.place_of[row])
    for k in range(fields.floats.shape[0]):
        if fields.floats[k, row] != fields.last_floats[k, row]:
            fields.last_floats[k, row] = fields.floats[k, row]
            settings[place, index(fields.columns[k] & (POSITIVE - 1))] = fields.floats[k, row]


@kernel
def follow_joints(
    fields: JointFields,
    rows: arrays.Int64s,
    count: int,
    settings: arrays.Float64Rows,
    ends: arrays.Int32Rows,
    slow_for: arrays.Float64s,
    island: arrays.Int32s,
    follows: bool,
) -> bool:
    """Whether the written joints of a class can be followed; where it ``follows``, they must be, and it does so.

    They can be where only such fields are others that decide nothing else, and no body at them sleeps. Their rows are
    the first ``count`` of ``rows``; if that is −1 they are found by the flags, and noted there. ``settings`` (n,
    SETTING_COLUMNS) and ``ends`` (n, END_COLUMNS) are of all joints; ``slow_for`` and ``island`` of the bodies.
    """
    found = count if count >= 0 else find_written(fields.flags, rows)
    if found > rows.shape[0]:
        return False
    for k in range(found):
        row = index(rows[k])
        if row >= fields.place_of.shape[0] or fields.place_of[row] < 0:
            continue
        place = index(fields.place_of[row])
        a = max(int(ends[place, BODY_A]), 0)
        b = max(int(ends[place, BODY_B]), 0)
        if follows:
            _follow(row, fields, settings)
            slow_for[a] = 0.0
            slow_for[b] = 0.0
        elif island[a] != AWAKE or island[b] != AWAKE or not _can_follow(row, fields):
            return False
    if follows and count < 0:
        note_followed(fields.flags, rows, found)
    return True
