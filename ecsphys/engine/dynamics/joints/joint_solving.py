"""The passes over joints and gears: each changes the velocities of its bodies by impulses.

The method is the contacts' method (:mod:`~ecsphys.engine.dynamics.contacts.contact_solving`): first with a bias, as a
damped spring between the bodies, then *relaxing*, without. Springs that a game has asked for are no such bias: they act
in the first pass, and keep their impulse in the second.
"""

from __future__ import annotations

import math
from typing import Any

from ecsphys.engine.dynamics.bodies import FREE_OMEGA, FREE_X, FREE_Y, OMEGA, VX, VY, BodyRoom, BodyRows
from ecsphys.engine.dynamics.contacts.contact_filling import inverse_masses
from ecsphys.engine.dynamics.contacts.contact_solving import Spring
from ecsphys.engine.dynamics.joints import joint_answers
from ecsphys.engine.dynamics.joints import joint_blocks as field
from ecsphys.engine.dynamics.joints import joint_rows as row
from ecsphys.engine.dynamics.joints.joint_blocks import (
    JointAt,
    JointBlocks,
    JointPart,
    JointRoom,
    acts_on_coordinate,
    is_hinge,
    put,
    take,
)
from ecsphys.engine.dynamics.joints.joint_order import acts
from ecsphys.engine.dynamics.joints.joint_placing import place_joint
from ecsphys.engine.dynamics.joints.joint_rows import JointRows
from ecsphys.engine.kernels import NamedTuple, inlined_scalar, scalar
from ecsphys.engine.math.lanes import ALL_LANES, LANES, any_of, gather, larger, root, scatter, smaller, spread, where


