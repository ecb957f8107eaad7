"""Stages that follow each other without anything of the game in between: they run together, as one.

esper calls ``process`` of each stage. The first of such a *run* does the work of all; the others find it done. What a
game puts between two stages, or derives from one, ends a run there. So it sees the same as if each stage ran by itself.

A stage that a game may add, such as world bounds, ends a run too: it may call handlers. But where it *rests*,
calm and planned steps pass over it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from threading import get_ident
from types import CodeType
from typing import TYPE_CHECKING, Any, Final

import esper

from ecsphys.components.store.standing_blocks import WAITING, hold_blocks, let_blocks_move, release_blocks
from ecsphys.systems.stepping.step_gate import Loop

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState
    from ecsphys.systems.stage import Stage

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
