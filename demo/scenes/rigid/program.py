"""A scene that plays again and again: what happens when, and everything put back in the end."""

from __future__ import annotations

from collections.abc import Callable

import esper

from ecsphys import RigidBody, Transform, Velocity

Act = tuple[float, Callable[[], None]]
"""When, in seconds from the start, and what."""


class Program(esper.Processor):
    """Calls each act at its time; after ``seconds`` all dynamic bodies are put back, and it starts anew."""

    def __init__(self, seconds: float, *acts: Act) -> None:
        self._seconds = seconds
        self._acts = sorted(acts, key=lambda act: act[0])
        self._clock = 0.0
        self._done = 0
        self._kept: list[tuple[int, tuple[float, ...], tuple[float, ...]]] = []

    def process(self, dt: float) -> None:
        if not self._kept:
            self._keep()
        self._clock += dt
        if self._clock >= self._seconds:
            self.restart()
        while self._done < len(self._acts) and self._acts[self._done][0] <= self._clock:
            self._acts[self._done][1]()
            self._done += 1

    def restart(self) -> None:
        """Put all dynamic bodies back where they were at first."""
        self._clock, self._done = 0.0, 0
        for entity, pose, speed in self._kept:
            if esper.entity_exists(entity):
                place = esper.component_for_entity(entity, Transform)
                velocity = esper.component_for_entity(entity, Velocity)
                place.x, place.y, place.angle = pose
                velocity.x, velocity.y, velocity.angular = speed

    def _keep(self) -> None:
        for entity, (body, place) in esper.get_components(RigidBody, Transform):
            if body.kind == "dynamic":
                velocity = esper.try_component(entity, Velocity)
                speed = (0.0, 0.0, 0.0) if velocity is None else (velocity.x, velocity.y, velocity.angular)
                self._kept.append((entity, (place.x, place.y, place.angle), speed))
