"""Bounces: which contacts may, from velocities before the step, and in its end those that do."""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.contact.manifold import NO_FEATURE
from ecsphys.engine.dynamics.bodies import DX, INVERSE_INERTIA, OMEGA, VX, VY, BodyRoom, BodyRows
from ecsphys.engine.dynamics.contacts.contact_blocks import (
    ARM_NORMAL,
    ARM_TANGENT,
    BOUNCE_ACCELERATION,
    BOUNCE_PLACE,
    BOUNCE_SHARE,
    BOUNCE_SPEED,
    BOUNCE_X,
    BOUNCE_Y,
    IS_ELASTIC,
    IS_SPECIAL,
    IS_STATIC,
    NORMAL_MASS,
    NORMAL_TOTAL,
    NORMAL_X,
    NORMAL_Y,
    OFFSET_NORMAL,
    OFFSET_TANGENT,
    POINT_CONSTANTS,
    ROW_A,
    ROW_B,
    SEPARATION,
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

# A contact with two points bounces by so many turns of one point after the other.
_BOUNCE_TURNS = 10


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
        if _may_bounce(place, k, restitution, around.bounce_threshold, contacts, rows, blocks, bounce):
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
    bounce: NDArray[float64],
) -> bool:
    """Write how the contact at a place is to ``bounce``; whether any of its points approaches fast enough.

    That is by the velocities before the step, and by what accelerations add until the surfaces meet.
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
    any_bounces = False
    for p in range(2):
        bounce[BOUNCE_SPEED + p] = 0.0
        if p == 1 and contacts.points.features[k, 1] == NO_FEATURE:
            continue
        arm_a = load(constants, block, ARM_NORMAL + POINT_CONSTANTS * p, lane)
        arm_b = arm_a + load(constants, block, OFFSET_NORMAL, lane)
        speed = along + (bodies[b, OMEGA] * arm_b - bodies[a, OMEGA] * arm_a)
        if speed < 0.0:
            speed = -speed_after(speed, max(contacts.points.separations[k, p], 0.0), -acceleration)
        if speed < -threshold:
            bounce[BOUNCE_SPEED + p] = -restitution * speed
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
    """Let the contact in a lane of a block bounce."""
    constants = blocks.constants
    vx_a, vy_a, omega_a, mass_a = gather(rows.bodies, blocks.rows, block, ROW_A, lane, VX)
    vx_b, vy_b, omega_b, mass_b = gather(rows.bodies, blocks.rows, block, ROW_B, lane, VX)
    dx_a, dy_a, dtheta_a, _ = gather(rows.bodies, blocks.rows, block, ROW_A, lane, DX)
    dx_b, dy_b, dtheta_b, _ = gather(rows.bodies, blocks.rows, block, ROW_B, lane, DX)
    masses = masses_of(block, lane, rows, blocks, bool(blocks.kinds[block] & IS_SPECIAL != 0))
    nx = load(blocks.doubles, block, NORMAL_X, lane)
    ny = load(blocks.doubles, block, NORMAL_Y, lane)
    offset = load(constants, block, OFFSET_NORMAL, lane)
    sum_0 = 0.0
    sum_1 = 0.0
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
    if bounce[BOUNCE_SHARE] >= 0.0:
        # As of now: what is added in the end acts where the bodies are then.
        frame = frame_after(
            frame, dx_b - dx_a - bounce[BOUNCE_X], dy_b - dy_a - bounce[BOUNCE_Y], bounce[BOUNCE_SHARE], lane
        )
        nx = frame.nx
        ny = frame.ny
        added = frame.arm_normal
    acceleration = bounce[BOUNCE_ACCELERATION]
    for turn in range(_BOUNCE_TURNS * 2):
        p = turn & 1
        bounce_speed = bounce[BOUNCE_SPEED + p]
        # Only what has pressed, in some substep, has met.
        if bounce_speed == 0.0 or not load(blocks.totals, block, NORMAL_TOTAL + p, lane) > 0.0:
            continue
        arm_a = load(constants, block, ARM_NORMAL + POINT_CONSTANTS * p, lane)
        turned = dtheta_b * (arm_a + offset) - dtheta_a * arm_a
        separation = load(constants, block, SEPARATION + POINT_CONSTANTS * p, lane) + moved + turned
        arm_a += added
        arm_b = arm_a + frame.offset_normal
        bounce_speed = speed_after(bounce_speed, max(separation, 0.0), acceleration)
        speed = (vx_b - vx_a) * nx + (vy_b - vy_a) * ny + (omega_b * arm_b - omega_a * arm_a)
        before = sum_1 if p else sum_0
        mass = load(constants, block, NORMAL_MASS + POINT_CONSTANTS * p, lane)
        after = max(before - mass * (speed - bounce_speed), 0.0)
        impulse = after - before
        sum_0 = sum_0 if p else after
        sum_1 = after if p else sum_1
        vx_a -= masses.ax * nx * impulse
        vy_a -= masses.ay * ny * impulse
        omega_a -= masses.a * arm_a * impulse
        vx_b += masses.bx * nx * impulse
        vy_b += masses.by * ny * impulse
        omega_b += masses.b * arm_b * impulse
    for p in range(2):
        total = load(blocks.totals, block, NORMAL_TOTAL + p, lane) + (sum_1 if p else sum_0)
        store(blocks.totals, block, NORMAL_TOTAL + p, lane, total)
    scatter(rows.bodies, blocks.rows, block, ROW_A, lane, VX, (vx_a, vy_a, omega_a, mass_a))
    scatter(rows.bodies, blocks.rows, block, ROW_B, lane, VX, (vx_b, vy_b, omega_b, mass_b))
