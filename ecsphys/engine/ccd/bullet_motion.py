"""How each collider moved in a step, from where its entity was at the start to where it is now."""

from __future__ import annotations

from numpy import empty, float64, int32, uint8
from numpy.typing import NDArray

from ecsphys.engine.cast.sweep_motion import (
    AMPLITUDE_X,
    AMPLITUDE_Y,
    ANGLE,
    CIRCULAR,
    DAMPING,
    HARMONIC,
    KIND,
    LINEAR_X,
    LINEAR_Y,
    MOTION_COLUMNS,
    ORBIT_ANGLE,
    ORBIT_PHASE,
    ORBIT_RADIUS,
    PHASE,
    POLYNOMIAL,
    SQUARE_X,
    SQUARE_Y,
    TAU,
    TAU_CHANGE,
    UNTIL,
    acceleration,
    offset,
)
from ecsphys.engine.contact.convex import extent
from ecsphys.engine.kernels.compilation import inlined_scalar, kernel, scalar
from ecsphys.engine.math.cos_sin import cos_sin
from ecsphys.engine.motion.trajectory_motion import BALLISTIC, LINEAR, TRAJECTORY
from ecsphys.engine.motion.trajectory_motion import CIRCULAR as ON_CIRCLE
from ecsphys.engine.motion.trajectory_motion import KIND as TRAJECTORY_KIND
from ecsphys.engine.shapes.layout import AXIS_X, AXIS_Y, CIRCLE, CX, CY, KIND_AABB, SHAPE_COLUMNS


@scalar
def set_trajectory_motion(
    motion: NDArray[float64],
    kind: int,
    k: int,
    linear: NDArray[float64],
    ballistic: NDArray[float64],
    circular: NDArray[float64],
    harmonics: NDArray[float64],
    dt: float,
) -> None:
    """The motion along row k of a kind of trajectory, in the ``dt`` seconds that ended at its ``elapsed``."""
    motion[KIND] = POLYNOMIAL
    if kind == LINEAR:
        motion[LINEAR_X] = linear[2, k] * dt
        motion[LINEAR_Y] = linear[3, k] * dt
    elif kind == BALLISTIC:
        start = ballistic[6, k] - dt
        motion[LINEAR_X] = (ballistic[2, k] + ballistic[4, k] * start) * dt
        motion[LINEAR_Y] = (ballistic[3, k] + ballistic[5, k] * start) * dt
        motion[SQUARE_X] = 0.5 * ballistic[4, k] * dt * dt
        motion[SQUARE_Y] = 0.5 * ballistic[5, k] * dt * dt
    elif kind == ON_CIRCLE:
        motion[KIND] = CIRCULAR
        motion[ORBIT_RADIUS] = circular[2, k]
        motion[ORBIT_PHASE] = circular[4, k] + circular[3, k] * (circular[5, k] - dt)
        motion[ORBIT_ANGLE] = circular[3, k] * dt
    else:
        motion[KIND] = HARMONIC
        motion[AMPLITUDE_X] = harmonics[2, k]
        motion[AMPLITUDE_Y] = harmonics[3, k]
        motion[PHASE] = harmonics[5, k]
        motion[DAMPING] = harmonics[6, k]
        motion[TAU] = harmonics[4, k] * (harmonics[7, k] - dt)
        motion[TAU_CHANGE] = harmonics[4, k] * dt


@inlined_scalar
def set_motion(
    motion: NDArray[float64],
    i: int,
    kinds: NDArray[uint8],
    forms: NDArray[uint8],
    shapes: NDArray[float64],
    positions: NDArray[float64],
    angles: NDArray[float64],
    transform_row: NDArray[int32],
    starts: NDArray[float64],
    trajectory: NDArray[int32],
    trajectories: NDArray[int32],
    linear: NDArray[float64],
    ballistic: NDArray[float64],
    circular: NDArray[float64],
    harmonics: NDArray[float64],
    dt: float,
) -> None:
    """The motion of placed shape i: along its trajectory, or else straight from its start to where it is."""
    for column in range(MOTION_COLUMNS):
        motion[column] = 0.0
    motion[UNTIL] = 1.0
    path = trajectory[i]
    if path >= 0:
        set_trajectory_motion(
            motion,
            trajectories[path, TRAJECTORY_KIND],
            trajectories[path, TRAJECTORY],
            linear,
            ballistic,
            circular,
            harmonics,
            dt,
        )
    else:
        motion[LINEAR_X] = positions[i, 0] - starts[0, transform_row[i]]
        motion[LINEAR_Y] = positions[i, 1] - starts[1, transform_row[i]]
    # What turning changes nothing in does not turn.
    centred = forms[i] == CIRCLE and shapes[i, CX] == 0.0 and shapes[i, CY] == 0.0
    if kinds[i] != KIND_AABB and not centred:
        motion[ANGLE] = angles[i] - starts[2, transform_row[i]]


