"""Which contacts may be solved side by side: a colouring of the graph whose edges are contacts and nodes bodies.

Each contact gets, in the order of the table, the first colour that neither of its bodies has at another contact
(greedy, with a bit for each colour). Bodies that cannot be moved have no say. The order of the table is kept as far as
colours allow: what is solved first is what comes first. So the same contacts have the same colours in each step, and
whatever solves them, in lanes or threads, gets the same bits.

Inside a colour, contacts with two points come first, for the sake of blocks where all have one.
"""

from __future__ import annotations

from ecsphys.engine.contact.manifold import NO_FEATURE
from ecsphys.engine.dynamics.bodies import INVERSE_INERTIA, INVERSE_MASS, IS_TOUCHED, LOCK_X, LOCK_Y, BodyRoom, BodyRows
from ecsphys.engine.dynamics.contact_blocks import (
    ANY_SPECIAL,
    COLORS,
    GROUPS,
    NO_PLACE,
    UNMOVED_PLACE,
    ContactPlaces,
    ContactRows,
)
from ecsphys.engine.dynamics.materials import ROLLING_RESISTANCE, ContactChanges, Materials
from ecsphys.engine.kernels.array_types import Int32s, Uint8s
from ecsphys.engine.kernels.compilation import inlined_scalar, scalar
from ecsphys.engine.kernels.index import index
from ecsphys.engine.vectors.lanes import LANES

# Colours of contacts with what cannot be moved begin here: they are solved after those between two bodies that can.
_FIRST_STATIC = 20


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
def is_special(a: int, b: int, rows: BodyRows, materials: Materials) -> bool:
    """Whether a contact has extra fields: for locked axes, dominance between two that move, or rolling resistance."""
    surfaces = materials.surfaces
    return bool(
        ((rows.locks[a] | rows.locks[b]) & (LOCK_X | LOCK_Y) != 0)
        | (materials.dominance[a] != materials.dominance[b]) & is_movable(a, rows) & is_movable(b, rows)
        | (surfaces[a, ROLLING_RESISTANCE] > 0.0)
        | (surfaces[b, ROLLING_RESISTANCE] > 0.0)
    )


@inlined_scalar
def _first_free(used: int, first: int, end: int) -> int:
    """The first colour from ``first`` on whose bit is not set; COLORS if there is none before ``end``."""
    color = first
    used >>= first
    while used & 1:
        used >>= 1
        color += 1
    return color if color < end else COLORS


@scalar
def color_contacts(
    contacts: ContactRows,
    count: int,
    body_of: Int32s,
    rows: BodyRows,
    body_count: int,
    materials: Materials,
    changes: ContactChanges,
    resting: Uint8s,
    room: BodyRoom,
    places: ContactPlaces,
) -> int:
    """Give each of the first ``count`` contacts its place in the blocks; returns how many blocks there are.

    ``body_of`` (slots,) has the row of the body of each collider, −1 for one that takes no part. ``resting`` (m,) marks
    contacts of which nothing moves; without numbers where none are known. Notes in ``room`` which of the first
    ``body_count`` bodies have contacts.
    """
    links = room.links
    place_of = places.places
    counts = places.counts
    any_special = False
    for i in range(body_count):
        links[i] = 0
    counts[:] = 0
    knows_resting = resting.shape[0] > 0
    for k in range(count):
        if knows_resting and resting[k] != 0:
            place_of[k] = UNMOVED_PLACE
            continue
        place_of[k] = NO_PLACE
        a = int(body_of[index(contacts.pairs[k, 0])]) + 0
        b = int(body_of[index(contacts.pairs[k, 1])]) + 0
        if not _act_on_each_other(k, a, b, contacts, changes):
            continue
        a = index(a)
        b = index(b)
        moves_a = is_movable(a, rows)
        moves_b = is_movable(b, rows)
        if not moves_a and not moves_b:
            place_of[k] = UNMOVED_PLACE
            continue
        if moves_a and moves_b:
            color = _first_free(links[a] | links[b], 0, _FIRST_STATIC)
        else:
            color = _first_free(links[a] if moves_a else links[b], _FIRST_STATIC, COLORS)
        links[a] |= 1 << color if moves_a else IS_TOUCHED
        links[b] |= 1 << color if moves_b else IS_TOUCHED
        place_of[k] = color
        any_special |= is_special(a, b, rows, materials)
        counts[_class_of(k, color, contacts), color] += 1
    places.starts[ANY_SPECIAL] = any_special
    return _place_contacts(count, contacts, places)


@inlined_scalar
def _class_of(k: int, color: int, contacts: ContactRows) -> int:
    """0 for contacts that come first in a colour, those with two points; 1 for others. Without a colour all are one."""
    return 1 if color < COLORS and contacts.points.features[k, 1] == NO_FEATURE else 0


@inlined_scalar
def _place_contacts(count: int, contacts: ContactRows, places: ContactPlaces) -> int:
    """From the colours of contacts and their counts to places in blocks; returns how many blocks there are."""
    place_of = places.places
    starts = places.starts
    following = places.counts
    block = 0
    for color in range(GROUPS):
        starts[color] = block
        first = following[0, color]
        both = first + following[1, color]
        following[0, color] = LANES * block
        following[1, color] = LANES * block + first
        block += both if color == COLORS else (both + LANES - 1) // LANES
    starts[GROUPS] = block
    for k in range(count):
        color = int(place_of[k]) + 0
        if color < 0:
            continue
        color = index(color)
        rank = _class_of(k, color, contacts)
        place_of[k] = following[rank, color]
        following[rank, color] += LANES if color == COLORS else 1
    return block
