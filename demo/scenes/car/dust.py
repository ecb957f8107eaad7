"""Dust from wheels on the ground, most where they slip."""

from __future__ import annotations

import math

import esper
import numpy as np

from ecsphys import Physics, Transform, Velocity
from ecsphys.demo.scenes.car.vehicle import WHEEL_RADIUS, Car
from ecsphys.demo.scenes.landscape.mesh import Mesh
from ecsphys.demo.scenes.rigid.tint import hue
from ecsphys.demo.scenes.sketch import Sketch
from ecsphys.effects import Emitter, Splash
from ecsphys.systems import ParticleSystem

_COLOR = hue(0xE9B9A0)
_SLIP = 1.2
"""Units/s between tyre and ground from which on there is dust."""
_PER_SLIP, _PER_SPEED, _MOST = 22.0, 0.6, 90.0
"""Puffs per second for each unit/s of slip and of speed, and the most of them."""
_ALPHA = 0.3


class Dust(esper.Processor):
    """Puffs at the wheels after each step, and their picture."""

    def __init__(self, physics: Physics, car: Car, grounds: list[int], particles: ParticleSystem) -> None:
        self._physics = physics
        self._grounds = frozenset(grounds)
        self._car = car
        self._particles = particles
        self._mesh = Mesh()
        self._due = 0.0
        self._style = Emitter(
            vy=0.9,
            vx_spread=0.9,
            vy_spread=0.5,
            splash=Splash.NORMAL,
            lifetime=0.9,
            lifetime_spread=0.35,
            gravity_scale=-0.04,
            drag=2.2,
        )

    def process(self, dt: float) -> None:
        for wheel in self._car.wheels:
            for hit in self._physics.hits.of(wheel):
                seen = hit.seen_from(wheel)
                if seen.entity_b in self._grounds:
                    self._blow(wheel, seen.normal, dt)

    def _blow(self, wheel: int, normal: tuple[float, float], dt: float) -> None:
        """Blow up dust where a wheel touches the ground, with the ``normal`` from the one to the other."""
        place = esper.component_for_entity(wheel, Transform)
        velocity = esper.component_for_entity(wheel, Velocity)
        along = velocity.y * normal[0] - velocity.x * normal[1]
        # A wheel that rolls has no speed where it touches.
        slip = along + WHEEL_RADIUS * velocity.angular
        rate = min(_PER_SLIP * max(abs(slip) - _SLIP, 0.0) + _PER_SPEED * abs(along), _MOST)
        self._due += rate * dt
        count = int(self._due)
        if not count:
            return
        self._due -= count
        self._style.vx = 0.3 * slip
        x, y = (at + WHEEL_RADIUS * part for at, part in zip((place.x, place.y), normal, strict=True))
        self._particles.burst(x, y, count, self._style, math.atan2(normal[0], -normal[1]))

    def paint(self, sketch: Sketch) -> None:
        """Soft discs that grow and fade."""
        particles = self._particles
        if not len(particles):
            return
        age = particles.age / particles.lifetime
        tints = np.empty((len(age), 4))
        tints[:, :3] = _COLOR
        tints[:, 3] = _ALPHA * (1.0 - age) * np.minimum(8.0 * age, 1.0)
        self._mesh.puffs(particles.position, 0.12 + 0.5 * age, tints)
        self._mesh.draw(sketch)
