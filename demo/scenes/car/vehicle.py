"""The car: a body on two sprung wheels with motors."""

from __future__ import annotations

import math

import esper

from ecsphys import (
    CircleCollider,
    CompoundCollider,
    MouseJoint,
    Physics,
    PolygonCollider,
    RigidBody,
    Transform,
    Velocity,
    WheelJoint,
)
from ecsphys.demo.scenes.landscape.dusk import INK
from ecsphys.demo.scenes.rigid.tint import hue, put

WHEEL_RADIUS = 0.9
WHEELBASE = 3.0
"""Units from hub to hub."""
HUB_DROP = 0.7
"""How far the hubs are below the body's origin."""
STANDING = WHEEL_RADIUS + HUB_DROP
"""The height of its origin above level ground."""
HULL = ((-2.3, 0.1), (-2.2, -0.45), (2.2, -0.45), (2.45, -0.2), (2.35, 0.22), (1.2, 0.38), (-2.25, 0.42))
CABIN = ((-1.75, 0.4), (1.2, 0.36), (0.45, 1.1), (-1.35, 1.12))
BARS = (
    ((2.1, -0.4), (2.3, -0.8), (2.55, -0.8), (2.6, -0.3)),
    ((-2.5, -0.3), (-2.45, -0.8), (-2.2, -0.8), (-2.0, -0.4)),
)
"""They push away what would get under the wheels."""
PAINT = hue(0xF2495C)
_INERTIA = 42.0
"""More than its shape has, so that it does not turn over at each jump."""


class Car:
    """The entities of a car, and actions on them. The car looks to the right."""

    def __init__(self, x: float, y: float) -> None:
        """A car whose body has its origin at (x, y)."""
        shape = CompoundCollider([PolygonCollider(list(outline)) for outline in (HULL, CABIN, *BARS)])
        self.body = put(PAINT, Transform(x, y), shape, RigidBody(friction=0.2, inertia=_INERTIA), Velocity())
        self.wheels: list[int] = []
        self._joints: list[WheelJoint] = []
        for side in (-0.5, 0.5):
            hub = x + WHEELBASE * side, y - HUB_DROP
            tyre = CircleCollider(WHEEL_RADIUS)
            wheel = put(INK, Transform(*hub), tyre, RigidBody(friction=2.0, density=0.7), Velocity())
            joint = WheelJoint.at(
                self.body, wheel, *hub, (0.0, 1.0), frequency=3.2, has_limits=True, lower=-0.35, upper=0.35
            )
            esper.create_entity(joint)
            self.wheels.append(wheel)
            self._joints.append(joint)
        self.place = esper.component_for_entity(self.body, Transform)
        self.velocity = esper.component_for_entity(self.body, Velocity)

    @property
    def entities(self) -> list[int]:
        """Body and wheels."""
        return [self.body, *self.wheels]

    @property
    def is_held(self) -> bool:
        """Whether the mouse holds the car."""
        return any(joint.entity_a in self.entities for _, joint in esper.get_component(MouseJoint))

    def drive(self, speed: float, torque: float) -> None:
        """Let both motors reach a speed, in rad/s forwards, by a torque; with the speed 0 they brake."""
        for joint in self._joints:
            # A joint that is written wakes the car: only if something changes.
            if joint.motor_speed != -speed:
                joint.motor_speed = -speed
            if joint.max_torque != torque:
                joint.max_torque = torque

    def put_at(self, x: float, y: float, angle: float) -> None:
        """Put body and wheels there, all at rest."""
        c, s = math.cos(angle), math.sin(angle)
        places = [(0.0, 0.0), (-0.5 * WHEELBASE, -HUB_DROP), (0.5 * WHEELBASE, -HUB_DROP)]
        for entity, (along, up) in zip(self.entities, places, strict=True):
            place = esper.component_for_entity(entity, Transform)
            place.x, place.y, place.angle = x + c * along - s * up, y + s * along + c * up, angle
            velocity = esper.component_for_entity(entity, Velocity)
            velocity.x = velocity.y = velocity.angular = 0.0

    def move_as_one(self, physics: Physics, velocity: tuple[float, float], turn: float) -> None:
        """Give body and wheels the velocities of one rigid body, with ``turn`` in rad/s about the body's origin."""
        for entity in self.entities:
            place = esper.component_for_entity(entity, Transform)
            x, y = place.x - self.place.x, place.y - self.place.y
            physics.bodies.set_velocity(entity, (velocity[0] - turn * y, velocity[1] + turn * x), turn)
