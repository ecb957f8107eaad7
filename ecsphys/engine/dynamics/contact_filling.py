"""From the contact table to blocks of contacts, and back: arms, effective masses, what is to bounce, and impulses, with
those of the last step as the ones that the solver begins with.
"""

from __future__ import annotations

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
    ANY_SPECIAL,
    ARM_NORMAL,
    ARM_TANGENT,
    BLOCK_COUNT,
    BOUNCE_ACCELERATION,
    BOUNCE_PLACE,
    BOUNCE_SPEED,
    EXTRA_FIELDS,
    FIELDS,
    FRICTION,
    GROUPS,
    HAS_TWO_POINTS,
    INERTIA_A,
    INERTIA_B,
    IS_SPECIAL,
    IS_STATIC,
    MASS_AX,
    MASS_AY,
    MASS_BX,
    MASS_BY,
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
    UNMOVED_PLACE,
    ContactBlocks,
    ContactPlaces,
    ContactRows,
)
from ecsphys.engine.dynamics.contact_coloring import is_special
from ecsphys.engine.dynamics.contact_solving import speed_after
from ecsphys.engine.dynamics.materials import ContactChanges, Materials, MixingRules, surface_of
from ecsphys.engine.kernels.array_types import Int32s
from ecsphys.engine.kernels.compilation import inlined_scalar, scalar
from ecsphys.engine.kernels.index import index
from ecsphys.engine.vectors.lanes import LANES


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
def clear_blocks(blocks: ContactBlocks, places: ContactPlaces) -> None:
    """Begin with empty blocks. Only the last of a colour, and those with one contact, may have lanes without any."""
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


@scalar
def fill_contacts(
    contacts: ContactRows,
    first: int,
    end: int,
    around: Surroundings,
    rows: BodyRows,
    room: BodyRoom,
    blocks: ContactBlocks,
    places: ContactPlaces,
) -> int:
    """Write contacts to their places in the blocks, and what the impulses they begin with add to velocities; returns
    how many of them may bounce."""
    has_extras = bool(places.starts[ANY_SPECIAL] != 0)
    bouncing = 0
    for k in range(index(first), index(end)):
        place = int(places.places[k]) + 0
        if place < 0:
            continue
        place = index(place)
        restitution = _fill_contact(k, place // LANES, place % LANES, contacts, around, rows, room, blocks, has_extras)
        if restitution > 0.0 and _may_bounce(
            place, k, restitution, around.bounce_threshold, contacts, rows, blocks, places.bounces[bouncing]
        ):
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
) -> float:
    """Write contact k to a lane of a block; returns its restitution."""
    a = index(around.body_of[index(contacts.pairs[k, 0])])
    b = index(around.body_of[index(contacts.pairs[k, 1])])
    materials = around.materials
    nx = contacts.normals[k, 0]
    ny = contacts.normals[k, 1]
    mass_a = inverse_masses(a, materials.dominance[a] > materials.dominance[b], rows)
    mass_b = inverse_masses(b, materials.dominance[b] > materials.dominance[a], rows)
    friction, restitution, rolling_resistance, tangent_speed = surface_of(
        k, a, b, materials, around.rules, around.changes
    )
    # The world has no centre: arms seen from where the other body is stay short.
    of_a = b if a == WORLD_ROW else a
    of_b = a if b == WORLD_ROW else b
    offset_x = rows.centers[of_a, 0] - rows.centers[of_b, 0]
    offset_y = rows.centers[of_a, 1] - rows.centers[of_b, 1]
    offset_normal = offset_x * ny - offset_y * nx
    offset_tangent = -(offset_x * nx + offset_y * ny)
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
    numbers[block, IS_STATIC, lane] = (
        1.0
        if (
            (mass_a.x == 0.0) & (mass_a.y == 0.0) & (mass_a.inertia == 0.0)
            | (mass_b.x == 0.0) & (mass_b.y == 0.0) & (mass_b.inertia == 0.0)
        )
        else 0.0
    )
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
        arm_normal = x * ny - y * nx
        arm_tangent = -(x * nx + y * ny)
        of_b_normal = arm_normal + offset_normal
        of_b_tangent = arm_tangent + offset_tangent
        separation = contacts.points.separations[k, p]
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
def keep_impulses(contacts: ContactRows, first: int, end: int, blocks: ContactBlocks, places: ContactPlaces) -> None:
    """Write the impulses back to the contacts, for the next step to begin with, and their totals over the substeps.

    What is not moved, as it sleeps, keeps both.
    """
    totals = contacts.points.totals
    numbers = blocks.numbers
    impulses = contacts.points.impulses
    for k in range(index(first), index(end)):
        place = int(places.places[k]) + 0
        if place == UNMOVED_PLACE:
            continue
        totals[k, 0] = 0.0
        totals[k, 1] = 0.0
        if place < 0:
            for p in range(2):
                impulses[k, NORMAL_IMPULSES + p] = 0.0
                impulses[k, TANGENT_IMPULSES + p] = 0.0
            continue
        block = index(place) // LANES
        lane = index(place) % LANES
        totals[k, 1] = numbers[block, TANGENT_TOTAL, lane]
        for p in range(2):
            point = POINT_FIELDS * p
            impulses[k, NORMAL_IMPULSES + p] = numbers[block, NORMAL_IMPULSE + point, lane]
            impulses[k, TANGENT_IMPULSES + p] = numbers[block, TANGENT_IMPULSE + point, lane]
            totals[k, 0] += numbers[block, NORMAL_TOTAL + point, lane]
