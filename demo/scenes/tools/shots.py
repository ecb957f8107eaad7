"""Things that the player adds to a world: heavy balls that are shot, toys that are dropped. The oldest go first."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

import esper

from ecsphys import Bullet, CircleCollider, RigidBody, Transform, Velocity
from ecsphys.demo.scenes.rigid.tint import MACHINE, put
from ecsphys.demo.scenes.rigid.toys import TOYS, toy, toy_color

_MOST_SHOTS, _MOST_TOYS = 12, 60
_DENSITY = 8.0
_FLIGHT = 1.5
"""Seconds after which a ball is no bullet any more: to sweep what rolls would cost time for nothing."""
_LOST = 250.0
"""Units from the place where it was added; nothing that is inside the walls of a scene gets so far."""


@dataclass
class _Added:
    """A ball or a toy, the place where it was added, and its age in seconds."""

    entity: int
    x: float
    y: float
    age: float = 0.0

    @property
    def is_lost(self) -> bool:
        """Whether it is gone, or flies or falls for ever beside the scene."""
        place = esper.try_component(self.entity, Transform) if esper.entity_exists(self.entity) else None
        return place is None or math.hypot(place.x - self.x, place.y - self.y) > _LOST


class Shots:
    """The balls and toys of one world."""

    def __init__(self) -> None:
        self._shots: deque[_Added] = deque()
        self._toys: deque[_Added] = deque()
        self._dropped = 0

    def shoot(self, x: float, y: float, velocity: tuple[float, float], radius: float) -> int:
        """A heavy ball at (x, y), in units and units/s, that no wall lets through; its entity."""
        ball = put(
            MACHINE,
            Transform(x, y),
            Velocity(*velocity),
            CircleCollider(radius),
            RigidBody(density=_DENSITY, rolling_resistance=0.05),
            Bullet(),
        )
        self._shots.append(_Added(ball, x, y))
        if len(self._shots) > _MOST_SHOTS:
            _delete(self._shots.popleft().entity)
        return ball

    def drop(self, x: float, y: float, size: float) -> int:
        """A toy at (x, y), of another kind than the last; its entity."""
        kind = self._dropped % len(TOYS)
        self._dropped += 1
        made = put(toy_color(kind), Transform(x, y), toy(kind, size), RigidBody(friction=0.5, restitution=0.1))
        self._toys.append(_Added(made, x, y))
        if len(self._toys) > _MOST_TOYS:
            _delete(self._toys.popleft().entity)
        return made

    def advance(self, dt: float) -> None:
        """Let time go by."""
        for shot in self._shots:
            shot.age += dt
            if shot.age > _FLIGHT and esper.entity_exists(shot.entity) and esper.has_component(shot.entity, Bullet):
                esper.remove_component(shot.entity, Bullet)
        for added in (self._shots, self._toys):
            for lost in [one for one in added if one.is_lost]:
                _delete(lost.entity)
                added.remove(lost)

    def clear(self) -> None:
        """Take all of them away."""
        for added in (*self._shots, *self._toys):
            _delete(added.entity)
        self._shots.clear()
        self._toys.clear()


def _delete(entity: int) -> None:
    if esper.entity_exists(entity):
        esper.delete_entity(entity, immediate=True)
