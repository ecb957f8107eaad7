"""From the contact table to blocks of contacts, and back.

First, which contacts may be solved side by side: a colouring of the graph whose edges are contacts and nodes bodies.
Each contact gets, in the order of the table, the first colour that neither of its bodies has at another contact
(greedy, with a bit for each colour). Bodies that cannot be moved have no say. The order of the table is kept as far as
colours allow: contacts are solved in their order. So the same contacts have the same colours in each step, and
whatever solves them, in lanes or threads, gets the same bits. Inside a colour, contacts with two points come first, for
the sake of blocks where all have one.

Then each is written to its place, with the impulses of the last step as the ones that the solver begins with. All is
done in the order of the table, one contact after the other: so each cache line of it comes once. The rest is computed
block by block (:mod:`~ecsphys.engine.dynamics.contacts.contact_preparing`).
"""

from __future__ import annotations

import math
from typing import Any

from ecsphys.engine.dynamics import bodies as body
from ecsphys.engine.dynamics.contacts import contact_blocks as field
from ecsphys.engine.dynamics.contacts import materials as material
from ecsphys.engine.hits import contact_table as told
from ecsphys.engine.hits.contact_table import NORMAL_IMPULSES, TANGENT_IMPULSES
from ecsphys.engine.kernels import NamedTuple, Uint8s, index, inlined_scalar, lowest_bit, scalar
from ecsphys.engine.manifold.manifold import NO_FEATURE
from ecsphys.engine.math.lanes import LANES, larger, load, smaller

# Colours of contacts with immovable bodies begin here: they are solved after contacts of two movable bodies.
_FIRST_STATIC = 20
_MOVABLE_COLORS = (1 << _FIRST_STATIC) - 1
_STATIC_COLORS = (1 << field.COLORS) - 1 - _MOVABLE_COLORS

# Bits of traits of a body: impulses move it; its contacts are special; it has dominance, so that some of them may be.
IS_MOVABLE, IS_PARTICULAR, HAS_DOMINANCE = 1, 2, 4


@inlined_scalar
def is_movable(row: int, rows: body.BodyRows) -> bool:
    """Whether impulses move a body."""
    return bool((rows.bodies[row, body.INVERSE_MASS] != 0.0) | (rows.bodies[row, body.INVERSE_INERTIA] != 0.0))


@inlined_scalar
def _act_on_each_other(k: int, a: int, b: int, contacts: field.ContactRows, changes: material.ContactChanges) -> bool:
    """Whether contact k is one of two bodies that may push each other, and has a point."""
    if a < 0 or b < 0 or a == b or contacts.points.features[k, 0] == NO_FEATURE:
        return False
    return changes.is_vetoed.shape[0] == 0 or bool(changes.is_vetoed[k] == 0)


@inlined_scalar
def _traits_of(i: int, rows: body.BodyRows, materials: material.Materials) -> int:
    """The traits of body i."""
    surfaces = materials.surfaces
    is_particular = (
        (rows.locks[i] & (body.LOCK_X | body.LOCK_Y) != 0)
        | (surfaces[i, material.ROLLING_RESISTANCE] > 0.0)
        | (surfaces[i, material.TANGENT_SPEED] != 0.0)
    )
    return (
        (IS_MOVABLE if is_movable(i, rows) else 0)
        | (IS_PARTICULAR if is_particular else 0)
        | (HAS_DOMINANCE if materials.dominance[i] != 0 else 0)
    )


@inlined_scalar
def is_special(
    k: int, a: int, b: int, traits: Uint8s, materials: material.Materials, changes: material.ContactChanges
) -> bool:
    """Whether contact k has extra fields: for locked axes, rolling resistance, surfaces that run, or dominance between
    two that move."""
    any_trait = int(traits[a] | traits[b]) + 0
    if any_trait & IS_PARTICULAR:
        return True
    if changes.tangent_speed.shape[0] > 0 and not math.isnan(changes.tangent_speed[k]):
        return True
    if any_trait & HAS_DOMINANCE == 0 or traits[a] & traits[b] & IS_MOVABLE == 0:
        return False
    return bool(materials.dominance[a] != materials.dominance[b])


