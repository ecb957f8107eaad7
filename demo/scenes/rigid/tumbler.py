"""A drum that turns hundreds of bodies of all shapes over."""

from __future__ import annotations

import math

import esper
import numpy as np

from ecsphys import CompoundCollider, OBBCollider, PolygonCollider, RigidBody, Transform, Velocity
from ecsphys.demo.scenes.parameter import Parameter
from ecsphys.demo.scenes.patterns.pattern import TOY
from ecsphys.demo.scenes.rigid.sliders import material
from ecsphys.demo.scenes.rigid.stage import LEFT, open_stage, show
from ecsphys.demo.scenes.rigid.tint import STONE, put
from ecsphys.demo.scenes.rigid.toys import TOYS, toy, toy_color
from ecsphys.demo.scenes.scene import Caption, Layout

_BODIES = 440
_SIDES, _RADIUS = 20, 8.1
_PADDLES, _PADDLE = 5, 0.8
_MIDDLE = (0.0, 8.0)
_SIZES = (0.24, 0.42)
_SPIN = 0.5


def build(rng: np.random.Generator) -> Layout:
    physics = open_stage(with_floor=False)
    shape = drum(_RADIUS, _SIDES, _PADDLES, _PADDLE)
    turning = put(STONE, Transform(*_MIDDLE), Velocity(0.0, 0.0, _SPIN), shape, RigidBody("kinematic"))
    toys: list[int] = []
    for number in range(_BODIES):
        kind = number % len(TOYS)
        # Sunflower seeds fill a disc evenly.
        radius = (_RADIUS - 2.0) * math.sqrt((number + 0.5) / _BODIES)
        turn = number * math.pi * (3.0 - math.sqrt(5.0))
        place = Transform(_MIDDLE[0] + radius * math.cos(turn), _MIDDLE[1] + radius * math.sin(turn), turn)
        body = toy(kind, float(rng.uniform(*_SIZES)))
        toys.append(put(toy_color(kind), place, body, RigidBody(friction=0.4), pattern=TOY))

    def turn_by(speed: float) -> None:
        esper.component_for_entity(turning, Velocity).angular = speed

    spin = Parameter(
        "spin",
        lambda: esper.component_for_entity(turning, Velocity).angular,
        turn_by,
        (-1.0, -0.5, 0.0, 0.25, 0.5, 1.0, 2.0),
        "{:g} rad/s",
    )
    return show(
        physics,
        [Caption(LEFT + 0.3, 16.4, "Reach in and throw", f"{_BODIES} bodies in a kinematic drum")],
        [spin, material(physics, "friction", "friction", toys, (0.0, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0))],
    )


def drum(radius: float, sides: int, paddles: int, paddle: float) -> CompoundCollider:
    """A ring of trapezoids, with paddles inside, each of half length ``paddle``."""
    parts: list[PolygonCollider | OBBCollider] = []
    inner, outer = radius / math.cos(math.pi / sides), (radius + 0.5) / math.cos(math.pi / sides)
    for side in range(sides):
        low, high = math.tau * (side - 0.5) / sides, math.tau * (side + 0.5) / sides
        corners = ((inner, low), (outer, low), (outer, high), (inner, high))
        parts.append(PolygonCollider([(away * math.cos(turn), away * math.sin(turn)) for away, turn in corners]))
    for number in range(paddles):
        turn = math.tau * number / paddles
        x, y = (radius - paddle) * math.cos(turn), (radius - paddle) * math.sin(turn)
        parts.append(OBBCollider(paddle, 0.15 * paddle, x, y, turn))
    return CompoundCollider(parts)
