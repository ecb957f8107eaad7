"""Touches: a character ran into a solid in a move, or stands on it. The narrowphase makes contacts of depth 0 of them.

Moves list their touches, between two steps or within a step, and the next narrowphase takes them. From then on a touch
is *kept*: it counts again in every later step, until its mover is moved again, or until one of the two colliders is
elsewhere or has another size. So a hit with the floor does not end if a game moves a character in every other step.
"""

from __future__ import annotations

from typing import Any

from numpy import nan

from ecsphys.engine.hits.contact_table import IS_SOLVED, SPEED, TIME
from ecsphys.engine.kernels import Float64Rows, Int32Rows, Int32s, Int64Rows, Int64s, NamedTuple, kernel, packed, scalar
from ecsphys.engine.manifold.contact import CONTACT_COLUMNS, DEPTH, NORMAL, POINT_COUNT, POINTS
from ecsphys.engine.tables.collider_slots import PRESENT, ColliderSlots

# Columns of the numbers of a touch: the slots of the mover's collider and the other one, and their entities.
OWN, OTHER, OWN_ENTITY, OTHER_ENTITY = range(4)
TOUCH_NUMBERS = 4

# Columns of its values: the unit normal towards the mover, the point, how far the two came nearer before they met, and
# the boxes of both when it was kept.
TOUCH_NORMAL, TOUCH_POINT, TOUCH_CLOSING, OWN_BOX, OTHER_BOX = 0, 2, 4, 5, 9
TOUCH_VALUES = 13

# Counts: the touches there are, and the first of them, which are kept.
TOUCHES, KEPT = 0, 1
TOUCH_COUNTS = 2

# In place of the other slot: says only that the mover was moved.
MARK = -1


@packed
class TouchArrays(NamedTuple):
    """A list of touches: ``numbers`` (m, TOUCH_NUMBERS), ``values`` (m, TOUCH_VALUES), ``counts`` (TOUCH_COUNTS,)."""

    numbers: Int64Rows
    values: Float64Rows
    counts: Int64s


@packed
class TouchMarks(NamedTuple):
    """Scratch of :func:`gather_touches`. The number of a call marks the entries that this call has written.

    ``moved``: for each slot of an entity, the last call that found it moved. ``first`` and ``first_in``: for each slot
    of a mover's collider, its first touch, and the call that listed it. ``following``: for each touch the next one of
    the same collider.
    """

    moved: Int64s
    first: Int32s
    first_in: Int64s
    following: Int32s


@packed
class SweptContacts(NamedTuple):
    """Contacts that sweeps and moves have found, lower body first: the slots (m, 2), the rows of ``find_contacts``
    (m, CONTACT_COLUMNS), and further numbers (m, SWEPT_COLUMNS): the time in the step, in [0, 1], the approach speed at
    that time, and not 0 where a solver is to push the two apart."""

    pairs: Int32Rows
    rows: Float64Rows
    besides: Float64Rows


@scalar
def add_touch(touches: TouchArrays, met: Any, own_entity: int, closing: float) -> None:
    """Add a touch of a mover to a list that has room for it, as a record of :mod:`~ecsphys.engine.character`."""
    row = touches.counts[TOUCHES]
    numbers, values = touches.numbers, touches.values
    numbers[row, OWN], numbers[row, OTHER] = met.own, met.slot
    numbers[row, OWN_ENTITY], numbers[row, OTHER_ENTITY] = own_entity, met.entity
    values[row, TOUCH_NORMAL], values[row, TOUCH_NORMAL + 1] = met.normal_x, met.normal_y
    values[row, TOUCH_POINT], values[row, TOUCH_POINT + 1] = met.x, met.y
    values[row, TOUCH_CLOSING] = closing
    for column in range(OWN_BOX, TOUCH_VALUES):
        values[row, column] = 0.0
    touches.counts[TOUCHES] = row + 1


@scalar
def _is_there(colliders: ColliderSlots, slot: int, entity: int) -> bool:
    """Whether a slot has a collider of an entity."""
    return bool(colliders.absence[slot] == PRESENT and colliders.entity[slot] == entity)


@scalar
def _is_as_kept(touches: TouchArrays, row: int, boxes: Float64Rows) -> bool:
    """Whether both colliders of a touch are where they were when it was kept, and as large."""
    own = int(touches.numbers[row, OWN])
    other = int(touches.numbers[row, OTHER])
    is_same = True
    for side in range(4):
        is_same &= touches.values[row, OWN_BOX + side] == boxes[own, side]
        is_same &= touches.values[row, OTHER_BOX + side] == boxes[other, side]
    return bool(is_same)


@scalar
def _row_with(touches: TouchArrays, marks: TouchMarks, call: int, own: int, other: int) -> int:
    """The touch of two colliders, in either order, among those listed in a call; −1 for none."""
    for side in range(2):
        slot = own if side == 0 else other
        if marks.first_in[slot] != call:
            continue
        row = int(marks.first[slot])
        while row >= 0:
            a = touches.numbers[row, OWN]
            b = touches.numbers[row, OTHER]
            if (a == own and b == other) or (a == other and b == own):
                return row
            row = int(marks.following[row])
    return -1


