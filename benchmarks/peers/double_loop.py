"""What most games with esper have: every circle is compared with every other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import esper

from benchmarks.peers.plain_components import Motion, PeerPlayer, Position
from ecsphys import CircleCollider
from ecsphys.demo.scenes.workloads import Body, Workload


@dataclass(slots=True)
class Circle:
    radius: float


class DoubleLoop(PeerPlayer):
    """Plain Python over plain components. It knows circles only."""

    name: ClassVar[str] = "double loop"

    def __init__(self, workload: Workload) -> None:
        self._overlapping: set[tuple[int, int]] = set()
        super().__init__(workload)

    def add(self, entity: int, body: Body) -> None:
        if body.collider is not CircleCollider:
            raise ValueError(f"the double loop knows circles only, got {body.collider.__name__}")
        esper.add_component(entity, Circle(body.arguments[0]))

    def step(self, dt: float) -> None:
        for _, (position, motion) in esper.get_components(Position, Motion):
            position.x += motion.x * dt
            position.y += motion.y * dt
            position.angle += motion.angular * dt
        circles = [
            (entity, position.x, position.y, circle.radius)
            for entity, (position, circle) in sorted(esper.get_components(Position, Circle), key=lambda item: item[0])
        ]
        overlapping = set()
        for number, (entity, x, y, radius) in enumerate(circles, start=1):
            for other, other_x, other_y, other_radius in circles[number:]:
                dx = other_x - x
                dy = other_y - y
                reach = radius + other_radius
                if dx * dx + dy * dy < reach * reach:
                    overlapping.add((entity, other))
        self.started = sorted(overlapping - self._overlapping)
        self.ended = sorted(self._overlapping - overlapping)
        self._overlapping = overlapping
        self.hits = len(overlapping)
        if self._handlers:
            for pair in self.ended:
                self.on_hit(pair)
            for pair in self.started:
                self.on_hit(pair)
