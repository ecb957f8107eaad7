"""``Strikes``: tells the strikes of each step, see :mod:`ecsphys.engine.dynamics.strikes`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ecsphys.engine.dynamics.strikes import (
    Contacts,
    RisingContacts,
    Unfinished,
    hand_on_loads,
    no_strikes,
    tell_strikes,
)

if TYPE_CHECKING:
    from ecsphys.engine.contacts.hit_tracking import EndedRows
    from ecsphys.systems.collision.contacts_aside import ContactsAside
    from ecsphys.systems.dynamics.body_solver import BodySolver
    from ecsphys.systems.hits.step_hits import ContactBuffer, StepHits

_NONE: Final = no_strikes(0)


class ToldStrikes(NamedTuple):
    """The strikes of a step: how many are complete, those that are not, and loads that contacts left as they ended."""

    complete: int
    unfinished: Unfinished
    handed_on: Unfinished


NO_STRIKES: Final = ToldStrikes(0, _NONE, _NONE)


def strikes_of(
    solver: BodySolver, last: StepHits, aside: ContactsAside, buffer: ContactBuffer, count: int, ended: EndedRows
) -> ToldStrikes:
    """Tell the strikes of a step to the first ``count`` contacts of a buffer, which follow on the ``last``.

    ``ended`` are those of the last that ended.
    """
    is_solved = solver.has_solved(last)
    rising = solver.rising_count if is_solved else 0
    before = last.strikes
    is_told = rising > 0 or len(before.unfinished.entities) > 0
    if not is_told and not ended.rows.size:
        return NO_STRIKES
    old, now = Contacts(last.buffer.with_points(True), last.contact_count), Contacts(buffer.table, count)
    complete, unfinished = 0, _NONE
    if is_told:
        solved = Contacts(aside.buffer.with_points(True), aside.count) if solver.found_anew else old
        new, places = no_strikes(rising), solver.places
        complete, begun = tell_strikes(
            old,
            solved if is_solved else solved._replace(count=0),
            now,
            RisingContacts(places.before, places.rising, rising),
            before.unfinished,
            before.handed_on,
            new,
            solver.struck_bodies,
            solver.strike_step,
        )
        unfinished = Unfinished(new.entities[:begun], new.numbers[:begun]) if begun else _NONE
    handed_on = _NONE
    if ended.rows.size and is_solved:
        room = no_strikes(len(ended.rows))
        handed = hand_on_loads(old, ended.rows, now, room)
        handed_on = Unfinished(room.entities[:handed], room.numbers[:handed]) if handed else _NONE
    if not complete and unfinished is _NONE and handed_on is _NONE:
        return NO_STRIKES
    return ToldStrikes(complete, unfinished, handed_on)
