"""Pose and motion of an entity: ``Transform``, ``Velocity``, ``Acceleration``."""

from __future__ import annotations

import math
from typing import final

from ecsphys.components.store.column import finite_number
from ecsphys.components.store.component import Component


@final
class Transform(Component, tracked=True):
    """Where an entity is: the origin of its colliders' frame.

    ``x``, ``y``: position in world units, y up. ``angle``: radians, counter-clockwise. All finite; the angle is not
    wrapped. Rows A1, A8.
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
class Velocity(Component):
    """How fast a :class:`Transform` moves; without it the entity stays where it is (unless a trajectory moves it).

    ``x``, ``y``: units/s. ``angular``: rad/s, counter-clockwise. A trajectory on the same entity owns ``x`` and ``y``
    and writes them each step. Rows A1, A3.
    """

    x: float = 0.0
    y: float = 0.0
    angular: float = 0.0


@final
class Acceleration(Component):
    """A constant acceleration, added to those of the forces; set it anew each frame for a varying one.

    ``x``, ``y``: units/s². ``angular``: rad/s². Row A10 (F/m is given directly).
    """

    x: float = 0.0
    y: float = 0.0
    angular: float = 0.0