@scalar
def color_contacts(step: field.SolverStep, room: field.SolverRoom) -> int:
    """Give each contact of a step its place in the blocks; returns how many blocks there are.

    Notes in ``room.bodies`` which bodies have contacts, and of which sort.
    """
    contacts, resting, changes = step.contacts, step.resting, step.changes
    body_of, materials = step.body_of, step.materials
    places = room.places
    links = room.bodies.links
    traits = room.bodies.traits
    place_of = places.places
    counts = places.counts
    any_special = False
    for i in range(step.body_count):
        links[i] = 0
        traits[i] = _traits_of(i, step.rows, materials)
    counts[:] = 0
    knows_resting = resting.shape[0] > 0
    for k in range(index(step.contact_count)):
        if knows_resting and resting[k] != 0:
            place_of[k] = field.UNMOVED_PLACE
            continue
        place_of[k] = field.NO_PLACE
        a = int(body_of[index(contacts.pairs[k, 0])]) + 0
        b = int(body_of[index(contacts.pairs[k, 1])]) + 0
        if not _act_on_each_other(k, a, b, contacts, changes):
            continue
        a = index(a)
        b = index(b)
        moves_a = traits[a] & IS_MOVABLE != 0
        moves_b = traits[b] & IS_MOVABLE != 0
        if not moves_a and not moves_b:
            place_of[k] = field.UNMOVED_PLACE
            continue
        color = _color_of(links[a], links[b], moves_a, moves_b)
        links[a] |= 1 << color if moves_a else body.IS_TOUCHED
        links[b] |= 1 << color if moves_b else body.IS_TOUCHED
        place_of[k] = color
        any_special |= is_special(k, a, b, traits, materials, changes)
        counts[_class_of(k, color, contacts), color] += 1
    places.starts[field.ANY_SPECIAL] = any_special
    return _place_contacts(step.contact_count, contacts, places)


@inlined_scalar
def _color_of(of_a: int, of_b: int, moves_a: bool, moves_b: bool) -> int:
    """The first colour that is not among the links of either body; COLORS without one."""
    if moves_a and moves_b:
        return lowest_bit(~(of_a | of_b) & _MOVABLE_COLORS | 1 << field.COLORS)
    return lowest_bit(~(of_a if moves_a else of_b) & _STATIC_COLORS | 1 << field.COLORS)


@inlined_scalar
def _class_of(k: int, color: int, contacts: field.ContactRows) -> int:
    """0 for contacts that come first in a colour, those with two points; 1 for others. Without a colour all are one."""
    return 1 if color < field.COLORS and contacts.points.features[k, 1] == NO_FEATURE else 0


@inlined_scalar
def _place_contacts(count: int, contacts: field.ContactRows, places: field.ContactPlaces) -> int:
    """From the colours of contacts and their counts to places in blocks; returns how many blocks there are."""
    place_of = places.places
    starts = places.starts
    following = places.counts
    block = 0
    for color in range(field.GROUPS):
        starts[color] = block
        first = following[0, color]
        both = first + following[1, color]
        following[0, color] = LANES * block
        following[1, color] = LANES * block + first
        block += both if color == field.COLORS else (both + LANES - 1) // LANES
    starts[field.GROUPS] = block
    for k in range(count):
        color = int(place_of[k]) + 0
        if color < 0:
            continue
        color = index(color)
        rank = _class_of(k, color, contacts)
        place_of[k] = following[rank, color]
        following[rank, color] += LANES if color == field.COLORS else 1
    return block


# See ``keep_impulses``. Less than a strike needs: contacts may strike as one, each with a part of the impulse.
_RISING, _LEAST_RISE = 1.5, 0.25

# Seconds: of shorter substeps only that part of the forces is kept.
_CALM = 1.0 / 1920.0


@inlined_scalar
def kept_part(h: float) -> float:
    """The part of the forces of substeps of h seconds that the next step begins with; the rest comes from the last.

    The solver leaves little over in a very short step, as an impulse. As a force it would be much.
    """
    return min(1.0, h / _CALM)


