"""Which contacts may be solved side by side: a colouring of the graph whose edges are contacts and nodes bodies.

Each contact gets, in the order of the table, the first colour that neither of its bodies has at another contact
(greedy, with a bit for each colour). Bodies that cannot be moved have no say. The order of the table is kept as far as
colours allow: contacts are solved in their order. So the same contacts have the same colours in each step, and
whatever solves them, in lanes or threads, gets the same bits.

Inside a colour, contacts with two points come first, for the sake of blocks where all have one.
"""

from __future__ import annotations

import math

from ecsphys.engine.dynamics.bodies import INVERSE_INERTIA, INVERSE_MASS, IS_TOUCHED, LOCK_X, LOCK_Y, BodyRows
from ecsphys.engine.dynamics.contacts import contact_blocks as field
from ecsphys.engine.dynamics.contacts.contact_blocks import ContactPlaces, ContactRows, SolverRoom, SolverStep
from ecsphys.engine.dynamics.contacts.materials import ROLLING_RESISTANCE, TANGENT_SPEED, ContactChanges, Materials
from ecsphys.engine.kernels import Uint8s, index, inlined_scalar, lowest_bit, scalar
from ecsphys.engine.manifold.manifold import NO_FEATURE
from ecsphys.engine.vectors.lanes import LANES

# Colours of contacts with immovable bodies begin here: they are solved after contacts of two movable bodies.
_FIRST_STATIC = 20
_MOVABLE_COLORS = (1 << _FIRST_STATIC) - 1
_STATIC_COLORS = (1 << field.COLORS) - 1 - _MOVABLE_COLORS

# Bits of traits of a body: impulses move it; its contacts are special; it has dominance, so that some of them may be.
IS_MOVABLE, IS_PARTICULAR, HAS_DOMINANCE = 1, 2, 4


@inlined_scalar
def is_movable(row: int, rows: BodyRows) -> bool:
    """Whether impulses move a body."""
    return bool((rows.bodies[row, INVERSE_MASS] != 0.0) | (rows.bodies[row, INVERSE_INERTIA] != 0.0))


@inlined_scalar
def _act_on_each_other(k: int, a: int, b: int, contacts: ContactRows, changes: ContactChanges) -> bool:
    """Whether contact k is one of two bodies that may push each other, and has a point."""
    if a < 0 or b < 0 or a == b or contacts.points.features[k, 0] == NO_FEATURE:
        return False
    return changes.is_vetoed.shape[0] == 0 or bool(changes.is_vetoed[k] == 0)


@inlined_scalar
def _traits_of(i: int, rows: BodyRows, materials: Materials) -> int:
    """The traits of body i."""
    surfaces = materials.surfaces
    is_particular = (
        (rows.locks[i] & (LOCK_X | LOCK_Y) != 0)
        | (surfaces[i, ROLLING_RESISTANCE] > 0.0)
        | (surfaces[i, TANGENT_SPEED] != 0.0)
    )
    return (
        (IS_MOVABLE if is_movable(i, rows) else 0)
        | (IS_PARTICULAR if is_particular else 0)
        | (HAS_DOMINANCE if materials.dominance[i] != 0 else 0)
    )


@inlined_scalar
def is_special(k: int, a: int, b: int, traits: Uint8s, materials: Materials, changes: ContactChanges) -> bool:
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
def color_contacts(step: SolverStep, room: SolverRoom) -> int:
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
        links[a] |= 1 << color if moves_a else IS_TOUCHED
        links[b] |= 1 << color if moves_b else IS_TOUCHED
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
def _class_of(k: int, color: int, contacts: ContactRows) -> int:
    """0 for contacts that come first in a colour, those with two points; 1 for others. Without a colour all are one."""
    return 1 if color < field.COLORS and contacts.points.features[k, 1] == NO_FEATURE else 0


@inlined_scalar
def _place_contacts(count: int, contacts: ContactRows, places: ContactPlaces) -> int:
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
