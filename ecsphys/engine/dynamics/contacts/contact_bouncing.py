"""Bounces: which contacts may, from velocities before the step, and in its end those that do."""

from __future__ import annotations

import math
from typing import NamedTuple

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.contact.manifold import NO_FEATURE
from ecsphys.engine.dynamics.bodies import DX, INVERSE_INERTIA, OMEGA, VX, VY, BodyRoom, BodyRows
from ecsphys.engine.dynamics.contacts.contact_blocks import (
    ARM_NORMAL,
    ARM_TANGENT,
    BOUNCE_ACCELERATION,
    BOUNCE_PART,
    BOUNCE_PLACE,
    BOUNCE_RESTITUTION,
    BOUNCE_RUB,
    BOUNCE_SHARE,
    BOUNCE_SPEED,
    BOUNCE_X,
    BOUNCE_Y,
    IS_ELASTIC,
    IS_SPECIAL,
    IS_STATIC,
    NORMAL_TOTAL,
    NORMAL_X,
    NORMAL_Y,
    OFFSET_NORMAL,
    OFFSET_TANGENT,
    POINT_CONSTANTS,
    ROW_A,
    ROW_B,
    SEPARATION,
    TANGENT_SPEED,
    TANGENT_TOTAL,
    ContactBlocks,
    ContactPlaces,
    ContactRows,
)
from ecsphys.engine.dynamics.contacts.contact_filling import Sides, Surroundings, is_alone, sides_of
from ecsphys.engine.dynamics.contacts.contact_frame import STATIC_SHARE, Frame, frame_after, share_of
from ecsphys.engine.dynamics.contacts.contact_preparing import Approach, StepTime, time_of_acting
from ecsphys.engine.dynamics.contacts.contact_solving import masses_of
from ecsphys.engine.dynamics.materials import surface_of
from ecsphys.engine.kernels.compilation import inlined_scalar, scalar
from ecsphys.engine.kernels.index import index
from ecsphys.engine.vectors.lanes import LANES, gather, load, scatter, store

# Two points whose determinant is less than this part of the product of their own answers count as one.
_SINGULAR = 1e-6


@scalar
def find_bounces(
    contacts: ContactRows,
    count: int,
    around: Surroundings,
    rows: BodyRows,
    blocks: ContactBlocks,
    step: StepTime,
    room: BodyRoom,
    places: ContactPlaces,
) -> int:
    """List those of the first ``count`` contacts that may bounce, in their order; returns how many they are."""
    bouncing = 0
    for k in range(index(count)):
        place = int(places.places[k]) + 0
        if place < 0:
            continue
        place = index(place)
        block = place // LANES
        lane = place % LANES
        if blocks.lane_kinds[block, lane] & IS_ELASTIC == 0:
            continue
        sides = sides_of(k, contacts, around, rows, room)
        _, restitution, _, _ = surface_of(k, sides.a, sides.b, around.materials, around.rules, around.changes)
        bounce = places.bounces[bouncing]
        if _may_bounce(place, k, restitution, around.bounce_threshold, contacts, rows, blocks, step.dt, bounce):
            bounce[BOUNCE_SHARE] = STATIC_SHARE
            if blocks.lane_kinds[block, lane] & IS_STATIC == 0:
                _note_shift(k, lane, sides, contacts, rows, room, step, bounce)
            bouncing += 1
    return bouncing


@inlined_scalar
def _note_shift(
    k: int,
    lane: int,
    sides: Sides,
    contacts: ContactRows,
    rows: BodyRows,
    room: BodyRoom,
    step: StepTime,
    bounce: NDArray[float64],
) -> None:
    """Write what b moves past a until contact k between the two acts, and the share of it."""
    bodies, points, a, b = rows.bodies, contacts.points, sides.a, sides.b
    nx = sides.sign * contacts.normals[k, 0]
    ny = sides.sign * contacts.normals[k, 1]
    offset_x = rows.centers[a, 0] - rows.centers[b, 0]
    offset_y = rows.centers[a, 1] - rows.centers[b, 1]
    x = points.positions[k, 0] - rows.centers[a, 0]
    y = points.positions[k, 1] - rows.centers[a, 1]
    frame = Frame(
        nx,
        ny,
        offset_x * ny - offset_y * nx,
        -(offset_x * nx + offset_y * ny),
        points.separations[k, 0],
        x * ny - y * nx,
        -(x * nx + y * ny),
    )
    approach = Approach(
        bodies[b, VX] - bodies[a, VX], bodies[b, VY] - bodies[a, VY], bodies[a, OMEGA], bodies[b, OMEGA]
    )
    time = time_of_acting(approach, frame, 1.0 if is_alone(k, a, b, contacts, room) else 0.0, step, lane)
    has_two_points = 1.0 if points.features[k, 1] != NO_FEATURE else 0.0
    bounce[BOUNCE_X] = approach.x * time
    bounce[BOUNCE_Y] = approach.y * time
    bounce[BOUNCE_SHARE] = share_of(frame, has_two_points, bodies[a, INVERSE_INERTIA], bodies[b, INVERSE_INERTIA], lane)