@inlined_scalar
def _at(joint: int, room: JointRoom) -> JointAt:
    place = int(room.places.places[joint]) + 0
    return JointAt(room.blocks.numbers, int(room.blocks.firsts[place // LANES]) + 0, place % LANES)


@inlined_scalar
def _part(j: int, k: int, joints: JointRows, room: JointRoom) -> tuple[int, float, float, float]:
    """The body of end k, of the four that a gear has, and how the sum of coordinates changes with its velocity."""
    joint = int(joints.ends[j, row.FIRST_JOINT + k // 2]) + 0
    side = k % 2
    factor = joints.settings[j, row.RATIO] if k > 1 else 1.0
    factor = factor if side else -factor
    at = _at(joint, room)
    return (
        int(joints.ends[joint, row.BODY_A + side]) + 0,
        factor * take(at, field.DIRECTION_X),
        factor * take(at, field.DIRECTION_Y),
        factor * take(at, field.LEVER_A + side),
    )


@inlined_scalar
def _sum_of(j: int, joints: JointRows, room: JointRoom) -> float:
    first = _at(int(joints.ends[j, row.FIRST_JOINT]) + 0, room)
    second = _at(int(joints.ends[j, row.FIRST_JOINT + 1]) + 0, room)
    return float(take(first, field.VALUE) + joints.settings[j, row.RATIO] * take(second, field.VALUE))


@scalar
def begin_gear(j: int, h: float, joints: JointRows, rows: BodyRows, bodies: BodyRoom, room: JointRoom) -> None:
    """Let the first substep begin with the impulse of the last step. A gear keeps the sum that it finds at first."""
    if math.isnan(joints.impulses[j, row.GEAR_SUM]):
        joints.impulses[j, row.GEAR_SUM] = _sum_of(j, joints, room)
    impulse = h * joints.impulses[j, row.SPRING]
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
    last = h * joints.impulses[j, row.SPRING]
    off = _sum_of(j, joints, room) - joints.impulses[j, row.GEAR_SUM]
    bias = soft.rate * off
    if abs(bias) * turning > most * answer:
        bias = math.copysign(most * answer / turning, bias)
    change = -soft.mass * (speed + bias) / answer - soft.impulse * last
    joints.impulses[j, row.SPRING] = (last + change) / h
    for k in range(4):
        body, x, y, turn = _part(j, k, joints, room)
        mass = inverse_masses(body, False, rows)
        bodies[body, VX] += mass.x * x * change
        bodies[body, VY] += mass.y * y * change
        bodies[body, OMEGA] += mass.inertia * turn * change


# The error of a lock or a gear turns bodies by no more than this in a substep, radians: where they turn further, the
# arms of other joints are anywhere.
_MOST_TURN = 0.25 * math.pi


class Effort(NamedTuple):
    """The spring of parts that are not soft themselves, and how often joints are solved."""

    spring: Spring
    iterations: int


class JointPass(NamedTuple):
    """How joints are solved in a pass, also the loaded ones; the seconds of a substep, and how many there are in one.

    In the first pass of a step joints are only placed, for the first substep to begin with their impulses.
    """

    plain: Effort
    loaded: Effort
    h: float
    rate: float
    is_first: bool
    is_relaxing: bool


@inlined_scalar
def effort_for(kind: int, how: JointPass) -> Effort:
    """The effort for a joint of a kind."""
    return how.loaded if kind & field.IS_LOADED else how.plain


@scalar
def solve_joints(
    joints: JointRows,
    rows: BodyRows,
    bodies: BodyRoom,
    room: JointRoom,
    part: JointPart,
    how: JointPass,
    lane: int | None,
) -> None:
    """Solve the joints of a part, gears last, some times; relaxing, where their bodies have moved to."""
    blocks = room.blocks
    h = 1.0 / how.rate
    turns = how.loaded.iterations if room.places.counts[field.ANY_LOADED] else how.plain.iterations
    block_count = int(room.places.counts[field.BLOCK_COUNT]) + 0
    for turn in range(max(part.turn, 0), turns if part.turn < 0 else part.turn + 1):
        places = how.is_first or (how.is_relaxing and turn == 0)
        for block in range(part.first, min(part.end, block_count)):
            left = effort_for(int(blocks.kinds[block]), how).iterations - turn
            if left <= 0:
                continue
            sums = how.is_relaxing and left == 1
            first = int(blocks.firsts[block]) + 0
            if lane is None:
                _solve(
                    block,
                    JointAt(blocks.numbers, first, ALL_LANES),
                    rows,
                    bodies,
                    blocks,
                    how,
                    places,
                    sums,
                )
            else:
                for one in range(LANES):
                    _solve(block, JointAt(blocks.numbers, first, one), rows, bodies, blocks, how, places, sums)
        if part.end <= block_count:
            continue
        for j in range(int(room.places.counts[field.FIRST_GEAR]), int(joints.kinds.shape[0])):
            effort = effort_for(int(room.places.kinds[j]), how)
            left = effort.iterations - turn
            if left <= 0 or not acts(j, joints, rows):
                continue
            if how.is_first:
                begin_gear(j, h, joints, rows, bodies, room)
            else:
                solve_gear(j, h, joints, rows, room, effort.spring, _MOST_TURN * how.rate)
            if how.is_relaxing and left == 1:
                joints.totals[j, row.TOTAL_TURN] += h * joints.impulses[j, row.SPRING]


@inlined_scalar
def _solve(
    block: int,
    at: JointAt,
    rows: BodyRows,
    bodies: BodyRoom,
    blocks: JointBlocks,
    how: JointPass,
    places: bool,
    sums: bool,
) -> None:
    """Place a joint, solve it, and sum up its effects in the substep."""
    kind = int(blocks.kinds[block]) + 0
    if places:
        place_joint(block, at, rows, bodies, blocks, how.rate, how.is_first)
    if how.is_first or kind & field.IS_PASSIVE:
        return
    _solve_joint(kind, block, at, rows, blocks, how)
    if not sums:
        return
    wrench = joint_answers.wrench_of(kind, at)
    x = wrench.x
    y = wrench.y
    if kind & row.COORDINATE >= row.SLIDE:
        # Less what only turning arms have made of them.
        x = x - take(at, field.TURNED_X)
        y = y - take(at, field.TURNED_Y)
    put(at, field.TOTAL_X, take(at, field.TOTAL_X) + x)
    put(at, field.TOTAL_Y, take(at, field.TOTAL_Y) + y)
    if not is_hinge(kind):
        put(at, field.TOTAL_TURN, take(at, field.TOTAL_TURN) + joint_answers.turn_of(kind, at))


@inlined_scalar
def _held(impulse: Any, most: Any) -> Any:
    """An impulse of limited strength."""
    return larger(smaller(impulse, most), -most)


@inlined_scalar
def _at_limit(last: Any, off: Any, speed: Any, mass: Any, soft: Spring, substep_rate: float) -> Any:
    """The impulse that keeps a coordinate from going below a limit, which it is ``off`` from."""
    # It may come just as near as to touch.
    is_apart = off > 0.0
    bias = where(is_apart, substep_rate * off, soft.rate * off)
    answer = mass * where(is_apart, 1.0, soft.mass)
    kept = last - where(is_apart, 0.0, soft.impulse) * last
    return larger(kept - answer * (speed + bias), 0.0)


@inlined_scalar
def _lock(kind: int, at: JointAt, speed: Any, mass: Any, how: JointPass) -> Any:
    """The impulse of a lock of bodies that turn against each other at a speed, with this effective mass."""
    last = take(at, field.LOCK)
    change = -mass * speed
    if not how.is_relaxing:
        soft_mass = take(at, field.LOCK_MASS)
        most = _MOST_TURN * how.rate / soft_mass
        bias = _held(take(at, field.LOCK_RATE) * take(at, field.TURNED), most)
        change = soft_mass * (change - mass * bias) - take(at, field.LOCK_IMPULSE) * last
    return _held(last + change, take(at, field.LOCK_MOST))


@inlined_scalar
def _solve_coordinate(
    kind: int,
    at: JointAt,
    before: joint_answers.Motion,
    answers: joint_answers.Answers,
    turn_mass: Any,
    stiff_mass: Any,
    how: JointPass,
) -> Any:
    """Solve what acts on a coordinate: spring, motor, limits, rod; returns the change of its impulse."""
    value = take(at, field.VALUE)
    answer = take(at, field.ANSWER)
    mass = take(at, field.MASS)
    spring_mass = mass
    start = before.x * take(at, field.DIRECTION_X) + before.y * take(at, field.DIRECTION_Y)
    start = start + (take(at, field.LEVER_B) * before.b - take(at, field.LEVER_A) * before.a)
    if joint_answers.is_coupled(kind) and kind & row.COORDINATE == row.ANGLE:
        start = answers.speed
        answer = answers.answer
        mass = turn_mass
        spring_mass = stiff_mass
    elif joint_answers.is_coupled(kind):
        start = answers.slide_speed
        answer = answers.slide_answer
        by_turn = answers.slide_by_turn
        if kind & row.HAS_LOCK:
            # As the line, the lock, too, is held after it.
            start = start + by_turn * (_lock(kind, at, answers.speed, turn_mass, how) - take(at, field.LOCK))
            factor = spread(1.0, at.lane) if how.is_relaxing else take(at, field.LOCK_MASS)
            answer = joint_answers.left_of(answer, factor * turn_mass * by_turn * by_turn)
        mass = joint_answers.inverse(answer)
    speed = start
    along = spread(0.0, at.lane)
    if kind & row.HAS_SPRING and not how.is_relaxing:
        last = take(at, field.SPRING)
        bias = take(at, field.SPRING_RATE) * (value - take(at, field.REST))
        change = -spring_mass * take(at, field.SPRING_MASS) * (speed + bias) - take(at, field.SPRING_IMPULSE) * last
        put(at, field.SPRING, last + change)
        along = along + change
        speed = start + answer * along
    if kind & row.HAS_MOTOR and not kind & row.IS_SPINNING:
        last = take(at, field.MOTOR)
        impulse = _held(last - mass * (speed - take(at, field.MOTOR_SPEED)), take(at, field.MOTOR_MOST))
        put(at, field.MOTOR, impulse)
        along = along + (impulse - last)
        speed = start + answer * along
    soft = effort_for(kind, how).spring
    if kind & row.HAS_LIMITS:
        last = take(at, field.LOWER_LIMIT)
        impulse = _at_limit(last, value - take(at, field.LOWER), speed, mass, soft, how.rate)
        put(at, field.LOWER_LIMIT, impulse)
        along = along + (impulse - last)
        speed = start + answer * along
        last = take(at, field.UPPER_LIMIT)
        impulse = _at_limit(last, take(at, field.UPPER) - value, -speed, mass, soft, how.rate)
        put(at, field.UPPER_LIMIT, impulse)
        along = along - (impulse - last)
        speed = start + answer * along
    if kind & row.IS_ROD:
        last = take(at, field.SPRING)
        bias = soft.rate * (value - take(at, field.REST))
        change = -mass * soft.mass * (speed + bias) - soft.impulse * last
        put(at, field.SPRING, last + change)
        along = along + change
    return along


@inlined_scalar
def _solve_point(kind: int, at: JointAt, motion: joint_answers.Motion, soft: Spring) -> tuple[Any, Any]:
    """Solve a point; returns the change of its impulse."""
    vx = motion.x
    vy = motion.y
    rate = spread(soft.rate, at.lane)
    mass_factor = spread(soft.mass, at.lane)
    impulse_factor = spread(soft.impulse, at.lane)
    last_x = take(at, field.POINT_X)
    last_y = take(at, field.POINT_Y)
    if kind & row.IS_SOFT_POINT:
        rate = take(at, field.POINT_RATE)
        mass_factor = spread(1.0, at.lane)
        impulse_factor = spread(0.0, at.lane)
        # Its matrix has the give; the part that the impulse so far has pressed in springs back.
        vx = vx + take(at, field.POINT_GIVE) * last_x
        vy = vy + take(at, field.POINT_GIVE) * last_y
    x, y = joint_answers.point_change(
        at, joint_answers.Motion(vx, vy, motion.a, motion.b), rate, mass_factor, impulse_factor
    )
    x = last_x + x
    y = last_y + y
    if kind & row.IS_BOUNDED_POINT:
        most = take(at, field.POINT_MOST)
        size = root(x * x + y * y)
        factor = where(size > most, most / size, 1.0)
        x = x * factor
        y = y * factor
    put(at, field.POINT_X, x)
    put(at, field.POINT_Y, y)
    return x - last_x, y - last_y


@inlined_scalar
def _solve_joint(kind: int, block: int, at: JointAt, rows: BodyRows, blocks: JointBlocks, how: JointPass) -> None:
    """Solve a joint once: coordinate, lock, line, point, the most important last."""
    lane = at.lane
    vx_a, vy_a, omega_a, mass_a = gather(rows.bodies, blocks.rows, block, field.ROW_A, lane, VX)
    vx_b, vy_b, omega_b, mass_b = gather(rows.bodies, blocks.rows, block, field.ROW_B, lane, VX)
    masses = joint_answers.masses_of(kind, at, mass_a, mass_b)
    soft = effort_for(kind, how).spring
    zero = spread(0.0, lane)
    vx = vx_b - vx_a
    vy = vy_b - vy_a
    x = zero
    y = zero

    # The part before a line or a point allows for these.
    turn_mass = zero
    stiff_mass = zero
    answers = joint_answers.Answers(omega_b - omega_a, zero, zero, zero, zero, zero)
    if joint_answers.is_coupled(kind):
        answers = joint_answers.answers_of(kind, at, masses, joint_answers.Motion(vx, vy, omega_a, omega_b), soft)
        turn_mass = joint_answers.inverse(answers.answer)
        stiff_mass = joint_answers.inverse(answers.stiff_answer)
    elif kind & row.HAS_LOCK:
        turn_mass = take(at, field.TURN_MASS)
        stiff_mass = turn_mass

    turn_speed = answers.speed
    if acts_on_coordinate(kind):
        along = _solve_coordinate(
            kind, at, joint_answers.Motion(vx, vy, omega_a, omega_b), answers, turn_mass, stiff_mass, how
        )
        x = along * take(at, field.DIRECTION_X)
        y = along * take(at, field.DIRECTION_Y)
        vx = vx + (masses.ax + masses.bx) * x
        vy = vy + (masses.ay + masses.by) * y
        omega_a = omega_a - masses.a * (along * take(at, field.LEVER_A))
        omega_b = omega_b + masses.b * (along * take(at, field.LEVER_B))
        turn_speed = turn_speed + answers.slide_by_turn * along
    if kind & row.IS_SPINNING:
        last = take(at, field.MOTOR)
        impulse = last - take(at, field.TURN_MASS) * (omega_b - omega_a - take(at, field.MOTOR_SPEED))
        impulse = _held(impulse, take(at, field.MOTOR_MOST))
        put(at, field.MOTOR, impulse)
        omega_a = omega_a - masses.a * (impulse - last)
        omega_b = omega_b + masses.b * (impulse - last)
    if kind & row.HAS_LOCK and not (how.is_relaxing and kind & row.IS_SOFT_LOCK):
        last = take(at, field.LOCK)
        impulse = _lock(kind, at, turn_speed, stiff_mass if kind & row.IS_SOFT_LOCK else turn_mass, how)
        put(at, field.LOCK, impulse)
        omega_a = omega_a - masses.a * (impulse - last)
        omega_b = omega_b + masses.b * (impulse - last)
    if kind & row.HAS_LINE:
        last = take(at, field.POINT_X)
        change = joint_answers.line_change(at, joint_answers.Motion(vx, vy, omega_a, omega_b), soft)
        put(at, field.POINT_X, last + change)
        x = x + change * -take(at, field.AXIS_Y)
        y = y + change * take(at, field.AXIS_X)
        omega_a = omega_a - masses.a * (change * take(at, field.LINE_A))
        omega_b = omega_b + masses.b * (change * take(at, field.LINE_B))
    elif kind & row.HAS_POINT and not (how.is_relaxing and kind & row.IS_SOFT_POINT):
        push_x, push_y = _solve_point(kind, at, joint_answers.Motion(vx, vy, omega_a, omega_b), soft)
        x = x + push_x
        y = y + push_y
        omega_a = omega_a - masses.a * (take(at, field.ARM_AX) * push_y - take(at, field.ARM_AY) * push_x)
        omega_b = omega_b + masses.b * (take(at, field.ARM_BX) * push_y - take(at, field.ARM_BY) * push_x)
    if not how.is_relaxing and (kind & row.HAS_POINT or kind & row.COORDINATE >= row.SLIDE):
        # What would turn the bodies too far for the substep does not act in it.
        pull = joint_answers.pull_of(kind, at)
        kept = joint_answers.stable_part(kind, at, masses, pull, how.rate)
        if not kind & row.IS_SOFT_POINT:
            kept = where(joint_answers.is_torn(kind, at), kept, 1.0)
        if any_of(kept < 1.0):
            lost = 1.0 - kept
            joint_answers.keep_part(kind, at, kept)
            x = x - lost * pull.x
            y = y - lost * pull.y
            omega_a = omega_a + masses.a * (lost * pull.a)
            omega_b = omega_b - masses.b * (lost * pull.b)
    pushed = (vx_a - masses.ax * x, vy_a - masses.ay * y, omega_a, mass_a)
    scatter(rows.bodies, blocks.rows, block, field.ROW_A, lane, VX, pushed)
    pushed = (vx_b + masses.bx * x, vy_b + masses.by * y, omega_b, mass_b)
    scatter(rows.bodies, blocks.rows, block, field.ROW_B, lane, VX, pushed)
