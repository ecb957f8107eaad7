"""Where joints are: measured at the start of a step, which wakes bodies, and placed in each substep."""

from __future__ import annotations

import math
from typing import Any

from ecsphys.engine.dynamics.bodies import (
    AWAKE,
    DX,
    DYNAMIC,
    FREE_X,
    INVERSE_INERTIA,
    INVERSE_MASS,
    OMEGA,
    VX,
    VY,
    WORLD_ROW,
    BodyRoom,
    BodyRows,
    StepBodies,
)
from ecsphys.engine.dynamics.contacts.contact_solving import Masses
from ecsphys.engine.dynamics.joints import joint_answers
from ecsphys.engine.dynamics.joints import joint_blocks as field
from ecsphys.engine.dynamics.joints import joint_rows as row
from ecsphys.engine.dynamics.joints.joint_blocks import JointAt, JointBlocks, is_hinge, put, take
from ecsphys.engine.dynamics.joints.joint_rows import JointRows
from ecsphys.engine.dynamics.step_end import wake_islands
from ecsphys.engine.kernels import Float64Rows, inlined_scalar, kernel
from ecsphys.engine.math.elementary import cos_sin
from ecsphys.engine.math.lanes import cos_sin_in_lanes, gather, larger, root, scatter, spread, where
from ecsphys.engine.motion.euler_motion import ANGLE as POSE_ANGLE
from ecsphys.engine.motion.euler_motion import X, Y

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
    local = row.LOCAL_BX if side else row.LOCAL_AX
    anchor_x = joints.settings[j, local]
    anchor_y = joints.settings[j, local + 1]
    pose = int(joints.ends[j, row.POSE_A + side]) + 0
    if pose >= 0:
        x = transform[X, pose]
        y = transform[Y, pose]
        angle = transform[POSE_ANGLE, pose]
        if joints.ends[j, row.IS_AHEAD_A + side] != 0:
            body = int(joints.ends[j, row.BODY_A + side]) + 0
            x -= rows.bodies[body, VX] * shift
            y -= rows.bodies[body, VY] * shift
            angle -= rows.bodies[body, OMEGA] * shift
        if anchor_x != 0.0 or anchor_y != 0.0:
            c, s = cos_sin(angle)
            anchor_x, anchor_y = c * anchor_x - s * anchor_y, s * anchor_x + c * anchor_y
    return x, y, angle, anchor_x, anchor_y


@inlined_scalar
def _measure_joint(j: int, joints: JointRows, rows: BodyRows, transform: Float64Rows, shift: float) -> bool:
    """Write where joint j is at the start of a step; whether it is another place than at the last look.

    Bodies that have moved on to the step's end are taken back by ``shift`` seconds. Differences of places are taken
    before anything is added to them: so far from the world's origin nothing is lost.
    """
    starts = joints.starts
    kind = int(joints.kinds[j]) + 0
    if kind & row.IS_GEAR:
        return False
    a = int(joints.ends[j, row.BODY_A]) + 0
    b = int(joints.ends[j, row.BODY_B]) + 0
    xa, ya, angle_a, lax, lay = _start_of(j, 0, joints, rows, transform, shift)
    xb, yb, angle_b, lbx, lby = _start_of(j, 1, joints, rows, transform, shift)
    apart_x = (xb - xa) + (lbx - lax)
    apart_y = (yb - ya) + (lby - lay)
    turned = angle_b - angle_a - joints.settings[j, row.REFERENCE]
    if kind & row.HAS_LOCK:
        # It holds a direction: after more turns it goes back the short way.
        turned -= _TURN * math.floor(turned / _TURN + 0.5)
    has_moved = bool(
        (starts[j, row.START_X] != apart_x)
        | (starts[j, row.START_Y] != apart_y)
        | (starts[j, row.START_ANGLE] != turned)
    )
    # The arms of the world and of static bodies are never used.
    starts[j, row.START_AX] = 0.0 if a == WORLD_ROW else (xa - rows.centers[a, 0]) + lax
    starts[j, row.START_AY] = 0.0 if a == WORLD_ROW else (ya - rows.centers[a, 1]) + lay
    starts[j, row.START_BX] = 0.0 if b == WORLD_ROW else (xb - rows.centers[b, 0]) + lbx
    starts[j, row.START_BY] = 0.0 if b == WORLD_ROW else (yb - rows.centers[b, 1]) + lby
    if kind & row.COORDINATE >= row.SLIDE:
        c, s = cos_sin(angle_a)
        axis_x = joints.settings[j, row.LOCAL_AXIS_X]
        axis_y = joints.settings[j, row.LOCAL_AXIS_Y]
        starts[j, row.START_AXIS_X] = c * axis_x - s * axis_y
        starts[j, row.START_AXIS_Y] = s * axis_x + c * axis_y
    starts[j, row.START_X] = apart_x
    starts[j, row.START_Y] = apart_y
    starts[j, row.START_ANGLE] = turned
    return has_moved


