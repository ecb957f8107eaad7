"""Gears: the coordinate of one joint and a multiple of that of another have a sum that stays."""

from __future__ import annotations

import math

from ecsphys.engine.dynamics.bodies import OMEGA, VX, VY, BodyRows
from ecsphys.engine.dynamics.contact_filling import inverse_masses
from ecsphys.engine.dynamics.contact_solving import Spring
from ecsphys.engine.dynamics.joints.joint_rows import (
    BODY_A,
    COORDINATE_NOW,
    DIRECTION_X,
    DIRECTION_Y,
    FIRST_JOINT,
    GEAR_SUM,
    LEVER_A,
    RATIO,
    SPRING,
    JointRows,
)
from ecsphys.engine.kernels.compilation import inlined_scalar, scalar


@inlined_scalar
def _part(j: int, k: int, joints: JointRows) -> tuple[int, float, float, float]:
    """The body of end k, of the four that a gear has, and how the sum of coordinates changes with its velocity."""
    joint = int(joints.ends[j, FIRST_JOINT + k // 2]) + 0
    side = k % 2
    factor = joints.settings[j, RATIO] if k > 1 else 1.0
    factor = factor if side else -factor
    geometry = joints.geometry
    return (
        int(joints.ends[joint, BODY_A + side]) + 0,
        factor * geometry[joint, DIRECTION_X],
        factor * geometry[joint, DIRECTION_Y],
        factor * geometry[joint, LEVER_A + side],
    )


@inlined_scalar
def _sum_of(j: int, joints: JointRows) -> float:
    first = int(joints.ends[j, FIRST_JOINT]) + 0
    second = int(joints.ends[j, FIRST_JOINT + 1]) + 0
    geometry = joints.geometry
    return float(geometry[first, COORDINATE_NOW] + joints.settings[j, RATIO] * geometry[second, COORDINATE_NOW])


@inlined_scalar
def _turn(j: int, impulse: float, joints: JointRows, rows: BodyRows) -> None:
    """Let an impulse of a gear act on its bodies."""
    bodies = rows.bodies
    for k in range(4):
        body, x, y, turn = _part(j, k, joints)
        mass = inverse_masses(body, False, rows)
        bodies[body, VX] += mass.x * x * impulse
        bodies[body, VY] += mass.y * y * impulse
        bodies[body, OMEGA] += mass.inertia * turn * impulse


@scalar
def warm_start_gear(j: int, joints: JointRows, rows: BodyRows) -> None:
    """Begin with the impulse of the last step. A gear keeps the sum that it finds at its first."""
    if math.isnan(joints.impulses[j, GEAR_SUM]):
        joints.impulses[j, GEAR_SUM] = _sum_of(j, joints)
    _turn(j, joints.impulses[j, SPRING], joints, rows)


@scalar
def solve_gear(j: int, joints: JointRows, rows: BodyRows, soft: Spring, is_relaxing: bool) -> None:
    """Solve a gear once."""
    bodies = rows.bodies
    speed = 0.0
    answer = 0.0
    for k in range(4):
        body, x, y, turn = _part(j, k, joints)
        speed += bodies[body, VX] * x + bodies[body, VY] * y + bodies[body, OMEGA] * turn
        mass = inverse_masses(body, False, rows)
        # A body may be an end of both joints.
        for other in range(4):
            same, other_x, other_y, other_turn = _part(j, other, joints)
            if same == body:
                answer += mass.x * x * other_x + mass.y * y * other_y + mass.inertia * turn * other_turn
    if not answer > 0.0:
        return
    last = joints.impulses[j, SPRING]
    change = -speed / answer
    if not is_relaxing:
        off = _sum_of(j, joints) - joints.impulses[j, GEAR_SUM]
        change = soft.mass * (change - soft.rate * off / answer) - soft.impulse * last
    joints.impulses[j, SPRING] = last + change
    _turn(j, change, joints, rows)
