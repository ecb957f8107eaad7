"""What the stages of a step have in common."""

from __future__ import annotations

from threading import get_ident
from typing import TYPE_CHECKING

import esper

from ecsphys.components.store.standing_blocks import WAITING, hold_blocks, let_blocks_move, release_blocks
from ecsphys.systems.settings import NO_SECONDS

if TYPE_CHECKING:
    from ecsphys.systems.physics import Physics


class Stage(esper.Processor):
    """An esper processor that does one part of a physics step.

    Derive from one of the stages, or from this class, to replace a stage: write :meth:`run`. A plain
    ``esper.Processor`` that reads and writes the arrays of :class:`Physics` will do as well.

    Parameters
    ----------
    physics
        The state of the world this stage is added to, shared by its stages.
    """

    phase = "other stages"
    """Under which name the stage's time is found in ``physics.profile.timings``."""

    def __init__(self, physics: Physics) -> None:
        self.physics = physics

    def process(self, dt: float = NO_SECONDS) -> None:
        """Run this stage, ``dt`` seconds of it; see :meth:`PhysicsState.enter` for the errors."""
        thread, state = get_ident(), self.physics.state
        stopwatch = state.stopwatch
        try:
            hold_blocks(thread)  # as blocks_stay()
            if stopwatch is None:
                self.run(state.enter(self, dt))
            else:
                stopwatch.resume()
                seconds = state.enter(self, dt)
                stopwatch.lap("checks")
                self.run(seconds)
                stopwatch.lap(self.phase)
            state.is_in_stage = False
        finally:
            release_blocks(thread)
        if WAITING:
            let_blocks_move()

    def run(self, dt: float) -> None:
        """The stage's work; ``dt`` has been checked and the world's tables are up to date.

        While it works no block of components moves, whatever other threads create: they wait where one has to grow. So
        it must not wait for such a thread.
        """
        raise NotImplementedError
