"""Contacts as the solver reads them: in blocks of LANES contacts. No two contacts of a block move the same body.

A block has its numbers field by field, each for all lanes. Coordinates are in the contact's frame: along its normal n,
from body a to body b, and its tangent t = (n_y, −n_x). An *arm* is the lever arm r × n or r × t of a point, r being
its place seen from a's centre of mass; the arm of b has the contact's offset on top, for all points alike. So the
velocity of b's point relative to a's is, along n,

    (v_b − v_a) · n + ω_b (r_b × n) − ω_a (r_a × n)

and the separation changes by the same with movements in place of velocities.

Normal and arms stay as they are during a step. If both bodies can be moved, they are taken at the middle of the step
(:mod:`~ecsphys.engine.dynamics.contacts.contact_preparing`). Body a is one that the contact moves: where only one of
the two is, it is that one, whichever comes first in the contact table. So arms of a are no longer than it is large, and
b may be a floor whose centre is far away.

Passes read all blocks, twice in each substep: each byte counts. What stays as it is during a step is in single
precision, and computed with in double: an impulse acts on both bodies along the same normal, so momentum is exact, and
angular momentum as good as arms are. Normals, velocities, movements and impulses are in double precision: what slides
stays in its direction. What one point needs comes first, and what only the relaxing pass needs is apart. Two points
take 304 bytes of constants a block, 192 of doubles and 128 of totals; one point 144, 128 and 96.
"""

from __future__ import annotations

from ecsphys.engine.dynamics.bodies import BodyRoom, BodyRows
from ecsphys.engine.dynamics.contacts.materials import ContactChanges, Materials, MixingRules
from ecsphys.engine.hits.contact_table import ContactPoints
from ecsphys.engine.kernels import NamedTuple, arrays, packed
from ecsphys.engine.math.lanes import LANES

# Columns of the rows of bodies of a block: from here on, a lane each.
ROW_A, ROW_B = 0, LANES
ROW_COLUMNS = 2 * LANES

# Constants of a contact.
OFFSET_NORMAL, OFFSET_TANGENT, FRICTION = range(3)
# Constants of its first point; the constants of the second follow. The last is how much a change of its normal impulse
# changes the tangent impulse that it needs: the relative velocity that one adds along the other, times the mass there.
ARM_NORMAL, ARM_TANGENT, SEPARATION, NORMAL_MASS, TANGENT_MASS, OWN_NORMAL_ON_TANGENT = range(3, 9)
POINT_CONSTANTS = 6
# The same of an impulse of the first point on one of the second; but the third is of the second point on the first.
NORMAL_ON_NORMAL, NORMAL_ON_TANGENT, BACK_ON_TANGENT, TANGENT_ON_TANGENT = range(15, 19)
CONSTANTS = 19

# What contacts are read with, in place of masses that are computed then: 1 for a point that is there; 1 for a contact
# that is alone, see ``contact_filling``.
HAS_POINT, IS_ALONE = NORMAL_MASS, TANGENT_MASS

# No constant is larger. So no constant, and no sum of some, is infinite in single precision.
LARGEST = 1e38

# In double precision: the normal, and the impulses of the first point, then of the second.
NORMAL_X, NORMAL_Y, NORMAL_IMPULSE, TANGENT_IMPULSE = range(4)
POINT_IMPULSES = 2
DOUBLES = 6

# Sums of impulses over the substeps: of both points along the tangent, and of each along the normal. Then how fast the
# surfaces meet, before they push each other.
TANGENT_TOTAL, NORMAL_TOTAL, MEETING_SPEED = 0, 1, 3
TOTALS = 4

# Fields that only special contacts have: inverse masses that differ from the bodies' own, whether a moving body meets
# an unmoved one, how fast surfaces run past each other, and rolling.
MASS_AX, MASS_AY, INERTIA_A, MASS_BX, MASS_BY, INERTIA_B, MEETS_UNMOVED, TANGENT_SPEED = range(8)
ROLLING_RESISTANCE, ROLLING_MASS, ROLLING_IMPULSE = range(8, 11)
EXTRAS = 11

# Columns of contacts that may bounce: the place; the restitution; the relative acceleration of the bodies along the
# normal; the separations of both points at the start of the step, and whether the solver sees others; and how many
# contacts bounce as one, from this one on, or 0 if this one bounces with an earlier one.
BOUNCE_PLACE, BOUNCE_RESTITUTION, BOUNCE_ACCELERATION, BOUNCE_SEPARATION, BOUNCE_IS_HIDDEN = 0, 1, 2, 3, 5
BOUNCE_GROUP = 6
BOUNCE_COLUMNS = 7

