"""The mouse in the table of motions: a body flung starts its motion from there, and so does its twin beside it.

A twin is the same motion in steps or in closed form. After some seconds both are back in their old motion.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import esper

from ecsphys import (
    BallisticTrajectory,
    CircularTrajectory,
    Component,
    HarmonicTrajectory,
    LinearTrajectory,
    Orbit,
    Physics,
    Transform,
    Velocity,
)
from ecsphys.demo.scenes.boundaries import Loop, Restart
from ecsphys.demo.scenes.boxes import is_inside
from ecsphys.demo.scenes.chapters.hand import Hand
from ecsphys.demo.scenes.scene import Box

_SECONDS = 6.0
"""How long a body stays in the motion that the mouse gave it."""
_FASTEST_SPIN = 14.0
_SKY = 8.0
"""How far above the picture a body may fly, in units."""


@dataclass(eq=False)
class Twins:
    """One or two entities in the same motion, each about the middle (x, y) of its cell."""

    entities: list[int]
    middles: list[tuple[float, float]]
    makes: list[Callable[[float, float], list[Component]]]
    is_pulled: bool = False
    """Whether it is let go at rest, since its trajectory knows no other start."""
    spins: bool = False
    """Whether it is turned about its middle, and stays there."""
    seconds: float = field(default=math.inf, repr=False)
    """Until it begins its old motion again."""

    def begin(self) -> None:
        """Begin the old motion."""
        self.seconds = math.inf
        for entity, middle, make in zip(self.entities, self.middles, self.makes, strict=True):
            for component in make(*middle):
                esper.add_component(entity, component)


class Flings(Hand):
    """Takes a body and its twin, and flings both."""

    def __init__(self, physics: Physics, arena: Box, twins: list[Twins]) -> None:
        super().__init__(physics)
        min_x, min_y, max_x, max_y = arena
        self._world = min_x - 1.0, min_y - 1.0, max_x + 1.0, max_y + _SKY
        self._twins = twins
        self._grasped = 0.0
        self._owners = {entity: both for both in twins for entity in both.entities}

    def take(self, entity: int) -> None:
        twins = self._owners[entity]
        twins.seconds = math.inf
        for one in twins.entities:
            for kind in (Loop, Restart):
                if esper.has_component(one, kind):
                    esper.remove_component(one, kind)
        if twins.spins:
            self._grasped = self._angle_to_mouse(twins) - esper.component_for_entity(entity, Transform).angle

    def carry(self, entity: int, x: float, y: float) -> None:
        twins = self._owners[entity]
        if twins.spins:
            esper.component_for_entity(entity, Transform).angle = self._angle_to_mouse(twins) - self._grasped
            return
        left, low = self._from_middle(twins, entity, x, y)
        for one, middle in zip(twins.entities, twins.middles, strict=True):
            super().carry(one, middle[0] + left, middle[1] + low)

    def throw(self, entity: int, vx: float, vy: float) -> None:
        twins = self._owners[entity]
        twins.seconds = _SECONDS
        if twins.spins:
            self._spin(twins, vx, vy)
            return
        if twins.is_pulled:
            vx = vy = 0.0
        for one in twins.entities:
            _start(one, vx, vy)

    def count_down(self, dt: float) -> None:
        """Begin the old motion of those whose time is over, or that are out of sight."""
        for twins in self._twins:
            if math.isfinite(twins.seconds):
                twins.seconds -= dt
                places = [esper.component_for_entity(entity, Transform) for entity in twins.entities]
                is_seen = any(is_inside(self._world, place.x, place.y) for place in places)
                if twins.seconds <= 0.0 or not is_seen:
                    twins.begin()

    @staticmethod
    def _from_middle(twins: Twins, entity: int, x: float, y: float) -> tuple[float, float]:
        middle = twins.middles[twins.entities.index(entity)]
        return x - middle[0], y - middle[1]

    def _angle_to_mouse(self, twins: Twins) -> float:
        (x, y), *_ = twins.middles
        return math.atan2(self.place[1] - y, self.place[0] - x)

    def _spin(self, twins: Twins, vx: float, vy: float) -> None:
        """ω = r × v / r², as far out as the mouse is."""
        (x, y), *_ = twins.middles
        rx, ry = self.place[0] - x, self.place[1] - y
        turn = (rx * vy - ry * vx) / max(rx * rx + ry * ry, 0.25)
        velocity = esper.component_for_entity(twins.entities[0], Velocity)
        velocity.angular = min(max(turn, -_FASTEST_SPIN), _FASTEST_SPIN)


class CountDown(esper.Processor):
    """Ends flings. Add it before the motion and before what counts its time, so that twins begin together."""

    def __init__(self, flings: Flings) -> None:
        self._flings = flings

    def process(self, dt: float) -> None:
        self._flings.count_down(dt)


def _start(entity: int, vx: float, vy: float) -> None:
    """Begin an entity's motion where it is, with a speed if its motion can have any."""
    place = esper.component_for_entity(entity, Transform)
    flight = esper.try_component(entity, LinearTrajectory) or esper.try_component(entity, BallisticTrajectory)
    circle = esper.try_component(entity, CircularTrajectory)
    swing = esper.try_component(entity, HarmonicTrajectory)
    if flight is not None:
        flight.x, flight.y, flight.vx, flight.vy, flight.elapsed = place.x, place.y, vx, vy, 0.0
    elif circle is not None:
        rx, ry = place.x - circle.center_x, place.y - circle.center_y
        circle.radius, circle.phase, circle.elapsed = math.hypot(rx, ry), math.atan2(ry, rx), 0.0
    elif swing is not None:
        # x0 = A sin φ with φ = π/2: let go at rest.
        swing.amplitude_x, swing.amplitude_y = place.x - swing.center_x, place.y - swing.center_y
        swing.elapsed = 0.0
    else:
        velocity = esper.component_for_entity(entity, Velocity)
        orbit = esper.try_component(entity, Orbit)
        if orbit is not None:
            # v = ω × r keeps it on the circle through this place.
            rate = orbit.angular_speed
            vx, vy = -rate * (place.y - orbit.center_y), rate * (place.x - orbit.center_x)
        velocity.x, velocity.y = vx, vy
