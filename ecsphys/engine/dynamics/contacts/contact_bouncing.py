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
from ecsphys.engine.dynamics.contacts.contact_filling import sides_of
from ecsphys.engine.dynamics.contacts.contact_impacts import Line, Motion, Point, along
from ecsphys.engine.dynamics.contacts.contact_preparing import STRIKING, Frame, is_flat, share_of
from ecsphys.engine.dynamics.contacts.contact_solving import masses_of
from ecsphys.engine.dynamics.contacts.materials import surface_of
from ecsphys.engine.kernels import Float64Rows, Float64s, NamedTuple, index, inlined_scalar, scalar
from ecsphys.engine.math.lanes import LANES, load, store

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


class Meeting(NamedTuple):
    """One or two points at which two bodies may meet; whether they ``meets`` there in this substep."""

    meets: bool
    has_two_points: bool
    first: Point
    second: Point


@inlined_scalar
def _point_at(
    k: int, p: int, bounces: Float64Rows, before: Motion, moved: Motion, blocks: field.ContactBlocks, is_there: bool
) -> Point:
    """Point p of a contact, row k of ``bounces``, which does not meet yet."""
    block, lane = _block_of(bounces[k])
    normal, tangent = contact_impacts.lines_of(p, block, lane, blocks)
    speed = along(before, normal) if is_there else 0.0
    return Point(k, p, normal, tangent, speed, bounces[k, field.BOUNCE_SEPARATION + p] + along(moved, normal), 0.0)


@inlined_scalar
def _meeting_at(point: Point, speed: float) -> Point:
    """The point, where surfaces meet at a speed."""
    return Point(point.contact, point.number, point.normal, point.tangent, point.speed, point.separation, speed)


@inlined_scalar
def _look_at_point(point: Point, bounce: Float64s, time: StrikeTime) -> tuple[Point, float]:
    """The point, with its speed if it meets in this substep; and 1 if it meets in the next, else 0."""
    acceleration = bounce[field.BOUNCE_ACCELERATION]
    least = time.threshold * (1.0 if bounce[field.BOUNCE_RESTITUTION] > 0.0 else STRIKING)
    way = time.h * (point.speed + time.h * min(acceleration, 0.0))
    if point.speed < 0.0 and point.separation + _NEXT * way < 0.0:
        fast = speed_at_meeting(point.speed, point.separation, acceleration, time.dt)
        if fast > max(least, time.h * abs(acceleration)):
            if point.separation + _SOON * way < 0.0:
                return _meeting_at(point, fast), 0.0
            return point, 1.0
    return point, 0.0


@inlined_scalar
def _taken_along(point: Point, bounce: Float64s, time: StrikeTime) -> Point:
    """The point, with its speed if it meets a little later."""
    if point.meeting == 0.0 and point.speed < 0.0 and point.separation + _TOGETHER * time.h * point.speed < 0.0:
        acceleration = bounce[field.BOUNCE_ACCELERATION]
        return _meeting_at(point, speed_at_meeting(point.speed, point.separation, acceleration, time.dt))
    return point


@inlined_scalar
def look_at(
    k: int,
    before: Motion,
    moved: Motion,
    blocks: field.ContactBlocks,
    bounces: Float64Rows,
    time: StrikeTime,
    others_meet: bool,
) -> Meeting:
    """Find the points of a contact, row k of ``bounces``, that meet in this substep, and hide points that meet in the
    next from the solver. A point that meets a little later meets together with the other, or with those of other
    contacts."""
    bounce = bounces[k]
    block, lane = _block_of(bounce)
    has_two = int(blocks.lane_kinds[block, lane]) & field.HAS_TWO_POINTS != 0
    first = _point_at(k, 0, bounces, before, moved, blocks, True)
    second = _point_at(k, 1, bounces, before, moved, blocks, has_two)
    if not (first.speed < 0.0 or second.speed < 0.0):
        if bounce[field.BOUNCE_IS_HIDDEN] != 0.0:
            _hide(block, lane, blocks, bounce, 0.0, 0.0)
        return Meeting(False, has_two, first, second)
    first, hides_first = _look_at_point(first, bounce, time)
    second, hides_second = _look_at_point(second, bounce, time)
    meets = first.meeting > 0.0 or second.meeting > 0.0
    if meets or others_meet:
        first = _taken_along(first, bounce, time)
        second = _taken_along(second, bounce, time)
    if hides_first + hides_second != bounce[field.BOUNCE_IS_HIDDEN] or hides_first != hides_second:
        _hide(block, lane, blocks, bounce, hides_first, hides_second)
    return Meeting(meets, has_two, first, second)


