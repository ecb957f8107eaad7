"""The impacts of bullets on their way in a step, in the order of time, and where these stop them.

The impacts of all pairs are known from the motions; the earliest comes first. A bullet that it stops rests from then
on, which changes all its other pairs: they are computed again from that time. Impacts of one moment all count.

Where a bullet is next to a surface at the beginning of the step, it lies at one that has stopped it before. It is not
held there: its motion into the surface is removed, so that it slides, and the step is computed again.
Between two such surfaces, in a corner, and where it is turning that takes it into one, it rests.

A moving collider that is no bullet takes along a bullet that it has stopped; and so does a bullet that is taken along
with those in its way. The bullet keeps its place on what turns: it is carried round with it, and the path moves it
along the normal there as far as that comes its way; on what it lay at when the step began, it also slides on. On a
curved side, or with corners of its own, it may then not be clear at the end: the missing rest is made up along the
normal. From the impact on it goes straight and evenly there, and meets others on the way as on any other motion. A
bullet that is pushed against an obstacle rests there: what pushes it then moves on through the bullet, and the bullet
does not move into the obstacle.

A bullet that ``BOUNCES`` is a body of the solver. From the impact to the end of the step it keeps its place at what it
touched: it rests there, or goes with it. It keeps its velocity; in the next step its contact makes it bounce or push. A
body that ``STOPS`` is no bullet, but was so fast that it may have passed through a wall. It does the same, and only
at solid colliders that are not dynamic.

Bodies are swept by their cores: they may go a little into solids, up to ``allowed_depth``. So no body that slides over
a floor of tiles is stopped by the next tile. A bullet is swept by its core only against colliders that were nearer
than the solver's margin when the step began, for that was a contact of this very step already.

The work is bounded. Where impacts change the motions so often that there are _MOST_SEARCHES for each pair, all bullets
that impacts can stop rest from the time that was reached: until then nothing was passed.
"""

from __future__ import annotations

import math

from numpy import float64, int32
from numpy.typing import NDArray

from ecsphys.engine.geometry.sweep_motion import (
    ANGLE,
    LINEAR_X,
    LINEAR_Y,
    MOTION_COLUMNS,
    UNTIL,
    is_moving,
    keeps_away,
    offset,
    velocity,
)
from ecsphys.engine.geometry.time_of_impact import IMPACT_SHAPE, allowed_depth, time_of_impact
from ecsphys.engine.kernels import NamedTuple, inlined_scalar, kernel, scalar, scratch
from ecsphys.engine.kernels.arrays import Float64Rows, Float64s, Int32Rows, Int32s, Uint8s
from ecsphys.engine.manifold.convex import extent
from ecsphys.engine.math.elementary import cos_sin
from ecsphys.engine.shapes.layout import ShapeArrays, turn_shape_row
from ecsphys.engine.shapes.segment import front_normal

# The response of a body to an impact: nothing, for it is not swept; nothing, for it only reports; rest; slide or rest;
# rest, or go with what it touched, while its velocity is the solver's: a bullet, or another fast body.
OBSTACLE, FLIES_ON, RESTS, SLIDES, BOUNCES, STOPS = 0, 1, 2, 3, 4, 5

# Columns of a body's row: the time from which it rests, how far it has got from its start by the end of the step,
# whether anything has changed its motion, and whether something takes it along, though it rests of its own.
REST, MOVED_X, MOVED_Y, CHANGED, IS_TAKEN = 0, 1, 2, 3, 4
BODY_COLUMNS = 5

# A pair that has touched; and a pair in which one takes the other along.
_TOUCHED, _TAKES = 1, 2

# Columns of an impact's row: time in the step, approach per step, normal from first to second, point in the world, the
# time from which it was searched, with the gap there was then, and how deep the shapes may overlap.
TIME, APPROACH, NORMAL_X, NORMAL_Y, X, Y, FROM, GAP, ALLOWED = range(9)
IMPACT_COLUMNS = 9

# Parts of a bullet's size: the largest gap at which it has arrived, and up to which a hit goes on.
ARRIVED, KEPT = 2.5e-7, 1e-6

# Of the gap of arrival: what slides nearer than the first is lifted to the second. At a smaller gap it would meet the
# sides of flush tiles.
_TOO_NEAR, _LIFTED = 0.5, 0.75

# At the end of a step, a body that was taken along is clear of what takes it: of the gap of arrival, or of the overlap
# that is allowed.
_CLEAR_OVERLAP = 1.01

