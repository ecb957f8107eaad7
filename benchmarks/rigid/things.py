"""Bodies in plain numbers, so that every engine can be given the very same."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy import float64
from numpy.typing import NDArray

FRICTION = 0.6


@dataclass(frozen=True)
class Box:
    """A box of half sizes, in the frame of its body."""

    half_width: float
    half_height: float
    x: float = 0.0
    y: float = 0.0
    angle: float = 0.0

    def corners(self) -> list[tuple[float, float]]:
        """Its corners in the frame of its body, counter-clockwise."""
        c, s = math.cos(self.angle), math.sin(self.angle)
        w, h = self.half_width, self.half_height
        return [(self.x + c * x - s * y, self.y + s * x + c * y) for x, y in ((-w, -h), (w, -h), (w, h), (-w, h))]


@dataclass(frozen=True)
class Disc:
    """A disc about the position of its body."""

    radius: float


Shape = Box | Disc


@dataclass(frozen=True)
class Thing:
    """A body of some shapes; ``velocity`` is (x, y, angular), ``friction`` and ``restitution`` those of a contact."""

    x: float
    y: float
    shapes: tuple[Shape, ...]
    angle: float = 0.0
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    density: float = 1.0
    friction: float = FRICTION
    restitution: float = 0.0

    def mass(self) -> tuple[float, float]:
        """Mass, and inertia about the centre, of a body of one shape about its position."""
        (shape,) = self.shapes
        if isinstance(shape, Disc):
            mass = math.pi * shape.radius**2 * self.density
            return mass, 0.5 * mass * shape.radius**2
        mass = 4.0 * shape.half_width * shape.half_height * self.density
        return mass, mass * (shape.half_width**2 + shape.half_height**2) / 3.0


@dataclass(frozen=True)
class Hinge:
    """A hinge at a point of the world between two of what falls, by its rows; without ``b`` it is with the world.

    ``limits``, in radians, and ``motor``, speed in rad/s and the greatest torque, are of a seen from the other.
    """

    a: int
    b: int | None
    x: float
    y: float
    limits: tuple[float, float] | None = None
    motor: tuple[float, float] | None = None


@dataclass
class RigidWorld:
    """What stands, what moves as it is told, and what falls, under a gravity."""

    falling: list[Thing]
    still: list[Thing] = field(default_factory=list)
    turning: list[Thing] = field(default_factory=list)
    hinges: list[Hinge] = field(default_factory=list)
    gravity: tuple[float, float] = (0.0, -10.0)

    def masses(self) -> NDArray[float64]:
        """Mass and inertia (n, 2) of what falls."""
        return np.array([thing.mass() for thing in self.falling])


def floor(friction: float = FRICTION, restitution: float = 0.0) -> Thing:
    """A floor whose top is at 0."""
    return Thing(0.0, -1.0, (Box(500.0, 1.0),), friction=friction, restitution=restitution)


def pyramid(base: int, left: float = 0.0) -> list[Thing]:
    """Boxes in rows, each a box shorter than that below."""
    boxes = (Box(0.5, 0.5),)
    return [
        Thing(left + (column + 0.5 * row - 0.5 * base) * 1.05, 0.5 + 1.0 * row, boxes)
        for row in range(base)
        for column in range(base - row)
    ]
