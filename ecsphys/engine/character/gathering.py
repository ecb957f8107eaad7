"""Laying out a mover and the solids near it, once a move."""

from __future__ import annotations

import math
from typing import NamedTuple

from numpy import int32, int64
from numpy.typing import NDArray

from ecsphys.engine.broadphase.cells import MAX_X, MAX_Y, MIN_X, MIN_Y, Box
from ecsphys.engine.character.mover import (
    BOX_MAX_X,
    BOX_MAX_Y,
    BOX_MIN_X,
    BOX_MIN_Y,
    CARRY,
    COLLIDERS,
    CONTACT_COLUMNS,
    CONTACTS,
    ENTITY,
    FINE,
    NO_ROWS,
    OF_MOVE,
    ON_CEILING,
    ON_FLOOR,
    ON_WALL,
    ONE_WAY,
    OWN_BOX,
    PASSES,
    POSITION,
    REGION,
    ROUNDING,
    ROWS,
    SIZE,
    SKIN,
    SLOT,
    SNAPPED,
    STATUS,
    STEPPED,
    SUPPORT,
    WALLS,
    WAY,
    Mover,
    X,
    Y,
    fail,
    no_support,
    put_support,
)
from ecsphys.engine.character.solid_casts import disc_row, first_solid, spare_row
from ecsphys.engine.character.solid_world import Solids, is_solid, may_block, one_way_normal
from ecsphys.engine.kernels.array_types import Float64Rows, Int32Rows, Int64s
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.math.sorted_numbers import sort_numbers
from ecsphys.engine.shapes.layout import ALONG_X, ALONG_Y, CIRCLE, EXTENT, RADIUS, SHAPE_COLUMNS
from ecsphys.engine.shapes.segment import front_normal
from ecsphys.engine.tables.collider_slots import PRESENT

# What movers keep between themselves and solids, as a part of the smaller side of the box round the mover: far above
# the rounding of tiles' positions, far below what is seen.
_SKIN = 1e-4

# Far from the world's origin, coordinates themselves are coarser than that.
_ROUNDINGS = 64.0 * 2.0**-52

# Of a key to sort by: those of the slot, below those of its rank.
_SLOT_BITS = 31


@packed
class Scratch(NamedTuple):
    """What a move writes to before it is used.

    ``pairs`` are for searches in grids, ``keys`` for sorting. ``moved`` solids, their ``poses`` then and now, and the
    ways of those that push. ``dropped``: the one-way entities through which the mover is dropping.
    """

    pairs: Int32Rows
    keys: Int64s
    moved: Int64s
    poses: Float64Rows
    pushers: Float64Rows
    dropped: Int64s


@scalar
def set_mover(mover: Mover, solids: Solids, first: int, following: NDArray[int32]) -> None:
    """Begin a move: lay out the colliders of an entity, a list from the ``first`` slot to the ``following`` ones; but
    for sensors, which block nothing."""
    state, counts = mover.state, mover.counts
    numbers, bounds, boxes = mover.numbers, mover.bounds, solids.boxes
    counts[STATUS] = FINE
    counts[ON_FLOOR] = counts[ON_WALL] = counts[ON_CEILING] = counts[SNAPPED] = 0
    counts[CONTACTS + OF_MOVE] = 0
    state[X] = state[Y] = state[STEPPED] = 0.0
    state[WAY] = state[WAY + 1] = state[CARRY] = state[CARRY + 1] = 0.0
    state[WALLS] = state[WALLS + CONTACT_COLUMNS] = -1.0
    put_support(state, SUPPORT, no_support())
    min_x = min_y = math.inf
    max_x = max_y = -math.inf
    count = 0
    this = first
    while this >= 0:
        if solids.absence[this] == PRESENT and solids.sensor[this] == 0:
            if count < numbers.shape[0]:
                numbers[count, SLOT] = this
                bounds[count, BOX_MIN_X] = boxes[this, MIN_X]
                bounds[count, BOX_MIN_Y] = boxes[this, MIN_Y]
                bounds[count, BOX_MAX_X] = boxes[this, MAX_X]
                bounds[count, BOX_MAX_Y] = boxes[this, MAX_Y]
                bounds[count, POSITION] = solids.positions[this, ALONG_X]
                bounds[count, POSITION + 1] = solids.positions[this, ALONG_Y]
                _put_shape(mover, solids, count, this)
                min_x, min_y = min(min_x, bounds[count, BOX_MIN_X]), min(min_y, bounds[count, BOX_MIN_Y])
                max_x, max_y = max(max_x, bounds[count, BOX_MAX_X]), max(max_y, bounds[count, BOX_MAX_Y])
            count += 1
        this = int(following[this]) + 0
    counts[COLLIDERS] = count
    counts[ROWS] = count + 2
    if count + 2 > numbers.shape[0]:
        counts[COLLIDERS] = 0
        counts[ROWS] = 2
        fail(mover, NO_ROWS, count + 2)
    state[OWN_BOX] = min_x
    state[OWN_BOX + 1] = min_y
    state[OWN_BOX + 2] = max_x
    state[OWN_BOX + 3] = max_y
    state[ROUNDING] = _ROUNDINGS * max(-min_x, -min_y, max_x, max_y)
    state[SIZE] = min(max_x - min_x, max_y - min_y)
    state[SKIN] = max(_SKIN * state[SIZE], state[ROUNDING])
    disc = disc_row(mover)
    mover.forms[disc] = CIRCLE
    for column in range(SHAPE_COLUMNS):
        mover.shapes[disc, column] = 0.0
    mover.shapes[disc, RADIUS] = state[SKIN]
    mover.shapes[disc, EXTENT] = state[SKIN]


