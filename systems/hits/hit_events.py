"""Delivery of hit events to the handlers set in esper, and to the ``HitListener`` components of a world."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from itertools import chain, repeat, starmap
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import esper
import numpy as np
from numpy import bool_, float64, int64
from numpy.typing import NDArray

from ecsphys.components.collision.collision_filter import HitCallback, HitListener
from ecsphys.components.store.component_table import ComponentRows
from ecsphys.systems.hits.hit import Hit, HitArguments, Phase
from ecsphys.systems.hits.hit_arrays import HitArrays
from ecsphys.systems.world import esper_world

if TYPE_CHECKING:
    from ecsphys.systems.hits.step_hits import StepHits


Occasion = Phase | Literal["struck"]
"""When a listener is called: in a phase of a hit, or for a strike that is strong enough."""

CALLBACK_NAMES: Final[dict[Occasion, str]] = {
    "started": "on_started",
    "ongoing": "on_ongoing",
    "ended": "on_ended",
    "struck": "on_impulse",
}
"""The field of a listener for each occasion."""

CALLBACKS: Final[dict[Occasion, Callable[[HitListener], HitCallback | None]]] = {
    occasion: operator.attrgetter(name) for occasion, name in CALLBACK_NAMES.items()
}
"""Asks a listener for its function for an occasion."""


class HitListeners:
    """The listeners of one world as of one step; the next step has another object, or the same if nothing changed."""

    __slots__ = ("_changes", "_entities", "_gone", "_least_impulses", "_listeners", "_source")

    def __init__(self, source: ComponentRows, listeners: dict[int, HitListener]) -> None:
        self._source = source
        self._listeners = listeners
        self._gone: dict[int, HitListener] = {}
        self._changes = HitListener._changes
        self._entities: dict[Occasion, NDArray[int64]] = {
            phase: np.fromiter((e for e, one in listeners.items() if callback_of(one) is not None), int64)
            for phase, callback_of in CALLBACKS.items()
        }
        struck = self._entities["struck"].tolist()
        self._least_impulses = np.array([listeners[entity].min_impulse for entity in struck])

    @classmethod
    def of(cls, source: ComponentRows, last: HitListeners) -> HitListeners:
        """The listeners of a step. Listeners of ``last`` whose entities have gone are still called with ends."""
        if source is last._source:
            if last._changes == HitListener._changes and not last._gone:
                return last
            return cls(source, last._listeners)
        listeners = cls(source, dict(zip(source.entity.tolist(), source.instances, strict=True)))
        lost = np.setdiff1d(last._source.entity, source.entity)
        listeners._gone = {
            entity: last._listeners[entity] for entity in lost.tolist() if not esper_world.has_entity(entity)
        }
        return listeners

    @property
    def are_none(self) -> bool:
        """Whether there is no listener at all."""
        return not self._listeners and not self._gone

    def are_told(self, phase: Occasion) -> bool:
        """Whether any listener has a function for hits in a phase."""
        return self._entities[phase].size > 0 or (phase == "ended" and len(self._gone) > 0)

    def are_entities_told(self, phase: Phase, entities: NDArray[int64]) -> NDArray[bool_]:
        """Which of some entities (n,) have a listener with a function for hits in a phase."""
        told = self._entities[phase]
        if phase == "ended" and self._gone:
            told = np.sort(np.append(told, list(self._gone)))
        return _are_among(entities, told)[0]

    def are_entities_struck(self, entities: NDArray[int64], impulses: NDArray[float64]) -> NDArray[bool_]:
        """Which of some entities (n,) have a listener that is called for strikes with these impulses (n,)."""
        found, places = _are_among(entities, self._entities["struck"])
        return found & (impulses >= self._least_impulses[places])

    def find(self, entity: int, phase: Occasion) -> HitListener | None:
        """The listener of an entity, if it is still attached; one whose entity is gone is called with ends."""
        if phase == "ended" and (gone := self._gone.get(entity)) is not None:
            return gone
        listener = self._listeners.get(entity)
        if listener is None:
            return None
        # This is asked for each hit, so not by esper's own function.
        components = esper._entities.get(entity)
        if components is not None and components.get(HitListener) is listener:
            return listener
        # A handler of this step has removed or replaced it, or deleted its entity.
        return listener if phase == "ended" and not esper_world.has_entity(entity) else None


def _are_among(numbers: NDArray[int64], others: NDArray[int64]) -> tuple[NDArray[bool_], NDArray[int64]]:
    """Which numbers are among ``others``, which are ascending; and the places of these."""
    if not others.size:
        return np.zeros(numbers.shape, bool_), np.zeros(numbers.shape, int64)
    places = np.minimum(others.searchsorted(numbers), others.size - 1)
    return others[places] == numbers, places


EVERYBODY: Final = -1
"""In place of an entity whose listener is told nothing: nor are handlers and other listeners."""

# Whose turn it is. A hit that nothing listens to has one turn, of none.
OF_NONE = -1
OF_HANDLERS = 0
OF_A = 1
OF_B = 2

Turn = tuple[int, int, int, int, int, int]
"""Whose it is, the number of the hit, its row in the arrays, its entities (first that whose listener it is), and the
number of the first turn of the next hit."""


class HitTurns:
    """The hits of an event in their order, each made when it is first asked for, and their turns.

    Parameters
    ----------
    arrays, rows
        The hits are these rows (n,) of the arrays.
    has_handlers
        Whether the event has handlers.
    is_a_told, is_b_told
        (n,) whether the entity has a listener with a function for the event.
    """

    __slots__ = ("_arguments", "_arrays", "_hit", "_number", "_rows", "turns")

    def __init__(
        self,
        arrays: HitArrays,
        rows: NDArray[int64],
        has_handlers: bool,
        is_a_told: NDArray[bool_],
        is_b_told: NDArray[bool_],
    ) -> None:
        self._arrays, self._rows = arrays, rows
        self._arguments: list[HitArguments] | None = None
        self._hit: Hit | None = None
        self._number = -1
        self.turns: list[Turn] = []
        columns = rows.tolist(), arrays.entity_a[rows].tolist(), arrays.entity_b[rows].tolist()
        if has_handlers and not is_a_told.any() and not is_b_told.any():
            count = rows.size
            self.turns = list(zip(repeat(OF_HANDLERS), range(count), *columns, range(1, count + 1), strict=False))
            return
        hits = zip(*columns, is_a_told.tolist(), is_b_told.tolist(), strict=True)
        turns, end = self.turns, 0
        for number, (row, a, b, a_told, b_told) in enumerate(hits):
            end += 1 + a_told + b_told
            # The first turn of a hit says whether it is kept from everybody, also where nothing listens.
            turns.append((OF_HANDLERS if has_handlers or a_told or b_told else OF_NONE, number, row, a, b, end))
            if a_told:
                turns.append((OF_A, number, row, a, b, end))
            if b_told:
                turns.append((OF_B, number, row, b, a, end))

    def hit(self, number: int) -> Hit:
        """One of the hits; the same object until another one is asked for."""
        hit = self._hit
        if hit is None or number != self._number:
            if self._arguments is None:
                self._arguments = list(self._arrays._hit_arguments(self._rows))
            hit = Hit(*self._arguments[number])
            self._hit, self._number = hit, number
        return hit


class _Event(NamedTuple):
    """The names of the events that are sent on an occasion: ``name`` with a hit, ``pair_name`` with two entities; both
    are empty if only listeners are called. ``is_of_ended``: for hits that ended."""

    phase: Occasion
    name: str
    pair_name: str
    is_of_ended: bool = False

    @property
    def has_handlers(self) -> bool:
        """Whether any handler is set, in the current world."""
        return self.name in esper.event_registry or self.pair_name in esper.event_registry


_PHASES: tuple[Phase, ...] = ("ended", "started", "ongoing")
_EVENTS = (
    # What ends was struck before.
    _Event("struck", "", "", True),
    *(_Event(phase, f"hit_{phase}", f"pair_{phase}", phase == "ended") for phase in _PHASES),
    _Event("struck", "", ""),
)
_NAMES = frozenset(f"{kind}_{phase}" for phase in _PHASES for kind in ("hit", "pair"))

_END = len(_EVENTS)
_ONGOING = [event.phase for event in _EVENTS].index("ongoing")

_Calls = Iterator[object]
_NO_CALLS: _Calls = iter(())


class Delivery:
    """One step's events: ended, then started, then ongoing hits, each to handlers, then listeners. Strikes go to
    listeners alone: strikes of ended hits come first, all others come last.

    A start is not sent if a handler has killed one of its entities by then; nor is its end sent later. A strike is not
    sent either if a handler has killed one of its entities by then. If a handler raises, all others are still called.

    An interrupt between two calls ends :meth:`send`; the next call goes on where it was, so that every start that was
    sent has its end. ``clear_database`` ends all: its entities have gone, and their numbers are used again.
    """

    _has_called = False
    # How far it is: the event, its turns, how many of them have begun, and the calls left of the last one.
    _event = 0
    _turns: HitTurns | None = None
    _begun = 0
    _calls = _NO_CALLS
    _refusals: esper_world.Refusals | None = None
    _gone_before: frozenset[int] = frozenset()
    """The entities of strikes of ended hits that were gone before any handler was called."""

    def __init__(self, listeners: HitListeners, token: object) -> None:
        self.errors: list[BaseException] = []
        """What was raised so far."""
        self._listeners = listeners
        self.world = esper.current_world
        """The name of the world of the hits."""
        self.token = token
        """The database that the hits are of."""

    @property
    def is_done(self) -> bool:
        """Whether everything was sent."""
        return self._event == _END

    def send(self, hits: StepHits) -> None:
        """Send all events of the step's hits that were not sent yet."""
        if esper_world.database_token() is not self.token:
            self.leave_out()
        while self._event < _END:
            event = _EVENTS[self._event]
            if self._turns is not None or self._is_heard(hits, event):
                self._send_event(hits, event)
                if esper_world.database_token() is not self.token:
                    self.leave_out()
                    return
            # Python looks for interrupts at calls and jumps only: these assignments are all made, or none.
            self._event, self._turns, self._begun, self._calls = self._event + 1, None, 0, _NO_CALLS

    def has_nothing_to_call(self, hits: StepHits) -> bool:
        """Whether nothing listens to any of a step's events, and nothing was raised: then all is sent by now."""
        if self._has_called or self._turns is not None or self.errors or esper.current_world != self.world:
            return False
        if self.is_any_heard(hits):
            return False
        self._event = _END
        return True

    def is_any_heard(self, hits: StepHits) -> bool:
        """Whether anything listens to any of a step's events."""
        counts = hits.counts
        if not (counts.ended or counts.contacts > counts.near):
            return False
        if self._listeners.are_none and _NAMES.isdisjoint(esper.event_registry):
            return False
        return any(self._is_heard(hits, event) for event in _EVENTS)

    def begin_ongoing(self) -> None:
        """Begin another step with the same hits, in which none begins or ends."""
        self._event, self._turns, self._begun, self._calls = _ONGOING, None, 0, _NO_CALLS

    def leave_out(self) -> None:
        """Take everything for sent."""
        self._event, self._turns, self._calls = _END, None, _NO_CALLS

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
            raise ExceptionGroup("several hit handlers raised errors", exceptions)

    def _send_event(self, hits: StepHits, event: _Event) -> None:
        """Send one event of all hits; returns early where a handler has cleared the database."""
        if self._turns is None:
            self._turns = self._turns_of(hits, event)
        made, turns, counter, world = self._turns, self._turns.turns, esper_world.entity_counter(), self.world
        phase, name, pair_name, is_of_ended = event
        callback_of, hit_of = CALLBACKS[phase], made.hit
        count, is_start = len(turns), phase == "started"
        while True:
            # Each call is made at most once: the iterator takes one and makes it in a single operation.
            try:
                for _ in self._calls:
                    self._has_called = True
                    if esper.current_world != world:
                        self._return_to_world(event)
                    if not esper_world.is_counter(counter):
                        return
            except BaseException as error:
                # Raised when all handlers were called; even an interrupt must not part a start from its end.
                if esper_world.is_refused(error):
                    self._keep_refusal(error, event, turns[self._begun - 1])
                else:
                    self.errors.append(error)
                self._has_called = True
                if esper.current_world != world:
                    self._return_to_world(event)
                if not esper_world.is_counter(counter):
                    return
                continue
            begun = self._begun
            if begun == count:
                return
            calls = _NO_CALLS
            # Turns without calls may be gone through again, after an interrupt.
            while calls is _NO_CALLS and begun < count:
                whose, number, row, entity, other, following = turns[begun]
                begun += 1
                if whose > OF_HANDLERS:
                    # Earlier calls may have changed the listeners.
                    listener = self._listeners.find(entity, phase)
                    callback = None if listener is None else callback_of(listener)
                    if is_start and listener is None and not esper_world.has_entity(entity):
                        hits.keep_from(entity, row)
                    if listener is not None and callback is not None:
                        if listener.entities_only:
                            calls = starmap(callback, ((entity, other),))
                        else:
                            hit = hit_of(number)
                            calls = starmap(callback, ((hit if whose == OF_A else hit.seen_from(entity),),))
                elif is_start and not esper_world.are_alive(entity, other):
                    # None was dead before: a handler of this step has killed it.
                    hits.keep_from(EVERYBODY, row)
                    begun = following
                elif phase == "struck" and self._has_been_killed(entity, other, is_of_ended):
                    begun = following
                elif whose == OF_HANDLERS:
                    registry = esper.event_registry
                    if name in registry:
                        calls = esper_world.handler_calls(name, (hit_of(number),))
                    if pair_name in registry:
                        pair_calls = esper_world.handler_calls(pair_name, (entity, other))
                        calls = pair_calls if calls is _NO_CALLS else chain(calls, pair_calls)
            # A turn has begun where its calls are kept: whatever is not made of them by then is made later.
            self._begun, self._calls = begun, calls

    def _has_been_killed(self, a: int, b: int, is_of_ended: bool) -> bool:
        """Whether a handler of this step has killed one of the entities of a strike."""
        if esper_world.are_alive(a, b):
            return False
        # The entities of a hit that ended may have been gone before the events of this step.
        return not is_of_ended or any(
            one not in self._gone_before and not esper_world.are_alive(one, one) for one in (a, b)
        )

    def _keep_refusal(self, error: BaseException, event: _Event, turn: Turn) -> None:
        """Keep an error of a turn in which Python refused a call."""
        whose, _, _, entity, _, _ = turn
        refusals = self._refusals = self._refusals or esper_world.Refusals()
        reported: BaseException | None = error
        if whose == OF_HANDLERS:
            reported = refusals.of_handlers(error, event.name, event.pair_name)
        elif listener := self._listeners.find(entity, event.phase):
            reported = refusals.of_callback(error, entity, listener, CALLBACK_NAMES[event.phase])
        if reported is not None:
            self.errors.append(reported)

    def _is_heard(self, hits: StepHits, event: _Event) -> bool:
        phase, counts = event.phase, hits.counts
        if phase == "ongoing":
            has_any = counts.contacts > counts.near + counts.new
        elif phase == "struck":
            has_any = hits.strikes.complete > 0
        else:
            has_any = (counts.new if phase == "started" else counts.ended) > 0
        if not has_any:
            return False
        if event.has_handlers or self._listeners.are_told(phase):
            return True
        # Also without a handler for starts, if one for ends may have killed: the end of such a pair is not sent either.
        return phase == "started" and self._has_called

    def _turns_of(self, hits: StepHits, event: _Event) -> HitTurns:
        """The turns of hits with handlers or listeners, and of all starts: one may have to be kept from everybody."""
        phase, has_handlers = event.phase, event.has_handlers
        if phase == "struck":
            arrays = hits.struck(hits.ended_rows.rows[hits.told] if event.is_of_ended else None)
            if event.is_of_ended:
                entities = {*arrays.entity_a.tolist(), *arrays.entity_b.tolist()}
                self._gone_before = frozenset(one for one in entities if not esper_world.are_alive(one, one))
            return self._turns_of_struck(arrays)
        arrays = hits.ended if phase == "ended" else hits.hits
        rows = hits.told if phase == "ended" else np.flatnonzero(arrays.is_new == (phase == "started"))
        is_a_told = self._listeners.are_entities_told(phase, arrays.entity_a[rows])
        is_b_told = self._listeners.are_entities_told(phase, arrays.entity_b[rows])
        if phase == "ended" and hits.last.untold:
            is_a_told &= ~hits.are_untold(rows, arrays.entity_a[rows])
            is_b_told &= ~hits.are_untold(rows, arrays.entity_b[rows])
        if not has_handlers and phase != "started":
            is_told = is_a_told | is_b_told
            rows, is_a_told, is_b_told = rows[is_told], is_a_told[is_told], is_b_told[is_told]
        return HitTurns(arrays, rows, has_handlers, is_a_told, is_b_told)

    def _turns_of_struck(self, arrays: HitArrays) -> HitTurns:
        """The turns of hits whose strike is strong enough for a listener."""
        entities, impulses = np.stack((arrays.entity_a, arrays.entity_b)), arrays.strike_impulse
        is_a_told, is_b_told = self._listeners.are_entities_struck(entities, impulses)
        rows = np.flatnonzero(is_a_told | is_b_told)
        return HitTurns(arrays, rows, False, is_a_told[rows], is_b_told[rows])

    def _return_to_world(self, event: _Event) -> None:
        other, name = esper.current_world, event.name or "HitListener.on_impulse"
        esper.switch_world(self.world)
        self.errors.append(
            RuntimeError(f"a {name} handler switched to the world {other!r}: switch between steps instead")
        )