@inlined_scalar
def _moves(b: int, of: StepBodies) -> bool:
    """Whether bodies that hang on a body which does not sleep have to wake."""
    bodies = of.rows.bodies
    return bool(
        (of.listed.kind[b] == DYNAMIC) & ((bodies[b, INVERSE_MASS] > 0.0) | (bodies[b, INVERSE_INERTIA] > 0.0))
        | (bodies[b, VX] != 0.0)
        | (bodies[b, VY] != 0.0)
        | (bodies[b, OMEGA] != 0.0)
    )


@kernel
def measure_joints(joints: JointRows, of: StepBodies, transform: Float64Rows, shift: float) -> int:
    """Write where joints are at the start of a step, and wake the islands whose joints are elsewhere than they were, or
    at a body that moves or was changed; returns how many bodies woke.

    Motion on to the step's end is taken back by ``shift`` seconds.
    """
    states = of.states
    any_woken = False
    for j in range(joints.kinds.shape[0]):
        has_moved = _measure_joint(j, joints, of.rows, transform, shift)
        if joints.kinds[j] & row.IS_GEAR:
            continue
        sleeps = False
        for side in range(2):
            b = int(joints.ends[j, row.BODY_A + side]) + 0
            other = int(joints.ends[j, row.BODY_B - side]) + 0
            island = states.island[b]
            if island == AWAKE:
                continue
            sleeps = True
            moves = states.island[other] == AWAKE and (_moves(other, of) or states.is_changed[other] != 0)
            if moves or (has_moved and joints.starts[j, row.WAS_ASLEEP] != 0.0):
                states.is_woken[island] = 1
                any_woken = True
        joints.starts[j, row.WAS_ASLEEP] = 1.0 if sleeps else 0.0
    return wake_islands(states) if any_woken else 0


# A matrix with less than this part of the product of its diagonal for its determinant has only one direction.
_SINGULAR = 1e-12

# Where nothing else gives way, as bodies are locked, arms that are shorter turn nothing: they are rounding errors.
_LEAST_ARM = 1e-6

# Anchors are near each other if their distance squared is less than this part of the sum of the arms squared.
_NEAR = 1e-2


@inlined_scalar
def _least_answer(masses: Masses) -> Any:
    """A smaller answer to impulses counts as zero."""
    return _LEAST_ARM * _LEAST_ARM * (masses.a + masses.b)


@inlined_scalar
def _place_along(at: JointAt, nx: Any, ny: Any, masses: Masses, lever_a: int) -> tuple[Any, Any]:
    """Write the levers of impulses along a line to two fields; returns the answer to such an impulse, and its mass."""
    # The impulse acts at the anchor of b, like the impulse of a point.
    arm_ax = take(at, field.ARM_AX) + take(at, field.APART_X)
    arm_ay = take(at, field.ARM_AY) + take(at, field.APART_Y)
    of_a = arm_ax * ny - arm_ay * nx
    of_b = take(at, field.ARM_BX) * ny - take(at, field.ARM_BY) * nx
    put(at, lever_a, of_a)
    put(at, lever_a + 1, of_b)
    answer = (masses.ax + masses.bx) * nx * nx + (masses.ay + masses.by) * ny * ny
    answer = answer + masses.a * (of_a * of_a) + masses.b * (of_b * of_b)
    is_there = answer > _least_answer(masses)
    return answer, where(is_there, 1.0 / answer, 0.0)


