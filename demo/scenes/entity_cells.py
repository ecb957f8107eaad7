"""The cells of the entities' scene: Disabled, HitListener, CollisionTable and CompoundCollider, one each.

A cell is a processor that runs before the step, and paints itself after it.
"""

from __future__ import annotations

import enum
import math
from collections import Counter
from collections.abc import Iterable

import esper
import numpy as np

from ecsphys import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    Collider,
    CollisionFilter,
    CollisionTable,
    CompoundCollider,
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
from ecsphys.demo.scenes.numerals import draw_number
from ecsphys.demo.scenes.outlines import draw_dashed, outline
from ecsphys.demo.scenes.sketch import Color, Sketch
from ecsphys.types import Hit

_FADE = 3.5  # 1/s, at which a flash goes out
_HEXAGON = [(math.cos(k * math.pi / 3.0), math.sin(k * math.pi / 3.0)) for k in range(6)]


def _hitting(physics: Physics) -> set[int]:
    """All entities that hit something."""
    return {*physics.hits.entity_a.tolist(), *physics.hits.entity_b.tolist()}


def _scaled(points: Iterable[Pair], factor: float) -> list[Pair]:
    return [(factor * x, factor * y) for x, y in points]


class DisabledCell(esper.Processor):
    """A hexagon in the way of a stream, out of detection every other while; how the stream's hits with it end."""

    middle = (-9.8, 3.4)

    def __init__(self, physics: Physics) -> None:
        self.physics = physics
        self.period = 1.4
        self.reasons: Counter[str] = Counter()
        self._clock = 0.0
        self.gate = Transform(*self.middle)
        self.hexagon = PolygonCollider(_scaled(_HEXAGON, 1.7))
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
            self._clock = 0.0
            if self.is_disabled:
                esper.remove_component(self.entity, Disabled)
            else:
                esper.add_component(self.entity, Disabled())

    def paint(self, board: Board, sketch: Sketch) -> None:
        """The hexagon as a ghost while it is disabled; the ends by their reasons."""
        hitting = _hitting(self.physics)
        corners = outline(self.hexagon, self.gate)
        if self.is_disabled:
            draw_dashed(board, corners)
        else:
            board.polygon(corners, self.entity in hitting, palette.COLLIDERS[5])
        for entity, disc, collider in self.stream:
            board.circle((disc.x, disc.y), collider.radius, entity in hitting, palette.COLLIDERS[0])
        for y, reason in ((4.45, "disabled"), (1.85, "separated")):
            draw_number(board, str(self.reasons[reason]), (-3.1, y), 0.5, palette.LIT, 2.2)


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


class ListenerCell(esper.Processor):
    """Balls in a box with three targets: only the listeners look at a hit."""

    box = (0.5, 0.4, 16.5, 6.5)
    _wall = 0.3

    def __init__(self, physics: Physics) -> None:
        self.speed = 5.0
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

    def set_speed(self, speed: float) -> None:
        """Of all balls; each goes on in its direction."""
        for ball in self.balls:
            factor = speed / math.hypot(ball.velocity.x, ball.velocity.y)
            ball.velocity.x *= factor
            ball.velocity.y *= factor
        self.speed = speed

    def process(self, dt: float) -> None:
        for target in self.targets:
            target.flash *= math.exp(-_FADE * dt)

    def paint(self, board: Board, sketch: Sketch) -> None:
        """The box, the targets with their counts, and light along the normals of their last hits."""
        sketch.boxes(np.array([self.box]), palette.FRAME, 1.0, line=1.5)
        for target in self.targets:
            transform = target.transform
            board.polygon(outline(target.collider, transform), target.flash > 0.3, palette.COLLIDERS[3])
            draw_number(board, str(target.count), (transform.x, transform.y), 0.55, palette.TEXT, 2.2)
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


class Layer(enum.IntFlag):
    """What there is in the streams."""

    PLAYER = 1
    FOE = 2
    SHOT = 4
    GHOST = 8


