"""A world of bodies in Box2D (pyb2d3), with one worker."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyb2d3
from numpy import float32, float64
from numpy.typing import NDArray

from benchmarks.rigid.engine import STEP, SUBSTEPS
from benchmarks.rigid.things import Disc, Hinge, RigidWorld, Shape


class Box2DWorld:
    """Nothing is continuous: fast bodies may pass through thin ones, as in the others. Joints have no iterations."""

    name = "Box2D"

    def __init__(
        self, world: RigidWorld, substeps: int = SUBSTEPS, may_sleep: bool = False, joint_iterations: int = 1
    ) -> None:
        self._substeps = substeps
        self._world = pyb2d3.World(gravity=world.gravity)
        self._world.sleeping_enabled = may_sleep
        self._world.continuous_enabled = False
        self._batch = pyb2d3.Bodies()
        self._kept: list[Any] = []
        self._falling: list[Any] = []
        kinds = pyb2d3.BodyType
        for things, kind in (
            (world.still, kinds.STATIC),
            (world.turning, kinds.KINEMATIC),
            (world.falling, kinds.DYNAMIC),
        ):
            for thing in things:
                body = self._world.create_body(
                    type=kind, position=(thing.x, thing.y), rotation=pyb2d3.make_rot(thing.angle)
                )
                material = pyb2d3.surface_material(friction=thing.friction, restitution=thing.restitution)
                settings = pyb2d3.shape_def(density=thing.density, material=material)
                for shape in thing.shapes:
                    body.create_shape(settings, _shape(shape))
                if kind is not kinds.STATIC:
                    body.linear_velocity = thing.velocity[:2]
                    body.angular_velocity = thing.velocity[2]
                self._kept.append(body)
                if kind is kinds.DYNAMIC:
                    self._batch.append(body.id)
                    self._falling.append(body)
        self._ground = self._world.create_body(type=kinds.STATIC)
        for hinge in world.hinges:
            self._join(hinge)
        self._transforms: NDArray[float32] = np.zeros((len(world.falling), 4), float32)

    def _join(self, hinge: Hinge) -> None:
        body = self._falling[hinge.a]
        other = self._ground if hinge.b is None else self._falling[hinge.b]
        settings = pyb2d3.revolute_joint_def(
            body_a=other,
            body_b=body,
            local_anchor_a=other.local_point((hinge.x, hinge.y)),
            local_anchor_b=body.local_point((hinge.x, hinge.y)),
            reference_angle=body.angle - other.angle,
        )
        if hinge.limits is not None:
            settings.enable_limit = True
            settings.lower_angle, settings.upper_angle = hinge.limits
        if hinge.motor is not None:
            settings.enable_motor = True
            settings.motor_speed, settings.max_motor_torque = hinge.motor
        self._kept.append(self._world.create_revolute_joint(settings))

    def step(self) -> None:
        self._world.step(STEP, self._substeps)
        self._batch.get_transforms(self._transforms)

    def poses(self) -> NDArray[float64]:
        return np.array([(*body.position, body.angle) for body in self._falling], float64)

    def velocities(self) -> NDArray[float64]:
        return np.array([(*body.linear_velocity, body.angular_velocity) for body in self._falling], float64)

    def asleep(self) -> int:
        return sum(not body.awake for body in self._falling)

    def close(self) -> None:
        self._world.destroy()


def _shape(shape: Shape) -> object:
    return pyb2d3.circle(radius=shape.radius) if isinstance(shape, Disc) else pyb2d3.polygon(points=shape.corners())
