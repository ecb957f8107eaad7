"""Dominoes on three floors: each row sends a ball down to the next."""

from __future__ import annotations

import math

import esper
import numpy as np

from ecsphys import CircleCollider, OBBCollider, RigidBody, Transform, Velocity
from ecsphys.demo.scenes.patterns.pattern import DOMINO, METAL
from ecsphys.demo.scenes.rigid.program import Program
from ecsphys.demo.scenes.rigid.stage import LEFT, RIGHT, open_stage, plank, show
from ecsphys.demo.scenes.rigid.tint import BRIGHT, MACHINE, blend, put
from ecsphys.demo.scenes.scene import Caption, Layout

_HALF_WIDTH, _HALF_HEIGHT, _SPACING = 0.12, 0.95, 0.9
_BALL = 0.8
_FLOORS = (11.0, 5.5, 0.0)
_SPAN = 12.6
"""Where the outermost dominoes stand, to both sides."""


def build(rng: np.random.Generator) -> Layout:
    physics = open_stage()
    count = round(2.0 * _SPAN / _SPACING) + 1
    for number, height in enumerate(_FLOORS):
        way = 1 if number % 2 == 0 else -1
        if height > 0.0:
            # The board ends before the wall to which its row falls, and there a ramp takes the ball back.
            left, right = (-_SPAN - 1.0, _SPAN + 2.0) if way > 0 else (-_SPAN - 2.0, _SPAN + 1.0)
            plank(0.5 * (left + right), height - 0.15, 0.5 * (right - left), 0.15)
        for k in range(count):
            x = way * (-_SPAN + k * _SPACING)
            color = blend(BRIGHT, (number * count + k) / (3 * count - 1))
            put(
                color,
                Transform(x, height + _HALF_HEIGHT),
                OBBCollider(_HALF_WIDTH, _HALF_HEIGHT),
                RigidBody(friction=0.4),
                pattern=DOMINO,
            )
        if height > 0.0:
            _ball(way * (_SPAN + 1.35), height + _BALL)
            below = _FLOORS[number + 1]
            wall = RIGHT if way > 0 else LEFT
            plank(wall - way * 1.9, below + 1.35, 2.2, 0.12, way * 0.42)
    starter = _ball(LEFT + 1.0, _FLOORS[0] + 3.3)
    plank(LEFT + 2.3, _FLOORS[0] + 1.0, 2.6, 0.12, -0.42)
    esper.add_processor(Program(36.0, (0.0, lambda: physics.bodies.wake(starter))), priority=450)
    return show(
        physics,
        [Caption(LEFT + 0.3, 16.4, f"{3 * count} dominoes", "each row sends a ball down to the next")],
    )


def _ball(x: float, y: float) -> int:
    place = Transform(x, y, 0.5 * math.pi)
    return put(MACHINE, place, Velocity(), CircleCollider(_BALL), RigidBody(density=0.6), pattern=METAL)