@inlined_scalar
def _place_coordinate(kind: int, at: JointAt, masses: Masses, c: Any, s: Any, turn: Any) -> None:
    """Write the coordinate, the lock and the line of a joint in its place, as its bodies have turned against each other
    by ``turn``. The cosine and the sine are of the turn of a."""
    turned = take(at, field.START_ANGLE) + turn
    turning = masses.a + masses.b
    put(at, field.TURNED, turned)
    put(at, field.TURN_MASS, joint_answers.inverse(turning))
    if kind & row.COORDINATE < row.SLIDE:
        put(at, field.VALUE, turned)
        put(at, field.ANSWER, turning)
        put(at, field.MASS, joint_answers.inverse(turning))
        return
    x = take(at, field.APART_X)
    y = take(at, field.APART_Y)
    start_x = take(at, field.START_AXIS_X)
    start_y = take(at, field.START_AXIS_Y)
    axis_x = c * start_x - s * start_y
    axis_y = s * start_x + c * start_y
    nx = axis_x
    ny = axis_y
    value = x * nx + y * ny
    if kind & row.COORDINATE == row.DISTANCE:
        value = root(x * x + y * y)
        nx = where(value > 0.0, x / value, axis_x)
        ny = where(value > 0.0, y / value, axis_y)
    put(at, field.AXIS_X, axis_x)
    put(at, field.AXIS_Y, axis_y)
    put(at, field.DIRECTION_X, nx)
    put(at, field.DIRECTION_Y, ny)
    put(at, field.VALUE, value)
    answer, mass = _place_along(at, nx, ny, masses, field.LEVER_A)
    put(at, field.ANSWER, answer)
    put(at, field.MASS, mass)
    if kind & row.HAS_LINE:
        put(at, field.LINE_OFF, x * -axis_y + y * axis_x)
        _, mass = _place_along(at, -axis_y, axis_x, masses, field.LINE_A)
        put(at, field.LINE_MASS, mass)


