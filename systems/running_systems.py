"""Which systems run in the current esper world, and for which physics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import esper

from ecsphys.systems.fixed_step.fixed_step import FixedStep
from ecsphys.systems.stage import Stage
from ecsphys.systems.world.esper_world import processors

if TYPE_CHECKING:
    from ecsphys.systems.physics import Physics


def running_systems() -> Iterator[esper.Processor]:
    """All that runs in the world, in frames or in fixed steps."""
    for processor in processors():
        if isinstance(processor, FixedStep):
            yield from processor.systems
        else:
            yield processor


def refuse_second_physics(physics: Physics) -> None:
    """RuntimeError where stages of another physics run in the world.

    A change of a component is reported once: to two of them, each would miss what the other has seen.
    """
    for system in running_systems():
        if isinstance(system, Stage) and system.physics is not physics:
            raise RuntimeError(
                f"the world {esper.current_world!r} has another Physics, that of its {type(system).__name__}:"
                " a world can have one; remove the stages of the other first"
            )
