"""Scenes in ecsphys."""

from __future__ import annotations

import itertools
from typing import Any

import esper
import numpy as np
from numpy import bool_
from numpy.typing import NDArray

import ecsphys
from checks.peers.film import SUBSTEPS, Floats
from checks.peers.scene import Box, Capsule, Chain, Disc, Fan, Polygon, Scene, Shape, Thing
from ecsphys import (
    AABBCollider,
    Bullet,
    CapsuleCollider,
    ChainCollider,
    CircleCollider,
    CompoundCollider,
    FanCollider,
    OBBCollider,
    PolygonCollider,
    RevoluteJoint,
    RigidBody,
    Solid,
    Transform,
    Velocity,
    WeldJoint,
)

_world_numbers = itertools.count(1)


class EcsphysPlayer:
    """Plays in an esper world of its own."""

    name = "ecsphys"

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._before = esper.current_world
        self._world = f"peers {next(_world_numbers)}"
        esper.switch_world(self._world)
        self.physics = ecsphys.install(gravity=scene.gravity, threads=1)
        self.physics.settings.solver_substeps = SUBSTEPS
        self.physics.settings.restitution_threshold = scene.bounce_from
        if not scene.may_sleep:
            self.physics.settings.sleep_speed = 0.0
        self._entities: dict[int, int] = {}

    def add(self, numbers: list[int]) -> None:
        for number in numbers:
            thing = self._scene.things[number]
            parts: list[Any] = [Transform(thing.x, thing.y, thing.angle), *_colliders(thing), *_bodies(thing)]
            if thing.kind == "dynamic" or thing.velocity != (0.0, 0.0) or thing.spin != 0.0:
                parts.append(Velocity(*thing.velocity, thing.spin))
            if thing.bullet:
                parts.append(Bullet())
            self._entities[number] = esper.create_entity(*parts)

    def join(self, numbers: list[int]) -> None:
        for number in numbers:
            joint = self._scene.joints[number]
            a = None if joint.a is None else self._entities[joint.a]
            b = self._entities[joint.b]
            if joint.what == "weld":
                esper.create_entity(WeldJoint.at(a, b, joint.x, joint.y))
            elif joint.limits is None:
                esper.create_entity(RevoluteJoint.at(a, b, joint.x, joint.y))
            else:
                lower, upper = joint.limits
                esper.create_entity(RevoluteJoint.at(a, b, joint.x, joint.y, has_limits=True, lower=lower, upper=upper))

    def step(self, dt: float) -> None:
        esper.process(dt)

    def states(self) -> Floats:
        found = np.full((len(self._scene.things), 6), np.nan)
        numbers = np.array(list(self._entities), np.int64)
        entities = np.array(list(self._entities.values()), np.int64)
        rows = Transform.rows_of(entities)
        for k, name in enumerate(("x", "y", "angle")):
            found[numbers, k] = Transform.column(name, writable=False)[rows]
        found[numbers, 3:] = 0.0
        moving = np.array([esper.has_component(entity, Velocity) for entity in entities.tolist()], bool)
        if moving.any():
            rows = Velocity.rows_of(entities[moving])
            for k, name in enumerate(("x", "y", "angular")):
                found[numbers[moving], 3 + k] = Velocity.column(name, writable=False)[rows]
        return found

    def asleep(self) -> NDArray[bool_]:
        found = np.zeros(len(self._scene.things), bool)
        for number, entity in self._entities.items():
            if self._scene.things[number].kind == "dynamic":
                found[number] = self.physics.bodies.is_asleep(entity)
        return found

    def close(self) -> None:
        esper.switch_world(self._before)
        esper.delete_world(self._world)


def _bodies(thing: Thing) -> list[Any]:
    if thing.kind == "solid":
        return [Solid()]
    return [
        RigidBody(
            thing.kind,
            density=thing.density,
            friction=thing.friction,
            restitution=thing.restitution,
            rolling_resistance=thing.rolling,
            lock_rotation=thing.upright,
        )
    ]


def _colliders(thing: Thing) -> list[Any]:
    parts = [_collider(shape) for shape in thing.shapes]
    return parts if len(parts) == 1 else [CompoundCollider(parts)]


def _collider(shape: Shape) -> Any:
    match shape:
        case Disc():
            return CircleCollider(shape.radius, shape.x, shape.y)
        case Box(turns=False):
            return AABBCollider(shape.half_width, shape.half_height, shape.x, shape.y)
        case Box():
            return OBBCollider(shape.half_width, shape.half_height, shape.x, shape.y, shape.angle)
        case Capsule():
            return CapsuleCollider(shape.length, shape.radius)
        case Fan():
            return FanCollider(shape.radius, shape.spread)
        case Polygon():
            return PolygonCollider(list(shape.corners))
        case Chain():
            return ChainCollider(list(shape.points))