TABLES: dict[str, CollisionTable[Layer]] = {
    "a game": CollisionTable(Layer, {Layer.PLAYER | Layer.SHOT: Layer.FOE, Layer.GHOST: Layer.PLAYER}),
    "no ghosts": CollisionTable(Layer, {~Layer.GHOST: ~Layer.GHOST}),
    "all": CollisionTable(Layer, {~Layer(0): ~Layer(0)}),
    "none": CollisionTable(Layer, {}),
}
LAYER_COLORS: dict[Layer, Color] = dict(
    zip(Layer, (palette.COLLIDERS[0], palette.COLLIDERS[4], palette.COLLIDERS[2], palette.COLLIDERS[3]), strict=True)
)


class LayersCell(esper.Processor):
    """Four streams that cross, and the table that says which layers meet, lit where they do."""

    rows = (-2.75, -3.85, -4.95, -6.05)
    """Of the table, by layer."""

    def __init__(self, physics: Physics) -> None:
        self.physics = physics
        self.table = "a game"
        self.layers: dict[int, Layer] = {}
        self._filters: list[tuple[Layer, CollisionFilter]] = []
        self._discs: list[tuple[int, Transform]] = []
        self._heat = {(row, column): 0.0 for row in Layer for column in Layer}
        for lane in range(3):
            y, x = -2.2 - 1.9 * lane, -14.6 + 2.6 * lane
            ways = (
                (Layer.PLAYER, (-16.4, y), (2.2, 0.0), 4.0),
                (Layer.FOE, (-7.6, y), (-2.2, 0.0), 4.0),
                (Layer.SHOT, (x, -7.6), (0.0, 2.1), 3.0),
                (Layer.GHOST, (x, -1.3), (0.0, -2.1), 3.0),
            )
            for layer, start, velocity, period in ways:
                for place in range(2):
                    self._add(layer, start, velocity, period, (0.5 * place + 0.23 * lane) * period)

    def _add(self, layer: Layer, start: Pair, velocity: Pair, period: float, elapsed: float) -> None:
        own = TABLES[self.table].filter(layer)
        transform = Transform()
        path = LinearTrajectory(*start, *velocity, elapsed=elapsed % period)
        entity = esper.create_entity(transform, path, CircleCollider(0.3), Loop(period), own)
        self.layers[entity] = layer
        self._filters.append((layer, own))
        self._discs.append((entity, transform))

    def set_table(self, name: str) -> None:
        """Change which layers meet."""
        self.table = name
        for layer, own in self._filters:
            own.mask = TABLES[name].mask(layer)

    def process(self, dt: float) -> None:
        for pair in self._heat:
            self._heat[pair] *= math.exp(-_FADE * dt)
        hits = self.physics.hits
        for a, b in zip(hits.entity_a.tolist(), hits.entity_b.tolist(), strict=True):
            if a in self.layers and b in self.layers:
                one, other = self.layers[a], self.layers[b]
                self._heat[one, other] = self._heat[other, one] = 1.0

    def paint(self, board: Board, sketch: Sketch) -> None:
        """Streams in their layers' colours, and the table."""
        hitting = _hitting(self.physics)
        for entity, transform in self._discs:
            place = transform.x, transform.y
            board.circle(place, 0.3, color=LAYER_COLORS[self.layers[entity]])
            if entity in hitting:
                board.circle(place, 0.3, lit=True)
                board.dot(place, LAYER_COLORS[self.layers[entity]], 4.0)
        table = TABLES[self.table]
        columns = dict(zip(Layer, (-4.0, -2.95, -1.9, -0.85), strict=True))
        for row, y in zip(Layer, self.rows, strict=True):
            board.circle((-4.95, y), 0.2, color=LAYER_COLORS[row])
            board.circle((columns[row], -1.75), 0.2, color=LAYER_COLORS[row])
            for column, x in columns.items():
                box = np.array([[x - 0.42, y - 0.42, x + 0.42, y + 0.42]])
                sketch.boxes(box, palette.LIT, 0.75 * self._heat[row, column], fill=1.0)
                sketch.boxes(box, palette.FRAME, 1.0, line=1.2)
                if table.meets(row, column):
                    board.dot((x, y), palette.TEXT, 5.0)