# Times that differ by no more are one moment.
_MOMENT = 1e-12
# So much before a moment, no impact of this moment has happened.
_BEFORE = 4.0 * _MOMENT

# New searches for impacts in a step: as many for each pair, and as many in any case. In a crowd it takes two for each.
_MOST_SEARCHES, _SEARCHES_AT_LEAST = 16, 4096

_new_hulls = scratch(IMPACT_SHAPE)

# If the normal at the end equals the push's, one will do.
_MOST_CORRECTIONS = 8


@scalar
def carried_by(
    motion: NDArray[float64], position_x: float, position_y: float, x: float, y: float, t: float
) -> tuple[float, float, float]:
    """(x, y, angle): how far a motion takes the world's point (x, y), fixed to it at t, and how it turns, until 1."""
    if not is_moving(motion, t):
        return 0.0, 0.0, 0.0
    then_x, then_y = offset(motion, t)
    end_x, end_y = offset(motion, 1.0)
    turn = motion[ANGLE] * (min(1.0, motion[UNTIL]) - t)
    dx = end_x - then_x
    dy = end_y - then_y
    if turn != 0.0:
        c, s = cos_sin(turn)
        arm_x = x - (position_x + then_x)
        arm_y = y - (position_y + then_y)
        dx += (c * arm_x - s * arm_y) - arm_x
        dy += (s * arm_x + c * arm_y) - arm_y
    return dx, dy, turn


@scalar
def go_straight(
    first: int,
    end: int,
    motions: NDArray[float64],
    positions: NDArray[float64],
    shapes: NDArray[float64],
    t: float,
    dx: float,
    dy: float,
) -> None:
    """Let shapes first … end − 1 of one body go on from t by (dx, dy) until 1, without turning.

    Their positions become those from which they would have come at 0, going so all the time.
    """
    for i in range(first, end):
        motion = motions[i]
        x, y = offset(motion, t)
        turn_shape_row(shapes, i, motion[ANGLE] * min(t, motion[UNTIL]))
        for column in range(MOTION_COLUMNS):
            motion[column] = 0.0
        motion[UNTIL] = 1.0
        motion[LINEAR_X] = dx / (1.0 - t)
        motion[LINEAR_Y] = dy / (1.0 - t)
        positions[i, 0] += x - motion[LINEAR_X] * t
        positions[i, 1] += y - motion[LINEAR_Y] * t


class Push(NamedTuple):
    """How a body is taken along: the unit normal from it to what pushes, whether something else takes it along already
    (``goes_on``), whether it goes on along the tangent (``slides``), and whether it keeps its place at what it touched,
    even if that flees (``follows``). At the end the gap must be at ``least`` so large, and at ``most`` if it follows;
    else it is made up to the one ``wanted``. Negative gaps are overlaps."""

    normal_x: float
    normal_y: float
    goes_on: bool
    slides: bool
    follows: bool
    least: float
    wanted: float
    most: float


@scalar
def push_bullet(
    self: int,
    other: int,
    first: int,
    end: int,
    placed: ShapeArrays,
    motions: NDArray[float64],
    t: float,
    push: Push,
    hulls: NDArray[float64],
) -> None:
    """Let the body of shape ``self``, shapes first … end − 1, be taken along by shape ``other`` from t < 1 on.

    The normal of the ``push`` is theirs at t, from ``self`` to ``other``.
    """
    positions, shapes = placed.positions, placed.shapes
    nx, ny, goes_on, slides, follows, least, wanted, most = push
    then_x, then_y = offset(motions[self], t)
    end_x, end_y = offset(motions[self], 1.0)
    own_x = end_x - then_x
    own_y = end_y - then_y
    at_x = positions[self, 0] + then_x
    at_y = positions[self, 1] + then_y
    carried_x, carried_y, turn = carried_by(motions[other], positions[other, 0], positions[other, 1], at_x, at_y, t)
    c, s = cos_sin(turn)
    out_x = -(c * nx - s * ny)
    out_y = -(s * nx + c * ny)
    if goes_on:
        missing = max((carried_x - own_x) * out_x + (carried_y - own_y) * out_y, 0.0)
        dx = own_x + missing * out_x
        dy = own_y + missing * out_y
    elif follows:
        dx = carried_x
        dy = carried_y
    else:
        # Round with it, and of its path the part that comes this way.
        then_x, then_y = offset(motions[other], t)
        end_x, end_y = offset(motions[other], 1.0)
        along = max((end_x - then_x) * out_x + (end_y - then_y) * out_y, 0.0)
        dx = carried_x - (end_x - then_x) + along * out_x
        dy = carried_y - (end_y - then_y) + along * out_y
        if slides:
            aside = own_y * out_x - own_x * out_y
            dx -= aside * out_y
            dy += aside * out_x
    go_straight(first, end, motions, positions, shapes, t, dx, dy)
    missing = math.inf
    last = 0.0
    for _ in range(_MOST_CORRECTIONS):
        target = abs(wanted)
        _, gap, _, _, _, _ = time_of_impact(self, other, placed, motions, target, target, 1.0, hulls, 0.0)
        # What another takes along need not stay at this one, too.
        if gap >= least and (gap <= most or not follows or goes_on):
            break
        if abs(wanted - gap) >= missing:
            # Past an end or corner the way along the normal leads away.
            go_straight(first, end, motions, positions, shapes, t, dx - last * out_x, dy - last * out_y)
            break
        last = wanted - gap
        missing = abs(last)
        dx += last * out_x
        dy += last * out_y
        go_straight(first, end, motions, positions, shapes, t, dx, dy)


