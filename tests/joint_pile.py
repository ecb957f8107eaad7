"""A pile of every kind of joint, for tests."""

from __future__ import annotations

from typing import Any

import esper
import numpy as np
from jointed_scene import ball, box, chain

import ecsphys
from ecsphys import (
    DistanceJoint,
    GearJoint,
    MotorJoint,
    MouseJoint,
    OBBCollider,
    PrismaticJoint,
    RevoluteJoint,
    RigidBody,
    Transform,
    WeldJoint,
    WheelJoint,
)


def solver_of(physics: ecsphys.Physics) -> Any:
    return physics._state.solver


def fill_pile(seed: int, left: float = 0.0) -> None:
    """Every kind of joint with every part, some of them at one body, and bodies with locks among them."""
    rng = np.random.default_rng(seed)
    esper.create_entity(Transform(left, -8.0), OBBCollider(40.0, 0.5), RigidBody("static"))
    chain(9, 3.0, left - 8.0)
    chain(4, 1.0, left + 8.0)
    bodies = []
    for k in range(40):
        x, y = rng.uniform(-5.0, 5.0, 2).tolist()
        x += left
        bodies.append((box if k % 2 else ball)(x, y, 0.4, lock_x=k == 7, lock_rotation=k == 11))
    turning = []
    for k in range(60):
        first, second = (bodies[int(j)] for j in rng.choice(40, 2, replace=False))
        a = None if k % 9 == 0 else first
        x, y = rng.uniform(-5.0, 5.0, 2).tolist()
        x += left
        motor = {"motor_speed": float(rng.uniform(-3, 3))}
        limits = {"has_limits": True, "lower": -0.3, "upper": float(rng.uniform(0.0, 0.5))}
        spring = {"frequency": float(rng.uniform(0.5, 20.0)), "damping_ratio": 0.3}
        made: tuple[Any, ...] = (
            RevoluteJoint.at(a, second, x, y),
            RevoluteJoint.at(a, second, x, y, max_torque=2.0, **motor, **limits, **spring),
            PrismaticJoint.at(a, second, x, y, (1.0, 0.5), max_force=2.0, **motor, **limits),
            DistanceJoint.at(a, second, x, y, x + 1.0, y),
            DistanceJoint.at(a, second, x, y, x + 1.0, y, max_length=1.2, min_length=0.7),
            DistanceJoint.at(a, second, x, y, x + 1.0, y, **spring),
            WeldJoint.at(a, second, x, y),
            WeldJoint.at(a, second, x, y, linear_frequency=3.0, angular_frequency=2.0),
            WheelJoint.at(a, second, x, y, (0.0, 1.0), max_torque=3.0, **motor, **limits),
            MotorJoint.at(a, second, x, y, max_force=3.0, max_torque=2.0),
        )
        joint = esper.create_entity(made[k % len(made)])
        if k % len(made) in (0, 2):
            turning.append(joint)
    pull = MouseJoint.at(bodies[0], left, 0.0, max_force=20.0)
    pull.target = left + 2.0, 3.0
    esper.create_entity(pull)
    esper.create_entity(GearJoint(turning[0], turning[1], ratio=2.0))
    esper.create_entity(GearJoint(turning[2], turning[3], ratio=-0.5))
