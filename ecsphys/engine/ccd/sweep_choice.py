"""How colliders moved in a step, which of them it sweeps, and where all were when it began."""

from __future__ import annotations

import math

from ecsphys.engine.broadphase.cells import box_at
from ecsphys.engine.broadphase.pairs import overlaps_box
from ecsphys.engine.ccd.bullet_sweep import ARRIVED, BOUNCES, KEPT, OBSTACLE, STOPS
from ecsphys.engine.dynamics.bodies import (
    DTHETA,
    DX,
    DY,
    DYNAMIC,
    FARTHEST,
    KINEMATIC,
    OMEGA,
    VX,
    VY,
    StepBodies,
    center_from_position,
)
from ecsphys.engine.dynamics.body_following import ROUNDING
from ecsphys.engine.geometry import sweep_motion
from ecsphys.engine.geometry.sweep_motion import acceleration, offset
from ecsphys.engine.kernels import NamedTuple, index, inlined_scalar, kernel, packed, scalar, scratch
from ecsphys.engine.kernels.arrays import Float64Rows, Float64s, Int32s, Int64s, Uint8s
from ecsphys.engine.math.elementary import cos_sin
from ecsphys.engine.motion import trajectory_motion
from ecsphys.engine.motion.trajectory_motion import TrajectoryBlocks, place_on_path
from ecsphys.engine.shapes import layout
from ecsphys.engine.shapes.placement import TRANSFORM_ANGLE, TRANSFORM_X, TRANSFORM_Y, PlacedShapes
from ecsphys.engine.tables.collider_slots import PRESENT, ColliderSlots
from ecsphys.engine.tables.entity_rows import LINEAR_TRAJECTORY, PATH_TRAJECTORY, TRANSFORM, EntityLines, row_of

# Columns of counts.
SWEPT, OTHERS = 0, 1

# Rounding errors of a place, as a part of its coordinates, and of a movement, as a part of its length.
_ROUNDING = 8.0 * 2.0**-52
_NEARLY = 1e-9

# Of the coordinates: at this size, the gap of arrival is four of their rounding errors.
_LEAST_SIZE = 4.0 * 2.0**-52 / ARRIVED

_new_motion = scratch(sweep_motion.MOTION_COLUMNS)


class StepMotions(NamedTuple):
    """The data of how colliders moved in a step: their kinds, where they are now, where Transform's rows were at its
    start (3, rows), the block of Transform, the rows of their entities' components, the blocks of the trajectories, and
    the bodies."""

    colliders: ColliderSlots
    placed: PlacedShapes
    starts: Float64Rows
    transforms: Float64Rows
    lines: EntityLines
    trajectories: TrajectoryBlocks
    solved: StepBodies


class MotionRoom(NamedTuple):
    """Room for motions, for shapes as they were when these began, and for the ``ends`` (n, 2) of the motions."""

    motions: Float64Rows
    positions: Float64Rows
    shapes: Float64Rows
    forms: Uint8s
    ends: Float64Rows


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
    elif kind == trajectory_motion.CIRCULAR:
        motion[sweep_motion.KIND] = sweep_motion.CIRCULAR
        speed = circular[trajectory_motion.ORBIT_SPEED, k]
        start = circular[trajectory_motion.CIRCULAR_ELAPSED, k] - dt
        motion[sweep_motion.ORBIT_RADIUS] = circular[trajectory_motion.ORBIT_RADIUS, k]
        motion[sweep_motion.ORBIT_PHASE] = circular[trajectory_motion.ORBIT_PHASE, k] + speed * start
        motion[sweep_motion.ORBIT_ANGLE] = speed * dt
    elif kind == trajectory_motion.PATH:
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


@inlined_scalar
def _arm_of(i: int, step: StepMotions) -> tuple[float, float]:
    """The vector to the position of collider i's entity from the centre about which its body turns."""
    b = int(step.solved.body_of[i]) + 0
    if b <= 0:
        return 0.0, 0.0
    b = index(b)
    t = index(step.solved.listed.rows[TRANSFORM, b])
    x, y = center_from_position(b, step.transforms[TRANSFORM_ANGLE, t], step.solved.listed)
    to_x = step.placed.positions[i, 0] - step.transforms[TRANSFORM_X, t]
    to_y = step.placed.positions[i, 1] - step.transforms[TRANSFORM_Y, t]
    return to_x - x, to_y - y