@inlined_scalar
def _place_point(kind: int, at: JointAt, masses: Masses) -> None:
    """Write the inverse matrix of a point in its place."""
    ax = take(at, field.ARM_AX)
    ay = take(at, field.ARM_AY)
    bx = take(at, field.ARM_BX)
    by = take(at, field.ARM_BY)
    xx = masses.ax + masses.bx + masses.a * ay * ay + masses.b * by * by
    yy = masses.ay + masses.by + masses.a * ax * ax + masses.b * bx * bx
    xy = -(masses.a * ax * ay) - masses.b * bx * by
    if kind & row.IS_SOFT_POINT:
        xx = xx + take(at, field.POINT_GIVE)
        yy = yy + take(at, field.POINT_GIVE)
    determinant = xx * yy - xy * xy
    singular = larger(_SINGULAR * xx * yy, _least_answer(masses) * larger(xx, yy))
    is_whole = determinant > singular
    # Else the pseudoinverse of a matrix of rank one, or of none.
    factor = joint_answers.inverse((xx + yy) * (xx + yy))
    put(at, field.POINT_XX, where(is_whole, yy / determinant, xx * factor))
    put(at, field.POINT_XY, where(is_whole, -xy / determinant, xy * factor))
    put(at, field.POINT_YY, where(is_whole, xx / determinant, yy * factor))


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
    _, _, _, mass_a = gather(rows.bodies, blocks.rows, block, field.ROW_A, lane, VX)
    _, _, _, mass_b = gather(rows.bodies, blocks.rows, block, field.ROW_B, lane, VX)
    dx_a, dy_a, dtheta_a, _ = gather(rows.bodies, blocks.rows, block, field.ROW_A, lane, DX)
    dx_b, dy_b, dtheta_b, _ = gather(rows.bodies, blocks.rows, block, field.ROW_B, lane, DX)
    masses = joint_answers.masses_of(kind, at, mass_a, mass_b)
    zero = spread(0.0, lane)
    before = joint_answers.Wrench(zero, zero, zero, zero)
    if not is_first:
        before = joint_answers.wrench_of(kind, at)
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
    if kind & row.IS_SOFT_POINT:
        # The impulse acts at one point of both, too, so that the two as a whole do not turn by it: the nearer to the
        # anchor of one, the lighter that is to turn.
        share = masses.b * joint_answers.inverse(masses.a + masses.b)
        ax = ax + share * x
        ay = ay + share * y
        bx = bx - (1.0 - share) * x
        by = by - (1.0 - share) * y
    elif kind & row.HAS_POINT:
        # The impulse acts at one point of both, the anchor of b: that turns the two as a whole by nothing. Where the
        # anchors are far apart, as what pulls at the two is too strong for them, each acts at its own: such a point
        # would be moved by a turn of a as the anchor of a is not, and the joint would feed the motion that it must end.
        is_near = x * x + y * y < _NEAR * (ax * ax + ay * ay + bx * bx + by * by)
        ax = ax + where(is_near, x, 0.0)
        ay = ay + where(is_near, y, 0.0)
    put(at, field.ARM_AX, ax)
    put(at, field.ARM_AY, ay)
    put(at, field.ARM_BX, bx)
    put(at, field.ARM_BY, by)
    put(at, field.APART_X, x)
    put(at, field.APART_Y, y)
    if not is_hinge(kind):
        _place_coordinate(kind, at, masses, ca, sa, dtheta_b - dtheta_a)
    if kind & row.HAS_POINT:
        _place_point(kind, at, masses)
    if kind & field.IS_PASSIVE:
        return
    # What would make the next substep begin unstably is forgotten of impulses along lines.
    pull = joint_answers.pull_of(kind, at)
    kept = joint_answers.stable_part(kind, at, masses, pull, rate)
    if not is_first:
        # It has acted all the same.
        put(at, field.TOTAL_X, take(at, field.TOTAL_X) + (pull.x - kept * pull.x))
        put(at, field.TOTAL_Y, take(at, field.TOTAL_Y) + (pull.y - kept * pull.y))
    joint_answers.keep_part(kind, at, kept)
    now = joint_answers.wrench_of(kind, at)
    change = joint_answers.Wrench(now.x - before.x, now.y - before.y, now.a - before.a, now.b - before.b)
    if kind & row.COORDINATE >= row.SLIDE:
        put(at, field.TURNED_X, change.x)
        put(at, field.TURNED_Y, change.y)
    # Bodies begin the next substep with the change: these are the velocities beyond the free ones. In the first
    # substep, they stand in place of the free ones.
    sign = 1.0 if is_first else -1.0
    px = sign * change.x
    py = sign * change.y
    free_x, free_y, free_omega, gain = gather(room.steps, blocks.rows, block, field.ROW_A, lane, FREE_X)
    begun = (free_x - masses.ax * px, free_y - masses.ay * py, free_omega - masses.a * (sign * change.a), gain)
    scatter(room.steps, blocks.rows, block, field.ROW_A, lane, FREE_X, begun)
    free_x, free_y, free_omega, gain = gather(room.steps, blocks.rows, block, field.ROW_B, lane, FREE_X)
    begun = (free_x + masses.bx * px, free_y + masses.by * py, free_omega + masses.b * (sign * change.b), gain)
    scatter(room.steps, blocks.rows, block, field.ROW_B, lane, FREE_X, begun)
