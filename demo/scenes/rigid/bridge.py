"""A bridge of planks and hinges; wheels roll over it one after another."""

from __future__ import annotations

import math
from itertools import pairwise

import esper
import numpy as np

from ecsphys import (
    CapsuleCollider,
    ChainCollider,
    RevoluteJoint,
    RigidBody,
    Transform,
)
from ecsphys.demo.scenes.parameter import Parameter, Reading
from ecsphys.demo.scenes.patterns.pattern import WOOD
from ecsphys.demo.scenes.rigid.hills import Earth
from ecsphys.demo.scenes.rigid.stage import LEFT, RIGHT, open_stage, plank, show
from ecsphys.demo.scenes.rigid.tint import STONE, WARM, put
from ecsphys.demo.scenes.rigid.wheels import EVERY, Wheels
from ecsphys.demo.scenes.scene import Caption, Layout
from ecsphys.demo.scenes.sketch import Color

_PLANKS = 22
HEIGHT = 7.0
BANK = 5.0
"""The width of the ground at both ends of a bridge."""
_THICK = 0.22
_HILL = 4.5
"""How much higher the hill begins."""
_EDGE = RIGHT - 2.0
"""Where the bank ends behind which wheels fall."""


class Bridge:
    """A row of planks that sags between two banks, hinged to each other and to the banks.

    ``thick`` is half the thickness of a plank.
    """

    def __init__(
        self,
        banks: tuple[int, int],
        ends: tuple[float, float],
        height: float,
        sag: float,
        color: Color,
        break_force: float | None = None,
        thick: float = _THICK,
    ) -> None:
        self.break_force = break_force
        self._banks = banks
        self._thick = thick
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
        length = math.dist(start, end) - 2.0 * self._thick + 0.1
        body = RigidBody(density=1.5, friction=0.8)
        return put(color, place, CapsuleCollider(length, self._thick), body, pattern=WOOD)

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
    def planks(self) -> list[int]:
        """Its planks from left to right."""
        return self._planks

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
    physics = open_stage(with_floor=False)
    physics.settings.joint_iterations = 4
    left = plank(LEFT + 0.5 * BANK, 0.5 * HEIGHT - 1.0, 0.5 * BANK, 0.5 * HEIGHT + 1.0)
    right = plank(0.5 * (RIGHT - BANK + _EDGE), 0.5 * HEIGHT - 1.0, 0.5 * (_EDGE - RIGHT + BANK), 0.5 * HEIGHT + 1.0)
    slope = _slope()
    put(STONE, Transform(), ChainCollider(slope, side="left"), RigidBody("static", friction=0.9))
    Bridge((left, right), (LEFT + BANK, RIGHT - BANK), HEIGHT, 1.0, WARM[2]).join()
    wheels = Wheels(physics, rng, _EDGE)
    esper.add_processor(wheels, priority=450)

    def roll_every(seconds: float) -> None:
        wheels.every = seconds

    def weigh(density: float) -> None:
        wheels.density = density

    return show(
        physics,
        [
            Caption(
                -11.0,
                16.4,
                "Pull at the planks, or drop things on them",
                "23 RevoluteJoints; settings.joint_iterations",
            ),
        ],
        [
            Parameter("a wheel every", lambda: wheels.every, roll_every, (0.6, 1.0, EVERY, 3.0, 6.0), "{:g} s"),
            Parameter("weight of wheels", lambda: wheels.density, weigh, (0.25, 0.5, 1.0, 2.0, 4.0, 8.0), "× {:g}"),
        ],
        [Reading("wheels across", lambda: f"{wheels.crossed}")],
        paint_below=Earth(slope).paint,
    )


def _slope() -> list[tuple[float, float]]:
    """The hill that leads to the bridge, steep at first."""
    part = np.linspace(0.0, 1.0, 24)
    xs, ys = LEFT - 0.5 + (BANK + 0.5) * part, HEIGHT + _HILL * (1.0 - part) ** 2
    return list(zip(xs.tolist(), ys.tolist(), strict=True))
