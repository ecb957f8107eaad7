"""Gears: the coordinate of one joint plus a multiple of another joint's coordinate stays constant."""

from __future__ import annotations

import math

from ecsphys.engine.dynamics.bodies import FREE_OMEGA, FREE_X, FREE_Y, OMEGA, VX, VY, BodyRoom, BodyRows
from ecsphys.engine.dynamics.contacts.contact_filling import inverse_masses
from ecsphys.engine.dynamics.contacts.contact_solving import Spring
from ecsphys.engine.dynamics.joints import joint_fields as field
from ecsphys.engine.dynamics.joints.joint_blocks import JointAt, JointRoom, take
from ecsphys.engine.dynamics.joints.joint_rows import BODY_A, FIRST_JOINT, GEAR_SUM, RATIO, SPRING, JointRows
from ecsphys.engine.kernels.compilation import inlined_scalar, scalar
from ecsphys.engine.vectors.lanes import LANES


@inlined_scalar
def _at(joint: int, room: JointRoom) -> JointAt:
    place = int(room.places.places[joint]) + 0
    return JointAt(room.blocks.numbers, int(room.blocks.firsts[place // LANES]) + 0, place % LANES)


@inlined_scalar
def _part(j: int, k: int, joints: JointRows, room: JointRoom) -> tuple[int, float, float, float]:
    """The body of end k, of the four that a gear has, and how the sum of coordinates changes with its velocity."""
    joint = int(joints.ends[j, FIRST_JOINT + k // 2]) + 0
    side = k % 2
    factor = joints.settings[j, RATIO] if k > 1 else 1.0
    factor = factor if side else -factor
    at = _at(joint, room)
    return (
        int(joints.ends[joint, BODY_A + side]) + 0,
        factor * take(at, field.DIRECTION_X),
        factor * take(at, field.DIRECTION_Y),
        factor * take(at, field.LEVER_A + side),
    )


@inlined_scalar
def _sum_of(j: int, joints: JointRows, room: JointRoom) -> float:
    first = _at(int(joints.ends[j, FIRST_JOINT]) + 0, room)
    second = _at(int(joints.ends[j, FIRST_JOINT + 1]) + 0, room)
    return float(take(first, field.VALUE) + joints.settings[j, RATIO] * take(second, field.VALUE))


@scalar
def begin_gear(j: int, h: float, joints: JointRows, rows: BodyRows, bodies: BodyRoom, room: JointRoom) -> None:
    """Let the first substep begin with the impulse of the last step. A gear keeps the sum that it finds at first."""
    if math.isnan(joints.impulses[j, GEAR_SUM]):
        joints.impulses[j, GEAR_SUM] = _sum_of(j, joints, room)
    impulse = h * joints.impulses[j, SPRING]
    steps = bodies.steps
    for k in range(4):
        body, x, y, turn = _part(j, k, joints, room)
        mass = inverse_masses(body, False, rows)
        steps[body, FREE_X] += mass.x * x * impulse
        steps[body, FREE_Y] += mass.y * y * impulse
        steps[body, FREE_OMEGA] += mass.inertia * turn * impulse


@scalar
def solve_gear(j: int, h: float, joints: JointRows, rows: BodyRows, room: JointRoom, soft: Spring, most: float) -> None:
    """Solve a gear once. Its error turns no body faster than by ``most`` rad/s: angles count turns, and bodies
    that other joints throw about may be off by thousands."""
    bodies = rows.bodies
    speed = 0.0
    answer = 0.0
    turning = 0.0
    for k in range(4):
        body, x, y, turn = _part(j, k, joints, room)
        speed += bodies[body, VX] * x + bodies[body, VY] * y + bodies[body, OMEGA] * turn
        mass = inverse_masses(body, False, rows)
        turning = max(turning, abs(mass.inertia * turn))
        # A body may be an end of both joints.
        for other in range(4):
            same, other_x, other_y, other_turn = _part(j, other, joints, room)
            if same == body:
                answer += mass.x * x * other_x + mass.y * y * other_y + mass.inertia * turn * other_turn
    if not answer > 0.0:
        return
    last = h * joints.impulses[j, SPRING]
    off = _sum_of(j, joints, room) - joints.impulses[j, GEAR_SUM]
    bias = soft.rate * off
    if abs(bias) * turning > most * answer:
        bias = math.copysign(most * answer / turning, bias)
    change = -soft.mass * (speed + bias) / answer - soft.impulse * last
    joints.impulses[j, SPRING] = (last + change) / h
    for k in range(4):
        body, x, y, turn = _part(j, k, joints, room)
        mass = inverse_masses(body, False, rows)
        bodies[body, VX] += mass.x * x * change
        bodies[body, VY] += mass.y * y * change
        bodies[body, OMEGA] += mass.inertia * turn * change
