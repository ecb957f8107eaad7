"""Newton's cradles: as many balls swing out on one side as came in on the other.

Each blow shifts a waiting ball by the gap to its neighbour. A hinge without friction lets it swing back from there, out
of time with the others, and every blow adds to that: after half a minute all balls swing. Dry friction in the hinges
holds a ball that hangs still, and lets go of one that is struck.
"""

from __future__ import annotations

import math

import esper
import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys import CircleCollider, Component, RevoluteJoint, RigidBody, Transform, Velocity
from ecsphys.demo import palette
from ecsphys.demo.scenes.cached_join import CachedJoin
from ecsphys.demo.scenes.patterns.pattern import METAL
from ecsphys.demo.scenes.rigid.program import Program
from ecsphys.demo.scenes.rigid.sliders import material
from ecsphys.demo.scenes.rigid.stage import LEFT, open_stage, plank, show
from ecsphys.demo.scenes.rigid.tint import COOL, WARM, blend, put
from ecsphys.demo.scenes.scene import Caption, Layout
from ecsphys.demo.scenes.sketch import Sketch

BALLS = 5
RADIUS, GAP, LENGTH = 0.75, 0.05, 9.0
_TOP = 13.6
_LIFT = math.radians(24.0)
MIDDLES = (-9.2, 9.2)
"""Where the two cradles hang."""
_STOP = 1.35
"""How far a thread turns to each side, radians: the beam is in the way."""
_SLOW, _NEAR = 0.4, 0.2
"""Below this speed, and nearer than this to where it hangs, friction holds a ball."""
_HELD = 0.18
"""How far from there its weight is just too weak to move it."""
_SECONDS = 120.0
"""By then the swings are a little more than half as wide."""


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
        brake = np.where((away < _NEAR) & (speed < _SLOW), self._torque, 0.0)
        # A column that is handed out to write makes the engine read all joints again.
        if not np.array_equal(brake, RevoluteJoint.column("max_torque", writable=False)[hinges]):
            RevoluteJoint.column("max_torque")[hinges] = brake


class Threads:
    """The balls' threads, from where they hang."""

    def __init__(self) -> None:
        self._hanging = CachedJoin(Transform, RevoluteJoint)

    def paint(self, sketch: Sketch) -> None:
        _, places, hinges = self._hanging()
        sketch.strokes(
            _points(RevoluteJoint, hinges, "x_a", "y_a"), _points(Transform, places, "x", "y"), 1.6, palette.GUIDE, 0.7
        )


def _points(component: type[Component], rows: NDArray[int64], x: str, y: str) -> NDArray[float64]:
    return np.column_stack([component.column(name, writable=False)[rows] for name in (x, y)])


def build(rng: np.random.Generator) -> Layout:
    physics = open_stage()
    # Without it, slow balls would not bounce.
    physics.settings.restitution_threshold = 0.0
    balls: list[int] = []
    for middle, lifted in zip(MIDDLES, (1, 2), strict=True):
        plank(middle, _TOP + 0.2, 4.6, 0.2)
        for number in range(BALLS):
            x = middle + (2.0 * RADIUS + GAP) * (number - 0.5 * (BALLS - 1))
            angle = -_LIFT if number < lifted else 0.0
            color = blend(WARM if number < lifted else COOL, number / (BALLS - 1))
            place = Transform(x + LENGTH * math.sin(angle), _TOP - LENGTH * math.cos(angle))
            body = RigidBody(restitution=1.0, friction=0.0, can_sleep=False)
            ball = put(color, place, Velocity(), CircleCollider(RADIUS), body, pattern=METAL)
            hinge = RevoluteJoint.at(None, ball, x, _TOP, has_limits=True, lower=-_STOP - angle, upper=_STOP - angle)
            esper.add_component(ball, hinge)
            balls.append(ball)
    weight = math.pi * RADIUS**2 * abs(physics.gravity[1])
    esper.add_processor(DryFriction(weight * _HELD), priority=450)
    esper.add_processor(Program(_SECONDS), priority=450)
    return show(
        physics,
        [
            Caption(MIDDLES[0] - 4.6, 16.4, "One ball in, one ball out", "RigidBody.restitution"),
            Caption(MIDDLES[1] - 4.6, 16.4, "Two in, two out", "each thread is a RevoluteJoint"),
            Caption(
                LEFT + 0.3, 2.2, "Pull any balls aside and let go", "dry friction in the hinges stills waiting balls"
            ),
        ],
        [material(physics, "bounce", "restitution", balls, (0.0, 0.5, 0.8, 0.9, 0.95, 1.0))],
        paint_below=Threads().paint,
    )
