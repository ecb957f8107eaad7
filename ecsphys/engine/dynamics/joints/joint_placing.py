"""Where joints are: measured at the start of a step, and placed in each substep."""

from __future__ import annotations

import math
from typing import Any

from ecsphys.engine.dynamics.bodies import DX, FREE_X, OMEGA, VX, VY, WORLD_ROW, BodyRoom, BodyRows
from ecsphys.engine.dynamics.joints import joint_fields as field
from ecsphys.engine.dynamics.joints.joint_answers import (
    Masses,
    Wrench,
    keep_part,
    masses_of,
    pull_of,
    stable_part,
    wrench_of,
)
from ecsphys.engine.dynamics.joints.joint_blocks import (
    IS_PASSIVE,
    ROW_A,
    ROW_B,
    JointAt,
    JointBlocks,
    is_hinge,
    put,
    take,
)
from ecsphys.engine.dynamics.joints.joint_rows import (
    BODY_A,
    BODY_B,
    COORDINATE,
    DISTANCE,
    HAS_LINE,
    HAS_LOCK,
    HAS_POINT,
    IS_AHEAD_A,
    IS_GEAR,
    IS_SOFT_POINT,
    LOCAL_AX,
    LOCAL_AXIS_X,
    LOCAL_AXIS_Y,
    LOCAL_BX,
    POSE_A,
    REFERENCE,
    SLIDE,
    START_ANGLE,
    START_AX,
    START_AXIS_X,
    START_AXIS_Y,
    START_AY,
    START_BX,
    START_BY,
    START_X,
    START_Y,
    JointRows,
)
from ecsphys.engine.kernels.array_types import Float64Rows
from ecsphys.engine.kernels.compilation import inlined_scalar
from ecsphys.engine.math.elementary import cos_sin
from ecsphys.engine.motion.euler_motion import ANGLE as POSE_ANGLE
from ecsphys.engine.motion.euler_motion import X, Y
from ecsphys.engine.vectors.lanes import cos_sin_in_lanes, gather, larger, root, scatter, spread, where

_TURN = 2.0 * math.pi


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
        if anchor_x != 0.0 or anchor_y != 0.0:
            c, s = cos_sin(angle)
            anchor_x, anchor_y = c * anchor_x - s * anchor_y, s * anchor_x + c * anchor_y
    return x, y, angle, anchor_x, anchor_y


@inlined_scalar
def measure_joint(j: int, joints: JointRows, rows: BodyRows, transform: Float64Rows, shift: float) -> bool:
    """Write where joint j is at the start of a step; whether it is another place than at the last look.

    Bodies that have moved on to the step's end are taken back by ``shift`` seconds. Differences of places are taken
    before anything is added to them: so far from the world's origin nothing is lost.
    """
    starts = joints.starts
    kind = int(joints.kinds[j]) + 0
    if kind & IS_GEAR:
        return False
    a = int(joints.ends[j, BODY_A]) + 0
    b = int(joints.ends[j, BODY_B]) + 0
    xa, ya, angle_a, lax, lay = _start_of(j, 0, joints, rows, transform, shift)
    xb, yb, angle_b, lbx, lby = _start_of(j, 1, joints, rows, transform, shift)
    apart_x = (xb - xa) + (lbx - lax)
    apart_y = (yb - ya) + (lby - lay)
    turned = angle_b - angle_a - joints.settings[j, REFERENCE]
    if kind & HAS_LOCK:
        # It holds a direction: after more turns it goes back the short way.
        turned -= _TURN * math.floor(turned / _TURN + 0.5)
    has_moved = bool(
        (starts[j, START_X] != apart_x) | (starts[j, START_Y] != apart_y) | (starts[j, START_ANGLE] != turned)
    )
    # The arms of the world and of static bodies are never used.
    starts[j, START_AX] = 0.0 if a == WORLD_ROW else (xa - rows.centers[a, 0]) + lax
    starts[j, START_AY] = 0.0 if a == WORLD_ROW else (ya - rows.centers[a, 1]) + lay
    starts[j, START_BX] = 0.0 if b == WORLD_ROW else (xb - rows.centers[b, 0]) + lbx
    starts[j, START_BY] = 0.0 if b == WORLD_ROW else (yb - rows.centers[b, 1]) + lby
    if kind & COORDINATE >= SLIDE:
        c, s = cos_sin(angle_a)
        axis_x = joints.settings[j, LOCAL_AXIS_X]
        axis_y = joints.settings[j, LOCAL_AXIS_Y]
        starts[j, START_AXIS_X] = c * axis_x - s * axis_y
        starts[j, START_AXIS_Y] = s * axis_x + c * axis_y
    starts[j, START_X] = apart_x
    starts[j, START_Y] = apart_y
    starts[j, START_ANGLE] = turned
    return has_moved


# A matrix with less than this part of the product of its diagonal for its determinant has only one direction.
_SINGULAR = 1e-12

