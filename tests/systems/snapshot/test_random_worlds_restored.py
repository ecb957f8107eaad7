"""Random worlds of bodies play on with the same bits after a restore, whatever has come and gone since the snapshot."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any, Final, Literal

import esper
import pytest

import ecsphys
from ecsphys import (
    AABBCollider,
    Bullet,
    CapsuleCollider,
    ChainCollider,
    Character,
    CircleCollider,
    CircularTrajectory,
    CollisionFilter,
    CompoundCollider,
    DistanceJoint,
    Drag,
    FanCollider,
    MouseJoint,
    OBBCollider,
    OneWay,
    Parent,
    PolygonCollider,
    PrismaticJoint,
    RevoluteJoint,
    RigidBody,
    Solid,
    Transform,
    Velocity,
    WeldJoint,
)
from ecsphys.types import Snapshot

# In each of these, something that no snapshot has once decided what came after the restore.
SEEDS: Final = (124, 163, 169, 362)

_STEPS: Final = 20


class _World:
    """A world of a seed, which is played by the frame."""

    def __init__(self, seed: int) -> None:
        self.rnd = rnd = random.Random(seed)
        u = self.u = rnd.uniform
        substeps = rnd.choice([1, 1, 2])
        integrator: Literal["semi_implicit", "verlet"] = "semi_implicit" if rnd.choice(range(4)) < 3 else "verlet"
        self.physics = ecsphys.install((0, -9.8), None, substeps, integrator)
        self.create = esper.create_entity
        count = rnd.choice([5, 20, 80, 200])
        for x in range(-20, 20):
            more: list[Any] = [RigidBody("static", friction=u(0, 1))] if rnd.random() < 0.3 else []
            self.create(Transform(x + 0.5, -0.5), AABBCollider(0.5, 0.5), Solid(), *more)
        if rnd.random() < 0.5:
            hills = [(20, 4), (10, 0.5), (0, 1), (-10, 0.2), (-20, 6)]
            self.create(Transform(0, 0), ChainCollider(hills), Solid())
        self.bodies = [self._body(count) for _ in range(count)]
        for _ in range(count // 8):
            self._joint()
        for _ in range(rnd.randrange(0, 4)):
            path = CircularTrajectory(u(-8, 8), u(1, 5), u(0.5, 2), u(-2, 2))
            self.create(Transform(), path, OBBCollider(1, 0.2), *self._one_of([Solid()], [RigidBody("kinematic")], []))
        for _ in range(rnd.randrange(0, 4)):
            held = Parent(rnd.choice(self.bodies), u(-1, 1), u(-1, 1))
            more = self._one_of([Solid()], [], [CollisionFilter(layers=2)])
            self.create(Transform(), held, CircleCollider(0.3), *more)
        self.heroes = [self._hero() for _ in range(rnd.randrange(0, 3))]
        self.start = rnd.choice([3, 30, 120, 240])
        self.force = [(rnd.choice(self.bodies), u(-3, 3), u(0, 6)) for _ in range(400)]
        self.pokes = [rnd.random() < 0.1 for _ in range(400)]
        self.kills = [rnd.random() < 0.03 for _ in range(400)]

    def _one_of(self, *components: list[Any]) -> list[Any]:
        return self.rnd.choice(components)

    def _body(self, count: int) -> int:
        rnd, u = self.rnd, self.u
        shapes: list[Callable[[], Any]] = [
            lambda: CircleCollider(u(0.2, 0.5)),
            lambda: OBBCollider(u(0.2, 0.5), u(0.2, 0.5)),
            lambda: CapsuleCollider(u(0.2, 0.8), u(0.1, 0.3)),
            lambda: PolygonCollider([(-0.4, -0.3), (0.5, -0.3), (0.1, 0.5)]),
            lambda: FanCollider(u(0.3, 0.6), u(0.5, 3)),
            lambda: CompoundCollider([CircleCollider(0.3, offset_x=-0.4), OBBCollider(0.3, 0.2, offset_x=0.3)]),
        ]
        extra: list[Any] = []
        if rnd.random() < 0.1:
            extra.append(Bullet())
        if rnd.random() < 0.1:
            extra.append(OneWay())
        if rnd.random() < 0.1:
            extra.append(Drag(u(0, 1)))
        if rnd.random() < 0.1:
            extra.append(CollisionFilter(group=rnd.choice([-1, 1, 0]), layers=rnd.choice([1, 2]), mask=3))
        flies = rnd.random() < 0.4
        velocity = [Velocity(u(-5, 5) * rnd.choice([1, 1, 20]), u(-5, 5), u(-3, 3))] if flies else []
        place = Transform(u(-12, 12), u(0.5, 2 + count / 12), u(-3, 3))
        shape = rnd.choice(shapes)()
        kind: Literal["dynamic", "kinematic"] = "dynamic" if rnd.choice(range(10)) < 9 else "kinematic"
        body = RigidBody(kind, friction=u(0, 1), restitution=rnd.choice([0, 0, u(0, 1)]))
        return self.create(place, shape, body, *velocity, *extra)

    def _joint(self) -> None:
        rnd, u = self.rnd, self.u
        a, b = rnd.sample(self.bodies, 2)
        at_a, at_b = (esper.component_for_entity(one, Transform) for one in (a, b))
        x, y = (at_a.x + at_b.x) / 2, (at_a.y + at_b.y) / 2
        kinds: list[Callable[[], Any]] = [
            lambda: RevoluteJoint.at(a, b, x, y),
            lambda: WeldJoint.at(a, b, x, y),
            lambda: DistanceJoint(a, b, length=u(0.5, 2), break_force=rnd.choice([None, 50.0])),
            lambda: PrismaticJoint.at(None, a, at_a.x, at_a.y, (0, 1), motor_speed=1.0, max_force=60.0),
            lambda: MouseJoint.at(a, at_a.x, at_a.y, max_force=40.0),
        ]
        self.create(kinds[rnd.randrange(5)]())

    def _hero(self) -> int:
        rnd, u = self.rnd, self.u
        place, capsule = Transform(u(-9, 9), u(1, 4)), CapsuleCollider(0.6, 0.3, angle=math.pi / 2)
        walks = Character(mass=rnd.choice([None, 2.0]), push_force=rnd.choice([0, 30.0]), step_height=0.2)
        return self.create(place, capsule, walks, *self._one_of([], [Solid()]))

    def frame(self, number: int) -> tuple[Any, ...]:
        """What is seen after a frame."""
        physics = self.physics
        for hero in self.heroes:
            physics.move_character(hero, (0.04 * math.sin(0.1 * number + hero), -0.05))
        entity, x, y = self.force[number]
        is_there = esper.entity_exists(entity)
        if self.pokes[number] and is_there and esper.component_for_entity(entity, RigidBody).kind == "dynamic":
            physics.bodies.apply_impulse(entity, (x, y))
        if self.kills[number] and esper.entity_exists(entity):
            esper.delete_entity(entity, immediate=number % 2 == 0)
        esper.process(1 / 60)
        started = sorted((hit.entity_a, hit.entity_b, hit.depth, hit.approach_speed) for hit in physics.hits.started)
        return physics.digest(), started, len(physics.hits)

    def change_all(self) -> None:
        """Let so much come and go that colliders and bodies get other rows."""
        u = self.u
        for _ in range(70):
            self.create(Transform(u(-12, 12), u(0, 9)), OBBCollider(0.4, 0.4), *self._one_of([Solid()], [RigidBody()]))
        for entity in self.bodies[:4]:
            if esper.entity_exists(entity):
                esper.delete_entity(entity, immediate=True)
        for _ in range(2):
            esper.process(1 / 60)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_world_has_the_same_bits_after_a_restore(seed: int) -> None:
    world = _World(seed)
    for number in range(world.start):
        world.frame(number)
    state = world.physics.snapshot()
    saved = state.to_bytes()
    went = [world.frame(world.start + k) for k in range(_STEPS)]
    for turn, restored in enumerate((state, state, Snapshot.from_bytes(saved))):
        if turn:
            world.change_all()
        world.physics.restore(restored)
        assert [world.frame(world.start + k) for k in range(_STEPS)] == went