@scalar
def set_motion(motion: Float64s, i: int, step: StepMotions, dt: float) -> tuple[float, float]:
    """The motion of collider i: along its trajectory, or else straight from its start to where it is.

    What turns with a body turns about the body's centre of mass, and that goes straight. Returns the vector from
    there to the position of its entity at the end; zero if it turns about that position.
    """
    for column in range(sweep_motion.MOTION_COLUMNS):
        motion[column] = 0.0
    motion[sweep_motion.UNTIL] = 1.0
    placed = step.placed
    row = step.colliders.transform_row[i]
    path = step.colliders.trajectory[i]
    turn = 0.0
    if step.colliders.kind[i] != layout.KIND_AABB:
        turn = placed.angles[i] - step.starts[TRANSFORM_ANGLE, row]
    arm_x = arm_y = 0.0
    if path >= 0:
        for line in range(LINEAR_TRAJECTORY, PATH_TRAJECTORY + 1):
            k = row_of(line, path, step.lines)
            if k >= 0:
                set_trajectory_motion(motion, line - LINEAR_TRAJECTORY, k, step.trajectories, dt)
    else:
        motion[sweep_motion.LINEAR_X] = placed.positions[i, 0] - step.starts[TRANSFORM_X, row]
        motion[sweep_motion.LINEAR_Y] = placed.positions[i, 1] - step.starts[TRANSFORM_Y, row]
        if turn != 0.0:
            arm_x, arm_y = _arm_of(i, step)
            if arm_x != 0.0 or arm_y != 0.0:
                c, s = cos_sin(turn)
                motion[sweep_motion.LINEAR_X] -= arm_x - (c * arm_x + s * arm_y)
                motion[sweep_motion.LINEAR_Y] -= arm_y - (c * arm_y - s * arm_x)
    # A circle about the centre does not turn.
    off_center = abs(placed.shapes[i, layout.CX] + arm_x) + abs(placed.shapes[i, layout.CY] + arm_y)
    if placed.forms[i] != layout.CIRCLE or off_center > ROUNDING * (abs(arm_x) + abs(arm_y)):
        motion[sweep_motion.ANGLE] = turn
    return arm_x, arm_y


@inlined_scalar
def swept_box(i: int, step: StepMotions, dt: float, motion: Float64s, boxes: Float64Rows, row: int) -> None:
    """Bound all that collider i covered in a step of ``dt`` seconds, in a row of ``boxes``. ``motion`` is scratch."""
    placed = step.placed
    arm_x, arm_y = set_motion(motion, i, step, dt)
    min_x = placed.boxes[i, 0]
    min_y = placed.boxes[i, 1]
    max_x = placed.boxes[i, 2]
    max_y = placed.boxes[i, 3]
    if motion[sweep_motion.ANGLE] != 0.0:
        # A point at distance r from the centre turns on an arc of length r · angle: farther than that it never was
        # from where it is now. So the box of a part of a large drum does not hold all that is in the drum.
        center_x = placed.positions[i, 0] - arm_x
        center_y = placed.positions[i, 1] - arm_y
        reach = placed.shapes[i, layout.EXTENT]
        reach += abs(placed.shapes[i, layout.CX] + arm_x) + abs(placed.shapes[i, layout.CY] + arm_y)
        arc = reach * abs(motion[sweep_motion.ANGLE])
        min_x = min(min_x, max(min_x - arc, center_x - reach))
        min_y = min(min_y, max(min_y - arc, center_y - reach))
        max_x = max(max_x, min(max_x + arc, center_x + reach))
        max_y = max(max_y, min(max_y + arc, center_y + reach))
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
        arm_x, arm_y = set_motion(motion, i, step, dt)
        x, y = offset(motion, 1.0)
        row = step.colliders.transform_row[i]
        room.forms[j] = placed.forms[i]
        room.ends[j, 0] = placed.positions[i, 0] - arm_x
        room.ends[j, 1] = placed.positions[i, 1] - arm_y
        room.positions[j, 0] = room.ends[j, 0] - x
        room.positions[j, 1] = room.ends[j, 1] - y
        if step.colliders.trajectory[i] < 0 and arm_x == 0.0 and arm_y == 0.0:
            room.positions[j, 0] = step.starts[TRANSFORM_X, row]
            room.positions[j, 1] = step.starts[TRANSFORM_Y, row]
        for column in range(layout.SHAPE_COLUMNS):
            room.shapes[j, column] = placed.shapes[i, column]
        room.shapes[j, layout.CX] += arm_x
        room.shapes[j, layout.CY] += arm_y
        layout.turn_shape_row(room.shapes, j, -motion[sweep_motion.ANGLE])


