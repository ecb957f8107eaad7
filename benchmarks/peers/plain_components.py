"""What all peers share: plain components, as games with esper have them, and a workload made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import esper
import numpy as np
from numpy import int64

from ecsphys.demo.scenes.workloads import Body, Pairs, Turnover, Workload


@dataclass(slots=True)
class Position:
    """Where an entity is; what the rest of the game reads."""

    x: float
    y: float
    angle: float


@dataclass(slots=True)
class Motion:
    """How an entity moves."""

    x: float
    y: float
    angular: float


class PeerPlayer:
    """A player whose entities carry plain components; it steps in a processor of its world."""

    name: ClassVar[str]

    def __init__(self, workload: Workload) -> None:
        self._workload = workload
        self._handlers = False
        self.handled = 0
        self.started: list[tuple[int, int]] = []
        self.ended: list[tuple[int, int]] = []
        self.hits = 0
        self.pairs: int | None = None
        workload.settle([self._create(body) for body in workload.bodies])
        workload.prepare()
        self.structure_changed()
        esper.add_processor(_Step(self))

    def attach_handlers(self) -> None:
        self._handlers = True

    def on_hit(self, pair: tuple[int, int]) -> None:
        """The game's handler of a start or an end."""
        self.handled += 1

    @property
    def starts(self) -> int:
        return len(self.started)

    @property
    def ends(self) -> int:
        return len(self.ended)

    def _create(self, body: Body) -> int:
        components: list[Any] = [Position(body.x, body.y, body.angle)]
        if body.velocity is not None:
            components.append(Motion(*body.velocity))
        entity = esper.create_entity(*components)
        self.add(entity, body)
        return entity

    def change(self) -> None:
        turnover: Turnover = self._workload.turnover(self._started_pairs())
        if turnover.doomed or turnover.born:
            for entity in turnover.doomed:
                self.remove(entity)
                esper.delete_entity(entity, immediate=True)
            self._workload.settle([self._create(body) for body in turnover.born])
            self.structure_changed()

    def _started_pairs(self) -> Pairs:
        first, second = np.array(self.started, int64).reshape(-1, 2).T
        return first, second

    def between(self) -> None:
        min_x, min_y, max_x, max_y = self._workload.arena
        for entity, (position, motion) in esper.get_components(Position, Motion):
            x, y = motion.x, motion.y
            if position.x < min_x:
                motion.x = abs(x)
            elif position.x > max_x:
                motion.x = -abs(x)
            if position.y < min_y:
                motion.y = abs(y)
            elif position.y > max_y:
                motion.y = -abs(y)
            if x != motion.x or y != motion.y:
                self.turn_back(entity, motion)
        self._workload.prepare()

    def add(self, entity: int, body: Body) -> None:
        """Give the library a body for an entity that has its components."""
        raise NotImplementedError

    def remove(self, entity: int) -> None:
        """Take an entity's body from the library, the components still being there."""

    def structure_changed(self) -> None:
        """Entities have come or gone."""

    def turn_back(self, entity: int, motion: Motion) -> None:
        """Give the library a new velocity of an entity."""

    def close(self) -> None:
        """Let go of the library's world."""

    def step(self, dt: float) -> None:
        """Move, detect, write positions to the components, and work out ``started``, ``ended`` and ``hits``."""
        raise NotImplementedError


class _Step(esper.Processor):
    def __init__(self, player: PeerPlayer) -> None:
        self._player = player

    def process(self, dt: float) -> None:
        self._player.step(dt)
