"""A drum that turns hundreds of bodies of all shapes over."""

from __future__ import annotations

import math

import esper
import numpy as np

from ecsphys import CompoundCollider, OBBCollider, PolygonCollider, RigidBody, Transform, Velocity
from ecsphys.demo.scenes.parameter import Parameter
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
    drum = put(STONE, Transform(*_MIDDLE), Velocity(0.0, 0.0, _SPIN), _drum(), RigidBody("kinematic"))
    for number in range(_BODIES):
        kind = number % len(TOYS)
        # Sunflower seeds fill a disc evenly.
        radius = (_RADIUS - 2.0) * math.sqrt((number + 0.5) / _BODIES)
        turn = number * math.pi * (3.0 - math.sqrt(5.0))
        place = Transform(_MIDDLE[0] + radius * math.cos(turn), _MIDDLE[1] + radius * math.sin(turn), turn)
        put(toy_color(kind), place, toy(kind, float(rng.uniform(*_SIZES))), RigidBody(friction=0.4))

    def turn_by(speed: float) -> None:
        esper.component_for_entity(drum, Velocity).angular = speed

    spin = Parameter(
        "spin", lambda: esper.component_for_entity(drum, Velocity).angular, turn_by, (-1.0, 0.0, 0.25, 0.5, 1.0, 2.0)
    )
    return show(
        physics,
        [Caption(LEFT + 0.3, 16.4, f"{_BODIES} bodies of eight shapes", "fans, capsules, compounds and all")],
        [spin],
    )


def _drum() -> CompoundCollider:
    """A ring of trapezoids, with paddles inside."""
    parts: list[PolygonCollider | OBBCollider] = []
    inner, outer = _RADIUS / math.cos(math.pi / _SIDES), (_RADIUS + 0.5) / math.cos(math.pi / _SIDES)
    for side in range(_SIDES):
        low, high = math.tau * (side - 0.5) / _SIDES, math.tau * (side + 0.5) / _SIDES
        corners = ((inner, low), (outer, low), (outer, high), (inner, high))
        parts.append(PolygonCollider([(radius * math.cos(turn), radius * math.sin(turn)) for radius, turn in corners]))
    for paddle in range(_PADDLES):
        turn = math.tau * paddle / _PADDLES
        x, y = (_RADIUS - _PADDLE) * math.cos(turn), (_RADIUS - _PADDLE) * math.sin(turn)
        parts.append(OBBCollider(_PADDLE, 0.12, x, y, turn))
    return CompoundCollider(parts)
