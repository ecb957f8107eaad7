"""Lists the solids that a mover runs into or stands on: contacts of its move, and touches that become hits."""

from __future__ import annotations

from ecsphys.engine.character.gathering import Scratch
from ecsphys.engine.character.mover import (
    AHEAD,
    CARRY,
    CLOSING,
    COLLIDER,
    CONTACT_NORMAL,
    CONTACT_POINT,
    CONTACTS,
    ENTITY,
    HOW,
    IS_STANDING,
    IS_TOLD,
    NO_CONTACTS,
    NORMAL,
    OF_ENTITY,
    OF_MOVE,
    OWN_SLOT,
    POINT,
    SAME_NORMAL,
    SLOT,
    SOLID,
    SOLID_SLOT,
    WAY,
    Mover,
    dot,
    fail,
)
from ecsphys.engine.character.solid_motion import taken_by
from ecsphys.engine.contacts.touches import MARK, Touch, TouchArrays, add_touch
from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.math.elementary import hypot


@scalar
def meeting_of(mover: Mover, table: int, impact: int) -> Touch:
    """Where the mover meets the solid of an impact."""
    impacts, numbers = mover.impacts, mover.numbers
    solid = int(impacts[table, impact, SOLID])
    return Touch(
        int(numbers[int(impacts[table, impact, COLLIDER]), SLOT]),
        int(numbers[solid, SLOT]),
        int(numbers[solid, ENTITY]),
        0.0 - impacts[table, impact, NORMAL],
        0.0 - impacts[table, impact, NORMAL + 1],
        impacts[table, impact, POINT],
        impacts[table, impact, POINT + 1],
    )


@scalar
def _meeting_at(mover: Mover, of: int, k: int) -> Touch:
    """The k-th contact of a list."""
    contacts = mover.contacts
    return Touch(
        int(contacts[of, k, OWN_SLOT]),
        int(contacts[of, k, SOLID_SLOT]),
        int(contacts[of, k, OF_ENTITY]),
        contacts[of, k, CONTACT_NORMAL],
        contacts[of, k, CONTACT_NORMAL + 1],
        contacts[of, k, CONTACT_POINT],
        contacts[of, k, CONTACT_POINT + 1],
    )


@scalar
def add_contact(mover: Mover, to: int, met: Touch, how: int) -> None:
    """Add a contact to a list.

    The move reports each surface of an entity once, at the first place where it was met. If the mover stands on a
    surface that is not reported, the last place counts.
    """
    contacts = mover.contacts
    count = mover.counts[CONTACTS + to]
    for k in range(count):
        if contacts[to, k, OF_ENTITY] != met.other_entity:
            continue
        apart_x = met.normal_x - contacts[to, k, CONTACT_NORMAL]
        apart_y = met.normal_y - contacts[to, k, CONTACT_NORMAL + 1]
        if hypot(apart_x, apart_y) > SAME_NORMAL:
            continue
        listed = int(contacts[to, k, HOW])
        is_same_pair = contacts[to, k, OWN_SLOT] == met.own_slot and contacts[to, k, SOLID_SLOT] == met.other_slot
        if is_same_pair and (listed ^ how) & IS_STANDING == 0:
            if how & IS_STANDING == 0 and (listed & IS_TOLD != 0 or how & IS_TOLD == 0):
                return
            if how & IS_STANDING != 0 and listed & IS_TOLD == 0:
                contacts[to, k, CONTACT_POINT] = met.x
                contacts[to, k, CONTACT_POINT + 1] = met.y
                return
        if listed & IS_TOLD != 0:
            how &= IS_STANDING
    if count == contacts.shape[1]:
        fail(mover, NO_CONTACTS, count + 1)
        return
    contacts[to, count, OF_ENTITY] = met.other_entity
    contacts[to, count, CONTACT_NORMAL] = met.normal_x
    contacts[to, count, CONTACT_NORMAL + 1] = met.normal_y
    contacts[to, count, CONTACT_POINT] = met.x
    contacts[to, count, CONTACT_POINT + 1] = met.y
    contacts[to, count, OWN_SLOT] = met.own_slot
    contacts[to, count, SOLID_SLOT] = met.other_slot
    contacts[to, count, HOW] = how
    mover.counts[CONTACTS + to] = count + 1


@scalar
def add_impact(mover: Mover, impact: int, to: int, how: int) -> None:
    """Add the contact of an impact ahead to a list."""
    add_contact(mover, to, meeting_of(mover, AHEAD, impact), how)


@scalar
def add_contacts(mover: Mover, come_from: int, is_told: bool) -> None:
    """Add the contacts of one list to the list of the move. Without ``is_told`` the move does not report them."""
    for k in range(mover.counts[CONTACTS + come_from]):
        how = int(mover.contacts[come_from, k, HOW])
        add_contact(mover, OF_MOVE, _meeting_at(mover, come_from, k), how if is_told else how & IS_STANDING)


@scalar
def find_closing(mover: Mover, scratch: Scratch, moved: int) -> None:
    """Write how far the mover and each solid came nearer along the normal before they met.

    The way is the mover's own and its carrier's, less the motion of the solid, if that is among the ``moved`` ones. It
    is 0 for a floor that the mover stands on.
    """
    state, contacts = mover.state, mover.contacts
    for k in range(mover.counts[CONTACTS + OF_MOVE]):
        met = _meeting_at(mover, OF_MOVE, k)
        closing = 0.0
        if int(contacts[OF_MOVE, k, HOW]) & IS_STANDING == 0:
            gone_x, gone_y = taken_by(scratch, moved, met.other_slot, met.x, met.y)
            way_x = state[WAY] + state[CARRY] - gone_x
            way_y = state[WAY + 1] + state[CARRY + 1] - gone_y
            closing = max(-dot(way_x, way_y, met.normal_x, met.normal_y), 0.0)
        contacts[OF_MOVE, k, CLOSING] = closing


@scalar
def note_touches(mover: Mover, touches: TouchArrays, entity: int) -> None:
    """Add all contacts of an entity's move to the touches, of which the narrowphase makes hits; there must be room."""
    add_touch(touches, Touch(int(mover.numbers[0, SLOT]), MARK, MARK, 0.0, 0.0, 0.0, 0.0), entity, 0.0)
    for k in range(mover.counts[CONTACTS + OF_MOVE]):
        add_touch(touches, _meeting_at(mover, OF_MOVE, k), entity, mover.contacts[OF_MOVE, k, CLOSING])
