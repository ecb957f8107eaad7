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
    BOUNCE_ACCELERATION,
    BOUNCE_IS_HIDDEN,
    BOUNCE_PLACE,
    BOUNCE_RESTITUTION,
    BOUNCE_SEPARATION,
    HAS_TWO_POINTS,
    IS_ELASTIC,
    IS_SPECIAL,
    IS_STATIC,
    IS_STRIKING,
    LARGEST,
    MEETING_SPEED,
    NORMAL_TOTAL,
    NORMAL_X,
    NORMAL_Y,
    POINT_CONSTANTS,
    ROW_A,
    ROW_B,
    SEPARATION,
    TANGENT_TOTAL,
    ContactBlocks,
    ContactPlaces,
    ContactRows,
)
from ecsphys.engine.dynamics.contacts.contact_filling import Surroundings, sides_of
from ecsphys.engine.dynamics.contacts.contact_frame import Frame, share_of
from ecsphys.engine.dynamics.contacts.contact_impacts import (
    Lines,
    Motion,
    Outcome,
    along,
    collide,
    has_answers,
    lines_between,
    lines_of,
    surface_in,
)
from ecsphys.engine.dynamics.contacts.contact_preparing import STRIKING
from ecsphys.engine.dynamics.contacts.contact_solving import Masses, masses_of
from ecsphys.engine.dynamics.contacts.two_points import Two, number_of, with_number
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

# The lines of two bodies that can both be moved are found by so many steps of a fixed-point iteration.
_LINE_TURNS = 5