@scalar
def _put_shape(mover: Mover, solids: Solids, row: int, slot: int) -> None:
    """Copy the shape of a collider to a row."""
    mover.forms[row] = solids.forms[slot]
    for column in range(2):
        mover.positions[row, column] = solids.positions[slot, column]
    for column in range(SHAPE_COLUMNS):
        mover.shapes[row, column] = solids.shapes[slot, column]


@scalar
def put_solid(mover: Mover, solids: Solids, row: int, slot: int) -> None:
    """Copy a solid to a row."""
    numbers, bounds, boxes = mover.numbers, mover.bounds, solids.boxes
    numbers[row, SLOT] = slot
    numbers[row, ENTITY] = solids.entity[slot]
    numbers[row, PASSES] = 0
    bounds[row, BOX_MIN_X] = boxes[slot, MIN_X]
    bounds[row, BOX_MIN_Y] = boxes[slot, MIN_Y]
    bounds[row, BOX_MAX_X] = boxes[slot, MAX_X]
    bounds[row, BOX_MAX_Y] = boxes[slot, MAX_Y]
    normal_x, normal_y = one_way_normal(solids, slot)
    if normal_x != normal_x:
        normal_x, normal_y = front_normal(int(solids.forms[slot]) + 0, solids.shapes, slot, solids.pool)
    bounds[row, ONE_WAY] = normal_x
    bounds[row, ONE_WAY + 1] = normal_y
    _put_shape(mover, solids, row, slot)


@scalar
def put_spare(mover: Mover, solids: Solids, slot: int, back_x: float, back_y: float) -> None:
    """Copy a solid to the spare row, where it was before it moved by ``back``."""
    row = spare_row(mover)
    put_solid(mover, solids, row, slot)
    mover.positions[row, ALONG_X] = solids.positions[slot, ALONG_X] - back_x
    mover.positions[row, ALONG_Y] = solids.positions[slot, ALONG_Y] - back_y


@scalar
def set_region(mover: Mover, region: Box) -> None:
    """Note in which region the solids are known."""
    state = mover.state
    state[REGION] = region.min_x
    state[REGION + 1] = region.min_y
    state[REGION + 2] = region.max_x
    state[REGION + 3] = region.max_y


@scalar
def put_solids(mover: Mover, solids: Solids, keys: NDArray[int64], found: int, entity: int, filter_row: int) -> None:
    """Lay out those of some colliders that may stand in an entity's way, in the public order of colliders.

    Which slots they have depends on the past, as on a restored snapshot, and must not decide between equals.
    """
    row = first_solid(mover)
    if row + found > mover.numbers.shape[0]:
        fail(mover, NO_ROWS, row + found)
        found = 0
    for k in range(found):
        keys[k] |= int(solids.rank[keys[k]]) << _SLOT_BITS
    sort_numbers(keys, found)
    for k in range(found):
        slot = int(keys[k] & ((1 << _SLOT_BITS) - 1))
        if is_solid(solids, slot) and may_block(solids, slot, entity, filter_row):
            put_solid(mover, solids, row, slot)
            row += 1
    mover.counts[ROWS] = row
