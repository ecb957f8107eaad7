"""Hills of one line: bodies roll over its joints, a walker walks on them; a one-sided arch lets pass from below."""

from __future__ import annotations

import math

import esper
import numpy as np

from ecsphys import (
    CapsuleCollider,
    ChainCollider,
    Character,
    InputState,
    Lifetime,
    Physics,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)
from ecsphys.demo.scenes.patterns.pattern import TOY
from ecsphys.demo.scenes.rigid.program import Program
from ecsphys.demo.scenes.rigid.sliders import material
from ecsphys.demo.scenes.rigid.stage import ARENA, LEFT, RIGHT, open_stage, show
from ecsphys.demo.scenes.rigid.tint import COOL, MACHINE, STONE, WARM, put
from ecsphys.demo.scenes.rigid.toys import TOYS, toy, toy_color
from ecsphys.demo.scenes.scene import Caption, Layout
from ecsphys.demo.scenes.sketch import Sketch
from ecsphys.systems import LifetimeSystem

_POINTS = 160
_CLOUD = (-9.0, 9.2, 3.2)
"""Middle and half width."""
_SPEED, _FALL, _JUMP = 3.5, 20.0, 10.5
_SEED_SHOT = 2.6


class Hiker(esper.Processor):
    """Walks to and fro over the hills, and jumps through the cloud from below; A, D and W say where instead."""

    def __init__(self, physics: Physics, entity: int) -> None:
        self.keys = InputState()
        self._physics = physics
        self._entity = entity
        self._way = 1.0
        self._rise = 0.0
        self._stands = False

    def process(self, dt: float) -> None:
        x = esper.component_for_entity(self._entity, Transform).x
        if x > RIGHT - 1.5:
            self._way = -1.0
        elif x < LEFT + 1.5:
            self._way = 1.0
        wants = self.keys.y > 0.0 or (self.keys.x == 0.0 and abs(x - _CLOUD[0]) < 0.3)
        if self._stands and wants:
            self._rise = _JUMP
        self._rise -= _FALL * dt
        way = self.keys.x or self._way
        move = self._physics.move_character(self._entity, (_SPEED * way * dt, self._rise * dt))
        self._stands = move.on_floor
        if move.on_floor or (move.on_ceiling and self._rise > 0.0):
            self._rise = 0.0
        if move.on_wall and self.keys.x == 0.0:
            self._way = -self._way


class Earth:
    """What is below the line of the hills."""

    def __init__(self, points: list[tuple[float, float]]) -> None:
        tops = np.array(points)
        feet = np.column_stack((tops[:, 0], np.full(len(tops), ARENA[1])))
        quads = np.stack((tops[:-1], feet[:-1], tops[1:], tops[1:], feet[:-1], feet[1:]), axis=1)
        self._corners = quads.reshape(-1, 2)
        depth = np.tile((0.34, 0.1, 0.34, 0.34, 0.1, 0.1), len(quads))
        self._colors = np.column_stack((np.tile(STONE, (len(depth), 1)), depth))

    def paint(self, sketch: Sketch) -> None:
        sketch.triangles(self._corners, self._colors)


def hills() -> list[tuple[float, float]]:
    """The points of the ground, from left to right."""
    xs = np.linspace(LEFT - 0.5, RIGHT + 0.5, _POINTS)
    ys = 2.6 + 1.1 * np.sin(0.42 * xs + 0.6) + 0.35 * np.sin(1.05 * xs)
    ys[(xs > 11.0) & (xs < 14.5)] = ys[np.searchsorted(xs, 11.0)]
    return list(zip(xs.tolist(), ys.tolist(), strict=True))


def build(rng: np.random.Generator) -> Layout:
    physics = open_stage(with_floor=False)
    points = hills()
    put(STONE, Transform(), ChainCollider(points, side="left"), RigidBody("static", friction=0.6), Solid())
    middle, height, half = _CLOUD
    turns = np.linspace(math.pi, 0.0, 24)
    cloud = list(zip((half * np.cos(turns)).tolist(), (1.1 * np.sin(turns)).tolist(), strict=True))
    put(MACHINE, Transform(middle, height), ChainCollider(cloud, side="left"), Solid())
    toys: list[int] = []
    for number in range(48):
        size = float(rng.uniform(0.3, 0.5))
        place = Transform(-15.0 + 2.55 * (number % 12), 10.5 + 1.4 * (number // 12), float(rng.uniform(0.0, math.tau)))
        kind = number % len(TOYS)
        toys.append(put(toy_color(kind), place, toy(kind, size), RigidBody(friction=0.5), Velocity(), pattern=TOY))
    hero = put(COOL[3], Transform(-15.0, 7.0), CapsuleCollider.upright(1.5, 0.35), Character())
    hiker = Hiker(physics, hero)
    esper.add_processor(hiker, priority=395)
    esper.add_processor(LifetimeSystem(physics), priority=90)

    def shoot() -> None:
        ball = RigidBody(restitution=0.3)
        put(WARM[0], Transform(middle, 5.0), toy(0, 0.5), ball, Velocity(1.0, 13.0), Lifetime(8.0))

    esper.add_processor(Program(24.0, *((_SEED_SHOT * k, shoot) for k in range(1, 8))), priority=450)
    layout = show(
        physics,
        [
            Caption(
                LEFT + 0.3,
                16.4,
                "A and D walk, W jumps",
                f"a ChainCollider of {_POINTS} points, on which nothing catches",
            ),
            Caption(middle - 2.4, 8.8, "Jump through from below", 'ChainCollider(side="left")'),
        ],
        [material(physics, "friction of toys", "friction", toys, (0.0, 0.1, 0.2, 0.35, 0.5, 0.7, 1.0))],
        paint_below=Earth(points).paint,
    )
    layout.steering = hiker.keys
    return layout
