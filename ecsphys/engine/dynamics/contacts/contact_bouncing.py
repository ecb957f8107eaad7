"""Bounces: impacts between elastic surfaces, one after the other, in the substep in which they meet.

An impact takes no time. So it is found from the velocities that a substep begins with, and done before contacts are
solved: these find surfaces that part, and leave them alone. A ball that hits the first of a row hands its speed on,
from one to the next, as impacts go on until no two surfaces approach that would meet in the substep.

Stopping all first, and letting them bounce in the end, loses energy: of three balls that touch, the one in the middle
is stopped by both others at once, and what its neighbours had to bounce with is shared out.

What meets in the next substep, the solver does not see in this one. Its relaxing pass would slow it down.

An impact costs time, but no energy. For the rest of the step the surfaces stay where they have met, and leave then: so
the next step finds the contact, and tells it as a hit. What holds them back are movements along the impulse, shared out
by mass. Surfaces that overlap, as they were too far apart to be known of, are moved out by them.

With movements m = c Δv of both bodies, an impulse along n, and their centres x apart, the angular momentum is what it
was if n is along x − c v, with the velocity v after the impact: so two discs push each other along the line through
their centres at the time −c.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.dynamics.bodies import (
    DTHETA,
    DX,
    DY,
    FREE_OMEGA,
    FREE_X,
    FREE_Y,
    OMEGA,
    VX,
    VY,
    BodyRoom,
    BodyRows,
)
from ecsphys.engine.dynamics.contacts.contact_blocks import (
    ARM_NORMAL,
    ARM_TANGENT,
    BOUNCE_ACCELERATION,
    BOUNCE_IS_HIDDEN,
    BOUNCE_PLACE,
    BOUNCE_RESTITUTION,
    BOUNCE_SEPARATION,
    FRICTION,
    HAS_TWO_POINTS,
    IS_ELASTIC,
    IS_SPECIAL,
    IS_STRIKING,
    LARGEST,
    NORMAL_TOTAL,
    NORMAL_X,
    NORMAL_Y,
    OFFSET_NORMAL,
    OFFSET_TANGENT,
    POINT_CONSTANTS,
    ROLLING_MASS,
    ROLLING_RESISTANCE,
    ROW_A,
    ROW_B,
    SEPARATION,
    TANGENT_SPEED,
    TANGENT_TOTAL,
    ContactBlocks,
    ContactPlaces,
    ContactRows,
)
from ecsphys.engine.dynamics.contacts.contact_filling import Surroundings, sides_of
from ecsphys.engine.dynamics.contacts.contact_preparing import STRIKING
from ecsphys.engine.dynamics.contacts.contact_solving import Masses, masses_of
from ecsphys.engine.dynamics.contacts.two_points import Pair, Two, affordable_part, push_apart, with_number
from ecsphys.engine.dynamics.materials import surface_of
from ecsphys.engine.kernels.compilation import inlined_scalar, scalar
from ecsphys.engine.kernels.index import index
from ecsphys.engine.vectors.lanes import LANES, load, store

# How often all that may bounce is looked at in a substep: what still approaches then is stopped by the solver.
_MOST_TURNS = 16

# In substeps: what meets so little later than in one meets in it, as the solver, which rounds otherwise, may find. What
# meets in the next one the solver stops in this one. One of two points may be so much later than the other, and they
# meet as one: a flat side does not rattle.
_SOON, _NEXT, _TOGETHER = 1.01, 2.02, 2.0

# Discs have no arms longer than this part of what their centres are apart: ten times single precision.
_UNDER_CENTER = 1e-6

# The line of two discs is found by so many steps of a fixed-point iteration.
_LINE_TURNS = 5

# Normal impulses and friction of two points, each of which changes the others, so many times in turn.
_FRICTION_TURNS = 8


class StrikeTime(NamedTuple):
    """The lengths of a substep and of a step, and what is left of that at the start of the substep; the speed below
    which nothing bounces; is it the first substep?"""

    h: float
    dt: float
    left: float
    threshold: float
    is_first: bool


@scalar
def list_bounces(
    contacts: ContactRows,
    count: int,
    around: Surroundings,
    rows: BodyRows,
    blocks: ContactBlocks,
    room: BodyRoom,
    places: ContactPlaces,
) -> int:
    """List those of the first ``count`` contacts whose surfaces are elastic, or may strike with two points, in their
    order; returns how many."""
    bouncing = 0
    for k in range(index(count)):
        place = int(places.places[k]) + 0
        if place < 0:
            continue
        place = index(place)
        block = place // LANES
        lane = place % LANES
        kind = int(blocks.lane_kinds[block, lane]) + 0
        if kind & IS_ELASTIC == 0 and (kind & HAS_TWO_POINTS == 0 or blocks.kinds[block] & IS_STRIKING == 0):
            continue
        sides = sides_of(k, contacts, around, rows, room)
        _, restitution, _, _ = surface_of(k, sides.a, sides.b, around.materials, around.rules, around.changes)
        accelerations = rows.accelerations
        nx = blocks.doubles[block, NORMAL_X, lane]
        ny = blocks.doubles[block, NORMAL_Y, lane]
        bounce = places.bounces[bouncing]
        bounce[BOUNCE_PLACE] = float(place)
        bounce[BOUNCE_RESTITUTION] = restitution
        bounce[BOUNCE_ACCELERATION] = (accelerations[sides.b, 0] - accelerations[sides.a, 0]) * nx + (
            accelerations[sides.b, 1] - accelerations[sides.a, 1]
        ) * ny
        for p in range(2):
            bounce[BOUNCE_SEPARATION + p] = load(blocks.constants, block, SEPARATION + POINT_CONSTANTS * p, lane)
        bounce[BOUNCE_IS_HIDDEN] = 0.0
        bouncing += 1
    return bouncing


@scalar
def strike_contacts(
    count: int, rows: BodyRows, room: BodyRoom, blocks: ContactBlocks, places: ContactPlaces, time: StrikeTime
) -> None:
    """Let what meets in a substep bounce, of the first ``count`` contacts that may, before the substep begins.

    The impulses are in the totals. They are not kept for the next substep, in which nothing presses any more.
    """
    last = count
    for turn in range(_MOST_TURNS):
        struck = -1
        for k in range(count):
            # All since the last impact have been looked at.
            if struck < 0 and turn > 0 and k > last:
                return
            bounce = places.bounces[k]
            place = int(bounce[BOUNCE_PLACE])
            if _strike(index(place // LANES), place % LANES, rows, room, blocks, bounce, time):
                struck = k
        if struck < 0:
            return
        last = struck


class Motion(NamedTuple):
    """The velocities of both bodies of a contact."""

    ax: float
    ay: float
    a: float
    bx: float
    by: float
    b: float


class Line(NamedTuple):
    """The line along which an impulse acts: its direction, and the arms of both bodies."""

    x: float
    y: float
    a: float
    b: float


@inlined_scalar
def _speed(motion: Motion, line: Line) -> float:
    """How fast b moves away from a along a line."""
    along = (motion.bx - motion.ax) * line.x + (motion.by - motion.ay) * line.y
    return along + (motion.b * line.b - motion.a * line.a)


@inlined_scalar
def _pushed(motion: Motion, masses: Masses, line: Line, impulse: float) -> Motion:
    """The velocities after an impulse along a line."""
    px = impulse * line.x
    py = impulse * line.y
    return Motion(
        motion.ax - masses.ax * px,
        motion.ay - masses.ay * py,
        motion.a - masses.a * (impulse * line.a),
        motion.bx + masses.bx * px,
        motion.by + masses.by * py,
        motion.b + masses.b * (impulse * line.b),
    )


@inlined_scalar
def _answer(masses: Masses, line: Line, other: Line) -> float:
    """How much an impulse of 1 along one line changes the speed along another."""
    along = (masses.ax + masses.bx) * line.x * other.x + (masses.ay + masses.by) * line.y * other.y
    return along + (masses.a * line.a * other.a + masses.b * line.b * other.b)


@scalar
def speed_after(speed: float, distance: float, acceleration: float) -> float:
    """The speed of what moves along a line, after a distance: v² grows by 2 a s; 0 where it does not get there."""
    squared = speed * speed + 2.0 * acceleration * distance
    return math.sqrt(squared) if squared > 0.0 else 0.0


@inlined_scalar
def _strike(
    block: int,
    lane: int,
    rows: BodyRows,
    room: BodyRoom,
    blocks: ContactBlocks,
    bounce: NDArray[float64],
    time: StrikeTime,
) -> bool:
    """Let the surfaces of the contact in a lane of a block bounce, if they meet in this substep; whether they do."""
    constants = blocks.constants
    bodies = rows.bodies
    a = index(blocks.rows[block, ROW_A + lane])
    b = index(blocks.rows[block, ROW_B + lane])
    before = Motion(bodies[a, VX], bodies[a, VY], bodies[a, OMEGA], bodies[b, VX], bodies[b, VY], bodies[b, OMEGA])
    nx = blocks.doubles[block, NORMAL_X, lane]
    ny = blocks.doubles[block, NORMAL_Y, lane]
    offset = load(constants, block, OFFSET_NORMAL, lane)
    arm = load(constants, block, ARM_NORMAL, lane)
    line_0 = Line(nx, ny, arm, arm + offset)
    arm = load(constants, block, ARM_NORMAL + POINT_CONSTANTS, lane)
    line_1 = Line(nx, ny, arm, arm + offset)
    points = 2 if blocks.lane_kinds[block, lane] & HAS_TWO_POINTS != 0 else 1
    speeds = Two(_speed(before, line_0), _speed(before, line_1) if points == 2 else 0.0)
    if not (speeds.first < 0.0 or speeds.second < 0.0):
        if bounce[BOUNCE_IS_HIDDEN] != 0.0:
            _hide(block, lane, blocks, bounce, 0.0, 0.0)
        return False
    moved = Motion(bodies[a, DX], bodies[a, DY], bodies[a, DTHETA], bodies[b, DX], bodies[b, DY], bodies[b, DTHETA])
    separations = Two(
        bounce[BOUNCE_SEPARATION] + _speed(moved, line_0), bounce[BOUNCE_SEPARATION + 1] + _speed(moved, line_1)
    )
    acceleration = bounce[BOUNCE_ACCELERATION]
    restitution = bounce[BOUNCE_RESTITUTION]
    least = max(time.threshold * (1.0 if restitution > 0.0 else STRIKING), time.h * abs(acceleration))
    # The speeds at which surfaces meet; 0 for points that do not meet.
    meeting = Two(0.0, 0.0)
    hidden = Two(0.0, 0.0)
    for p in range(points):
        speed = speeds.second if p else speeds.first
        separation = separations.second if p else separations.first
        way = time.h * (speed + time.h * min(acceleration, 0.0))
        if not speed < 0.0 or not separation + _NEXT * way < 0.0:
            continue
        fast = _speed_at_meeting(speed, separation, acceleration, time.dt)
        if fast > least:
            if separation + _SOON * way < 0.0:
                meeting = with_number(meeting, p, fast)
            else:
                hidden = with_number(hidden, p, 1.0)
    if hidden.first + hidden.second != bounce[BOUNCE_IS_HIDDEN] or hidden.first != hidden.second:
        _hide(block, lane, blocks, bounce, hidden.first, hidden.second)
    if meeting.first == 0.0 and meeting.second == 0.0:
        return False
    for p in range(points):
        speed = speeds.second if p else speeds.first
        separation = separations.second if p else separations.first
        met = meeting.second if p else meeting.first
        if met == 0.0 and speed < 0.0 and separation + _TOGETHER * time.h * speed < 0.0:
            meeting = with_number(meeting, p, _speed_at_meeting(speed, separation, acceleration, time.dt))
    masses = masses_of(block, lane, rows, blocks, blocks.kinds[block] & IS_SPECIAL != 0)
    distance = load(constants, block, OFFSET_TANGENT, lane)
    most = _UNDER_CENTER * distance
    are_discs = points == 1 and distance > 0.0 and abs(line_0.a) <= most and abs(line_0.b) <= most
    longer = 1.0
    back = 0.0
    rubbed = 0.0
    after = before
    normal = Two(0.0, 0.0)
    early = acceleration * time.left
    for turn in range(_LINE_TURNS if are_discs else 1):
        if turn > 0:
            # The line and what becomes of the velocities depend on each other.
            x = rows.centers[b, 0] - rows.centers[a, 0] + (moved.bx - moved.ax) + back * (after.bx - after.ax)
            y = rows.centers[b, 1] - rows.centers[a, 1] + (moved.by - moved.ay) + back * (after.by - after.ay)
            length = math.sqrt(x * x + y * y)
            if not length > 0.0 or not (before.bx - before.ax) * x + (before.by - before.ay) * y < 0.0:
                break
            longer = length / distance
            line_0 = Line(x / length, y / length, 0.0, 0.0)
            speeds = Two(_speed(before, line_0), 0.0)
            meeting = Two(_speed_at_meeting(speeds.first, separations.first, acceleration, time.dt), 0.0)
        answer = Pair(_answer(masses, line_0, line_0), _answer(masses, line_0, line_1), _answer(masses, line_1, line_1))
        if (meeting.first > 0.0 and not answer.first > 0.0) or (meeting.second > 0.0 and not answer.second > 0.0):
            return False

        after, stopped, rubbed, driven = _stop(
            block, lane, blocks, before, meeting, masses, line_0, line_1, longer, answer
        )
        # By Newton's hypothesis each point leaves e times as fast as it came; both at once, as ``push_apart`` solves it.
        # With friction, that alone may gain energy (Kane's paradox). So Stronge's energetic one is its bound: what pressing
        # has taken from a point, half of its impulse times its speed, the bounce gives back e² of, and no more (W. J.
        # Stronge, "Rigid body collisions with friction", 1990). What friction has done to set the surfaces sliding is of
        # that, too. What accelerations add in the rest of the step is not to be added to a speed at the meeting.
        leaving = Two(
            max(restitution * meeting.first - early, 0.0) if meeting.first > 0.0 else -math.inf,
            max(restitution * meeting.second - early, 0.0) if meeting.second > 0.0 else -math.inf,
        )
        speed_0 = _speed(after, line_0)
        speed_1 = _speed(after, line_1)
        pushed = push_apart(Two(leaving.first - speed_0, leaving.second - speed_1), answer)
        allowed = 0.0
        if stopped.first > 0.0 and speeds.first < 0.0:
            allowed += stopped.first * leaving.first * leaving.first / -speeds.first
        if stopped.second > 0.0 and speeds.second < 0.0:
            allowed += stopped.second * leaving.second * leaving.second / -speeds.second
        part = affordable_part(
            pushed.first * speed_0 + pushed.second * speed_1,
            pushed.first * (answer.first * pushed.first + answer.both * pushed.second)
            + pushed.second * (answer.both * pushed.first + answer.second * pushed.second),
            0.5 * max(allowed - restitution * restitution * max(driven, 0.0), 0.0),
        )
        after = _pushed(after, masses, line_0, part * pushed.first)
        after = _pushed(after, masses, line_1, part * pushed.second)
        normal = Two(stopped.first + part * pushed.first, stopped.second + part * pushed.second)
        # At the end of the step, the point that meets first is to touch.
        back = math.inf
        for p in range(points):
            if (meeting.second if p else meeting.first) == 0.0:
                continue
            speed = speeds.second if p else speeds.first
            now = _speed(after, line_1 if p else line_0)
            if now > speed:
                separation = separations.second if p else separations.first
                gone = time.left * (max(now, 0.0) + 0.5 * acceleration * (time.left + time.h))
                back = min(back, (separation + max(gone, 0.0)) / (now - speed))
        back = max(back, -time.dt) if back < math.inf else 0.0
    totals = blocks.totals
    totals[block, TANGENT_TOTAL, lane] += rubbed
    totals[block, NORMAL_TOTAL, lane] += normal.first
    totals[block, NORMAL_TOTAL + 1, lane] += normal.second
    _change(a, after.ax - before.ax, after.ay - before.ay, after.a - before.a, back, rows, room, time)
    _change(b, after.bx - before.bx, after.by - before.by, after.b - before.b, back, rows, room, time)
    return True


@inlined_scalar
def _speed_at_meeting(speed: float, separation: float, acceleration: float, dt: float) -> float:
    """How fast surfaces meet that approach at a ``speed`` now: later, or before, where they overlap by what they may
    have moved in a step."""
    return speed_after(speed, max(separation, speed * dt), -acceleration)


@inlined_scalar
def _hide(block: int, lane: int, blocks: ContactBlocks, bounce: NDArray[float64], first: float, second: float) -> None:
    """Let the solver see both points of a contact, but for those that are to be hidden: to it they are far apart."""
    bounce[BOUNCE_IS_HIDDEN] = first + second
    for p in range(2):
        separation = LARGEST if (second if p else first) > 0.0 else bounce[BOUNCE_SEPARATION + p]
        store(blocks.constants, block, SEPARATION + POINT_CONSTANTS * p, lane, separation)


@inlined_scalar
def _change(
    body: int, x: float, y: float, turn: float, back: float, rows: BodyRows, room: BodyRoom, time: StrikeTime
) -> None:
    """Change the velocity of a body, and take back what it adds in some time."""
    bodies = rows.bodies
    bodies[body, VX] += x
    bodies[body, VY] += y
    bodies[body, OMEGA] += turn
    bodies[body, DX] -= x * back
    bodies[body, DY] -= y * back
    bodies[body, DTHETA] -= turn * back
    if not time.is_first:
        # It is no impulse that the next substep begins with.
        room.steps[body, FREE_X] += x
        room.steps[body, FREE_Y] += y
        room.steps[body, FREE_OMEGA] += turn


@inlined_scalar
def _stop(
    block: int,
    lane: int,
    blocks: ContactBlocks,
    before: Motion,
    meeting: Two,
    masses: Masses,
    line_0: Line,
    line_1: Line,
    longer: float,
    answer: Pair,
) -> tuple[Motion, Two, float, float]:
    """Stop the surfaces where points are ``meeting``, with friction.

    Returns the velocities then, the normal impulses, the sum of those along the tangent, and twice the work that these
    have done.
    """
    constants = blocks.constants
    after = before
    stopped = Two(0.0, 0.0)
    rubbed = Two(0.0, 0.0)
    friction = load(constants, block, FRICTION, lane)
    is_special = blocks.kinds[block] & IS_SPECIAL != 0
    rolling = load(blocks.extras, block, ROLLING_RESISTANCE, lane) if is_special else 0.0
    running = load(blocks.extras, block, TANGENT_SPEED, lane) if is_special else 0.0
    offset = longer * load(constants, block, OFFSET_TANGENT, lane)
    arm = longer * load(constants, block, ARM_TANGENT, lane)
    tangent_0 = Line(line_0.y, -line_0.x, arm, arm + offset)
    arm = longer * load(constants, block, ARM_TANGENT + POINT_CONSTANTS, lane)
    tangent_1 = Line(line_0.y, -line_0.x, arm, arm + offset)
    rolled = 0.0
    for _ in range(_FRICTION_TURNS if friction > 0.0 or rolling > 0.0 else 1):
        # What the points would lack if they had not pushed yet.
        lacking = Two(
            answer.first * stopped.first + answer.both * stopped.second - _speed(after, line_0)
            if meeting.first > 0.0
            else -math.inf,
            answer.both * stopped.first + answer.second * stopped.second - _speed(after, line_1)
            if meeting.second > 0.0
            else -math.inf,
        )
        wanted = push_apart(lacking, answer)
        after = _pushed(after, masses, line_0, wanted.first - stopped.first)
        after = _pushed(after, masses, line_1, wanted.second - stopped.second)
        stopped = wanted
        if friction > 0.0:
            for p in range(2):
                line = Line(
                    tangent_0.x, tangent_0.y, tangent_1.a if p else tangent_0.a, tangent_1.b if p else tangent_0.b
                )
                own = _answer(masses, line, line)
                most = friction * (stopped.second if p else stopped.first)
                last = rubbed.second if p else rubbed.first
                if own > 0.0:
                    impulse = last - (_speed(after, line) - running) / own
                    impulse = max(min(impulse, most), -most)
                    after = _pushed(after, masses, line, impulse - last)
                    rubbed = with_number(rubbed, p, impulse)
        if rolling > 0.0:
            most = rolling * (stopped.first + stopped.second)
            impulse = rolled - load(blocks.extras, block, ROLLING_MASS, lane) * (after.b - after.a)
            impulse = max(min(impulse, most), -most)
            after = Motion(
                after.ax,
                after.ay,
                after.a - masses.a * (impulse - rolled),
                after.bx,
                after.by,
                after.b + masses.b * (impulse - rolled),
            )
            rolled = impulse
    # Seen from a surface that runs.
    driven = rubbed.first * (_speed(before, tangent_0) + _speed(after, tangent_0) - 2.0 * running)
    driven += rubbed.second * (_speed(before, tangent_1) + _speed(after, tangent_1) - 2.0 * running)
    return after, stopped, rubbed.first + rubbed.second, driven
