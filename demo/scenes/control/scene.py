"""Even motion, a walk in eight directions, shots all round, and a throw both in steps and in closed form."""

from __future__ import annotations

import math

import esper
import numpy as np

import ecsphys
from ecsphys import (
    AABBCollider,
    BallisticTrajectory,
    CircleCollider,
    CollisionFilter,
    Controller,
    Gravity,
    InputState,
    LinearTrajectory,
    Physics,
    Priority,
    Transform,
    Velocity,
    WorldBounds,
)
from ecsphys.demo import palette
from ecsphys.demo.scenes.boundaries import Loop, LoopSystem
from ecsphys.demo.scenes.boxes import is_inside
from ecsphys.demo.scenes.control.pointer import ControlPointer, Line
from ecsphys.demo.scenes.drawing.trails import Trails
from ecsphys.demo.scenes.parameter import Parameter, Reading
from ecsphys.demo.scenes.physics_parameters import gravity, method, substeps
from ecsphys.demo.scenes.scene import STEP, Box, Caption, Layout
from ecsphys.demo.scenes.sketch import Sketch, arrow
from ecsphys.systems import ControlSystem, WorldBoundsSystem

ARENA: Box = (-17.0, -8.0, 17.0, 8.0)
GRAVITY = 9.0
_WALK = (-9.8, -7.2)  # where the eight-way walk begins
WALKER = 0.4  # half its side
_FAN = (10.8, -4.0)  # where the shots in any direction begin
_LINE = 14.4
_WALK_SIDE = 2.0  # the side of the octagon
WALK_CELL: Box = (-16.7, -7.7, -0.3, -1.9)
_SHOTS = 16
_SHOT_SECONDS = 1.25
_THROW = (0.8, 1.2)
_THROW_SPEED = (5.4, 9.4)
_THROW_CELL: Box = (0.3, _THROW[1] - 0.2, ARENA[2] - 1.0, ARENA[3])
_DIRECTIONS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))


class Walk(esper.Processor):
    """Steers until the first key: one direction after another, each equally far, round a regular octagon."""

    def __init__(self, keys: InputState, applied: InputState, controller: Controller) -> None:
        self.keys = keys
        self.applied = applied
        self.controller = controller
        self._walked = 0.0
        self._by_hand = False

    def process(self, dt: float) -> None:
        if self.keys.x or self.keys.y:
            self._by_hand = True
        if self._by_hand:
            self.applied.x, self.applied.y = self.keys.x, self.keys.y
            return
        x, y = _DIRECTIONS[int(self._walked / _WALK_SIDE) % 8]
        self.applied.x, self.applied.y = float(x), float(y)
        self._walked += self.controller.speed * dt


class Shots(esper.Processor):
    """Sixteen balls from one place at one speed, in directions all round, again and again."""

    def __init__(self) -> None:
        self.speed = 2.4
        self.place = _FAN
        self._clock = 0.0
        self._balls: list[tuple[Transform, Velocity]] = []
        for _ in range(_SHOTS):
            ball = Transform(*_FAN), Velocity()
            esper.create_entity(*ball, CircleCollider(0.2), CollisionFilter(group=-2))
            self._balls.append(ball)
        self.fire()

    def fire_from(self, x: float, y: float) -> None:
        """Fire at once, and from now on, from a place."""
        self.place = (x, y)
        self._clock = 0.0
        self.fire()

    def fire(self) -> None:
        """Row A3: v = (δ cos θ, δ sin θ)."""
        for number, (transform, velocity) in enumerate(self._balls):
            direction = math.tau * number / _SHOTS
            transform.x, transform.y = self.place
            velocity.x, velocity.y = self.speed * math.cos(direction), self.speed * math.sin(direction)

    def process(self, dt: float) -> None:
        self._clock += dt
        if self._clock >= _SHOT_SECONDS:
            self._clock -= _SHOT_SECONDS
            self.fire()

    def paint(self, sketch: Sketch) -> None:
        """The circle on which all of them are, since all are equally fast."""
        sketch.circles(np.array([self.place]), self.speed * self._clock, palette.GUIDE, 0.45, line=1.3)


