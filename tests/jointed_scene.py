"""Worlds of jointed bodies for tests, and what these ask of them."""

from __future__ import annotations

import math
from typing import Any, TypeVar

import esper
import numpy as np

import ecsphys
from ecsphys import CircleCollider, OBBCollider, Physics, RevoluteJoint, RigidBody, Transform, Velocity, WheelJoint

DT = 1.0 / 60.0

_Component = TypeVar("_Component")


def steps(count: int) -> None:
    for _ in range(count):
        esper.process(DT)


def of(entity: int, cls: type[_Component]) -> _Component:
    return esper.component_for_entity(entity, cls)


def place(entity: int) -> tuple[float, float, float]:
    transform = of(entity, Transform)
    return transform.x, transform.y, transform.angle


def speed(entity: int) -> tuple[float, float, float]:
    velocity = of(entity, Velocity)
    return velocity.x, velocity.y, velocity.angular


def box(x: float, y: float, half_x: float = 0.5, half_y: float = 0.5, angle: float = 0.0, **body: Any) -> int:
    return esper.create_entity(Transform(x, y, angle), OBBCollider(half_x, half_y), RigidBody(**body))


def ball(x: float, y: float, radius: float = 0.5, **body: Any) -> int:
    return esper.create_entity(Transform(x, y), CircleCollider(radius), RigidBody(**body))


LINK_LENGTH = 0.5


def chain(links: int, load: float, x: float = 0.0, y: float = 0.0) -> tuple[list[int], list[int]]:
    """A hanging chain whose last body weighs as much as ``load`` links: its bodies and its joints."""
    bodies: list[int] = []
    joints: list[int] = []
    last: int | None = None
    for k in range(links + 1):
        top = y - LINK_LENGTH * k
        if k < links:
            body = box(x, top - 0.5 * LINK_LENGTH, 0.5 * LINK_LENGTH, 0.05, -0.5 * math.pi)
        else:
            body = ball(x, top, 0.3, mass=load * 2.0 * LINK_LENGTH * 0.05)
        joints.append(esper.create_entity(RevoluteJoint.at(last, body, x, top)))
        bodies.append(body)
        last = body
    return bodies, joints


def moving_scene(threads: int | None = 1, x: float = 0.0, y: float = 0.0) -> Physics:
    """A bit of everything that swings, rolls and collides."""
    physics = ecsphys.install(gravity=(0.0, -10.0), threads=threads)
    esper.create_entity(Transform(x, y - 8.0), OBBCollider(40.0, 0.5), RigidBody("static"))
    chain(12, 3.0, x, y)
    chain(8, 1.0, x + 0.6, y)
    car = box(x - 5.0, y - 6.5, 1.0, 0.25)
    for side in (-0.8, 0.8):
        wheel = ball(x - 5.0 + side, y - 7.0, 0.4)
        esper.create_entity(
            WheelJoint.at(car, wheel, x - 5.0 + side, y - 7.0, (0.0, 1.0), motor_speed=-6.0, max_torque=4.0)
        )
    for k in range(12):
        ball(x + 0.3 * k - 2.0, y + 2.0 + 0.7 * k, 0.3, restitution=0.3)
    return physics


def state() -> bytes:
    """The bits of all places and speeds, in the order of the entities."""
    numbers = [
        (*place(entity), *speed(entity)) for entity, _ in sorted(esper.get_component(Velocity), key=lambda one: one[0])
    ]
    return np.array(numbers).tobytes()
