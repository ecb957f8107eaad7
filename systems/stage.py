"""What the stages of a step have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

import esper

from ecsphys.components.block_lock import BLOCKS_STAY, let_blocks_move

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
    """Under which name the stage's time is found in ``physics.timings``."""

    holds_blocks = True
    """Whether no block of components moves while :meth:`run` works, whatever other threads create: they wait where a
    block has to grow. So ``run`` must not wait for such a thread, unless this is False."""

    def __init__(self, physics: Physics) -> None:
        self.physics = physics

    def process(self, dt: float) -> None:
        """Run this stage, ``dt`` seconds of it; see :meth:`Physics.enter` for the errors."""
        stopwatch = self.physics.stopwatch
        with BLOCKS_STAY:
            if stopwatch is not None:
                stopwatch.resume()
            seconds = self.physics.enter(self, dt)
            if stopwatch is not None:
                stopwatch.lap("checks")
            if self.holds_blocks:
                self.run(seconds)
        if not self.holds_blocks:
            self.run(seconds)
        if stopwatch is not None:
            stopwatch.lap(self.phase)
        self.physics.leave()
        let_blocks_move()

    def run(self, dt: float) -> None:
        """The stage's work; ``dt`` has been checked and the world's index is up to date."""
        raise NotImplementedError
