"""Contact of any two placed shapes: which way and how far apart they must move, and where they meet."""

from __future__ import annotations

import math
from typing import NamedTuple

from numpy import empty, float64, nan
from numpy.typing import NDArray

from ecsphys.engine.contact.box_contact import box_box
from ecsphys.engine.contact.convex import ROUNDING, extent, power_of_two_scale
from ecsphys.engine.contact.manifold import NO_CONTACT, NO_FEATURE, ContactNumbers, manifold
from ecsphys.engine.contact.reach import REACH_MOST, reach_along
from ecsphys.engine.contact.round_contact import circle_circle, circle_rounded_box
from ecsphys.engine.contact.separation import separation
from ecsphys.engine.contact.wide_fan import HULLS_SHAPE, set_pair, wide_fan_contact
from ecsphys.engine.kernels.array_types import Float64Rows, Int32Rows
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import allocating_kernel, inlined_scalar
from ecsphys.engine.kernels.index import index
from ecsphys.engine.kernels.prefetch import prefetch
from ecsphys.engine.math.rounding import rounding_slop
from ecsphys.engine.shapes.layout import (
    ALONG_X,
    ALONG_Y,
    AXIS_X,
    AXIS_Y,
    BOX,
    CAPSULE,
    CIRCLE,
    CX,
    CY,
    HALF_X,
    HALF_Y,
    OF_A,
    OF_B,
    POLYGON,
    RADIUS,
    START,
    WIDE_FAN,
    ShapeArrays,
)

# Columns of a contact's row; one row is one cache line.
NORMAL, DEPTH, POINT_COUNT, POINTS = 0, 2, 3, 4
CONTACT_COLUMNS = 8

# Columns of what is kept of a contact's two points.
SEPARATIONS, FEATURES = 0, 2
POINT_COLUMNS = 4

# How many pairs ahead their rows are fetched: they are all over memory, and computing takes less than fetching.
_AHEAD, _NEAR = 8, 4

# Sizes whose squares and their products are far from over- and underflow; others are scaled.
_SQUARABLE_MIN, _SQUARABLE_MAX = 1e-60, 1e60


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
    """Contact of any two shapes by the general formulas. All lengths are scaled; those of the shapes are yet to be.

    B's centre is at (dx, dy) from that of A, and the points are relative to A's.
    """
    forms, _, shapes, pool = placed
    whole_a, first_a, end_a, whole_b, first_b, end_b = set_pair(hulls, forms, shapes, a, b, pool, dx, dy, scale)
    if forms[b] == WIDE_FAN:
        return wide_fan_contact(hulls, whole_a, first_a, end_a, whole_b, first_b, end_b, slop, size, prediction)
    hull_a = hulls[whole_a]
    hull_b = hulls[whole_b]
    rounding = hull_a[ROUNDING] + hull_b[ROUNDING]
    least = slop - rounding
    least_apart = least - prediction
    overlap, nx, ny, kind, feature_a, feature_b = separation(hull_a, hull_b, slop, least_apart)
    # Compared with the very number at which the search stops: then what is left is near enough.
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
def contact_of(a: int, b: int, placed: ShapeArrays, prediction: float, hulls: NDArray[float64]) -> ContactNumbers:
    """Contact of two placed shapes, the form of a at most that of b.

    Depth −inf: they are apart by ``prediction`` or more, and the rest is meaningless. A depth up to 0 is no overlap.
    The points are relative to a's position; an unused second one repeats the first. ``hulls`` is scratch space.
    """
    forms, positions, shapes, _ = placed
    form_a = forms[a]
    form_b = forms[b]
    # From centre to centre, in the frame of A's: positions far from the world's origin cost no precision.
    dx = (positions[b, ALONG_X] - positions[a, ALONG_X]) + (shapes[b, CX] - shapes[a, CX])
    dy = (positions[b, ALONG_Y] - positions[a, ALONG_Y]) + (shapes[b, CY] - shapes[a, CY])
    size_a = extent(shapes, a)
    size_b = extent(shapes, b)
    both = size_a + size_b
    if not abs(dx) < both + prediction or not abs(dy) < both + prediction:
        return NO_CONTACT
    slop = rounding_slop(size_a, size_b, dx, dy)
    size = min(size_a, size_b)
    scale = 1.0
    unscale = 1.0
    if not _SQUARABLE_MIN < both < _SQUARABLE_MAX:
        scale = power_of_two_scale(both)
        unscale = 1.0 / scale
        dx *= scale
        dy *= scale
        slop *= scale
        prediction *= scale
        size *= scale

    depth = -math.inf
    nx = 0.0
    ny = 1.0
    count = 0
    x_0 = y_0 = x_1 = y_1 = 0.0
    apart_0 = apart_1 = 0.0
    feature_0 = feature_1 = NO_FEATURE
    is_known = False
    if form_a == CIRCLE and form_b <= CAPSULE:
        is_known = True
        radius_a = scale * shapes[a, RADIUS]
        radius_b = scale * shapes[b, RADIUS]
        if form_b == CIRCLE:
            depth, nx, ny, distance = circle_circle(dx, dy, radius_a, radius_b, prediction)
        else:
            depth, nx, ny, distance = circle_rounded_box(
                dx,
                dy,
                radius_a,
                shapes[b, AXIS_X],
                shapes[b, AXIS_Y],
                scale * shapes[b, HALF_X],
                scale * shapes[b, HALF_Y],
                radius_b,
                prediction,
            )
            if depth <= slop:
                depth = min(depth, 0.0)
        count = 1
        x_0 = distance * nx
        y_0 = distance * ny
        x_1 = x_0
        y_1 = y_0
        apart_0 = -depth
        apart_1 = apart_0
        feature_0 = 0
    elif form_a == BOX and form_b == BOX:
        is_known, ((depth, nx, ny, count, x_0, y_0, x_1, y_1), (apart_0, apart_1, feature_0, feature_1)) = box_box(
            a, b, shapes, dx, dy, scale, slop, size, prediction
        )
    if not is_known:
        (depth, nx, ny, count, x_0, y_0, x_1, y_1), (apart_0, apart_1, feature_0, feature_1) = hull_contact(
            a, b, placed, dx, dy, scale, slop, size, prediction, hulls
        )
    ax = shapes[a, CX]
    ay = shapes[a, CY]
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
    """Room for contacts: their pairs (m, 2), rows (m, CONTACT_COLUMNS), and what a solver needs of their points.

    ``points`` (m, POINT_COLUMNS) has the separations of the two points, negative where the shapes overlap there, then
    their features (:mod:`~ecsphys.engine.contact.manifold`), −1 for none; not written where it has no rows.
    """

    pairs: Int32Rows
    rows: Float64Rows
    points: Float64Rows


