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

from ecsphys.engine.dynamics.bodies import DTHETA, DX, DY, FREE_OMEGA, FREE_X, FREE_Y, OMEGA, VX, VY, BodyRoom, BodyRows
from ecsphys.engine.dynamics.contacts import contact_blocks as field
from ecsphys.engine.dynamics.contacts import contact_impacts
from ecsphys.engine.dynamics.contacts.contact_blocks import ContactBlocks, SolverRoom, SolverStep
from ecsphys.engine.dynamics.contacts.contact_filling import sides_of
from ecsphys.engine.dynamics.contacts.contact_preparing import STRIKING, Frame, is_flat, share_of
from ecsphys.engine.dynamics.contacts.contact_solving import masses_of
from ecsphys.engine.dynamics.contacts.materials import surface_of
from ecsphys.engine.kernels.array_types import Float64Rows, Float64s
from ecsphys.engine.kernels.building import NamedTuple
from ecsphys.engine.kernels.compilation import inlined_scalar, scalar
from ecsphys.engine.kernels.intrinsics import index
from ecsphys.engine.vectors.lanes import LANES, load, store

# How often all that may bounce is looked at in a substep: what still approaches then is stopped by the solver.
_MOST_TURNS = 16

# Normals that differ by a smaller angle are one.
_SAME_NORMAL = 1e-6

# The lines of two bodies that can both be moved are found by so many steps of a fixed-point iteration.
_LINE_TURNS = 5

# What meets has some speed.
_LEAST_SPEED = 1e-300


# In substeps. Points that meet within _SOON meet in this substep: the solver rounds in another way, and may find that
# they do. The solver would stop points that meet within _NEXT already in this substep, so they are hidden from it. A
# point that meets within _TOGETHER meets together with the contact's other point: a flat side does not rattle.
_SOON, _NEXT, _TOGETHER = 1.01, 2.02, 2.0


class StrikeTime(NamedTuple):
    """The seconds of a substep and of a step, and the seconds left of the step when the substep starts; the speed below
    which nothing bounces; whether it is the first substep."""

    h: float
    dt: float
    left: float
    threshold: float
    is_first: bool


class MeetingPoints(NamedTuple):
    """One or two points at which two bodies meet.

    Each is a point of a contact, which is a row of ``bounces``. ``speeds`` are negative where the surfaces approach,
    ``separations`` where they overlap. ``meeting`` is how fast they meet; 0 if they do not meet in this substep.
    """

    point_count: int
    contact_first: int
    point_first: int
    contact_second: int
    point_second: int
    lines: contact_impacts.Lines
    speeds: contact_impacts.Two
    separations: contact_impacts.Two
    meeting: contact_impacts.Two


class _Point(NamedTuple):
    """A point of ``MeetingPoints``, with its lines along normal and tangent."""

    contact: int
    point: int
    normal: contact_impacts.Line
    tangent: contact_impacts.Line
    speed: float
    separation: float
    meeting: float


class SeenPoints(NamedTuple):
    """The points of a contact in a substep: whether any ``meets`` in it; then ``speeds``, ``separations`` and
    ``meeting`` as in ``MeetingPoints``."""

    meets: bool
    lines: contact_impacts.Lines
    speeds: contact_impacts.Two
    separations: contact_impacts.Two
    meeting: contact_impacts.Two


