"""Where joints are at the start of a step."""

from __future__ import annotations

import math

from ecsphys.engine.dynamics.bodies import OMEGA, VX, VY, WORLD_ROW, BodyRows
from ecsphys.engine.dynamics.joints.joint_rows import (
    BODY_A,
    BODY_B,
    COORDINATE,
    HAS_LOCK,
    IS_AHEAD_A,
    IS_GEAR,
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
from ecsphys.engine.math.cos_sin import cos_sin
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