@packed
class SweptColliders(NamedTuple):
    """The colliders that are swept, then colliders that may be in their way: ``counts`` (2,) of both, their ``slots``,
    and the ``boxes`` (n, 4) around their motions. There is room for all colliders.

    ``roles`` has the role of each body at an impact. For each slot ``response`` has its response, and ``sizes`` how
    thick it is, infinite if it is not swept. ``is_deflected`` marks the slots that were turned off their paths in
    the last step."""

    counts: Int64s
    slots: Int32s
    boxes: Float64Rows
    roles: Uint8s
    response: Uint8s
    sizes: Float64s
    is_deflected: Uint8s


@kernel
def reckon_starts(
    which: Int32s,
    colliders: ColliderSlots,
    solved: StepBodies,
    transforms: Float64Rows,
    dt: float,
    poses: Float64Rows,
) -> None:
    """Write the ``poses`` (3, rows) that entities of some colliders had when the step began, if bodies carry them.

    A body that the solver moves turns about its centre of mass, a kinematic one about its position.
    """
    listed = solved.listed
    for k in range(which.shape[0]):
        slot = index(which[k])
        row = index(colliders.transform_row[slot])
        for axis in range(3):
            poses[axis, row] = transforms[axis, row]
        b = int(solved.of_entity[index(colliders.owner[slot])]) + 0
        if b <= 0:
            continue
        b = index(b)
        t = index(listed.rows[TRANSFORM, b])
        center_x = transforms[TRANSFORM_X, t]
        center_y = transforms[TRANSFORM_Y, t]
        body = solved.rows.bodies[b]
        if listed.kind[b] == DYNAMIC and solved.states.island[b] < 0:
            turned = body[DTHETA]
            dx = body[DX]
            dy = body[DY]
            x, y = center_from_position(b, transforms[TRANSFORM_ANGLE, t], listed)
            center_x += x
            center_y += y
        elif listed.kind[b] == KINEMATIC:
            turned = body[OMEGA] * dt
            dx = body[VX] * dt
            dy = body[VY] * dt
        else:
            continue
        x = transforms[TRANSFORM_X, row] - center_x
        y = transforms[TRANSFORM_Y, row] - center_y
        c, s = cos_sin(-turned)
        poses[TRANSFORM_X, row] -= dx + (x - (c * x - s * y))
        poses[TRANSFORM_Y, row] -= dy + (y - (s * x + c * y))
        poses[TRANSFORM_ANGLE, row] -= turned


@scalar
def _is_where_left(b: int, solved: StepBodies, transforms: Float64Rows) -> bool:
    """Whether a dynamic body is still where the solver left it. A body that was put elsewhere did not move there."""
    listed = solved.listed
    t = index(listed.rows[TRANSFORM, b])
    x, y = center_from_position(b, transforms[TRANSFORM_ANGLE, t], listed)
    x += transforms[TRANSFORM_X, t]
    y += transforms[TRANSFORM_Y, t]
    row = solved.rows.bodies[b]
    start_x = solved.rows.centers[b, 0]
    start_y = solved.rows.centers[b, 1]
    moved = abs(row[DX]) + abs(row[DY])
    most = _NEARLY * (moved + listed.masses[b, FARTHEST]) + _ROUNDING * (abs(start_x) + abs(start_y) + moved)
    return bool(abs(x - start_x - row[DX]) <= most and abs(y - start_y - row[DY]) <= most)


