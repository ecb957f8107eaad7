"""How solids have moved since a character was moved last: what carries it, and what pushes it.

Their transforms then and now tell it, so that it does not matter what moves them: velocities, trajectories, parents, or
the game itself. Whatever places a solid elsewhere notes in a journal where that was before.
"""

from __future__ import annotations

from typing import NamedTuple

from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import MAX_X, MAX_Y, MIN_X, MIN_Y, Box
from ecsphys.engine.character.gathering import Scratch
from ecsphys.engine.character.mover import NO_ROWS, SKIN, Mover, box_now, fail
from ecsphys.engine.character.solid_world import Solids, angle_of, is_solid
from ecsphys.engine.kernels.array_types import Float64Rows, Int32s, Int64s
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.math.cos_sin import cosine_of, sine_of
from ecsphys.engine.math.sorted_numbers import find_number, sort_numbers
from ecsphys.engine.shapes.layout import ALONG_X, ALONG_Y
from ecsphys.engine.tables.collider_slots import PRESENT

# Numbers of a journal: entries it has, entries it has dropped before these, and the last reading.
ENTRIES, DROPPED, READING = 0, 1, 2
JOURNAL_NUMBERS = 3

# Columns of poses: x, y and angle then, and now.
THEN, NOW = 0, 3
POSE_COLUMNS = 6

# An entry and a slot in one number.
_ENTRY_BITS = 32


@packed
class JournalArrays(NamedTuple):
    """What was noted: ``slots`` (n,) of colliders and their ``poses`` before (n, 3); the ``numbers`` named above.

    For each slot, ``born`` is the revision at which its collider came (what is older is another's), and ``read_by`` the
    last reading that has seen it.
    """

    slots: Int32s
    poses: Float64Rows
    numbers: Int64s
    born: Int64s
    read_by: Int64s


@scalar
def revision_of(journal: JournalArrays) -> int:
    """The number of entries there ever were."""
    return int(journal.numbers[DROPPED] + journal.numbers[ENTRIES])


@scalar
def note_pose(journal: JournalArrays, solids: Solids, slot: int) -> None:
    """Add where a collider is, before that changes; there must be room."""
    entry = journal.numbers[ENTRIES]
    journal.slots[entry] = slot
    journal.poses[entry, 0] = solids.positions[slot, ALONG_X]
    journal.poses[entry, 1] = solids.positions[slot, ALONG_Y]
    journal.poses[entry, 2] = angle_of(solids, slot)
    journal.numbers[ENTRIES] = entry + 1


@scalar
def find_moved(mover: Mover, solids: Solids, journal: JournalArrays, scratch: Scratch, since: int) -> int:
    """List the solid colliders that are not where they were at a revision, by ascending slot; none where it is too old.

    What was not there yet, or was another instance, has not moved. Returns how many there are.
    """
    entries = int(journal.numbers[ENTRIES])
    first = since - int(journal.numbers[DROPPED])
    if first < 0 or first >= entries:
        return 0
    if entries - first > scratch.keys.shape[0]:
        fail(mover, NO_ROWS, entries - first)
        return 0
    journal.numbers[READING] += 1
    reading = journal.numbers[READING]
    keys = scratch.keys
    found = 0
    for entry in range(first, entries):
        slot = int(int64(journal.slots[entry]))
        is_own = entry + journal.numbers[DROPPED] >= journal.born[slot]
        if is_own and journal.read_by[slot] != reading:
            journal.read_by[slot] = reading
            if solids.absence[slot] == PRESENT and is_solid(solids, slot):
                keys[found] = (slot << _ENTRY_BITS) | entry
                found += 1
    sort_numbers(keys, found)
    count = 0
    for k in range(found):
        slot = int(keys[k] >> _ENTRY_BITS)
        entry = int(keys[k] & ((1 << _ENTRY_BITS) - 1))
        if count < scratch.moved.shape[0]:
            _put_poses(scratch.poses, count, journal.poses, entry, solids, slot)
            scratch.moved[count] = slot
        if count >= scratch.moved.shape[0] or _has_moved(scratch.poses, count):
            count += 1
    if count > scratch.moved.shape[0]:
        fail(mover, NO_ROWS, count)
        return 0
    return count


