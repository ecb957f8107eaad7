"""A world of bodies in ecsphys."""

from __future__ import annotations

import itertools
from typing import Any, Literal

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

import ecsphys
from benchmarks.rigid.engine import STEP, SUBSTEPS
from benchmarks.rigid.things import Disc, Hinge, RigidWorld, Thing
from ecsphys import (
    CircleCollider,
    Component,
    CompoundCollider,
    OBBCollider,
    RevoluteJoint,
    RigidBody,
    Solid,
    Transform,
    Velocity,
)

_world_numbers = itertools.count(1)


class EcsphysWorld:
    """Played in an esper world of its own."""

    name = "ecsphys"

    def __init__(
        self,
        world: RigidWorld,
        substeps: int = SUBSTEPS,
        may_sleep: bool = False,
        joint_iterations: int = 1,
        threads: int = 1,
    ) -> None:
        self._world = f"bodies {next(_world_numbers)}"
        esper.switch_world(self._world)
        self.physics = ecsphys.install(gravity=world.gravity, threads=threads)
        self.physics.settings.solver_substeps = substeps
        self.physics.settings.joint_iterations = joint_iterations
        if not may_sleep:
            self.physics.settings.sleep_speed = 0.0
        for thing in world.still:
            esper.create_entity(*_parts(thing), Solid() if _is_plain(thing) else _body(thing, "static"))
        for thing in world.turning:
            esper.create_entity(*_parts(thing), Velocity(*thing.velocity), _body(thing, "kinematic"))
        self._bodies = [
            esper.create_entity(*_parts(thing), Velocity(*thing.velocity), _body(thing, "dynamic"))
            for thing in world.falling
        ]
        for hinge in world.hinges:
            esper.create_entity(self._joint(hinge))

    def _joint(self, hinge: Hinge) -> RevoluteJoint:
        options: dict[str, Any] = {}
        if hinge.limits is not None:
            options |= {"has_limits": True, "lower": hinge.limits[0], "upper": hinge.limits[1]}
        if hinge.motor is not None:
            options |= {"motor_speed": hinge.motor[0], "max_torque": hinge.motor[1]}
        other = None if hinge.b is None else self._bodies[hinge.b]
        return RevoluteJoint.at(other, self._bodies[hinge.a], hinge.x, hinge.y, **options)

    def step(self) -> None:
        self._enter()
        esper.process(STEP)

    def poses(self) -> NDArray[float64]:
        return self._columns(Transform, ("x", "y", "angle"))

    def velocities(self) -> NDArray[float64]:
        return self._columns(Velocity, ("x", "y", "angular"))

    def asleep(self) -> int:
        self._enter()
        return sum(self.physics.bodies.is_asleep(body) for body in self._bodies)

    def hits(self) -> int:
        """How many hits there were in the last step."""
        return len(self.physics.hits)

    def close(self) -> None:
        esper.switch_world("default")
        esper.delete_world(self._world)

    def _enter(self) -> None:
        if esper.current_world != self._world:
            esper.switch_world(self._world)

    def _columns(self, component: type[Component], names: tuple[str, ...]) -> NDArray[float64]:
        self._enter()
        entities, rows = ecsphys.join(component)
        own = rows[np.searchsorted(entities, self._bodies)]
        return np.column_stack([component.column(name, writable=False)[own] for name in names])


def _is_plain(thing: Thing) -> bool:
    return thing.friction == RigidBody().friction and thing.restitution == 0.0


def _body(thing: Thing, kind: Literal["dynamic", "kinematic", "static"]) -> RigidBody:
    return RigidBody(kind, density=thing.density, friction=thing.friction, restitution=thing.restitution)


def _parts(thing: Thing) -> tuple[Component | CompoundCollider, ...]:
    colliders = [
        CircleCollider(shape.radius)
        if isinstance(shape, Disc)
        else OBBCollider(shape.half_width, shape.half_height, shape.x, shape.y, shape.angle)
        for shape in thing.shapes
    ]
    collider = colliders[0] if len(colliders) == 1 else CompoundCollider(colliders)
    return Transform(thing.x, thing.y, thing.angle), collider
