"""Contact of any two placed shapes: which way and how far apart they must move, and where they meet."""

from __future__ import annotations

from numpy import empty, float64, nan
from numpy.typing import NDArray

from ecsphys.engine.contact.convex import ROUNDING, extent, power_of_two_scale
from ecsphys.engine.contact.manifold import manifold
from ecsphys.engine.contact.round_contact import circle_circle, circle_rounded_box
from ecsphys.engine.contact.separation import separation
from ecsphys.engine.contact.wide_fan import HULLS_SHAPE, set_pair, wide_fan_contact
from ecsphys.engine.kernels.array_types import Float64Rows, Int32Rows
from ecsphys.engine.kernels.compilation import allocating_kernel, inlined_scalar, scalar
from ecsphys.engine.kernels.prefetch import prefetch
from ecsphys.engine.math.rounding import rounding_slop
from ecsphys.engine.shapes.layout import (
    ALONG_X,
    ALONG_Y,
    AXIS_X,
    AXIS_Y,
    CAPSULE,
    CIRCLE,
    COUNT,
    CX,
    CY,
    HALF_X,
    HALF_Y,
    OF_A,
    OF_B,
    POLYGON,
    POOL_X,
    POOL_Y,
    RADIUS,
    SHAPE_COLUMNS,
    START,
    WIDE_FAN,
    ShapeArrays,
)

# Columns of a contact's row; one row is one cache line.
NORMAL, DEPTH, POINT_COUNT, POINTS = 0, 2, 3, 4
CONTACT_COLUMNS = 8

# How many pairs ahead their rows are fetched: they are all over memory, and computing takes less than fetching.
_AHEAD, _NEAR = 8, 4

# Sizes whose squares and their products are far from over- and underflow; others are scaled.
_SQUARABLE_MIN, _SQUARABLE_MAX = 1e-60, 1e60

# (depth, n_x, n_y, point count, x_0, y_0, x_1, y_1)
ContactNumbers = tuple[float, float, float, int, float, float, float, float]


@scalar
def _is_lower(shapes: NDArray[float64], pool: NDArray[float64], polygons: bool, a: int, b: int) -> bool:
    """Whether shape a comes before b of the same form: by their rows from the end, then their vertices, their index."""
    for column in range(SHAPE_COLUMNS - 1, -1, -1):
        if shapes[a, column] != shapes[b, column] and not (polygons and column == START):
            return bool(shapes[a, column] < shapes[b, column])
    if polygons:
        start_a = int(shapes[a, START])
        start_b = int(shapes[b, START])
        for k in range(int(shapes[a, COUNT])):
            for row in range(POOL_X, POOL_Y + 1):
                if pool[start_a + k, row] != pool[start_b + k, row]:
                    return bool(pool[start_a + k, row] < pool[start_b + k, row])
    return a <= b


@inlined_scalar
def is_canonical(placed: ShapeArrays, a: int, b: int) -> bool:
    """Whether the pair is computed as (a, b) rather than (b, a), decided by the shapes alone.

    Both orders of a pair are computed the same way round, so that they agree to the last bit: the lower form comes
    first, then the shape further left, or below, then the smaller; equal shapes in one place go by their index.
    """
    forms, positions, shapes, pool = placed
    if forms[a] != forms[b]:
        return bool(forms[a] < forms[b])
    if positions[a, ALONG_X] != positions[b, ALONG_X]:
        return bool(positions[a, ALONG_X] < positions[b, ALONG_X])
    if positions[a, ALONG_Y] != positions[b, ALONG_Y]:
        return bool(positions[a, ALONG_Y] < positions[b, ALONG_Y])
    return _is_lower(shapes, pool, forms[a] == POLYGON, a, b)


