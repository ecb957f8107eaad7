"""Rigid bodies and joints: piles, materials, sleep, crowds; one joint of every kind, and chains that break."""

from __future__ import annotations

from typing import Any

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
from ecsphys.components.dynamics.joints import (
    DistanceJoint,
    GearJoint,
    MotorJoint,
    MouseJoint,
    PrismaticJoint,
    RevoluteJoint,
    WeldJoint,
    WheelJoint,
)
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


def _box(x: float, y: float, angle: float = 0.0, half_width: float = 0.5) -> int:
    return esper.create_entity(Transform(x, y, angle), OBBCollider(half_width, 0.2), RigidBody())


def _wheel(x: float, y: float, radius: float = 0.5) -> int:
    return esper.create_entity(Transform(x, y), CircleCollider(radius), RigidBody(friction=1.0))


def joints(run: SceneRun) -> None:
    """One joint of every kind, with its motor, limits or spring."""
    run.begin(gravity=(0.0, -9.8))
    esper.create_entity(Transform(0, -1), AABBCollider(60, 1), RigidBody(kind="static"))
    create = esper.create_entity
    made = [
        create(RevoluteJoint.at(None, _box(0, 5), -0.5, 5, has_limits=True, lower=-1.0, upper=0.5)),
        create(RevoluteJoint.at(None, _wheel(3, 5), 3, 5, motor_speed=3.0, max_torque=5.0)),
        create(RevoluteJoint.at(None, _box(5, 5), 4.5, 5, frequency=2.0, damping_ratio=0.2, rest=0.4)),
        create(DistanceJoint.at(None, _wheel(8, 4), 8, 7, 8, 4)),
        create(DistanceJoint.at(None, _wheel(10, 4), 11, 7, 10, 4, frequency=1.5, damping_ratio=0.1)),
        create(DistanceJoint(_wheel(12, 4), _wheel(13.5, 4), min_length=1.0, max_length=2.0)),
        create(PrismaticJoint.at(None, _box(16, 4), 16, 4, (1, 2), has_limits=True, lower=-1.0, upper=1.5)),
        create(PrismaticJoint.at(None, _box(19, 4), 19, 4, (0, 1), motor_speed=1.0, max_force=60.0)),
        create(PrismaticJoint.at(None, _box(22, 4), 22, 4, (0, 1), frequency=2.0)),
        create(WeldJoint.at(None, _box(25, 4), 24.5, 4, angular_frequency=2.0, angular_damping_ratio=0.3)),
        create(WeldJoint.at(_box(28, 4), _box(29, 4), 28.5, 4)),
        create(MotorJoint.at(None, _box(32, 4, 0.5), 32, 4, max_force=30.0, max_torque=5.0)),
        create(MouseJoint.at(_box(35, 4), 35.3, 4.1, max_force=80.0)),
    ]
    car = _box(-10, 2, half_width=1.5)
    for x in (-11, -9):
        wheel = _wheel(x, 1)
        made.append(create(WheelJoint.at(car, wheel, x, 1, (0, 1), motor_speed=-6.0, max_torque=8.0)))
    made.append(create(GearJoint(made[0], made[1], ratio=-2.0)))
    held = esper.component_for_entity(made[12], MouseJoint)
    for frame in range(8):
        held.target = 35.0 + 0.4 * frame, 4.0 + 0.5 * (frame % 3)
        run.step(15)
        for entity in made:
            components: tuple[Any, ...] = esper.components_for_entity(entity)
            for joint in components:
                run.note(joint.force, joint.torque)


def chains(run: SceneRun) -> None:
    """A rope of 40 links swings a heavy ball into a bridge whose joints break."""
    run.begin(gravity=(0.0, -9.8))
    esper.create_entity(Transform(0, -6), AABBCollider(60, 1), RigidBody(kind="static"))
    links = [_box(0.5 + k, 14, half_width=0.45) for k in range(40)]
    before: int | None = None
    for k, link in enumerate(links):
        esper.create_entity(RevoluteJoint.at(before, link, float(k), 14.0))
        before = link
    ball = esper.create_entity(Transform(40.5, 14), CircleCollider(0.9), RigidBody(density=4.0))
    esper.create_entity(WeldJoint.at(before, ball, 40.0, 14.0, break_force=9000.0))
    before = None
    for k in range(12):
        plank = _box(-6.0 + k, 0.0, half_width=0.48)
        esper.create_entity(RevoluteJoint.at(before, plank, -6.5 + k, 0.0, break_force=260.0))
        before = plank
    esper.create_entity(RevoluteJoint.at(before, None, 5.5, 0.0))
    weight = esper.create_entity(Transform(-1, 4), CircleCollider(0.8), RigidBody(density=5.0))
    run.step(140)
    esper.component_for_entity(weight, Transform).y = 6.0
    run.step(60)
