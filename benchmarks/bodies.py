"""Rigid bodies: whole steps with hits, of the same scenes in ecsphys, Box2D (pyb2d3) and pymunk, by turns in one run.

Equal substeps (pymunk: iterations), nothing sleeps. Positions are read after each step as arrays by those who can.
"""

from __future__ import annotations

import itertools
import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import esper
import numpy as np
import pyb2d3
import pymunk
import pymunk.batch
from numpy import float32
from numpy.typing import NDArray

import ecsphys
from benchmarks.contest import STEP
from ecsphys import CircleCollider, CompoundCollider, OBBCollider, RigidBody, Solid, Transform, Velocity

SUBSTEPS = 4
ITERATIONS = 10
_GRAVITY = (0.0, -10.0)
_FRICTION = 0.6

_WARM_UP_STEPS = 180
_STEPS = 60

_world_numbers = itertools.count(1)


@dataclass(frozen=True)
class Box:
    """A box of half sizes, in the frame of its body."""

    half_width: float
    half_height: float
    x: float = 0.0
    y: float = 0.0
    angle: float = 0.0


@dataclass(frozen=True)
class Disc:
    """A disc about the position of its body."""

    radius: float


Shape = Box | Disc


@dataclass(frozen=True)
class Thing:
    """A body of some shapes; ``spin``, rad/s, is that of a kinematic one."""

    x: float
    y: float
    shapes: tuple[Shape, ...]
    angle: float = 0.0
    spin: float | None = None


@dataclass
class BodyScene:
    """What stands, what turns, and what falls; with what a step may take at least and at best of that of peers."""

    name: str
    at_least: tuple[float, float]
    aim: tuple[float, float]
    still: list[Thing] = field(default_factory=list)
    turning: list[Thing] = field(default_factory=list)
    falling: list[Thing] = field(default_factory=list)


@dataclass(frozen=True)
class BodyOutcome:
    """Medians in ms of a step of a scene; how many bodies fall, and how many hits ours had in the last step."""

    scene: BodyScene
    bodies: int
    hits: int
    ours: float
    box2d: float
    pymunk: float


class _Engine(Protocol):
    def step(self) -> None: ...


def pyramid(base: int, left: float = 0.0) -> list[Thing]:
    """Boxes in rows, each a box shorter than that below."""
    boxes = (Box(0.5, 0.5),)
    return [
        Thing(left + (column + 0.5 * row - 0.5 * base) * 1.05, 0.5 + 1.0 * row, boxes)
        for row in range(base)
        for column in range(base - row)
    ]


