"""The stages of a step: their base, the priorities at which they run, and how they run together.

esper calls ``process`` of each stage. Stages that follow each other without anything of the game in between are a
*run*: the first of them does the work of all, and the others find it done. Stages that a game puts between two, or
derives from one, end a run there. So it sees the same as if each stage ran by itself. A stage that a game may add,
such as world bounds, ends a run too: it may call handlers. But where it *rests*, calm and planned steps pass over it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from threading import get_ident
from types import CodeType
from typing import TYPE_CHECKING, Any, ClassVar, Final

import esper

from ecsphys.components.store.standing_blocks import WAITING, hold_blocks, let_blocks_move, release_blocks
from ecsphys.systems.arguments import NO_SECONDS, refuse_arguments
from ecsphys.systems.stepping.step_gate import Loop, stage_call

if TYPE_CHECKING:
    from ecsphys.engine.run.plan import StepPlan
    from ecsphys.systems.hits.step_hits import ContactBuffer
    from ecsphys.systems.physics import Physics
    from ecsphys.systems.physics_state import PhysicsState


class Priority(IntEnum):
    """The esper priority of each stage; esper runs higher priorities first.

    Add a system of your own between two stages with a number between theirs. With esper's default, 0, it runs after
    the hits are known and the events were sent.

    Examples
    --------
    >>> esper.add_processor(ecsphys.systems.LifetimeSystem(physics), Priority.LIFETIME)
    """

    INPUT = 500
    """Player input is read."""

    # In the frame, after input is read, and before everything that draws the results of the steps.
    FIXED_STEP = 450
    """All steps of a frame run here, with ``install(fixed_step=…)``."""

    ANALYTIC_MOTION = 400
    """Trajectories move their entities."""

    EULER_MOTION = 390
    """Velocities and forces move entities without a dynamic body."""

    # After all that moves by itself; before the hierarchy, as children follow the bodies that carry them.
    RIGID_BODY = 380
    """Contacts and joints are solved, and dynamic bodies move."""

    # After all that moves by itself: children follow to where their parents were put back.
    BOUNDS = 360
    """``WorldBounds`` put entities back."""

    HIERARCHY = 350
    """Children follow their parents."""

    PARTICLE = 340
    """Particles are emitted and move."""

    # After all that moves: a beam leaves the gun where it is now. Before the broadphase: it hits in the same step.
    LIGHT = 320
    """Beams and lasers move."""

    # After all that moves, lights too; before the broadphase, which sees bullets where they were stopped.
    SWEEP = 310
    """Bullets and fast bodies are stopped before they pass through others."""

    BROADPHASE = 300
    """Candidate pairs are found."""

    NARROWPHASE = 200
    """Hits are found; below this number ``physics.hits`` has the hits of this step."""

    HIT_EVENT = 100
    """The events of hits are sent."""

    # After the events: in its last step an entity hits, and its handlers find it alive.
    LIFETIME = 90
    """Entities whose ``Lifetime`` is over are deleted."""

    # After the game's own processors at esper's default, so that a camera sees its target where the step has left it.
    SCROLLING = -100
    """Cameras follow their targets."""


# The places of the stages in a plan, in the order in which they run.
NOWHERE: Final = -1
STAGE_PLACES: Final = (0, 1, 2, 3, 4, 5, 6)
TRAJECTORIES, MOTION, BODIES, HIERARCHY, SWEEP, BROADPHASE, NARROWPHASE = STAGE_PLACES

_NO_STAGES: Final[tuple[Stage, ...]] = ()


class Stage(esper.Processor):
    """An esper processor that does one part of a physics step.

    To replace a stage, derive from it, or from this class, and write :meth:`run`. A plain ``esper.Processor`` that
    reads and writes the arrays of :class:`Physics` works as well.

    Parameters
    ----------
    physics
        The physics of the world that this stage is added to; all stages share it.
    """

    phase = "other stages"
    """The stage's name in ``physics.debug.profile.timings``."""

    finds_hits: ClassVar[bool] = False
    """Whether a step's hits are known when this stage has run."""

    runs_together: ClassVar[bool] = False
    """Whether stages of exactly this class run together with those beside them, see ``StageRuns``."""

    _rests_at_times: ClassVar[bool] = False
    """Whether a calm or planned step may pass over a stage of exactly this class, where it rests."""

    _plan_place: ClassVar[int] = NOWHERE
    """The place in a planned step of stages that run together, see ``PlannedSteps``."""

    _token: object = None
    """The database in which this stage was used last."""

    def __init__(self, physics: Physics) -> None:
        self.physics = physics
        self._done = physics._state.stepping.runs.done
        self._may_be_idle = type(self).is_idle is not Stage.is_idle
        self._runs_together: bool = type(self).__dict__.get("runs_together", False)
        self._may_rest: bool = type(self).__dict__.get("_rests_at_times", False)
        if (self._runs_together or self._may_rest) and type(self).process is Stage.process:
            gate = physics._state.stepping.gate
            # A loop finds this before the method: it asks the gate first.
            vars(self)["process"] = stage_call(self, self._done, self.process, gate.parts, gate.array)

    @property
    def state(self) -> PhysicsState:
        """The data that the stages of a step share: tables, candidate pairs, contacts. See docs/inner-workings.md."""
        return self.physics._state

    def process(self, dt: float = NO_SECONDS, *others: Any, **named: Any) -> None:
        """Run this stage for ``dt`` seconds.

        If it raises one of these errors, nothing has changed:

        - TypeError if ``dt`` is not a number, or for other arguments;
        - ValueError if ``dt`` is negative or not finite, and for a bad value in a column, an instance on two entities,
          a second trajectory or a cycle of parents;
        - RuntimeError if a hit handler or ``pre_solve`` calls it, or if another world than in the first step is
          current.
        """
        try:
            done = self._done
        except AttributeError:
            if isinstance(self, Stage):
                raise
            # esper has called process(dt) of a class.
            raise TypeError(
                "a system was added as a class; add an instance: esper.add_processor(LifetimeSystem(physics))"
            ) from None
        if done:
            # The first stage of a run has done the work of this one.
            if done[-1] is self and dt is done[0] and not (others or named):
                done.pop()
                if len(done) == 1:
                    done.clear()
                return
            done.clear()
        if others or named:
            refuse_arguments(others, named)
        state = self.physics._state
        runs, following = state.stepping.runs, _NO_STAGES
        if self._runs_together and state.progress.stopwatch is None:
            following = runs.after(self, sys._getframe(1).f_code)
            if not following:
                if self.is_idle():
                    return
            elif state.stepping.planned.make(step := runs.steps[self], dt):
                done += (dt, *step)
                return
        runs.run(self, following, dt)

    def is_idle(self) -> bool:
        """Whether a stage has nothing to do in the step that has begun: it need not run then."""
        return False

    def _rests(self, others_move: bool) -> bool:
        """Whether a stage that has ``_rests_at_times`` has nothing to do in the next step.

        That is so if nothing is written until then, and nothing comes or goes; and, unless ``others_move``, if no
        entity moves in it.
        """
        return False

    def _bars_plans(self) -> bool:
        """Whether the next step may not be made by a plan, because of something in the world; asked before
        :meth:`_plan`."""
        return False

    def _plan(self, plan: StepPlan, last: ContactBuffer, held: ContactBuffer, dt: float) -> bool:
        """Write this stage's part to the plan of steps of ``dt`` seconds.

        The steps begin with the contacts in the buffer ``last``, and write those they find to ``held``. Returns False
        where the next step may not be made by a plan.
        """
        return False

    def take_state(self) -> Any:
        """The data that this stage keeps between steps in addition to components, for ``physics.snapshot``, or None.

        Return a value that later steps do not change.
        """
        return None

    def put_state(self, state: Any) -> None:
        """Put back a value of :meth:`take_state`. Do not change the value: it may be used again."""

    def forget_world(self) -> None:
        """Forget all data about the world, after ``esper.clear_database`` and before anything else.

        Drop everything that belongs to entities, or that must start again with them. It may be called twice.
        """

    def follow_database(self) -> None:
        """Forget the world if the database was cleared since this stage ran last.

        :meth:`process` calls it. If other methods of a stage can be called between steps, they call it first.
        """
        state = self.physics._state
        state.follow_database()
        if self._token is not state.token:
            if self._token is not None:
                self.forget_world()
            # Last: where this is cut short, it is done again.
            self.note_database()

    def note_database(self) -> None:
        """Note that this stage's data belongs to the present database."""
        self._token = self.physics._state.token

    def run(self, dt: float) -> None:
        """The stage's work; ``dt`` has been checked and the world's tables are up to date.

        While it runs, the arrays of components are not replaced: a thread that creates components waits if an array
        must grow. So this method must not wait for such a thread.
        """
        raise NotImplementedError


