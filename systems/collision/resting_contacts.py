"""Contacts that do not change: a step handles them all at once, and not one by one."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy import bool_, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.engine.hits.contact_table import RUN_COLUMNS, RestingContacts

if TYPE_CHECKING:
    from ecsphys.systems.collision.sleeping_colliders import SleepingColliders
    from ecsphys.systems.hits.step_hits import StepHits

# With fewer contacts it does not pay.
_AT_LEAST = 64

# The search begins after this number of steps without a change: then both buffers have the contacts.
_CALM_STEPS = 3
# If too few were found, the next search comes after this number of steps, and then after twice as many, up to the last.
_FIRST_WAIT = 60
_MOST_WAIT = 3840


NONE_RESTING: Final = RestingContacts(np.zeros(0, uint8), np.zeros((0, RUN_COLUMNS), int32), np.zeros(0, int32), 0)

_Stamp = tuple[object, ...]


class RestKeeper:
    """Knows the resting contacts of one world, while a stage that moves bodies confirms in each step that they did not
    change."""

    def __init__(self, sleeping: SleepingColliders) -> None:
        self._sleeping = sleeping
        self._stamp: _Stamp = ()
        self._of_bodies: _Stamp = ()
        self._calm = 0
        self._wait = _FIRST_WAIT
        self._is_told = False
        self.found = NONE_RESTING
        """The resting contacts that were found last, whatever has changed since."""

    def _stamp_now(self, of_bodies: _Stamp) -> _Stamp:
        """Values that differ after any change of sleeping colliders and of bodies."""
        return self._sleeping.generation, self._sleeping.departures, of_bodies

    def forget(self) -> None:
        """Forget all resting contacts."""
        self.found, self._calm, self._is_told = NONE_RESTING, min(self._calm, 0), False

    def lose(self) -> None:
        """Forget all resting contacts; if there were any, wait some steps before the next search."""
        if self.found is not NONE_RESTING:
            self.forget()

    def known(self, of_bodies: _Stamp) -> RestingContacts:
        """The resting contacts of the last step; ``of_bodies`` are numbers that differ after any change of sleeping
        bodies."""
        if self.found is not NONE_RESTING and self._stamp != self._stamp_now(of_bodies):
            self.forget()
        return self.found

    def tell(self, of_bodies: _Stamp) -> bool:
        """Confirm that contacts were solved, and resting contacts did not change. Returns whether to search for resting
        contacts now."""
        if self.found is NONE_RESTING and len(self._sleeping.kept.slots) < _AT_LEAST:
            # There is nothing to find. As soon as there is, the stamp changes.
            return False
        stamp = self._stamp_now(of_bodies)
        if stamp != self._stamp:
            self.forget()
            self._calm, self._wait = 0, _FIRST_WAIT
            self._stamp, self._of_bodies = stamp, of_bodies
        self._is_told = True
        self._calm += 1
        may_be_found = self.found is NONE_RESTING and self._calm >= _CALM_STEPS
        return may_be_found and len(self._sleeping.kept.slots) >= _AT_LEAST

    def tell_again(self, steps: int) -> None:
        """As :meth:`tell`, for some steps in which nothing has changed since the last step, which told too."""
        if self.found is not NONE_RESTING or len(self._sleeping.kept.slots) >= _AT_LEAST:
            self._is_told = True
            self._calm += steps

    @property
    def steps_ahead(self) -> float:
        """How many steps come before the one that searches for resting contacts."""
        has_none_to_find = self.found is not NONE_RESTING or len(self._sleeping.kept.slots) < _AT_LEAST
        return inf if has_none_to_find else _CALM_STEPS - 1 - self._calm

    def find(self, found: StepHits, is_unmoved: NDArray[bool_], body_of: NDArray[int32], body_count: int) -> None:
        """Find the resting contacts: contacts that are ``is_unmoved`` (m,), because their bodies do not move, and that
        are equal in the buffer of the step before."""
        table, older = found.buffer.table, found.last.table
        count = min(len(is_unmoved), found.last.capacity)
        rows = slice(count)
        rests = is_unmoved[rows] & (table.hits.rest[rows] != 0)
        if found.last.has_points and rests.any():
            rests &= table.hits.rest[rows] == older.hits.rest[rows]
            rests &= (table.hits.is_new[rows] == 0) & (older.hits.is_new[rows] == 0)
            rests &= table.hits.approach_speed[rows] == older.hits.approach_speed[rows]
            ours: tuple[NDArray[Any], ...] = table.points
            theirs: tuple[NDArray[Any], ...] = older.points
            for one, other in zip(ours, theirs, strict=True):
                same = one[rows] == other[rows]
                rests &= same if same.ndim == 1 else same.all(axis=1)
        resting = int(np.count_nonzero(rests))
        if not found.last.has_points or resting < _AT_LEAST:
            self._calm = -self._wait
            self._wait = min(2 * self._wait, _MOST_WAIT)
            return
        marks = np.zeros(max(found.buffer.capacity, found.last.capacity), uint8)
        marks[rows] = rests
        pressed = body_of[found.buffer.pairs[np.flatnonzero(rests & (table.points.totals[rows, 0] > 0.0))]]
        pressed = pressed[pressed[:, 0] != pressed[:, 1]]
        pressing = np.bincount(pressed.ravel(), minlength=body_count).astype(int32)
        self.found = RestingContacts(marks, _runs_of(rests, table.hits.is_near[rows]), pressing, resting)

    def take(self) -> RestingContacts:
        """The resting contacts of the last step, for the narrowphase, if nothing has woken since."""
        if self.found is NONE_RESTING:
            return NONE_RESTING
        is_told, self._is_told = self._is_told, False
        if not is_told or self._stamp != self._stamp_now(self._of_bodies):
            self.forget()
        return self.found


def _runs_of(rests: NDArray[bool_], is_near: NDArray[uint8]) -> NDArray[int32]:
    """The runs (k, RUN_COLUMNS) of marked rows: the first row, the row after the last, the number of near contacts."""
    changes = np.flatnonzero(np.diff(rests, prepend=False, append=False)).reshape(-1, 2)
    near_before = np.concatenate((np.zeros(1, int64), np.cumsum(is_near, dtype=int64)))
    return np.column_stack((changes, near_before[changes[:, 1]] - near_before[changes[:, 0]])).astype(int32)