class SweptPairs(NamedTuple):
    """Pairs (m, 2) of n placed shapes of b bodies: ``body`` (n,) is the number of each shape's body, ``first_shape``
    (b + 1,) where the shapes of each begin, ``response`` (b,) what it does at an impact, ``sizes`` (n,) the bullets'
    sizes, infinite for all others, ``cores`` (n,) how deep each body of the solver may get into what it touches.
    ``passes`` (m,) has bit 1 where the first of a pair does not stop at the second, bit 2 where the second does not at
    the first. ``margin``: the solver's, in which it knows the neighbours of a bullet."""

    pairs: Int32Rows
    body: Int32s
    first_shape: Int32s
    response: Uint8s
    sizes: Float64s
    cores: Float64s
    passes: Uint8s
    margin: float


class BulletVelocities(NamedTuple):
    """The ``rows`` (n,) of the shapes' entities in the ``block`` of Velocity, −1: none."""

    rows: Int32s
    block: Float64Rows


class SweepRoom(NamedTuple):
    """Scratch: ``heads`` (b,), ``links`` (2m,), ``queue`` (m,), ``places`` (m,), ``pending`` (m, 9)."""

    heads: Int32s
    links: Int32s
    queue: Int32s
    places: Int32s
    pending: Float64Rows


class SweepOutcome(NamedTuple):
    """``touched`` (m,), not 0 for pairs that touched on the way, with their first ``impacts`` (m, 9); and ``bodies``
    (b, 5), whose time of rest is infinite for bodies that nothing has stopped."""

    touched: Uint8s
    impacts: Float64Rows
    bodies: Float64Rows


@scalar
def contact_velocity(
    motion: NDArray[float64], position_x: float, position_y: float, x: float, y: float, t: float
) -> tuple[float, float]:
    """Velocity per step, turning included, at time t, of the carried material at the world's point (x, y)."""
    vx, vy = velocity(motion, t)
    if not is_moving(motion, t):
        return vx, vy
    moved_x, moved_y = offset(motion, t)
    turn = motion[ANGLE]
    return vx - turn * (y - (position_y + moved_y)), vy + turn * (x - (position_x + moved_x))


@scalar
def _is_behind(i: int, nx: float, ny: float, placed: ShapeArrays) -> bool:
    """Whether a normal points away from the back of placed shape i, a segment of a chain that blocks from its front."""
    front_x, front_y = front_normal(int(placed.forms[i]) + 0, placed.shapes, i, placed.pool)
    return bool(nx * front_x + ny * front_y < 0.0)


