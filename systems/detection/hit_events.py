"""Delivery of hit events to the handlers set in esper."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import esper
import numpy as np

from ecsphys.systems.detection.hit_listeners import HitListeners
from ecsphys.systems.detection.hits import Hit
from ecsphys.systems.world.esper_world import database_token, handlers_of

if TYPE_CHECKING:
    from ecsphys.systems.detection.hit_tracker import HitTracker

HIT_STARTED = "hit_started"
HIT_ONGOING = "hit_ongoing"
HIT_ENDED = "hit_ended"


class _Delivery:
    """One step's events: calls every handler of every hit and keeps what they raised."""

    def __init__(self, listeners: HitListeners) -> None:
        self.errors: list[BaseException] = []
        self.called = False
        self._listeners = listeners
        self._world = esper.current_world
        self._token = database_token()

    def send(self, event: str, hit: Hit) -> None:
        for handler in handlers_of(event):
            self._call(event, handler, hit)
        for callback, seen in self._listeners.calls_for(hit):
            self._call(event, callback, seen)

    def _call(self, event: str, handler: Callable[[Hit], object], hit: Hit) -> None:
        self.called = True
        try:
            handler(hit)
        except BaseException as error:
            # Raised when all handlers were called; even an interrupt must not part a start from its end.
            self.errors.append(error)
        if esper.current_world != self._world:
            other = esper.current_world
            esper.switch_world(self._world)
            self.errors.append(
                RuntimeError(f"a {event} handler switched to the world {other!r}: switch between steps instead")
            )

    def was_killed(self, entity: int) -> bool:
        """Whether a handler of this step has killed the entity (all that were dead before are in no started hit)."""
        return database_token() is not self._token or not esper.entity_exists(entity)


def deliver(tracker: HitTracker) -> None:
    """Deliver the ended, then the started, then the ongoing hits of the last step, each to handlers, then listeners.

    A start whose pair a handler has killed an entity of by then is not delivered, nor is its end later. An exception
    in a handler keeps no other from being called; it is raised at the end (several: as an ``ExceptionGroup``).
    """
    listeners = tracker.listeners
    delivery = _Delivery(listeners)
    tracker.delivering = True
    try:
        if tracker.ended_count and (handlers_of(HIT_ENDED) or listeners.are_told("ended")):
            muted = tracker.ended_muted.tolist()
            for hit, is_muted in zip(tracker.ended.as_ended_hits(), muted, strict=True):
                if not is_muted:
                    delivery.send(HIT_ENDED, hit)
        # Also without a handler for starts, if one for ends may have killed: such a pair's end must stay unsaid too.
        if delivery.called or handlers_of(HIT_STARTED) or listeners.are_told("started"):
            rows, started = tracker.started_rows, tracker.started
            told = np.ones(len(rows), np.bool_)
            if not handlers_of(HIT_STARTED):
                told = listeners.rows_told("started", started)
            hits = started.select(told).as_hits(tracker.is_new[rows[told]])
            pairs = zip(rows.tolist(), started.entity_a.tolist(), started.entity_b.tolist(), told.tolist(), strict=True)
            for row, entity_a, entity_b, is_told in pairs:
                start = next(hits) if is_told else None
                if delivery.was_killed(entity_a) or delivery.was_killed(entity_b):
                    tracker.mute(row)
                elif start is not None:
                    delivery.send(HIT_STARTED, start)
        if handlers_of(HIT_ONGOING) or listeners.are_told("ongoing"):
            ongoing = ~tracker.is_new
            if not handlers_of(HIT_ONGOING):
                ongoing &= listeners.rows_told("ongoing", tracker.hits)
            rows = np.flatnonzero(ongoing)
            for hit in tracker.hits.select(rows).as_hits(tracker.is_new[rows]):
                delivery.send(HIT_ONGOING, hit)
    finally:
        tracker.delivering = False
    _raise(delivery.errors)


def _raise(errors: list[BaseException]) -> None:
    """Raise what handlers raised; an interrupt or exit as it is, whatever else there was."""
    exceptions = [error for error in errors if isinstance(error, Exception)]
    interrupts = [error for error in errors if not isinstance(error, Exception)]
    if interrupts:
        raise interrupts[0]
    if len(exceptions) == 1:
        raise exceptions[0]
    if exceptions:
        raise ExceptionGroup("hit handlers raised", exceptions)
