"""A world of bodies in pymunk."""

from __future__ import annotations

import math

import numpy as np
import pymunk
import pymunk.batch
from numpy import float64
from numpy.typing import NDArray

from benchmarks.rigid.engine import ITERATIONS, STEP, SUBSTEPS
from benchmarks.rigid.things import Disc, Hinge, RigidWorld, Shape


class PymunkWorld:
    """Iterations in place of substeps, for contacts and joints alike.

    Of two shapes pymunk multiplies the numbers: each is given the root.
    """

    name = "pymunk"

    def __init__(
        self, world: RigidWorld, substeps: int = SUBSTEPS, may_sleep: bool = False, joint_iterations: int = 1
    ) -> None:
        self._space = space = pymunk.Space()
        space.gravity = world.gravity
        space.iterations = ITERATIONS * substeps * joint_iterations // SUBSTEPS
        if may_sleep:
            space.sleep_time_threshold = 0.5
        self._falling: list[pymunk.Body] = []
        for things, kind in (
            (world.still, pymunk.Body.STATIC),
            (world.turning, pymunk.Body.KINEMATIC),
            (world.falling, pymunk.Body.DYNAMIC),
        ):
            for thing in things:
                body = pymunk.Body(body_type=kind)
                body.position, body.angle = (thing.x, thing.y), thing.angle
                shapes = [_shape(body, shape) for shape in thing.shapes]
                for shape in shapes:
                    shape.density = thing.density
                    shape.friction, shape.elasticity = math.sqrt(thing.friction), math.sqrt(thing.restitution)
                space.add(body, *shapes)
                if kind != pymunk.Body.STATIC:
                    body.velocity, body.angular_velocity = thing.velocity[:2], thing.velocity[2]
                if kind == pymunk.Body.DYNAMIC:
                    self._falling.append(body)
        for hinge in world.hinges:
            self._join(hinge)
        self._buffer = pymunk.batch.Buffer()
        self._fields = pymunk.batch.BodyFields.POSITION | pymunk.batch.BodyFields.ANGLE

    def _join(self, hinge: Hinge) -> None:
        body = self._falling[hinge.a]
        other = self._space.static_body if hinge.b is None else self._falling[hinge.b]
        joints: list[pymunk.Constraint] = [pymunk.PivotJoint(other, body, (hinge.x, hinge.y))]
        start = body.angle - other.angle
        if hinge.limits is not None:
            joints.append(pymunk.RotaryLimitJoint(other, body, start + hinge.limits[0], start + hinge.limits[1]))
        if hinge.motor is not None:
            motor = pymunk.SimpleMotor(other, body, -hinge.motor[0])
            motor.max_force = hinge.motor[1]
            joints.append(motor)
        for joint in joints:
            joint.collide_bodies = False
        self._space.add(*joints)

    def step(self) -> None:
        self._space.step(STEP)
        self._buffer.clear()
        pymunk.batch.get_space_bodies(self._space, self._fields, self._buffer)

    def poses(self) -> NDArray[float64]:
        return np.array([(*body.position, body.angle) for body in self._falling], float64)

    def velocities(self) -> NDArray[float64]:
        return np.array([(*body.velocity, body.angular_velocity) for body in self._falling], float64)

    def asleep(self) -> int:
        return sum(body.is_sleeping for body in self._falling)

    def close(self) -> None:
        self._space.remove(*self._space.constraints, *self._space.shapes, *self._space.bodies)


def _shape(body: pymunk.Body, shape: Shape) -> pymunk.Shape:
    return pymunk.Circle(body, shape.radius) if isinstance(shape, Disc) else pymunk.Poly(body, shape.corners())
