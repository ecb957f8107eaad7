"""Scenes in plain data. Every engine is given the very same."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

Point = tuple[float, float]

Kind = Literal["dynamic", "kinematic", "static", "solid"]
"""A "solid" is ground without a body: static, or moving where it has a velocity."""

STEP = 1.0 / 60.0


@dataclass(frozen=True)
class Disc:
    """A disc, by default about the position of its body."""

    radius: float
    x: float = 0.0
    y: float = 0.0


@dataclass(frozen=True)
class Box:
    """A box of half sizes. One that does not turn is an AABB."""

    half_width: float
    half_height: float
    x: float = 0.0
    y: float = 0.0
    angle: float = 0.0
    turns: bool = True

    def corners(self) -> list[Point]:
        """Its corners in the frame of its body, counter-clockwise."""
        w, h = self.half_width, self.half_height
        return [turned(x, y, self.angle, self.x, self.y) for x, y in ((-w, -h), (w, -h), (w, h), (-w, h))]


@dataclass(frozen=True)
class Capsule:
    """All that is nearer than the radius to a centered core along x."""

    length: float
    radius: float

    def ends(self) -> tuple[Point, Point]:
        """The ends of the core."""
        return (-0.5 * self.length, 0.0), (0.5 * self.length, 0.0)


@dataclass(frozen=True)
class Fan:
    """A sector of a disc about the position of its body. Its middle points along x."""

    radius: float
    spread: float

    def corners(self, count: int = 7) -> list[Point]:
        """A polygon inside, for engines without fans."""
        angles = [self.spread * (k / (count - 1) - 0.5) for k in range(count)]
        return [(0.0, 0.0), *((self.radius * math.cos(a), self.radius * math.sin(a)) for a in angles)]


@dataclass(frozen=True)
class Polygon:
    """A convex polygon, counter-clockwise."""

    corners: tuple[Point, ...]


@dataclass(frozen=True)
class Chain:
    """A line through points. Its outside is on the right of the way from first to last."""

    points: tuple[Point, ...]


Shape = Disc | Box | Capsule | Fan | Polygon | Chain


@dataclass(frozen=True)
class Thing:
    """What is in a scene: a body, or ground."""

    x: float
    y: float
    shapes: tuple[Shape, ...]
    kind: Kind = "dynamic"
    angle: float = 0.0
    velocity: Point = (0.0, 0.0)
    spin: float = 0.0
    density: float = 1.0
    friction: float = 0.6
    restitution: float = 0.0
    bullet: bool = False
    rolling: float = 0.0
    """Rolling resistance, in parts of a radius."""
    upright: bool = False
    """Whether its rotation is locked."""
    born: int = 0
    """Before which step it is created, counted from 0."""

    def mass(self) -> float:
        """Of discs and boxes."""
        area = 0.0
        for shape in self.shapes:
            match shape:
                case Disc():
                    area += math.pi * shape.radius**2
                case Box():
                    area += 4.0 * shape.half_width * shape.half_height
                case _:
                    raise TypeError(f"the mass of {shape} is not asked for")
        return area * self.density


@dataclass(frozen=True)
class Joint:
    """A hinge or a weld at a point of the world, between two things by their numbers. Without ``a`` it is the world."""

    what: Literal["hinge", "weld"]
    a: int | None
    b: int
    x: float
    y: float
    limits: tuple[float, float] | None = None
    born: int = 0


@dataclass(frozen=True)
class Scene:
    """All that an engine is told before the first step."""

    things: tuple[Thing, ...]
    joints: tuple[Joint, ...] = ()
    gravity: Point = (0.0, 0.0)
    may_sleep: bool = False
    bounce_from: float = 1.0
    """Slower impacts need not bounce."""
    order: tuple[int, ...] = ()
    """In which things of the same age are created; empty for their own."""

    def born_at(self, step: int) -> list[int]:
        """The things created before a step, in the order of creation."""
        numbers = self.order or tuple(range(len(self.things)))
        return [k for k in numbers if self.things[k].born == step]


@dataclass(frozen=True)
class Take:
    """A scene and the steps it is played in."""

    scene: Scene
    steps: tuple[float, ...]
    keep_every: int = 1
    """Of how many steps one is kept on film, the last always."""
    until_asleep: bool = False
    """Whether it ends as soon as all bodies sleep."""


@dataclass(frozen=True)
class Figure:
    """Something measured. The smaller, the better."""

    name: str
    value: float
    bound: float
    coarse_bound: float = field(default=-1.0)
    """Of engines in single precision; the same where it is negative."""
    like_box2d: bool = False
    """Whether what Box2D has is good enough, where that is more than the bound."""

    def breaks(self, coarse: bool = False) -> bool:
        """Whether it is beyond its bound. NaN is."""
        bound = self.coarse_bound if coarse and self.coarse_bound >= 0.0 else self.bound
        return not self.value <= bound


def turned(x: float, y: float, angle: float, about_x: float = 0.0, about_y: float = 0.0) -> Point:
    """A point of a turned frame, in the frame around."""
    c, s = math.cos(angle), math.sin(angle)
    return about_x + c * x - s * y, about_y + s * x + c * y


def even(seconds: float, step: float = STEP) -> tuple[float, ...]:
    """Even steps for so long."""
    return (step,) * max(round(seconds / step), 1)
