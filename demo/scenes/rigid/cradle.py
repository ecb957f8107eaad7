"""Newton's cradles: as many balls swing out on one side as came in on the other.

Each blow shifts a waiting ball by the gap to its neighbour. A hinge without friction lets it swing back from there, out
of time with the others, and every blow adds to that: after half a minute all balls swing. Dry friction in the hinges
holds a ball that hangs still, and lets go of one that is struck.
"""

from __future__ import annotations

import math

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys import CircleCollider, RevoluteJoint, RigidBody, Transform, Velocity
from ecsphys.demo import palette
from ecsphys.demo.scenes.cached_join import CachedJoin
from ecsphys.demo.scenes.rigid.program import Program
from ecsphys.demo.scenes.rigid.stage import LEFT, open_stage, plank, show
from ecsphys.demo.scenes.rigid.tint import COOL, WARM, blend, put
from ecsphys.demo.scenes.scene import Caption, Layout
from ecsphys.demo.scenes.sketch import Sketch

BALLS = 5
RADIUS, GAP, LENGTH = 0.75, 0.02, 9.0
_TOP = 13.6
_LIFT = math.radians(24.0)
MIDDLES = (-9.2, 9.2)
"""Where the two cradles hang."""
_STOP = 1.35
"""How far a thread turns to each side, radians: the beam is in the way."""
_SLOW, _NEAR = 0.3, 0.06
"""Below this speed, and nearer than this to where it hangs, friction holds a ball."""
_HELD = 0.035
"""How far from there its weight is just too weak to move it."""
_SECONDS = 120.0
"""By then the swings are half as wide."""


class DryFriction(esper.Processor):
    """A brake in the hinge of each ball that hangs still."""

    def __init__(self, torque: float) -> None:
        self._torque = torque
        self._hanging = CachedJoin(Transform, Velocity, RevoluteJoint)

    def process(self, dt: float) -> None:
        _, places, velocities, hinges = self._hanging()
        hook = RevoluteJoint.column("x_a", writable=False)[hinges]
        away = np.abs(Transform.column("x", writable=False)[places] - hook)
        speed = np.hypot(*(Velocity.column(name, writable=False)[velocities] for name in ("x", "y")))
        RevoluteJoint.column("max_torque")[hinges] = np.where((away < _NEAR) & (speed < _SLOW), self._torque, 0.0)


class Threads:
    """The balls' threads, from where they hang."""

    def __init__(self) -> None:
        self._hanging = CachedJoin(Transform, RevoluteJoint)

    def paint(self, sketch: Sketch) -> None:
        _, places, hinges = self._hanging()
        sketch.strokes(_points(RevoluteJoint, hinges, "x_a", "y_a"), _points(Transform, places, "x", "y"), 1.6, palette.GUIDE, 0.7)


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
