"""What a workload is: bodies in an arena, and what a game changes about them from frame to frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import esper
import numpy as np
from numpy import int64
from numpy.typing import NDArray

from ecsphys.demo.scenes.scene import Box
from ecsphys.demo.scenes.workloads.body import Body
from ecsphys.demo.scenes.workloads.border import Border

Pairs = tuple[NDArray[int64], NDArray[int64]]
"""Entities that overlap: the first and the second of each pair."""


@dataclass(frozen=True)
class Turnover:
    """What a frame takes away and what it adds."""

    doomed: Sequence[int] = ()
    born: Sequence[Body] = ()


NOTHING = Turnover()


@dataclass
class Workload:
    """Bodies that move in an arena and turn back at its border.

    ``entities`` are those of ``bodies``, in their order, whatever world they are made in; :meth:`settle` is told.
    """

    arena: Box
    bodies: list[Body]
    entities: list[int] = field(default_factory=list)

    def settle(self, entities: Sequence[int]) -> None:
        """Take note of the entities made from ``bodies``, and later of those made from a turnover's."""
        self.entities = list(entities)

    def prepare(self) -> None:
        """Draw the next frame's random numbers, outside of the timed part."""

    def turnover(self, started: Pairs) -> Turnover:
        """What the next frame deletes and creates; ``started`` are the pairs whose overlap began in the last."""
        return NOTHING


@dataclass(frozen=True)
class Recipe:
    """A kind of workload by its name. ``make`` draws one of ``count`` entities."""

    name: str
    summary: str
    make: Callable[[np.random.Generator, int], Workload]


class LiveWorkload:
    """A workload in the current esper world, in components of ecsphys.

    A frame of it is :meth:`change`, then the world's ``esper.process``, and outside of what is timed :meth:`between`.
    """

    def __init__(self, workload: Workload) -> None:
        self.workload = workload
        self._border = Border(workload.arena)
        workload.settle([esper.create_entity(*body.components()) for body in workload.bodies])
        workload.prepare()

    def change(self, started: Pairs) -> None:
        """Delete and create what this frame deletes and creates."""
        turnover = self.workload.turnover(started)
        if turnover is not NOTHING:
            for entity in turnover.doomed:
                esper.delete_entity(entity)
            self.workload.settle([esper.create_entity(*body.components()) for body in turnover.born])

    def between(self) -> None:
        """Turn back what has left the arena, and draw the next frame's random numbers."""
        self._border.reflect()
        self.workload.prepare()