@inlined_scalar
def find_impact(
    k: int,
    swept: SweptPairs,
    shapes: ShapeArrays,
    motions: Float64Rows,
    from_time: float,
    pending: Float64Rows,
    hulls: NDArray[float64],
) -> None:
    """Write the first impact of pair k from a time on, infinitely late if there is no impact.

    What meets a one-sided chain from behind passes it.
    """
    # + 0 makes them 64-bit integers; with 32 bits, numba would compile other variants of all that follows.
    a = int(swept.pairs[k, 0]) + 0
    b = int(swept.pairs[k, 1]) + 0
    size = min(swept.sizes[a], swept.sizes[b])
    time = gap = math.inf
    nx = ny = x = y = 0.0
    # Of the bodies of the solver that stop here; is there a bullet among them?
    more = math.inf
    has_bullet = False
    for side in range(2):
        response = swept.response[swept.body[swept.pairs[k, side]]]
        if response >= BOUNCES and swept.passes[k] & (1 << side) == 0:
            more = min(more, swept.cores[swept.pairs[k, side]])
            has_bullet |= response == BOUNCES
    if more == math.inf:
        more = 0.0
    apart_x = shapes.positions[b, 0] - shapes.positions[a, 0]
    apart_y = shapes.positions[b, 1] - shapes.positions[a, 1]
    reach = extent(shapes.shapes, a) + extent(shapes.shapes, b) + KEPT * size
    if not keeps_away(motions[a], motions[b], apart_x, apart_y, from_time, reach):
        used = 0.0 if has_bullet else more
        while True:
            time, gap, nx, ny, x, y = time_of_impact(
                a,
                b,
                shapes,
                motions,
                ARRIVED * size,
                KEPT * size,
                from_time,
                hulls,
                used,
            )
            if not has_bullet or used == more or gap > swept.margin:
                break
            used = more
        more = used
    if time < math.inf and (_is_behind(a, nx, ny, shapes) or _is_behind(b, -nx, -ny, shapes)):
        time = math.inf
    pending[k, TIME] = time
    pending[k, NORMAL_X] = nx
    pending[k, NORMAL_Y] = ny
    pending[k, X] = x
    pending[k, Y] = y
    pending[k, FROM] = from_time
    pending[k, GAP] = gap
    pending[k, ALLOWED] = allowed_depth(more, max(-gap, 0.0)) if more > 0.0 else 0.0


@scalar
def slow_down(velocity_block: NDArray[float64], row: int, nx: float, ny: float, limit: float) -> None:
    """Take off a velocity what of it goes along the unit vector n faster than the limit."""
    if row >= 0:
        too_fast = velocity_block[0, row] * nx + velocity_block[1, row] * ny - limit
        if too_fast > 0.0:
            velocity_block[0, row] -= too_fast * nx
            velocity_block[1, row] -= too_fast * ny


