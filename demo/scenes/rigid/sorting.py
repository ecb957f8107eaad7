"""A sorting machine: belts carry bodies over trapdoors, each of which holds all shapes but one."""

from __future__ import annotations

import math

import esper
import numpy as np

from ecsphys import CollisionFilter, OBBCollider, RigidBody, Transform, Velocity
from ecsphys.demo.scenes.parameter import Parameter
from ecsphys.demo.scenes.patterns.pattern import TOY
from ecsphys.demo.scenes.rigid.stage import LEFT, RIGHT, open_stage, plank, show
from ecsphys.demo.scenes.rigid.tint import MACHINE, blend, put
from ecsphys.demo.scenes.rigid.toys import TOYS, toy, toy_color
from ecsphys.demo.scenes.scene import Caption, Layout

_KINDS = (0, 1, 3, 4, 2)
"""The toys that are sorted, from left to right."""
_BELT, _DOOR = 9.6, 2.4
"""The belt's top, and the width of a trapdoor."""
_SPEED = 3.0
_SECONDS = 0.3
_MOST = 150
_ALL = 0xFFFFFFFF
_SIZE = 0.46


class Hopper(esper.Processor):
    """Drops one body after another onto the belt; beyond the most there may be, the oldest goes."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._clock = 0.0
        self._dropped: list[int] = []

    def process(self, dt: float) -> None:
        self._clock += dt
        if self._clock < _SECONDS:
            return
        self._clock -= _SECONDS
        kind = int(self._rng.choice(_KINDS))
        place = Transform(LEFT + 1.5, 15.6, float(self._rng.uniform(0.0, math.tau)))
        layer = CollisionFilter(layers=_layer(kind))
        body = RigidBody(friction=0.5)
        self._dropped.append(
            put(toy_color(kind), place, Velocity(0.0, -4.0), toy(kind, _SIZE), layer, body, pattern=TOY)
        )
        if len(self._dropped) > _MOST:
            esper.delete_entity(self._dropped.pop(0), immediate=True)


def build(rng: np.random.Generator) -> Layout:
    physics = open_stage()
    belts: list[int] = []
    width = (RIGHT - LEFT) / len(_KINDS)
    doors = [LEFT + (number + 0.68) * width for number in range(len(_KINDS))]
    left = LEFT
    for kind, door in zip(_KINDS, doors, strict=True):
        belts.append(_belt(left, door - 0.5 * _DOOR))
        belts.append(_belt(door - 0.5 * _DOOR, door + 0.5 * _DOOR, kind))
        left = door + 0.5 * _DOOR
    belts.append(_belt(left, RIGHT))
    for number in range(1, len(_KINDS)):
        plank(LEFT + number * width, 3.4, 0.12, 3.4)
    esper.add_processor(Hopper(rng), priority=450)

    def run(speed: float) -> None:
        for belt in belts:
            esper.component_for_entity(belt, RigidBody).tangent_speed = speed

    speed = Parameter(
        "belt",
        lambda: esper.component_for_entity(belts[0], RigidBody).tangent_speed,
        run,
        (0.0, 1.5, 3.0, 4.5, 6.0),
        "{:g}/s",
    )
    return show(
        physics,
        [
            Caption(
                LEFT + 3.2, 16.4, "Belts are static bodies with a tangent speed", 'RigidBody("static", tangent_speed=3)'
            ),
            Caption(
                LEFT + 3.2, 14.4, "A trapdoor's filter holds all shapes but one", "CollisionFilter(mask=all & ~layer)"
            ),
            *(Caption(LEFT + number * width + 0.3, 8.4, TOYS[kind]) for number, kind in enumerate(_KINDS)),
        ],
        [speed],
    )


def _layer(kind: int) -> int:
    return 1 << (kind + 1)


def _belt(left: float, right: float, passed: int | None = None) -> int:
    """A piece of the belt; a trapdoor, in the colour of what it lets through, if ``passed`` is a kind."""
    color = MACHINE if passed is None else blend((MACHINE, toy_color(passed)), 0.8)
    mask = _ALL if passed is None else _ALL & ~_layer(passed)
    return put(
        color,
        Transform(0.5 * (left + right), _BELT - 0.2),
        OBBCollider(0.5 * (right - left), 0.2),
        RigidBody("static", friction=0.9, tangent_speed=_SPEED),
        CollisionFilter(mask=mask),
    )