class Throws(esper.Processor):
    """The same throw in steps and in closed form; the error of the method is seen where they part."""

    def __init__(self, physics: Physics) -> None:
        self.physics = physics
        self.stepped = Transform(*_THROW), Velocity()
        self.exact = Transform(), BallisticTrajectory(*_THROW, *_THROW_SPEED, 0.0, -GRAVITY)
        self.entities = [
            esper.create_entity(*self.stepped, Gravity(), CircleCollider(0.38), CollisionFilter(group=-1)),
            esper.create_entity(*self.exact, CircleCollider(0.2), CollisionFilter(group=-1)),
        ]
        self.error = 0.0
        self.speed = _THROW_SPEED
        self.restart()

    def restart(self) -> None:
        """Throw again."""
        transform, velocity = self.stepped
        transform.x, transform.y = _THROW
        velocity.x, velocity.y = self.speed
        path = self.exact[1]
        path.vx, path.vy = self.speed
        path.ay, path.elapsed = self.physics.gravity[1], 0.0

    def process(self, dt: float) -> None:
        self.error = self.stepped[0].y - self.exact[0].y
        if not is_inside(_THROW_CELL, self.exact[0].x, self.exact[0].y):
            self.restart()

    def expected_error(self) -> float:
        """Row A4: ± ½·G·t·h after a time t in steps of h, plus for "explicit", minus for "semi_implicit"."""
        signs = {"explicit": 1.0, "semi_implicit": -1.0, "verlet": 0.0}
        step = STEP / self.physics.settings.motion_substeps
        return -signs[self.physics.settings.integrator] * 0.5 * self.physics.gravity[1] * self.exact[1].elapsed * step


def build(rng: np.random.Generator) -> Layout:
    """Nothing here is random."""
    physics = ecsphys.install(gravity=(0.0, -GRAVITY), integrator="explicit")
    keys, applied = InputState(), InputState()
    walker, controller = Transform(*_WALK), Controller(3.2)
    bounds = WorldBounds(*WALK_CELL, margin=WALKER)
    walking = esper.create_entity(walker, Velocity(), controller, AABBCollider(WALKER, WALKER), bounds)
    esper.add_processor(Walk(keys, applied, controller), Priority.INPUT + 1)
    esper.add_processor(ControlSystem(physics, applied), Priority.INPUT)
    esper.add_processor(WorldBoundsSystem(physics), Priority.BOUNDS)
    lines, balls = [], []
    for number, speed in enumerate((2.0, 4.0, 8.0)):
        y = 5.2 - 1.3 * number
        path = LinearTrajectory(-16.0, y, speed, 0.0)
        lines.append(Line(path, _LINE))
        balls.append(esper.create_entity(Transform(), path, CircleCollider(0.38), Loop(_LINE / speed)))
    shots, throws = Shots(), Throws(physics)
    pointer = ControlPointer(physics, lines, keys, walker, shots, throws, _THROW)
    esper.add_processor(pointer, Priority.INPUT + 2)
    for processor in (LoopSystem(), shots, throws):
        esper.add_processor(processor)

    def paint(sketch: Sketch) -> None:
        shots.paint(sketch)
        pointer.paint(sketch)
        sketch.boxes(np.array([WALK_CELL]), palette.FRAME, line=1.2)
        arrow(sketch, (walker.x, walker.y), (walker.x + 1.2 * applied.x, walker.y + 1.2 * applied.y), palette.ACCENT)

    def set_shot_speed(value: float) -> None:
        shots.speed = value

    def set_walk_speed(value: float) -> None:
        controller.speed = value

    captions = [
        Caption(-16.7, 7.8, "Even motion: drag a ball", "LinearTrajectory at 2, 4 and 8 units/s"),
        Caption(-16.7, -0.2, "Hold the button: the square comes", "Controller; W A S D: one speed all ways", room=1.2),
        Caption(0.3, 7.8, "Drag to aim the throw", "small ball: BallisticTrajectory; large: Gravity in steps"),
        Caption(0.3, -0.2, "Click: shots all round", "Velocity(v cos θ, v sin θ): all on one circle", room=1.2),
    ]
    return Layout(
        physics,
        ARENA,
        captions,
        Trails([walking, *balls, *throws.entities], length=200),
        show_contacts=False,
        parameters=[
            method(physics, throws.restart),
            substeps(physics, throws.restart),
            gravity(physics, throws.restart),
            Parameter("walk", lambda: controller.speed, set_walk_speed, (1.6, 3.2, 6.4), "{:g}/s"),
            Parameter("shots", lambda: shots.speed, set_shot_speed, (1.2, 2.4, 4.0), "{:g}/s"),
        ],
        readings=[
            Reading("error", lambda: f"{throws.error:+z.4f}"),
            Reading("expected", lambda: f"{throws.expected_error():+z.4f}"),
        ],
        paint_below=paint,
        steering=keys,
        pointer=pointer,
    )
