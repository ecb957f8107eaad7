"""Rigid bodies: shapes that pile up, materials, sleep, and crowds that threads share."""

from __future__ import annotations

import esper
import numpy as np

from ecsphys.components.collision.chain_collider import ChainCollider
from ecsphys.components.collision.colliders import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    Collider,
    FanCollider,
    OBBCollider,
    PolygonCollider,
)
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.dynamics.rigid_body import RigidBody
from ecsphys.components.motion.transform import Transform, Velocity
from ecsphys.components.store.spawn import spawn_many
from ecsphys.verify.scene_run import SceneRun, fractions, scattered

_ARROW = [(0.0, 0.0), (0.7, -0.5), (0.3, 0.0), (0.7, 0.5)]


def _ground(width: float, friction: float = 0.6) -> None:
    esper.create_entity(
        Transform(0, -1), AABBCollider(width, 1), RigidBody(kind="static", friction=friction, restitution=0.1)
    )


def pile(run: SceneRun) -> None:
    """Every shape, alone and in compounds, falls on ground that is a chain, and piles up."""
    run.begin(gravity=(0.0, -9.8))
    points = [(-12.0, 5.0), (-8.0, 0.5), (-3.0, 0.0), (0.0, 0.3), (4.0, 0.0), (9.0, 1.0), (12.0, 5.0)]
    esper.create_entity(Transform(), ChainCollider(points), RigidBody(kind="static"))
    angles = fractions(48)
    for k, (x, y) in enumerate(scattered(48, (-6.0, 2.0), (6.0, 16.0)).tolist()):
        collider: Collider | CompoundCollider = (
            CircleCollider(0.4),
            AABBCollider(0.4, 0.3),
            OBBCollider(0.5, 0.25),
            CapsuleCollider(0.6, 0.2),
            FanCollider(0.6, 1.2 + 0.1 * k),
            PolygonCollider([(-0.4, -0.3), (0.5, -0.3), (0.1, 0.5)], radius=0.05),
            CompoundCollider([CircleCollider(0.3, offset_x=-0.4), OBBCollider(0.4, 0.2, offset_x=0.3, angle=0.4)]),
            CompoundCollider.from_outline(_ARROW),
        )[k % 8]
        body = RigidBody(restitution=0.1 * (k % 5), friction=0.2 + 0.1 * (k % 4), rolling_resistance=0.02 * (k % 3))
        esper.create_entity(Transform(x, y, 6.0 * angles[k]), Velocity(0.0, -1.0, angles[k]), collider, body)
    run.step(150)


def materials(run: SceneRun) -> None:
    """Slopes, bounces, conveyor belts, locks and dominance."""
    run.begin(gravity=(0.0, -9.8))
    _ground(40, friction=0.4)
    for k in range(6):
        x = -15.0 + 5.0 * k
        angle = 0.05 + 0.1 * k
        esper.create_entity(Transform(x, 3, angle), OBBCollider(2, 0.2), RigidBody(kind="static", friction=0.1 * k))
        esper.create_entity(Transform(x + 0.5, 4.2, angle), OBBCollider(0.3, 0.2), RigidBody(friction=0.5))
        esper.create_entity(Transform(x, 9), CircleCollider(0.3), RigidBody(restitution=0.2 * k, friction=0.3))
    belt = RigidBody(kind="kinematic", tangent_speed=2.0)
    esper.create_entity(Transform(20, 1), Velocity(0.1, 0.0, 0.05), OBBCollider(3, 0.3), belt)
    for k, (lock_x, lock_rotation) in enumerate([(True, False), (False, True), (False, False), (True, True)]):
        body = RigidBody(lock_x=lock_x, lock_rotation=lock_rotation, dominance=k, density=1.0 + k)
        esper.create_entity(Transform(18.5 + k, 3 + 0.5 * k, 0.2), OBBCollider(0.4, 0.3), body)
    run.step(160)


def sleep(run: SceneRun) -> None:
    """Stacks fall asleep, a ball wakes some of them, and they rest again."""
    physics = run.begin(gravity=(0.0, -9.8))
    _ground(30)
    boxes = [
        esper.create_entity(Transform(3.0 * k + 0.03 * row, 0.5 + row), OBBCollider(0.5, 0.5), RigidBody())
        for k in range(5)
        for row in range(4)
    ]
    run.step(120)
    run.note([physics.bodies.is_asleep(box) for box in boxes])
    esper.create_entity(Transform(-6, 1.5), Velocity(14, 0), CircleCollider(0.5), RigidBody(density=3.0))
    run.step(60)
    physics.bodies.apply_impulse(boxes[-1], (0.0, 4.0))
    physics.bodies.apply_force(boxes[0], (30.0, 0.0))
    run.step(120)
    run.note([physics.bodies.is_asleep(box) for box in boxes])


def crowd(run: SceneRun) -> None:
    """So many bodies in contact that threads share them."""
    run.begin(gravity=(0.0, -9.8))
    _ground(60)
    for x in (-31.0, 31.0):
        esper.create_entity(Transform(x, 30), AABBCollider(1, 31), RigidBody(kind="static"))
    count = 4600
    column, row = np.arange(count) % 65, np.arange(count) // 65
    across = -29.0 + 0.9 * column + 0.1 * np.array(fractions(count))
    spawn_many(count, Transform.many(across, 0.45 + 0.85 * row), CircleCollider.many(0.45), RigidBody.many())
    run.step(20)


def rain(run: SceneRun) -> None:
    """Bodies come and go while others fall."""
    run.begin(gravity=(0.0, -9.8))
    _ground(20)
    drops: list[int] = []
    heights = fractions(90)
    for k in range(90):
        collider = OBBCollider(0.3, 0.2) if k % 3 else CircleCollider(0.25)
        drops.append(esper.create_entity(Transform(16 * heights[k] - 8, 8, heights[-k]), collider, RigidBody()))
        if k % 4 == 3:
            esper.delete_entity(drops.pop(k % len(drops)), immediate=k % 8 == 3)
        run.step(2)
