"""Pairs of circles, boxes and capsules in blocks of four: their contacts in lanes.

Some pairs at a time are listed, each in the blocks of its kind. A list is no longer than what its blocks need in the
first cache. A pair's *place* is its block and its lane in one number.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from numpy import float64, int32
from numpy.typing import NDArray

from ecsphys.engine.kernels.compilation import inlined_scalar
from ecsphys.engine.kernels.index import index
from ecsphys.engine.manifold.manifold import ContactNumbers
from ecsphys.engine.manifold.round_and_box import box_box, circle_circle, circle_rounded_box, gather_shapes
from ecsphys.engine.math.rounding import TOUCHING
from ecsphys.engine.shapes.layout import BOX, CAPSULE, CIRCLE
from ecsphys.engine.vectors.lanes import ALL_LANES, LANES, absolute, larger, load, smaller, spread, store, where

# How many pairs are listed at a time.
LISTED = 64
_BLOCKS_OF_KIND = LISTED // LANES

# Kinds of pairs. The last are computed one by one.
_CIRCLES, _CIRCLE_AND_BOX, _BOXES, OTHERS = range(4)
KINDS = 4
OTHERS_FROM = OTHERS * LISTED

# Fields of a block. From the first shape's position to the second's, and how far apart contacts are looked for. Then a
# contact's row and the kept data of its points, as ``find_contacts`` writes them, but with the normal from first to
# second and points relative to the first's position; and 1 if this is sure, else 0.
OFFSET_X, OFFSET_Y, MARGIN, ROW = 0, 1, 2, 3
POINT_ROW = ROW + 8
IS_SURE = POINT_ROW + 4
_FIELDS = IS_SURE + 1

# Columns of chosen shapes, a row for each block.
OF_FIRST, OF_SECOND = 0, LANES

# Of the arrays of PairBlocks.
NUMBERS_SHAPE = KINDS * _BLOCKS_OF_KIND, _FIELDS, LANES
CHOSEN_SHAPE = KINDS * _BLOCKS_OF_KIND, 2 * LANES

# Sizes whose squares and their products are far from over- and underflow; others are scaled.
SQUARABLE_MIN, SQUARABLE_MAX = 1e-60, 1e60


class PairBlocks(NamedTuple):
    """``numbers`` (blocks, fields, LANES), the ``chosen`` shapes (blocks, 2 · LANES), how many pairs of each kind there
    are in ``counts`` (kinds,), and the ``places`` (LISTED,) of all in their order."""

    numbers: NDArray[float64]
    chosen: NDArray[int32]
    counts: NDArray[int32]
    places: NDArray[int32]


@inlined_scalar
def begin_list(blocks: PairBlocks) -> None:
    """List none."""
    for kind in range(KINDS):
        blocks.counts[kind] = 0


class PairListed(NamedTuple):
    """A pair of shapes, the lower form first: its kind, from position to position, and how far apart they may be."""

    first: int
    second: int
    kind: int
    x: float
    y: float
    margin: float


@inlined_scalar
def kind_of(form_a: int, form_b: int) -> int:
    """The kind of a pair, the lower form first."""
    if form_a == CIRCLE and form_b <= CAPSULE:
        return _CIRCLES if form_b == CIRCLE else _CIRCLE_AND_BOX
    return _BOXES if form_b == BOX else OTHERS


@inlined_scalar
def list_pair(number: int, pair: PairListed, blocks: PairBlocks) -> None:
    """List the next pair, as so many were before it."""
    place = index(pair.kind * LISTED + blocks.counts[pair.kind])
    blocks.counts[pair.kind] += 1
    blocks.places[number] = place
    block = place // LANES
    lane = place % LANES
    blocks.chosen[block, OF_FIRST + lane] = pair.first
    blocks.chosen[block, OF_SECOND + lane] = pair.second
    blocks.numbers[block, OFFSET_X, lane] = pair.x
    blocks.numbers[block, OFFSET_Y, lane] = pair.y
    blocks.numbers[block, MARGIN, lane] = pair.margin


@inlined_scalar
def put_contact(contact: ContactNumbers, block: int, lane: int, blocks: PairBlocks) -> None:
    """Write a contact that was computed by itself."""
    (depth, nx, ny, count, x_0, y_0, x_1, y_1), (apart_0, apart_1, feature_0, feature_1) = contact
    numbers = blocks.numbers
    numbers[block, ROW, lane] = nx
    numbers[block, ROW + 1, lane] = ny
    numbers[block, ROW + 2, lane] = depth
    numbers[block, ROW + 3, lane] = count
    numbers[block, ROW + 4, lane] = x_0
    numbers[block, ROW + 5, lane] = y_0
    numbers[block, ROW + 6, lane] = x_1
    numbers[block, ROW + 7, lane] = y_1
    numbers[block, POINT_ROW, lane] = apart_0
    numbers[block, POINT_ROW + 1, lane] = apart_1
    numbers[block, POINT_ROW + 2, lane] = feature_0
    numbers[block, POINT_ROW + 3, lane] = feature_1


@inlined_scalar
def _fill_up(first: int, end: int, blocks: PairBlocks) -> None:
    """Let the lanes behind the places first … end − 1 that the last block has left have the pair before them."""
    for place in range(end, first + (end - first + LANES - 1) // LANES * LANES):
        block = place // LANES
        lane = place % LANES
        for column in (OF_FIRST, OF_SECOND):
            blocks.chosen[block, column + lane] = blocks.chosen[block, column + lane - 1]
        for field in (OFFSET_X, OFFSET_Y, MARGIN):
            blocks.numbers[block, field, lane] = blocks.numbers[block, field, lane - 1]


@inlined_scalar
def contacts_of_listed(shapes: NDArray[float64], blocks: PairBlocks, lane: int | None) -> None:
    """Compute the contacts of all that is listed but the others: depth −inf where the two are ``margin`` or more
    apart.

    In ALL_LANES at once, else one after the other.
    """
    _contacts_of_kind(_CIRCLES, shapes, blocks, lane)
    _contacts_of_kind(_CIRCLE_AND_BOX, shapes, blocks, lane)
    _contacts_of_kind(_BOXES, shapes, blocks, lane)


@inlined_scalar
def _contacts_of_kind(kind: int, shapes: NDArray[float64], blocks: PairBlocks, lane: int | None) -> None:
    first = index(kind * LISTED)
    end = first + index(blocks.counts[kind])
    if lane is None:
        _fill_up(first, end, blocks)
        for block in range(first // LANES, (end + LANES - 1) // LANES):
            _contact(kind, block, ALL_LANES, shapes, blocks)
    else:
        for place in range(first, end):
            _contact(kind, place // LANES, place % LANES, shapes, blocks)


@inlined_scalar
def _contact(kind: int, block: int, lane: Any, shapes: NDArray[float64], blocks: PairBlocks) -> None:
    """Compute the contact of the pair in a lane of a block, or in all lanes."""
    numbers = blocks.numbers
    a = gather_shapes(shapes, blocks.chosen, block, OF_FIRST, lane)
    b = gather_shapes(shapes, blocks.chosen, block, OF_SECOND, lane)
    # From centre to centre, in the frame of A's: positions far from the world's origin cost no precision.
    dx = load(numbers, block, OFFSET_X, lane) + (b.cx - a.cx)
    dy = load(numbers, block, OFFSET_Y, lane) + (b.cy - a.cy)
    margin = load(numbers, block, MARGIN, lane)
    zero = spread(0.0, lane)
    size_a = a.extent + absolute(a.cx) + absolute(a.cy)
    size_b = b.extent + absolute(b.cx) + absolute(b.cy)
    both = size_a + size_b
    beside = larger(absolute(dy), absolute(dx))
    slop = spread(TOUCHING, lane) * larger(beside, both)
    if kind == _CIRCLES:
        is_sure, (row, points) = circle_circle(dx, dy, a.radius, b.radius, margin, lane)
    elif kind == _CIRCLE_AND_BOX:
        is_sure, (row, points) = circle_rounded_box(dx, dy, a.radius, b, slop, margin, lane)
    else:
        is_sure, (row, points) = box_box(a, b, dx, dy, slop, smaller(size_b, size_a), margin, lane)
    depth, nx, ny, count, x_0, y_0, x_1, y_1 = row
    apart_0, apart_1, feature_0, feature_1 = points
    is_sure = where(both > spread(SQUARABLE_MIN, lane), is_sure, zero)
    is_sure = where(both < spread(SQUARABLE_MAX, lane), is_sure, zero)
    is_within = beside < both + margin
    store(numbers, block, ROW, lane, nx)
    store(numbers, block, ROW + 1, lane, ny)
    store(numbers, block, ROW + 2, lane, where(is_within, depth, spread(-math.inf, lane)))
    store(numbers, block, ROW + 3, lane, count)
    store(numbers, block, ROW + 4, lane, a.cx + x_0)
    store(numbers, block, ROW + 5, lane, a.cy + y_0)
    store(numbers, block, ROW + 6, lane, a.cx + x_1)
    store(numbers, block, ROW + 7, lane, a.cy + y_1)
    store(numbers, block, POINT_ROW, lane, apart_0)
    store(numbers, block, POINT_ROW + 1, lane, apart_1)
    store(numbers, block, POINT_ROW + 2, lane, feature_0)
    store(numbers, block, POINT_ROW + 3, lane, feature_1)
    store(numbers, block, IS_SURE, lane, where(is_within, is_sure, spread(1.0, lane)))
