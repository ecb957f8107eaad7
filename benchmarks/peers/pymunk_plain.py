"""pymunk as its manual shows it: objects, callbacks, and a loop that copies positions."""

from __future__ import annotations

from typing import Any, ClassVar

import esper
import pymunk

from benchmarks.peers.plain_components import Motion, PeerPlayer, Position
from benchmarks.peers.pymunk_space import body_of, new_space, shapes_of
from ecsphys.demo.scenes.workloads import Body, Workload


class PymunkPlain(PeerPlayer):
    """The body is a component of its entity; ``begin`` and ``separate`` tell the pairs, or call the game's handler."""

    name: ClassVar[str] = "pymunk plain"

    def __init__(self, workload: Workload) -> None:
        self._space = new_space()
        self._entities: dict[pymunk.Body, int] = {}
        super().__init__(workload)
        self._space.on_collision(begin=self._begin, separate=self._separate)

    def add(self, entity: int, body: Body) -> None:
        carrier = body_of(body)
        self._entities[carrier] = entity
        self._space.add(carrier, *shapes_of(body, carrier))
        if body.velocity is not None:
            esper.add_component(entity, carrier)

    def remove(self, entity: int) -> None:
        carrier = esper.component_for_entity(entity, pymunk.Body)
        self._space.remove(carrier, *carrier.shapes)
        del self._entities[carrier]

    def turn_back(self, entity: int, motion: Motion) -> None:
        esper.component_for_entity(entity, pymunk.Body).velocity = motion.x, motion.y

    def _begin(self, arbiter: pymunk.Arbiter, space: pymunk.Space, data: Any) -> None:
        body_a, body_b = arbiter.bodies
        pair = self._entities[body_a], self._entities[body_b]
        self.started.append(pair)
        if self._handlers:
            self.on_hit(pair)

    def _separate(self, arbiter: pymunk.Arbiter, space: pymunk.Space, data: Any) -> None:
        body_a, body_b = arbiter.bodies
        pair = self._entities[body_a], self._entities[body_b]
        self.ended.append(pair)
        if self._handlers:
            self.on_hit(pair)

    def change(self) -> None:
        # Removing a shape separates it at once: such ends belong to the coming step.
        self.ended = []
        super().change()
        self.started = []

    def step(self, dt: float) -> None:
        self._space.step(dt)
        for _, (position, body) in esper.get_components(Position, pymunk.Body):
            position.x, position.y = body.position
            position.angle = body.angle

    def between(self) -> None:
        self.hits += len(self.started) - len(self.ended)
        super().between()

    def close(self) -> None:
        # A space that is given up separates all that overlaps, when the bodies are gone already.
        self._space.on_collision(begin=_ignore, separate=_ignore)


def _ignore(arbiter: pymunk.Arbiter, space: pymunk.Space, data: Any) -> None:
    pass
