"""Whether colliders that the game has moved may push anything: if not, the contacts of the last step still hold."""

from __future__ import annotations

import math

from numpy import int64

from ecsphys.engine.broadphase.cells import MAX_X, MAX_Y, MIN_X, MIN_Y
from ecsphys.engine.broadphase.pair_table import fits
from ecsphys.engine.broadphase.sleeping import KeptGrid, find_beside
from ecsphys.engine.dynamics.body_mass import CHARACTER, DYNAMIC
from ecsphys.engine.kernels.array_types import Float64Rows, Int32Rows, Int32s, Int64s, Uint8s
from ecsphys.engine.kernels.compilation import inlined_scalar, kernel
from ecsphys.engine.kernels.index import index
from ecsphys.engine.shapes.layout import OF_B


@inlined_scalar
def _is_pushed(slot: int, body_of: Int32s, kind: Uint8s) -> bool:
    """Whether contacts may move the body of a collider."""
    if slot >= body_of.shape[0]:
        return False
    body = int(body_of[slot]) + 0
    return body >= 0 and (kind[body] == DYNAMIC or kind[body] == CHARACTER)


@kernel
def any_of_bodies(rows: Int64s, owners: Int32s, row_of: Int32s) -> bool:
    """Whether any of some ``rows`` (k,) of Transform is a body's.

    ``owners`` has the entity of each row, −1 for none, and ``row_of`` the body of each entity, 0 or less for none.
    """
    for k in range(rows.shape[0]):
        row = index(rows[k])
        if row < owners.shape[0]:
            owner = int(owners[row]) + 0
            if owner >= 0 and owner < row_of.shape[0] and row_of[owner] > 0:
                return True
    return False


@kernel
def may_push(
    slots: Int32s,
    margin: float,
    contacts: Int32Rows,
    boxes: Float64Rows,
    awake: Int32s,
    kept: KeptGrid,
    body_of: Int32s,
    kind: Uint8s,
    reach: Float64Rows,
    room: Int32Rows,
) -> bool:
    """Whether colliders that were moved to other places may push a body, where they were or where they are.

    They are in some ``slots`` (k,). ``contacts`` (m, 2) are the slots of the last contacts, nearer than ``margin``.
    ``boxes`` are of all slots: the ``awake`` ones (n,), and the ones in the ``kept`` grid. ``body_of`` has the
    body of each slot, −1 for none, ``kind`` the kind of each body. ``reach`` (k or more, 4) and ``room`` (r, 2) are
    scratch.
    """
    count = 0
    for p in range(slots.shape[0]):
        slot = index(slots[p])
        if _is_pushed(slot, body_of, kind):
            return True
        if slot < body_of.shape[0] and body_of[slot] >= 0:
            # So large that nothing outside can be a contact.
            reach[p, MIN_X] = boxes[slot, MIN_X] - 2.0 * margin
            reach[p, MIN_Y] = boxes[slot, MIN_Y] - 2.0 * margin
            reach[p, MAX_X] = boxes[slot, MAX_X] + 2.0 * margin
            reach[p, MAX_Y] = boxes[slot, MAX_Y] + 2.0 * margin
            count += 1
        else:
            # Nothing overlaps it.
            for column in range(4):
                reach[p, column] = math.nan
    if count == 0:
        return False
    for k in range(contacts.shape[0]):
        a = int(contacts[k, 0]) + 0
        b = int(contacts[k, 1]) + 0
        for p in range(slots.shape[0]):
            if (a == slots[p] and _is_pushed(b, body_of, kind)) or (b == slots[p] and _is_pushed(a, body_of, kind)):
                return True
    for p in range(slots.shape[0]):
        for k in range(awake.shape[0]):
            other = index(awake[k])
            if (
                _is_pushed(other, body_of, kind)
                and boxes[other, MIN_X] <= reach[p, MAX_X]
                and boxes[other, MAX_X] >= reach[p, MIN_X]
                and boxes[other, MIN_Y] <= reach[p, MAX_Y]
                and boxes[other, MAX_Y] >= reach[p, MIN_Y]
            ):
                return True
    found = find_beside(reach[: slots.shape[0]], slots, kept, room, int(int64(0)))
    pushed = 0
    for k in range(found if fits(room, found) else 0):
        pushed += _is_pushed(index(room[k, OF_B]), body_of, kind)
    return pushed > 0 or not fits(room, found)
