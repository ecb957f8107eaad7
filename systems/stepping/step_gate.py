"""The gate of a step: machine code makes a step as long as nothing but its own motion has changed since the last.

A loop calls the stages of a step one after the other. Where the gate is open, the call of the first stage makes the
whole step, and the other calls find it done: no Python runs. Its owner has told the gate where to look:
attributes of objects, words in memory, bytes that flag writes. Anything else that matters must change one of these.
``ecsphys/engine/compiler/step_gate.h`` does it.

A step is *calm* where nothing moves, and nothing was changed since the last step: it has the result of the last, and
costs the same whatever the size of the world. :class:`CalmSteps` decides that at the end of a step, where everything is
known.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import esper
import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys.components.collision.collision_filter import HitListener
from ecsphys.components.store.change_log import ENTRIES, PUSHED, PUSHES, WRITTEN, collect_pushes
from ecsphys.components.store.column_store import GRANTS
from ecsphys.components.store.standing_blocks import REPLACEMENTS
from ecsphys.engine.kernels import address_of
from ecsphys.engine.kernels.compilation import library
from ecsphys.engine.run import plan as word
from ecsphys.engine.run.plan import StepPlan, as_word
from ecsphys.engine.tables.entity_rows import PARENT

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState
    from ecsphys.systems.stage import Stage


# The words of a gate, and its states; in step_gate.h as well.
MODE, _SECONDS, _OF_GAMES, _NEXT, UNTOLD, _LEFT, HAS_TOLD, RAN, IS_CUT, _RUN_LENGTH, FOLLOWED, _BY_ALL = range(12)
_STAGES_LEFT, _CALLED_WITH, _CLOCK, _STAGE_COUNT, _PLANS = range(12, 17)
_AFTER_PLANS: Final = _PLANS + 4
_STAGES: Final = _AFTER_PLANS + 8
MOST_STAGES: Final = 32
"""The most stages that may follow the first of a step."""
SHUT, CALM, AHEAD = range(3)

_MOST_STEPS: Final = 1 << 62

# How often plans of all worlds have followed writes: one world must see what another has followed.
_FOLLOWED_BY_ALL: Final[NDArray[int64]] = np.zeros(1, int64)

Watched = tuple[Any, ...]
"""Attributes that are watched: three by three an object, a name, and the value that must stay."""

Flags = tuple[bytearray, ...]
"""Bytes of which one is 1 after any write."""

Stages = tuple[Any, tuple[Any, ...]]
"""The first stage of a step, and those that follow, last first."""


def watch(*attributes: tuple[object, str]) -> Watched:
    """What watches some attributes, given by objects and names, as they are now.

    A list or a set must keep its members.
    """
    watched: list[Any] = []
    for one, name in attributes:
        value = getattr(one, name)
        if isinstance(value, (list, set)):
            value = value.copy() if isinstance(value, list) else frozenset(value)
        watched += one, name, value
    return tuple(watched)


class Loop(NamedTuple):
    """What calls the stages: the code of a function, and the attribute of an object that has the stages it calls."""

    code: object
    owner: object
    name: str


class Surroundings(NamedTuple):
    """The world around a gate.

    Attributes
    ----------
    entries
        An object with the counts ``made`` and ``stepped``; their difference must stay.
    answers
        An object, the name of a dict that is its attribute, and a key in that: the value must stay.
    events
        An object, the name of a dict that is its attribute, and keys: events that would be sent.
    world
        An object and the name of an attribute, which must stay until the end of a step.
    run
        The list of the stages that have run in the present step.
    """

    entries: object
    answers: tuple[object, str, object]
    events: tuple[object, str, tuple[str, ...]]
    world: tuple[object, str]
    run: list[Any]


class PassingSteps(NamedTuple):
    """Steps that a gate may let pass.

    Attributes
    ----------
    loop, stages, seconds
        How they are called: with the same seconds.
    watched, flags
        The attributes that must stay, and the bytes that must not be 1.
    """

    loop: Loop
    stages: Stages
    seconds: float
    watched: Watched
    flags: Flags


class StepGate:
    """The gate of the steps of one physics.

    Attributes
    ----------
    parts
        What ``stage_call`` and ``events_call`` take.
    words
        Its numbers, by the names of this module.
    array
        The same as an array.
    clock
        The seconds of all steps, as an array of one.
    """

    __slots__ = ("_around", "array", "clock", "parts", "words")

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self.array: NDArray[int64] = np.zeros(_STAGES + MOST_STAGES, int64)
        self.array[_AFTER_PLANS:_STAGES] = (
            address_of(_FOLLOWED_BY_ALL),
            word.CONTACTS,
            word.STATUS,
            word.KNOWN,
            word.STATUS,
            word.NEWS,
            word.FOLLOWS,
            word.FLAGS_OF_CLASSES,
        )
        self.words = self.array.data
        self.clock: NDArray[float64] = self.array[_CLOCK : _CLOCK + 1].view(float64)
        self.parts: list[Any] = []

    def open_calm(self, steps: PassingSteps, has_events: bool, rests: Callable[[], bool] | None) -> None:
        """Let steps pass in which nothing is done but to count the seconds.

        ``has_events``: handlers would be called, if there were any. ``rests`` tells before each step whether it may
        pass.
        """
        if self._fill(steps, has_events, rests, None):
            self.words[MODE] = CALM

    def open_ahead(
        self,
        steps: PassingSteps,
        plans: tuple[StepPlan, StepPlan],
        most: float,
        has_told: bool,
        go_on: Callable[[float], None],
    ) -> None:
        """Let steps be made by two plans in turn, at ``most`` so many.

        ``has_told``: no one listens to the events of the last step. ``go_on`` is called with the seconds where a plan
        was not done, or brings news.
        """
        if not self._fill(steps, True, None, go_on):
            return
        words = self.words
        for number, plan in enumerate(plans):
            words[_PLANS + 2 * number], words[_PLANS + 2 * number + 1] = plan.row_address, int(plan.row[0, 0])
        words[_NEXT], words[HAS_TOLD] = 0, has_told
        words[_LEFT] = int(min(most, _MOST_STEPS))
        words[MODE] = AHEAD

    def has_passed(self) -> bool:
        """Whether a calm step has passed whose events were not asked for; it says so once."""
        words = self.words
        ran = words[RAN]
        words[RAN] = SHUT
        return ran == CALM

    def shut(self) -> None:
        """Let no more steps pass."""
        words = self.words
        words[MODE] = words[RAN] = words[UNTOLD] = words[IS_CUT] = words[FOLLOWED] = SHUT

    def _fill(
        self,
        steps: PassingSteps,
        has_events: bool,
        rests: Callable[[], bool] | None,
        go_on: Callable[[float], None] | None,
    ) -> bool:
        """Note all that is looked at; returns False where a step has more than MOST_STAGES: the gate stays shut."""
        around, words, loop = self._around, self.words, steps.loop
        self.shut()
        _, others = steps.stages
        if len(others) > MOST_STAGES:
            return False
        registry_owner, registry, events = around.events
        owner, name, key = around.answers
        entries: Any = around.entries
        words[_SECONDS], words[_OF_GAMES] = as_word(steps.seconds), entries.made - entries.stepped
        words[_RUN_LENGTH] = len(around.run)
        # A step that is under way knows the stages that it has to come to by these.
        words[_STAGE_COUNT] = len(others)
        for number, stage in enumerate(others):
            words[_STAGES + number] = id(stage)
        words[_BY_ALL] = _FOLLOWED_BY_ALL.item(0)
        self.parts[:] = (
            self.array,
            *steps.stages,
            *loop,
            tuple(getattr(loop.owner, loop.name)),
            steps.watched,
            steps.flags,
            entries,
            (owner, name, key, getattr(owner, name).get(key)),
            around.run,
            rests,
            (registry_owner, registry, events if has_events else (), watch(around.world)),
            go_on,
        )
        return True


stage_call: Callable[..., Any] = library.stage_call
"""``stage_call(stage, done, method, parts, array)``: what a loop calls in place of the method."""
events_call: Callable[..., Any] = library.events_call
"""``events_call(method, parts, array)``: the same for the stage that sends the events of a step."""
unchanged: Callable[[Watched], bool] = library.unchanged
"""Whether attributes are as they were."""


# Contacts and impulses of what fell asleep settle within so many steps.
_SETTLING: Final = 4

ONGOING: Final = frozenset(("hit_ongoing", "pair_ongoing"))
"""The events of hits that go on."""

GOING_ON: Final = ("calling", "unfinished", "is_in_stage")
"""Attributes of ``PhysicsState``: calls and stages under way. There are none while the parts of the world are away."""

_BLOCKS: Final[tuple[tuple[object, str], ...]] = ((GRANTS, "made"), (REPLACEMENTS, "made"))
"""What changes where a game gets an array of a column, and where a column gets a larger block."""


class CalmSteps:
    """Finds the calm steps of one physics.

    The next step is calm if in this one no entity had a stepped motion, a trajectory or a ``Parent``, nothing was near
    the way of a bullet, all dynamic bodies slept, all colliders slept or were still, and no hit began or ended; and if
    what :meth:`_watched_now` lists is then as it is now, and each stage that may rest does.
    """

    __slots__ = ("_seconds", "_settled", "_state", "_watched")

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        # Steps at rest since the last change.
        self._settled = 0
        self._seconds = -1.0
        self._watched: Watched = ()

    def note_step(self, first: Stage, others: tuple[Stage, ...], dt: float) -> None:
        """Decide whether the step after this one is calm, if it runs the same stages: the first and the others, last
        first."""
        state = self._state
        if state.moving.has_movers or type(dt) is not float or not self._is_at_rest():
            self._settled = 0
            return
        collect_pushes()
        is_as_before = dt == self._seconds and bool(self._watched) and unchanged(self._watched)
        self._settled = self._settled + 1 if is_as_before else 0
        self._seconds = dt
        if not is_as_before:
            self._watched = self._watched_now()
        if self._settled >= _SETTLING:
            resting = tuple(one for one in others if one._may_rest)
            watched = (*self._watched, *watch((state.hits, "found")))
            state.stepping.gate.open_calm(
                PassingSteps(state.stepping.runs.loop, (first, others), dt, watched, (WRITTEN, PUSHED)),
                state.hits.found.counts.contacts > state.hits.found.counts.near,
                partial(all_rest, resting, False) if resting else None,
            )

    def _is_at_rest(self) -> bool:
        state = self._state
        entities, found, moving = state.tables.entities, state.hits.found, state.moving
        counts = found.counts
        sleeping = state.sleeping
        if counts.new or counts.ended or (sleeping.listed_count and sleeping.listed_count != sleeping.still_count):
            return False
        if entities.instances[PARENT].count or state.progress.has_swept or len(moving.trajectories):
            return False
        is_told = counts.contacts > counts.near and (
            found.listeners.are_told("ongoing") or not ONGOING.isdisjoint(esper.event_registry)
        )
        return not (
            is_told
            or found.strikes.complete
            or found.strikes.is_any_left
            or len(state.touches)
            or state.are_touched
            or state.checks.is_needed
            or state.pairs.are_pending
            or not (state.solver is None or state.body_table.all_sleep)
            or state.placing.has_listed
        )

    def _watched_now(self) -> Watched:
        """What changes with anything that may part this step from the next, but for writes."""
        state = self._state
        # Whatever changes the tables, or bodies and joints but for their sleep, makes an entry, or esper has another
        # answer.
        return (
            *watched_around(state),
            *watch(
                *((state.progress, name) for name in GOING_ON),
                (state.settings, "_changes"),
                (ENTRIES, "made"),
                (PUSHES, "made"),
                (state.pairs, "are_pending"),
                (state.body_table, "sleep_changes"),
                (state.sleeping, "generation"),
                (state.sleeping, "departures"),
                (state.joints.breaks, "pending"),
            ),
        )


def watched_around(state: PhysicsState) -> Watched:
    """What changes with anything around the world after which neither a calm nor a planned step may follow, but for
    writes."""
    return watch(
        (esper, "current_world"),
        (esper, "_cache_dirty"),
        (esper, "_dead_entities"),
        (HitListener, "_changes"),
        (state.stepping, "pre_solve"),
        (state.progress, "stopwatch"),
        *_BLOCKS,
    )


def all_rest(stages: tuple[Stage, ...], others_move: bool) -> bool:
    """Whether all of some stages rest, as of ``Stage._rests``."""
    return all(one._rests(others_move) for one in stages)
