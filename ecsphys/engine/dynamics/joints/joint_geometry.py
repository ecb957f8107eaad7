"""Where joints are: at the start of a step, and as their bodies move through it."""

from __future__ import annotations

import math

from ecsphys.engine.dynamics.bodies import DTHETA, DX, DY, IS_TOUCHED, OMEGA, VX, VY, WORLD_ROW, BodyRoom, BodyRows
from ecsphys.engine.dynamics.contact_coloring import is_movable
from ecsphys.engine.dynamics.contact_filling import inverse_masses
from ecsphys.engine.dynamics.contact_solving import Spring, spring
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
    DISTANCE,
    FIRST_JOINT,
    HAS_LINE,
    HAS_POINT,
    IS_AHEAD_A,
    IS_GEAR,
    LEVER_A,
    LEVER_B,
    LINE_A,
    LINE_B,
    LINE_MASS,
    LINE_OFF,
    LOCAL_AX,
    LOCAL_AXIS_X,
    LOCAL_AXIS_Y,
    LOCAL_BX,
    LOCK_DAMPING,
    LOCK_HERTZ,
    LOCK_RATE,
    MASS,
    POINT_DAMPING,
    POINT_HERTZ,
    POINT_RATE,
    POINT_XX,
    POINT_XY,
    POINT_YY,
    POSE_A,
    REFERENCE,
    SECOND_JOINT,
    SLIDE,
    SPRING_DAMPING,
    SPRING_HERTZ,
    SPRING_RATE,
    START_ANGLE,
    START_AX,
    START_AXIS_X,
    START_AXIS_Y,
    START_AY,
    START_BX,
    START_BY,
    START_X,
    START_Y,
    TOTAL_TURN,
    TOTAL_X,
    TOTAL_Y,
    TURN_MASS,
    TURNED,
    JointRows,
)
from ecsphys.engine.kernels.array_types import Float64Rows
from ecsphys.engine.kernels.compilation import inlined_scalar, scalar
from ecsphys.engine.math.cos_sin import cos_sin
from ecsphys.engine.motion.euler_motion import ANGLE as POSE_ANGLE
from ecsphys.engine.motion.euler_motion import X, Y

# A matrix with less than this part of the product of its diagonal for its determinant has only one direction.
_SINGULAR = 1e-12

# From this angle in a substep on, a spring is fast. Of one without any damping, the ratio is half of the second.
_FAST = 0.5
_LEAST_DAMPING = 1e-6


@scalar
def _inverse(number: float) -> float:
    """1 / number; 0 for what nothing moves."""
    return 1.0 / number if number > 0.0 else 0.0


@inlined_scalar
def _start_of(
    j: int, side: int, joints: JointRows, rows: BodyRows, transform: Float64Rows, shift: float
) -> tuple[float, float, float, float, float]:
    """Of one end of a joint, where its bodies have not moved: the place and angle of its transform, and the vector to
    its anchor, in the world."""
    x = 0.0
    y = 0.0
    angle = 0.0
    local = LOCAL_BX if side else LOCAL_AX
    anchor_x = joints.settings[j, local]
    anchor_y = joints.settings[j, local + 1]
    pose = int(joints.ends[j, POSE_A + side]) + 0
    if pose >= 0:
        x = transform[X, pose]
        y = transform[Y, pose]
        angle = transform[POSE_ANGLE, pose]
        if joints.ends[j, IS_AHEAD_A + side] != 0:
            body = int(joints.ends[j, BODY_A + side]) + 0
            x -= rows.bodies[body, VX] * shift
            y -= rows.bodies[body, VY] * shift
            angle -= rows.bodies[body, OMEGA] * shift
        c, s = cos_sin(angle)
        anchor_x, anchor_y = c * anchor_x - s * anchor_y, s * anchor_x + c * anchor_y
    return x, y, angle, anchor_x, anchor_y


