"""The ways on which bullets fly: straight on, round a circle, on a parabola. All are as long, whatever the speed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

from ecsphys import BallisticTrajectory, CircularTrajectory, Component, Transform, Velocity
from ecsphys.demo.scenes.board import Pair
from ecsphys.demo.scenes.scene import STEP

REACH = 200.0 * STEP
"""How far whatever is fired flies, at any speed, unless something stops it."""

Pose = tuple[float, float, float]
"""x, y, angle."""


class Way(Protocol):
    """Moves one entity, whose ``transform`` it keeps."""

    transform: Transform

    def components(self) -> list[Component]:
        """What moves the entity, its transform included."""
        ...

    def launch(self, speed: float) -> None:
        """Begin at the start, at so many units a second."""
        ...

    def halt(self) -> None:
        """Stay where it is."""
        ...

    def coordinates(self) -> tuple[float, ...]:
        """Where it is, in numbers that change evenly in a step."""
        ...

    def pose(self, coordinates: Sequence[float]) -> Pose:
        """Where that is."""
        ...


class Straight:
    """From ``start`` in a ``direction``, by ``share`` of the speed; by the end it has turned by ``turn`` on its way."""

    def __init__(self, start: Pose, direction: float = 0.0, share: float = 1.0, turn: float = 0.0) -> None:
        self.start = start
        self.direction = direction
        self.share = share
        self.turn = turn
        self.transform = Transform(*start)
        self.velocity = Velocity()

    def components(self) -> list[Component]:
        return [self.transform, self.velocity]

    def launch(self, speed: float) -> None:
        self.transform.x, self.transform.y, self.transform.angle = self.start
        self.velocity.x = self.share * speed * math.cos(self.direction)
        self.velocity.y = self.share * speed * math.sin(self.direction)
        self.velocity.angular = self.turn * speed / REACH

    def halt(self) -> None:
        self.velocity.x = self.velocity.y = self.velocity.angular = 0.0

    def coordinates(self) -> tuple[float, ...]:
        return self.transform.x, self.transform.y, self.transform.angle

    def pose(self, coordinates: Sequence[float]) -> Pose:
        x, y, angle = coordinates
        return x, y, angle


class Circling:
    """On a ``CircularTrajectory``, from an angle on counter-clockwise."""

    def __init__(self, center: Pair, radius: float, start: float) -> None:
        self.start = start
        self.transform = Transform()
        self.path = CircularTrajectory(*center, radius, 0.0, start)

    def components(self) -> list[Component]:
        return [self.transform, self.path]

    def launch(self, speed: float) -> None:
        self.path.phase, self.path.elapsed = self.start, 0.0
        self.path.angular_speed = speed / self.path.radius
        self.transform.x, self.transform.y, _ = self.pose((self.start,))

    def halt(self) -> None:
        (self.path.phase,) = self.coordinates()
        self.path.angular_speed = 0.0

    def coordinates(self) -> tuple[float, ...]:
        return (self.path.phase + self.path.angular_speed * self.path.elapsed,)

    def pose(self, coordinates: Sequence[float]) -> Pose:
        (angle,) = coordinates
        path = self.path
        return path.center_x + path.radius * math.cos(angle), path.center_y + path.radius * math.sin(angle), 0.0


class Thrown:
    """On a ``BallisticTrajectory``, from ``start`` by ``way``, falling by ``fall`` besides."""

    def __init__(self, start: Pair, way: Pair, fall: float) -> None:
        self.start = start
        self.way = way
        self.fall = fall
        self.transform = Transform()
        self.path = BallisticTrajectory(*start, 0.0, 0.0)
        self._rate = 1.0  # of the whole way in a second

    def components(self) -> list[Component]:
        return [self.transform, self.path]

    def launch(self, speed: float) -> None:
        self._rate = speed / REACH
        path = self.path
        path.x, path.y = self.start
        path.vx, path.vy = self._rate * self.way[0], self._rate * self.way[1]
        path.ay, path.elapsed = -2.0 * self.fall * self._rate**2, 0.0
        self.transform.x, self.transform.y = self.start

    def halt(self) -> None:
        path = self.path
        path.x, path.y = self.transform.x, self.transform.y
        path.vx = path.vy = path.ay = path.elapsed = 0.0

    def coordinates(self) -> tuple[float, ...]:
        return (self._rate * self.path.elapsed,)

    def pose(self, coordinates: Sequence[float]) -> Pose:
        (part,) = coordinates
        return self.start[0] + part * self.way[0], self.start[1] + part * (self.way[1] - part * self.fall), 0.0
