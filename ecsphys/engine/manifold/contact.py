"""Contact of any two placed shapes: which way and how far apart they must move, and where they meet.

Pairs of circles, boxes and capsules are computed in blocks of four, in lanes. Some pairs at a time are listed, each in
the blocks of its kind. A list is no longer than what its blocks need in the first cache. A pair's *place* is its block
and its lane in one number.
"""

from __future__ import annotations

import math
from typing import Any

from numpy import float64, int32, nan
from numpy.typing import NDArray

from ecsphys.engine.kernels import NamedTuple, index, inlined_scalar, kernel, packed, prefetch, scratch
from ecsphys.engine.kernels.arrays import Float64Rows, Int32Rows
from ecsphys.engine.manifold.convex import HULLS_SHAPE, ROUNDING, between_centres, extent, set_pair
from ecsphys.engine.manifold.manifold import NO_CONTACT, ContactNumbers, manifold, separation
from ecsphys.engine.manifold.round_and_box import box_box, circle_circle, circle_rounded_box, gather_shapes
from ecsphys.engine.manifold.wide_fan import wide_fan_contact
from ecsphys.engine.math.lanes import ALL_LANES, LANES, absolute, larger, load, smaller, spread, store, where
from ecsphys.engine.math.rounding import TOUCHING, power_of_two_scale, rounding_slop
from ecsphys.engine.shapes import layout
from ecsphys.engine.shapes.layout import BOX, CAPSULE, CIRCLE, ShapeArrays

# Columns of a contact's row; one row is one cache line.
NORMAL, DEPTH, POINT_COUNT, POINTS = 0, 2, 3, 4
CONTACT_COLUMNS = 8

# Columns of the kept data of a contact's two points.
SEPARATIONS, FEATURES = 0, 2
POINT_COLUMNS = 4

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
def _kind_of(form_a: int, form_b: int) -> int:
    """The kind of a pair, the lower form first."""
    if form_a == CIRCLE and form_b <= CAPSULE:
        return _CIRCLES if form_b == CIRCLE else _CIRCLE_AND_BOX
    return _BOXES if form_b == BOX else OTHERS


@inlined_scalar
def _put_contact(contact: Any, block: int, lane: Any, blocks: PairBlocks) -> None:
    """Write the contact in a lane of a block, or in all lanes."""
    (depth, nx, ny, count, x_0, y_0, x_1, y_1), (apart_0, apart_1, feature_0, feature_1) = contact
    numbers = blocks.numbers
    store(numbers, block, ROW + NORMAL, lane, nx)
    store(numbers, block, ROW + NORMAL + 1, lane, ny)
    store(numbers, block, ROW + DEPTH, lane, depth)
    store(numbers, block, ROW + POINT_COUNT, lane, count)
    store(numbers, block, ROW + POINTS, lane, x_0)
    store(numbers, block, ROW + POINTS + 1, lane, y_0)
    store(numbers, block, ROW + POINTS + 2, lane, x_1)
    store(numbers, block, ROW + POINTS + 3, lane, y_1)
    store(numbers, block, POINT_ROW + SEPARATIONS, lane, apart_0)
    store(numbers, block, POINT_ROW + SEPARATIONS + 1, lane, apart_1)
    store(numbers, block, POINT_ROW + FEATURES, lane, feature_0)
    store(numbers, block, POINT_ROW + FEATURES + 1, lane, feature_1)


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
def _contacts_of_kind(kind: int, shapes: NDArray[float64], blocks: PairBlocks, lane: int | None) -> None:
    """Compute the contacts of the listed pairs of a kind: depth −inf where the two are ``margin`` or more apart."""
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
    is_sure = where(both > spread(SQUARABLE_MIN, lane), is_sure, zero)
    is_sure = where(both < spread(SQUARABLE_MAX, lane), is_sure, zero)
    is_within = beside < both + margin
    depth = where(is_within, depth, spread(-math.inf, lane))
    row = depth, nx, ny, count, a.cx + x_0, a.cy + y_0, a.cx + x_1, a.cy + y_1
    _put_contact((row, points), block, lane, blocks)
    store(numbers, block, IS_SURE, lane, where(is_within, is_sure, spread(1.0, lane)))


