"""Contact of two boxes, the pair that stacks are made of, by the formula of boxes: no hull is filled in.

In the frame of one box the other is a centre (x, y) and a turn (c, s), and the overlap along an edge's normal is a sum
of projected half sizes. The answers are those of :mod:`~ecsphys.engine.contact.separation` and
:mod:`~ecsphys.engine.contact.manifold` but for rounding, with the same features, and of equal separations the same is
taken: edges in their order, those of A before those of B.

Edge k of a box is below, right of, above and left of its centre for k = 0 … 3, in its own frame; vertex k is where edge
k begins, counter-clockwise.
"""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.contact.manifold import (
    DISTINCT,
    NO_FEATURE,
    ContactNumbers,
    clip_to_edge,
    feature_of,
)
from ecsphys.engine.kernels.compilation import inlined_scalar
from ecsphys.engine.shapes.layout import AXIS_X, AXIS_Y, HALF_X, HALF_Y

# Within so many slops an overlap, or a vertex beside the end of an edge, is left to the general formulas: they compare
# directions between vertices, too.
_SURELY, _SURELY_BESIDE = 2.0, 1000.0


@inlined_scalar
def _least_overlap(
    half_x: float, half_y: float, x: float, y: float, reach_x: float, reach_y: float
) -> tuple[float, int]:
    """The least overlap along the normal of an edge of a box with what lies at (x, y) and reaches so far along its
    axes, and that edge; of equal ones the first."""
    overlap_x = half_x + reach_x - abs(x)
    overlap_y = half_y + reach_y - abs(y)
    edge_x = 1 if x >= 0.0 else 3
    edge_y = 0 if y <= 0.0 else 2
    if overlap_x < overlap_y or (overlap_x == overlap_y and edge_x < edge_y):
        return overlap_x, edge_x
    return overlap_y, edge_y


@inlined_scalar
def box_box(
    a: int,
    b: int,
    shapes: NDArray[float64],
    dx: float,
    dy: float,
    scale: float,
    slop: float,
    size: float,
    prediction: float,
) -> tuple[bool, ContactNumbers]:
    """Whether an edge of box a or b and a vertex or edge of the other meet, and then their contact.

    B's centre is at (dx, dy) from that of A, both scaled; the contact's points are relative to A's. Depth −inf: they
    are apart by ``prediction`` or more. ``size`` is the smaller one's.
    """
    cos_a = shapes[a, AXIS_X]
    sin_a = shapes[a, AXIS_Y]
    cos_b = shapes[b, AXIS_X]
    sin_b = shapes[b, AXIS_Y]
    half_x = scale * shapes[a, HALF_X]
    half_y = scale * shapes[a, HALF_Y]
    other_x = scale * shapes[b, HALF_X]
    other_y = scale * shapes[b, HALF_Y]
    c = cos_a * cos_b + sin_a * sin_b
    s = cos_a * sin_b - sin_a * cos_b
    x = dx * cos_a + dy * sin_a
    y = dy * cos_a - dx * sin_a
    overlap, edge = _least_overlap(
        half_x, half_y, x, y, other_x * abs(c) + other_y * abs(s), other_x * abs(s) + other_y * abs(c)
    )
    from_b_x = -(dx * cos_b + dy * sin_b)
    from_b_y = -(dy * cos_b - dx * sin_b)
    overlap_b, edge_b = _least_overlap(
        other_x, other_y, from_b_x, from_b_y, half_x * abs(c) + half_y * abs(s), half_x * abs(s) + half_y * abs(c)
    )
    is_of_b = overlap_b < overlap
    origin_x = 0.0
    origin_y = 0.0
    if is_of_b:
        overlap, edge = overlap_b, edge_b
        x, y = from_b_x, from_b_y
        s = -s
        half_x, half_y, other_x, other_y = other_x, other_y, half_x, half_y
        origin_x, origin_y = dx, dy
        cos_a, sin_a = cos_b, sin_b
    if not overlap > slop - prediction:
        return True, ((-math.inf, 0.0, 1.0, 0, 0.0, 0.0, 0.0, 0.0), (0.0, 0.0, NO_FEATURE, NO_FEATURE))

    # Along the edge's normal m (up) and along the edge (on), from its first vertex.
    sign = 1.0 if edge == 1 or edge == 2 else -1.0
    if edge & 1:
        half_up, half_on = half_x, half_y
        up, on = sign * x, sign * y
        x_up, y_up = sign * c, -sign * s
        x_on, y_on = sign * s, sign * c
        mx, my = sign * cos_a, sign * sin_a
    else:
        half_up, half_on = half_y, half_x
        up, on = sign * y, -sign * x
        x_up, y_up = sign * s, sign * c
        x_on, y_on = -sign * c, sign * s
        mx, my = -sign * sin_a, sign * cos_a
    # The lowest vertex of the other box; of two as low, the first.
    is_upper = y_up < 0.0
    is_right = x_up < 0.0 or (x_up == 0.0 and is_upper)
    vertex = (2 if is_right else 3) if is_upper else (1 if is_right else 0)
    to_x = other_x if is_right else -other_x
    to_y = other_y if is_upper else -other_y
    u_0 = half_on + on + to_x * x_on + to_y * y_on
    height_0 = up - half_up + to_x * x_up + to_y * y_up
    width = 2.0 * half_on
    if not overlap > _SURELY * slop and not (_SURELY_BESIDE * slop < u_0 and u_0 < width - _SURELY_BESIDE * slop):
        return False, ((-math.inf, 0.0, 1.0, 0, 0.0, 0.0, 0.0, 0.0), (0.0, 0.0, NO_FEATURE, NO_FEATURE))
    # Of the two edges there, the one that faces m most; of two alike, the one that begins at the vertex.
    is_level = abs(y_up) > abs(x_up) or (abs(y_up) == abs(x_up) and vertex & 1 == 0)
    other = vertex ^ 1 if is_level else 3 - vertex
    u_1 = u_0 - 2.0 * (to_x * x_on if is_level else to_y * y_on)
    height_1 = height_0 - 2.0 * (to_x * x_up if is_level else to_y * y_up)
    u_0, height_0, u_1, height_1 = clip_to_edge(u_0, height_0, u_1, height_1, width)

    has_two = height_1 < prediction and abs(u_1 - u_0) > DISTINCT * size
    following = (edge + 1) & 3
    end_0 = edge if u_0 <= u_1 else following
    end_1 = edge + following - end_0
    feature_0 = feature_of(vertex, end_0) if is_of_b else feature_of(end_0, vertex)
    feature_1 = feature_of(other, end_1) if is_of_b else feature_of(end_1, other)
    if not has_two:
        u_1, height_1, feature_1 = u_0, height_0, NO_FEATURE
    away_0 = half_up + 0.5 * height_0
    away_1 = half_up + 0.5 * height_1
    u_0 -= half_on
    u_1 -= half_on
    return True, (
        (
            overlap if overlap > slop else min(overlap, 0.0),
            -mx if is_of_b else mx,
            -my if is_of_b else my,
            2 if has_two else 1,
            origin_x + away_0 * mx - u_0 * my,
            origin_y + away_0 * my + u_0 * mx,
            origin_x + away_1 * mx - u_1 * my,
            origin_y + away_1 * my + u_1 * mx,
        ),
        (height_0, height_1, feature_0, feature_1),
    )
