"""How each collider moved in a step, from where its entity was at the start to where it is now."""

from __future__ import annotations

from typing import NamedTuple

from ecsphys.engine.geometry import sweep_motion
from ecsphys.engine.geometry.sweep_motion import acceleration, offset
from ecsphys.engine.kernels.array_types import Float64Rows, Float64s, Int32s, Uint8s
from ecsphys.engine.kernels.compilation import inlined_scalar, kernel, scalar
from ecsphys.engine.kernels.scratch import scratch
from ecsphys.engine.manifold.convex import extent
from ecsphys.engine.motion import trajectory_motion
from ecsphys.engine.motion.trajectory_motion import CIRCULAR as ON_CIRCLE
from ecsphys.engine.motion.trajectory_motion import ORBIT_PHASE as PATH_PHASE
from ecsphys.engine.motion.trajectory_motion import ORBIT_RADIUS as PATH_RADIUS
from ecsphys.engine.motion.trajectory_motion import ORBIT_SPEED as PATH_SPEED
from ecsphys.engine.motion.trajectory_motion import PATH as ON_PATH
from ecsphys.engine.motion.trajectory_motion import TrajectoryBlocks
from ecsphys.engine.motion.waypoints import place_on_path
from ecsphys.engine.shapes.layout import CIRCLE, CX, CY, KIND_AABB, SHAPE_COLUMNS, turn_shape_row
from ecsphys.engine.shapes.placement import TRANSFORM_ANGLE, TRANSFORM_X, TRANSFORM_Y, PlacedShapes
from ecsphys.engine.tables.collider_slots import ColliderSlots
from ecsphys.engine.tables.entity_rows import LINEAR_TRAJECTORY, PATH_TRAJECTORY, EntityLines, row_of

_new_motion = scratch(sweep_motion.MOTION_COLUMNS)


class StepMotions(NamedTuple):
    """The data of how colliders moved in a step: their kinds, where they are now, where Transform's rows were at its
    start (3, rows), the rows of their entities' components, and the blocks of the trajectories."""

    colliders: ColliderSlots
    placed: PlacedShapes
    starts: Float64Rows
    lines: EntityLines
    trajectories: TrajectoryBlocks


class MotionRoom(NamedTuple):
    """Room for motions, and for shapes as they were when these began."""

    motions: Float64Rows
    positions: Float64Rows
    shapes: Float64Rows
    forms: Uint8s


@scalar
def set_trajectory_motion(motion: Float64s, kind: int, k: int, blocks: TrajectoryBlocks, dt: float) -> None:
    """The motion along row k of a kind of trajectory, in the ``dt`` seconds that ended at its ``elapsed``."""
    linear, ballistic, circular, harmonics, paths, path_points, waypoints = blocks
    motion[sweep_motion.KIND] = sweep_motion.POLYNOMIAL
    if kind == trajectory_motion.LINEAR:
        motion[sweep_motion.LINEAR_X] = linear[trajectory_motion.START_VX, k] * dt
        motion[sweep_motion.LINEAR_Y] = linear[trajectory_motion.START_VY, k] * dt
    elif kind == trajectory_motion.BALLISTIC:
        start = ballistic[trajectory_motion.BALLISTIC_ELAPSED, k] - dt
        motion[sweep_motion.LINEAR_X] = (
            ballistic[trajectory_motion.START_VX, k] + ballistic[trajectory_motion.BALLISTIC_AX, k] * start
        ) * dt
        motion[sweep_motion.LINEAR_Y] = (
            ballistic[trajectory_motion.START_VY, k] + ballistic[trajectory_motion.BALLISTIC_AY, k] * start
        ) * dt
        motion[sweep_motion.SQUARE_X] = 0.5 * ballistic[trajectory_motion.BALLISTIC_AX, k] * dt * dt
        motion[sweep_motion.SQUARE_Y] = 0.5 * ballistic[trajectory_motion.BALLISTIC_AY, k] * dt * dt
    elif kind == ON_CIRCLE:
        motion[sweep_motion.KIND] = sweep_motion.CIRCULAR
        motion[sweep_motion.ORBIT_RADIUS] = circular[PATH_RADIUS, k]
        motion[sweep_motion.ORBIT_PHASE] = circular[PATH_PHASE, k] + circular[PATH_SPEED, k] * (
            circular[trajectory_motion.CIRCULAR_ELAPSED, k] - dt
        )
        motion[sweep_motion.ORBIT_ANGLE] = circular[PATH_SPEED, k] * dt
    elif kind == ON_PATH:
        # Straight from where it was: a corner in between is cut.
        now = paths[trajectory_motion.WALK_SPEED, k] * paths[trajectory_motion.PATH_ELAPSED, k]
        first = int(path_points[trajectory_motion.FIRST_POINT, k]) + 0
        count = int(path_points[trajectory_motion.POINT_COUNT, k]) + 0
        is_closed = path_points[trajectory_motion.IS_CLOSED, k] != 0
        x, y, _, _ = place_on_path(waypoints, first, count, is_closed, now)
        from_x, from_y, _, _ = place_on_path(
            waypoints, first, count, is_closed, now - paths[trajectory_motion.WALK_SPEED, k] * dt
        )
        motion[sweep_motion.LINEAR_X] = x - from_x
        motion[sweep_motion.LINEAR_Y] = y - from_y
    else:
        motion[sweep_motion.KIND] = sweep_motion.HARMONIC
        motion[sweep_motion.AMPLITUDE_X] = harmonics[trajectory_motion.SWING_X, k]
        motion[sweep_motion.AMPLITUDE_Y] = harmonics[trajectory_motion.SWING_Y, k]
        motion[sweep_motion.PHASE] = harmonics[trajectory_motion.SWING_PHASE, k]
        motion[sweep_motion.DAMPING] = harmonics[trajectory_motion.SWING_DAMPING, k]
        motion[sweep_motion.TAU] = harmonics[trajectory_motion.SWING_FREQUENCY, k] * (
            harmonics[trajectory_motion.HARMONIC_ELAPSED, k] - dt
        )
        motion[sweep_motion.TAU_CHANGE] = harmonics[trajectory_motion.SWING_FREQUENCY, k] * dt