# How many pairs ahead their data is fetched, and their vertices, where there are more shapes than the second cache
# holds.
_AHEAD, _NEAR, _FETCHED_FROM = 8, 4, 8192

_new_hulls = scratch(HULLS_SHAPE)
_new_numbers = scratch(NUMBERS_SHAPE)
_new_chosen = scratch(CHOSEN_SHAPE, int32)
_new_counts = scratch(KINDS, int32)
_new_list = scratch(LISTED, int32)


@inlined_scalar
def hull_contact(
    a: int,
    b: int,
    placed: ShapeArrays,
    dx: float,
    dy: float,
    scale: float,
    slop: float,
    size: float,
    prediction: float,
    hulls: NDArray[float64],
) -> ContactNumbers:
    """Contact of any two shapes by the general formulas. All lengths are scaled, except the lengths in the shapes.

    B's centre is at (dx, dy) from A's centre, and the points are relative to A's.
    """
    pieces = set_pair(hulls, placed, a, b, dx, dy, scale)
    if placed.forms[b] == layout.WIDE_FAN:
        return wide_fan_contact(hulls, pieces, slop, size, prediction)
    hull_a = hulls[pieces.whole_a]
    hull_b = hulls[pieces.whole_b]
    rounding = hull_a[ROUNDING] + hull_b[ROUNDING]
    least = slop - rounding
    least_apart = least - prediction
    overlap, nx, ny, kind, feature_a, feature_b = separation(hull_a, hull_b, slop, least_apart)
    # Compared with the very number at which the search stops: then the rest is near enough.
    if not overlap > least_apart:
        return NO_CONTACT
    depth = overlap + rounding
    if not overlap > least:
        depth = min(depth, 0.0)
    count, x_0, y_0, x_1, y_1, apart_0, apart_1, feature_0, feature_1 = manifold(
        hull_a, hull_b, nx, ny, kind, feature_a, feature_b, size, prediction
    )
    return (depth, nx, ny, count, x_0, y_0, x_1, y_1), (apart_0, apart_1, feature_0, feature_1)


@inlined_scalar
def _contact_of(a: int, b: int, placed: ShapeArrays, prediction: float, hulls: NDArray[float64]) -> ContactNumbers:
    """Contact of two placed shapes, the form of a at most b's form.

    Depth −inf: they are apart by ``prediction`` or more, and the rest is meaningless. A depth up to 0 is no overlap.
    The points are relative to a's position; an unused second one repeats the first. ``hulls`` is scratch space.
    """
    shapes = placed.shapes
    dx, dy = between_centres(placed, a, b, 1.0)
    size_a = extent(shapes, a)
    size_b = extent(shapes, b)
    both = size_a + size_b
    if not abs(dx) < both + prediction or not abs(dy) < both + prediction:
        return NO_CONTACT
    slop = rounding_slop(size_a, size_b, dx, dy)
    size = min(size_a, size_b)
    scale = 1.0
    unscale = 1.0
    if not SQUARABLE_MIN < both < SQUARABLE_MAX:
        scale = power_of_two_scale(both)
        unscale = 1.0 / scale
        dx *= scale
        dy *= scale
        slop *= scale
        prediction *= scale
        size *= scale

    (depth, nx, ny, count, x_0, y_0, x_1, y_1), (apart_0, apart_1, feature_0, feature_1) = hull_contact(
        a, b, placed, dx, dy, scale, slop, size, prediction, hulls
    )
    ax = shapes[a, layout.CX]
    ay = shapes[a, layout.CY]
    return (
        (
            depth * unscale,
            nx,
            ny,
            count,
            ax + x_0 * unscale,
            ay + y_0 * unscale,
            ax + x_1 * unscale,
            ay + y_1 * unscale,
        ),
        (apart_0 * unscale, apart_1 * unscale, feature_0, feature_1),
    )


