"""Contacts as the narrowphase finds them, and the table of a step's contacts: their values for the game, and the
numbers that a solver leaves at their points."""

from __future__ import annotations

from typing import NamedTuple

from ecsphys.engine.contact.contact import ContactRows
from ecsphys.engine.contacts.contact_points import ContactPoints
from ecsphys.engine.kernels.array_types import (
    Float64Blocks,
    Float64Rows,
    Float64s,
    Int32Rows,
    Int32s,
    Int64Rows,
    Int64s,
    Uint8s,
)
from ecsphys.engine.kernels.bundles import packed

# Columns of further numbers of contacts that were found between two steps.
TIME, SPEED, IS_SOLVED = range(3)
SWEPT_COLUMNS = 3

# Columns of runs of contacts that rest: the first row, the one after the last, how many of them are near.
RUN_FIRST, RUN_END, RUN_NEAR = range(3)
RUN_COLUMNS = 3


class FoundContacts(NamedTuple):
    """Contacts as ``find_contacts`` writes them, in ``runs`` (k, 2): the first row and how many.

    From row ``first_swept`` on they were found between two steps: ``swept`` (k, 3) has the time and the approach speed
    of each, and not 0 where a solver is to push the two apart. ``call`` is a number that no earlier ones had, above 0.
    """

    contacts: ContactRows
    runs: Int64Rows
    first_swept: int
    swept: Float64Rows
    call: int


@packed
class HitRows(NamedTuple):
    """Contacts, a row each: the slots (m, 2) of their colliders, values for the game, whether they began to be hits in
    this step, whether they are merely near, which is no hit, and which of the colliders are sensors.

    ``rest`` is 0 for contacts that were computed in this step. A contact that goes on asleep keeps a number of its own:
    rows with the same number are the same, but for the approach speed and the numbers of a solver.
    """

    pairs: Int32Rows
    entity_a: Int64s
    entity_b: Int64s
    collider_a: Uint8s
    collider_b: Uint8s
    part_a: Int32s
    part_b: Int32s
    normal: Float64Rows
    depth: Float64s
    points: Float64Blocks
    point_count: Uint8s
    approach_speed: Float64s
    time: Float64s
    is_new: Uint8s
    is_near: Uint8s
    sensor_a: Uint8s
    sensor_b: Uint8s
    rest: Int64s


@packed
class ContactTable(NamedTuple):
    """The contacts of a step, and their points."""

    hits: HitRows
    points: ContactPoints


class LastContacts(NamedTuple):
    """The first ``total`` of a table are the contacts of the last step.

    ``resting`` (k, RUN_COLUMNS) are the runs of contacts that have not changed for some steps, and cannot have changed
    until now: both colliders sleep, and their bodies sleep or are static. The table to write has them already, row by
    row. Its first ``known`` rows have the entities, kinds and parts of their pairs already, whatever moves.
    """

    table: ContactTable
    total: int
    resting: Int32Rows
    known: int