@kernel
def sweep_bullets(
    swept: SweptPairs,
    shapes: ShapeArrays,
    motions: Float64Rows,
    velocities: BulletVelocities,
    dt: float,
    room: SweepRoom,
    outcome: SweepOutcome,
) -> None:
    """Let time run through a step of ``dt`` seconds for pairs of placed shapes.

    ``shapes`` are as they were at the start of the step, changed where a bullet is lifted off what it slides on or is
    taken along; ``motions`` (n, 9) are changed in place. A change of a bullet's velocity is taken
    off the block of Velocity.
    """
    pairs, body, first_shape, response, sizes, _, passes, _ = swept
    positions = shapes.positions
    heads, links, queue, places, pending = room
    touched, impacts, bodies = outcome
    hulls = _new_hulls()
    heads[:] = -1
    bodies[:] = 0.0
    bodies[:, REST] = math.inf
    count = 0
    for k in range(pairs.shape[0]):
        touched[k] = 0
        for side in range(2):
            owner = body[pairs[k, side]]
            links[2 * k + side] = heads[owner]
            heads[owner] = 2 * k + side
        find_impact(k, swept, shapes, motions, 0.0, pending, hulls)
        places[k] = -1
        if pending[k, TIME] < math.inf:
            count = put(k, count, queue, places, pending)

    searches = max(_MOST_SEARCHES * pairs.shape[0], _SEARCHES_AT_LEAST)
    given_up = math.inf
    while count > 0:
        k = take_first(count, queue, places, pending)
        count -= 1
        t = pending[k, TIME]
        if t == math.inf:
            break
        if searches <= 0 and given_up == math.inf:
            given_up = t
            for owner in range(bodies.shape[0]):
                if response[owner] >= RESTS:
                    for i in range(first_shape[owner], first_shape[owner + 1]):
                        motions[i, UNTIL] = min(motions[i, UNTIL], t)
                    bodies[owner, REST] = min(bodies[owner, REST], t)
                    bodies[owner, IS_TAKEN] = 0.0
                    bodies[owner, CHANGED] = 1.0
        stops = passes[k] != 3 and (response[body[pairs[k, 0]]] >= RESTS or response[body[pairs[k, 1]]] >= RESTS)
        if stops and t > given_up + _MOMENT:
            continue
        a = pairs[k, 0]
        b = pairs[k, 1]
        nx = pending[k, NORMAL_X]
        ny = pending[k, NORMAL_Y]
        x = pending[k, X]
        y = pending[k, Y]
        avx, avy = contact_velocity(motions[a], positions[a, 0], positions[a, 1], x, y, t)
        bvx, bvy = contact_velocity(motions[b], positions[b, 0], positions[b, 1], x, y, t)
        along_a = avx * nx + avy * ny
        along_b = bvx * nx + bvy * ny
        again = touched[k] != 0
        takes = touched[k] == _TAKES
        if not again:
            touched[k] = _TOUCHED
            for column in range(IMPACT_COLUMNS):
                impacts[k, column] = pending[k, column]
            # Just before the touch: a collider that has touched another at this very moment rests by now.
            avx, avy = contact_velocity(motions[a], positions[a, 0], positions[a, 1], x, y, t - _BEFORE)
            bvx, bvy = contact_velocity(motions[b], positions[b, 0], positions[b, 1], x, y, t - _BEFORE)
            impacts[k, APPROACH] = (avx - bvx) * nx + (avy - bvy) * ny
        if given_up < math.inf:
            continue
        way_ax, way_ay = offset(motions[a], 1.0)
        way_bx, way_by = offset(motions[b], 1.0)
        way_a = way_ax * nx + way_ay * ny
        way_b = way_bx * nx + way_by * ny
        a_is_taken = bodies[body[a], IS_TAKEN] == 1.0
        b_is_taken = bodies[body[b], IS_TAKEN] == 1.0
        for side in range(2):
            # All as seen from this side: its normal points into the other.
            self = a if side == 0 else b
            other = b if side == 0 else a
            sign = 1.0 if side == 0 else -1.0
            owner = body[self]
            if response[owner] < RESTS or passes[k] & (1 << side) != 0:
                continue
            is_solved = response[owner] >= BOUNCES
            is_taken = a_is_taken if side == 0 else b_is_taken
            by_taken = b_is_taken if side == 0 else a_is_taken
            # A bullet that is taken along does not stop at another in its way, but takes it along too.
            if is_taken and not by_taken and not again and not is_solved and response[body[other]] >= RESTS:
                continue
            # A fast body does not stop at a bullet.
            by_obstacle = response[body[other]] in (OBSTACLE, STOPS)
            if dt > 0.0 and not is_solved:
                others = sign * (along_b if side == 0 else along_a)
                slow_down(velocities.block, velocities.rows[self], sign * nx, sign * ny, max(others, 0.0) / dt)
            bodies[owner, CHANGED] = 1.0
            was_resting = bodies[owner, REST] <= t and not is_taken
            arrival = ARRIVED * min(sizes[a], sizes[b])
            lift = 0.0
            from_time = t
            comes = False
            turns = False
            if ((by_obstacle and not takes) or (by_taken and not again and not is_solved)) and t < 1.0:
                dx, dy, turn = carried_by(motions[other], positions[other, 0], positions[other, 1], x, y, t)
                turns = turn != 0.0
                comes = sign * (dx * nx + dy * ny) < 0.0
                if is_solved:
                    comes = (dx != 0.0) | (dy != 0.0) | turns
            lay_there = pending[k, FROM] == 0.0 and pending[k, GAP] <= KEPT / ARRIVED * arrival
            slides = lay_there and response[owner] == SLIDES and not again and not was_resting
            if comes and (turns or by_taken or is_taken or not slides):
                allowed = pending[k, ALLOWED]
                least = -_CLEAR_OVERLAP * allowed if allowed > 0.0 else _TOO_NEAR * arrival
                wanted = -allowed if allowed > 0.0 else _LIFTED * arrival
                push_bullet(
                    self,
                    other,
                    first_shape[owner],
                    first_shape[owner + 1],
                    shapes,
                    motions,
                    t,
                    Push(sign * nx, sign * ny, is_taken, slides, is_solved, least, wanted, arrival),
                    hulls,
                )
                touched[k] = _TAKES
                bodies[owner, IS_TAKEN] = 1.0
                bodies[owner, REST] = min(bodies[owner, REST], t)
            elif slides and not is_taken:
                own = sign * (way_a if side == 0 else way_b)
                limit = sign * (way_b if side == 0 else way_a)
                excess = max(own - (limit if by_obstacle else max(limit, 0.0)), 0.0)
                if pending[k, GAP] < _TOO_NEAR * arrival:
                    lift = _LIFTED * arrival - pending[k, GAP]
                from_time = 0.0
                for i in range(first_shape[owner], first_shape[owner + 1]):
                    motions[i, LINEAR_X] -= excess * sign * nx
                    motions[i, LINEAR_Y] -= excess * sign * ny
                    positions[i, 0] -= lift * sign * nx
                    positions[i, 1] -= lift * sign * ny
                if comes:
                    bodies[owner, IS_TAKEN] = 1.0
            elif was_resting:
                continue
            else:
                bodies[owner, REST] = min(bodies[owner, REST], t)
                bodies[owner, IS_TAKEN] = 0.0
                for i in range(first_shape[owner], first_shape[owner + 1]):
                    motions[i, UNTIL] = t
            rests = bodies[owner, REST] <= t and bodies[owner, IS_TAKEN] == 0.0
            goes = bodies[owner, IS_TAKEN] == 1.0
            link = heads[owner]
            while link >= 0:
                j = link >> 1
                towards = 1.0 if link & 1 == 0 else -1.0
                link = links[link]
                # What touches at this moment does so whatever becomes of the body.
                is_done = places[j] >= 0 and pending[j, TIME] <= t + _MOMENT
                if touched[j]:
                    # A resting bullet is done with the colliders that it has touched, unless they still move
                    # themselves.
                    fellow = body[pairs[j, 1]] if towards > 0.0 else body[pairs[j, 0]]
                    goes_on = response[fellow] >= RESTS and (
                        bodies[fellow, REST] > t or bodies[fellow, IS_TAKEN] == 1.0
                    )
                    is_done = (rests and not goes_on) or (goes and touched[j] == _TAKES)
                if is_done:
                    pending[j, GAP] += sign * lift * towards * (nx * pending[j, NORMAL_X] + ny * pending[j, NORMAL_Y])
                    continue
                find_impact(j, swept, shapes, motions, from_time, pending, hulls)
                searches -= 1
                if pending[j, TIME] < math.inf or places[j] >= 0:
                    count = put(j, count, queue, places, pending)

    for owner in range(bodies.shape[0]):
        x, y = offset(motions[first_shape[owner]], 1.0)
        bodies[owner, MOVED_X] += x
        bodies[owner, MOVED_Y] += y


