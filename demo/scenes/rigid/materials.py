"""Surfaces side by side: restitution of balls, friction of boxes, rolling resistance of wheels."""

from __future__ import annotations

import math

import esper
import numpy as np

from ecsphys import CircleCollider, OBBCollider, RigidBody, Transform, Velocity
from ecsphys.demo.scenes.parameter import Parameter
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
_ALONG, _ACROSS = 2.9, 0.14 + 0.45
"""Where a box begins, seen from the middle of its board."""


class Slopes:
    """Boards that lean, one above the other, with a box at the upper end of each."""

    def __init__(self) -> None:
        self.angle = _SLOPE
        self._boards: list[int] = []
        self._boxes: list[int] = []
        for number, friction in enumerate(_FRICTIONS):
            color = blend(BRIGHT, number / (len(_FRICTIONS) - 1))
            self._boards.append(plank(0.2, 2.9 + 3.0 * number, 4.0, 0.14, friction=friction))
            box = OBBCollider(0.65, 0.45)
            self._boxes.append(put(color, Transform(), Velocity(), box, RigidBody(friction=friction), pattern=CRATE))
        self.reset()

    def lean(self, degrees: float) -> None:
        """Let the boards lean by an angle, and begin again."""
        self.angle = math.radians(degrees)
        self.reset()

    def reset(self) -> None:
        """Put each box back to where it begins."""
        c, s = math.cos(self.angle), math.sin(self.angle)
        for board, box in zip(self._boards, self._boxes, strict=True):
            low, high = (esper.component_for_entity(entity, Transform) for entity in (board, box))
            low.angle = high.angle = self.angle
            high.x, high.y = low.x + _ALONG * c - _ACROSS * s, low.y + _ALONG * s + _ACROSS * c
            velocity = esper.component_for_entity(box, Velocity)
            velocity.x = velocity.y = velocity.angular = 0.0


def build(rng: np.random.Generator) -> Layout:
    physics = open_stage()
    for number, restitution in enumerate(_RESTITUTIONS):
        color = blend(BRIGHT, number / (len(_RESTITUTIONS) - 1))
        body = RigidBody(restitution=restitution)
        put(color, Transform(LEFT + 1.2 + 1.7 * number, _DROP + 0.6), CircleCollider(0.6), body, pattern=RUBBER)
    plank(-5.6, 5.0, 0.15, 5.0)
    slopes = Slopes()
    plank(6.4, 7.0, 0.15, 7.0)
    for number, resistance in enumerate(_ROLLING):
        y = 1.6 + 3.5 * number
        color = blend(BRIGHT, number / (len(_ROLLING) - 1))
        plank(0.5 * (6.4 + RIGHT), y - 0.12, 0.5 * (RIGHT - 6.4), 0.12)
        place, start = Transform(7.4, y + 0.6), Velocity(4.2, 0.0, -7.0)
        put(color, place, start, CircleCollider(0.6), RigidBody(rolling_resistance=resistance), pattern=METAL)
    esper.add_processor(Program(12.0, (0.0, slopes.reset)), priority=450)
    return show(
        physics,
        [
            Caption(LEFT + 0.3, 16.4, "Left falls dead, right bounces", f"restitution {_RESTITUTIONS[0]:g} to 1"),
            Caption(-5.2, 16.4, "Below slides, above holds", f"friction {_FRICTIONS[0]:g} to {_FRICTIONS[-1]:g}"),
            Caption(6.8, 16.4, "Below rolls on, above stops", f"rolling_resistance 0 to {_ROLLING[-1]:g}"),
        ],
        [
            Parameter(
                "slope",
                lambda: math.degrees(slopes.angle),
                slopes.lean,
                (0.0, 10.0, 15.0, 20.0, 25.0, 30.0, 40.0),
                "{:.0f}°",
            )
        ],
    )