@kernel(
    "void(i4[::1], u1[::1], u1[::1], f8[:,::1], f8[:,::1], f8[::1], i4[::1], f8[:,::1], i4[::1], i4[:,::1],"
    " f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1], f8, f8[:,::1], f8[:,::1])"
)
def sweep_boxes(
    which: NDArray[int32],
    kinds: NDArray[uint8],
    forms: NDArray[uint8],
    shapes: NDArray[float64],
    positions: NDArray[float64],
    angles: NDArray[float64],
    transform_row: NDArray[int32],
    starts: NDArray[float64],
    trajectory: NDArray[int32],
    trajectories: NDArray[int32],
    linear: NDArray[float64],
    ballistic: NDArray[float64],
    circular: NDArray[float64],
    harmonics: NDArray[float64],
    dt: float,
    boxes: NDArray[float64],
    swept: NDArray[float64],
) -> None:
    """Bound all that some placed shapes (k,) covered in a step; ``swept`` (k, 4) receives the boxes.

    All others have a row for each placed shape: where it is now, with its box. ``starts`` (3, capacity) are x, y and
    angle at the start of the step, in the rows of Transform that ``transform_row`` names. ``trajectory`` is a shape's
    line of ``trajectories``, −1 without one; then the blocks of the trajectories.
    """
    motion = empty(MOTION_COLUMNS)
    for j in range(which.shape[0]):
        i = int(which[j]) + 0
        set_motion(
            motion, i, kinds, forms, shapes, positions, angles, transform_row, starts, trajectory, trajectories, linear,
            ballistic, circular, harmonics, dt,
        )  # fmt: skip
        min_x = boxes[i, 0]
        min_y = boxes[i, 1]
        max_x = boxes[i, 2]
        max_y = boxes[i, 3]
        if motion[ANGLE] != 0.0:
            reach = extent(shapes, i)
            min_x = min(min_x, positions[i, 0] - reach)
            min_y = min(min_y, positions[i, 1] - reach)
            max_x = max(max_x, positions[i, 0] + reach)
            max_y = max(max_y, positions[i, 1] + reach)
        # A curve stays within an eighth of its acceleration from its chord.
        x, y = offset(motion, 1.0)
        ax, ay, spread = acceleration(motion)
        bulge_x = 0.125 * (abs(ax) + spread)
        bulge_y = 0.125 * (abs(ay) + spread)
        swept[j, 0] = min_x - max(x, 0.0) - bulge_x
        swept[j, 1] = min_y - max(y, 0.0) - bulge_y
        swept[j, 2] = max_x - min(x, 0.0) + bulge_x
        swept[j, 3] = max_y - min(y, 0.0) + bulge_y


@kernel(
    "void(i4[::1], u1[::1], u1[::1], f8[:,::1], f8[:,::1], f8[::1], i4[::1], f8[:,::1], i4[::1], i4[:,::1],"
    " f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1], f8, f8[:,::1], f8[:,::1], f8[:,::1], u1[::1])"
)
def set_motions(
    which: NDArray[int32],
    kinds: NDArray[uint8],
    forms: NDArray[uint8],
    shapes: NDArray[float64],
    positions: NDArray[float64],
    angles: NDArray[float64],
    transform_row: NDArray[int32],
    starts: NDArray[float64],
    trajectory: NDArray[int32],
    trajectories: NDArray[int32],
    linear: NDArray[float64],
    ballistic: NDArray[float64],
    circular: NDArray[float64],
    harmonics: NDArray[float64],
    dt: float,
    motions: NDArray[float64],
    from_positions: NDArray[float64],
    from_shapes: NDArray[float64],
    from_forms: NDArray[uint8],
) -> None:
    """Lay out the motions of some placed shapes (k,), and the shapes as they were when they began; for the last four.

    The others are as for :func:`sweep_boxes`. On a trajectory the start is where that was ``dt`` ago.
    """
    for j in range(which.shape[0]):
        i = int(which[j]) + 0
        motion = motions[j]
        set_motion(
            motion, i, kinds, forms, shapes, positions, angles, transform_row, starts, trajectory, trajectories, linear,
            ballistic, circular, harmonics, dt,
        )  # fmt: skip
        x, y = offset(motion, 1.0)
        from_forms[j] = forms[i]
        from_positions[j, 0] = positions[i, 0] - x
        from_positions[j, 1] = positions[i, 1] - y
        if trajectory[i] < 0:
            from_positions[j, 0] = starts[0, transform_row[i]]
            from_positions[j, 1] = starts[1, transform_row[i]]
        for column in range(SHAPE_COLUMNS):
            from_shapes[j, column] = shapes[i, column]
        if motion[ANGLE] != 0.0:
            c, s = cos_sin(-motion[ANGLE])
            for column_x, column_y in ((CX, CY), (AXIS_X, AXIS_Y)):
                from_shapes[j, column_x] = c * shapes[i, column_x] - s * shapes[i, column_y]
                from_shapes[j, column_y] = s * shapes[i, column_x] + c * shapes[i, column_y]