class PartsCell(esper.Processor):
    """A ship of five parts in a hail of stones; the part that was hit lights up beside its name."""

    middle = (5.6, -4.3)
    names = ("nose", "hull", "left wing", "right wing", "engine")
    lamps = (11.9, -2.1, 1.05)
    """x, y of the first, and how far the next is below."""

    def __init__(self, physics: Physics, rng: np.random.Generator) -> None:
        self._rng = rng
        self.ship = Transform(*self.middle, 0.4)
        self.turning = Velocity(angular=0.35)
        wing = [(-0.5, 0.3), (0.5, 0.3), (-0.3, 1.5), (-0.9, 1.5)]
        self.compound = CompoundCollider(
            [
                PolygonCollider([(1.2, -0.35), (2.2, 0.0), (1.2, 0.35)]),
                OBBCollider(1.2, 0.35),
                PolygonCollider(wing),
                PolygonCollider([(x, -y) for x, y in wing]),
                CapsuleCollider(0.6, 0.3, offset_x=-1.4, angle=0.5 * math.pi),
            ]
        )
        self.counts = [0] * len(self.names)
        self._flash = [0.0] * len(self.names)
        self._points: list[Pair] = [self.middle] * len(self.names)
        esper.create_entity(self.ship, self.turning, self.compound, HitListener(on_started=self._on_hit))
        self.stones = [Ball(*self.middle, 0.0, 3.0, 0.2, -13) for _ in range(7)]
        for stone in self.stones:
            self._throw(stone)

    def _on_hit(self, hit: Hit) -> None:
        part = hit.part_a
        if part is not None:
            self.counts[part] += 1
            self._flash[part] = 1.0
            self._points[part] = hit.points[0]

    def _throw(self, stone: Ball) -> None:
        """From somewhere around, past the ship's middle."""
        around = self._rng.uniform(0.0, math.tau)
        x, y = 5.0 * math.cos(around), 3.0 * math.sin(around)
        to_x, to_y = self._rng.uniform(-1.6, 1.6, 2)
        length = math.hypot(to_x - x, to_y - y)
        stone.transform.x, stone.transform.y = self.middle[0] + x, self.middle[1] + y
        stone.velocity.x, stone.velocity.y = 3.0 * (to_x - x) / length, 3.0 * (to_y - y) / length

    def process(self, dt: float) -> None:
        self._flash = [flash * math.exp(-_FADE * dt) for flash in self._flash]
        for stone in self.stones:
            if math.hypot((stone.transform.x - self.middle[0]) / 5.1, (stone.transform.y - self.middle[1]) / 3.1) > 1.0:
                self._throw(stone)

    def paint(self, board: Board, sketch: Sketch) -> None:
        """The ship, the stones, and a lamp for each part, tied to where it was hit."""
        x, first, down = self.lamps
        for number, (part, flash) in enumerate(zip(self.compound.parts, self._flash, strict=True)):
            board.polygon(outline(part, self.ship), flash > 0.25, palette.COLLIDERS[5])
            lamp = x, first - down * number
            board.circle(lamp, 0.2, flash > 0.25)
            draw_number(board, str(self.counts[number]), (15.9, lamp[1]), 0.4, palette.LIT, 1.8)
            if flash > 0.02:
                board.line(self._points[number], lamp, palette.LIT, 1.5, flash)
        for stone in self.stones:
            board.circle((stone.transform.x, stone.transform.y), stone.radius, color=palette.COLLIDERS[0])