@inlined_scalar
def _contact_in_order(a: int, b: int, placed: ShapeArrays, hulls: NDArray[float64]) -> ContactNumbers:
    """Contact of two placed shapes in canonical order: (depth, n_x, n_y, count, x_0, y_0, x_1, y_1).

    Depth 0 (never less): no contact, and the rest is meaningless. The points are relative to a's position; an unused
    second one repeats the first. ``hulls`` is scratch space.
    """
    forms, positions, shapes, pool = placed
    form_a = forms[a]
    form_b = forms[b]
    # From centre to centre, in the frame of A's: positions far from the world's origin cost no precision.
    dx = (positions[b, ALONG_X] - positions[a, ALONG_X]) + (shapes[b, CX] - shapes[a, CX])
    dy = (positions[b, ALONG_Y] - positions[a, ALONG_Y]) + (shapes[b, CY] - shapes[a, CY])
    size_a = extent(shapes, a)
    size_b = extent(shapes, b)
    both = size_a + size_b
    if not abs(dx) < both or not abs(dy) < both:
        return 0.0, 0.0, 1.0, 0, 0.0, 0.0, 0.0, 0.0
    slop = rounding_slop(size_a, size_b, dx, dy)
    scale = 1.0
    unscale = 1.0
    if not _SQUARABLE_MIN < both < _SQUARABLE_MAX:
        scale = power_of_two_scale(both)
        unscale = 1.0 / scale
        dx *= scale
        dy *= scale
        slop *= scale

    if form_a == CIRCLE and form_b <= CAPSULE:
        radius_a = scale * shapes[a, RADIUS]
        radius_b = scale * shapes[b, RADIUS]
        if form_b == CIRCLE:
            depth, nx, ny, distance = circle_circle(dx, dy, radius_a, radius_b)
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
            )
            if depth <= slop:
                depth = 0.0
        count = 1
        x_0 = distance * nx
        y_0 = distance * ny
        x_1 = x_0
        y_1 = y_0
    else:
        whole_a, first_a, end_a, whole_b, first_b, end_b = set_pair(hulls, forms, shapes, a, b, pool, dx, dy, scale)
        size = scale * min(size_a, size_b)
        if form_b == WIDE_FAN:
            depth, nx, ny, count, x_0, y_0, x_1, y_1 = wide_fan_contact(
                hulls, whole_a, first_a, end_a, whole_b, first_b, end_b, slop, size
            )
        else:
            hull_a = hulls[whole_a]
            hull_b = hulls[whole_b]
            rounding = hull_a[ROUNDING] + hull_b[ROUNDING]
            least = slop - rounding
            overlap, nx, ny, kind, feature_a, feature_b = separation(hull_a, hull_b, slop, least)
            # Compared with the very number at which the search stops: then what is left is no depth.
            if not overlap > least:
                return 0.0, 0.0, 1.0, 0, 0.0, 0.0, 0.0, 0.0
            depth = overlap + rounding
            count, x_0, y_0, x_1, y_1 = manifold(hull_a, hull_b, nx, ny, kind, feature_a, feature_b, size)
    ax = shapes[a, CX]
    ay = shapes[a, CY]
    return (
        depth * unscale,
        nx,
        ny,
        count,
        ax + x_0 * unscale,
        ay + y_0 * unscale,
        ax + x_1 * unscale,
        ay + y_1 * unscale,
    )


@allocating_kernel
def find_contacts(pairs: Int32Rows, placed: ShapeArrays, contact_pairs: Int32Rows, contacts: Float64Rows) -> int:
    """Contacts of candidate pairs (m, 2) of placed shapes; returns how many there are, at most m.

    For each contact, in the order of the pairs, it writes the pair and a row of CONTACT_COLUMNS numbers: the unit
    normal from the pair's first shape to its second, the depth, the number of points, and two points in the world, the
    second NaN where it is unused.
    """
    forms, positions, shapes, pool = placed
    hulls = empty(HULLS_SHAPE)
    found = 0
    for p in range(pairs.shape[0]):
        if p + _AHEAD < pairs.shape[0]:
            for side in range(2):
                coming = int(pairs[p + _AHEAD, side]) + 0
                prefetch(shapes, coming)
                prefetch(positions, coming)
                near = int(pairs[p + _NEAR, side]) + 0
                if forms[near] == POLYGON:
                    prefetch(pool, int(shapes[near, START]))
        # + 0 makes them 64-bit integers; with 32 bits, numba would compile other variants of all that follows.
        a = int(pairs[p, OF_A]) + 0
        b = int(pairs[p, OF_B]) + 0
        in_order = is_canonical(placed, a, b)
        first = a if in_order else b
        second = b if in_order else a
        depth, nx, ny, count, x_0, y_0, x_1, y_1 = _contact_in_order(first, second, placed, hulls)
        if not depth > 0.0:
            continue
        contact_pairs[found, OF_A] = a
        contact_pairs[found, OF_B] = b
        # Plus zero: no negative zeros, which would only puzzle a reader of them.
        contacts[found, NORMAL + ALONG_X] = (nx if in_order else -nx) + 0.0
        contacts[found, NORMAL + ALONG_Y] = (ny if in_order else -ny) + 0.0
        contacts[found, DEPTH] = depth
        contacts[found, POINT_COUNT] = count
        # From the same position for both orders, so that they agree far from the world's origin as well.
        contacts[found, POINTS] = positions[first, ALONG_X] + x_0
        contacts[found, POINTS + 1] = positions[first, ALONG_Y] + y_0
        contacts[found, POINTS + 2] = positions[first, ALONG_X] + x_1 if count == 2 else nan
        contacts[found, POINTS + 3] = positions[first, ALONG_Y] + y_1 if count == 2 else nan
        found += 1
    return found
