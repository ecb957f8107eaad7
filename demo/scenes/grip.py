"""The mouse in a world with rigid bodies: it picks one up, pulls it along, and throws it."""

from __future__ import annotations

import math

import esper

from ecsphys import Physics, Transform, Velocity

_REACH = 0.3
"""How far from a body, in units, the mouse still picks it up."""
_RATE = 18.0
"""Of the pull, in 1/s: critically damped, it closes in by e^(−rate·t)."""


class Grip:
    """At most one body of one world, held at the point where it was picked up."""

    def __init__(self, physics: Physics) -> None:
        self.physics = physics
        self._body: int | None = None
        self._local = (0.0, 0.0)
        self._target = (0.0, 0.0)

    @property
    def held(self) -> int | None:
        """The body that is held."""
        if self._body is not None and not esper.entity_exists(self._body):
            self._body = None
        return self._body

    def press(self, x: float, y: float) -> bool:
        """Pick up the dynamic body at (x, y), or one near by; whether there is one."""
        self._target = (x, y)
        near = [found.entity for found in self.physics.nearest((x, y), k=4, max_distance=_REACH)]
        self._body = next((entity for entity in near if self._is_dynamic(entity)), None)
        if self._body is None:
            return False
        place = esper.component_for_entity(self._body, Transform)
        c, s = math.cos(place.angle), math.sin(place.angle)
        right, up = x - place.x, y - place.y
        self._local = (c * right + s * up, c * up - s * right)
        return True

    def move(self, x: float, y: float) -> None:
        """The mouse is at (x, y) now."""
        self._target = (x, y)

    def release(self) -> None:
        """Let the body go, as fast as it is."""
        self._body = None

    def line(self) -> tuple[tuple[float, float], tuple[float, float]] | None:
        """From where the body is held to where it is pulled."""
        return None if self.held is None else (self._anchor(), self._target)

    def pull(self) -> None:
        """Pull through the next step."""
        body = self.held
        if body is None or not self._is_dynamic(body):
            return
        bodies = self.physics.bodies
        mass, center, inertia = bodies.mass_of(body)
        velocity = esper.component_for_entity(body, Velocity)
        place = esper.component_for_entity(body, Transform)
        x, y = self._anchor()
        arm = math.dist((x, y), center)
        # At a point beside the centre a body gives way more easily.
        felt = 1.0 / (1.0 / mass + arm * arm / inertia)
        speed_x = velocity.x - velocity.angular * (y - place.y)
        speed_y = velocity.y + velocity.angular * (x - place.x)
        gravity_x, gravity_y = self.physics.gravity
        pull_x = felt * (_RATE**2 * (self._target[0] - x) - 2.0 * _RATE * speed_x) - mass * gravity_x
        pull_y = felt * (_RATE**2 * (self._target[1] - y) - 2.0 * _RATE * speed_y) - mass * gravity_y
        bodies.apply_force(body, (pull_x, pull_y), (x, y))

    def _anchor(self) -> tuple[float, float]:
        assert self._body is not None
        place = esper.component_for_entity(self._body, Transform)
        c, s = math.cos(place.angle), math.sin(place.angle)
        x, y = self._local
        return place.x + c * x - s * y, place.y + s * x + c * y

    def _is_dynamic(self, entity: int) -> bool:
        try:
            self.physics.bodies.mass_of(entity)
        except ValueError:
            return False
        return True
