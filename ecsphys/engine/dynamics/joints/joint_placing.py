"""Where joints are as their bodies move through a step, and what impulses meet there."""

from __future__ import annotations

from typing import Any, NamedTuple

from ecsphys.engine.dynamics.bodies import DX, FREE_X, VX, BodyRoom, BodyRows
from ecsphys.engine.dynamics.joints import joint_fields as field
from ecsphys.engine.dynamics.joints.joint_blocks import (
    HAS_LOCKED_BODY,
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
    COORDINATE,
    DISTANCE,
    HAS_LINE,
    HAS_POINT,
    IS_SOFT_POINT,
    IS_SPINNING,
    SLIDE,
)
from ecsphys.engine.kernels.compilation import inlined_scalar
from ecsphys.engine.vectors.lanes import gather, larger, root, scatter, spread, where
from ecsphys.engine.vectors.turns import cos_sin_in_lanes

# A matrix with less than this part of the product of its diagonal for its determinant has only one direction.
_SINGULAR = 1e-12

# Anchors are near each other if their distance squared is less than this part of the sum of the arms squared.
_NEAR = 1e-2


class Masses(NamedTuple):
    """Inverse masses of both bodies along x and y, and inverse inertias."""

    ax: Any
    ay: Any
    bx: Any
    by: Any
    a: Any
    b: Any


class Wrench(NamedTuple):
    """What a joint does to its bodies: an impulse on b, its opposite on a, and the angular impulses of both."""

    x: Any
    y: Any
    a: Any
    b: Any


@inlined_scalar
def masses_of(kind: int, at: JointAt, mass_a: Any, mass_b: Any) -> Masses:
    """The inverse masses of the bodies of a joint, of which those along any axis are given."""
    inertia_a = take(at, field.INERTIA_A)
    inertia_b = take(at, field.INERTIA_B)
    if kind & HAS_LOCKED_BODY:
        return Masses(
            take(at, field.MASS_AX),
            take(at, field.MASS_AY),
            take(at, field.MASS_BX),
            take(at, field.MASS_BY),
            inertia_a,
            inertia_b,
        )
    return Masses(mass_a, mass_a, mass_b, mass_b, inertia_a, inertia_b)


@inlined_scalar
def wrench_of(kind: int, at: JointAt) -> Wrench:
    """What the impulses of a joint do where it is placed."""
    zero = spread(0.0, at.lane)
    x = zero
    y = zero
    a = zero
    b = zero
    if not is_hinge(kind):
        along = take(at, field.SPRING) + take(at, field.LOWER_LIMIT) - take(at, field.UPPER_LIMIT)
        turn = take(at, field.LOCK)
        if kind & IS_SPINNING:
            turn = turn + take(at, field.MOTOR)
        else:
            along = along + take(at, field.MOTOR)
        x = along * take(at, field.DIRECTION_X)
        y = along * take(at, field.DIRECTION_Y)
        a = along * take(at, field.LEVER_A) + turn
        b = along * take(at, field.LEVER_B) + turn
    if kind & HAS_LINE:
        across = take(at, field.POINT_X)
        x = x - across * take(at, field.AXIS_Y)
        y = y + across * take(at, field.AXIS_X)
        a = a + across * take(at, field.LINE_A)
        b = b + across * take(at, field.LINE_B)
    elif kind & HAS_POINT:
        px = take(at, field.POINT_X)
        py = take(at, field.POINT_Y)
        x = x + px
        y = y + py
        a = a + (take(at, field.ARM_AX) * py - take(at, field.ARM_AY) * px)
        b = b + (take(at, field.ARM_BX) * py - take(at, field.ARM_BY) * px)
    return Wrench(x, y, a, b)


@inlined_scalar
def _inverse(number: Any, at: JointAt) -> Any:
    """1 / number; 0 for what nothing moves."""
    zero = spread(0.0, at.lane)
    return where(number > zero, spread(1.0, at.lane) / number, zero)


@inlined_scalar
def _size(number: Any) -> Any:
    return larger(number, -number)