@packed
class ContactRows(NamedTuple):
    """Room for contacts: their pairs (m, 2), rows (m, CONTACT_COLUMNS), and the data of their points for a solver.

    ``points`` (m, POINT_COLUMNS) has the separations of the two points, negative where the shapes overlap there, then
    their features (:mod:`~ecsphys.engine.manifold.manifold`), −1 for none; not written where it has no rows.
    """

    pairs: Int32Rows
    rows: Float64Rows
    points: Float64Rows


@kernel
def find_contacts(pairs: Int32Rows, placed: ShapeArrays, prediction: float, found: ContactRows, first_row: int) -> int:
    """Contacts of candidate pairs (m, 2) of placed shapes that overlap or are near; returns how many there are.

    Shapes less than ``prediction`` apart are near.

    For each contact, in the order of the pairs and from ``first_row`` on, it writes the pair and a row of
    CONTACT_COLUMNS numbers: the unit normal from the pair's first shape to its second, the depth, up to 0 where they do
    not overlap, the number of points, and two points in the world, the second NaN where it is unused.

    A pair is computed from the lower form to the higher; of one form, from its first to its second. So features stay
    put, wherever the shapes go.
    """
    blocks = PairBlocks(_new_numbers(), _new_chosen(), _new_counts(), _new_list())
    return contacts_in_blocks(pairs, placed, prediction, blocks, _new_hulls(), found, first_row, ALL_LANES)


@inlined_scalar
def contacts_in_blocks(
    pairs: NDArray[int32],
    placed: ShapeArrays,
    prediction: float,
    blocks: PairBlocks,
    hulls: NDArray[float64],
    found: ContactRows,
    first_row: int,
    lane: int | None,
) -> int:
    """What :func:`find_contacts` does: four pairs of a kind in ALL_LANES at once, else one after the other."""
    row = index(first_row)
    for start in range(0, pairs.shape[0], LISTED):
        end = min(start + LISTED, pairs.shape[0])
        _list_pairs(start, end, pairs, placed, prediction, blocks)
        _contacts_of_kind(_CIRCLES, placed.shapes, blocks, lane)
        _contacts_of_kind(_CIRCLE_AND_BOX, placed.shapes, blocks, lane)
        _contacts_of_kind(_BOXES, placed.shapes, blocks, lane)
        row = _write_listed(start, end, row, pairs, placed, blocks, hulls, found)
    return row - first_row


@inlined_scalar
def _list_pairs(
    start: int, end: int, pairs: NDArray[int32], placed: ShapeArrays, prediction: float, blocks: PairBlocks
) -> None:
    """List the pairs start … end − 1."""
    forms, positions, shapes, _ = placed
    is_large = shapes.shape[0] > _FETCHED_FROM
    for kind in range(KINDS):
        blocks.counts[kind] = 0
    for number in range(end - start):
        p = index(start + number)
        if is_large and p + _AHEAD < pairs.shape[0]:
            for side in range(2):
                prefetch(positions, index(pairs[p + _AHEAD, side]))
        # Which of a circle and a box comes first cannot be foretold: no branch.
        lower = index(int(forms[pairs[p, layout.OF_A]] > forms[pairs[p, layout.OF_B]]))
        first = index(pairs[p, lower])
        second = index(pairs[p, 1 - lower])
        if is_large:
            # For when all are listed.
            prefetch(shapes, first)
            prefetch(shapes, second)
        kind = _kind_of(int(forms[first]) + 0, int(forms[second]) + 0)
        place = index(kind * LISTED + blocks.counts[kind])
        blocks.counts[kind] += 1
        blocks.places[number] = place
        block = place // LANES
        lane = place % LANES
        blocks.chosen[block, OF_FIRST + lane] = first
        blocks.chosen[block, OF_SECOND + lane] = second
        # In the frame of the first: positions far from the world's origin cost no precision.
        blocks.numbers[block, OFFSET_X, lane] = positions[second, layout.ALONG_X] - positions[first, layout.ALONG_X]
        blocks.numbers[block, OFFSET_Y, lane] = positions[second, layout.ALONG_Y] - positions[first, layout.ALONG_Y]
        blocks.numbers[block, MARGIN, lane] = prediction


