"""Boxes that sleep: filed in a grid once, and from then on only looked up by awake boxes.

A box that has not moved for some steps may sleep: it then has a *place* in the sorted order of a grid that is kept. One
that wakes leaves its place, which stays empty until the grid is made again.
"""

from __future__ import annotations

import math

from numpy import int64

from ecsphys.engine.broadphase.cells import COUNT, END_OVERSIZED, FIRST_OVERSIZED, LEVELS, GridArrays, box_at
from ecsphys.engine.broadphase.pair_table import fits, keep_of_two_bodies
from ecsphys.engine.broadphase.pairs import scan_box, walk_level
from ecsphys.engine.kernels import NamedTuple, kernel, packed, scalar
from ecsphys.engine.kernels.array_types import Float64Rows, Int32Rows, Int32s, Int64s, Uint8s, Uint32s

# Steps without a motion after which a box may sleep: less than that, and it may just be turning round.
STILL = 3

# In place of a slot that has left its place.
EMPTY = 0xFFFFFFFF


@packed
class SleepStates(NamedTuple):
    """For each slot: its ``place`` in the kept grid, −1 awake; its steps without a motion, up to STILL; and whether it
    is listed among the ``awake``, with room for all."""

    place: Int32s
    stillness: Uint8s
    is_listed: Uint8s
    awake: Int32s


class KeptGrid(NamedTuple):
    """The grid of sleepers: ``slots`` (k,) in its sorted order, EMPTY where one has left; and its arrays."""

    slots: Uint32s
    grid: GridArrays


@scalar
def _leave_place(slot: int, states: SleepStates, kept: KeptGrid) -> None:
    """Take a slot out of its place, if it has one."""
    place = states.place[slot]
    if place >= 0:
        states.place[slot] = -1
        kept.slots[place] = EMPTY
        for k in range(4):
            kept.grid.boxes[place, k] = math.nan


@scalar
def _wake(slot: int, states: SleepStates, kept: KeptGrid, count: int) -> int:
    """Take a slot out of its place, if it has one, and list it; returns how many are listed."""
    _leave_place(slot, states, kept)
    if states.is_listed[slot] == 0:
        states.is_listed[slot] = 1
        states.awake[count] = slot
        count += 1
    return count


@kernel
def wake_slots(which: Int32s, states: SleepStates, kept: KeptGrid, count: int) -> int:
    """Wake some slots, whether or not they sleep. The first ``count`` are awake; returns how many are afterwards."""
    for k in range(which.shape[0]):
        slot = int(which[k]) + 0
        states.stillness[slot] = 0
        count = _wake(slot, states, kept, count)
    return count


@kernel
def forget_slots(which: Int32s, states: SleepStates, kept: KeptGrid) -> None:
    """Take slots whose colliders are gone out of their places; awake ones stay listed."""
    for k in range(which.shape[0]):
        _leave_place(int(which[k]) + 0, states, kept)


@kernel
def wake_moved(which: Int32s, moved: Uint8s, states: SleepStates, kept: KeptGrid, count: int) -> tuple[int, int]:
    """Wake the sleepers among ``which``, and count the steps in which the others of the awake have not moved.

    ``which`` are the slots whose flag ``moved`` is set. The first ``count`` are awake. Returns how
    many are awake afterwards, and how many of them have been still for long enough to sleep.
    """
    for k in range(which.shape[0]):
        slot = int(which[k]) + 0
        if states.place[slot] >= 0:
            count = _wake(slot, states, kept, count)
    still = 0
    for k in range(count):
        slot = int(states.awake[k]) + 0
        if moved[slot]:
            states.stillness[slot] = 0
        elif states.stillness[slot] < STILL:
            states.stillness[slot] += 1
        still += states.stillness[slot] >= STILL
    return count, still


@kernel
def find_pairs_beside(
    boxes: Float64Rows, awake: Int32s, bodies: Int64s, kept: KeptGrid, pairs: Int32Rows, found: int
) -> int:
    """Append to the ``found`` rows of ``pairs`` each awake box with each sleeping one that it overlaps.

    ``boxes`` (m, 4) belong to ``awake`` (m,); ``bodies`` are of all slots: the lower one comes first. Returns how
    many rows there are, which must fit (:mod:`ecsphys.engine.broadphase.pair_table`).
    """
    before = found
    found = find_beside(boxes, awake, kept, pairs, found)
    if not fits(pairs, found):
        return found
    return keep_of_two_bodies(bodies, pairs, before, found)


@scalar
def find_beside(boxes: Float64Rows, awake: Int32s, kept: KeptGrid, pairs: Int32Rows, found: int) -> int:
    """What :func:`find_pairs_beside` finds, in any order and of one body as well.

    A collider that is gone has a box of NaN. It is skipped: it would be compared with every box of the level.
    """
    grid = kept.grid
    first = int(int64(grid.statistics[FIRST_OVERSIZED]))
    end = int(int64(grid.statistics[END_OVERSIZED]))
    for level in range(LEVELS):
        for p in range(boxes.shape[0] if grid.integers[level, COUNT] > 0 else 0):
            box = box_at(boxes, p)
            if box.min_x == box.min_x:
                found = walk_level(int(int64(awake[p])), box, level, grid, kept.slots, pairs, found)
    for p in range(boxes.shape[0] if end > first else 0):
        found = scan_box(int(int64(awake[p])), box_at(boxes, p), first, end, kept.slots, grid.boxes, pairs, found)
    return found