@inlined_scalar
def look_at(
    bounce: Float64s,
    before: contact_impacts.Motion,
    moved: contact_impacts.Motion,
    blocks: ContactBlocks,
    time: StrikeTime,
    others_meet: bool,
) -> SeenPoints:
    """Find the points of a contact that meet in this substep, and hide points that meet in the next from the solver.
    A point that meets a little later meets together with the other, or with those of other contacts."""
    block, lane = _block_of(bounce)
    points = 2 if int(blocks.lane_kinds[block, lane]) & field.HAS_TWO_POINTS else 1
    lines = contact_impacts.lines_of(block, lane, blocks)
    speeds = contact_impacts.Two(
        contact_impacts.along(before, lines.first), contact_impacts.along(before, lines.second) if points == 2 else 0.0
    )
    meeting = contact_impacts.Two(0.0, 0.0)
    if not (speeds.first < 0.0 or speeds.second < 0.0):
        if bounce[field.BOUNCE_IS_HIDDEN] != 0.0:
            _hide(block, lane, blocks, bounce, 0.0, 0.0)
        return SeenPoints(False, lines, speeds, meeting, meeting)
    separations = contact_impacts.Two(
        bounce[field.BOUNCE_SEPARATION] + contact_impacts.along(moved, lines.first),
        bounce[field.BOUNCE_SEPARATION + 1] + contact_impacts.along(moved, lines.second),
    )
    acceleration = bounce[field.BOUNCE_ACCELERATION]
    restitution = bounce[field.BOUNCE_RESTITUTION]
    least = max(time.threshold * (1.0 if restitution > 0.0 else STRIKING), time.h * abs(acceleration))
    meets = False
    hidden = contact_impacts.Two(0.0, 0.0)
    for p in range(points):
        speed = contact_impacts.number_of(speeds, p)
        separation = contact_impacts.number_of(separations, p)
        way = time.h * (speed + time.h * min(acceleration, 0.0))
        if not speed < 0.0 or not separation + _NEXT * way < 0.0:
            continue
        fast = speed_at_meeting(speed, separation, acceleration, time.dt)
        if fast > least:
            if separation + _SOON * way < 0.0:
                meeting = contact_impacts.with_number(meeting, p, fast)
                meets = True
            else:
                hidden = contact_impacts.with_number(hidden, p, 1.0)
    for p in range(points if meets or others_meet else 0):
        speed = contact_impacts.number_of(speeds, p)
        separation = contact_impacts.number_of(separations, p)
        if (
            contact_impacts.number_of(meeting, p) == 0.0
            and speed < 0.0
            and separation + _TOGETHER * time.h * speed < 0.0
        ):
            meeting = contact_impacts.with_number(
                meeting, p, speed_at_meeting(speed, separation, acceleration, time.dt)
            )
    if hidden.first + hidden.second != bounce[field.BOUNCE_IS_HIDDEN] or hidden.first != hidden.second:
        _hide(block, lane, blocks, bounce, hidden.first, hidden.second)
    return SeenPoints(meets, lines, speeds, separations, meeting)


@scalar
def outermost(
    k: int,
    count: int,
    before: contact_impacts.Motion,
    moved: contact_impacts.Motion,
    blocks: ContactBlocks,
    bounces: Float64Rows,
    time: StrikeTime,
) -> MeetingPoints:
    """The points where two bodies meet; they have ``count`` contacts along one normal, from row k on.

    These are the two points farthest apart among all that meet: surfaces that do not pass each other there do not pass
    each other in between.
    """
    meets = False
    for i in range(k, k + count):
        seen = look_at(bounces[i], before, moved, blocks, time, False)
        meets = meets or seen.meets
    line = contact_impacts.Line(0.0, 0.0, 0.0, 0.0)
    first = _Point(k, 0, line, line, 0.0, 0.0, 0.0)
    second = first
    found = 0
    for i in range(k, k + count if meets else k):
        seen = look_at(bounces[i], before, moved, blocks, time, True)
        for p in range(2):
            one = _Point(
                i,
                p,
                seen.lines.second if p else seen.lines.first,
                seen.lines.tangent_second if p else seen.lines.tangent_first,
                contact_impacts.number_of(seen.speeds, p),
                contact_impacts.number_of(seen.separations, p),
                contact_impacts.number_of(seen.meeting, p),
            )
            if one.meeting == 0.0:
                continue
            if found == 0 or one.normal.a < first.normal.a:
                first = one
            if found == 0 or one.normal.a > second.normal.a:
                second = one
            found += 1
    lines = contact_impacts.Lines(first.normal, second.normal, first.tangent, second.tangent)
    points = min(found, 1) if first.contact == second.contact and first.point == second.point else 2
    if points < 2:
        second = _Point(second.contact, second.point, line, line, 0.0, 0.0, 0.0)
    return MeetingPoints(
        points,
        first.contact,
        first.point,
        second.contact,
        second.point,
        lines,
        contact_impacts.Two(first.speed, second.speed),
        contact_impacts.Two(first.separation, second.separation),
        contact_impacts.Two(first.meeting, second.meeting),
    )


