"""``StrikeTeller`` finds the strikes of each step, see :mod:`ecsphys.engine.dynamics.strikes`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ecsphys.engine.dynamics.strikes import (
    LOADS,
    STRIKES,
    Contacts,
    FoundContacts,
    StrikeRoom,
    strike_room,
    tell_strikes,
)
from ecsphys.engine.kernels.capacity import Capacity

if TYPE_CHECKING:
    from ecsphys.engine.hits.hit_tracking import EndedRows
    from ecsphys.systems.collision.contact_search import ContactsAside
    from ecsphys.systems.dynamics.body_solver import BodySolver
    from ecsphys.systems.hits.step_hits import ContactBuffer, StepHits


class ToldStrikes(NamedTuple):
    """The strikes of a step: how many are complete, the room left to the next step, and whether anything is in it."""

    complete: int
    left: StrikeRoom
    is_any_left: bool


NO_STRIKES: Final = ToldStrikes(0, strike_room(0, 0), False)


class StrikeTeller:
    """Finds the strikes of one world, and keeps the unfinished ones from step to step.

    Invariant: the room that ``StepHits.strikes`` of the last step refers to is not written in this step. Two rooms take
    turns. So a step that is cut short leaves the strikes of the last step as they were.
    """

    __slots__ = ("_capacities", "_rooms")

    def __init__(self) -> None:
        self._rooms = strike_room(0, 0), strike_room(0, 0)
        self._capacities = Capacity(), Capacity()

    def tell(
        self,
        solver: BodySolver,
        last: StepHits,
        aside: ContactsAside,
        buffer: ContactBuffer,
        count: int,
        ended: EndedRows,
    ) -> ToldStrikes:
        """Write the strikes of a step to the first ``count`` contacts of a buffer; the ``last`` contacts come before.

        ``ended``: the last contacts that ended. ``aside``: contacts that were found again for this step's solver.
        """
        rising = solver.rising_since(last)
        is_solved = rising >= 0
        old, places = last.strikes.left, solver.places
        first, second = self._rooms
        new = self._with_room(second if first is old else first, max(rising, 0), len(ended.rows))
        before = solved = Contacts(last.buffer.with_points(True), last.counts.contacts)
        if is_solved and solver.found_anew:
            solved = Contacts(aside.buffer.with_points(True), aside.count)
        found = FoundContacts(before, solved, Contacts(buffer.table, count))
        bodies, step = solver.struck_bodies, solver.strike_step
        complete = tell_strikes(found, ended.rows, places, is_solved, old, new, bodies, step)
        return ToldStrikes(complete, new, new.counts.tolist() != [0, 0])

    def _with_room(self, room: StrikeRoom, strikes: int, loads: int) -> StrikeRoom:
        """The room, or a new one in its place if it is too small or much too large."""
        held = len(room.struck), len(room.loaded)
        of_strikes, of_loads = self._capacities
        capacity = of_strikes.choose(strikes, held[STRIKES]), of_loads.choose(loads, held[LOADS])
        if capacity == held:
            return room
        larger = strike_room(*capacity)
        first, second = self._rooms
        self._rooms = (larger, second) if room is first else (first, larger)
        return larger