@scalar
def _comes_before(k: int, other: int, impacts: NDArray[float64]) -> bool:
    return impacts[k, TIME] < impacts[other, TIME] or (impacts[k, TIME] == impacts[other, TIME] and k < other)


@scalar
def settle(place: int, count: int, heap: NDArray[int32], places: NDArray[int32], impacts: NDArray[float64]) -> None:
    """Bring the pair at a place of the queue, the only one whose time has changed, to where it belongs."""
    k = heap[place]
    while place > 0 and _comes_before(k, heap[(place - 1) // 2], impacts):
        heap[place] = heap[(place - 1) // 2]
        places[heap[place]] = place
        place = (place - 1) // 2
    child = 2 * place + 1
    while child < count:
        if child + 1 < count and _comes_before(heap[child + 1], heap[child], impacts):
            child += 1
        if not _comes_before(heap[child], k, impacts):
            break
        heap[place] = heap[child]
        places[heap[place]] = place
        place = child
        child = 2 * place + 1
    heap[place] = k
    places[k] = place


@scalar
def put(k: int, count: int, heap: NDArray[int32], places: NDArray[int32], impacts: NDArray[float64]) -> int:
    """Put pair k, whose time is new, in its place among the ``count`` in the queue; returns how many there are then."""
    if places[k] >= 0:
        settle(int(places[k]) + 0, count, heap, places, impacts)
        return count
    heap[count] = k
    settle(count, count + 1, heap, places, impacts)
    return count + 1


@scalar
def take_first(count: int, heap: NDArray[int32], places: NDArray[int32], impacts: NDArray[float64]) -> int:
    """Take the earliest pair out of the ``count`` > 0 in the queue."""
    first = int(heap[0]) + 0
    places[first] = -1
    if count > 1:
        heap[0] = heap[count - 1]
        settle(0, count - 1, heap, places, impacts)
    return first