@inlined_scalar
def measure_joint(j: int, joints: JointRows, rows: BodyRows, transform: Float64Rows, shift: float) -> bool:
    """Write where joint j is at the start of a step; whether it is another place than at the last look.

    What has moved on to the step's end is taken back by ``shift`` seconds. Differences of places are taken before
    anything is added to them: so far from the world's origin nothing is lost.
    """
    geometry = joints.geometry
    if joints.kinds[j] & IS_GEAR:
        return False
    a = int(joints.ends[j, BODY_A]) + 0
    b = int(joints.ends[j, BODY_B]) + 0
    xa, ya, angle_a, lax, lay = _start_of(j, 0, joints, rows, transform, shift)
    xb, yb, angle_b, lbx, lby = _start_of(j, 1, joints, rows, transform, shift)
    apart_x = (xb - xa) + (lbx - lax)
    apart_y = (yb - ya) + (lby - lay)
    turned = angle_b - angle_a - joints.settings[j, REFERENCE]
    has_moved = bool(
        (geometry[j, START_X] != apart_x) | (geometry[j, START_Y] != apart_y) | (geometry[j, START_ANGLE] != turned)
    )
    # Of the world, and what stands in it, no arm is ever used.
    geometry[j, START_AX] = 0.0 if a == WORLD_ROW else (xa - rows.centers[a, 0]) + lax
    geometry[j, START_AY] = 0.0 if a == WORLD_ROW else (ya - rows.centers[a, 1]) + lay
    geometry[j, START_BX] = 0.0 if b == WORLD_ROW else (xb - rows.centers[b, 0]) + lbx
    geometry[j, START_BY] = 0.0 if b == WORLD_ROW else (yb - rows.centers[b, 1]) + lby
    c, s = cos_sin(angle_a)
    axis_x = joints.settings[j, LOCAL_AXIS_X]
    axis_y = joints.settings[j, LOCAL_AXIS_Y]
    geometry[j, START_AXIS_X] = c * axis_x - s * axis_y
    geometry[j, START_AXIS_Y] = s * axis_x + c * axis_y
    geometry[j, START_X] = apart_x
    geometry[j, START_Y] = apart_y
    geometry[j, START_ANGLE] = turned
    return has_moved


@scalar
def asked_for(hertz: float, damping_ratio: float, h: float) -> Spring:
    """A spring that a game has asked for: as ``spring``, but where it is slow beside the substeps, without the damping
    of that, half of hω: its force is that of where it is, not of where it will be (symplectic Euler)."""
    omega = 2.0 * math.pi * hertz
    if h * omega > _FAST:
        return spring(hertz, damping_ratio, h)
    a = max(2.0 * damping_ratio, _LEAST_DAMPING)
    c = h * omega * a
    return Spring(omega / a, c / (1.0 + c), 1.0 / (1.0 + c))


@inlined_scalar
def _write_spring(j: int, joints: JointRows, soft: Spring, column: int) -> None:
    joints.geometry[j, column] = soft.rate
    joints.geometry[j, column + 1] = soft.mass
    joints.geometry[j, column + 2] = soft.impulse


@inlined_scalar
def acts(j: int, joints: JointRows, rows: BodyRows) -> bool:
    """Whether joint j has two bodies of which it moves any; of a gear, whether any of its joints has."""
    if joints.kinds[j] & IS_GEAR:
        return _has_two_ends(int(joints.ends[j, FIRST_JOINT]) + 0, joints, rows) or _has_two_ends(
            int(joints.ends[j, SECOND_JOINT]) + 0, joints, rows
        )
    return _has_two_ends(j, joints, rows)


@inlined_scalar
def _has_two_ends(j: int, joints: JointRows, rows: BodyRows) -> bool:
    a = int(joints.ends[j, BODY_A]) + 0
    b = int(joints.ends[j, BODY_B]) + 0
    return bool((a != b) & (is_movable(a, rows) | is_movable(b, rows)))


@scalar
def link_joints(joints: JointRows, rows: BodyRows, room: BodyRoom) -> None:
    """Note that bodies are held: they move by substeps."""
    for j in range(joints.kinds.shape[0]):
        if joints.kinds[j] & IS_GEAR == 0:
            for side in range(2):
                room.links[int(joints.ends[j, BODY_A + side]) + 0] |= IS_TOUCHED


@scalar
def begin_joints(joints: JointRows, rows: BodyRows, h: float, stiff: Spring) -> None:
    """Prepare for a step of substeps of length h: the springs, ``stiff`` where none was asked for; nothing has been
    added yet.

    A joint whose bodies sleep keeps its impulses and its totals.
    """
    for j in range(joints.kinds.shape[0]):
        settings = joints.settings
        hertz = settings[j, SPRING_HERTZ]
        _write_spring(j, joints, asked_for(hertz, settings[j, SPRING_DAMPING], h), SPRING_RATE)
        hertz = settings[j, POINT_HERTZ]
        soft = asked_for(hertz, settings[j, POINT_DAMPING], h) if hertz > 0.0 else stiff
        _write_spring(j, joints, soft, POINT_RATE)
        hertz = settings[j, LOCK_HERTZ]
        soft = asked_for(hertz, settings[j, LOCK_DAMPING], h) if hertz > 0.0 else stiff
        _write_spring(j, joints, soft, LOCK_RATE)
        for column in (ADDED_X, ADDED_Y, ADDED_A, ADDED_B):
            joints.sums[j, column] = 0.0
        if acts(j, joints, rows):
            joints.sums[j, TOTAL_X] = 0.0
            joints.sums[j, TOTAL_Y] = 0.0
            joints.sums[j, TOTAL_TURN] = 0.0


@scalar
def place_joints(joints: JointRows, rows: BodyRows) -> None:
    """Write where joints are now that their bodies have moved, and what impulses meet there."""
    for j in range(joints.kinds.shape[0]):
        if joints.kinds[j] & IS_GEAR == 0:
            _place_joint(j, joints, rows)


