"""Shapes as convex pieces: a fan wider than π as its two halves, and as the sector across their seam.

Slots of the scratch array: the whole shape (hull), then its halves, then the sector across their seam; the last is for
a piece that is moved, and at the end for contact points.
"""

from __future__ import annotations

import math

from numpy import float64, uint8
from numpy.typing import NDArray

from ecsphys.engine.kernels.compilation import inlined_scalar, scalar
from ecsphys.engine.manifold import convex as at
from ecsphys.engine.manifold.convex import HULL_SIZE, feature_point, set_fan, set_hull, support
from ecsphys.engine.manifold.manifold import FEATURE_BITS
from ecsphys.engine.manifold.separation import separation
from ecsphys.engine.shapes.layout import AXIS_X, AXIS_Y, COS_HALF, RADIUS, SIN_HALF, WIDE_FAN

# Slots: A as a whole and its three pieces, the same for B, and a piece of B after a translation.
SLOTS_PER_SIDE = 4
HULLS_SHAPE = (2 * SLOTS_PER_SIDE + 1, HULL_SIZE)

# A half fan's straight edge that is an edge of the wide fan: the first half's is at the arc's start (edge 1 of
# set_fan), the second half's at its end (edge 0).
START_EDGE, END_EDGE = 1, 0


@inlined_scalar
def set_pair(
    hulls: NDArray[float64],
    forms: NDArray[uint8],
    shapes: NDArray[float64],
    a: int,
    b: int,
    pool: NDArray[float64],
    dx: float,
    dy: float,
    scale: float,
) -> tuple[int, int, int, int, int, int]:
    """Fill the slots with shapes a and b, scaled, a's centre or apex at the origin and b's at (dx, dy).

    Returns for a, then for b: the slot of its convex hull, and the range (first, end) of slots whose union it is: its
    hull's, or its halves' if it is a wide fan. (At end is the sector across the seam then.)
    """
    first_a = 0
    end_a = 1
    for side in range(2):
        i = a if side == 0 else b
        x = side * dx
        y = side * dy
        whole = side * SLOTS_PER_SIDE
        set_hull(hulls[whole], forms[i], shapes, i, pool, x, y, scale)
        first = whole
        end = whole + 1
        if forms[i] == WIDE_FAN:
            first = whole + 1
            end = whole + 3
            c = shapes[i, AXIS_X]
            s = shapes[i, AXIS_Y]
            # Half angles; the sine by the formula that does not cancel, as the cosine is negative; the cosine from it.
            sin_quarter = math.sqrt(0.5 * (1.0 - shapes[i, COS_HALF]))
            cos_quarter = 0.5 * shapes[i, SIN_HALF] / sin_quarter
            turn = -sin_quarter
            for half in range(first, end):
                axis_x = c * cos_quarter - s * turn
                axis_y = s * cos_quarter + c * turn
                set_fan(hulls[half], x, y, scale * shapes[i, RADIUS], axis_x, axis_y, cos_quarter, sin_quarter)
                turn = sin_quarter
            set_fan(hulls[end], x, y, scale * shapes[i, RADIUS], c, s, cos_quarter, sin_quarter)
        if side == 0:
            first_a = first
            end_a = end
    return whole - SLOTS_PER_SIDE, first_a, end_a, whole, first, end


@scalar
def pieces_of(piece_a: int, piece_b: int) -> int:
    """The part of a feature that names its pieces; 0 for convex shapes."""
    return (piece_a * SLOTS_PER_SIDE + piece_b + 1) << FEATURE_BITS


@scalar
def straddles(hulls: NDArray[float64], fan: int, other: int, slop: float) -> bool:
    """Whether the other hull lies on both sides of the line through a wide fan's seam."""
    left_x = -hulls[fan, at.ARC_AXIS_Y]
    left_y = hulls[fan, at.ARC_AXIS_X]
    seam = hulls[fan, at.ARC_X] * left_x + hulls[fan, at.ARC_Y] * left_y
    limit = -hulls[other, at.ROUNDING] - slop
    on_left = support(hulls[other], left_x, left_y)[0] - seam
    on_right = support(hulls[other], -left_x, -left_y)[0] + seam
    return bool(on_left > limit and on_right > limit)


@scalar
def parted_by(
    hulls: NDArray[float64],
    first_a: int,
    end_a: int,
    first_b: int,
    end_b: int,
    x: float,
    y: float,
    slop: float,
) -> bool:
    """Whether no piece of A overlaps any of B's after B has moved by (x, y); for the ranges see :func:`set_pair`.

    Slots at their ends, across the seams, count too: A's only if the piece of B straddles its seam.
    """
    whole_a = first_a - 1
    is_wide_a = end_a > first_a + 1
    last_b = end_b + 1 if end_b > first_b + 1 else end_b
    moved_slot = hulls.shape[0] - 1
    moved = hulls[moved_slot]
    for q in range(first_b, last_b):
        for k in range(HULL_SIZE):
            moved[k] = hulls[q, k]
        for k in range(int(moved[at.VERTEX_COUNT])):
            moved[at.X + k] += x
            moved[at.Y + k] += y
        moved[at.ARC_X] += x
        moved[at.ARC_Y] += y
        moved[at.MIDDLE_X] += x
        moved[at.MIDDLE_Y] += y
        last_a = end_a
        if is_wide_a and straddles(hulls, whole_a, moved_slot, slop):
            last_a += 1
        for p in range(first_a, last_a):
            limit = slop - hulls[p, at.ROUNDING] - moved[at.ROUNDING]
            if separation(hulls[p], moved, slop, limit)[0] > limit:
                return False
    return True


@scalar
def piece_beside(hulls: NDArray[float64], whole: int, edge: int, first: int, end: int, slop: float) -> int:
    """The piece that reaches furthest towards an edge of another hull, among the pieces beside it; −1: none reaches it.

    Where a fan's mouth is as wide as what enters, or wider, both of its tips lie beyond the ends of that edge.
    """
    nx = hulls[whole, at.NORMAL_X + edge]
    ny = hulls[whole, at.NORMAL_Y + edge]
    following = (edge + 1) % int(hulls[whole, at.VERTEX_COUNT])
    x = hulls[whole, at.X + edge]
    y = hulls[whole, at.Y + edge]
    length = (hulls[whole, at.Y + following] - y) * nx - (hulls[whole, at.X + following] - x) * ny
    found = -1
    furthest = -math.inf
    for piece in range(first, end):
        reach, feature = support(hulls[piece], -nx, -ny)
        px, py = feature_point(hulls[piece], feature, -nx, -ny)
        along = (py - y) * nx - (px - x) * ny
        if reach > furthest and -slop <= along <= length + slop:
            furthest = reach
            found = piece
    return found
