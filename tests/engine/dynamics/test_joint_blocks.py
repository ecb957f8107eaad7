"""Joints in blocks: the order of the table as far as it matters, and in lanes the same bits as one by one."""

from __future__ import annotations

from typing import Any

import esper
import numpy as np
import pytest
from jointed_scene import ball, box, chain, state, steps
from numpy import float64
from numpy.typing import NDArray

import ecsphys
from ecsphys import (
    DistanceJoint,
    GearJoint,
    MotorJoint,
    MouseJoint,
    OBBCollider,
    Physics,
    PrismaticJoint,
    RevoluteJoint,
    RigidBody,
    Transform,
    WeldJoint,
    WheelJoint,
)
from ecsphys.engine.dynamics.bodies import BodyRoom, BodyRows
from ecsphys.engine.dynamics.joints.joint_blocks import BLOCK_COUNT, JointBlocks, JointPlaces, JointRoom
from ecsphys.engine.dynamics.joints.joint_rows import BODY_A, BODY_B, JointRows, JointSettings
from ecsphys.engine.dynamics.joints.jointed_step import run_phase
from ecsphys.engine.kernels.compilation import kernel
from ecsphys.engine.math.cos_sin import cos_sin
from ecsphys.engine.vectors.lanes import LANES
from ecsphys.engine.vectors.turns import cos_sin_in_lanes


@kernel
def run_one_by_one(
    joints: JointRows,
    blocks: JointBlocks,
    places: JointPlaces,
    rows: BodyRows,
    bodies: BodyRoom,
    hertz: float,
    damping_ratio: float,
    iterations: int,
    phase: int,
    h: float,
) -> None:
    """The plain twin of ``run_joints``."""
    how = JointSettings(hertz, damping_ratio, iterations)
    run_phase(joints, JointRoom(blocks, places), rows, bodies, how, phase, h, 0)


def _pile_of_joints(seed: int) -> Physics:
    """Every kind of joint with every part, some of them at one body, and bodies with locks among them."""
    rng = np.random.default_rng(seed)
    physics = ecsphys.install(gravity=(0.0, -10.0), threads=1)
    esper.create_entity(Transform(0.0, -8.0), OBBCollider(40.0, 0.5), RigidBody("static"))
    chain(9, 3.0, -8.0)
    chain(4, 1.0, 8.0)
    bodies = []
    for k in range(40):
        x, y = rng.uniform(-5.0, 5.0, 2).tolist()
        bodies.append((box if k % 2 else ball)(x, y, 0.4, lock_x=k == 7, lock_rotation=k == 11))
    turning = []
    for k in range(60):
        first, second = (bodies[int(j)] for j in rng.choice(40, 2, replace=False))
        a = None if k % 9 == 0 else first
        x, y = rng.uniform(-5.0, 5.0, 2).tolist()
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
    pull = MouseJoint.at(bodies[0], 0.0, 0.0, max_force=20.0)
    pull.target = 2.0, 3.0
    esper.create_entity(pull)
    esper.create_entity(GearJoint(turning[0], turning[1], ratio=2.0))
    esper.create_entity(GearJoint(turning[2], turning[3], ratio=-0.5))
    return physics


def _solver_of(physics: ecsphys.Physics) -> Any:
    return physics._state.solver


def test_lanes_compute_the_same_bits_as_one_joint_after_the_other() -> None:
    played: list[bytes] = []
    for twin in (None, run_one_by_one):
        esper.switch_world(f"lanes {twin}")
        physics = _pile_of_joints(2)
        physics.settings.joint_iterations = 2
        steps(1)
        if twin is not None:
            _solver_of(physics)._contact_solver._run_joints = twin
        steps(60)
        assert np.isfinite(np.frombuffer(state())).all()
        rows = physics._state.joints.rows
        played.append(state() + rows.impulses.tobytes() + rows.totals.tobytes())
    assert played[0] == played[1]


def test_a_joint_comes_after_all_before_it_in_the_table_that_share_a_moving_body() -> None:
    esper.switch_world("order")
    physics = _pile_of_joints(3)
    steps(2)
    joints: JointRows = physics._state.joints.rows
    blocks, places = _solver_of(physics)._contact_solver._joint_rooms.room
    count = int(places.counts[BLOCK_COUNT])
    block_of = places.places[: len(joints.kinds)] // LANES
    assert (block_of[:-2] >= 0).all()
    assert count < len(joints.kinds) - 10
    rows: NDArray[float64] = _solver_of(physics)._rows.bodies
    moves = (rows[:, 3] != 0.0) | (rows[:, 7] != 0.0)
    last: dict[int, int] = {}
    for joint, block in enumerate(block_of[:-2].tolist()):
        for body in joints.ends[joint, [BODY_A, BODY_B]].tolist():
            if moves[body]:
                assert last.get(body, -1) < block
                last[body] = block
    # Of one kind in a block, and each in its place.
    for block in range(count):
        members = blocks.members[block]
        members = members[members >= 0]
        assert len(set((joints.kinds[members]).tolist())) == 1
        assert (block_of[members] == block).all()


@pytest.mark.parametrize("lane", [0])
def test_cosines_in_lanes_are_those_of_one_number(lane: int) -> None:
    for angle in (*np.random.default_rng(1).uniform(-9.0, 9.0, 200).tolist(), 0.0, -0.0, 1e5, np.pi, -0.5 * np.pi):
        assert cos_sin_in_lanes(angle, lane) == cos_sin(angle)
    assert cos_sin_in_lanes(float("nan"), lane) == cos_sin_in_lanes(1e7, lane) == (1.0, 0.0)