@inlined_scalar
def _place_joint(j: int, joints: JointRows, rows: BodyRows) -> None:
    geometry = joints.geometry
    bodies = rows.bodies
    kind = int(joints.kinds[j]) + 0
    a = int(joints.ends[j, BODY_A]) + 0
    b = int(joints.ends[j, BODY_B]) + 0
    ca, sa = cos_sin(bodies[a, DTHETA])
    cb, sb = cos_sin(bodies[b, DTHETA])
    ax = ca * geometry[j, START_AX] - sa * geometry[j, START_AY]
    ay = sa * geometry[j, START_AX] + ca * geometry[j, START_AY]
    bx = cb * geometry[j, START_BX] - sb * geometry[j, START_BY]
    by = sb * geometry[j, START_BX] + cb * geometry[j, START_BY]
    x = (
        geometry[j, START_X]
        + (bodies[b, DX] - bodies[a, DX])
        + ((bx - geometry[j, START_BX]) - (ax - geometry[j, START_AX]))
    )
    y = (
        geometry[j, START_Y]
        + (bodies[b, DY] - bodies[a, DY])
        + ((by - geometry[j, START_BY]) - (ay - geometry[j, START_AY]))
    )
    turned = geometry[j, START_ANGLE] + (bodies[b, DTHETA] - bodies[a, DTHETA])
    axis_x = ca * geometry[j, START_AXIS_X] - sa * geometry[j, START_AXIS_Y]
    axis_y = sa * geometry[j, START_AXIS_X] + ca * geometry[j, START_AXIS_Y]
    mass_a = inverse_masses(a, False, rows)
    mass_b = inverse_masses(b, False, rows)
    mass_x = mass_a.x + mass_b.x
    mass_y = mass_a.y + mass_b.y
    turning = mass_a.inertia + mass_b.inertia
    geometry[j, ARM_AX] = ax
    geometry[j, ARM_AY] = ay
    geometry[j, ARM_BX] = bx
    geometry[j, ARM_BY] = by
    geometry[j, AXIS_X] = axis_x
    geometry[j, AXIS_Y] = axis_y
    geometry[j, APART_X] = x
    geometry[j, APART_Y] = y
    geometry[j, TURNED] = turned
    geometry[j, TURN_MASS] = _inverse(turning)

    coordinate = kind & COORDINATE
    nx = 0.0
    ny = 0.0
    lever_a = 1.0
    lever_b = 1.0
    value = turned
    if coordinate == SLIDE:
        nx = axis_x
        ny = axis_y
        value = x * nx + y * ny
    elif coordinate == DISTANCE:
        value = math.sqrt(x * x + y * y)
        nx = x / value if value > 0.0 else axis_x
        ny = y / value if value > 0.0 else axis_y
    if coordinate != ANGLE:
        # The impulse acts at one point of both, the anchor of b: that turns the two as a whole by nothing.
        lever_a = (ax + x) * ny - (ay + y) * nx
        lever_b = bx * ny - by * nx
    answer = mass_x * nx * nx + mass_y * ny * ny + mass_a.inertia * lever_a**2 + mass_b.inertia * lever_b**2
    geometry[j, DIRECTION_X] = nx
    geometry[j, DIRECTION_Y] = ny
    geometry[j, LEVER_A] = lever_a
    geometry[j, LEVER_B] = lever_b
    geometry[j, COORDINATE_NOW] = value
    geometry[j, ANSWER] = answer
    geometry[j, MASS] = _inverse(answer)

    if kind & HAS_LINE:
        nx = -axis_y
        ny = axis_x
        lever_a = (ax + x) * ny - (ay + y) * nx
        lever_b = bx * ny - by * nx
        geometry[j, LINE_A] = lever_a
        geometry[j, LINE_B] = lever_b
        geometry[j, LINE_OFF] = x * nx + y * ny
        geometry[j, LINE_MASS] = _inverse(
            mass_x * nx * nx + mass_y * ny * ny + mass_a.inertia * lever_a**2 + mass_b.inertia * lever_b**2
        )
    if kind & HAS_POINT:
        xx = mass_x + mass_a.inertia * ay * ay + mass_b.inertia * by * by
        yy = mass_y + mass_a.inertia * ax * ax + mass_b.inertia * bx * bx
        xy = -mass_a.inertia * ax * ay - mass_b.inertia * bx * by
        determinant = xx * yy - xy * xy
        if determinant > _SINGULAR * xx * yy:
            geometry[j, POINT_XX] = yy / determinant
            geometry[j, POINT_XY] = -xy / determinant
            geometry[j, POINT_YY] = xx / determinant
        else:
            # The pseudoinverse of a matrix of rank one, or of none.
            factor = _inverse((xx + yy) * (xx + yy))
            geometry[j, POINT_XX] = xx * factor
            geometry[j, POINT_XY] = xy * factor
            geometry[j, POINT_YY] = yy * factor