# Where nothing else gives way, as bodies are locked, arms that are shorter turn nothing: they are rounding errors.
_LEAST_ARM = 1e-6

# Anchors are near each other if their distance squared is less than this part of the sum of the arms squared.
_NEAR = 1e-2


@inlined_scalar
def _inverse_beyond(number: Any, least: Any, at: JointAt) -> Any:
    """1 / number; 0 for a number that is at most the least."""
    return where(number > least, spread(1.0, at.lane) / number, spread(0.0, at.lane))


@inlined_scalar
def _inverse(number: Any, at: JointAt) -> Any:
    """1 / number; 0 for 0."""
    return _inverse_beyond(number, spread(0.0, at.lane), at)


@inlined_scalar
def _remember(kind: int, at: JointAt, masses: Masses, rate: float, is_first: bool) -> None:
    """Forget as much of the impulses that act along lines as would make the next substep begin unstably."""
    pull = pull_of(kind, at)
    kept = stable_part(kind, at, masses, pull, rate)
    if not is_first:
        # It has acted all the same.
        put(at, field.TOTAL_X, take(at, field.TOTAL_X) + (pull.x - kept * pull.x))
        put(at, field.TOTAL_Y, take(at, field.TOTAL_Y) + (pull.y - kept * pull.y))
    keep_part(kind, at, kept)


