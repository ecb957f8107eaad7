"""The cells of Disabled and HitListener in the scene of entities.

A cell is a processor that runs before the step, and paints itself after it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

import esper
import numpy as np

from ecsphys import (
    AABBCollider,
    CircleCollider,
    Collider,
    CollisionFilter,
    Disabled,
    HitListener,
    LinearTrajectory,
    OBBCollider,
    Physics,
    PolygonCollider,
    Transform,
    Velocity,
)
from ecsphys.demo import palette
from ecsphys.demo.scenes.board import Board, Pair
from ecsphys.demo.scenes.boundaries import Loop
from ecsphys.demo.scenes.boxes import clamped
from ecsphys.demo.scenes.drawing.numerals import draw_number, legible
from ecsphys.demo.scenes.drawing.outlines import draw_dashed, outline
from ecsphys.demo.scenes.scene import Pointer
from ecsphys.demo.scenes.sketch import Sketch
from ecsphys.types import Hit

FADE = 3.5
"""The rate, in 1/s, at which a flash goes out."""
_HEXAGON = [(math.cos(k * math.pi / 3.0), math.sin(k * math.pi / 3.0)) for k in range(6)]


def hitting(physics: Physics) -> set[int]:
    """All entities that hit something."""
    return {*physics.hits.entity_a.tolist(), *physics.hits.entity_b.tolist()}


def _scaled(points: Iterable[Pair], factor: float) -> list[Pair]:
    return [(factor * x, factor * y) for x, y in points]


class DisabledCell(esper.Processor, Pointer):
    """A hexagon in the way of a stream, out of detection every other while; how the stream's hits with it end."""

    middle = (-9.8, 3.4)
    _size = 1.7

    def __init__(self, physics: Physics) -> None:
        self.physics = physics
        self.period = 1.4
        self.reasons: Counter[str] = Counter()
        self._clock = 0.0
        self.gate = Transform(*self.middle)
        self.hexagon = PolygonCollider(_scaled(_HEXAGON, self._size))
        self.entity = esper.create_entity(self.gate, Velocity(angular=0.3), self.hexagon)
        self.stream: list[tuple[int, Transform, CircleCollider]] = []
        for number in range(20):
            lane, place = number % 5, number // 5
            disc = Transform(), CircleCollider(0.3)
            path = LinearTrajectory(-16.4, 1.0 + 1.2 * lane, 3.0, 0.0, elapsed=place + 0.37 * lane)
            entity = esper.create_entity(*disc, path, Loop(4.0), CollisionFilter(group=-11))
            self.stream.append((entity, *disc))

    @property
    def is_disabled(self) -> bool:
        """Whether the hexagon is out of the way."""
        return esper.has_component(self.entity, Disabled)

    def process(self, dt: float) -> None:
        ended = self.physics.hits.ended
        self.reasons.update(ended.reason[(ended.entity_a == self.entity) | (ended.entity_b == self.entity)].tolist())
        self._clock += dt
        if self._clock >= self.period:
            self.toggle()

    def toggle(self) -> None:
        """Take the hexagon out of the way, or put it back."""
        self._clock = 0.0
        if self.is_disabled:
            esper.remove_component(self.entity, Disabled)
        else:
            esper.add_component(self.entity, Disabled())

    def press(self, x: float, y: float) -> bool:
        """A click on the hexagon switches it."""
        is_on = math.dist((x, y), self.middle) < self._size
        if is_on:
            self.toggle()
        return is_on

    def paint(self, board: Board, sketch: Sketch) -> None:
        """The hexagon as a ghost while it is disabled; the ends by their reasons."""
        lit = hitting(self.physics)
        corners = outline(self.hexagon, self.gate)
        if self.is_disabled:
            draw_dashed(board, corners)
        else:
            board.polygon(corners, self.entity in lit, palette.COLLIDERS[5])
        for entity, disc, collider in self.stream:
            board.circle((disc.x, disc.y), collider.radius, entity in lit, palette.COLLIDERS[0])
        for y, reason in ((4.45, "disabled"), (1.85, "separated")):
            draw_number(board, str(self.reasons[reason]), (-3.1, y), legible(0.5, sketch.pixel), palette.LIT, 2.2)


class Target:
    """Counts its own hits, and flashes where and which way the last one was."""

    def __init__(self, transform: Transform, collider: Collider, spin: float) -> None:
        self.transform = transform
        self.collider = collider
        self.count = 0
        self.flash = 0.0
        self.point = self.normal = (0.0, 0.0)
        listener = HitListener(on_started=self._on_hit)
        self.entity = esper.create_entity(transform, Velocity(angular=spin), collider, listener)

    def _on_hit(self, hit: Hit) -> None:
        self.count += 1
        self.flash = 1.0
        self.point, self.normal = hit.points[0], hit.normal