class InverseMasses(NamedTuple):
    """Of a body along both axes, and its inverse inertia."""

    x: float
    y: float
    inertia: float


@inlined_scalar
def inverse_masses(row: int, is_dominant: bool, rows: body.BodyRows) -> InverseMasses:
    """What impulses of a contact meet: nothing moves along a locked axis, nor what dominates the other body."""
    if is_dominant:
        return InverseMasses(0.0, 0.0, 0.0)
    mass = rows.bodies[row, body.INVERSE_MASS]
    locks = rows.locks[row]
    return InverseMasses(
        0.0 if locks & body.LOCK_X else mass,
        0.0 if locks & body.LOCK_Y else mass,
        rows.bodies[row, body.INVERSE_INERTIA],
    )


class Sides(NamedTuple):
    """The bodies of a contact as its block has them: it moves a. ``sign`` is −1 if a is the second body in the contact
    table; then normal and tangent are turned round. ``is_static``: the contact does not move b."""

    a: int
    b: int
    sign: float
    is_static: bool


@inlined_scalar
def _is_moved(row: int, other: int, step: field.SolverStep, room: field.SolverRoom) -> bool:
    """Whether contacts with another body move one."""
    traits = int(room.bodies.traits[row]) + 0
    if traits & IS_MOVABLE == 0:
        return False
    if (traits | room.bodies.traits[other]) & (IS_PARTICULAR | HAS_DOMINANCE) == 0:
        return True
    dominance = step.materials.dominance
    masses = inverse_masses(row, bool(dominance[row] > dominance[other]), step.rows)
    return bool((masses.x != 0.0) | (masses.y != 0.0) | (masses.inertia != 0.0))


@inlined_scalar
def sides_of(k: int, step: field.SolverStep, room: field.SolverRoom) -> Sides:
    """The bodies of contact k."""
    a = index(step.body_of[index(step.contacts.pairs[k, 0])])
    b = index(step.body_of[index(step.contacts.pairs[k, 1])])
    if _is_moved(a, b, step, room):
        return Sides(a, b, 1.0, not _is_moved(b, a, step, room))
    return Sides(b, a, -1.0, True)


@scalar
def begin_blocks(blocks: field.ContactBlocks, places: field.ContactPlaces) -> None:
    """Clear lanes that are not written: only the last block of a colour, and blocks with one contact, may have lanes
    without any."""
    starts = places.starts
    for group in range(field.GROUPS):
        end = starts[group + 1]
        first = max(starts[group], end - 1) if group + 1 < field.GROUPS else starts[group]
        for block in range(first, end):
            for column in range(field.ROW_COLUMNS):
                blocks.rows[block, column] = body.WORLD_ROW
            for lane in range(LANES):
                blocks.lane_kinds[block, lane] = 0
                for column in range(field.CONSTANTS):
                    blocks.constants[block, column, lane] = 0.0
                for column in range(field.DOUBLES):
                    blocks.doubles[block, column, lane] = 0.0
                for column in range(field.EXTRAS):
                    blocks.extras[block, column, lane] = 0.0


