"""What rests, and is passed over: rows of bodies, and contacts, that stay as they are from step to step."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy import int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.motion.transform import Transform
from ecsphys.engine.dynamics import bodies as body
from ecsphys.engine.dynamics.contacts.contact_blocks import UNMOVED_PLACE
from ecsphys.engine.hits.contact_table import RUN_COLUMNS, RestingContacts
from ecsphys.engine.tables.entity_rows import PARENT, VELOCITY
from ecsphys.systems.world.entity_table import NO_SLOTS, TRAJECTORY_LINES, Slots

if TYPE_CHECKING:
    from ecsphys.systems.hits.step_hits import StepHits
    from ecsphys.systems.physics_state import PhysicsState

# With fewer bodies or contacts to pass over it does not pay.
_AT_LEAST: Final = 64

# The search comes after so many steps in which nothing woke, fell asleep, came or went: then both buffers have the
# contacts. Where too little was found, the next one comes after so many more, and then after twice as many, up to the
# last.
_CALM_STEPS: Final = 3
_FIRST_WAIT: Final = 60
_MOST_WAIT: Final = 3840


NONE_RESTING: Final = RestingContacts(np.zeros(0, uint8), np.zeros((0, RUN_COLUMNS), int32), np.zeros(0, int32), 0)


class Resting:
    """Knows which bodies and contacts a step may pass over in one world.

    Sleeping and static bodies, and kinematic ones without a velocity, do not change from step to step: their rows stay
    as the solver wrote them last, their colliders stay where they were placed, and their contacts are the same in both
    buffers, row by row. So they are passed over as long as the same bodies and colliders sleep, and the game touches
    no such body. A stage that moves bodies confirms that in each step.

    Attributes
    ----------
    rows
        (k, 2) Runs of the rows of the bodies that a step gathers, moves and writes back, ascending: the first, and the
        one after the last.
    contacts
        The resting contacts that were found last, whatever has changed since.
    contacts_change
        Whether the game changes contacts in each step: then none rest.
    """

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        self.rows = self._all_rows = np.zeros((1, 2), int32)
        self.contacts = NONE_RESTING
        self.contacts_change = False
        self._passes_over = self._is_told = False
        self._stamp: tuple[int, ...] = ()
        self._calm, self._wait = 0, _FIRST_WAIT
        # Up to which entry of the log of Transform what sleeps has been moved.
        self._moved_to = 0

    def _stamp_now(self) -> tuple[int, ...]:
        """Numbers that differ after any change of bodies and of their sleep, the first two; of pairs that may touch;
        and of sleeping colliders."""
        state = self._state
        table, sleeping = state.body_table, state.sleeping
        changes = table.revision, table.sleep_changes, state.joints.pairs.revision
        return *changes, sleeping.generation, sleeping.departures

    def _are_bodies_others(self) -> bool:
        """Whether other bodies are there, or sleep, than when they were chosen."""
        table = self._state.body_table
        return self._stamp[:2] != (table.revision, table.sleep_changes)

    def choose(self, is_untouched: bool) -> None:
        """Choose the bodies of a step; ``is_untouched``: the game has changed none but by velocities and forces."""
        table = self._state.body_table
        if table.written_rows:
            if self._passes_over:
                self.rows = _with(self.rows, np.concatenate(table.written_rows))
            table.written_rows = []
        if not is_untouched or self._are_bodies_others():
            self.take_all()

    @property
    def is_settled(self) -> bool:
        """Whether the next step chooses the same bodies, unless the game changes any."""
        return not self._state.body_table.written_rows and not self._are_bodies_others()

    def begin_anew(self) -> None:
        """Pass over nothing: all may be other than it was."""
        self._stamp = ()
        self.take_all()

    def take_all(self) -> None:
        """Pass over no bodies, in this step and some more."""
        count = len(self._state.body_table)
        if self._all_rows[0, 1] != count:
            self._all_rows = np.array([(0, count)], int32)
        self.rows, self._moved_to = self._all_rows, Transform._columns.writes.revision
        if self._are_bodies_others():
            self._calm, self._wait, self._stamp = 0, _FIRST_WAIT, self._stamp_now()
            self.forget_contacts()
        if self._passes_over:
            self._passes_over = False
            self._state.placing.driven.pass_over(NO_SLOTS)
        if self._seeks_bodies():
            self._calm = min(self._calm, 0)

    def forget_contacts(self) -> None:
        """Forget all resting contacts."""
        self.contacts, self._is_told = NONE_RESTING, False

    def lose_contacts(self) -> None:
        """Forget all resting contacts; if there were any, wait some steps before the next search."""
        if self.contacts is not NONE_RESTING:
            self.forget_contacts()
            self._calm = min(self._calm, 0)

    def known_contacts(self) -> RestingContacts:
        """The resting contacts of the last step."""
        if self.contacts is not NONE_RESTING and self._stamp != self._stamp_now():
            self.forget_contacts()
        return self.contacts

    def take_contacts(self) -> RestingContacts:
        """The resting contacts of the last step, for the narrowphase, if nothing has changed since bodies moved."""
        is_told, self._is_told = self._is_told, False
        if not is_told and self.contacts is not NONE_RESTING:
            self.forget_contacts()
        return self.known_contacts()

    def _seeks_bodies(self) -> bool:
        return not self._passes_over and self._state.body_table.any_sleeps

    def _seeks_contacts(self) -> bool:
        has_sleepers = len(self._state.sleeping.kept.slots) >= _AT_LEAST
        return has_sleepers and self.contacts is NONE_RESTING and not self.contacts_change

    @property
    def steps_ahead(self) -> float:
        """How many steps come before the one that searches for more to pass over."""
        return _CALM_STEPS - 1 - self._calm if self._seeks_bodies() or self._seeks_contacts() else inf

    def note_steps(self, steps: int) -> None:
        """Bodies have moved in some steps, in which nothing else has changed."""
        self._is_told = True
        self._calm += steps

    def note_step(self, found: StepHits, places: NDArray[int32]) -> None:
        """Bodies have moved; the contacts of the last step have ``places`` (m,), as of ``ContactPlaces``.

        If a search is due, it looks for more that may be passed over.
        """
        self._is_told = True
        if not (self._seeks_bodies() or self._seeks_contacts()):
            # As soon as there is something to find, the stamp changes.
            return
        if self._are_bodies_others():
            self.take_all()
        elif self._stamp != (stamp := self._stamp_now()):
            self.forget_contacts()
            self._calm, self._wait, self._stamp = 0, _FIRST_WAIT, stamp
        self._is_told = True
        self._calm += 1
        if self._calm < _CALM_STEPS:
            return
        if self._seeks_bodies():
            self._find_bodies()
        if self._seeks_contacts():
            self._find_contacts(found, places)
        if self._seeks_bodies() or self._seeks_contacts():
            self._calm = -self._wait
            self._wait = min(2 * self._wait, _MOST_WAIT)

    def _find_bodies(self) -> None:
        """Pass over the bodies that rest, if they are enough."""
        placing, tables, table = self._state.placing, self._state.tables, self._state.body_table
        listed = table.listed
        asleep = table.states.island != body.AWAKE
        rests = asleep | (listed.kind == body.STATIC)
        # Kinematic bodies that nothing moves but the game itself, by their Transform.
        is_still = (listed.kind == body.KINEMATIC) & (table.own.rigid_rows >= 0) & (listed.rows[VELOCITY] < 0)
        still = np.flatnonzero(is_still).astype(int32)
        owners = listed.owner[still]
        is_on_path = (tables.entities.rows_in(TRAJECTORY_LINES, owners) >= 0).any(axis=0)
        rests[still] = ~is_on_path & (tables.entities.rows_of(PARENT)[owners] < 0)
        are_few = int(np.count_nonzero(asleep)) < _AT_LEAST and not rests.all()
        if are_few or not placing.has_placed(self._moved_to):
            return
        self.rows = np.flatnonzero(np.diff(~rests, prepend=False, append=False)).astype(int32).reshape(-1, 2)
        self._passes_over = True
        # A child of a body may be moved in its frame, whether that sleeps or not.
        placing.driven.pass_over(tables.colliders_of(listed.owner[asleep]))

    def _find_contacts(self, found: StepHits, places: NDArray[int32]) -> None:
        """Find the contacts whose bodies do not move, and that are equal in the buffer of the step before."""
        table, older, bodies = found.buffer.table, found.last.table, self._state.body_table
        count = min(len(places), found.last.capacity) if found.last.has_points else 0
        rows = slice(count)
        body_of = bodies.body_of[found.buffer.pairs[rows]]
        rests = (places[rows] == UNMOVED_PLACE) & (bodies.listed.kind[body_of] != body.KINEMATIC).all(axis=1)
        rests &= (table.hits.rest[rows] != 0) & (table.hits.rest[rows] == older.hits.rest[rows])
        if np.count_nonzero(rests) < _AT_LEAST:
            return
        rests &= (table.hits.is_new[rows] == 0) & (older.hits.is_new[rows] == 0)
        rests &= table.hits.approach_speed[rows] == older.hits.approach_speed[rows]
        ours: tuple[NDArray[Any], ...] = table.points
        theirs: tuple[NDArray[Any], ...] = older.points
        for one, other in zip(ours, theirs, strict=True):
            rests &= (one[rows] == other[rows]).reshape(count, -1).all(axis=1)
        resting = int(np.count_nonzero(rests))
        if resting < _AT_LEAST:
            return
        marks = np.zeros(max(found.buffer.capacity, found.last.capacity), uint8)
        marks[rows] = rests
        pressed = body_of[rests & (table.points.totals[rows, 0] > 0.0)]
        pressed = pressed[pressed[:, 0] != pressed[:, 1]]
        pressing = np.bincount(pressed.ravel(), minlength=len(bodies)).astype(int32)
        changes = np.flatnonzero(np.diff(rests, prepend=False, append=False)).reshape(-1, 2)
        near_before = np.concatenate((np.zeros(1, int64), np.cumsum(table.hits.is_near[rows], dtype=int64)))
        runs = np.column_stack((changes, near_before[changes[:, 1]] - near_before[changes[:, 0]])).astype(int32)
        self.contacts = RestingContacts(marks, runs, pressing, resting)


def _with(runs: NDArray[int32], rows: Slots) -> NDArray[int32]:
    """The runs (k, 2) that have some rows as well."""
    parts = np.concatenate((runs, np.stack((rows, rows + 1), axis=1)))
    parts = parts[np.argsort(parts[:, 0], kind="stable")]
    ends = np.maximum.accumulate(parts[:, 1])
    begins = np.flatnonzero(np.concatenate((np.ones(1, np.bool_), parts[1:, 0] > ends[:-1])))
    merged: NDArray[int32] = np.stack((parts[begins, 0], np.append(ends[begins[1:] - 1], ends[-1:])), axis=1)
    return np.ascontiguousarray(merged)
