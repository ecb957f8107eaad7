"""Dominoes on three floors: each row sends a ball down to the next."""

from __future__ import annotations

import math

import esper
import numpy as np

from ecsphys import CircleCollider, OBBCollider, Physics, RigidBody, Transform, Velocity
from ecsphys.demo.scenes.patterns.pattern import DOMINO, METAL
from ecsphys.demo.scenes.rigid.program import Program
from ecsphys.demo.scenes.rigid.sliders import material
from ecsphys.demo.scenes.rigid.stage import LEFT, RIGHT, open_stage, plank, show
from ecsphys.demo.scenes.rigid.tint import BRIGHT, MACHINE, blend, put
from ecsphys.demo.scenes.scene import Caption, Layout, Pointer

_HALF_WIDTH, _HALF_HEIGHT, _SPACING = 0.12, 0.95, 0.9
_BALL = 0.8
_TIP = 0.9
"""How fast a click pushes a domino, units/s."""
_FLOORS = (11.0, 5.5, 0.0)
_SPAN = 12.6
"""Where the outermost dominoes stand, to both sides."""


class Tip(Pointer):
    """A click beside a domino, or on it, tips it away from there; with a drag it is held instead."""

    def __init__(self, physics: Physics) -> None:
        self._physics = physics
        self._domino: int | None = None
        self._clicked = (0.0, 0.0)

    def press(self, x: float, y: float) -> bool:
        self._domino, self._clicked = None, (x, y)
        for found in self._physics.nearest((x, y), k=8, max_distance=self.reach):
            if esper.has_component(found.entity, OBBCollider) and esper.has_component(found.entity, RigidBody):
                self._domino = found.entity
                break
        # The mouse also holds the domino: only the way to the release tells a click from a drag.
        return False

    def move(self, x: float, y: float) -> None:
        if math.dist(self._clicked, (x, y)) > self.reach:
            self._domino = None

    def release(self) -> None:
        if self._domino is None or not esper.entity_exists(self._domino):
            return
        place = esper.component_for_entity(self._domino, Transform)
        away = 1.0 if self._clicked[0] < place.x else -1.0
        top = place.x, place.y + 0.8 * _HALF_HEIGHT
        mass = self._physics.bodies.mass_of(self._domino).mass
        self._physics.bodies.apply_impulse(self._domino, (away * _TIP * mass, 0.0), top)
        self._domino = None


def build(rng: np.random.Generator) -> Layout:
    physics = open_stage()
    count = round(2.0 * _SPAN / _SPACING) + 1
    dominoes: list[int] = []
    for number, height in enumerate(_FLOORS):
        way = 1 if number % 2 == 0 else -1
        if height > 0.0:
            # The board ends before the wall to which its row falls, and there a ramp takes the ball back.
            left, right = (-_SPAN - 1.0, _SPAN + 2.0) if way > 0 else (-_SPAN - 2.0, _SPAN + 1.0)
            plank(0.5 * (left + right), height - 0.15, 0.5 * (right - left), 0.15)
        for k in range(count):
            x = way * (-_SPAN + k * _SPACING)
            color = blend(BRIGHT, (number * count + k) / (3 * count - 1))
            shape = OBBCollider(_HALF_WIDTH, _HALF_HEIGHT)
            place = Transform(x, height + _HALF_HEIGHT)
            dominoes.append(put(color, place, shape, RigidBody(friction=0.4), pattern=DOMINO))
        if height > 0.0:
            _ball(way * (_SPAN + 1.35), height + _BALL)
            below = _FLOORS[number + 1]
            wall = RIGHT if way > 0 else LEFT
            plank(wall - way * 1.9, below + 1.35, 2.2, 0.12, way * 0.42)
    starter = _ball(LEFT + 1.0, _FLOORS[0] + 3.3)
    plank(LEFT + 2.3, _FLOORS[0] + 1.0, 2.6, 0.12, -0.42)
    esper.add_processor(Program(36.0, (0.0, lambda: physics.bodies.wake(starter))), priority=450)
    layout = show(
        physics,
        [
            Caption(
                LEFT + 5.6,
                16.4,
                "Click a domino to tip it, drag to carry it",
                f"{len(dominoes)} boxes, asleep until hit",
            )
        ],
        [material(physics, "friction of dominoes", "friction", dominoes, (0.0, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0))],
    )
    layout.pointer = Tip(physics)
    return layout


def _ball(x: float, y: float) -> int:
    place = Transform(x, y, 0.5 * math.pi)
    return put(MACHINE, place, Velocity(), CircleCollider(_BALL), RigidBody(density=0.6), pattern=METAL)
