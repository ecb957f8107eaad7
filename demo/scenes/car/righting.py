"""A car that lies on its back is lifted, turned and let down again where it is."""

from __future__ import annotations

import math

import esper

from ecsphys import Physics
from ecsphys.demo.scenes.car.course import Course
from ecsphys.demo.scenes.car.vehicle import STANDING, WHEELBASE, Car

_LIFT = 0.8
"""How far above standing height it is let go."""
_SECONDS = 1.6
"""After so long it is put where there is room, if something has kept it from turning."""
_RESPONSE = 0.12
"""Seconds in which the rest of the way would be gone at the present speed."""
_FASTEST, _FASTEST_TURN = 5.0, 5.0
_HALF_LENGTH = 0.5 * WHEELBASE + 1.0


class Righting:
    """Lifts a car by velocities, so that it pushes other bodies away and never gets into one."""

    def __init__(self, physics: Physics, course: Course, car: Car) -> None:
        self._physics = physics
        self._course = course
        self._car = car
        self._for: float | None = None

    @property
    def is_active(self) -> bool:
        return self._for is not None

    def begin(self) -> None:
        """Begin, unless it has begun."""
        if self._for is None:
            self._for = 0.0

    def process(self, dt: float) -> None:
        """Before a step: go on while it is active. In the player's hand the car is left alone."""
        if self._car.is_held:
            self._for = None
        if self._for is None:
            return
        self._for += dt
        place, course = self._car.place, self._course
        angle = course.slope(place.x)
        turn = math.remainder(angle - place.angle, math.tau)
        rise = course.highest(place.x - _HALF_LENGTH, place.x + _HALF_LENGTH) + STANDING + _LIFT - place.y
        if abs(turn) < 0.06 and rise < 0.3:
            self._car.move_as_one(self._physics, (0.0, 0.0), 0.0)
            self._for = None
        elif self._for > _SECONDS:
            self.put_near(place.x)
        else:
            up = min(max(rise / _RESPONSE, 0.0), _FASTEST)
            speed = min(max(turn / _RESPONSE, -_FASTEST_TURN), _FASTEST_TURN)
            self._car.move_as_one(self._physics, (0.0, up), speed)

    def put_near(self, x: float) -> None:
        """Put the car at x, above all that is there, and end."""
        self._for = None
        left, right = x - _HALF_LENGTH, x + _HALF_LENGTH
        top = self._course.highest(left, right)
        colliders = self._physics.debug.colliders
        own = set(self._car.entities)
        for entity, box in zip(colliders.entity.tolist(), colliders.boxes.tolist(), strict=True):
            is_near = box[0] < right and box[2] > left and box[3] < top + 8.0
            if is_near and entity not in own and esper.entity_exists(entity):
                top = max(top, box[3])
        self._car.put_at(x, top + STANDING + _LIFT, self._course.slope(x))