@scalar
def _take(touches: TouchArrays, k: int, closing: float, into: TouchArrays, marks: TouchMarks, call: int) -> None:
    """Take a touch over to a list with one touch for each pair: the hardest, or the last of equal ones."""
    own = int(touches.numbers[k, OWN])
    other = int(touches.numbers[k, OTHER])
    row = _row_with(into, marks, call, own, other)
    if row >= 0:
        if closing < into.values[row, TOUCH_CLOSING]:
            return
    else:
        row = int(into.counts[TOUCHES])
        into.counts[TOUCHES] = row + 1
        marks.following[row] = marks.first[own] if marks.first_in[own] == call else -1
        marks.first[own] = row
        marks.first_in[own] = call
    for column in range(TOUCH_NUMBERS):
        into.numbers[row, column] = touches.numbers[k, column]
    for column in range(TOUCH_VALUES):
        into.values[row, column] = touches.values[k, column]
    into.values[row, TOUCH_CLOSING] = closing


@kernel
def gather_touches(
    touches: TouchArrays,
    into: TouchArrays,
    marks: TouchMarks,
    colliders: ColliderSlots,
    boxes: Float64Rows,
    swept: Int32Rows,
    contacts: SweptContacts,
    per_second: float,
    call: int,
) -> int:
    """Make contacts of the touches of a step, and write the touches to keep for the next step ``into`` another list.

    The list itself stays as it is: a step that is cut short finds it again. All lists have room for as many touches.
    Left out are touches of colliders that are gone, and kept touches if one of the two has been moved or changed since.
    Pairs that were ``swept`` (n, 2) against each other have a contact already. TOUCH_CLOSING times ``per_second`` is
    the approach speed. ``call`` is above 0, and another number in each call.

    Returns how many contacts there are.
    """
    numbers, count = touches.numbers, int(touches.counts[TOUCHES])
    kept = int(touches.counts[KEPT])
    for k in range(kept, count):
        own = int(numbers[k, OWN])
        if numbers[k, OTHER] == MARK and _is_there(colliders, own, int(numbers[k, OWN_ENTITY])):
            marks.moved[colliders.owner[own]] = call
    into.counts[TOUCHES] = 0
    for k in range(count):
        own = int(numbers[k, OWN])
        other = int(numbers[k, OTHER])
        if other == MARK or not _is_there(colliders, own, int(numbers[k, OWN_ENTITY])):
            continue
        if not _is_there(colliders, other, int(numbers[k, OTHER_ENTITY])):
            continue
        closing = touches.values[k, TOUCH_CLOSING]
        if k < kept:
            if marks.moved[colliders.owner[own]] == call or not _is_as_kept(touches, k, boxes):
                continue
            closing = 0.0
        _take(touches, k, closing, into, marks, call)
    listed = int(into.counts[TOUCHES])
    into.counts[KEPT] = listed
    for row in range(listed):
        for side in range(4):
            into.values[row, OWN_BOX + side] = boxes[int(into.numbers[row, OWN]), side]
            into.values[row, OTHER_BOX + side] = boxes[int(into.numbers[row, OTHER]), side]
    for k in range(swept.shape[0]):
        row = _row_with(into, marks, call, int(swept[k, 0]) + 0, int(swept[k, 1]) + 0)
        if row >= 0:
            into.values[row, TOUCH_CLOSING] = -1.0
    found = 0
    for row in range(listed):
        if into.values[row, TOUCH_CLOSING] >= 0.0:
            _write_contact(into, row, colliders, contacts, found, per_second)
            found += 1
    return found


@scalar
def _write_contact(
    touches: TouchArrays, row: int, colliders: ColliderSlots, contacts: SweptContacts, k: int, per_second: float
) -> None:
    """Write a touch as the k-th contact."""
    own = int(touches.numbers[row, OWN])
    other = int(touches.numbers[row, OTHER])
    values = touches.values
    in_order = colliders.body[own] < colliders.body[other]
    contacts.pairs[k, 0] = own if in_order else other
    contacts.pairs[k, 1] = other if in_order else own
    sign = -1.0 if in_order else 1.0
    for column in range(CONTACT_COLUMNS):
        contacts.rows[k, column] = nan
    contacts.rows[k, NORMAL] = sign * values[row, TOUCH_NORMAL] + 0.0
    contacts.rows[k, NORMAL + 1] = sign * values[row, TOUCH_NORMAL + 1] + 0.0
    contacts.rows[k, DEPTH] = 0.0
    contacts.rows[k, POINT_COUNT] = 1.0
    contacts.rows[k, POINTS] = values[row, TOUCH_POINT]
    contacts.rows[k, POINTS + 1] = values[row, TOUCH_POINT + 1]
    contacts.besides[k, TIME] = 1.0
    contacts.besides[k, SPEED] = values[row, TOUCH_CLOSING] * per_second
    # A solver continues with the points of the pair's near contact.
    contacts.besides[k, IS_SOLVED] = 1.0
