"""One pass over joints: each changes the velocities of its two bodies by impulses, one joint after the other.

The method is that of the contacts (:mod:`~ecsphys.engine.dynamics.contact_solving`): first with a bias, as a damped
spring between the bodies, then *relaxing*, without. Springs that a game has asked for are no such bias: they act in the
first pass, and keep their impulse in the second.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ecsphys.engine.dynamics.bodies import OMEGA, VX, VY, BodyRows
from ecsphys.engine.dynamics.contact_filling import inverse_masses
from ecsphys.engine.dynamics.contact_solving import Spring
from ecsphys.engine.dynamics.joints.gear_solving import solve_gear, warm_start_gear
from ecsphys.engine.dynamics.joints.joint_geometry import acts
from ecsphys.engine.dynamics.joints.joint_rows import (
    ADDED_A,
    ADDED_B,
    ADDED_X,
    ADDED_Y,
    ANGLE,
    ANSWER,
    APART_X,
    APART_Y,
    ARM_AX,
    ARM_AY,
    ARM_BX,
    ARM_BY,
    AXIS_X,
    AXIS_Y,
    BODY_A,
    BODY_B,
    COORDINATE,
    COORDINATE_NOW,
    DIRECTION_X,
    DIRECTION_Y,
    HAS_LIMITS,
    HAS_LINE,
    HAS_LOCK,
    HAS_MOTOR,
    HAS_POINT,
    HAS_SPRING,
    IS_GEAR,
    IS_ROD,
    IS_SPINNING,
    LEVER_A,
    LEVER_B,
    LINE_A,
    LINE_B,
    LINE_MASS,
    LINE_OFF,
    LOCK,
    LOCK_HERTZ,
    LOCK_IMPULSE,
    LOCK_MASS,
    LOCK_MOST,
    LOCK_RATE,
    LOWER,
    LOWER_LIMIT,
    MASS,
    MOTOR,
    MOTOR_MOST,
    MOTOR_SPEED,
    NO_COORDINATE,
    POINT_HERTZ,
    POINT_IMPULSE,
    POINT_MASS,
    POINT_MOST,
    POINT_RATE,
    POINT_X,
    POINT_XX,
    POINT_XY,
    POINT_Y,
    POINT_YY,
    REST,
    SPRING,
    SPRING_IMPULSE,
    SPRING_MASS,
    SPRING_RATE,
    TOTAL_TURN,
    TOTAL_X,
    TOTAL_Y,
    TURN_MASS,
    TURNED,
    UPPER,
    UPPER_LIMIT,
    JointRows,
)
from ecsphys.engine.kernels.compilation import inlined_scalar, scalar


class JointPass(NamedTuple):
    """How joints are solved in a pass: the spring of what is not soft itself, and the length of a substep."""

    spring: Spring
    h: float
    is_relaxing: bool


class Wrench(NamedTuple):
    """What a joint does to its bodies: an impulse on b, its opposite on a, and the angular impulses of both."""

    x: float
    y: float
    a: float
    b: float


@inlined_scalar
def _wrench_of(j: int, joints: JointRows) -> Wrench:
    """What the impulses of a joint do where it is now."""
    geometry = joints.geometry
    impulses = joints.impulses
    kind = int(joints.kinds[j]) + 0
    along = impulses[j, SPRING] + impulses[j, LOWER_LIMIT] - impulses[j, UPPER_LIMIT]
    turn = impulses[j, LOCK]
    if kind & IS_SPINNING:
        turn += impulses[j, MOTOR]
    else:
        along += impulses[j, MOTOR]
    x = along * geometry[j, DIRECTION_X]
    y = along * geometry[j, DIRECTION_Y]
    a = along * geometry[j, LEVER_A] + turn
    b = along * geometry[j, LEVER_B] + turn
    if kind & HAS_LINE:
        across = impulses[j, POINT_X]
        x -= across * geometry[j, AXIS_Y]
        y += across * geometry[j, AXIS_X]
        a += across * geometry[j, LINE_A]
        b += across * geometry[j, LINE_B]
    elif kind & HAS_POINT:
        px = impulses[j, POINT_X]
        py = impulses[j, POINT_Y]
        x += px
        y += py
        a += geometry[j, ARM_AX] * py - geometry[j, ARM_AY] * px
        b += geometry[j, ARM_BX] * py - geometry[j, ARM_BY] * px
    return Wrench(x, y, a, b)


@inlined_scalar
def _push(j: int, wrench: Wrench, joints: JointRows, rows: BodyRows) -> None:
    """Let a wrench act on the bodies of a joint."""
    bodies = rows.bodies
    a = int(joints.ends[j, BODY_A]) + 0
    b = int(joints.ends[j, BODY_B]) + 0
    mass_a = inverse_masses(a, False, rows)
    mass_b = inverse_masses(b, False, rows)
    bodies[a, VX] -= mass_a.x * wrench.x
    bodies[a, VY] -= mass_a.y * wrench.y
    bodies[a, OMEGA] -= mass_a.inertia * wrench.a
    bodies[b, VX] += mass_b.x * wrench.x
    bodies[b, VY] += mass_b.y * wrench.y
    bodies[b, OMEGA] += mass_b.inertia * wrench.b
    sums = joints.sums
    sums[j, ADDED_X] += wrench.x
    sums[j, ADDED_Y] += wrench.y
    sums[j, ADDED_A] += wrench.a
    sums[j, ADDED_B] += wrench.b


@scalar
def warm_start_joints(joints: JointRows, rows: BodyRows, is_first: bool) -> None:
    """Begin a substep: what the impulses of the last one do where joints are now, in place of what they did there.

    Velocities have that already, but in the ``is_first`` substep.
    """
    sums = joints.sums
    for j in range(joints.kinds.shape[0]):
        if not acts(j, joints, rows):
            continue
        if joints.kinds[j] & IS_GEAR:
            if is_first:
                warm_start_gear(j, joints, rows)
            continue
        wrench = _wrench_of(j, joints)
        _push(
            j,
            Wrench(
                wrench.x - sums[j, ADDED_X],
                wrench.y - sums[j, ADDED_Y],
                wrench.a - sums[j, ADDED_A],
                wrench.b - sums[j, ADDED_B],
            ),
            joints,
            rows,
        )


@scalar
def solve_joints(joints: JointRows, rows: BodyRows, how: JointPass, iterations: int) -> None:
    """Solve all joints, one after the other, some times."""
    for _ in range(iterations):
        for j in range(joints.kinds.shape[0]):
            if not acts(j, joints, rows):
                continue
            if joints.kinds[j] & IS_GEAR:
                solve_gear(j, joints, rows, how.spring, how.is_relaxing)
            else:
                _solve_joint(j, joints, rows, how)


@scalar
def sum_joints(joints: JointRows, rows: BodyRows) -> None:
    """Add the impulses of a substep to the totals."""
    impulses = joints.impulses
    for j in range(joints.kinds.shape[0]):
        if not acts(j, joints, rows):
            continue
        kind = int(joints.kinds[j]) + 0
        if kind & IS_GEAR:
            joints.sums[j, TOTAL_TURN] += impulses[j, SPRING]
            continue
        joints.sums[j, TOTAL_X] += joints.sums[j, ADDED_X]
        joints.sums[j, TOTAL_Y] += joints.sums[j, ADDED_Y]
        turn = impulses[j, LOCK]
        if kind & IS_SPINNING:
            turn += impulses[j, MOTOR]
        if kind & COORDINATE == ANGLE:
            turn += impulses[j, SPRING] + impulses[j, LOWER_LIMIT] - impulses[j, UPPER_LIMIT] + impulses[j, MOTOR]
        joints.sums[j, TOTAL_TURN] += turn


@scalar
def _held(impulse: float, most: float) -> float:
    """An impulse of limited strength."""
    return max(-most, min(impulse, most))


@scalar
def _at_limit(last: float, off: float, speed: float, mass: float, how: JointPass) -> float:
    """The impulse that keeps a coordinate from going below a limit, which it is ``off`` from."""
    if off > 0.0:
        # It may come just as near as to touch.
        return max(last - mass * (speed + off / how.h), 0.0)
    if how.is_relaxing:
        return max(last - mass * speed, 0.0)
    soft = how.spring
    return max(last - mass * soft.mass * (speed + soft.rate * off) - soft.impulse * last, 0.0)


@inlined_scalar
def _solve_joint(j: int, joints: JointRows, rows: BodyRows, how: JointPass) -> None:
    """Solve one joint once: coordinate, lock, line, point, the most important last."""
    geometry = joints.geometry
    impulses = joints.impulses
    settings = joints.settings
    bodies = rows.bodies
    kind = int(joints.kinds[j]) + 0
    a = int(joints.ends[j, BODY_A]) + 0
    b = int(joints.ends[j, BODY_B]) + 0
    mass_a = inverse_masses(a, False, rows)
    mass_b = inverse_masses(b, False, rows)
    soft = how.spring
    vx = bodies[b, VX] - bodies[a, VX]
    vy = bodies[b, VY] - bodies[a, VY]
    omega_a = bodies[a, OMEGA]
    omega_b = bodies[b, OMEGA]
    mass_x = mass_a.x + mass_b.x
    mass_y = mass_a.y + mass_b.y
    x = 0.0
    y = 0.0
    turn_a = 0.0
    turn_b = 0.0

    if kind & COORDINATE != NO_COORDINATE:
        nx = geometry[j, DIRECTION_X]
        ny = geometry[j, DIRECTION_Y]
        lever_a = geometry[j, LEVER_A]
        lever_b = geometry[j, LEVER_B]
        value = geometry[j, COORDINATE_NOW]
        answer = geometry[j, ANSWER]
        mass = geometry[j, MASS]
        start = vx * nx + vy * ny + (lever_b * omega_b - lever_a * omega_a)
        speed = start
        along = 0.0
        if kind & HAS_SPRING and not how.is_relaxing:
            last = impulses[j, SPRING]
            bias = geometry[j, SPRING_RATE] * (value - settings[j, REST])
            change = -mass * geometry[j, SPRING_MASS] * (speed + bias) - geometry[j, SPRING_IMPULSE] * last
            impulses[j, SPRING] = last + change
            along += change
            speed = start + answer * along
        if kind & HAS_MOTOR and not kind & IS_SPINNING:
            last = impulses[j, MOTOR]
            impulse = _held(last - mass * (speed - settings[j, MOTOR_SPEED]), settings[j, MOTOR_MOST] * how.h)
            impulses[j, MOTOR] = impulse
            along += impulse - last
            speed = start + answer * along
        if kind & HAS_LIMITS:
            last = impulses[j, LOWER_LIMIT]
            impulse = _at_limit(last, value - settings[j, LOWER], speed, mass, how)
            impulses[j, LOWER_LIMIT] = impulse
            along += impulse - last
            speed = start + answer * along
            last = impulses[j, UPPER_LIMIT]
            impulse = _at_limit(last, settings[j, UPPER] - value, -speed, mass, how)
            impulses[j, UPPER_LIMIT] = impulse
            along -= impulse - last
            speed = start + answer * along
        if kind & IS_ROD:
            last = impulses[j, SPRING]
            if how.is_relaxing:
                change = -mass * speed
            else:
                bias = soft.rate * (value - settings[j, REST])
                change = -mass * soft.mass * (speed + bias) - soft.impulse * last
            impulses[j, SPRING] = last + change
            along += change
        x += along * nx
        y += along * ny
        turn_a += along * lever_a
        turn_b += along * lever_b
        omega_a -= mass_a.inertia * (along * lever_a)
        omega_b += mass_b.inertia * (along * lever_b)
        vx += mass_x * (along * nx)
        vy += mass_y * (along * ny)

    turn = 0.0
    if kind & IS_SPINNING:
        last = impulses[j, MOTOR]
        impulse = last - geometry[j, TURN_MASS] * (omega_b - omega_a - settings[j, MOTOR_SPEED])
        impulse = _held(impulse, settings[j, MOTOR_MOST] * how.h)
        impulses[j, MOTOR] = impulse
        turn += impulse - last
        omega_a -= mass_a.inertia * (impulse - last)
        omega_b += mass_b.inertia * (impulse - last)
    if kind & HAS_LOCK and not (how.is_relaxing and settings[j, LOCK_HERTZ] > 0.0):
        last = impulses[j, LOCK]
        change = -geometry[j, TURN_MASS] * (omega_b - omega_a)
        if not how.is_relaxing:
            bias = geometry[j, LOCK_RATE] * geometry[j, TURNED]
            change = geometry[j, LOCK_MASS] * (change - geometry[j, TURN_MASS] * bias)
            change -= geometry[j, LOCK_IMPULSE] * last
        impulse = _held(last + change, settings[j, LOCK_MOST] * how.h)
        impulses[j, LOCK] = impulse
        turn += impulse - last
        omega_a -= mass_a.inertia * (impulse - last)
        omega_b += mass_b.inertia * (impulse - last)
    turn_a += turn
    turn_b += turn

    if kind & HAS_LINE:
        nx = -geometry[j, AXIS_Y]
        ny = geometry[j, AXIS_X]
        speed = vx * nx + vy * ny + (geometry[j, LINE_B] * omega_b - geometry[j, LINE_A] * omega_a)
        last = impulses[j, POINT_X]
        change = -geometry[j, LINE_MASS] * speed
        if not how.is_relaxing:
            bias = soft.rate * geometry[j, LINE_OFF]
            change = soft.mass * (change - geometry[j, LINE_MASS] * bias) - soft.impulse * last
        impulses[j, POINT_X] = last + change
        x += change * nx
        y += change * ny
        turn_a += change * geometry[j, LINE_A]
        turn_b += change * geometry[j, LINE_B]
    elif kind & HAS_POINT and not (how.is_relaxing and settings[j, POINT_HERTZ] > 0.0):
        ax = geometry[j, ARM_AX]
        ay = geometry[j, ARM_AY]
        bx = geometry[j, ARM_BX]
        by = geometry[j, ARM_BY]
        speed_x = vx - (omega_b * by - omega_a * ay)
        speed_y = vy + (omega_b * bx - omega_a * ax)
        mass_factor = 1.0
        impulse_factor = 0.0
        if not how.is_relaxing:
            speed_x += geometry[j, POINT_RATE] * geometry[j, APART_X]
            speed_y += geometry[j, POINT_RATE] * geometry[j, APART_Y]
            mass_factor = geometry[j, POINT_MASS]
            impulse_factor = geometry[j, POINT_IMPULSE]
        last_x = impulses[j, POINT_X]
        last_y = impulses[j, POINT_Y]
        push_x = geometry[j, POINT_XX] * speed_x + geometry[j, POINT_XY] * speed_y
        push_y = geometry[j, POINT_XY] * speed_x + geometry[j, POINT_YY] * speed_y
        impulse_x = last_x - mass_factor * push_x - impulse_factor * last_x
        impulse_y = last_y - mass_factor * push_y - impulse_factor * last_y
        most = settings[j, POINT_MOST] * how.h
        if most < math.inf:
            size = math.sqrt(impulse_x * impulse_x + impulse_y * impulse_y)
            if size > most:
                impulse_x *= most / size
                impulse_y *= most / size
        impulses[j, POINT_X] = impulse_x
        impulses[j, POINT_Y] = impulse_y
        push_x = impulse_x - last_x
        push_y = impulse_y - last_y
        x += push_x
        y += push_y
        turn_a += ax * push_y - ay * push_x
        turn_b += bx * push_y - by * push_x
    _push(j, Wrench(x, y, turn_a, turn_b), joints, rows)