@inlined_scalar
def place_joint(
    block: int, at: JointAt, rows: BodyRows, room: BodyRoom, blocks: JointBlocks, rate: float, is_first: bool
) -> None:
    """Write where the joint is now that its bodies have moved, and what impulses meet there.

    The next substep begins with the effect of its impulses there, in place of their effect in the old place; the
    ``is_first`` with all of it. ``rate`` is how many substeps there are in a second.
    """
    kind = int(blocks.kinds[block]) + 0
    lane = at.lane
    _, _, _, mass_a = gather(rows.bodies, blocks.rows, block, ROW_A, lane, VX)
    _, _, _, mass_b = gather(rows.bodies, blocks.rows, block, ROW_B, lane, VX)
    dx_a, dy_a, dtheta_a, _ = gather(rows.bodies, blocks.rows, block, ROW_A, lane, DX)
    dx_b, dy_b, dtheta_b, _ = gather(rows.bodies, blocks.rows, block, ROW_B, lane, DX)
    masses = masses_of(kind, at, mass_a, mass_b)
    zero = spread(0.0, lane)
    before = Wrench(zero, zero, zero, zero)
    if not is_first:
        before = wrench_of(kind, at)
    ca, sa = cos_sin_in_lanes(dtheta_a)
    cb, sb = cos_sin_in_lanes(dtheta_b)
    start_ax = take(at, field.START_AX)
    start_ay = take(at, field.START_AY)
    start_bx = take(at, field.START_BX)
    start_by = take(at, field.START_BY)
    ax = ca * start_ax - sa * start_ay
    ay = sa * start_ax + ca * start_ay
    bx = cb * start_bx - sb * start_by
    by = sb * start_bx + cb * start_by
    x = take(at, field.START_X) + (dx_b - dx_a) + ((bx - start_bx) - (ax - start_ax))
    y = take(at, field.START_Y) + (dy_b - dy_a) + ((by - start_by) - (ay - start_ay))
    if kind & IS_SOFT_POINT:
        # The impulse acts at one point of both, too, so that the two as a whole do not turn by it: the nearer to the
        # anchor of one, the lighter that is to turn.
        share = masses.b * _inverse(masses.a + masses.b, at)
        ax = ax + share * x
        ay = ay + share * y
        bx = bx - (spread(1.0, lane) - share) * x
        by = by - (spread(1.0, lane) - share) * y
    elif kind & HAS_POINT:
        # The impulse acts at one point of both, the anchor of b: that turns the two as a whole by nothing. Where the
        # anchors are far apart, as what pulls at the two is too strong for them, each acts at its own: such a point
        # would be moved by a turn of a as the anchor of a is not, and the joint would feed the motion that it must end.
        is_near = x * x + y * y < spread(_NEAR, lane) * (ax * ax + ay * ay + bx * bx + by * by)
        ax = ax + where(is_near, x, zero)
        ay = ay + where(is_near, y, zero)
    put(at, field.ARM_AX, ax)
    put(at, field.ARM_AY, ay)
    put(at, field.ARM_BX, bx)
    put(at, field.ARM_BY, by)
    put(at, field.APART_X, x)
    put(at, field.APART_Y, y)
    mass_x = masses.ax + masses.bx
    mass_y = masses.ay + masses.by
    least = spread(_LEAST_ARM * _LEAST_ARM, lane) * (masses.a + masses.b)
    if not is_hinge(kind):
        turned = take(at, field.START_ANGLE) + (dtheta_b - dtheta_a)
        turning = masses.a + masses.b
        put(at, field.TURNED, turned)
        put(at, field.TURN_MASS, _inverse(turning, at))
        coordinate = kind & COORDINATE
        if coordinate < SLIDE:
            put(at, field.VALUE, turned)
            put(at, field.ANSWER, turning)
            put(at, field.MASS, _inverse(turning, at))
        else:
            axis_x = take(at, field.START_AXIS_X)
            axis_y = take(at, field.START_AXIS_Y)
            axis_x, axis_y = ca * axis_x - sa * axis_y, sa * axis_x + ca * axis_y
            nx = axis_x
            ny = axis_y
            value = x * nx + y * ny
            if coordinate == DISTANCE:
                value = root(x * x + y * y)
                nx = where(value > zero, x / value, axis_x)
                ny = where(value > zero, y / value, axis_y)
            put(at, field.AXIS_X, axis_x)
            put(at, field.AXIS_Y, axis_y)
            put(at, field.DIRECTION_X, nx)
            put(at, field.DIRECTION_Y, ny)
            put(at, field.VALUE, value)
            # As for a point.
            lever_a = (ax + x) * ny - (ay + y) * nx
            lever_b = bx * ny - by * nx
            answer = (
                mass_x * nx * nx + mass_y * ny * ny + masses.a * (lever_a * lever_a) + masses.b * (lever_b * lever_b)
            )
            put(at, field.LEVER_A, lever_a)
            put(at, field.LEVER_B, lever_b)
            put(at, field.ANSWER, answer)
            put(at, field.MASS, _inverse_beyond(answer, least, at))
            if kind & HAS_LINE:
                nx = -axis_y
                ny = axis_x
                lever_a = (ax + x) * ny - (ay + y) * nx
                lever_b = bx * ny - by * nx
                put(at, field.LINE_A, lever_a)
                put(at, field.LINE_B, lever_b)
                put(at, field.LINE_OFF, x * nx + y * ny)
                answer = (
                    mass_x * nx * nx
                    + mass_y * ny * ny
                    + masses.a * (lever_a * lever_a)
                    + masses.b * (lever_b * lever_b)
                )
                put(at, field.LINE_MASS, _inverse_beyond(answer, least, at))
    if kind & HAS_POINT:
        xx = mass_x + masses.a * ay * ay + masses.b * by * by
        yy = mass_y + masses.a * ax * ax + masses.b * bx * bx
        xy = -(masses.a * ax * ay) - masses.b * bx * by
        if kind & IS_SOFT_POINT:
            xx = xx + take(at, field.POINT_GIVE)
            yy = yy + take(at, field.POINT_GIVE)
        determinant = xx * yy - xy * xy
        singular = larger(spread(_SINGULAR, lane) * xx * yy, least * larger(xx, yy))
        is_whole = determinant > singular
        # Else the pseudoinverse of a matrix of rank one, or of none.
        factor = _inverse((xx + yy) * (xx + yy), at)
        put(at, field.POINT_XX, where(is_whole, yy / determinant, xx * factor))
        put(at, field.POINT_XY, where(is_whole, -xy / determinant, xy * factor))
        put(at, field.POINT_YY, where(is_whole, xx / determinant, yy * factor))
    if kind & IS_PASSIVE:
        return
    _remember(kind, at, masses, rate, is_first)
    now = wrench_of(kind, at)
    change = Wrench(now.x - before.x, now.y - before.y, now.a - before.a, now.b - before.b)
    if kind & COORDINATE >= SLIDE:
        put(at, field.TURNED_X, change.x)
        put(at, field.TURNED_Y, change.y)
    _begin_with(block, at, change, masses, room, blocks, is_first)


@inlined_scalar
def _begin_with(
    block: int, at: JointAt, wrench: Wrench, masses: Masses, room: BodyRoom, blocks: JointBlocks, is_first: bool
) -> None:
    """Let a wrench be among the impulses that bodies begin the next substep with.

    These are the velocities beyond the free ones; in the first substep, they stand in place of the free ones.
    """
    sign = spread(1.0 if is_first else -1.0, at.lane)
    x = sign * wrench.x
    y = sign * wrench.y
    a = sign * wrench.a
    b = sign * wrench.b
    free_x, free_y, free_omega, gain = gather(room.steps, blocks.rows, block, ROW_A, at.lane, FREE_X)
    scatter(
        room.steps,
        blocks.rows,
        block,
        ROW_A,
        at.lane,
        FREE_X,
        (free_x - masses.ax * x, free_y - masses.ay * y, free_omega - masses.a * a, gain),
    )
    free_x, free_y, free_omega, gain = gather(room.steps, blocks.rows, block, ROW_B, at.lane, FREE_X)
    scatter(
        room.steps,
        blocks.rows,
        block,
        ROW_B,
        at.lane,
        FREE_X,
        (free_x + masses.bx * x, free_y + masses.by * y, free_omega + masses.b * b, gain),
    )