@scalar
def _put_poses(
    poses: NDArray[float64], row: int, before: NDArray[float64], entry: int, solids: Solids, slot: int
) -> None:
    for column in range(3):
        poses[row, THEN + column] = before[entry, column]
    poses[row, NOW] = solids.positions[slot, ALONG_X]
    poses[row, NOW + 1] = solids.positions[slot, ALONG_Y]
    poses[row, NOW + 2] = angle_of(solids, slot)


@scalar
def _has_moved(poses: NDArray[float64], row: int) -> bool:
    is_elsewhere = poses[row, THEN] != poses[row, NOW] or poses[row, THEN + 1] != poses[row, NOW + 1]
    return bool(is_elsewhere or poses[row, THEN + 2] != poses[row, NOW + 2])


@scalar
def taken_by(scratch: Scratch, moved: int, slot: int, x: float, y: float) -> tuple[float, float]:
    """By how much the motion of a solid, among those ``moved``, takes a point that was fixed to it: its turning counts.

    (0, 0) by one that has not moved.
    """
    row = find_number(scratch.moved[:moved], slot)
    if row < 0:
        return 0.0, 0.0
    return _taken(scratch.poses, row, THEN, NOW, x, y)


@scalar
def velocity_at(scratch: Scratch, moved: int, slot: int, x: float, y: float, elapsed: float) -> tuple[float, float]:
    """How fast a solid's motion took a point that is fixed to it where it is now, on the way there."""
    row = find_number(scratch.moved[:moved], slot)
    if row < 0:
        return 0.0, 0.0
    back_x, back_y = _taken(scratch.poses, row, NOW, THEN, x, y)
    return (0.0 - back_x) / elapsed, (0.0 - back_y) / elapsed


@scalar
def _taken(
    poses: NDArray[float64], row: int, come_from: int, to: int, point_x: float, point_y: float
) -> tuple[float, float]:
    """By how much a motion from one pose (x, y, angle) to another takes a point that was fixed to what moves."""
    x, y, angle = poses[row, come_from], poses[row, come_from + 1], poses[row, come_from + 2]
    new_x, new_y, new_angle = poses[row, to], poses[row, to + 1], poses[row, to + 2]
    if angle == new_angle:
        return new_x - x, new_y - y
    arm_x = point_x - x
    arm_y = point_y - y
    # R(a) − 1 by half the angle, as the difference would lose small ones.
    half = 0.5 * (new_angle - angle)
    sine = sine_of(half)
    cosine = cosine_of(half)
    less = -2.0 * sine * sine
    turn = 2.0 * sine * cosine
    return new_x - x + less * arm_x - turn * arm_y, new_y - y + turn * arm_x + less * arm_y


@scalar
def passed_way(
    mover: Mover, solids: Solids, scratch: Scratch, row: int, carry_x: float, carry_y: float
) -> tuple[bool, float, float]:
    """Whether a moved solid may have met a mover that is carried, and how it moved beside it."""
    poses, boxes, box = scratch.poses, solids.boxes, box_now(mover)
    slot = int(scratch.moved[row])
    turn = poses[row, NOW + 2] - poses[row, THEN + 2]
    arm_x = 0.5 * (box.min_x + box.max_x) - poses[row, THEN]
    arm_y = 0.5 * (box.min_y + box.max_y) - poses[row, THEN + 1]
    half = sine_of(0.5 * turn)
    less = -2.0 * (half * half)
    sine = sine_of(turn)
    x = poses[row, NOW] - poses[row, THEN] + (less * arm_x - sine * arm_y)
    y = poses[row, NOW + 1] - poses[row, THEN + 1] + (sine * arm_x + less * arm_y)
    margin = mover.state[SKIN]
    swept = Box(
        min(boxes[slot, MIN_X], boxes[slot, MIN_X] - x) - margin,
        min(boxes[slot, MIN_Y], boxes[slot, MIN_Y] - y) - margin,
        max(boxes[slot, MAX_X], boxes[slot, MAX_X] - x) + margin,
        max(boxes[slot, MAX_Y], boxes[slot, MAX_Y] - y) + margin,
    )
    meets_x = swept.min_x <= box.max_x + max(carry_x, 0.0) and swept.max_x >= box.min_x + min(carry_x, 0.0)
    meets_y = swept.min_y <= box.max_y + max(carry_y, 0.0) and swept.max_y >= box.min_y + min(carry_y, 0.0)
    return meets_x and meets_y, x, y