LOOPS: Final[dict[CodeType, Callable[[PhysicsState], tuple[object, str] | None]]] = {
    esper.process.__code__: lambda state: (esper, "_processors")
}
"""The functions that call ``process`` of one processor after the other. For each the object that has the processors,
and the name of the attribute; None for processors of others."""


class StageRuns:
    """The runs of the stages of one physics."""

    __slots__ = ("_began", "_following", "_processors", "_state", "done", "loop", "steps")

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        # What follows each stage of a run in these processors, last first.
        self._processors: list[esper.Processor] = []
        self._following: dict[Stage, tuple[Stage, ...]] = {}
        self.steps: dict[Stage, tuple[Stage, ...]] = {}
        """For each stage of a run all that follow it up to the end of the last run, with those that may rest."""
        self.loop = Loop(None, esper, "_processors")
        """What has called the stages last."""
        # The first stage of the present step, if a loop has called all its stages so far.
        self._began: Stage | None = None
        self.done: list[Any] = []
        """The seconds that a run was called with, and its stages that were not called yet, last first; empty then."""

    def after(self, stage: Stage, caller: CodeType) -> tuple[Stage, ...]:
        """The stages that run together with the one that is called by ``caller``, last first."""
        if caller is not self.loop.code:
            place = LOOPS[caller](self._state) if caller in LOOPS else None
            if place is None:
                self._began = None
                return ()
            self.loop = Loop(caller, *place)
        processors: Sequence[esper.Processor] = getattr(self.loop.owner, self.loop.name)
        if processors != self._processors:
            self._following, self.steps = _following(processors)
            self._processors = list(processors)
        return self._following.get(stage, ())

    def run(self, stage: Stage, others: tuple[Stage, ...], dt: float) -> None:
        """Run a stage and its followers, the ``others``, last first. Errors: see ``Stage.process``."""
        state = self._state
        stopwatch, thread = state.progress.stopwatch, get_ident()
        try:
            hold_blocks(thread)  # as blocks_stay()
            if stopwatch is None:
                seconds = state.enter(stage, dt)
            else:
                stopwatch.resume()
                seconds = state.enter(stage, dt)
                stopwatch.lap("checks")
            if stage._token is not state.token:
                stage.follow_database()
            if not state.progress.is_over:
                stage.run(seconds)
            if stopwatch is not None:
                stopwatch.lap(stage.phase)
            self.go_on(reversed(others), seconds)
            state.progress.is_in_stage = False
            # After an error nothing of them counts as done.
            if others:
                self.done += (dt, *others)
                if state.progress.stages_run[0] is stage:
                    self._began = stage
                if others[0].finds_hits and self._began is state.progress.stages_run[0]:
                    self._note_step(self._began, others[0], dt)
        finally:
            release_blocks(thread)
        if WAITING:
            let_blocks_move()

    def _note_step(self, first: Stage, last: Stage, dt: float) -> None:
        """Let calm and planned steps know of a whole step."""
        others = self.steps.get(first, ())
        if others and others[0] is last:
            self._state.stepping.calm.note_step(first, others, dt)
            self._state.stepping.planned.note_step(first, others, dt)

    def go_on(self, stages: Iterable[Stage], seconds: float) -> None:
        """Run some more stages of a step that has begun."""
        state = self._state
        for stage in stages:
            if not (stage._may_be_idle and stage.is_idle()):
                state.go_on(stage)
                if stage._token is not state.token:
                    stage.follow_database()
                if not state.progress.is_over:
                    stage.run(seconds)


def _following(
    processors: Sequence[esper.Processor],
) -> tuple[dict[Stage, tuple[Stage, ...]], dict[Stage, tuple[Stage, ...]]]:
    """For each stage of a run the stages that follow it there, last first; and the same across stages that may rest."""
    from ecsphys.systems.stage import Stage

    found: dict[Stage, tuple[Stage, ...]] = {}
    steps: dict[Stage, tuple[Stage, ...]] = {}
    behind: tuple[Stage, ...] = ()
    step: tuple[Stage, ...] = ()
    for one in reversed(processors):
        if not (isinstance(one, Stage) and (one._runs_together or one._may_rest)):
            behind = step = ()
            continue
        if step and step[-1].physics is not one.physics:
            behind = step = ()
        if one._runs_together:
            found[one], steps[one] = behind, step
            # One object where they are the same: plans know a step by it.
            is_one_run = step is behind
            behind = (*behind, one)
            step = behind if is_one_run else (*step, one)
        else:
            behind, step = (), (*step, one) if step else ()
    return found, steps
