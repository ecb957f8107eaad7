"""Pose and motion of an entity: ``Transform``, ``Velocity``, ``Acceleration``."""

from __future__ import annotations

import math
from typing import final

from ecsphys.components.store.column import finite_number
from ecsphys.components.store.typed_components import FloatComponent


@final
class Transform(FloatComponent, tracked=True):
    """Where an entity is: the origin of the frame in which its colliders are placed.

    Parameters
    ----------
    x, y
        Position in world units, y up.
    angle
        Radians, counter-clockwise, not wrapped. Chapters A1, A8.

    Examples
    --------
    >>> player = esper.create_entity(Transform(3, 4), CircleCollider(0.5))
    >>> transform = esper.component_for_entity(player, Transform)
    >>> transform.x += 1
    >>> transform
    Transform(x=4.0, y=4.0, angle=0.0)
    """

    x: float = 0.0
    y: float = 0.0
    angle: float = 0.0

    @property
    def degrees(self) -> float:
        """The angle in degrees; may be assigned."""
        return math.degrees(self.angle)

    @degrees.setter
    def degrees(self, value: float) -> None:
        self.angle = math.radians(finite_number("Transform.degrees", value))


@final
class Velocity(FloatComponent, pushing=True):
    """How fast an entity moves. Without it the entity stays where it is, unless a trajectory moves it.

    A trajectory on the same entity writes ``x`` and ``y`` in each step.

    ``x`` and ``y`` are the velocity of the entity's position. For a dynamic ``RigidBody`` they are the velocity of its
    center of mass, which depends on its colliders. Its momentum is mass · (x, y), and its position circles the center
    as it spins. If you add or remove a collider, the center moves; the numbers stay, and are the velocity of the new
    center.

    Parameters
    ----------
    x, y
        Units/s.
    angular
        Radians/s, counter-clockwise. Chapters A1, A3.

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> ball = esper.create_entity(Transform(0, 0), Velocity(2, 0))
    >>> esper.process(0.5)
    >>> esper.component_for_entity(ball, Transform).x
    1.0
    """

    x: float = 0.0
    y: float = 0.0
    angular: float = 0.0


@final
class Acceleration(FloatComponent, pushing=True):
    """A constant acceleration of an entity with a ``Velocity``, in addition to forces.

    If the acceleration varies, assign it in each frame.

    Parameters
    ----------
    x, y
        Units/s².
    angular
        Radians/s², counter-clockwise. Chapter A10.

    Examples
    --------
    >>> rocket = esper.create_entity(Transform(), Velocity(), Acceleration(y=12.0))
    """

    x: float = 0.0
    y: float = 0.0
    angular: float = 0.0
