"""Joints: one of every kind, chains, limits, motors, springs, and joints that break."""

from __future__ import annotations

from typing import Any

import esper

from ecsphys.components.collision.colliders import AABBCollider, CircleCollider, OBBCollider
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
from ecsphys.components.motion.transform import Transform
from ecsphys.verify.scene_run import SceneRun


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
