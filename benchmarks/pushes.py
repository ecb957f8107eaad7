"""One body pushed: ours beside pymunk's and pyb2d3's, in worlds of as many bodies that float apart."""

from __future__ import annotations

from collections.abc import Callable

import esper
import pyb2d3
import pymunk

import ecsphys
from benchmarks.peers.pymunk_space import new_space
from ecsphys import CircleCollider, RigidBody, Transform, Velocity

BODIES = 2_000

_RADIUS, _APART = 0.5, 3.0
# So small that nothing comes to meet anything.
_PUSH, _POINT = (1e-9, 0.0), (0.3, 0.2)

Calls = dict[str, Callable[[], object]]


def push_calls() -> tuple[Calls, Calls, Calls]:
    """The calls of ecsphys, in the current world, of pymunk and of pyb2d3, by name."""
    physics = ecsphys.install()
    entities = [
        esper.create_entity(Transform(_APART * k, 0.0), Velocity(), CircleCollider(_RADIUS), RigidBody(mass=1.0))
        for k in range(BODIES)
    ]
    esper.process(1e-9)
    bodies, entity = physics.bodies, entities[0]
    ours: Calls = {
        "force at a point": lambda: bodies.apply_force(entity, _PUSH, _POINT),
        "impulse at a point": lambda: bodies.apply_impulse(entity, _PUSH, _POINT),
        "set velocity": lambda: bodies.set_velocity(entity, _PUSH),
    }
    space = new_space()
    discs = [pymunk.Body(1.0, 1.0) for _ in range(BODIES)]
    for k, disc in enumerate(discs):
        disc.position = _APART * k, 0.0
        space.add(disc, pymunk.Circle(disc, _RADIUS))
    first = discs[0]

    def set_pymunk() -> None:
        # The space keeps the bodies alive.
        assert space is not None
        first.velocity = _PUSH

    pymunks: Calls = {
        "force at a point": lambda: first.apply_force_at_world_point(_PUSH, _POINT),
        "impulse at a point": lambda: first.apply_impulse_at_world_point(_PUSH, _POINT),
        "set velocity": set_pymunk,
    }
    world = pyb2d3.World(gravity=(0.0, 0.0))
    boxes = [world.create_body(type=pyb2d3.BodyType.DYNAMIC, position=(_APART * k, 0.0)) for k in range(BODIES)]
    for box in boxes:
        box.create_shape(pyb2d3.shape_def(density=1.0), pyb2d3.circle(center=(0.0, 0.0), radius=_RADIUS))
    head = boxes[0]

    def set_box2d() -> None:
        assert world is not None
        head.linear_velocity = _PUSH

    box2ds: Calls = {
        "force at a point": lambda: head.apply_force(_PUSH, _POINT, True),
        "impulse at a point": lambda: head.apply_linear_impulse(_PUSH, _POINT, True),
        "set velocity": set_box2d,
    }
    return ours, pymunks, box2ds
