"""What surfaces are like: balls by their restitution, boxes by their friction, wheels by their rolling resistance."""

from __future__ import annotations

import math

import esper
import numpy as np

from ecsphys import CircleCollider, OBBCollider, RigidBody, Transform, Velocity
from ecsphys.demo.scenes.patterns.pattern import CRATE, METAL, RUBBER
from ecsphys.demo.scenes.rigid.program import Program
from ecsphys.demo.scenes.rigid.stage import LEFT, RIGHT, open_stage, plank, show
from ecsphys.demo.scenes.rigid.tint import BRIGHT, blend, put
from ecsphys.demo.scenes.scene import Caption, Layout

_RESTITUTIONS = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 1.0)
_FRICTIONS = (0.1, 0.3, 0.45, 0.6)
_ROLLING = (0.0, 0.1, 0.25, 0.6)
_SLOPE = math.radians(25.0)
_DROP = 12.0


def build(rng: np.random.Generator) -> Layout:
    physics = open_stage()
    for number, restitution in enumerate(_RESTITUTIONS):
        color = blend(BRIGHT, number / (len(_RESTITUTIONS) - 1))
        body = RigidBody(restitution=restitution)
        put(color, Transform(LEFT + 1.2 + 1.7 * number, _DROP + 0.6), CircleCollider(0.6), body, pattern=RUBBER)
    plank(-5.6, 5.0, 0.15, 5.0)
    c, s = math.cos(_SLOPE), math.sin(_SLOPE)
    for number, friction in enumerate(_FRICTIONS):
        x, y = 0.2, 3.1 + 3.4 * number
        color = blend(BRIGHT, number / (len(_FRICTIONS) - 1))
        plank(x, y, 4.0, 0.14, _SLOPE, friction=friction)
        along, across = 2.9, 0.14 + 0.45
        place = Transform(x + along * c - across * s, y + along * s + across * c, _SLOPE)
        put(color, place, OBBCollider(0.65, 0.45), RigidBody(friction=friction), pattern=CRATE)
    plank(6.4, 7.0, 0.15, 7.0)
    for number, resistance in enumerate(_ROLLING):
        y = 1.6 + 3.5 * number
        color = blend(BRIGHT, number / (len(_ROLLING) - 1))
        plank(0.5 * (6.4 + RIGHT), y - 0.12, 0.5 * (RIGHT - 6.4), 0.12)
        place, start = Transform(7.4, y + 0.6), Velocity(4.2, 0.0, -7.0)
        put(color, place, start, CircleCollider(0.6), RigidBody(rolling_resistance=resistance), pattern=METAL)
    esper.add_processor(Program(12.0), priority=450)
    return show(
        physics,
        [
            Caption(LEFT + 0.3, 16.4, "Restitution", " · ".join(f"{e:g}" for e in _RESTITUTIONS)),
            Caption(
                -5.2,
                16.4,
                f"Friction on {math.degrees(_SLOPE):.0f}°",
                " · ".join(f"{mu:g}" for mu in reversed(_FRICTIONS)) + ", from the top",
            ),
            Caption(
                6.8, 16.4, "Rolling resistance", " · ".join(f"{r:g}" for r in reversed(_ROLLING)) + ", from the top"
            ),
        ],
    )