@scalar
def read_contacts(step: field.SolverStep, room: field.SolverRoom, first: int, end: int, h: float) -> None:
    """Write contacts first … end − 1 to their places: what ``prepare_blocks`` goes on from, in substeps of h seconds.

    Contacts keep forces from step to step, and begin with these times h. So a stack stands however long a step is.
    """
    has_extras = bool(room.places.starts[field.ANY_SPECIAL] != 0)
    for k in range(index(first), index(end)):
        place = int(room.places.places[k]) + 0
        if place >= 0:
            place = index(place)
            _read_contact(k, place // LANES, place % LANES, step, room, has_extras, h)


@inlined_scalar
def _read_contact(
    k: int, block: int, lane: int, step: field.SolverStep, room: field.SolverRoom, has_extras: bool, h: float
) -> None:
    """Write contact k to a lane of a block."""
    sides = sides_of(k, step, room)
    a, b = sides.a, sides.b
    contacts, points, rows, blocks = step.contacts, step.contacts.points, step.rows, room.blocks
    friction, restitution, rolling_resistance, tangent_speed = material.surface_of(
        k, a, b, step.materials, step.rules, step.changes
    )
    blocks.rows[block, field.ROW_A + lane] = a
    blocks.rows[block, field.ROW_B + lane] = b
    constants = blocks.constants
    # The world has no centre: arms seen from where the other body is stay short.
    of_b = a if b == body.WORLD_ROW else b
    nx = sides.sign * contacts.normals[k, 0]
    ny = sides.sign * contacts.normals[k, 1]
    offset_x = rows.centers[a, 0] - rows.centers[of_b, 0]
    offset_y = rows.centers[a, 1] - rows.centers[of_b, 1]
    blocks.doubles[block, field.NORMAL_X, lane] = nx
    blocks.doubles[block, field.NORMAL_Y, lane] = ny
    constants[block, field.OFFSET_NORMAL, lane] = _bounded(offset_x * ny - offset_y * nx)
    constants[block, field.OFFSET_TANGENT, lane] = _bounded(-(offset_x * nx + offset_y * ny))
    constants[block, field.FRICTION, lane] = _bounded(friction)
    has_two_points = bool(points.features[k, 1] != NO_FEATURE)
    for p in range(2):
        is_there = p == 0 or has_two_points
        of_point = field.POINT_CONSTANTS * p
        x = points.positions[k, 2 * p] - rows.centers[a, 0]
        y = points.positions[k, 2 * p + 1] - rows.centers[a, 1]
        constants[block, field.ARM_NORMAL + of_point, lane] = _bounded(x * ny - y * nx) if is_there else 0.0
        constants[block, field.ARM_TANGENT + of_point, lane] = _bounded(-(x * nx + y * ny)) if is_there else 0.0
        constants[block, field.SEPARATION + of_point, lane] = _bounded(points.separations[k, p]) if is_there else 0.0
        constants[block, field.HAS_POINT + of_point, lane] = 1.0 if is_there else 0.0
        normal_impulse = h * points.impulses[k, NORMAL_IMPULSES + p] if is_there else 0.0
        tangent_impulse = h * points.impulses[k, TANGENT_IMPULSES + p] if is_there else 0.0
        blocks.doubles[block, field.NORMAL_IMPULSE + field.POINT_IMPULSES * p, lane] = normal_impulse
        blocks.doubles[block, field.TANGENT_IMPULSE + field.POINT_IMPULSES * p, lane] = tangent_impulse
    constants[block, field.IS_ALONE, lane] = 1.0 if _is_alone(k, a, b, contacts, room.bodies) else 0.0

    kind = (
        (field.HAS_TWO_POINTS if has_two_points else 0)
        | (field.IS_ELASTIC if restitution > 0.0 else 0)
        | (field.IS_STATIC if sides.is_static else 0)
    )
    if has_extras:
        # They count where any contact of the block is special.
        if is_special(k, a, b, room.bodies.traits, step.materials, step.changes):
            kind |= field.IS_SPECIAL
        dominance = step.materials.dominance
        mass_a = inverse_masses(a, bool(dominance[a] > dominance[b]), rows)
        mass_b = inverse_masses(b, bool(dominance[b] > dominance[a]), rows)
        extras = blocks.extras
        extras[block, field.MASS_AX, lane] = mass_a.x
        extras[block, field.MASS_AY, lane] = mass_a.y
        extras[block, field.INERTIA_A, lane] = mass_a.inertia
        extras[block, field.MASS_BX, lane] = mass_b.x
        extras[block, field.MASS_BY, lane] = mass_b.y
        extras[block, field.INERTIA_B, lane] = mass_b.inertia
        extras[block, field.MEETS_UNMOVED, lane] = 1.0 if sides.is_static else 0.0
        extras[block, field.TANGENT_SPEED, lane] = tangent_speed
        extras[block, field.ROLLING_RESISTANCE, lane] = rolling_resistance
        both = mass_a.inertia + mass_b.inertia
        extras[block, field.ROLLING_MASS, lane] = 1.0 / both if both > 0.0 else 0.0
        extras[block, field.ROLLING_IMPULSE, lane] = 0.0
    blocks.lane_kinds[block, lane] = kind


@inlined_scalar
def _bounded(number: float) -> Any:
    """The number, within the bounds of single precision."""
    return smaller(larger(number, -field.LARGEST), field.LARGEST)


@inlined_scalar
def _is_alone(k: int, a: int, b: int, contacts: field.ContactRows, room: body.BodyRoom) -> bool:
    """Whether contact k is the only one of both bodies, and did not press in the last step: they act on each other when
    they meet."""
    impulses = contacts.points.impulses
    links_a = room.links[a]
    links_b = room.links[b]
    return bool(
        (links_a & (links_a - 1) == 0)
        & (links_b & (links_b - 1) == 0)
        & (impulses[k, NORMAL_IMPULSES] + impulses[k, NORMAL_IMPULSES + 1] == 0.0)
    )


@inlined_scalar
def blended(before: float, now: float, part: float) -> float:
    """The force to keep, if only a ``part`` of the one ``now`` counts."""
    return now if part == 1.0 else before + part * (now - before)


@scalar
def keep_impulses(step: field.SolverStep, room: field.SolverRoom, h: float) -> None:
    """Write the impulses of the contacts back as forces, for the next step to begin with, and their totals
    over the substeps, of h seconds. A contact that is not solved has none then, but one of sleepers keeps its own.

    Lists the contacts that rise: their normal impulse exceeds _RISING times the impulse of a last step as long, and
    changes their relative speed by a part of ``strike_speed``. Invariant: every strike has a contact that rises.
    """
    blocks, places = room.blocks, room.places
    least_rise = _LEAST_RISE * step.strike_speed
    least_growth = _RISING * step.load_growth
    rate = 1.0 / h
    part = kept_part(h)
    totals = step.contacts.points.totals
    impulses = step.contacts.points.impulses
    rising = 0
    for k in range(index(step.contact_count)):
        place = int(places.places[k]) + 0
        if place >= 0:
            place = index(place)
            block = place // LANES
            lane = place % LANES
            sums = blocks.totals[block]
            second = (
                sums[field.NORMAL_TOTAL + 1, lane] if blocks.lane_kinds[block, lane] & field.HAS_TWO_POINTS else 0.0
            )
            normal_total = sums[field.NORMAL_TOTAL, lane] + second
            old = totals[k, told.NORMAL_TOTAL]
            places.before[k, field.OLD_NORMAL] = old
            places.before[k, field.OLD_TANGENT] = totals[k, told.TANGENT_TOTAL]
            places.before[k, field.MET_SPEED] = sums[field.MEETING_SPEED, lane]
            totals[k, told.NORMAL_TOTAL] = normal_total
            totals[k, told.TANGENT_TOTAL] = sums[field.TANGENT_TOTAL, lane]
            # Few contacts rise: the masses of most need not be read.
            rises = normal_total > least_growth * old
            if rises and normal_total > least_rise * load(blocks.constants, block, field.NORMAL_MASS, lane):
                places.rising[rising] = k
                rising += 1
            for p in range(2):
                normal = rate * blocks.doubles[block, field.NORMAL_IMPULSE + field.POINT_IMPULSES * p, lane]
                tangent = rate * blocks.doubles[block, field.TANGENT_IMPULSE + field.POINT_IMPULSES * p, lane]
                impulses[k, NORMAL_IMPULSES + p] = blended(impulses[k, NORMAL_IMPULSES + p], normal, part)
                impulses[k, TANGENT_IMPULSES + p] = blended(impulses[k, TANGENT_IMPULSES + p], tangent, part)
        elif place == field.NO_PLACE:
            places.before[k, field.OLD_NORMAL] = totals[k, told.NORMAL_TOTAL]
            places.before[k, field.OLD_TANGENT] = totals[k, told.TANGENT_TOTAL]
            totals[k, told.NORMAL_TOTAL] = 0.0
            totals[k, told.TANGENT_TOTAL] = 0.0
            for p in range(2):
                impulses[k, NORMAL_IMPULSES + p] = 0.0
                impulses[k, TANGENT_IMPULSES + p] = 0.0
    places.starts[field.RISING_COUNT] = rising