@inlined_scalar
def _may_bounce(
    place: int,
    k: int,
    restitution: float,
    threshold: float,
    contacts: ContactRows,
    rows: BodyRows,
    blocks: ContactBlocks,
    dt: float,
    bounce: NDArray[float64],
) -> bool:
    """Write how the contact at a place is to ``bounce``; whether any of its points approaches fast enough.

    That is by the velocities before the step, and by what accelerations add until the surfaces meet. What they add in
    all of the step presses too: only a part of the impulse is of the approach.
    """
    block = place // LANES
    lane = place % LANES
    constants = blocks.constants
    bodies = rows.bodies
    a = index(blocks.rows[block, ROW_A + lane])
    b = index(blocks.rows[block, ROW_B + lane])
    nx = blocks.doubles[block, NORMAL_X, lane]
    ny = blocks.doubles[block, NORMAL_Y, lane]
    along = (bodies[b, VX] - bodies[a, VX]) * nx + (bodies[b, VY] - bodies[a, VY]) * ny
    acceleration = (rows.accelerations[b, 0] - rows.accelerations[a, 0]) * nx + (
        rows.accelerations[b, 1] - rows.accelerations[a, 1]
    ) * ny
    bounce[BOUNCE_PLACE] = float(place)
    bounce[BOUNCE_ACCELERATION] = acceleration
    bounce[BOUNCE_RESTITUTION] = restitution
    tangent = (bodies[b, VX] - bodies[a, VX]) * ny - (bodies[b, VY] - bodies[a, VY]) * nx
    arm_a = load(constants, block, ARM_TANGENT, lane)
    arm_b = arm_a + load(constants, block, OFFSET_TANGENT, lane)
    bounce[BOUNCE_RUB] = tangent + (bodies[b, OMEGA] * arm_b - bodies[a, OMEGA] * arm_a)
    any_bounces = False
    for p in range(2):
        bounce[BOUNCE_SPEED + p] = 0.0
        if p == 1 and contacts.points.features[k, 1] == NO_FEATURE:
            continue
        arm_a = load(constants, block, ARM_NORMAL + POINT_CONSTANTS * p, lane)
        arm_b = arm_a + load(constants, block, OFFSET_NORMAL, lane)
        speed = along + (bodies[b, OMEGA] * arm_b - bodies[a, OMEGA] * arm_a)
        start = speed
        if speed < 0.0:
            speed = -speed_after(speed, max(contacts.points.separations[k, p], 0.0), -acceleration)
        if speed < -threshold:
            bounce[BOUNCE_SPEED + p] = -restitution * speed
            bounce[BOUNCE_PART + p] = min(speed / min(start + acceleration * dt, 0.5 * speed), 2.0)
            any_bounces = True
    return any_bounces


@scalar
def speed_after(speed: float, distance: float, acceleration: float) -> float:
    """The speed of what moves along a line, after a distance: v² grows by 2 a s; 0 where it does not get there."""
    squared = speed * speed + 2.0 * acceleration * distance
    return math.sqrt(squared) if squared > 0.0 else 0.0


