"""From the contact table to blocks of contacts, and back: arms, effective masses, what is to bounce, and impulses, with
those of the last step as the ones that the solver begins with.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.contact.manifold import NO_FEATURE
from ecsphys.engine.contacts.contact_points import NORMAL_IMPULSES, TANGENT_IMPULSES
from ecsphys.engine.dynamics.bodies import (
    FREE_OMEGA,
    FREE_X,
    FREE_Y,
    INVERSE_INERTIA,
    INVERSE_MASS,
    LOCK_X,
    LOCK_Y,
    OMEGA,
    VX,
    VY,
    WORLD_ROW,
    BodyRoom,
    BodyRows,
)
from ecsphys.engine.dynamics.contact_blocks import (
    ARM_NORMAL,
    ARM_TANGENT,
    BLOCK_COUNT,
    BOUNCE_ACCELERATION,
    BOUNCE_PLACE,
    BOUNCE_SHARE,
    BOUNCE_SPEED,
    BOUNCE_X,
    BOUNCE_Y,
    EXTRA_FIELDS,
    FIELDS,
    FRICTION,
    GROUPS,
    HAS_TWO_POINTS,
    INERTIA_A,
    INERTIA_B,
    IS_ELASTIC,
    IS_SPECIAL,
    IS_STATIC,
    MASS_AX,
    MASS_AY,
    MASS_BX,
    MASS_BY,
    NO_PLACE,
    NORMAL_IMPULSE,
    NORMAL_MASS,
    NORMAL_TOTAL,
    NORMAL_X,
    NORMAL_Y,
    OFFSET_NORMAL,
    OFFSET_TANGENT,
    POINT_FIELDS,
    ROLLING_IMPULSE,
    ROLLING_MASS,
    ROLLING_RESISTANCE,
    ROW_A,
    ROW_B,
    ROW_COLUMNS,
    SEPARATION,
    TANGENT_IMPULSE,
    TANGENT_MASS,
    TANGENT_SPEED,
    TANGENT_TOTAL,
    ContactBlocks,
    ContactPlaces,
    ContactRows,
)
from ecsphys.engine.dynamics.contact_coloring import is_special
from ecsphys.engine.dynamics.contact_frame import STATIC_SHARE, Frame, frame_after, share_of, time_of_meeting
from ecsphys.engine.dynamics.contact_solving import speed_after
from ecsphys.engine.dynamics.materials import ContactChanges, Materials, MixingRules, surface_of
from ecsphys.engine.kernels.array_types import Int32s, Int64s
from ecsphys.engine.kernels.compilation import inlined_scalar, scalar
from ecsphys.engine.kernels.index import index
from ecsphys.engine.vectors.lanes import LANES

# Of the distance of two centres, squared: what moves less past the other in a step counts as unmoved, and none as moved
# by more than this until its moment.
_LEAST_SHIFT, _MOST_SHIFT = 1e-8, 0.25


class StepTime(NamedTuple):
    """The length of a step, and its middle: what presses all the time does so at the start of each substep."""

    dt: float
    middle: float


class Surroundings(NamedTuple):
    """What contacts are read with: the row of the body of each collider (−1 for none), materials and how they mix, what
    the game has changed; the speed from which on they bounce, and how much of the last impulses they begin with."""

    body_of: Int32s
    materials: Materials
    rules: MixingRules
    changes: ContactChanges
    bounce_threshold: float
    warm_start: float


class InverseMasses(NamedTuple):
    """Of a body along both axes, and its inverse inertia."""

    x: float
    y: float
    inertia: float


@inlined_scalar
def inverse_masses(row: int, is_dominant: bool, rows: BodyRows) -> InverseMasses:
    """What impulses of a contact meet: nothing moves along a locked axis, nor what dominates the other body."""
    if is_dominant:
        return InverseMasses(0.0, 0.0, 0.0)
    mass = rows.bodies[row, INVERSE_MASS]
    locks = rows.locks[row]
    return InverseMasses(
        0.0 if locks & LOCK_X else mass, 0.0 if locks & LOCK_Y else mass, rows.bodies[row, INVERSE_INERTIA]
    )


@scalar
def _inverse(number: float) -> float:
    """Of an inverse mass, the mass; 0 for what does not move."""
    return 1.0 / number if number > 0.0 else 0.0


@scalar
def begin_blocks(count: int, blocks: ContactBlocks, places: ContactPlaces) -> None:
    """Note which of the first ``count`` contacts are where, and clear what is not written: only the last block of a
    colour, and those with one contact, may have lanes without any."""
    starts = places.starts
    for block in range(starts[BLOCK_COUNT]):
        blocks.kinds[block] = 0
    for group in range(GROUPS):
        end = starts[group + 1]
        first = max(starts[group], end - 1) if group + 1 < GROUPS else starts[group]
        for block in range(first, end):
            for column in range(ROW_COLUMNS):
                blocks.rows[block, column] = WORLD_ROW
            for lane in range(LANES):
                for field in range(FIELDS):
                    blocks.numbers[block, field, lane] = 0.0
                for field in range(EXTRA_FIELDS):
                    blocks.extras[block, field, lane] = 0.0
                blocks.contacts[block, lane] = -1
    for k in range(index(count)):
        place = int(places.places[k]) + 0
        if place >= 0:
            blocks.contacts[index(place) // LANES, index(place) % LANES] = k


@scalar
def fill_blocks(
    contacts: ContactRows,
    first: int,
    end: int,
    around: Surroundings,
    rows: BodyRows,
    room: BodyRoom,
    blocks: ContactBlocks,
    step: StepTime,
    has_extras: bool,
) -> bool:
    """Write the contacts of some blocks, and what the impulses they begin with add to velocities; returns whether any
    surface bounces."""
    any_is_elastic = False
    for block in range(index(first), index(end)):
        for lane in range(LANES):
            k = int(blocks.contacts[block, lane]) + 0
            if k < 0:
                continue
            if _fill_contact(index(k), block, lane, contacts, around, rows, room, blocks, has_extras, step) > 0.0:
                blocks.kinds[block] |= IS_ELASTIC
                any_is_elastic = True
    return any_is_elastic


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
        if place < 0 or blocks.kinds[index(place) // LANES] & IS_ELASTIC == 0:
            continue
        place = index(place)
        block = place // LANES
        lane = place % LANES
        a = index(blocks.rows[block, ROW_A + lane])
        b = index(blocks.rows[block, ROW_B + lane])
        _, restitution, _, _ = surface_of(k, a, b, around.materials, around.rules, around.changes)
        bounce = places.bounces[bouncing]
        if restitution > 0.0 and _may_bounce(
            place, k, restitution, around.bounce_threshold, contacts, rows, blocks, bounce
        ):
            bounce[BOUNCE_SHARE] = STATIC_SHARE
            if blocks.numbers[block, IS_STATIC, lane] == 0.0:
                frame = _frame_at_start(k, a, b, contacts, rows)
                x, y = _shift_of(k, a, b, frame, contacts, rows, room.links, step)
                bounce[BOUNCE_X] = x
                bounce[BOUNCE_Y] = y
                bounce[BOUNCE_SHARE] = _share_of(k, a, b, frame, contacts, rows)
            bouncing += 1
    return bouncing


@inlined_scalar
def _fill_contact(
    k: int,
    block: int,
    lane: int,
    contacts: ContactRows,
    around: Surroundings,
    rows: BodyRows,
    room: BodyRoom,
    blocks: ContactBlocks,
    has_extras: bool,
    step: StepTime,
) -> float:
    """Write contact k to a lane of a block; returns its restitution."""
    a = index(around.body_of[index(contacts.pairs[k, 0])])
    b = index(around.body_of[index(contacts.pairs[k, 1])])
    materials = around.materials
    mass_a = inverse_masses(a, materials.dominance[a] > materials.dominance[b], rows)
    mass_b = inverse_masses(b, materials.dominance[b] > materials.dominance[a], rows)
    friction, restitution, rolling_resistance, tangent_speed = surface_of(
        k, a, b, materials, around.rules, around.changes
    )
    # The world has no centre: arms seen from where the other body is stay short.
    of_a = b if a == WORLD_ROW else a
    of_b = a if b == WORLD_ROW else b
    frame = _frame_at_start(k, of_a, of_b, contacts, rows)
    old_nx = frame.nx
    old_ny = frame.ny
    nx = old_nx
    ny = old_ny
    is_static = not (_any_moves(mass_a) and _any_moves(mass_b))
    shift_x = 0.0
    shift_y = 0.0
    if not is_static:
        shift_x, shift_y = _shift_of(k, a, b, frame, contacts, rows, room.links, step)
    if shift_x == 0.0 and shift_y == 0.0:
        frame = Frame(nx, ny, frame.offset_normal, frame.offset_tangent, 0.0, 0.0, 0.0)
    else:
        frame = frame_after(frame, shift_x, shift_y, _share_of(k, a, b, frame, contacts, rows))
        nx = frame.nx
        ny = frame.ny
    offset_normal = frame.offset_normal
    offset_tangent = frame.offset_tangent
    mass_x = mass_a.x + mass_b.x
    mass_y = mass_a.y + mass_b.y
    numbers = blocks.numbers
    blocks.rows[block, ROW_A + lane] = a
    blocks.rows[block, ROW_B + lane] = b
    numbers[block, NORMAL_X, lane] = nx
    numbers[block, NORMAL_Y, lane] = ny
    numbers[block, OFFSET_NORMAL, lane] = offset_normal
    numbers[block, OFFSET_TANGENT, lane] = offset_tangent
    numbers[block, FRICTION, lane] = friction
    numbers[block, TANGENT_SPEED, lane] = tangent_speed
    numbers[block, IS_STATIC, lane] = 1.0 if is_static else 0.0
    numbers[block, TANGENT_TOTAL, lane] = 0.0

    added_x = 0.0
    added_y = 0.0
    added_a = 0.0
    added_b = 0.0
    for p in range(2):
        point = POINT_FIELDS * p
        has_point = p == 0 or contacts.points.features[k, 1] != NO_FEATURE
        if not has_point:
            # Without mass, a point takes no impulse.
            for field in range(ARM_NORMAL, ARM_NORMAL + POINT_FIELDS):
                numbers[block, field + point, lane] = 0.0
            continue
        x = contacts.points.positions[k, 2 * p] - rows.centers[of_a, 0]
        y = contacts.points.positions[k, 2 * p + 1] - rows.centers[of_a, 1]
        arm_normal = x * old_ny - y * old_nx + frame.arm_normal
        arm_tangent = -(x * old_nx + y * old_ny) + frame.arm_tangent
        of_b_normal = arm_normal + offset_normal
        of_b_tangent = arm_tangent + offset_tangent
        separation = contacts.points.separations[k, p] + frame.separation
        normal_impulse = around.warm_start * contacts.points.impulses[k, NORMAL_IMPULSES + p]
        tangent_impulse = around.warm_start * contacts.points.impulses[k, TANGENT_IMPULSES + p]
        numbers[block, ARM_NORMAL + point, lane] = arm_normal
        numbers[block, ARM_TANGENT + point, lane] = arm_tangent
        numbers[block, SEPARATION + point, lane] = separation
        numbers[block, NORMAL_MASS + point, lane] = _inverse(
            mass_x * nx * nx
            + mass_y * ny * ny
            + mass_a.inertia * arm_normal * arm_normal
            + mass_b.inertia * of_b_normal * of_b_normal
        )
        numbers[block, TANGENT_MASS + point, lane] = _inverse(
            mass_x * ny * ny
            + mass_y * nx * nx
            + mass_a.inertia * arm_tangent * arm_tangent
            + mass_b.inertia * of_b_tangent * of_b_tangent
        )
        numbers[block, NORMAL_IMPULSE + point, lane] = normal_impulse
        numbers[block, TANGENT_IMPULSE + point, lane] = tangent_impulse
        numbers[block, NORMAL_TOTAL + point, lane] = 0.0
        added_x += normal_impulse * nx + tangent_impulse * ny
        added_y += normal_impulse * ny - tangent_impulse * nx
        added_a += normal_impulse * arm_normal + tangent_impulse * arm_tangent
        added_b += normal_impulse * of_b_normal + tangent_impulse * of_b_tangent
        if p == 1:
            blocks.kinds[block] |= HAS_TWO_POINTS
    steps = room.steps
    steps[a, FREE_X] -= mass_a.x * added_x
    steps[a, FREE_Y] -= mass_a.y * added_y
    steps[a, FREE_OMEGA] -= mass_a.inertia * added_a
    steps[b, FREE_X] += mass_b.x * added_x
    steps[b, FREE_Y] += mass_b.y * added_y
    steps[b, FREE_OMEGA] += mass_b.inertia * added_b

    if has_extras:
        # They count where any contact of the block is special.
        if is_special(a, b, rows, materials):
            blocks.kinds[block] |= IS_SPECIAL
        extras = blocks.extras
        extras[block, MASS_AX, lane] = mass_a.x
        extras[block, MASS_AY, lane] = mass_a.y
        extras[block, INERTIA_A, lane] = mass_a.inertia
        extras[block, MASS_BX, lane] = mass_b.x
        extras[block, MASS_BY, lane] = mass_b.y
        extras[block, INERTIA_B, lane] = mass_b.inertia
        extras[block, ROLLING_RESISTANCE, lane] = rolling_resistance
        extras[block, ROLLING_MASS, lane] = _inverse(mass_a.inertia + mass_b.inertia)
        extras[block, ROLLING_IMPULSE, lane] = 0.0
    return restitution


@inlined_scalar
def _any_moves(masses: InverseMasses) -> bool:
    return bool((masses.x != 0.0) | (masses.y != 0.0) | (masses.inertia != 0.0))


@inlined_scalar
def _frame_at_start(k: int, a: int, b: int, contacts: ContactRows, rows: BodyRows) -> Frame:
    """The frame of the first point of contact k at the start of the step, with arms seen from bodies a and b."""
    nx = contacts.normals[k, 0]
    ny = contacts.normals[k, 1]
    offset_x = rows.centers[a, 0] - rows.centers[b, 0]
    offset_y = rows.centers[a, 1] - rows.centers[b, 1]
    x = contacts.points.positions[k, 0] - rows.centers[a, 0]
    y = contacts.points.positions[k, 1] - rows.centers[a, 1]
    return Frame(
        nx,
        ny,
        offset_x * ny - offset_y * nx,
        -(offset_x * nx + offset_y * ny),
        contacts.points.separations[k, 0],
        x * ny - y * nx,
        -(x * nx + y * ny),
    )


@inlined_scalar
def _shift_of(
    k: int, a: int, b: int, frame: Frame, contacts: ContactRows, rows: BodyRows, links: Int64s, step: StepTime
) -> tuple[float, float]:
    """How much more b moves than a until the moment at which contact k between the two acts; 0 for next to nothing.

    Of its first point's ``frame`` at the start of the step.
    """
    bodies = rows.bodies
    vx = bodies[b, VX] - bodies[a, VX]
    vy = bodies[b, VY] - bodies[a, VY]
    squared = vx * vx + vy * vy
    apart = frame.offset_normal * frame.offset_normal + frame.offset_tangent * frame.offset_tangent
    if squared * step.dt * step.dt < _LEAST_SHIFT * apart:
        return 0.0, 0.0
    impulses = contacts.points.impulses
    t = step.middle
    is_alone = links[a] & (links[a] - 1) == 0 and links[b] & (links[b] - 1) == 0
    if is_alone and impulses[k, NORMAL_IMPULSES] + impulses[k, NORMAL_IMPULSES + 1] == 0.0:
        turning = bodies[b, OMEGA] * (frame.arm_normal + frame.offset_normal) - bodies[a, OMEGA] * frame.arm_normal
        t = time_of_meeting(frame.separation, vx * frame.nx + vy * frame.ny + turning, step.dt)
    if squared * t * t > _MOST_SHIFT * apart:
        t = math.sqrt(_MOST_SHIFT * apart / squared)
    return vx * t, vy * t


@inlined_scalar
def _share_of(k: int, a: int, b: int, frame: Frame, contacts: ContactRows, rows: BodyRows) -> float:
    """See :func:`share_of`."""
    bodies = rows.bodies
    has_two_points = bool(contacts.points.features[k, 1] != NO_FEATURE)
    return share_of(frame, has_two_points, bodies[a, INVERSE_INERTIA], bodies[b, INVERSE_INERTIA])


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
    numbers = blocks.numbers
    bodies = rows.bodies
    a = index(blocks.rows[block, ROW_A + lane])
    b = index(blocks.rows[block, ROW_B + lane])
    nx = numbers[block, NORMAL_X, lane]
    ny = numbers[block, NORMAL_Y, lane]
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
        arm_a = numbers[block, ARM_NORMAL + POINT_FIELDS * p, lane]
        arm_b = arm_a + numbers[block, OFFSET_NORMAL, lane]
        speed = along + (bodies[b, OMEGA] * arm_b - bodies[a, OMEGA] * arm_a)
        if speed < 0.0:
            speed = -speed_after(speed, max(contacts.points.separations[k, p], 0.0), -acceleration)
        if speed < -threshold:
            bounce[BOUNCE_SPEED + p] = -restitution * speed
            any_bounces = True
    return any_bounces


@scalar
def keep_impulses(contacts: ContactRows, first: int, end: int, blocks: ContactBlocks) -> None:
    """Write the impulses of some blocks back to the contacts, for the next step to begin with, and their totals over
    the substeps."""
    totals = contacts.points.totals
    numbers = blocks.numbers
    impulses = contacts.points.impulses
    for block in range(index(first), index(end)):
        for lane in range(LANES):
            k = int(blocks.contacts[block, lane]) + 0
            if k < 0:
                continue
            k = index(k)
            totals[k, 1] = numbers[block, TANGENT_TOTAL, lane]
            total = 0.0
            for p in range(2):
                point = POINT_FIELDS * p
                impulses[k, NORMAL_IMPULSES + p] = numbers[block, NORMAL_IMPULSE + point, lane]
                impulses[k, TANGENT_IMPULSES + p] = numbers[block, TANGENT_IMPULSE + point, lane]
                total += numbers[block, NORMAL_TOTAL + point, lane]
            totals[k, 0] = total


@scalar
def forget_impulses(contacts: ContactRows, count: int, places: ContactPlaces) -> None:
    """Let those of the first ``count`` contacts have no impulses that are not solved, but for those of what sleeps."""
    totals = contacts.points.totals
    impulses = contacts.points.impulses
    for k in range(index(count)):
        if places.places[k] == NO_PLACE:
            for p in range(2):
                totals[k, p] = 0.0
                impulses[k, NORMAL_IMPULSES + p] = 0.0
                impulses[k, TANGENT_IMPULSES + p] = 0.0