def scenes() -> list[BodyScene]:
    """The scenes of the table, in its order."""
    floor = Thing(0.0, -1.0, (Box(500.0, 1.0),))
    walls = [Thing(x, 50.0, (Box(1.0, 60.0),)) for x in (-41.0, 41.0)]
    side = 20.0
    drum = Thing(
        0.0,
        0.0,
        (
            Box(0.5, side, side),
            Box(0.5, side, -side),
            Box(side, 0.5, 0.0, side),
            Box(side, 0.5, 0.0, -side),
        ),
        spin=0.4,
    )
    rng = np.random.default_rng(3)
    mixed: list[Thing] = []
    for k in range(2000):
        shape: Shape = Disc(0.35) if k % 2 else Box(0.3, 0.3)
        mixed.append(Thing(0.8 * (k % 44 - 22) + 0.3, 0.8 * (k // 44 - 22), (shape,), float(rng.uniform(0, 1))))
    pile = [
        Thing(-39.0 + 1.1 * (k % 71) + float(rng.uniform(-0.02, 0.02)), 0.6 + 1.05 * (k // 71), (Disc(0.5),))
        for k in range(10_000)
    ]
    small = [Thing(-12.0 + 1.2 * (k % 20), 0.5 + 1.1 * (k // 20), (Box(0.5, 0.5),), 0.02 * (k % 7)) for k in range(300)]
    return [
        BodyScene("pyramid of 5,050 boxes", (1.0, 0.35), (0.65, 0.2), [floor], [], pyramid(100)),
        BodyScene(
            "30 pyramids of base 10",
            (1.0, 0.45),
            (0.65, 0.28),
            [floor],
            [],
            [thing for k in range(30) for thing in pyramid(10, 15.0 * (k - 15))],
        ),
        BodyScene("tumbler, 2,000 circles and boxes", (0.55, 0.35), (0.28, 0.2), [], [drum], mixed),
        BodyScene("10,000 circles in a pile", (0.8, 0.3), (0.46, 0.16), [floor, *walls], [], pile),
        BodyScene("300 boxes, a game's size", (1.5, 0.8), (1.0, 0.5), [floor], [], small),
    ]


class _Ours:
    """The scene in an esper world of its own."""

    def __init__(self, scene: BodyScene) -> None:
        self._world = f"bodies {next(_world_numbers)}"
        esper.switch_world(self._world)
        self.physics = ecsphys.install(gravity=_GRAVITY)
        self.physics.bodies.solver_substeps = SUBSTEPS
        self.physics.bodies.sleep_speed = 0.0
        for thing in scene.still:
            esper.create_entity(*_parts(thing), Solid())
        for thing in scene.turning:
            esper.create_entity(*_parts(thing), Velocity(0, 0, thing.spin or 0.0), RigidBody("kinematic"))
        for thing in scene.falling:
            esper.create_entity(*_parts(thing), Velocity(), RigidBody(friction=_FRICTION))

    def step(self) -> None:
        if esper.current_world != self._world:
            esper.switch_world(self._world)
        esper.process(STEP)

    def close(self) -> int:
        """Let go of the world; returns the hits of the last step."""
        hits = len(self.physics.hits)
        esper.switch_world("default")
        esper.delete_world(self._world)
        return hits


def _parts(thing: Thing) -> tuple[object, ...]:
    colliders = [
        CircleCollider(shape.radius)
        if isinstance(shape, Disc)
        else OBBCollider(shape.half_width, shape.half_height, shape.x, shape.y, shape.angle)
        for shape in thing.shapes
    ]
    collider = colliders[0] if len(colliders) == 1 else CompoundCollider(colliders)
    return Transform(thing.x, thing.y, thing.angle), collider


class _Box2D:
    """The scene in pyb2d3; one worker."""

    def __init__(self, scene: BodyScene) -> None:
        self._world = pyb2d3.World(gravity=_GRAVITY)
        self._world.sleeping_enabled = False
        self._world.continuous_enabled = False
        self._batch = pyb2d3.Bodies()
        self._kept = []
        kinds = pyb2d3.BodyType
        for things, kind in (
            (scene.still, kinds.STATIC),
            (scene.turning, kinds.KINEMATIC),
            (scene.falling, kinds.DYNAMIC),
        ):
            for thing in things:
                body = self._world.create_body(
                    type=kind, position=(thing.x, thing.y), rotation=pyb2d3.make_rot(thing.angle)
                )
                settings = pyb2d3.shape_def(density=1.0, material=pyb2d3.surface_material(friction=_FRICTION))
                for shape in thing.shapes:
                    body.create_shape(settings, _box2d_shape(shape))
                if thing.spin is not None:
                    body.angular_velocity = thing.spin
                self._kept.append(body)
                if kind is kinds.DYNAMIC:
                    self._batch.append(body.id)
        self._transforms: NDArray[float32] = np.zeros((len(scene.falling), 4), float32)

    def step(self) -> None:
        self._world.step(STEP, SUBSTEPS)
        self._batch.get_transforms(self._transforms)


def _corners(box: Box) -> list[tuple[float, float]]:
    c, s = math.cos(box.angle), math.sin(box.angle)
    w, h = box.half_width, box.half_height
    return [(box.x + c * x - s * y, box.y + s * x + c * y) for x, y in ((-w, -h), (w, -h), (w, h), (-w, h))]


def _box2d_shape(shape: Shape) -> object:
    return pyb2d3.circle(radius=shape.radius) if isinstance(shape, Disc) else pyb2d3.polygon(points=_corners(shape))


class _Pymunk:
    """The scene in pymunk."""

    def __init__(self, scene: BodyScene) -> None:
        self._space = space = pymunk.Space()
        space.gravity = _GRAVITY
        space.iterations = ITERATIONS
        # No cell is as large as the largest body: pymunk files those in a tree.
        for things, kind in (
            (scene.still, pymunk.Body.STATIC),
            (scene.turning, pymunk.Body.KINEMATIC),
            (scene.falling, pymunk.Body.DYNAMIC),
        ):
            for thing in things:
                body = pymunk.Body(body_type=kind)
                body.position, body.angle = (thing.x, thing.y), thing.angle
                shapes: list[pymunk.Shape] = []
                for shape in thing.shapes:
                    made: pymunk.Shape = (
                        pymunk.Circle(body, shape.radius)
                        if isinstance(shape, Disc)
                        else pymunk.Poly(body, _corners(shape))
                    )
                    made.density, made.friction = 1.0, _FRICTION
                    shapes.append(made)
                if thing.spin is not None:
                    body.angular_velocity = thing.spin
                space.add(body, *shapes)
        self._buffer = pymunk.batch.Buffer()
        self._fields = pymunk.batch.BodyFields.POSITION | pymunk.batch.BodyFields.ANGLE

    def step(self) -> None:
        self._space.step(STEP)
        self._buffer.clear()
        pymunk.batch.get_space_bodies(self._space, self._fields, self._buffer)


def measure_bodies(
    chosen: Sequence[BodyScene] | None = None, warm_up: int = _WARM_UP_STEPS, count: int = _STEPS
) -> list[BodyOutcome]:
    """Medians of steps of each scene, once it has settled; the three take turns."""
    found = []
    for scene in scenes() if chosen is None else chosen:
        ours, box2d, other = _Ours(scene), _Box2D(scene), _Pymunk(scene)
        engines: tuple[_Engine, ...] = (ours, box2d, other)
        for engine in engines:
            for _ in range(warm_up):
                engine.step()
        times: list[list[float]] = [[], [], []]
        for _ in range(count):
            for engine, seconds in zip(engines, times, strict=True):
                seconds.append(_seconds(engine.step))
        medians = [1e3 * statistics.median(seconds) for seconds in times]
        found.append(BodyOutcome(scene, len(scene.falling), ours.close(), *medians))
    return found


def _seconds(call: Callable[[], None]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start