@scalar
def _choose_roles(
    which: Int32s,
    bullets: Int32s,
    responses: Uint8s,
    step: StepMotions,
    dt: float,
    chosen: SweptColliders,
    motion: Float64s,
) -> None:
    """Write the response of each body to an impact: bullets bounce; a fast body stops, and so does what a fast
    kinematic body may have run into."""
    roles = chosen.roles
    solved = step.solved
    kind = solved.listed.kind
    body_of = solved.body_of
    any_driver = False
    for b in range(kind.shape[0]):
        roles[b] = OBSTACLE
        if solved.is_fast[b] != 0 and kind[b] == DYNAMIC and solved.states.island[b] < 0:
            roles[b] = STOPS if _is_where_left(b, solved, step.transforms) else OBSTACLE
        any_driver |= solved.is_fast[b] != 0 and kind[b] == KINEMATIC
    for k in range(bullets.shape[0]):
        b = int(body_of[index(bullets[k])]) + 0
        if b > 0 and responses[k] == BOUNCES and solved.states.island[b] < 0:
            roles[index(b)] = BOUNCES
    if not any_driver:
        return
    drivers = 0
    boxes = chosen.boxes
    for k in range(which.shape[0]):
        b = int(body_of[index(which[k])]) + 0
        if b > 0 and solved.is_fast[b] != 0 and kind[b] == KINEMATIC:
            swept_box(index(which[k]), step, dt, motion, boxes, drivers)
            drivers += 1
    for k in range(which.shape[0]):
        slot = index(which[k])
        b = int(body_of[slot]) + 0
        if b <= 0 or kind[b] != DYNAMIC or roles[b] != OBSTACLE:
            continue
        for driver in range(drivers):
            if not overlaps_box(step.placed.boxes, slot, box_at(boxes, driver)):
                continue
            if solved.states.island[b] >= 0 or _is_where_left(b, solved, step.transforms):
                roles[b] = STOPS


@kernel
def choose_swept(
    which: Int32s,
    bullets: Int32s,
    responses: Uint8s,
    step: StepMotions,
    dt: float,
    chosen: SweptColliders,
) -> None:
    """Choose, of the colliders that may have moved in a step of ``dt`` seconds, which are swept, and which
    may be in their way.

    ``which`` (k,) are the slots that may have moved. ``bullets`` (m,) are the slots of bullets that may fly, with the
    ``responses`` of theirs.
    """
    colliders = step.colliders
    solved = step.solved
    response = chosen.response
    boxes = chosen.boxes
    motion = _new_motion()
    for k in range(chosen.counts[SWEPT]):
        response[index(chosen.slots[k])] = OBSTACLE
        chosen.sizes[index(chosen.slots[k])] = math.inf
    chosen.counts[:] = 0
    _choose_roles(which, bullets, responses, step, dt, chosen, motion)
    for k in range(bullets.shape[0]):
        slot = index(bullets[k])
        # A bullet that is a sleeping body is not swept.
        b = int(solved.body_of[slot]) + 0
        if responses[k] != BOUNCES or b <= 0 or chosen.roles[b] == BOUNCES:
            response[slot] = responses[k]
    count = 0
    for k in range(which.shape[0]):
        slot = index(which[k])
        b = int(solved.body_of[slot]) + 0
        if response[slot] == OBSTACLE and b > 0:
            response[slot] = chosen.roles[b]
        if response[slot] == OBSTACLE or colliders.absence[slot] != PRESENT:
            continue
        swept_box(slot, step, dt, motion, boxes, count)
        size = min(
            step.placed.boxes[slot, 2] - step.placed.boxes[slot, 0],
            step.placed.boxes[slot, 3] - step.placed.boxes[slot, 1],
        )
        # Far from the origin no gap is smaller than the steps between the positions there can be.
        row = index(colliders.transform_row[slot])
        size = max(size, _LEAST_SIZE * max(abs(step.starts[TRANSFORM_X, row]), abs(step.starts[TRANSFORM_Y, row])))
        reach = KEPT * size
        if chosen.is_deflected[slot] != 0:
            # It gets no farther than it would have got, but elsewhere.
            reach += max(
                (boxes[count, 2] - boxes[count, 0]) - (step.placed.boxes[slot, 2] - step.placed.boxes[slot, 0]),
                (boxes[count, 3] - boxes[count, 1]) - (step.placed.boxes[slot, 3] - step.placed.boxes[slot, 1]),
            )
        boxes[count, 0] -= reach
        boxes[count, 1] -= reach
        boxes[count, 2] += reach
        boxes[count, 3] += reach
        chosen.slots[count] = slot
        chosen.sizes[slot] = size
        count += 1
    others = 0
    for k in range(which.shape[0] if count > 0 else 0):
        slot = index(which[k])
        if response[slot] != OBSTACLE or colliders.absence[slot] != PRESENT:
            continue
        b = int(solved.body_of[slot]) + 0
        if bullets.shape[0] == 0 and (b < 0 or (b > 0 and solved.listed.kind[b] == DYNAMIC)):
            continue
        chosen.slots[count + others] = slot
        swept_box(slot, step, dt, motion, boxes, count + others)
        others += 1
    chosen.counts[SWEPT] = count
    chosen.counts[OTHERS] = others