# What meets has some speed.
_LEAST_SPEED = 1e-300


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
    """List those of the first ``count`` contacts whose surfaces are elastic, or that may strike what does not move with
    two points, in their order; returns how many."""
    bouncing = 0
    for k in range(index(count)):
        place = int(places.places[k]) + 0
        if place < 0:
            continue
        place = index(place)
        block = place // LANES
        lane = place % LANES
        kind = int(blocks.lane_kinds[block, lane]) + 0
        strikes = kind & HAS_TWO_POINTS != 0 and kind & IS_STATIC != 0 and blocks.kinds[block] & IS_STRIKING != 0
        if kind & IS_ELASTIC == 0 and not strikes:
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
    bodies = rows.bodies
    a = index(blocks.rows[block, ROW_A + lane])
    b = index(blocks.rows[block, ROW_B + lane])
    before = Motion(bodies[a, VX], bodies[a, VY], bodies[a, OMEGA], bodies[b, VX], bodies[b, VY], bodies[b, OMEGA])
    kind = int(blocks.lane_kinds[block, lane]) + 0
    points = 2 if kind & HAS_TWO_POINTS else 1
    start = lines_of(block, lane, blocks)
    lines = start
    speeds = Two(along(before, lines.first), along(before, lines.second) if points == 2 else 0.0)
    if not (speeds.first < 0.0 or speeds.second < 0.0):
        if bounce[BOUNCE_IS_HIDDEN] != 0.0:
            _hide(block, lane, blocks, bounce, 0.0, 0.0)
        return False
    moved = Motion(bodies[a, DX], bodies[a, DY], bodies[a, DTHETA], bodies[b, DX], bodies[b, DY], bodies[b, DTHETA])
    separations = Two(
        bounce[BOUNCE_SEPARATION] + along(moved, lines.first),
        bounce[BOUNCE_SEPARATION + 1] + along(moved, lines.second),
    )
    acceleration = bounce[BOUNCE_ACCELERATION]
    restitution = bounce[BOUNCE_RESTITUTION]
    least = max(time.threshold * (1.0 if restitution > 0.0 else STRIKING), time.h * abs(acceleration))
    # The speeds at which surfaces meet; 0 for points that do not meet.
    meeting = Two(0.0, 0.0)
    hidden = Two(0.0, 0.0)
    for p in range(points):
        speed = number_of(speeds, p)
        separation = number_of(separations, p)
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
        speed = number_of(speeds, p)
        separation = number_of(separations, p)
        met = number_of(meeting, p)
        if met == 0.0 and speed < 0.0 and separation + _TOGETHER * time.h * speed < 0.0:
            meeting = with_number(meeting, p, _speed_at_meeting(speed, separation, acceleration, time.dt))
    masses = masses_of(block, lane, rows, blocks, blocks.kinds[block] & IS_SPECIAL != 0)
    if not has_answers(meeting, lines, masses):
        return False
    surface = surface_in(block, lane, blocks)
    share = _share(lines, points, masses, lane)
    early = acceleration * time.left
    back = 0.0
    outcome = Outcome(before, Two(0.0, 0.0), 0.0)
    for turn in range(1 if kind & IS_STATIC else _LINE_TURNS):
        if turn > 0:
            # Where they meet and what becomes of their velocities depend on each other.
            after = outcome.after
            x = rows.centers[b, 0] - rows.centers[a, 0] + (moved.bx - moved.ax) + back * (after.bx - after.ax)
            y = rows.centers[b, 1] - rows.centers[a, 1] + (moved.by - moved.ay) + back * (after.by - after.ay)
            new_lines = lines_between(start, x, y, share)
            new_speeds = Two(along(before, new_lines.first), along(before, new_lines.second))
            if (meeting.first > 0.0 and not new_speeds.first < 0.0) or (
                meeting.second > 0.0 and not new_speeds.second < 0.0
            ):
                break
            lines = new_lines
            speeds = new_speeds
            for p in range(points):
                if number_of(meeting, p) > 0.0:
                    fast = _speed_at_meeting(
                        number_of(speeds, p),
                        number_of(separations, p),
                        acceleration,
                        time.dt,
                    )
                    meeting = with_number(meeting, p, max(fast, _LEAST_SPEED))
        # What accelerations add in the rest of the step is not to be added to the speeds at the meeting.
        leaving = Two(
            max(restitution * meeting.first - early, 0.0) if meeting.first > 0.0 else 0.0,
            max(restitution * meeting.second - early, 0.0) if meeting.second > 0.0 else 0.0,
        )
        outcome = collide(before, speeds, meeting, leaving, restitution, lines, masses, surface)
        # At the end of the step, the point that meets first is to touch.
        back = math.inf
        for p in range(points):
            if number_of(meeting, p) == 0.0:
                continue
            speed = number_of(speeds, p)
            now = along(outcome.after, lines.second if p else lines.first)
            if now > speed:
                separation = number_of(separations, p)
                gone = time.left * (max(now, 0.0) + 0.5 * acceleration * (time.left + time.h))
                back = min(back, (separation + max(gone, 0.0)) / (now - speed))
        back = max(back, -time.dt) if back < math.inf else 0.0
    totals = blocks.totals
    totals[block, TANGENT_TOTAL, lane] += outcome.tangent
    totals[block, NORMAL_TOTAL, lane] += outcome.normal.first
    totals[block, NORMAL_TOTAL + 1, lane] += outcome.normal.second
    totals[block, MEETING_SPEED, lane] = max(totals[block, MEETING_SPEED, lane], meeting.first, meeting.second)
    after = outcome.after
    _change(a, after.ax - before.ax, after.ay - before.ay, after.a - before.a, back, rows, room, time)
    _change(b, after.bx - before.bx, after.by - before.by, after.b - before.b, back, rows, room, time)
    return True


@inlined_scalar
def _share(lines: Lines, points: int, masses: Masses, lane: int) -> float:
    """The share of the arms of a in what the centres of two bodies slide past each other; see ``contact_frame``."""
    n = lines.first
    t = lines.tangent_first
    frame = Frame(n.x, n.y, n.b - n.a, t.b - t.a, 0.0, n.a, t.a)
    return float(share_of(frame, 1.0 if points == 2 else 0.0, masses.a, masses.b, lane))


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
