"""``step_worlds``: one step of many worlds, such as the rooms of a server."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

import esper
import numpy as np

from ecsphys.components.other_names import checks_arguments
from ecsphys.components.store.column import show
from ecsphys.components.store.many import dead_entities
from ecsphys.components.store.standing_blocks import blocks_stay, is_within_stage
from ecsphys.engine.kernels import address_of
from ecsphys.engine.run.plan import StepPlan
from ecsphys.engine.run.run_plan import run_plans
from ecsphys.engine.threads.shared_work import core_count, part_count, share, slices
from ecsphys.systems.arguments import checked_dt, whole_number
from ecsphys.systems.dynamics.contact_changes import WHAT_IN_C
from ecsphys.systems.physics import Physics, stages_of
from ecsphys.systems.stage import LOOPS, Stage
from ecsphys.systems.stepping.fixed_step import running_systems
from ecsphys.systems.world.esper_world import has_world

# With fewer worlds, a part is not worth handing to another thread.
_WORLDS_AT_LEAST: Final = 8


@checks_arguments
def step_worlds(physics: Iterable[Physics], dt: float, threads: int | None = None) -> None:
    """Step several worlds by ``dt`` seconds, as ``esper.process(dt)`` in each of them would.

    First the hits of all worlds are found; then the events of each world are sent, in the order of the list. A world in
    which anything but the stages of ``install()`` runs, such as a processor of your own or a ``pre_solve`` of Python,
    is stepped when it is its turn to send events. A ``pre_solve`` of C may run on any of the threads. The results are
    the same bits as if each world were stepped alone. The current world of esper is the same afterwards. In a handler
    it is the world of the event.

    Parameters
    ----------
    physics
        The physics of each world, each of them once.
    dt
        Seconds, as for ``esper.process``.
    threads
        On how many threads the worlds may be stepped; None for as many as there are cores.

    Raises
    ------
    ValueError, TypeError
        For a bad argument. Nothing has changed then.
    RuntimeError
        If a handler of hits calls it, or a world does not exist any more. Nothing has changed then.
    Exception
        The errors of steps, with a note that names the world. All other worlds have made their step. Several errors are
        raised together as an ``ExceptionGroup``.

    Examples
    --------
    >>> rooms = []
    >>> for name in ("hall", "cellar"):
    ...     esper.switch_world(name)
    ...     rooms.append(ecsphys.install(gravity=(0.0, -9.8)))
    >>> ecsphys.step_worlds(rooms, 1 / 60)
    """
    turns = _turns_of(physics)
    seconds = checked_dt(dt)
    if threads is not None and whole_number("threads", threads) < 1:
        raise ValueError(f"threads must be at least 1, got {threads}")
    home = esper.current_world
    try:
        with blocks_stay():
            for turn in turns:
                turn.call(turn.find_hits, seconds)
            waiting = [turn for turn in turns if turn.waits]
            for turn in waiting:
                turn.call(turn.begin_planned, seconds)
            _run_plans([turn for turn in waiting if turn.plan is not None], threads or core_count())
            for turn in waiting:
                turn.call(turn.end_planned, seconds)
        for turn in turns:
            turn.call(turn.send_events, seconds)
    finally:
        esper.switch_world(home)
    _raise_errors([turn.error for turn in turns if turn.error is not None])


class _Order(NamedTuple):
    """How the processors of a world make a step: what finds its hits, and what sends its events.

    ``is_of_esper``: ``esper.process`` makes the step; if not, ``physics.step`` does. ``is_divided``: the two may be
    called apart, as nothing of the game runs in between. If not, all belong to the events.
    """

    processors: list[esper.Processor]
    stages: list[esper.Processor]
    events: list[esper.Processor]
    is_of_esper: bool
    is_divided: bool


class _Turn:
    """One world's part in a call.

    A step that a plan makes begins when all other worlds have found their hits: a whole step may replace the blocks
    that plans name.
    """

    def __init__(self, physics: Physics) -> None:
        self._physics = physics
        self.state = physics._state
        self.world = self.state.world or esper.current_world
        self.error: Exception | None = None
        self._order = _NO_ORDER
        self.waits = False
        """Whether the step may be a planned one, and has not begun."""
        self.plan: StepPlan | None = None
        """The plan of a step that has begun."""

    def call(self, part: Callable[[float], None], dt: float) -> None:
        """Make a part of the step in the world of the turn, unless an earlier part has failed."""
        if self.error is not None or not has_world(self.world):
            return
        esper.switch_world(self.world)
        try:
            part(dt)
        except Exception as error:
            error.add_note(f"in the world {self.world!r}")
            self.error = error

    def find_hits(self, dt: float) -> None:
        """Make the step up to its events, if it can be divided; unless it may be a planned one."""
        state, order = self.state, self.state.stepping.turn_order
        if not isinstance(order, _Order) or order.processors != esper._processors:
            order = state.stepping.turn_order = _order_of(self._physics)
        self._order = order._replace(is_divided=False) if callable(state.stepping.pre_solve) else order
        if self._order.is_divided:
            if dead_entities():
                esper.clear_dead_entities()
            state.stepping.own_loop = order.stages
            self.waits = state.stepping.planned.is_ready and state.progress.stopwatch is None
            if not self.waits:
                _run(order.stages, dt)

    def begin_planned(self, dt: float) -> None:
        """Begin the step that a plan makes, if there is one still."""
        state = self.state
        first: Any = self._order.stages[0]
        others = state.stepping.runs.after(first, _run.__code__)
        if len(others) == len(self._order.stages) - 1 and state.stepping.planned.fits(others, dt):
            self.plan = state.stepping.planned.begin(dt)

    def end_planned(self, dt: float) -> None:
        """Complete a step that a plan has made; or make it up to its events, where no plan has made it after all."""
        if self.plan is not None:
            self.state.stepping.planned.end(dt)
        else:
            _run(self._order.stages, dt)

    def send_events(self, dt: float) -> None:
        """Send the events; or make the whole step, where it could not be divided."""
        if self._order.is_divided:
            _run(self._order.events, dt)
        elif self._order.is_of_esper:
            esper.process(dt)
        else:
            self._physics.step(dt)


_NO_ORDER: Final = _Order([], [], [], False, False)


def _order_of(physics: Physics) -> _Order:
    """How the current world makes a step."""
    systems = list(running_systems())
    is_of_esper = any(isinstance(one, Stage) and one.physics is physics for one in systems)
    stages = list(esper._processors)
    if not is_of_esper:
        stages = [] if systems else list(stages_of(physics))
    event_stage = physics._state.stepping.event_stage
    events: list[esper.Processor] = [one for one in stages if one is event_stage]
    finders: list[esper.Processor] = [one for one in stages if one is not event_stage]
    are_ours = all(isinstance(one, Stage) and one._runs_together for one in finders)
    is_divided = bool(finders) and are_ours and stages[-1:] == events
    return _Order(list(esper._processors), finders, events, is_of_esper, is_divided)


def _run_plans(turns: list[_Turn], threads: int) -> None:
    """Run the plans of many steps on some threads."""
    if not turns:
        return
    rows = np.concatenate([turn.plan.row for turn in turns if turn.plan is not None])
    address, count = address_of(rows), len(turns)
    callers = [turn.state for turn in turns if turn.state.stepping.planned.calls_game]
    try:
        for state in callers:
            state.progress.calling = WHAT_IN_C
        # The caller keeps the rows until all are done.
        share(
            lambda part: run_plans(rows, address, part.start, part.stop),
            slices(count, part_count(count, _WORLDS_AT_LEAST, threads)),
            threads,
        )
    finally:
        for state in callers:
            state.progress.calling = ""


def _run(stages: list[esper.Processor], dt: float) -> None:
    for stage in stages:
        stage.process(dt)


LOOPS[_run.__code__] = lambda state: (state.stepping, "own_loop")


def _turns_of(physics: Iterable[Physics]) -> list[_Turn]:
    """A turn for each physics, after all checks."""
    if isinstance(physics, Physics) or not isinstance(physics, Iterable):
        raise TypeError(f"physics must be a list of Physics, got {show(physics)}")
    given = list(physics)
    known: set[int] = set()
    for place, one in enumerate(given):
        if not isinstance(one, Physics):
            raise TypeError(f"physics must be a list of Physics, got {show(one)} at index {place}")
        if id(one) in known:
            raise ValueError(f"physics has the same Physics twice, again at index {place}")
        known.add(id(one))
    turns = [_Turn(one) for one in given]
    for one, turn in zip(given, turns, strict=True):
        if one._state.progress.calling:
            raise RuntimeError(f"{one._state.progress.calling} must not call step_worlds: its own step has not ended")
        if not has_world(turn.world):
            raise RuntimeError(f"the world {turn.world!r} of a Physics does not exist any more")
    if is_within_stage():
        raise RuntimeError("a step must not call step_worlds: it has not ended")
    return turns


def _raise_errors(errors: list[Any]) -> None:
    if len(errors) == 1:
        raise errors[0]
    if errors:
        raise ExceptionGroup(f"{len(errors)} worlds could not make their step", errors)