@inlined_scalar
def _remember(kind: int, at: JointAt, masses: Masses, rate: float, is_first: bool) -> None:
    """Forget as much of the impulses that act along lines as would make the next substep begin unstably.

    What a body turns by in a substep, h ω, turns its arm r, and with it what a remembered impulse P does to it: by
    (P · r) h ω / I. Where that is more than ω, the impulse is a spring too stiff for the substep (the geometric
    stiffness): passes that do not solve all joints at once leave more energy than there was, and a larger impulse. So
    all of P is remembered up to P · r = I / h, and no more; the same for an axis that turns with a, and for the line of
    a distance. No joint of a game comes near it, but those that pull against each other do, and small bodies at long
    arms. ``rate`` is 1 / h.
    """
    zero = spread(0.0, at.lane)
    wrench = wrench_of(kind, at)
    x = wrench.x
    y = wrench.y
    turn_a = masses.a * _size(x * take(at, field.ARM_AX) + y * take(at, field.ARM_AY))
    turn_b = masses.b * _size(x * take(at, field.ARM_BX) + y * take(at, field.ARM_BY))
    most = larger(turn_a, turn_b)
    if kind & COORDINATE >= SLIDE:
        size = root(x * x + y * y)
        mass = larger(masses.ax + masses.bx, masses.ay + masses.by)
        if kind & COORDINATE == DISTANCE:
            value = take(at, field.VALUE)
            most = larger(most, where(value > zero, size * mass / value, zero))
        else:
            most = larger(most, size * root(mass * masses.a))
    limit = spread(rate, at.lane)
    kept = where(most > limit, limit / most, spread(1.0, at.lane))
    if not is_first:
        # It has acted all the same.
        put(at, field.TOTAL_X, take(at, field.TOTAL_X) + (x - kept * x))
        put(at, field.TOTAL_Y, take(at, field.TOTAL_Y) + (y - kept * y))
    put(at, field.POINT_X, kept * take(at, field.POINT_X))
    put(at, field.POINT_Y, kept * take(at, field.POINT_Y))
    if kind & COORDINATE >= SLIDE:
        put(at, field.SPRING, kept * take(at, field.SPRING))
        put(at, field.LOWER_LIMIT, kept * take(at, field.LOWER_LIMIT))
        put(at, field.UPPER_LIMIT, kept * take(at, field.UPPER_LIMIT))
        if not kind & IS_SPINNING:
            put(at, field.MOTOR, kept * take(at, field.MOTOR))


@inlined_scalar
def place_joint(
    block: int, at: JointAt, rows: BodyRows, room: BodyRoom, blocks: JointBlocks, rate: float, is_first: bool
) -> None:
    """Write where the joint is now that its bodies have moved, and what impulses meet there.

    The next substep begins with what its impulses do there, in place of what they did where it was; the ``is_first``
    with all of it. ``rate`` is how many substeps there are in a second.
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
    ca, sa = cos_sin_in_lanes(dtheta_a, lane)
    cb, sb = cos_sin_in_lanes(dtheta_b, lane)
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
    if kind & HAS_POINT and not kind & IS_SOFT_POINT:
        # The impulse acts at one point of both, the anchor of b: that turns the two as a whole by nothing. Where the
        # anchors are far apart, as what pulls at the two is too strong for them, each acts at its own: such a point
        # would be moved by a turn of a as the anchor of a is not, and the joint would feed what it is to end.
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
            # As that of a point.
            lever_a = (ax + x) * ny - (ay + y) * nx
            lever_b = bx * ny - by * nx
            answer = (
                mass_x * nx * nx + mass_y * ny * ny + masses.a * (lever_a * lever_a) + masses.b * (lever_b * lever_b)
            )
            put(at, field.LEVER_A, lever_a)
            put(at, field.LEVER_B, lever_b)
            put(at, field.ANSWER, answer)
            put(at, field.MASS, _inverse(answer, at))
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
                put(at, field.LINE_MASS, _inverse(answer, at))
    if kind & HAS_POINT:
        xx = mass_x + masses.a * ay * ay + masses.b * by * by
        yy = mass_y + masses.a * ax * ax + masses.b * bx * bx
        xy = -(masses.a * ax * ay) - masses.b * bx * by
        determinant = xx * yy - xy * xy
        is_whole = determinant > spread(_SINGULAR, lane) * xx * yy
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

    These are what velocities have beyond the free ones; in the first, what stands in place of the free ones.
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
