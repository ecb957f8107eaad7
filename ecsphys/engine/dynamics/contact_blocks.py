"""Contacts as the solver reads them: in blocks of LANES, of which no two contacts move the same body.

A block has its numbers field by field, each for all lanes. Coordinates are those of the contact: along its normal n,
from body a to body b, and its tangent t = (n_y, −n_x). An *arm* is the lever arm r × n or r × t of a point, r being
its place seen from a's centre of mass; that of b has the contact's offset on top, for all points alike. So the velocity
of b's point relative to a's is, along n,

    (v_b − v_a) · n + ω_b (r_b × n) − ω_a (r_a × n)

and the separation changes by the same with movements in place of velocities.

Normal and arms stay as they are during a step. Of two bodies that can both be moved they are those of its middle
(:mod:`~ecsphys.engine.dynamics.contact_frame`).
"""

from __future__ import annotations

from typing import NamedTuple

from ecsphys.engine.contacts.contact_points import ContactPoints
from ecsphys.engine.kernels.array_types import Float64Blocks, Float64Rows, Int32Rows, Int32s, Int64Rows, Uint8s
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.vectors.lanes import LANES

# Columns of the rows of bodies of a block: from here on, a lane each.
ROW_A, ROW_B = 0, LANES
ROW_COLUMNS = 2 * LANES

# Fields of a contact.
NORMAL_X, NORMAL_Y, OFFSET_NORMAL, OFFSET_TANGENT, FRICTION, TANGENT_SPEED, IS_STATIC, TANGENT_TOTAL = range(8)
# Fields of its first point; those of the second follow.
ARM_NORMAL, ARM_TANGENT, SEPARATION, NORMAL_MASS, TANGENT_MASS, NORMAL_IMPULSE, TANGENT_IMPULSE, NORMAL_TOTAL = range(
    8, 16
)
POINT_FIELDS = 8
FIELDS = 24

# Fields that only special contacts have: inverse masses where they are not simply those of the bodies, and rolling.
MASS_AX, MASS_AY, INERTIA_A, MASS_BX, MASS_BY, INERTIA_B, ROLLING_RESISTANCE, ROLLING_MASS, ROLLING_IMPULSE = range(9)
EXTRA_FIELDS = 9

# Columns of what may bounce: its place; the speed at which each of its two points leaves the other surface, 0 for none;
# the relative acceleration of the bodies along the normal; and to the middle of the step, b's movement past a and the
# share of it.
BOUNCE_PLACE, BOUNCE_SPEED, BOUNCE_ACCELERATION, BOUNCE_X, BOUNCE_Y, BOUNCE_SHARE = 0, 1, 3, 4, 5, 6
BOUNCE_COLUMNS = 8

# Bits of the kind of a block: whether any of its contacts is special, has two points, or may bounce.
IS_SPECIAL, HAS_TWO_POINTS, IS_ELASTIC = 1, 2, 4

# Colours; what finds none is in the last group, of blocks with one contact each.
COLORS = 32
GROUPS = COLORS + 1

# Numbers of starts.
BLOCK_COUNT, ANY_SPECIAL = GROUPS, GROUPS + 1
PLACE_NUMBERS = GROUPS + 2


@packed
class ContactRows(NamedTuple):
    """The contacts to solve, a row each, as the contact table has them: the slots (m, 2) of their colliders, the normal
    (m, 2) from the first to the second, and their points."""

    pairs: Int32Rows
    normals: Float64Rows
    points: ContactPoints


# The places of contacts that are not solved: of two bodies that do not act on each other; and of two of which nothing
# moves, as both sleep, whose impulses stay as they are.
NO_PLACE, UNMOVED_PLACE = -1, -2


@packed
class ContactBlocks(NamedTuple):
    """Blocks of contacts: which there are (k, LANES), −1 for none; ``rows`` (k, ROW_COLUMNS) of their bodies, ``kinds``
    (k,), and their numbers (k, fields, LANES): ``numbers`` has FIELDS, and begins with a cache line, ``extras``
    EXTRA_FIELDS."""

    contacts: Int32Rows
    rows: Int32Rows
    kinds: Uint8s
    numbers: Float64Blocks
    extras: Float64Blocks


@packed
class ContactPlaces(NamedTuple):
    """Where contacts are in the blocks: ``places`` (m,), block · LANES + lane of each, or why it has none.

    ``starts`` (PLACE_NUMBERS,): the first block of each colour, of what has none, and the number of blocks; then
    whether there is any special contact. ``counts`` (2, GROUPS) is scratch space. ``bounces`` (m, BOUNCE_COLUMNS): the
    contacts that may bounce, in their order.
    """

    places: Int32s
    starts: Int32s
    counts: Int64Rows
    bounces: Float64Rows
