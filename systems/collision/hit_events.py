"""Delivery of hit events to the handlers set in esper, and to listeners."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from itertools import starmap
from typing import TYPE_CHECKING

import esper
import numpy as np

from ecsphys.systems.collision.hit_listeners import HitListeners
from ecsphys.systems.collision.hits import Hit, HitArrays, Phase
from ecsphys.systems.world.esper_world import database_token, handlers_of

if TYPE_CHECKING:
    from ecsphys.systems.collision.step_hits import StepHits

HIT_STARTED = "hit_started"
HIT_ONGOING = "hit_ongoing"
HIT_ENDED = "hit_ended"

_EVENTS: tuple[tuple[str, Phase], ...] = ((HIT_ENDED, "ended"), (HIT_STARTED, "started"), (HIT_ONGOING, "ongoing"))

# A row of the hits, and the hit where it is to be sent.
_Rows = list[tuple[int, Hit | None]]


class Delivery:
    """One step's events: ended, then started, then ongoing hits, each to handlers, then listeners.

    A start whose pair a handler has killed an entity of by then is not sent, nor is its end later. What a handler
    raises keeps no other from being called. An interrupt between two calls ends :meth:`send`; the next call goes on
    where it was, so that every start that was sent has its end.
    """

    def __init__(self, listeners: HitListeners) -> None:
        self.is_running = False
        self.errors: list[BaseException] = []
        """What was raised so far."""
        self._listeners = listeners
        self._world = esper.current_world
        self._token = database_token()
        self._has_called = False
        # How far it is: the event, its rows, the row among these, whose turn it is, and the calls left of that.
        self._event = 0
        self._rows: _Rows | None = None
        self._next = 0
        self._turn = 0
        self._calls: Iterator[object] | None = None
        self._turns = 1 if listeners.are_none else 3

    @property
    def is_done(self) -> bool:
        """Whether everything was sent."""
        return self._event == len(_EVENTS)

    def send(self, hits: StepHits) -> None:
        """Send what has not been sent yet of the step's hits."""
        if self.is_done:
            return
        try:
            self.is_running = True
            while self._event < len(_EVENTS):
                event, phase = _EVENTS[self._event]
                if self._rows is not None or self._is_heard(event, phase):
                    self._send_event(hits, event, phase)
                # Python looks for interrupts at calls and jumps only: these assignments are all made, or none.
                self._event, self._rows, self._next = self._event + 1, None, 0
        finally:
            self.is_running = False

    def raise_errors(self) -> None:
        """Raise what handlers raised; an interrupt or exit as it is, whatever else there was."""
        if not self.errors:
            return
        errors, self.errors = self.errors, []
        interrupts = [error for error in errors if not isinstance(error, Exception)]
        exceptions = [error for error in errors if isinstance(error, Exception)]
        if interrupts:
            raise interrupts[0]
        if len(exceptions) == 1:
            raise exceptions[0]
        if exceptions:
            raise ExceptionGroup("hit handlers raised", exceptions)

    def _send_event(self, hits: StepHits, event: str, phase: Phase) -> None:
        if self._rows is None:
            self._rows = self._rows_of(hits, event, phase)
        while self._next < len(self._rows):
            row, hit = self._rows[self._next]
            if phase == "started" and self._turn == 0 and self._calls is None and self._was_killed(hits.arrays, row):
                hits.suppress(row)
                hit = None
            while hit is not None and self._turn < self._turns:
                if self._calls is None:
                    self._calls = starmap(operator.call, self._calls_for(event, hit))
                self._make(event, self._calls)
                self._turn, self._calls = self._turn + 1, None
            self._next, self._turn = self._next + 1, 0

    def _is_heard(self, event: str, phase: Phase) -> bool:
        # Also without a handler for starts, if one for ends may have killed: the end of such a pair is not sent either.
        return bool(handlers_of(event)) or self._listeners.are_told(phase) or (phase == "started" and self._has_called)

    def _rows_of(self, hits: StepHits, event: str, phase: Phase) -> _Rows:
        """The hits of a phase, each with its row; those that nothing listens to are not made."""
        has_handlers = bool(handlers_of(event))
        if phase == "ended":
            ended = zip(hits.ended, hits.ended_suppressed.tolist(), strict=True)
            return [(row, hit) for row, (hit, is_suppressed) in enumerate(ended) if not is_suppressed]
        is_new = hits.arrays.is_new
        rows = np.flatnonzero(is_new if phase == "started" else ~is_new)
        found = hits.arrays.select(rows)
        is_told = np.ones(len(rows), np.bool_) if has_handlers else self._listeners.rows_told(phase, found)
        made = iter(found.select(is_told))
        told = [(row, next(made) if one else None) for row, one in zip(rows.tolist(), is_told.tolist(), strict=True)]
        # A start that is not sent may still have to be suppressed.
        return told if phase == "started" else [one for one in told if one[1] is not None]

    def _calls_for(self, event: str, hit: Hit) -> list[tuple[object, Hit]]:
        """The calls of this turn: of handlers, of the listener of the first entity, of that of the second.

        Those of the turns before may have changed what listens.
        """
        if self._turn == 0:
            return [(handler, hit) for handler in handlers_of(event)]
        call = self._listeners.call_for(hit, hit.entity_a if self._turn == 1 else hit.entity_b)
        return [] if call is None else [call]

    def _make(self, event: str, calls: Iterator[object]) -> None:
        """Make calls, each at most once: the iterator takes one and makes it in a single operation."""
        while True:
            try:
                for _ in calls:
                    self._note_call(event)
                return
            except BaseException as error:
                # Raised when all handlers were called; even an interrupt must not part a start from its end.
                self.errors.append(error)
            self._note_call(event)

    def _note_call(self, event: str) -> None:
        self._has_called = True
        other = esper.current_world
        if other != self._world:
            esper.switch_world(self._world)
            self.errors.append(
                RuntimeError(f"a {event} handler switched to the world {other!r}: switch between steps instead")
            )

    def _was_killed(self, hits: HitArrays, row: int) -> bool:
        """Whether a handler of this step has killed an entity of a started hit: none was dead before."""
        if database_token() is not self._token:
            return True
        return not (esper.entity_exists(int(hits.entity_a[row])) and esper.entity_exists(int(hits.entity_b[row])))
