"""A pyramid of 210 boxes, and a ball that hits it."""

from __future__ import annotations

import esper
import numpy as np

from ecsphys import CircleCollider, OBBCollider, RigidBody, Transform, Velocity
from ecsphys.demo.scenes.patterns.pattern import CRATE, METAL
from ecsphys.demo.scenes.rigid.program import Program
from ecsphys.demo.scenes.rigid.sliders import material
from ecsphys.demo.scenes.rigid.stage import LEFT, open_stage, plank, show
from ecsphys.demo.scenes.rigid.tint import MACHINE, WARM, blend, put
from ecsphys.demo.scenes.scene import Caption, Layout

_BASE, _HALF = 20, 0.36
_MIDDLE = 3.0
_SHELF, _BALL = 6.0, 0.9


def build(rng: np.random.Generator) -> Layout:
    physics = open_stage()
    boxes: list[int] = []
    for row in range(_BASE):
        color = blend(WARM, row / (_BASE - 1))
        for column in range(_BASE - row):
            x = _MIDDLE + 2.08 * _HALF * (column - 0.5 * (_BASE - 1 - row))
            place = Transform(x, _HALF * (1 + 2 * row))
            boxes.append(put(color, place, OBBCollider(_HALF, _HALF), RigidBody(), pattern=CRATE))
    plank(LEFT + 1.6, _SHELF - 0.2, 1.6, 0.2)
    ball = put(
        MACHINE,
        Transform(LEFT + 1.4, _SHELF + _BALL),
        Velocity(),
        CircleCollider(_BALL),
        RigidBody(density=8.0, rolling_resistance=0.1),
        pattern=METAL,
    )
    esper.add_processor(Program(20.0, (6.0, lambda: physics.bodies.set_velocity(ball, (30.0, 5.0)))), priority=450)
    return show(
        physics,
        [
            Caption(LEFT + 0.3, 16.4, "Pull a box out of the pile", "210 RigidBody boxes, asleep until touched"),
            Caption(LEFT + 0.3, 4.6, "Throw the heavy ball", "RigidBody.density; it flies by itself in 6 s"),
        ],
        [
            material(physics, "friction of boxes", "friction", boxes, (0.0, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)),
            material(physics, "density of the ball", "density", [ball], (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)),
        ],
    )
