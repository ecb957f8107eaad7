"""A car with sprung wheels and motors, on hills, over a bridge, and through a stack of boxes."""

from __future__ import annotations

import math
from collections.abc import Callable

import esper
import numpy as np

from ecsphys import (
    CircleCollider,
    CompoundCollider,
    InputState,
    OBBCollider,
    PolygonCollider,
    RevoluteJoint,
    RigidBody,
    Transform,
    WheelJoint,
)
from ecsphys.demo.scenes.parameter import Parameter
from ecsphys.demo.scenes.rigid.bridge import Bridge
from ecsphys.demo.scenes.rigid.program import Program
from ecsphys.demo.scenes.rigid.stage import LEFT, RIGHT, open_stage, plank, show
from ecsphys.demo.scenes.rigid.tint import COOL, MACHINE, STONE, WARM, put
from ecsphys.demo.scenes.scene import Caption, Layout

_WHEEL = 0.8
_MOTOR = 9.0
_TORQUE = 20.0
_GROUND = 4.0
_GORGE = (-1.0, 9.0)
_MOUNDS = ((-12.6, 1.9, 0.6), (-9.6, 1.1, 0.35))
"""Middle, half width and height."""
_STUCK_LENGTH, _STUCK_SECONDS = 0.6, 1.5
"""The way that it gets ahead, at least, in so much time: else it is stuck."""
_TURN_LEFT, _TURN_RIGHT = LEFT + 2.6, RIGHT - 3.2


class Driver(esper.Processor):
    """Drives to and fro between the walls, and back where it is stuck, unless the keys A and D say where.

    A car that lies on its back for a while is put back where it began, and all with it, by ``restart``.
    """

    def __init__(self, car: int, wheels: list[WheelJoint], restart: Callable[[], None]) -> None:
        self.keys = InputState()
        self.speed = _MOTOR
        self._car = car
        self._wheels = wheels
        self._way = 1.0
        self._ahead = LEFT
        """The place from which the way is counted."""
        self._stuck_for = 0.0
        self._on_back_for = 0.0
        self._restart = restart

    def process(self, dt: float) -> None:
        place = esper.component_for_entity(self._car, Transform)
        x = place.x
        self._on_back_for = self._on_back_for + dt if math.cos(place.angle) < 0.0 else 0.0
        if self._on_back_for > _STUCK_SECONDS:
            self._restart()
            self._way, self._on_back_for = 1.0, 0.0
            return
        self._stuck_for += dt
        if abs(x - self._ahead) > _STUCK_LENGTH:
            self._ahead, self._stuck_for = x, 0.0
        if x > _TURN_RIGHT:
            self._way = -1.0
        elif x < _TURN_LEFT:
            self._way = 1.0
        elif self._stuck_for > _STUCK_SECONDS:
            self._way = -self._way
            self._stuck_for = 0.0
        way = self.keys.x or self._way
        speed = -self.speed * way
        for wheel in self._wheels:
            # What is written is read anew: only where it changes.
            if wheel.motor_speed != speed:
                wheel.motor_speed = speed


def build(rng: np.random.Generator) -> Layout:
    physics = open_stage(with_floor=False)
    physics.settings.joint_iterations = 4
    Bridge(_ground(), _GORGE, _GROUND - 0.22, 0.5, WARM[2]).join()
    seesaw = put(COOL[3], Transform(-5.2, _GROUND + 0.75), OBBCollider(2.6, 0.12), RigidBody(friction=0.8))
    plank(-5.2, _GROUND + 0.3, 0.15, 0.3)
    esper.create_entity(RevoluteJoint.at(None, seesaw, -5.2, _GROUND + 0.75, has_limits=True, lower=-0.28, upper=0.28))
    for row in range(4):
        for column in range(3):
            place = Transform(11.5 + 0.9 * column, _GROUND + 0.4 + 0.8 * row)
            put(WARM[row % 4], place, OBBCollider(0.4, 0.4), RigidBody(density=0.1))
    car, wheels = _car(-16.2, _GROUND + 1.6)
    program = Program(30.0)
    driver = Driver(car, wheels, program.restart)
    esper.add_processor(program, priority=450)
    esper.add_processor(driver, priority=450)

    def drive(speed: float) -> None:
        driver.speed = speed

    layout = show(
        physics,
        [
            Caption(LEFT + 0.3, 16.4, "WheelJoints: springs, and motors", "A and D drive; it drives by itself"),
        ],
        [Parameter("motor", lambda: driver.speed, drive, (0.0, 4.5, 9.0, 13.5, 18.0), "{:g} rad/s")],
    )
    layout.steering = driver.keys
    return layout


def _ground() -> tuple[int, int]:
    """Mounds on flat ground, and the banks of a gorge, which are returned."""
    for middle, half, height in _MOUNDS:
        turns = np.linspace(0.0, math.pi, 14)
        corners = list(zip((half * np.cos(turns)).tolist(), (height * np.sin(turns)).tolist(), strict=True))
        put(STONE, Transform(middle, _GROUND), PolygonCollider(corners), RigidBody("static", friction=0.8))
    left, right = (
        plank(0.5 * (a + b), 0.5 * (_GROUND - 1.0), 0.5 * (b - a), 0.5 * (_GROUND + 1.0))
        for a, b in ((LEFT, _GORGE[0]), (_GORGE[1], RIGHT))
    )
    return left, right


def _car(x: float, y: float) -> tuple[int, list[WheelJoint]]:
    hull = [(-2.2, 0.1), (-2.0, -0.45), (2.1, -0.45), (2.3, 0.0), (2.1, 0.26), (-2.15, 0.32)]
    cabin = [(-1.7, 0.32), (1.3, 0.28), (0.45, 1.05), (-1.25, 1.05)]
    shape = CompoundCollider([PolygonCollider(hull), PolygonCollider(cabin)])
    car = put(MACHINE, Transform(x, y), shape, RigidBody(friction=0.3))
    joints = []
    for side in (-1.0, 1.0):
        hub = x + 1.4 * side, y - 0.7
        wheel = put(COOL[2], Transform(*hub), CircleCollider(_WHEEL), RigidBody(friction=1.2, density=0.8))
        joint = WheelJoint.at(car, wheel, *hub, (0.0, 1.0), max_torque=_TORQUE, has_limits=True, lower=-0.3, upper=0.3)
        esper.create_entity(joint)
        joints.append(joint)
    return car, joints
