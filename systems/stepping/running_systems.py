"""Which systems run in the current esper world."""

from __future__ import annotations

from collections.abc import Iterator

import esper

from ecsphys.systems.fixed_step.fixed_step import FixedStep
from ecsphys.systems.world.esper_world import processors


def running_systems() -> Iterator[esper.Processor]:
    """All that runs in the world, in frames or in fixed steps."""
    for processor in processors():
        if isinstance(processor, FixedStep):
            yield from processor.systems
        else:
            yield processor
