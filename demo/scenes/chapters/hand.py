"""The mouse on shapes that are not rigid bodies: it marks the one below it, carries it along, and throws it."""

from __future__ import annotations

import math
from collections.abc import Iterator

import esper

from ecsphys import Collider, Physics, Priority, Transform, Velocity
from ecsphys.demo import palette
from ecsphys.demo.scenes.board import Board, Pair
from ecsphys.demo.scenes.boxes import shortened
from ecsphys.demo.scenes.drawing.outlines import outline
from ecsphys.demo.scenes.scene import Pointer

AFTER_MOTION = Priority.BOUNDS
"""The priority of a hand: it has the last word on where the shape is."""

_FASTEST = 26.0
"""The fastest throw, in units/s."""
_SECONDS = 0.06
"""Over how long the speed of the hand is measured."""


class Hand(esper.Processor, Pointer):
    """Holds at most one entity, found by ``Physics.nearest``. Add it at :data:`AFTER_MOTION`.

    A scene overrides ``may_hold``, ``take``, ``carry`` or ``throw``.
    """

    def __init__(self, physics: Physics) -> None:
        self.physics = physics
        self.held: int | None = None
        self.place: Pair = (math.inf, math.inf)
        """The mouse."""
        self.speed: Pair = (0.0, 0.0)
        """Of the hand, in units/s."""
        self._before = self.place
        self._offset: Pair = (0.0, 0.0)

    def may_hold(self, entity: int) -> bool:
        """Whether the mouse can take an entity."""
        return True

    def take(self, entity: int) -> None:
        """The entity has been taken."""

    def carry(self, entity: int, x: float, y: float) -> None:
        """Put the entity at the hand; called in every step."""
        transform = esper.component_for_entity(entity, Transform)
        transform.x, transform.y = x, y
        velocity = esper.try_component(entity, Velocity)
        if velocity is not None:
            velocity.x, velocity.y = self.speed

    def throw(self, entity: int, vx: float, vy: float) -> None:
        """The entity is let go with a speed."""

    def below(self) -> int | None:
        """The entity at the mouse."""
        if not math.isfinite(self.place[0]):
            return None
        for found in self.physics.nearest(self.place, k=4, max_distance=self.reach):
            if self.may_hold(found.entity):
                return found.entity
        return None

    def press(self, x: float, y: float) -> bool:
        self.place = self._before = (x, y)
        self.held = self.below()
        if self.held is None:
            return False
        transform = esper.component_for_entity(self.held, Transform)
        self._offset = transform.x - x, transform.y - y
        self.speed = (0.0, 0.0)
        self.take(self.held)
        return True

    def move(self, x: float, y: float) -> None:
        self.place = (x, y)

    def release(self) -> None:
        held, self.held = self.held, None
        if held is not None and esper.entity_exists(held):
            self.throw(held, *self.speed)

    def process(self, dt: float) -> None:
        if self.held is None or dt == 0.0:
            return
        if not esper.entity_exists(self.held):
            self.held = None
            return
        share = 1.0 - math.exp(-dt / _SECONDS)
        vx, vy = (
            speed + share * ((now - before) / dt - speed)
            for speed, now, before in zip(self.speed, self.place, self._before, strict=True)
        )
        self.speed = shortened(vx, vy, _FASTEST)
        self._before = self.place
        self.carry(self.held, self.place[0] + self._offset[0], self.place[1] + self._offset[1])

    def paint(self, board: Board) -> None:
        """A bright edge about the shape in the hand, or about the shape below the mouse."""
        marked = self.held if self.held is not None else self.below()
        if marked is None or not esper.entity_exists(marked):
            return
        for points in outlines_of(marked):
            for a, b in zip(points, [*points[1:], points[0]], strict=True):
                board.line(a, b, palette.TEXT, 2.6)


def outlines_of(entity: int) -> Iterator[list[Pair]]:
    """The corners of each collider of an entity."""
    transform = esper.component_for_entity(entity, Transform)
    components: tuple[object, ...] = esper.components_for_entity(entity)
    for component in components:
        if isinstance(component, Collider):
            yield outline(component, transform)
