"""Ragdolls that fall through pegs: their limbs hang together by hinges with limits.

The parts of a doll pass each other: parts that collide prop each other up, and the doll comes to rest on hands and
knees. With little friction at their ends, limbs slide until all of the doll lies.
"""

from __future__ import annotations

import math

import esper
import numpy as np

from ecsphys import (
    CapsuleCollider,
    CircleCollider,
    Collider,
    CollisionFilter,
    MouseJoint,
    PolygonCollider,
    RevoluteJoint,
    RigidBody,
    Transform,
    Velocity,
)
from ecsphys.demo.scenes.parameter import Parameter
from ecsphys.demo.scenes.patterns.pattern import DOLL, ROCK, Pattern
from ecsphys.demo.scenes.rigid.sinking import Sinking
from ecsphys.demo.scenes.rigid.stage import LEFT, RIGHT, open_stage, plank, show
from ecsphys.demo.scenes.rigid.tint import BRIGHT, STONE, blend, put
from ecsphys.demo.scenes.scene import Caption, Layout
from ecsphys.demo.scenes.sketch import Color
from ecsphys.demo.scenes.tools.blast import DynamicBodies

_SECONDS = 1.2
_MOST = 12
_ROWS, _PEG = 3, 0.45
_UP = 0.5 * math.pi
_START = 20.0
"""How high dolls begin, out of sight."""
_SKIN, _JOINT = 0.1, 0.03
"""The friction of a doll's parts, and the torque at which its hinges give way."""


class Ragdolls(esper.Processor):
    """Drops one doll after another. If there are too many, the oldest sinks and fades, unless the mouse holds it."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.every = _SECONDS
        self._rng = rng
        self._clock = _SECONDS
        self._count = 0
        self._dolls: list[list[int]] = []
        self._sinking = Sinking()
        self._bodies = DynamicBodies()

    def process(self, dt: float) -> None:
        self._sinking.advance(dt)
        self._clock += dt
        # In a world that falls upwards, dolls gather where they begin.
        crowded = self._bodies.places()[:, 1] > _START - 3.0
        if self._clock < self.every or crowded.any():
            return
        self._clock = 0.0
        x = float(self._rng.uniform(LEFT + 4.0, RIGHT - 4.0))
        self._dolls.append(ragdoll(x, _START, blend(BRIGHT, self._count % 8 / 7), float(self._rng.uniform(-2.0, 2.0))))
        self._count += 1
        if len(self._dolls) > _MOST:
            held = {joint.entity_a for _, joint in esper.get_component(MouseJoint)}
            oldest = next(doll for doll in self._dolls if held.isdisjoint(doll))
            self._dolls.remove(oldest)
            self._sinking.add(oldest)


def ragdoll(x: float, y: float, color: Color, spin: float = 0.0) -> list[int]:
    """A doll about 3.4 units tall whose chest is at (x, y): its bodies and its joints. It turns at ``spin``, rad/s."""
    made: list[int] = []

    def limb(dx: float, dy: float, collider: Collider, shade: float = 1.0) -> int:
        tint = (color[0] * shade, color[1] * shade, color[2] * shade)
        place, velocity = Transform(x + dx, y + dy), Velocity(-spin * dy, spin * dx, spin)
        entity = put(tint, place, velocity, collider, RigidBody(friction=_SKIN, rolling_resistance=0.1))
        made.append(entity)
        # All parts of a doll are of one group, whose number no other doll has.
        esper.add_component(entity, CollisionFilter(group=-made[0]))
        return entity

    def hinge(a: int, b: int, dx: float, dy: float, lower: float, upper: float) -> None:
        limits = {"has_limits": True, "lower": lower, "upper": upper, "max_torque": _JOINT}
        made.append(esper.create_entity(RevoluteJoint.at(a, b, x + dx, y + dy, **limits)))

    chest = limb(0.0, 0.0, PolygonCollider([(-0.3, 0.35), (-0.2, -0.45), (0.2, -0.45), (0.3, 0.35)], 0.1))
    head = limb(0.0, 0.95, CircleCollider(0.36))
    esper.add_component(head, Pattern(DOLL))
    hips = limb(0.0, -0.75, CapsuleCollider(0.24, 0.22))
    hinge(chest, head, 0.0, 0.55, -1.0, 1.0)
    hinge(chest, hips, 0.0, -0.6, -0.9, 0.9)
    for side in (-1.0, 1.0):
        upper = limb(0.46 * side, 0.0, CapsuleCollider(0.5, 0.13, angle=_UP), 0.85)
        lower = limb(0.46 * side, -0.6, CapsuleCollider(0.5, 0.11, angle=_UP), 0.7)
        hinge(chest, upper, 0.46 * side, 0.3, -3.0, 3.0)
        hinge(upper, lower, 0.46 * side, -0.3, *_bend(0.0, 2.3, side))
        thigh = limb(0.17 * side, -1.25, CapsuleCollider(0.55, 0.16, angle=_UP), 0.85)
        shin = limb(0.17 * side, -1.95, CapsuleCollider(0.6, 0.13, angle=_UP), 0.7)
        hinge(hips, thigh, 0.17 * side, -0.9, -2.4, 2.4)
        hinge(thigh, shin, 0.17 * side, -1.6, *_bend(0.0, 2.2, -side))
    return made


def _bend(least: float, most: float, side: float) -> tuple[float, float]:
    """The limits of a joint that bends to one side only."""
    return (least, most) if side > 0.0 else (-most, -least)


def build(rng: np.random.Generator) -> Layout:
    physics = open_stage(ceiling=_START + 2.0)
    for row in range(_ROWS):
        for x in np.arange(LEFT + 2.5 + 2.6 * (row % 2), RIGHT - 1.0, 5.2).tolist():
            peg = RigidBody("static", friction=0.2)
            put(STONE, Transform(x, 4.2 + 3.4 * row), CircleCollider(_PEG), peg, pattern=ROCK)
    plank(LEFT + 1.2, 1.2, 2.0, 0.2, -0.7)
    plank(RIGHT - 1.2, 1.2, 2.0, 0.2, 0.7)
    ragdolls = Ragdolls(rng)
    esper.add_processor(ragdolls, priority=450)

    def drop_every(seconds: float) -> None:
        ragdolls.every = seconds

    return show(
        physics,
        [Caption(LEFT + 0.3, 16.4, "Catch a doll by any limb and throw it", "ten RevoluteJoints each, with limits")],
        [Parameter("a doll every", lambda: ragdolls.every, drop_every, (1.0, _SECONDS, 2.5, 5.0, 10.0), "{:g} s")],
    )