@inlined_scalar
def _fetch_vertices(number: int, placed: ShapeArrays, blocks: PairBlocks) -> None:
    """Ask for the vertices of a listed pair."""
    place = index(blocks.places[number])
    for side in (OF_FIRST, OF_SECOND):
        shape = index(blocks.chosen[place // LANES, side + place % LANES])
        if placed.forms[shape] == layout.POLYGON:
            prefetch(placed.pool, int(placed.shapes[shape, layout.START]))


@inlined_scalar
def _write_listed(
    start: int,
    end: int,
    first_row: int,
    pairs: NDArray[int32],
    placed: ShapeArrays,
    blocks: PairBlocks,
    hulls: NDArray[float64],
    found: ContactRows,
) -> int:
    """Write the listed contacts that are near enough to the rows from ``first_row`` on; returns the row after."""
    positions = placed.positions
    has_points = found.points.shape[0] > 0
    is_large = placed.shapes.shape[0] > _FETCHED_FROM
    numbers = blocks.numbers
    row = index(first_row)
    for number in range(end - start):
        p = index(start + number)
        place = index(blocks.places[number])
        block = place // LANES
        lane = place % LANES
        first = index(blocks.chosen[block, OF_FIRST + lane])
        second = index(blocks.chosen[block, OF_SECOND + lane])
        margin = numbers[block, MARGIN, lane]
        if place >= OTHERS_FROM or numbers[block, IS_SURE, lane] == 0.0:
            if is_large and number + _NEAR < end - start:
                _fetch_vertices(number + _NEAR, placed, blocks)
            _put_contact(_contact_of(first, second, placed, margin, hulls), block, lane, blocks)
        depth = numbers[block, ROW + DEPTH, lane]
        nx = numbers[block, ROW + NORMAL + layout.ALONG_X, lane]
        ny = numbers[block, ROW + NORMAL + layout.ALONG_Y, lane]
        a = index(pairs[p, layout.OF_A])
        in_order = first == a
        x = positions[first, layout.ALONG_X]
        y = positions[first, layout.ALONG_Y]
        count = numbers[block, ROW + POINT_COUNT, lane]
        found.pairs[row, layout.OF_A] = a
        found.pairs[row, layout.OF_B] = pairs[p, layout.OF_B]
        # Plus zero: no negative zeros, which would only puzzle a reader.
        found.rows[row, NORMAL + layout.ALONG_X] = (nx if in_order else -nx) + 0.0
        found.rows[row, NORMAL + layout.ALONG_Y] = (ny if in_order else -ny) + 0.0
        found.rows[row, DEPTH] = depth
        found.rows[row, POINT_COUNT] = count
        # From the same position for both orders, so that they agree far from the world's origin as well.
        found.rows[row, POINTS] = x + numbers[block, ROW + POINTS, lane]
        found.rows[row, POINTS + 1] = y + numbers[block, ROW + POINTS + 1, lane]
        found.rows[row, POINTS + 2] = x + numbers[block, ROW + POINTS + 2, lane] if count == 2 else nan
        found.rows[row, POINTS + 3] = y + numbers[block, ROW + POINTS + 3, lane] if count == 2 else nan
        if has_points:
            for column in range(POINT_COLUMNS):
                found.points[row, column] = numbers[block, POINT_ROW + column, lane]
        # If the shapes are farther apart, the next contact overwrites the row.
        row += 1 if depth > -margin else 0
    return row