@scalar
def outermost(
    k: int,
    count: int,
    before: Motion,
    moved: Motion,
    blocks: field.ContactBlocks,
    bounces: Float64Rows,
    time: StrikeTime,
) -> Meeting:
    """The points where two bodies meet; they have ``count`` contacts along one normal, from row k on.

    These are the two points farthest apart among all that meet: surfaces that do not pass each other there do not pass
    each other in between.
    """
    meets = False
    for i in range(k, k + count):
        seen = look_at(i, before, moved, blocks, bounces, time, False)
        meets = meets or seen.meets
    line = Line(0.0, 0.0, 0.0, 0.0)
    first = Point(k, 0, line, line, 0.0, 0.0, 0.0)
    second = first
    found = 0
    for i in range(k, k + count if meets else k):
        seen = look_at(i, before, moved, blocks, bounces, time, True)
        for p in range(2):
            one = seen.second if p else seen.first
            if one.meeting == 0.0:
                continue
            if found == 0 or one.normal.a < first.normal.a:
                first = one
            if found == 0 or one.normal.a > second.normal.a:
                second = one
            found += 1
    has_two = first.contact != second.contact or first.number != second.number
    if not has_two:
        second = Point(second.contact, second.number, line, line, 0.0, 0.0, 0.0)
    return Meeting(found > 0, has_two, first, second)


@inlined_scalar
def speed_at_meeting(speed: float, separation: float, acceleration: float, dt: float) -> float:
    """How fast surfaces meet that approach at a ``speed`` now, by v² that grows by 2 a s; 0 if they do not. If they
    overlap, they met before: at most by the way of a step."""
    squared = speed * speed + 2.0 * -acceleration * max(separation, speed * dt)
    return math.sqrt(squared) if squared > 0.0 else 0.0


@inlined_scalar
def _hide(block: int, lane: int, blocks: field.ContactBlocks, bounce: Float64s, first: float, second: float) -> None:
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
def list_bounces(step: field.SolverStep, room: field.SolverRoom) -> int:
    """List each contact that may bounce, in their order; returns how many.

    These are elastic surfaces, and sides that may strike flat.
    """
    blocks, places = room.blocks, room.places
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
        _, restitution, _, _ = surface_of(k, sides.a, sides.b, step.materials, step.rules, step.changes)
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
def _is_along(bounce: Float64s, other: Float64s, blocks: field.ContactBlocks) -> bool:
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
def strike_contacts(step: field.SolverStep, room: field.SolverRoom, count: int, substep: int) -> None:
    """Let surfaces that meet in a substep bounce before it begins, for the first ``count`` rows of ``bounces``.

    The impulses are in the totals. They are not kept for the next substep, in which nothing presses any more.
    """
    dt = step.settings.dt
    h = dt / step.settings.substeps
    time = StrikeTime(h, dt, dt - substep * h, step.bounce_threshold, substep == 0)
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
def _strike(k: int, rows: BodyRows, room: field.SolverRoom, time: StrikeTime) -> bool:
    """Let the surfaces of a contact, and of the contacts that bounce with it, bounce if they meet in this substep.
    Returns whether they do."""
    bodies, blocks, bounces = rows.bodies, room.blocks, room.places.bounces
    block, lane = _block_of(bounces[k])
    a = index(blocks.rows[block, field.ROW_A + lane])
    b = index(blocks.rows[block, field.ROW_B + lane])
    before = Motion(bodies[a, VX], bodies[a, VY], bodies[a, OMEGA], bodies[b, VX], bodies[b, VY], bodies[b, OMEGA])
    moved = Motion(bodies[a, DX], bodies[a, DY], bodies[a, DTHETA], bodies[b, DX], bodies[b, DY], bodies[b, DTHETA])
    count = int(bounces[k, field.BOUNCE_GROUP])
    if count == 1:
        met = look_at(k, before, moved, blocks, bounces, time, False)
    else:
        met = outermost(k, count, before, moved, blocks, bounces, time)
    return met.meets and _collide(block, lane, met, Bodies(a, b, before, moved), rows, room, time)


class Bodies(NamedTuple):
    """Two bodies that collide: their rows, their velocities, and their movements in the step so far."""

    a: int
    b: int
    before: Motion
    moved: Motion


@inlined_scalar
def _seen_from(
    x: float, y: float, point: Point, first: Point, before: Motion, share: float, acceleration: float, dt: float
) -> Point:
    """A point when the centre of b is at (x, y) as seen from a's centre; see ``lines_between``."""
    normal, tangent = contact_impacts.lines_between(point, first, x, y, share)
    speed = along(before, normal)
    meeting = 0.0
    if point.meeting > 0.0:
        meeting = max(speed_at_meeting(speed, point.separation, acceleration, dt), _LEAST_SPEED)
    return Point(point.contact, point.number, normal, tangent, speed, point.separation, meeting)


