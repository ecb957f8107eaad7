"""Ragdolls that fall through pegs: their limbs hang together by hinges with limits."""

from __future__ import annotations

import math

import esper
import numpy as np

from ecsphys import CapsuleCollider, CircleCollider, Collider, PolygonCollider, RevoluteJoint, RigidBody, Transform
from ecsphys.demo.scenes.patterns.pattern import DOLL, ROCK, Pattern
from ecsphys.demo.scenes.rigid.stage import LEFT, RIGHT, open_stage, plank, show
from ecsphys.demo.scenes.rigid.tint import BRIGHT, STONE, blend, put
from ecsphys.demo.scenes.scene import Caption, Layout
from ecsphys.demo.scenes.sketch import Color

_SECONDS = 1.2
_MOST = 12
_ROWS, _PEG = 3, 0.45
_UP = 0.5 * math.pi


class Ragdolls(esper.Processor):
    """Drops one after another; beyond the most there may be, the oldest goes."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._clock = _SECONDS
        self._count = 0
        self._dolls: list[list[int]] = []

    def process(self, dt: float) -> None:
        self._clock += dt
        if self._clock < _SECONDS:
            return
        self._clock -= _SECONDS
        x = float(self._rng.uniform(LEFT + 4.0, RIGHT - 4.0))
        self._dolls.append(ragdoll(x, 17.4, blend(BRIGHT, self._count % 8 / 7)))
        self._count += 1
        if len(self._dolls) > _MOST:
            for entity in self._dolls.pop(0):
                esper.delete_entity(entity, immediate=True)


def ragdoll(x: float, y: float, color: Color) -> list[int]:
    """A doll about 3.4 units tall whose chest is at (x, y): its bodies and its joints."""
    made: list[int] = []

    def limb(dx: float, dy: float, collider: Collider, shade: float = 1.0) -> int:
        tint = (color[0] * shade, color[1] * shade, color[2] * shade)
        made.append(put(tint, Transform(x + dx, y + dy), collider, RigidBody(friction=0.4)))
        return made[-1]

    def hinge(a: int, b: int, dx: float, dy: float, lower: float, upper: float) -> None:
        joint = RevoluteJoint.at(a, b, x + dx, y + dy, has_limits=True, lower=lower, upper=upper)
        made.append(esper.create_entity(joint))

    chest = limb(0.0, 0.0, PolygonCollider([(-0.3, 0.35), (-0.2, -0.45), (0.2, -0.45), (0.3, 0.35)], 0.1))
    head = limb(0.0, 0.95, CircleCollider(0.36))
    esper.add_component(head, Pattern(DOLL))
    hips = limb(0.0, -0.75, CapsuleCollider(0.24, 0.22))
    hinge(chest, head, 0.0, 0.55, -0.6, 0.6)
    hinge(chest, hips, 0.0, -0.6, -0.5, 0.5)
    for side in (-1.0, 1.0):
        upper = limb(0.46 * side, 0.0, CapsuleCollider(0.5, 0.13, angle=_UP), 0.85)
        lower = limb(0.46 * side, -0.6, CapsuleCollider(0.5, 0.11, angle=_UP), 0.7)
        hinge(chest, upper, 0.46 * side, 0.3, -2.4, 2.4)
        hinge(upper, lower, 0.46 * side, -0.3, *_bend(0.0, 2.3, side))
        thigh = limb(0.17 * side, -1.25, CapsuleCollider(0.55, 0.16, angle=_UP), 0.85)
        shin = limb(0.17 * side, -1.95, CapsuleCollider(0.6, 0.13, angle=_UP), 0.7)
        hinge(hips, thigh, 0.17 * side, -0.9, -1.2, 1.2)
        hinge(thigh, shin, 0.17 * side, -1.6, *_bend(0.0, 2.0, -side))
    return made


def _bend(least: float, most: float, side: float) -> tuple[float, float]:
    """The limits of what bends to one side only."""
    return (least, most) if side > 0.0 else (-most, -least)


def build(rng: np.random.Generator) -> Layout:
    physics = open_stage()
    for row in range(_ROWS):
        for x in np.arange(LEFT + 2.5 + 2.6 * (row % 2), RIGHT - 1.0, 5.2).tolist():
            peg = RigidBody("static", friction=0.2)
            put(STONE, Transform(x, 4.2 + 3.4 * row), CircleCollider(_PEG), peg, pattern=ROCK)
    plank(LEFT + 1.2, 1.2, 2.0, 0.2, -0.7)
    plank(RIGHT - 1.2, 1.2, 2.0, 0.2, 0.7)
    esper.add_processor(Ragdolls(rng), priority=450)
    return show(
        physics,
        [
            Caption(
                LEFT + 8.0,
                16.4,
                "Eleven bodies and ten hinges each",
                "limits keep knees and elbows from bending backwards",
            )
        ],
    )
