"""Joints in blocks: the order of the table as far as it matters, and in lanes the same bits as one by one."""

from __future__ import annotations

import esper
import numpy as np
from joint_pile import fill_pile, solver_of
from jointed_scene import state, steps
from kernels_of_tests import kernel_of_tests
from numpy import float64
from numpy.typing import NDArray

import ecsphys
from ecsphys import Physics
from ecsphys.engine.dynamics.joints.joint_blocks import BLOCK_COUNT
from ecsphys.engine.dynamics.joints.joint_rows import BODY_A, BODY_B, JointRows
from ecsphys.engine.math.elementary import cos_sin
from ecsphys.engine.math.lanes import LANES, cos_sin_in_lanes


def _pile_of_joints(seed: int) -> Physics:
    physics = ecsphys.install(gravity=(0.0, -10.0), threads=1)
    fill_pile(seed)
    return physics


def test_lanes_compute_the_same_bits_as_one_joint_after_the_other() -> None:
    played: list[bytes] = []
    for twin in (None, kernel_of_tests("one_by_one.run_one_by_one")):
        esper.switch_world(f"lanes {twin}")
        physics = _pile_of_joints(2)
        physics.settings.joint_iterations = 2
        steps(1)
        if twin is not None:
            solver_of(physics)._contact_solver._run_joints = twin
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
    blocks, places = solver_of(physics)._contact_solver.joint_room
    count = int(places.counts[BLOCK_COUNT])
    block_of = places.places[: len(joints.kinds)] // LANES
    assert (block_of[:-2] >= 0).all()
    assert count < len(joints.kinds) - 10
    rows: NDArray[float64] = solver_of(physics)._rows.bodies
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


def test_cosines_in_lanes_are_those_of_one_number() -> None:
    for angle in (*np.random.default_rng(1).uniform(-9.0, 9.0, 200).tolist(), 0.0, -0.0, 1e5, np.pi, -0.5 * np.pi):
        assert cos_sin_in_lanes(angle) == cos_sin(angle)
    assert cos_sin_in_lanes(float("nan")) == cos_sin_in_lanes(1e7) == (1.0, 0.0)