@scalar
def bounce_contacts(count: int, rows: BodyRows, blocks: ContactBlocks, places: ContactPlaces) -> None:
    """Give the points of the first ``count`` contacts that may bounce, where they have met, the speed for it.

    What is added for that is in the totals, but is not kept for the next step, in which nothing presses any more.
    """
    for k in range(count):
        place = int(places.bounces[k, BOUNCE_PLACE])
        _bounce(place // LANES, place % LANES, rows, blocks, places.bounces[k])


@inlined_scalar
def _bounce(block: int, lane: int, rows: BodyRows, blocks: ContactBlocks, bounce: NDArray[float64]) -> None:
    """Let the contact in a lane of a block bounce.

    By Newton's hypothesis each point leaves e times as fast as it came; both at once, as ``push_apart`` solves it. With
    friction, that alone may gain energy (Kane's paradox), and so it may where others have stopped the bodies. So
    Stronge's energetic one is its bound: what pressing has taken from a point, half of its impulse times its speed, the
    bounce gives back e² of, and no more (W. J. Stronge, "Rigid body collisions with friction", 1990). What friction has
    done to set the surfaces sliding is of that, too.
    """
    constants = blocks.constants
    vx_a, vy_a, omega_a, mass_a = gather(rows.bodies, blocks.rows, block, ROW_A, lane, VX)
    vx_b, vy_b, omega_b, mass_b = gather(rows.bodies, blocks.rows, block, ROW_B, lane, VX)
    dx_a, dy_a, dtheta_a, _ = gather(rows.bodies, blocks.rows, block, ROW_A, lane, DX)
    dx_b, dy_b, dtheta_b, _ = gather(rows.bodies, blocks.rows, block, ROW_B, lane, DX)
    is_special = bool(blocks.kinds[block] & IS_SPECIAL != 0)
    masses = masses_of(block, lane, rows, blocks, is_special)
    nx = load(blocks.doubles, block, NORMAL_X, lane)
    ny = load(blocks.doubles, block, NORMAL_Y, lane)
    offset = load(constants, block, OFFSET_NORMAL, lane)
    moved = (dx_b - dx_a) * nx + (dy_b - dy_a) * ny
    frame = Frame(
        nx,
        ny,
        offset,
        load(constants, block, OFFSET_TANGENT, lane),
        0.0,
        load(constants, block, ARM_NORMAL, lane),
        load(constants, block, ARM_TANGENT, lane),
    )
    added = 0.0
    shifted = 0.0
    if bounce[BOUNCE_SHARE] >= 0.0:
        # As of now: what is added in the end acts where the bodies are then.
        frame = frame_after(
            frame, dx_b - dx_a - bounce[BOUNCE_X], dy_b - dy_a - bounce[BOUNCE_Y], bounce[BOUNCE_SHARE], lane
        )
        nx = frame.nx
        ny = frame.ny
        added = frame.arm_normal
        shifted = 1.0
    acceleration = bounce[BOUNCE_ACCELERATION]
    along = (vx_b - vx_a) * nx + (vy_b - vy_a) * ny
    straight = (masses.ax + masses.bx) * nx * nx + (masses.ay + masses.by) * ny * ny
    arm_0 = load(constants, block, ARM_NORMAL, lane) + added
    arm_1 = load(constants, block, ARM_NORMAL + POINT_CONSTANTS, lane) + added
    away = frame.offset_normal
    answer = Pair(
        straight + masses.a * arm_0 * arm_0 + masses.b * (arm_0 + away) * (arm_0 + away),
        straight + masses.a * arm_0 * arm_1 + masses.b * (arm_0 + away) * (arm_1 + away),
        straight + masses.a * arm_1 * arm_1 + masses.b * (arm_1 + away) * (arm_1 + away),
    )
    # What a point lacks that is not to push.
    lacking = Two(-math.inf, -math.inf)
    speeds = Two(0.0, 0.0)
    leaving = Two(0.0, 0.0)
    pressed = Two(0.0, 0.0)
    for p in range(2):
        total = load(blocks.totals, block, NORMAL_TOTAL + p, lane)
        own = answer.second if p else answer.first
        # Only what has pressed, in some substep, has met.
        if bounce[BOUNCE_SPEED + p] == 0.0 or not total > 0.0 or not own > 0.0:
            continue
        arm_a = load(constants, block, ARM_NORMAL + POINT_CONSTANTS * p, lane)
        turned = dtheta_b * (arm_a + offset) - dtheta_a * arm_a
        separation = load(constants, block, SEPARATION + POINT_CONSTANTS * p, lane) + moved + turned
        arm_a += added
        speed = along + (omega_b * (arm_a + away) - omega_a * arm_a)
        lacking = _with(lacking, p, -speed)
        speeds = _with(speeds, p, speed)
        leaving = _with(leaving, p, speed_after(bounce[BOUNCE_SPEED + p], max(separation, 0.0), acceleration))
        pressed = _with(pressed, p, total * bounce[BOUNCE_PART + p])
    # What has not quite stopped, stops.
    stopped = push_apart(lacking, answer)
    stop_0 = answer.first * stopped.first + answer.both * stopped.second
    stop_1 = answer.both * stopped.first + answer.second * stopped.second
    restitution = bounce[BOUNCE_RESTITUTION]
    left = Two(max(-speeds.first, 0.0), max(-speeds.second, 0.0))
    allowed = (
        pressed.first * (leaving.first + restitution * left.first)
        + pressed.second * (leaving.second + restitution * left.second)
        + restitution * (stopped.first * left.first + stopped.second * left.second)
    )
    speeds = Two(speeds.first + stop_0, speeds.second + stop_1)
    lacking = Two(
        leaving.first - speeds.first if leaving.first > 0.0 else -math.inf,
        leaving.second - speeds.second if leaving.second > 0.0 else -math.inf,
    )
    pushed = push_apart(lacking, answer)
    # Seen from a surface that runs.
    running = load(blocks.extras, block, TANGENT_SPEED, lane) if is_special else 0.0
    arm_a = load(constants, block, ARM_TANGENT, lane) + frame.arm_tangent * shifted
    rub = (vx_b - vx_a) * ny - (vy_b - vy_a) * nx + (omega_b * (arm_a + frame.offset_tangent) - omega_a * arm_a)
    driven = load(blocks.totals, block, TANGENT_TOTAL, lane) * (bounce[BOUNCE_RUB] + rub - 2.0 * running)
    part = affordable_part(
        pushed.first * speeds.first + pushed.second * speeds.second,
        pushed.first * (answer.first * pushed.first + answer.both * pushed.second)
        + pushed.second * (answer.both * pushed.first + answer.second * pushed.second),
        0.5 * max(restitution * allowed - restitution * restitution * max(driven, 0.0), 0.0),
    )
    impulse_0 = stopped.first + part * pushed.first
    impulse_1 = stopped.second + part * pushed.second
    impulse = impulse_0 + impulse_1
    turn = arm_0 * impulse_0 + arm_1 * impulse_1
    vx_a -= masses.ax * nx * impulse
    vy_a -= masses.ay * ny * impulse
    omega_a -= masses.a * turn
    vx_b += masses.bx * nx * impulse
    vy_b += masses.by * ny * impulse
    omega_b += masses.b * (turn + away * impulse)
    for p in range(2):
        total = load(blocks.totals, block, NORMAL_TOTAL + p, lane) + (impulse_1 if p else impulse_0)
        store(blocks.totals, block, NORMAL_TOTAL + p, lane, total)
    scatter(rows.bodies, blocks.rows, block, ROW_A, lane, VX, (vx_a, vy_a, omega_a, mass_a))
    scatter(rows.bodies, blocks.rows, block, ROW_B, lane, VX, (vx_b, vy_b, omega_b, mass_b))


class Two(NamedTuple):
    """A number of each of two points."""

    first: float
    second: float


@inlined_scalar
def _with(numbers: Two, p: int, number: float) -> Two:
    """The same, with another number of point p."""
    return Two(numbers.first if p else number, number if p else numbers.second)


class Pair(NamedTuple):
    """How impulses at two points change the speeds along the normal: each at its own point, and at the other's."""

    first: float
    both: float
    second: float


@scalar
def push_apart(lacking: Two, answer: Pair) -> Two:
    """The impulses of two points that lack so much speed to part as they should: neither pulls, and one that pushes
    gives its point just what it lacks. A point that is not to push lacks −∞.

    That is a linear complementarity problem: both push, or one, or none (E. Catto, "Iterative dynamics with temporal
    coherence", 2005). Points too near each other to be told apart push as one.
    """
    determinant = answer.first * answer.second - answer.both * answer.both
    if determinant > _SINGULAR * answer.first * answer.second:
        first = (answer.second * lacking.first - answer.both * lacking.second) / determinant
        second = (answer.first * lacking.second - answer.both * lacking.first) / determinant
        if first >= 0.0 and second >= 0.0:
            return Two(first, second)
    first = max(lacking.first, 0.0) / answer.first if answer.first > 0.0 else 0.0
    second = max(lacking.second, 0.0) / answer.second if answer.second > 0.0 else 0.0
    if first * answer.both >= lacking.second:
        return Two(first, 0.0)
    if second * answer.both >= lacking.first:
        return Two(0.0, second)
    return Two(first, 0.0) if first > second else Two(0.0, second)


@scalar
def affordable_part(at_first: float, answered: float, allowed: float) -> float:
    """The part of some impulses that does at most so much work: in all they do ``at_first`` by the speeds that there
    are, and half of ``answered`` by those that they add."""
    if at_first + 0.5 * answered <= allowed:
        return 1.0
    return (math.sqrt(at_first * at_first + 2.0 * answered * allowed) - at_first) / answered