@scalar
def set_motion(motion: Float64s, i: int, step: StepMotions, dt: float) -> None:
    """The motion of collider i: along its trajectory, or else straight from its start to where it is."""
    for column in range(sweep_motion.MOTION_COLUMNS):
        motion[column] = 0.0
    motion[sweep_motion.UNTIL] = 1.0
    placed = step.placed
    row = step.colliders.transform_row[i]
    path = step.colliders.trajectory[i]
    if path >= 0:
        for line in range(LINEAR_TRAJECTORY, PATH_TRAJECTORY + 1):
            k = row_of(line, path, step.lines)
            if k >= 0:
                set_trajectory_motion(motion, line - LINEAR_TRAJECTORY, k, step.trajectories, dt)
    else:
        motion[sweep_motion.LINEAR_X] = placed.positions[i, 0] - step.starts[TRANSFORM_X, row]
        motion[sweep_motion.LINEAR_Y] = placed.positions[i, 1] - step.starts[TRANSFORM_Y, row]
    # What turning changes nothing in does not turn.
    centred = placed.forms[i] == CIRCLE and placed.shapes[i, CX] == 0.0 and placed.shapes[i, CY] == 0.0
    if step.colliders.kind[i] != KIND_AABB and not centred:
        motion[sweep_motion.ANGLE] = placed.angles[i] - step.starts[TRANSFORM_ANGLE, row]


@inlined_scalar
def swept_box(i: int, step: StepMotions, dt: float, motion: Float64s, boxes: Float64Rows, row: int) -> None:
    """Bound all that collider i covered in a step of ``dt`` seconds, in a row of ``boxes``. ``motion`` is scratch."""
    placed = step.placed
    set_motion(motion, i, step, dt)
    min_x = placed.boxes[i, 0]
    min_y = placed.boxes[i, 1]
    max_x = placed.boxes[i, 2]
    max_y = placed.boxes[i, 3]
    if motion[sweep_motion.ANGLE] != 0.0:
        # A point at distance r from the position turns on an arc of length r · angle: farther than that it never was
        # from where it is now. So the box of a part of a large drum does not hold all that is in the drum.
        reach = extent(placed.shapes, i)
        arc = reach * abs(motion[sweep_motion.ANGLE])
        min_x = min(min_x, max(min_x - arc, placed.positions[i, 0] - reach))
        min_y = min(min_y, max(min_y - arc, placed.positions[i, 1] - reach))
        max_x = max(max_x, min(max_x + arc, placed.positions[i, 0] + reach))
        max_y = max(max_y, min(max_y + arc, placed.positions[i, 1] + reach))
    # A curve stays within an eighth of its acceleration from its chord.
    x, y = offset(motion, 1.0)
    ax, ay, spread = acceleration(motion)
    bulge_x = 0.125 * (abs(ax) + spread)
    bulge_y = 0.125 * (abs(ay) + spread)
    boxes[row, 0] = min_x - max(x, 0.0) - bulge_x
    boxes[row, 1] = min_y - max(y, 0.0) - bulge_y
    boxes[row, 2] = max_x - min(x, 0.0) + bulge_x
    boxes[row, 3] = max_y - min(y, 0.0) + bulge_y


@kernel
def find_paths(which: Int32s, step: StepMotions, dt: float, boxes: Float64Rows) -> None:
    """Bound all that some colliders (k,) covered in a step of ``dt`` seconds, in ``boxes`` (k, 4)."""
    motion = _new_motion()
    for k in range(which.shape[0]):
        swept_box(int(which[k]) + 0, step, dt, motion, boxes, k)


@kernel
def set_motions(which: Int32s, step: StepMotions, dt: float, room: MotionRoom) -> None:
    """Lay out the motions of some colliders (k,), and their shapes as they were when these began.

    On a trajectory that is where it was ``dt`` ago.
    """
    placed = step.placed
    for j in range(which.shape[0]):
        i = int(which[j]) + 0
        motion = room.motions[j]
        set_motion(motion, i, step, dt)
        x, y = offset(motion, 1.0)
        row = step.colliders.transform_row[i]
        room.forms[j] = placed.forms[i]
        room.positions[j, 0] = placed.positions[i, 0] - x
        room.positions[j, 1] = placed.positions[i, 1] - y
        if step.colliders.trajectory[i] < 0:
            room.positions[j, 0] = step.starts[TRANSFORM_X, row]
            room.positions[j, 1] = step.starts[TRANSFORM_Y, row]
        for column in range(SHAPE_COLUMNS):
            room.shapes[j, column] = placed.shapes[i, column]
        turn_shape_row(room.shapes, j, -motion[sweep_motion.ANGLE])
