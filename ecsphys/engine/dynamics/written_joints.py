"""What a game has written to joints that decides nothing else, such as a target or the speed of a motor."""

from __future__ import annotations

from typing import Final, NamedTuple

from ecsphys.engine.dynamics.joints.joint_rows import BODY_A, BODY_B
from ecsphys.engine.dynamics.sleeping_bodies import AWAKE
from ecsphys.engine.kernels.array_types import (
    Float64Rows,
    Float64s,
    Int32Rows,
    Int32s,
    Int64Rows,
    Int64s,
    Uint8Rows,
    Uint8s,
)
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import inlined_scalar, kernel
from ecsphys.engine.kernels.index import index
from ecsphys.engine.tables.written_rows import find_written, note_followed

ELSEWHERE: Final = -1
"""A field that is no setting, or that decides other things as well."""
POSITIVE: Final = 256
"""Added to the column of a field that decides nothing else as long as it stays above 0."""


@packed
class JointFields(NamedTuple):
    """The fields of a class of joints, a column for each row of the class.

    ``flags`` tells which rows were written. ``floats``, ``wholes`` and ``bytes`` are the fields now, ``last_floats``,
    ``last_wholes`` and ``last_bytes`` as they were read last. ``place_of`` has the place of the joint in each row, −1
    for none; ``columns`` the column of its settings for each field of ``floats``, or ELSEWHERE.
    """

    flags: Uint8s
    floats: Float64Rows
    wholes: Int64Rows
    bytes: Uint8Rows
    last_floats: Float64Rows
    last_wholes: Int64Rows
    last_bytes: Uint8Rows
    place_of: Int64s
    columns: Int64s


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
def _follow(row: int, fields: JointFields, settings: Float64Rows) -> None:
    """Take over the fields of a joint that are others now."""
    place = index(fields.place_of[row])
    for k in range(fields.floats.shape[0]):
        if fields.floats[k, row] != fields.last_floats[k, row]:
            fields.last_floats[k, row] = fields.floats[k, row]
            settings[place, index(fields.columns[k] & (POSITIVE - 1))] = fields.floats[k, row]


@kernel
def follow_joints(
    fields: JointFields,
    rows: Int64s,
    count: int,
    settings: Float64Rows,
    ends: Int32Rows,
    slow_for: Float64s,
    island: Int32s,
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
