"""Contacts as records of C: a function of the game changes some of their numbers before they are solved.

The function is machine code, ``void f(record *contacts, int64_t count)``, and is called at its address.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np
from numpy import bool_, float64, int32, int64, uint8, zeros

from ecsphys.engine.dynamics.materials import ContactChanges
from ecsphys.engine.hits.contact_table import NORMAL_TOTAL, ContactTable
from ecsphys.engine.kernels.array_types import Float64Rows, Int32Rows, Int64Rows, Uint8Rows
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import inlined_scalar, kernel
from ecsphys.engine.kernels.index import index
from ecsphys.engine.kernels.kernel_calls import call_function

SOLVER_CONTACT: Final[np.dtype[np.void]] = np.dtype(
    [
        ("entity_a", int64),
        ("entity_b", int64),
        ("normal", float64, 2),
        ("depth", float64),
        ("positions", float64, (2, 2)),
        ("separations", float64, 2),
        ("impulse", float64),
        ("friction", float64),
        ("restitution", float64),
        ("tangent_speed", float64),
        ("part_a", int32),
        ("part_b", int32),
        ("flag", int32),
        ("collider_a", uint8),
        ("collider_b", uint8),
        ("is_vetoed", bool_),
    ],
    align=True,
)
"""The layout of a record: a struct of C with these fields."""


def _column(field: str, dtype: Any) -> int:
    """In which column of an array of numbers a field begins, if each row has the bytes of a record."""
    _, offset = SOLVER_CONTACT.fields[field][:2]  # type: ignore[index]
    return int(offset // np.dtype(dtype).itemsize)


_ENTITIES: Final = _column("entity_a", int64)
_NORMAL: Final = _column("normal", float64)
_DEPTH: Final = _column("depth", float64)
_POSITIONS: Final = _column("positions", float64)
_SEPARATIONS: Final = _column("separations", float64)
_IMPULSE: Final = _column("impulse", float64)
_FRICTION: Final = _column("friction", float64)
_RESTITUTION: Final = _column("restitution", float64)
_TANGENT_SPEED: Final = _column("tangent_speed", float64)
_PARTS: Final = _column("part_a", int32)
_FLAG: Final = _column("flag", int32)
_COLLIDERS: Final = _column("collider_a", uint8)
_IS_VETOED: Final = _column("is_vetoed", uint8)

REFUSED: Final = -1


@packed
class ContactRecords(NamedTuple):
    """The same memory as numbers of each kind; a row is a record."""

    floats: Float64Rows
    wholes: Int64Rows
    ints: Int32Rows
    bytes: Uint8Rows


def new_records(count: int) -> ContactRecords:
    """So many records."""
    floats = zeros((count, SOLVER_CONTACT.itemsize // 8))
    return ContactRecords(floats, floats.view(int64), floats.view(int32), floats.view(uint8))


@kernel
def change_contacts(
    function: int,
    address: int,
    table: ContactTable,
    count: int,
    records: ContactRecords,
    changes: ContactChanges,
    has_vetoed: bool,
    vetoed: Int32Rows,
) -> int:
    """Let the ``function`` of C change the first ``count`` contacts of a table, at least one.

    ``records``, at an ``address``, ``changes`` and ``vetoed`` are written, the last with the pairs of slots that are
    vetoed. ``has_vetoed``: ``changes`` has some already. Returns how many there are, or REFUSED where any number is out
    of bounds. All has been written then too.
    """
    for k in range(index(count)):
        _write_record(k, table, records, has_vetoed and changes.is_vetoed[k] != 0)
    call_function(function, address, count)
    is_refused = False
    found = 0
    for k in range(index(count)):
        friction = records.floats[k, _FRICTION]
        restitution = records.floats[k, _RESTITUTION]
        tangent_speed = records.floats[k, _TANGENT_SPEED]
        # NaN is in bounds.
        is_refused |= friction < 0.0 or friction == math.inf or restitution < 0.0 or restitution > 1.0
        is_refused |= tangent_speed == math.inf or tangent_speed == -math.inf
        changes.friction[k] = friction
        changes.restitution[k] = restitution
        changes.tangent_speed[k] = tangent_speed
        changes.is_vetoed[k] = 0
        table.points.flags[k] = records.ints[k, _FLAG]
        if records.bytes[k, _IS_VETOED] != 0:
            changes.is_vetoed[k] = 1
            vetoed[found, 0] = table.hits.pairs[k, 0]
            vetoed[found, 1] = table.hits.pairs[k, 1]
            found += 1
    return REFUSED if is_refused else found


@inlined_scalar
def _write_record(k: int, table: ContactTable, records: ContactRecords, is_vetoed: bool) -> None:
    """Write the record of contact k."""
    hits = table.hits
    points = table.points
    records.wholes[k, _ENTITIES] = hits.entity_a[k]
    records.wholes[k, _ENTITIES + 1] = hits.entity_b[k]
    records.floats[k, _DEPTH] = hits.depth[k]
    for i in range(2):
        records.floats[k, _NORMAL + i] = hits.normal[k, i]
        records.floats[k, _SEPARATIONS + i] = points.separations[k, i]
    for i in range(4):
        records.floats[k, _POSITIONS + i] = points.positions[k, i]
    records.floats[k, _IMPULSE] = points.totals[k, NORMAL_TOTAL]
    records.floats[k, _FRICTION] = math.nan
    records.floats[k, _RESTITUTION] = math.nan
    records.floats[k, _TANGENT_SPEED] = math.nan
    records.ints[k, _PARTS] = hits.part_a[k]
    records.ints[k, _PARTS + 1] = hits.part_b[k]
    records.ints[k, _FLAG] = points.flags[k]
    records.bytes[k, _COLLIDERS] = hits.collider_a[k]
    records.bytes[k, _COLLIDERS + 1] = hits.collider_b[k]
    records.bytes[k, _IS_VETOED] = 1 if is_vetoed else 0