@allocating_kernel
def find_contacts(
    pairs: Int32Rows, placed: ShapeArrays, prediction: float, reach: Float64Rows, found: ContactRows, first_row: int
) -> int:
    """Contacts of candidate pairs (m, 2) of placed shapes that overlap or are near; returns how many there are.

    Near is what is less than ``prediction`` apart, and what both shapes ``reach`` towards each other on top: a row of
    :mod:`~ecsphys.engine.contact.reach` for each shape, or none.

    For each contact, in the order of the pairs and from ``first_row`` on, it writes the pair and a row of
    CONTACT_COLUMNS numbers: the unit normal from the pair's first shape to its second, the depth, up to 0 where they do
    not overlap, the number of points, and two points in the world, the second NaN where it is unused.

    A pair is computed from the lower form to the higher; of one form, from its first to its second. So features stay
    put, wherever the shapes go.
    """
    forms, positions, shapes, pool = placed
    hulls = empty(HULLS_SHAPE)
    has_points = found.points.shape[0] > 0
    has_reach = reach.shape[0] > 0
    row = index(first_row)
    for p in range(pairs.shape[0]):
        if p + _AHEAD < pairs.shape[0]:
            for side in range(2):
                coming = index(pairs[p + _AHEAD, side])
                prefetch(shapes, coming)
                prefetch(positions, coming)
                near = index(pairs[p + _NEAR, side])
                if forms[near] == POLYGON:
                    prefetch(pool, int(shapes[near, START]))
        a = index(pairs[p, OF_A])
        b = index(pairs[p, OF_B])
        in_order = forms[a] <= forms[b]
        first = a if in_order else b
        second = b if in_order else a
        margin = prediction
        if has_reach:
            margin += reach[a, REACH_MOST] + reach[b, REACH_MOST]
        (depth, nx, ny, points, x_0, y_0, x_1, y_1), (apart_0, apart_1, feature_0, feature_1) = contact_of(
            first, second, placed, margin, hulls
        )
        if not depth > -margin:
            continue
        if (
            has_reach
            and depth <= -prediction
            and not depth > -prediction - reach_along(first, nx, ny, reach) - reach_along(second, -nx, -ny, reach)
        ):
            continue
        found.pairs[row, OF_A] = a
        found.pairs[row, OF_B] = b
        # Plus zero: no negative zeros, which would only puzzle a reader.
        found.rows[row, NORMAL + ALONG_X] = (nx if in_order else -nx) + 0.0
        found.rows[row, NORMAL + ALONG_Y] = (ny if in_order else -ny) + 0.0
        found.rows[row, DEPTH] = depth
        found.rows[row, POINT_COUNT] = points
        # From the same position for both orders, so that they agree far from the world's origin as well.
        found.rows[row, POINTS] = positions[first, ALONG_X] + x_0
        found.rows[row, POINTS + 1] = positions[first, ALONG_Y] + y_0
        found.rows[row, POINTS + 2] = positions[first, ALONG_X] + x_1 if points == 2 else nan
        found.rows[row, POINTS + 3] = positions[first, ALONG_Y] + y_1 if points == 2 else nan
        if has_points:
            found.points[row, SEPARATIONS] = apart_0
            found.points[row, SEPARATIONS + 1] = apart_1
            found.points[row, FEATURES] = feature_0
            found.points[row, FEATURES + 1] = feature_1
        row += 1
    return row - first_row