@inlined_scalar
def _earlier(back: float, point: Point, after: Motion, acceleration: float, time: StrikeTime) -> float:
    """At the end of the step, the point that meets first is to touch: how long movements go ``back`` for that."""
    now = along(after, point.normal)
    if point.meeting == 0.0 or not now > point.speed:
        return back
    gone = time.left * (max(now, 0.0) + 0.5 * acceleration * (time.left + time.h))
    return min(back, (point.separation + max(gone, 0.0)) / (now - point.speed))


@inlined_scalar
def _collide(
    block: int, lane: int, met: Meeting, two: Bodies, rows: BodyRows, room: field.SolverRoom, time: StrikeTime
) -> bool:
    """Let two bodies bounce where they meet, with the surfaces of the contact in a lane of a block; whether impulses
    move them."""
    blocks, bounces = room.blocks, room.places.bounces
    kind = int(blocks.lane_kinds[block, lane]) + 0
    before = two.before
    moved = two.moved
    first = met.first
    second = met.second
    acceleration = bounces[first.contact, field.BOUNCE_ACCELERATION]
    restitution = bounces[first.contact, field.BOUNCE_RESTITUTION]
    masses = masses_of(block, lane, rows, blocks, blocks.kinds[block] & field.IS_SPECIAL != 0)
    if not (contact_impacts.has_answer(first, masses) and contact_impacts.has_answer(second, masses)):
        return False
    surface = contact_impacts.surface_in(block, lane, blocks)
    n, tangent = first.normal, first.tangent
    frame = Frame(n.x, n.y, n.b - n.a, tangent.b - tangent.a, 0.0, n.a, tangent.a)
    share = float(share_of(frame, 1.0 if met.has_two_points else 0.0, masses.a, masses.b))
    early = acceleration * time.left
    back = 0.0
    outcome = contact_impacts.Outcome(before, contact_impacts.Two(0.0, 0.0), 0.0, 0.0)
    for turn in range(1 if kind & field.IS_STATIC else _LINE_TURNS):
        if turn > 0:
            # Where they meet and what becomes of their velocities depend on each other.
            after = outcome.after
            x = rows.centers[two.b, 0] - rows.centers[two.a, 0] + (moved.bx - moved.ax) + back * (after.bx - after.ax)
            y = rows.centers[two.b, 1] - rows.centers[two.a, 1] + (moved.by - moved.ay) + back * (after.by - after.ay)
            new_first = _seen_from(x, y, met.first, met.first, before, share, acceleration, time.dt)
            new_second = _seen_from(x, y, met.second, met.first, before, share, acceleration, time.dt)
            if (new_first.meeting > 0.0 and not new_first.speed < 0.0) or (
                new_second.meeting > 0.0 and not new_second.speed < 0.0
            ):
                break
            first = new_first
            second = new_second
        # What accelerations add in the rest of the step is not to be added to the speeds at the meeting.
        leaving = contact_impacts.Two(
            max(restitution * first.meeting - early, 0.0) if first.meeting > 0.0 else 0.0,
            max(restitution * second.meeting - early, 0.0) if second.meeting > 0.0 else 0.0,
        )
        outcome = contact_impacts.collide(before, first, second, leaving, restitution, masses, surface)
        back = _earlier(math.inf, first, outcome.after, acceleration, time)
        back = _earlier(back, second, outcome.after, acceleration, time)
        back = max(back, -time.dt) if back < math.inf else 0.0
    # Each of two contacts has the friction that its normal impulse allows.
    of_second = 0.0
    if first.contact != second.contact and outcome.normal.second > 0.0:
        of_second = outcome.tangent * (outcome.normal.second / (outcome.normal.first + outcome.normal.second))
    _note(first, bounces, outcome.normal.first, outcome.tangent - of_second, blocks)
    _note(second, bounces, outcome.normal.second, of_second, blocks)
    after = outcome.after
    a = two.a
    b = two.b
    _change(a, after.ax - before.ax, after.ay - before.ay, after.a - before.a, back, rows, room.bodies, time)
    _change(b, after.bx - before.bx, after.by - before.by, after.b - before.b, back, rows, room.bodies, time)
    return True


@inlined_scalar
def _note(point: Point, bounces: Float64Rows, normal: float, tangent: float, blocks: field.ContactBlocks) -> None:
    """Add impulses to the totals of a point's contact, and note how fast it met."""
    block, lane = _block_of(bounces[point.contact])
    totals = blocks.totals
    totals[block, field.TANGENT_TOTAL, lane] += tangent
    totals[block, field.NORMAL_TOTAL + point.number, lane] += normal
    totals[block, field.MEETING_SPEED, lane] = max(totals[block, field.MEETING_SPEED, lane], point.meeting)


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
