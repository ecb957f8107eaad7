"""Wheels that drive over a bridge, one after another."""

from __future__ import annotations

import math

import esper
import numpy as np

import ecsphys
from ecsphys import CircleCollider, MouseJoint, Physics, RigidBody, Transform, Velocity
from ecsphys.demo.scenes.cached_join import CachedJoin
from ecsphys.demo.scenes.patterns.pattern import RUBBER
from ecsphys.demo.scenes.rigid.sinking import Sinking
from ecsphys.demo.scenes.rigid.stage import LEFT
from ecsphys.demo.scenes.rigid.tint import BRIGHT, blend, put
from ecsphys.demo.scenes.tools.blast import DynamicBodies

EVERY = 1.8
"""Seconds from one wheel to the next."""
_MOST = 16
_GONE = -3.0
"""Below this nothing can be seen."""
_DRIVE, _PUSH = 4.5, 5.0
"""The speed that wheels keep, units/s, and how hard they push until they have it, units/s²."""


class Motor(ecsphys.Component):
    """Turns an entity clockwise, by a torque, as long as it is slow."""

    torque: float


class Wheels(esper.Processor):
    """Rolls one wheel after another over a bridge, and deletes wheels that have fallen out of the picture.

    If there are too many, the oldest sinks, unless the mouse holds it. A wheel that falls beyond ``far`` has crossed.
    """

    def __init__(self, physics: Physics, rng: np.random.Generator, far: float) -> None:
        self.every, self.density = EVERY, 1.0
        self.crossed = 0
        """How many have come to the other bank."""
        self._physics = physics
        self._far = far
        self._rng = rng
        self._driven = CachedJoin(Motor, Velocity)
        self._clock = EVERY
        self._count = 0
        self._wheels: list[int] = []
        self._sinking = Sinking()
        self._bodies = DynamicBodies()

    def process(self, dt: float) -> None:
        self._sinking.advance(dt)
        entities, _, _ = self._bodies()
        places = self._bodies.places()
        fallen = places[:, 1] < _GONE
        self.crossed += int((fallen & (places[:, 0] > self._far)).sum())
        for entity in entities[fallen].tolist():
            esper.delete_entity(entity, immediate=True)
        self._drive()
        self._clock += dt
        if self._clock >= self.every:
            self._clock = 0.0
            self._roll()

    def _drive(self) -> None:
        entities, motors, velocities = self._driven()
        slow = Velocity.column("x", writable=False)[velocities] < _DRIVE
        self._physics.bodies.apply_torque(entities[slow], -Motor.column("torque", writable=False)[motors[slow]])

    def _roll(self) -> None:
        radius = float(self._rng.uniform(0.4, 0.85))
        place, start = Transform(LEFT + 1.2, 15.6), Velocity(2.0)
        body = RigidBody(density=self.density, friction=0.9)
        motor = Motor(self.density * math.pi * radius**3 * _PUSH)
        color = blend(BRIGHT, self._count % 8 / 7)
        self._wheels.append(put(color, place, start, CircleCollider(radius), body, motor, pattern=RUBBER))
        self._count += 1
        self._wheels = [wheel for wheel in self._wheels if esper.entity_exists(wheel)]
        if len(self._wheels) > _MOST:
            held = {joint.entity_a for _, joint in esper.get_component(MouseJoint)}
            oldest = next(wheel for wheel in self._wheels if wheel not in held)
            self._wheels.remove(oldest)
            self._sinking.add([oldest])
