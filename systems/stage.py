"""The base of the stages of a step."""

from __future__ import annotations

from threading import get_ident
from typing import TYPE_CHECKING, Any

import esper

from ecsphys.components.store.standing_blocks import WAITING, hold_blocks, let_blocks_move, release_blocks
from ecsphys.systems.arguments import NO_SECONDS, refuse_arguments

if TYPE_CHECKING:
    from ecsphys.systems.physics import Physics
    from ecsphys.systems.physics_state import PhysicsState


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

    _token: object = None
    """The database in which this stage ran last, or was asked for anything."""

    def __init__(self, physics: Physics) -> None:
        self.physics = physics

    @property
    def state(self) -> PhysicsState:
        """What the stages of a step share: tables, candidate pairs, contacts. The page on architecture describes it."""
        return self.physics._state

    def process(self, dt: float = NO_SECONDS, *others: Any, **named: Any) -> None:
        """Run this stage for ``dt`` seconds.

        If it raises, nothing has changed: TypeError for a ``dt`` that is not a number, and for further arguments;
        ValueError for one that is negative or not finite, for a bad value in a column, a shared instance, a second
        trajectory or a cycle of parents; RuntimeError from within a hit handler, or in another world than the
        first step's.
        """
        if others or named:
            refuse_arguments(others, named)
        try:
            thread, state = get_ident(), self.physics._state
        except AttributeError:
            if isinstance(self, Stage):
                raise
            # esper has called process(dt) of a class.
            raise TypeError("a system was added as a class: esper.add_processor(LifetimeSystem(physics))") from None
        stopwatch = state.stopwatch
        try:
            hold_blocks(thread)  # as blocks_stay()
            if stopwatch is None:
                seconds = state.enter(self, dt)
            else:
                stopwatch.resume()
                seconds = state.enter(self, dt)
                stopwatch.lap("checks")
            if self._token is not state.token:
                self.follow_database()
            if not state.is_over:
                self.run(seconds)
            if stopwatch is not None:
                stopwatch.lap(self.phase)
            state.is_in_stage = False
        finally:
            release_blocks(thread)
        if WAITING:
            let_blocks_move()

    def take_state(self) -> Any:
        """What this stage keeps between steps beside the components, for ``physics.snapshot``; None for nothing.

        A value that later steps do not change.
        """
        return None

    def put_state(self, state: Any) -> None:
        """Take what :meth:`take_state` once returned; it may be given again, and must stay as it is."""

    def forget_world(self) -> None:
        """Forget what this stage keeps of the world: after ``esper.clear_database``, before anything else.

        Drop everything that belongs to entities, or must start again with them. It may be called again.
        """

    def follow_database(self) -> None:
        """Forget the world if the database was cleared since this stage ran last.

        :meth:`process` does it; a stage that can be asked for things between steps does it first when asked.
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

        While it runs, the arrays of components stay where they are: a thread that creates components waits if an array
        has to grow. So this method must not wait for such a thread.
        """
        raise NotImplementedError
