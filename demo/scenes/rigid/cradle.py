"""Newton's cradles: as many balls swing out on one side as came in on the other."""

from __future__ import annotations

import math

import numpy as np
from numpy import float64
from numpy.typing import NDArray

import ecsphys
from ecsphys import CircleCollider, RevoluteJoint, RigidBody, Transform
from ecsphys.demo import palette
from ecsphys.demo.scenes.rigid.stage import LEFT, open_stage, plank, show
from ecsphys.demo.scenes.rigid.tint import COOL, WARM, blend, put
from ecsphys.demo.scenes.scene import Caption, Layout
from ecsphys.demo.scenes.sketch import Sketch

_BALLS = 5
_RADIUS, _GAP, _LENGTH = 0.75, 0.08, 9.0
"""Through the gap each impact has a step of its own: those of one step are solved together."""
_TOP = 13.6
_LIFT = math.radians(24.0)
_MIDDLES = (-9.2, 9.2)


class Threads:
    """The balls' threads, from where they hang."""

    def __init__(self, hooks: NDArray[float64], balls: list[int]) -> None:
        self._hooks = hooks
        self._balls = balls

    def paint(self, sketch: Sketch) -> None:
        entities, rows = ecsphys.join(Transform)
        own = rows[np.searchsorted(entities, self._balls)]
        ends = np.column_stack([Transform.column(name, writable=False)[own] for name in ("x", "y")])
        sketch.strokes(self._hooks, ends, 1.6, palette.GUIDE, 0.7)


def build(rng: np.random.Generator) -> Layout:
    physics = open_stage()
    # What bounces without loss is slow at last, and would stop where slow impacts do not bounce.
    physics.settings.restitution_threshold = 0.0
    hooks: list[tuple[float, float]] = []
    balls: list[int] = []
    for middle, lifted in zip(_MIDDLES, (1, 2), strict=True):
        plank(middle, _TOP + 0.2, 4.6, 0.2)
        for number in range(_BALLS):
            x = middle + (2.0 * _RADIUS + _GAP) * (number - 0.5 * (_BALLS - 1))
            angle = -_LIFT if number < lifted else 0.0
            color = blend(WARM if number < lifted else COOL, number / (_BALLS - 1))
            place = Transform(x + _LENGTH * math.sin(angle), _TOP - _LENGTH * math.cos(angle))
            ball = put(color, place, CircleCollider(_RADIUS), RigidBody(restitution=1.0, friction=0.0, can_sleep=False))
            put(color, RevoluteJoint.at(None, ball, x, _TOP))
            hooks.append((x, _TOP))
            balls.append(ball)
    return show(
        physics,
        [
            Caption(
                _MIDDLES[0] - 4.6, 16.4, "One ball comes in, one goes out", "restitution 1; threads are RevoluteJoints"
            ),
            Caption(_MIDDLES[1] - 4.6, 16.4, "Two come in, two go out"),
            Caption(LEFT + 0.3, 2.2, "Pick a ball up and let it go"),
        ],
        paint_below=Threads(np.array(hooks), balls).paint,
    )
