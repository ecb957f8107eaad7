"""The mover of one move: its colliders, the solids near it, and what its casts find, in arrays kept from move to move.

The shapes are *rows* of one table: first the mover's colliders, then a disc, a place for one more solid, and the solids
near the mover. A solid outside the *region* they were gathered in is not seen. A cast that leaves it notes so in
``STATUS``; then all that the move has found is void, and it is made again in a larger one.
"""

from __future__ import annotations

from typing import NamedTuple

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import Box
from ecsphys.engine.kernels.array_types import Float64Blocks, Float64Rows, Float64s, Int64Rows, Int64s, Uint8s
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import scalar

# Numbers of a mover's state. X, Y: how far it has been shifted so far. SKIN: the distance that it should keep;
# ROUNDING: the error of floats where it is; SIZE: the smaller side of the box round it, which is at OWN_BOX
# before any shift. REGION: the box in which solids were gathered; WANTED: what a cast needed instead. STEPPED: how high
# it climbed by steps. SUPPORT, FLOOR: the solids it walks on and stands on, see :class:`Support`. PLANES: the normals
# of the planes along which it slides. WALLS: the wall within reach to the left of up, and that to the right, contacts
# whose entity is −1 for none. WAY: the displacement with which it runs into solids; CARRY: its carrier's.
X, Y, SKIN, ROUNDING, SIZE, STEPPED = 0, 1, 2, 3, 4, 5
OWN_BOX, REGION, WANTED = 6, 10, 14
SUPPORT, FLOOR = 18, 24
PLANES = 30
WALLS = 42
WAY, CARRY = 52, 54
STATE_NUMBERS = 56

# Counts of a mover's state. FOUND: impacts in each of two tables; CONTACTS: contacts in each of three lists; LANDED:
# how many planes are below it where it comes down, and HIGHEST: which of them it lands on.
COLLIDERS, ROWS, STATUS, NEEDED, FOUND, CONTACTS = 0, 1, 2, 3, 4, 6
ON_FLOOR, ON_WALL, ON_CEILING, SNAPPED = 9, 10, 11, 12
LANDED, HIGHEST = 13, 14
COUNTS = 15

# What STATUS may be.
FINE, LEFT_REGION, NO_ROWS, NO_IMPACTS, NO_CONTACTS = 0, 1, 2, 3, 4

# Columns of the rows' numbers and bounds. PASSES: 1 for a solid that is not in the way. A solid's ONE_WAY is the normal
# from which it blocks, NaN if it does from everywhere; the mover's colliders have their position there.
SLOT, ENTITY, PASSES = 0, 1, 2
ROW_NUMBERS = 3
BOX_MIN_X, BOX_MIN_Y, BOX_MAX_X, BOX_MAX_Y, ONE_WAY, POSITION = 0, 1, 2, 3, 4, 4
ROW_BOUNDS = 6

# Columns of an impact: the row of the solid, the result of a cast, and the row of the mover's collider. The normal is
# towards the solid.
SOLID, FRACTION, GAP, NORMAL, POINT, COLLIDER = 0, 1, 2, 3, 5, 7
IMPACT_COLUMNS = 8

# Columns of a plane: see ``slide.find_planes``.
STOP, TOUCHING_AT, APPROACH, IMPACT, PLANE_NORMAL = 0, 1, 2, 3, 4
PLANE_COLUMNS = 6

# Columns of a contact (entities are whole numbers below 2^53), and the lists of them: of the move, of a slide, and
# of a slide that may be in vain.
OF_ENTITY, CONTACT_NORMAL, CONTACT_POINT = 0, 1, 3
CONTACT_COLUMNS = 5
OF_MOVE, OF_SLIDE, OF_STEP = 0, 1, 2

# Further columns in a list: the slots of both colliders, the mover's first; bits that tell how they meet,
# IS_TOLD: the move tells the game of the contact, IS_STANDING: the mover stands there; and the way that they came
# nearer along the normal before the mover was blocked.
OWN_SLOT, SOLID_SLOT, HOW, CLOSING = 5, 6, 7, 8
LISTED_COLUMNS = 9
IS_TOLD, IS_STANDING = 1, 2

# The tables of impacts.
AHEAD, ASIDE = 0, 1

# Two normals that differ less are one.
SAME_NORMAL = 1e-6


@packed
class Mover(NamedTuple):
    """The arrays of a move: ``state`` and ``counts``; one row for each collider in ``numbers``, ``bounds``, ``forms``,
    ``positions`` and ``shapes``; two tables of ``impacts``, the ``planes`` made of them, three lists of
    ``contacts``; and ``hulls``, scratch of a cast."""

    state: Float64s
    counts: Int64s
    numbers: Int64Rows
    bounds: Float64Rows
    forms: Uint8s
    positions: Float64Rows
    shapes: Float64Rows
    impacts: Float64Blocks
    planes: Float64Rows
    contacts: Float64Blocks
    hulls: Float64Rows


class Support(NamedTuple):
    """A collider to stand on: its ``slot`` (−1: none), its ``entity``, the normal and the point there."""

    slot: int
    entity: int
    normal_x: float
    normal_y: float
    x: float
    y: float


@scalar
def no_support() -> Support:
    """Nothing."""
    return Support(-1, -1, 0.0, 0.0, 0.0, 0.0)


@scalar
def support_at(numbers: NDArray[float64], first: int) -> Support:
    """What :func:`put_support` has put there."""
    return Support(
        int(numbers[first]),
        int(numbers[first + 1]),
        numbers[first + 2],
        numbers[first + 3],
        numbers[first + 4],
        numbers[first + 5],
    )


@scalar
def put_support(numbers: NDArray[float64], first: int, support: Support) -> None:
    """Write a support to six numbers."""
    numbers[first] = support.slot
    numbers[first + 1] = support.entity
    numbers[first + 2] = support.normal_x
    numbers[first + 3] = support.normal_y
    numbers[first + 4] = support.x
    numbers[first + 5] = support.y


@scalar
def box_now(mover: Mover) -> Box:
    """The box round the mover where it is now."""
    state = mover.state
    x, y = state[X], state[Y]
    return Box(state[OWN_BOX] + x, state[OWN_BOX + 1] + y, state[OWN_BOX + 2] + x, state[OWN_BOX + 3] + y)


@scalar
def shift(mover: Mover, x: float, y: float) -> None:
    """Move the mover, whatever is in the way."""
    mover.state[X] += x
    mover.state[Y] += y


@scalar
def fail(mover: Mover, status: int, needed: int) -> None:
    """Note why the move is void, and how many rows of a table it needs; the first reason stays."""
    if mover.counts[STATUS] == FINE:
        mover.counts[STATUS] = status
        mover.counts[NEEDED] = needed


@scalar
def dot(ax: float, ay: float, bx: float, by: float) -> float:
    """a · b."""
    return ax * bx + ay * by


@scalar
def support_of(mover: Mover, table: int, row: int) -> Support:
    """The solid of an impact, as a support."""
    impacts = mover.impacts
    solid = int(impacts[table, row, SOLID])
    return Support(
        mover.numbers[solid, SLOT],
        mover.numbers[solid, ENTITY],
        0.0 - impacts[table, row, NORMAL],
        0.0 - impacts[table, row, NORMAL + 1],
        impacts[table, row, POINT],
        impacts[table, row, POINT + 1],
    )
