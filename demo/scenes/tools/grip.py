"""The mouse in a world with rigid bodies: it picks one up, pulls it along, and throws it."""

from __future__ import annotations

import math

import esper

from ecsphys import MouseJoint, Physics, Transform

REACH = 0.3
"""How far from a body, in units, the mouse still picks it up, unless it is told."""
_NEAREST = 8
"""How many colliders are asked for: the dynamic body may lie under things that are none."""
_STRENGTH = 1500.0
"""The acceleration, in units/s², that it pulls a body with at most: enough for the lowest box of a pyramid."""


class Grip:
    """At most one body of one world, held by a ``MouseJoint`` at the point where it was picked up."""

    def __init__(self, physics: Physics) -> None:
        self.physics = physics
        self._joint: int | None = None

    @property
    def held(self) -> int | None:
        """The body that is held."""
        joint = self._mouse_joint()
        return None if joint is None else joint.entity_a

    def under(self, x: float, y: float, reach: float = REACH) -> int | None:
        """The dynamic body at (x, y), or the nearest within ``reach`` units."""
        for found in self.physics.nearest((x, y), k=_NEAREST, max_distance=reach):
            if self._mass_of(found.entity) is not None:
                return found.entity
        return None

    def press(self, x: float, y: float, reach: float = REACH) -> bool:
        """Pick up the dynamic body at (x, y), or one within ``reach`` units, and wake it; whether there is one."""
        self.release()
        entity = self.under(x, y, reach)
        mass = None if entity is None else self._mass_of(entity)
        if entity is None or mass is None:
            return False
        joint = MouseJoint.at(entity, x, y, damping_ratio=1.0, max_force=_STRENGTH * mass)
        self._joint = esper.create_entity(joint)
        self.physics.bodies.wake([entity])
        return True

    def move(self, x: float, y: float) -> None:
        """The mouse is at (x, y) now."""
        joint = self._mouse_joint()
        if joint is not None:
            joint.target = (x, y)

    def release(self) -> None:
        """Let the body go, as fast as it is."""
        if self._joint is not None and esper.entity_exists(self._joint):
            esper.delete_entity(self._joint, immediate=True)
        self._joint = None

    def line(self) -> tuple[tuple[float, float], tuple[float, float]] | None:
        """From where the body is held to where it is pulled."""
        joint = self._mouse_joint()
        if joint is None:
            return None
        place = esper.component_for_entity(joint.entity_a, Transform)
        c, s = math.cos(place.angle), math.sin(place.angle)
        anchor = place.x + c * joint.x_a - s * joint.y_a, place.y + s * joint.x_a + c * joint.y_a
        return anchor, joint.target

    def _mouse_joint(self) -> MouseJoint | None:
        """The joint, while there is one: it goes with the body that it holds."""
        if self._joint is None or not esper.entity_exists(self._joint):
            return None
        joint = esper.try_component(self._joint, MouseJoint)
        return joint if joint is not None and esper.entity_exists(joint.entity_a) else None

    def _mass_of(self, entity: int) -> float | None:
        """The mass of a dynamic body; None for what is none."""
        try:
            return self.physics.bodies.mass_of(entity).mass
        except ValueError:
            return None
