"""The keys drive the car. Before the first key it drives by itself."""

from __future__ import annotations

import math

import esper

from ecsphys import InputState
from ecsphys.demo.scenes.car.course import Course
from ecsphys.demo.scenes.car.righting import Righting
from ecsphys.demo.scenes.car.vehicle import Car

MOTOR = 15.0
"""Radians per second of the wheels."""
_TORQUE, _COAST, _BRAKE = 26.0, 20.0, 70.0
"""The largest torque of each motor: driving, without a key, and with the brake."""
_PARKING_SPEED = 2.0
_ON_BACK, _ON_BACK_SECONDS = 0.25, 2.0
"""The cosine of its angle below which it lies on its back or nose."""
_LOST_DEPTH, _LOST_SECONDS = 4.0, 1.0
"""How far below the ground's edges a car is lost, and when it is fetched."""
_SELF_SPEED = 0.65
"""The part of the motor's speed with which it drives by itself."""


class Driver(esper.Processor):
    """Steers a car: x of ``keys`` drives, y drives forwards or brakes. Without a key the car comes to a stand."""

    def __init__(self, course: Course, car: Car, righting: Righting) -> None:
        self.keys = InputState()
        self.speed = MOTOR
        self.drives_itself = True
        """Until the first key, and never again."""
        self.course = course
        self.car = car
        self._righting = righting
        self._way = 1.0
        self._is_parked = False
        """Whether the car is stopped, after rolling out, and stays where it is, also on a slope."""
        self._on_back_for = 0.0
        self._lost_for = 0.0
        self._last_ground = self._start = self._farthest = car.place.x

    @property
    def farthest(self) -> float:
        """How far from its start the car has come."""
        return self._farthest - self._start

    def right(self) -> None:
        """Right the car where it is."""
        self.drives_itself = False
        self._righting.begin()

    def process(self, dt: float) -> None:
        way, brakes = self.keys.x or max(self.keys.y, 0.0), self.keys.y < 0.0
        if way or brakes:
            self.drives_itself = False
        self._watch(dt)
        if self._righting.is_active:
            self._righting.process(dt)
            way, brakes = 0.0, True
        elif self.drives_itself:
            way = self._own_way()
        if brakes:
            self.car.drive(0.0, _BRAKE)
        elif way:
            self.car.drive(self.speed * way, _TORQUE)
        else:
            self._is_parked |= abs(self.car.velocity.x) < _PARKING_SPEED
            self.car.drive(0.0, _BRAKE if self._is_parked else _COAST)
            return
        self._is_parked = False

    def _own_way(self) -> float:
        """Forwards to the end of the way, then back to its start, not at full speed."""
        if self.car.place.x > self.course.end - 10.0:
            self._way = -1.0
        elif self.car.place.x < self.course.start + 6.0:
            self._way = 1.0
        return _SELF_SPEED * self._way

    def _watch(self, dt: float) -> None:
        """Right the car that lies on its back for a while, and fetch the one that has fallen into a gorge.

        Nothing jumps in the player's hand: both wait while the mouse holds the car.
        """
        if self.car.is_held:
            self._on_back_for = self._lost_for = 0.0
            return
        place, course = self.car.place, self.course
        self._on_back_for = self._on_back_for + dt if math.cos(place.angle) < _ON_BACK else 0.0
        if self._on_back_for > _ON_BACK_SECONDS:
            self._on_back_for = 0.0
            self._righting.begin()
        is_lost = place.y < course.height(place.x) - _LOST_DEPTH or not course.left < place.x < course.right
        self._lost_for = self._lost_for + dt if is_lost else 0.0
        if self._lost_for > _LOST_SECONDS:
            self._lost_for = 0.0
            self._righting.put_near(self._last_ground)
        elif not is_lost and course.start + 3.0 < place.x < course.end - 3.0 and course.is_ground(place.x):
            self._last_ground = place.x
            self._farthest = max(self._farthest, place.x)