# Bits of the kind of a contact; a block has the bits of all its contacts. If its contacts are not special, all of them
# are with unmoved bodies, or none.
IS_SPECIAL, HAS_TWO_POINTS, IS_ELASTIC, IS_STATIC = 1, 2, 4, 8
# Of a block only: some of its contacts may strike with two points at once.
IS_STRIKING = 16

# Colours; what finds none is in the last group, of blocks with one contact each.
COLORS = 32
GROUPS = COLORS + 1

# Numbers of starts.
BLOCK_COUNT, ANY_SPECIAL, RISING_COUNT = GROUPS, GROUPS + 1, GROUPS + 2
PLACE_NUMBERS = GROUPS + 3

# Columns of numbers from before the solve: the impulses of the last step along normal and tangent, and how fast the
# surfaces met in this step, before they pushed each other.
OLD_NORMAL, OLD_TANGENT, MET_SPEED = range(3)
OLD_COLUMNS = 3


@packed
class ContactRows(NamedTuple):
    """The contacts to solve, a row each, as the contact table has them: the slots (m, 2) of their colliders, the normal
    (m, 2) from the first to the second, and their points."""

    pairs: arrays.Int32Rows
    normals: arrays.Float64Rows
    points: ContactPoints


# The places of contacts that are not solved: if two bodies do not act on each other; and if both sleep, so that neither
# moves, and their impulses stay as they are.
NO_PLACE, UNMOVED_PLACE = -1, -2


@packed
class ContactBlocks(NamedTuple):
    """Blocks of contacts: ``rows`` (k, ROW_COLUMNS) of their bodies, ``lane_kinds`` (k, LANES), ``kinds`` (k,); then
    their numbers (k, fields, LANES), which begin with a cache line: CONSTANTS, DOUBLES, TOTALS, EXTRAS."""

    rows: arrays.Int32Rows
    lane_kinds: arrays.Uint8Rows
    kinds: arrays.Uint8s
    constants: arrays.Float32Blocks
    doubles: arrays.Float64Blocks
    totals: arrays.Float64Blocks
    extras: arrays.Float64Blocks


@packed
class ContactPlaces(NamedTuple):
    """Where contacts are in the blocks: ``places`` (m,), block · LANES + lane of each, or why it has none.

    ``starts`` (PLACE_NUMBERS,): the first block of each colour, then of contacts without one; the number of blocks;
    whether there is any special contact; and how many contacts rise. ``counts`` (2, GROUPS) is scratch space.
    ``bounces`` (m, BOUNCE_COLUMNS): the contacts that may bounce, in their order. ``before`` (m, OLD_COLUMNS).
    ``rising`` (m,): the contacts whose impulse clearly exceeds the last step's, in their order.
    """

    places: arrays.Int32s
    starts: arrays.Int32s
    counts: arrays.Int64Rows
    bounces: arrays.Float64Rows
    before: arrays.Float64Rows
    rising: arrays.Int32s


class SolverSettings(NamedTuple):
    """How a step is solved: seconds; substeps; frequency in Hz and damping ratio of the springs that overlaps are, and
    the most speed at which they push apart.

    No spring is stiffer than 7.5 Hz for each substep. Stiffer ones carry higher columns: with 30 Hz, a column of twenty
    boxes leans within seconds; with 60 Hz, at eight substeps, it stands.
    """

    dt: float
    substeps: int
    contact_hertz: float
    damping_ratio: float
    push_speed: float


class SolverStep(NamedTuple):
    """A step to solve: the first ``contact_count`` contacts, and the first ``body_count`` bodies.

    ``resting`` (m,) marks contacts of bodies that do not move; without numbers if none are known. ``body_of``: the row
    of the body of each collider, −1 for none. Then materials and how they mix; what the game has changed; the speed
    from which on surfaces bounce; the least change of speed that is a strike; and the length of the step by the length
    of the last one.
    """

    contacts: ContactRows
    contact_count: int
    rows: BodyRows
    body_count: int
    settings: SolverSettings
    resting: arrays.Uint8s
    body_of: arrays.Int32s
    materials: Materials
    rules: MixingRules
    changes: ContactChanges
    bounce_threshold: float
    strike_speed: float
    load_growth: float


class SolverRoom(NamedTuple):
    """The solver's own: of bodies, and the blocks that contacts have places in."""

    bodies: BodyRoom
    blocks: ContactBlocks
    places: ContactPlaces