@inlined_scalar
def speed_at_meeting(speed: float, separation: float, acceleration: float, dt: float) -> float:
    """How fast surfaces meet that approach at a ``speed`` now, by v² that grows by 2 a s; 0 if they do not. If they
    overlap, they met before: at most by the way of a step."""
    squared = speed * speed + 2.0 * -acceleration * max(separation, speed * dt)
    return math.sqrt(squared) if squared > 0.0 else 0.0


@inlined_scalar
def _hide(block: int, lane: int, blocks: ContactBlocks, bounce: Float64s, first: float, second: float) -> None:
    """Hide points of a contact from the solver, by a large separation, and show it the others."""
    bounce[field.BOUNCE_IS_HIDDEN] = first + second
    for p in range(2):
        separation = field.LARGEST if (second if p else first) > 0.0 else bounce[field.BOUNCE_SEPARATION + p]
        store(blocks.constants, block, field.SEPARATION + field.POINT_CONSTANTS * p, lane, separation)


@inlined_scalar
def _block_of(bounce: Float64s) -> tuple[int, int]:
    """The block and the lane of a contact that may bounce."""
    place = int(bounce[field.BOUNCE_PLACE])
    return index(place // LANES), place % LANES


@scalar
def list_bounces(step: SolverStep, room: SolverRoom) -> int:
    """List each contact that may bounce, in their order; returns how many.

    These are elastic surfaces, and sides that may strike flat.
    """
    around, blocks, places = step.around, room.blocks, room.places
    bouncing = 0
    head = 0
    for k in range(index(step.contact_count)):
        place = int(places.places[k]) + 0
        if place < 0:
            continue
        place = index(place)
        block = place // LANES
        lane = place % LANES
        kind = int(blocks.lane_kinds[block, lane]) + 0
        if kind & field.IS_ELASTIC == 0:
            if kind & field.HAS_TWO_POINTS == 0 or blocks.kinds[block] & field.IS_STRIKING == 0:
                continue
            first = load(blocks.constants, block, field.SEPARATION, lane)
            second = load(blocks.constants, block, field.SEPARATION + field.POINT_CONSTANTS, lane)
            if kind & field.IS_STATIC == 0 and not is_flat(block, (first, second), lane, blocks.constants):
                continue
        sides = sides_of(k, step, room)
        _, restitution, _, _ = surface_of(k, sides.a, sides.b, around.materials, around.rules, around.changes)
        accelerations = step.rows.accelerations
        nx = blocks.doubles[block, field.NORMAL_X, lane]
        ny = blocks.doubles[block, field.NORMAL_Y, lane]
        bounce = places.bounces[bouncing]
        bounce[field.BOUNCE_PLACE] = float(place)
        bounce[field.BOUNCE_RESTITUTION] = restitution
        bounce[field.BOUNCE_ACCELERATION] = (accelerations[sides.b, 0] - accelerations[sides.a, 0]) * nx + (
            accelerations[sides.b, 1] - accelerations[sides.a, 1]
        ) * ny
        for p in range(2):
            bounce[field.BOUNCE_SEPARATION + p] = load(
                blocks.constants, block, field.SEPARATION + field.POINT_CONSTANTS * p, lane
            )
        bounce[field.BOUNCE_IS_HIDDEN] = 0.0
        bounce[field.BOUNCE_GROUP] = 1.0
        if bouncing > 0 and _is_along(bounce, places.bounces[head], blocks):
            places.bounces[head, field.BOUNCE_GROUP] += 1.0
            bounce[field.BOUNCE_GROUP] = 0.0
        else:
            head = bouncing
        bouncing += 1
    return bouncing


@inlined_scalar
def _is_along(bounce: Float64s, other: Float64s, blocks: ContactBlocks) -> bool:
    """Whether two contacts have the same bodies, normal and restitution: then they strike as one.

    A flat side with several parts or segments would turn if its contacts bounced one after the other.
    """
    block, lane = _block_of(bounce)
    block_1, lane_1 = _block_of(other)
    rows = blocks.rows
    doubles = blocks.doubles
    if rows[block, field.ROW_A + lane] != rows[block_1, field.ROW_A + lane_1]:
        return False
    if rows[block, field.ROW_B + lane] != rows[block_1, field.ROW_B + lane_1]:
        return False
    across = doubles[block, field.NORMAL_X, lane] * doubles[block_1, field.NORMAL_Y, lane_1]
    across -= doubles[block, field.NORMAL_Y, lane] * doubles[block_1, field.NORMAL_X, lane_1]
    along_it = doubles[block, field.NORMAL_X, lane] * doubles[block_1, field.NORMAL_X, lane_1]
    along_it += doubles[block, field.NORMAL_Y, lane] * doubles[block_1, field.NORMAL_Y, lane_1]
    return bool(
        abs(across) < _SAME_NORMAL
        and along_it > 0.0
        and bounce[field.BOUNCE_RESTITUTION] == other[field.BOUNCE_RESTITUTION]
    )


@scalar
def strike_contacts(step: SolverStep, room: SolverRoom, count: int, substep: int) -> None:
    """Let surfaces that meet in a substep bounce before it begins, for the first ``count`` rows of ``bounces``.

    The impulses are in the totals. They are not kept for the next substep, in which nothing presses any more.
    """
    dt = step.settings.dt
    h = dt / step.settings.substeps
    time = StrikeTime(h, dt, dt - substep * h, step.around.bounce_threshold, substep == 0)
    last = count
    for turn in range(_MOST_TURNS):
        struck = -1
        for k in range(count):
            # All since the last impact have been looked at.
            if struck < 0 and turn > 0 and k > last:
                return
            if room.places.bounces[k, field.BOUNCE_GROUP] > 0.0 and _strike(k, step.rows, room, time):
                struck = k
        if struck < 0:
            return
        last = struck


@inlined_scalar
def _strike(k: int, rows: BodyRows, room: SolverRoom, time: StrikeTime) -> bool:
    """Let the surfaces of a contact, and of the contacts that bounce with it, bounce if they meet in this substep.
    Returns whether they do."""
    bodies, blocks, bounces = rows.bodies, room.blocks, room.places.bounces
    block, lane = _block_of(bounces[k])
    a = index(blocks.rows[block, field.ROW_A + lane])
    b = index(blocks.rows[block, field.ROW_B + lane])
    before = contact_impacts.Motion(
        bodies[a, VX], bodies[a, VY], bodies[a, OMEGA], bodies[b, VX], bodies[b, VY], bodies[b, OMEGA]
    )
    moved = contact_impacts.Motion(
        bodies[a, DX], bodies[a, DY], bodies[a, DTHETA], bodies[b, DX], bodies[b, DY], bodies[b, DTHETA]
    )
    count = int(bounces[k, field.BOUNCE_GROUP])
    if count == 1:
        seen = look_at(bounces[k], before, moved, blocks, time, False)
        if not seen.meets:
            return False
        points = 2 if int(blocks.lane_kinds[block, lane]) & field.HAS_TWO_POINTS else 1
        met = MeetingPoints(points, k, 0, k, 1, seen.lines, seen.speeds, seen.separations, seen.meeting)
    else:
        met = outermost(k, count, before, moved, blocks, bounces, time)
        if met.point_count == 0:
            return False
    return _collide(block, lane, met, Bodies(a, b, before, moved), rows, room, time)


class Bodies(NamedTuple):
    """Two bodies that collide: their rows, their velocities, and their movements in the step so far."""

    a: int
    b: int
    before: contact_impacts.Motion
    moved: contact_impacts.Motion


@inlined_scalar
def _collide(
    block: int, lane: int, met: MeetingPoints, two: Bodies, rows: BodyRows, room: SolverRoom, time: StrikeTime
) -> bool:
    """Let two bodies bounce where they meet, with the surfaces of the contact in a lane of a block; whether impulses
    move them."""
    blocks, bounces = room.blocks, room.places.bounces
    kind = int(blocks.lane_kinds[block, lane]) + 0
    points = met.point_count
    before = two.before
    moved = two.moved
    start = met.lines
    lines = start
    speeds = met.speeds
    separations = met.separations
    meeting = met.meeting
    acceleration = bounces[met.contact_first, field.BOUNCE_ACCELERATION]
    restitution = bounces[met.contact_first, field.BOUNCE_RESTITUTION]
    masses = masses_of(block, lane, rows, blocks, blocks.kinds[block] & field.IS_SPECIAL != 0)
    if not contact_impacts.has_answers(meeting, lines, masses):
        return False
    surface = contact_impacts.surface_in(block, lane, blocks)
    n, tangent = lines.first, lines.tangent_first
    frame = Frame(n.x, n.y, n.b - n.a, tangent.b - tangent.a, 0.0, n.a, tangent.a)
    share = float(share_of(frame, 1.0 if points == 2 else 0.0, masses.a, masses.b))
    early = acceleration * time.left
    back = 0.0
    outcome = contact_impacts.Outcome(before, contact_impacts.Two(0.0, 0.0), 0.0, 0.0)
    for turn in range(1 if kind & field.IS_STATIC else _LINE_TURNS):
        if turn > 0:
            # Where they meet and what becomes of their velocities depend on each other.
            after = outcome.after
            x = rows.centers[two.b, 0] - rows.centers[two.a, 0] + (moved.bx - moved.ax) + back * (after.bx - after.ax)
            y = rows.centers[two.b, 1] - rows.centers[two.a, 1] + (moved.by - moved.ay) + back * (after.by - after.ay)
            new_lines = contact_impacts.lines_between(start, x, y, share)
            new_speeds = contact_impacts.Two(
                contact_impacts.along(before, new_lines.first), contact_impacts.along(before, new_lines.second)
            )
            if (meeting.first > 0.0 and not new_speeds.first < 0.0) or (
                meeting.second > 0.0 and not new_speeds.second < 0.0
            ):
                break
            lines = new_lines
            speeds = new_speeds
            for p in range(points):
                if contact_impacts.number_of(meeting, p) > 0.0:
                    fast = speed_at_meeting(
                        contact_impacts.number_of(speeds, p),
                        contact_impacts.number_of(separations, p),
                        acceleration,
                        time.dt,
                    )
                    meeting = contact_impacts.with_number(meeting, p, max(fast, _LEAST_SPEED))
        # What accelerations add in the rest of the step is not to be added to the speeds at the meeting.
        leaving = contact_impacts.Two(
            max(restitution * meeting.first - early, 0.0) if meeting.first > 0.0 else 0.0,
            max(restitution * meeting.second - early, 0.0) if meeting.second > 0.0 else 0.0,
        )
        outcome = contact_impacts.collide(before, speeds, meeting, leaving, restitution, lines, masses, surface)
        # At the end of the step, the point that meets first is to touch.
        back = math.inf
        for p in range(points):
            if contact_impacts.number_of(meeting, p) == 0.0:
                continue
            speed = contact_impacts.number_of(speeds, p)
            now = contact_impacts.along(outcome.after, lines.second if p else lines.first)
            if now > speed:
                separation = contact_impacts.number_of(separations, p)
                gone = time.left * (max(now, 0.0) + 0.5 * acceleration * (time.left + time.h))
                back = min(back, (separation + max(gone, 0.0)) / (now - speed))
        back = max(back, -time.dt) if back < math.inf else 0.0
    # Each of two contacts has the friction that its normal impulse allows.
    of_second = 0.0
    if met.contact_first != met.contact_second and outcome.normal.second > 0.0:
        of_second = outcome.tangent * (outcome.normal.second / (outcome.normal.first + outcome.normal.second))
    of_first = outcome.tangent - of_second
    _note(bounces[met.contact_first], met.point_first, outcome.normal.first, of_first, meeting.first, blocks)
    _note(bounces[met.contact_second], met.point_second, outcome.normal.second, of_second, meeting.second, blocks)
    after = outcome.after
    a = two.a
    b = two.b
    _change(a, after.ax - before.ax, after.ay - before.ay, after.a - before.a, back, rows, room.bodies, time)
    _change(b, after.bx - before.bx, after.by - before.by, after.b - before.b, back, rows, room.bodies, time)
    return True


@inlined_scalar
def _note(bounce: Float64s, p: int, normal: float, tangent: float, met: float, blocks: ContactBlocks) -> None:
    """Add impulses to the totals of a contact, that along the normal to its point p, and note how fast it met."""
    block, lane = _block_of(bounce)
    totals = blocks.totals
    totals[block, field.TANGENT_TOTAL, lane] += tangent
    totals[block, field.NORMAL_TOTAL + p, lane] += normal
    totals[block, field.MEETING_SPEED, lane] = max(totals[block, field.MEETING_SPEED, lane], met)


@inlined_scalar
def _change(
    body: int, x: float, y: float, turn: float, back: float, rows: BodyRows, room: BodyRoom, time: StrikeTime
) -> None:
    """Change the velocity of a body, and take back the movement that it adds in some time."""
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
