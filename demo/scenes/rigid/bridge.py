"""A bridge of planks and hinges, that carries all that falls on it."""

from __future__ import annotations

import math
from itertools import pairwise

import esper
import numpy as np

from ecsphys import (
    CapsuleCollider,
    CircleCollider,
    Collider,
    OBBCollider,
    PolygonCollider,
    RevoluteJoint,
    RigidBody,
    Transform,
)
from ecsphys.demo.scenes.patterns.pattern import TOY, WOOD
from ecsphys.demo.scenes.rigid.stage import LEFT, RIGHT, open_stage, plank, show
from ecsphys.demo.scenes.rigid.tint import BRIGHT, WARM, blend, put
from ecsphys.demo.scenes.scene import Caption, Layout
from ecsphys.demo.scenes.sketch import Color

_PLANKS = 22
HEIGHT = 7.0
BANK = 5.0
"""The width of the ground at both ends of a bridge."""
_THICK = 0.22


class Bridge:
    """A row of planks that sags between two banks, hinged to each other and to the banks."""

    def __init__(
        self,
        banks: tuple[int, int],
        ends: tuple[float, float],
        height: float,
        sag: float,
        color: Color,
        break_force: float | None = None,
    ) -> None:
        self.break_force = break_force
        self._banks = banks
        part = np.linspace(0.0, 1.0, _PLANKS + 1)
        x = ends[0] + (ends[1] - ends[0]) * part
        self._joints: list[tuple[float, float]] = list(
            zip(x.tolist(), (height - 4.0 * sag * part * (1.0 - part)).tolist(), strict=True)
        )
        self._planks = [self._plank(*ends, color) for ends in pairwise(self._joints)]
        self._hinges: list[int] = []

    def _plank(self, start: tuple[float, float], end: tuple[float, float], color: Color) -> int:
        place = Transform(
            0.5 * (start[0] + end[0]), 0.5 * (start[1] + end[1]), math.atan2(end[1] - start[1], end[0] - start[0])
        )
        length = math.dist(start, end) - 2.0 * _THICK + 0.1
        return put(color, place, CapsuleCollider(length, _THICK), RigidBody(density=1.5, friction=0.8), pattern=WOOD)

    def join(self) -> None:
        """Hinge all planks, also where they hang together no more; they have to be where they began."""
        for hinge in self._hinges:
            if esper.entity_exists(hinge):
                esper.delete_entity(hinge, immediate=True)
        ends = [self._banks[0], *self._planks, self._banks[1]]
        self._hinges = [
            esper.create_entity(RevoluteJoint.at(a, b, *place, break_force=self.break_force))
            for place, (a, b) in zip(self._joints, pairwise(ends), strict=True)
        ]

    @property
    def hinges(self) -> int:
        """How many hinges it has, or had."""
        return len(self._hinges)

    def set_strength(self, break_force: float) -> None:
        """Let its hinges break at a force."""
        self.break_force = break_force
        for hinge in self._hinges:
            joint = esper.try_component(hinge, RevoluteJoint) if esper.entity_exists(hinge) else None
            if joint is not None:
                joint.break_force = break_force

    def whole(self) -> int:
        """How many of its hinges hold."""
        return sum(esper.entity_exists(hinge) and esper.has_component(hinge, RevoluteJoint) for hinge in self._hinges)


def put_banks() -> tuple[int, int]:
    """The ground at both sides, as high as a bridge between them."""
    left, right = (plank(side * (RIGHT - 0.5 * BANK), 0.5 * HEIGHT, 0.5 * BANK, 0.5 * HEIGHT) for side in (-1.0, 1.0))
    return left, right


def build(rng: np.random.Generator) -> Layout:
    physics = open_stage()
    physics.settings.joint_iterations = 4
    Bridge(put_banks(), (LEFT + BANK, RIGHT - BANK), HEIGHT, 1.2, WARM[2]).join()
    for number in range(26):
        color = blend(BRIGHT, number / 25)
        x, y = -9.0 + 18.0 * ((7 * number) % 26) / 25.0, 10.0 + 1.5 * (number // 6)
        put(color, Transform(x, y, 0.3 * number), _load(number), RigidBody(friction=0.5), pattern=TOY)
    return show(
        physics,
        [
            Caption(
                LEFT + 0.3, 16.4, f"{_PLANKS} planks, {_PLANKS + 1} hinges", "pull at any of them; joint_iterations 4"
            )
        ],
    )


def _load(number: int) -> Collider:
    if number % 3 == 0:
        return OBBCollider(0.55, 0.55)
    if number % 3 == 1:
        return CircleCollider(0.6)
    return PolygonCollider([(0.7, -0.5), (0.45, 0.5), (-0.45, 0.5), (-0.7, -0.5)])