class Ball:
    """Turns its velocity back at whatever it hits."""

    def __init__(self, x: float, y: float, direction: float, speed: float, radius: float, group: int) -> None:
        self.transform = Transform(x, y)
        self.velocity = Velocity(speed * math.cos(direction), speed * math.sin(direction))
        self.radius = radius
        listener = HitListener(on_started=self._bounce, on_ongoing=self._bounce)
        own = CollisionFilter(group=group)
        self.entity = esper.create_entity(self.transform, self.velocity, CircleCollider(radius), own, listener)

    def _bounce(self, hit: Hit) -> None:
        velocity, (nx, ny) = self.velocity, hit.normal
        into = velocity.x * nx + velocity.y * ny
        if into > 0.0:
            velocity.x -= 2.0 * into * nx
            velocity.y -= 2.0 * into * ny


class ListenerCell(esper.Processor, Pointer):
    """Balls in a box with three targets: only the listeners look at a hit."""

    box = (0.5, 0.4, 16.5, 6.5)
    _wall = 0.3
    _reach = 1.6

    def __init__(self, physics: Physics) -> None:
        self.speed = 5.0
        self._held: Target | None = None
        low_x, low_y, high_x, high_y = self.box
        x, y, wall = 0.5 * (low_x + high_x), 0.5 * (low_y + high_y), self._wall
        for side in (low_x - wall, high_x + wall):
            esper.create_entity(Transform(side, y), AABBCollider(wall, 0.5 * (high_y - low_y)))
        for side in (low_y - wall, high_y + wall):
            esper.create_entity(Transform(x, side), AABBCollider(0.5 * (high_x - low_x), wall))
        self.targets = [
            Target(Transform(3.9, 3.0), CircleCollider(1.05), 0.0),
            Target(Transform(8.5, 4.0), PolygonCollider(_scaled(_HEXAGON, 1.15)), -0.4),
            Target(Transform(13.1, 2.9), OBBCollider(1.5, 0.75), 0.5),
        ]
        self.balls = [
            Ball(1.5 + 2.0 * number, 1.2 + 4.6 * (number % 2), 0.7 + 1.9 * number, self.speed, 0.22, -12)
            for number in range(8)
        ]

    def press(self, x: float, y: float) -> bool:
        """Take the target at a place."""
        nearest = min(self.targets, key=lambda target: math.dist((target.transform.x, target.transform.y), (x, y)))
        is_on = math.dist((nearest.transform.x, nearest.transform.y), (x, y)) < self._reach
        self._held = nearest if is_on else None
        return is_on

    def move(self, x: float, y: float) -> None:
        """The target goes along, within the box."""
        if self._held is not None:
            place = self._held.transform
            place.x, place.y = clamped(self.box, x, y, self._reach)

    def release(self) -> None:
        self._held = None

    def set_speed(self, speed: float) -> None:
        """Of all balls; each goes on in its direction."""
        for ball in self.balls:
            factor = speed / math.hypot(ball.velocity.x, ball.velocity.y)
            ball.velocity.x *= factor
            ball.velocity.y *= factor
        self.speed = speed

    def process(self, dt: float) -> None:
        for target in self.targets:
            target.flash *= math.exp(-FADE * dt)

    def paint(self, board: Board, sketch: Sketch) -> None:
        """The box, the targets with their counts, and light along the normals of their last hits."""
        sketch.boxes(np.array([self.box]), palette.FRAME, 1.0, line=1.5)
        for target in self.targets:
            transform = target.transform
            board.polygon(outline(target.collider, transform), target.flash > 0.3, palette.COLLIDERS[3])
            draw_number(
                board, str(target.count), (transform.x, transform.y), legible(0.55, sketch.pixel), palette.TEXT, 2.2
            )
            if target.flash > 0.02:
                (x, y), (nx, ny) = target.point, target.normal
                a, b = np.array((x, y)), np.array((x + 1.5 * nx, y + 1.5 * ny))
                side = 0.5 * np.array((-ny, nx))
                near, far = (*palette.LIT, 0.9 * target.flash), (*palette.LIT, 0.0)
                sketch.triangles(
                    np.array((a - side, a + side, b + side, a - side, b + side, b - side)),
                    np.array((near, near, far, near, far, far)),
                    np.array((-1.0, 1.0, 1.0, -1.0, 1.0, -1.0)),
                )
                if target.flash > 0.1:
                    board.arrow((x, y), (x + 0.8 * nx, y + 0.8 * ny), palette.CONTACT)
        for ball in self.balls:
            board.circle((ball.transform.x, ball.transform.y), ball.radius, color=palette.COLLIDERS[0])
