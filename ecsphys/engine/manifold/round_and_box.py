"""Contacts of circles, capsules and boxes, the pairs a game has most of, by their own formulas: no hull is filled in.

Numbers are of one lane or of all (:mod:`ecsphys.engine.math.lanes`): no step of a formula branches. So edges,
vertices and features are floats, and a truth value is 1 or 0. Each formula gives whether it is sure of what follows,
and the contact: its depth is negative if the surfaces are apart, and −inf if they are ``prediction`` or more apart.

Two boxes: in the frame of one box the other is a centre (x, y) and a turn (c, s), and the overlap along an edge's
normal is a sum of projected half sizes. The answers equal the results of :mod:`~ecsphys.engine.manifold.manifold` and
:mod:`~ecsphys.engine.manifold.manifold` but for rounding, with the same features. Of equal separations the same is
taken: edges in their order, A's before B's. Edge k of a box is below, right of, above and left of its centre for
k = 0 … 3, in its own frame; vertex k is where edge k begins, counter-clockwise.
"""

from __future__ import annotations

import math
from typing import Any

from numpy import float64, int32
from numpy.typing import NDArray

from ecsphys.engine.kernels import NamedTuple, inlined_scalar
from ecsphys.engine.manifold.manifold import DISTINCT, NO_FEATURE, SIDE_FEATURES, clip_to_edge
from ecsphys.engine.math import lanes
from ecsphys.engine.shapes.layout import CX, HALF_X


class ShapeNumbers(NamedTuple):
    """A row of ``shapes``, its lengths maybe scaled (:mod:`ecsphys.engine.shapes.layout`)."""

    cx: Any
    cy: Any
    axis_x: Any
    axis_y: Any
    half_x: Any
    half_y: Any
    radius: Any
    extent: Any


@inlined_scalar
def gather_shapes(shapes: NDArray[float64], chosen: NDArray[int32], block: int, first: int, lane: Any) -> ShapeNumbers:
    """The shapes whose rows are ``chosen`` (blocks, …) in column ``first`` + lane."""
    cx, cy, axis_x, axis_y = lanes.gather(shapes, chosen, block, first, lane, CX)
    half_x, half_y, radius, extent = lanes.gather(shapes, chosen, block, first, lane, HALF_X)
    return ShapeNumbers(cx, cy, axis_x, axis_y, half_x, half_y, radius, extent)


@inlined_scalar
def _with_one_point(depth: Any, nx: Any, ny: Any, distance: Any, lane: Any) -> Any:
    """The contact of a circle with its point so far from its centre, along the normal."""
    x = distance * nx
    y = distance * ny
    return (
        (depth, nx, ny, lanes.spread(1.0, lane), x, y, x, y),
        (-depth, -depth, lanes.spread(0.0, lane), lanes.spread(float(NO_FEATURE), lane)),
    )


@inlined_scalar
def circle_circle(dx: Any, dy: Any, radius_a: Any, radius_b: Any, prediction: Any, lane: Any) -> Any:
    """C3: circles overlap where d² < R², R the sum of the radii. (dx, dy) leads from centre a to centre b.

    Concentric circles are parted along (0, 1).
    """
    zero = lanes.spread(0.0, lane)
    squared = dx * dx + dy * dy
    reach = radius_a + radius_b
    limit = reach + prediction
    nx, ny, distance = lanes.unit_vector_in_lanes(dx, dy, lane)
    # R − d, written so that it cannot round to zero where d² < R².
    depth = (reach * reach - squared) / (reach + distance)
    depth = lanes.where(squared < limit * limit, depth, lanes.spread(-math.inf, lane))
    ny = lanes.where(distance > zero, ny, lanes.spread(1.0, lane))
    outwards = lanes.spread(0.5, lane) * (radius_a + distance - radius_b)
    return lanes.has_plain_square(dx, dy), _with_one_point(depth, nx, ny, outwards, lane)


@inlined_scalar
def circle_rounded_box(
    dx: Any, dy: Any, radius_a: Any, box: ShapeNumbers, slop: Any, prediction: Any, lane: Any
) -> Any:
    """C4 (ii), C5 and C11: a circle against a box with rounded corners.

    A capsule is a box without height. The circle's centre is taken into the box's frame and folded into the first
    quadrant; what exceeds the half sizes is the offset from the nearest point (C8; on a capsule C10). A centre
    inside the box leaves through the nearest side, on equal terms across the axis.
    """
    zero = lanes.spread(0.0, lane)
    one = lanes.spread(1.0, lane)
    along = -(dx * box.axis_x + dy * box.axis_y)
    across = -(dy * box.axis_x - dx * box.axis_y)
    beyond_x = lanes.absolute(along) - box.half_x
    beyond_y = lanes.absolute(across) - box.half_y
    offset_x = lanes.larger(zero, beyond_x)
    offset_y = lanes.larger(zero, beyond_y)
    squared = offset_x * offset_x + offset_y * offset_y
    reach = radius_a + box.radius
    limit = reach + prediction
    out_x, out_y, distance = lanes.unit_vector_in_lanes(offset_x, offset_y, lane)
    is_outside = distance > zero
    outside = (reach * reach - squared) / (reach + distance)
    inside = lanes.larger(beyond_y, beyond_x)
    depth = lanes.where(is_outside, outside, reach - inside)
    depth = lanes.where(depth > slop, depth, lanes.smaller(zero, depth))
    depth = lanes.where(squared < limit * limit, depth, lanes.spread(-math.inf, lane))
    leaves_along = beyond_x > beyond_y
    out_x = lanes.where(is_outside, out_x, lanes.where(leaves_along, one, zero))
    out_y = lanes.where(is_outside, out_y, lanes.where(leaves_along, zero, one))
    # The normal leads from the circle to the box, against the way out of it.
    normal_x = -lanes.with_sign(out_x, along)
    normal_y = -lanes.with_sign(out_y, across)
    outwards = lanes.spread(0.5, lane) * (radius_a + lanes.where(is_outside, distance, inside) - box.radius)
    return lanes.has_plain_square(offset_x, offset_y), _with_one_point(
        depth,
        normal_x * box.axis_x - normal_y * box.axis_y,
        normal_x * box.axis_y + normal_y * box.axis_x,
        outwards,
        lane,
    )


# Within so many slops an overlap, or a vertex beside the end of an edge, is left to the general formulas: they compare
# directions between vertices, too.
_SURELY, _SURELY_BESIDE = 2.0, 1000.0


class _Least(NamedTuple):
    """The least overlap along the normals of a box, whether that is along its axis, and whether the edge is right of or
    above its centre."""

    overlap: Any
    along: Any
    is_positive: Any


@inlined_scalar
def _least_overlap(half_x: Any, half_y: Any, x: Any, y: Any, reach_x: Any, reach_y: Any, lane: Any) -> _Least:
    """The least overlap along the normal of an edge of a box with a shape that lies at (x, y) and reaches so far along
    its axes; among equal ones, the first edge's."""
    zero = lanes.spread(0.0, lane)
    one = lanes.spread(1.0, lane)
    overlap_x = half_x + reach_x - lanes.absolute(x)
    overlap_y = half_y + reach_y - lanes.absolute(y)
    right = lanes.where(x < zero, zero, one)
    above = lanes.where(y > zero, one, zero)
    # Right of the centre is edge 1, left of it 3; below it is 0, above it 2.
    is_first = lanes.where(right > zero, above, zero)
    along = lanes.where(overlap_x < overlap_y, one, lanes.where(overlap_y < overlap_x, zero, is_first))
    is_along = along > zero
    return _Least(lanes.where(is_along, overlap_x, overlap_y), along, lanes.where(is_along, right, above))


@inlined_scalar
def _vertex(is_upper: Any, is_right: Any, lane: Any) -> Any:
    """The vertex of a box that is upper or lower, right or left of its centre."""
    zero = lanes.spread(0.0, lane)
    one = lanes.spread(1.0, lane)
    upper = lanes.where(is_right > zero, lanes.spread(2.0, lane), lanes.spread(3.0, lane))
    return lanes.where(is_upper > zero, upper, lanes.where(is_right > zero, one, zero))


@inlined_scalar
def _feature(end: Any, vertex: Any, is_of_b: Any, lane: Any) -> Any:
    """The feature of a point at the end of the reference edge and a vertex of the other box, which is A if the edge
    ``is_of_b`` (:func:`~ecsphys.engine.manifold.manifold.feature_of`)."""
    one = lanes.spread(1.0, lane)
    of_a = lanes.where(is_of_b > lanes.spread(0.0, lane), vertex, end)
    of_b = lanes.where(is_of_b > lanes.spread(0.0, lane), end, vertex)
    return (of_a + one) * lanes.spread(SIDE_FEATURES, lane) + (of_b + one)


class _Edge(NamedTuple):
    """The edge of a box along whose normal it overlaps another box least, in the frame of the edge: ``up`` along its
    outward normal m, ``on`` along the edge, from its first vertex."""

    overlap: Any
    is_of_b: Any
    number: Any
    """Which edge of its box it is."""
    origin_x: Any
    origin_y: Any
    """The centre of its box, from A's."""
    mx: Any
    my: Any
    half_up: Any
    half_on: Any
    up: Any
    on: Any
    """The centre of the other box."""
    x_up: Any
    x_on: Any
    y_up: Any
    y_on: Any
    """The axes of the other box."""
    other_x: Any
    other_y: Any
    """The half sizes of the other box."""


@inlined_scalar
def _reference_edge(a: ShapeNumbers, b: ShapeNumbers, dx: Any, dy: Any, lane: Any) -> _Edge:
    """The edge of box a or b along whose normal they overlap least; B's centre is at (dx, dy) from A's."""
    zero = lanes.spread(0.0, lane)
    one = lanes.spread(1.0, lane)
    c = a.axis_x * b.axis_x + a.axis_y * b.axis_y
    s = a.axis_x * b.axis_y - a.axis_y * b.axis_x
    level = lanes.absolute(c)
    steep = lanes.absolute(s)
    x = dx * a.axis_x + dy * a.axis_y
    y = dy * a.axis_x - dx * a.axis_y
    b_right = b.half_x * level + b.half_y * steep
    b_up = b.half_x * steep + b.half_y * level
    of_a = _least_overlap(a.half_x, a.half_y, x, y, b_right, b_up, lane)
    from_b_x = -(dx * b.axis_x + dy * b.axis_y)
    from_b_y = -(dy * b.axis_x - dx * b.axis_y)
    a_right = a.half_x * level + a.half_y * steep
    a_up = a.half_x * steep + a.half_y * level
    of_b = _least_overlap(b.half_x, b.half_y, from_b_x, from_b_y, a_right, a_up, lane)
    is_of_b = of_b.overlap < of_a.overlap
    is_positive = lanes.where(is_of_b, of_b.is_positive, of_a.is_positive) > zero
    is_along = lanes.where(is_of_b, of_b.along, of_a.along) > zero
    x = lanes.where(is_of_b, from_b_x, x)
    y = lanes.where(is_of_b, from_b_y, y)
    s = lanes.where(is_of_b, -s, s)
    half_x = lanes.where(is_of_b, b.half_x, a.half_x)
    half_y = lanes.where(is_of_b, b.half_y, a.half_y)
    cos = lanes.where(is_of_b, b.axis_x, a.axis_x)
    sin = lanes.where(is_of_b, b.axis_y, a.axis_y)
    sign = lanes.where(is_positive, one, -one)
    right_or_left = lanes.where(is_positive, one, lanes.spread(3.0, lane))
    above_or_below = lanes.where(is_positive, lanes.spread(2.0, lane), zero)
    return _Edge(
        lanes.where(is_of_b, of_b.overlap, of_a.overlap),
        lanes.where(is_of_b, one, zero),
        lanes.where(is_along, right_or_left, above_or_below),
        lanes.where(is_of_b, dx, zero),
        lanes.where(is_of_b, dy, zero),
        lanes.where(is_along, sign * cos, -sign * sin),
        lanes.where(is_along, sign * sin, sign * cos),
        lanes.where(is_along, half_x, half_y),
        lanes.where(is_along, half_y, half_x),
        lanes.where(is_along, sign * x, sign * y),
        lanes.where(is_along, sign * y, -sign * x),
        lanes.where(is_along, sign * c, sign * s),
        lanes.where(is_along, sign * s, -sign * c),
        lanes.where(is_along, -sign * s, sign * c),
        lanes.where(is_along, sign * c, sign * s),
        lanes.where(is_of_b, a.half_x, b.half_x),
        lanes.where(is_of_b, a.half_y, b.half_y),
    )


@inlined_scalar
def box_box(
    a: ShapeNumbers, b: ShapeNumbers, dx: Any, dy: Any, slop: Any, size: Any, prediction: Any, lane: Any
) -> Any:
    """Whether an edge of box a or b and a vertex or edge of the other meet, 1 or 0, and then their contact.

    B's centre is at (dx, dy) from A's centre; the contact's points are relative to A's. Depth −inf: they are apart by
    ``prediction`` or more. ``size`` is the smaller one's.
    """
    zero = lanes.spread(0.0, lane)
    one = lanes.spread(1.0, lane)
    half = lanes.spread(0.5, lane)
    two = lanes.spread(2.0, lane)
    edge = _reference_edge(a, b, dx, dy, lane)
    is_of_b = edge.is_of_b > zero
    # The lowest vertex of the other box; of two as low, the first.
    is_upper = lanes.where(edge.y_up < zero, one, zero)
    is_right = lanes.where(edge.x_up < zero, one, lanes.where(edge.x_up > zero, zero, is_upper))
    to_x = lanes.where(is_right > zero, edge.other_x, -edge.other_x)
    to_y = lanes.where(is_upper > zero, edge.other_y, -edge.other_y)
    u_0 = edge.half_on + edge.on + to_x * edge.x_on + to_y * edge.y_on
    height_0 = edge.up - edge.half_up + to_x * edge.x_up + to_y * edge.y_up
    width = two * edge.half_on
    beside = lanes.spread(_SURELY_BESIDE, lane) * slop
    is_known = lanes.where(u_0 > beside, lanes.where(u_0 < width - beside, one, zero), zero)
    is_known = lanes.where(edge.overlap > lanes.spread(_SURELY, lane) * slop, one, is_known)
    is_near = edge.overlap > slop - prediction
    is_known = lanes.where(is_near, is_known, one)
    # Of the two edges there, the one that faces m most; of two alike, the one that begins at the vertex.
    begins_level = lanes.where(is_upper > zero, is_right, one - is_right)
    x_height = lanes.absolute(edge.x_up)
    y_height = lanes.absolute(edge.y_up)
    is_level = lanes.where(y_height > x_height, one, lanes.where(y_height < x_height, zero, begins_level))
    vertex = _vertex(is_upper, is_right, lane)
    other_is_upper = lanes.where(is_level > zero, is_upper, one - is_upper)
    other_is_right = lanes.where(is_level > zero, one - is_right, is_right)
    other = _vertex(other_is_upper, other_is_right, lane)
    u_1 = u_0 - two * lanes.where(is_level > zero, to_x * edge.x_on, to_y * edge.y_on)
    height_1 = height_0 - two * lanes.where(is_level > zero, to_x * edge.x_up, to_y * edge.y_up)
    u_0, height_0, u_1, height_1 = clip_to_edge(u_0, height_0, u_1, height_1, width, lane)

    has_two = lanes.where(height_1 < prediction, one, zero)
    has_two = lanes.where(lanes.absolute(u_1 - u_0) > lanes.spread(DISTINCT, lane) * size, has_two, zero)
    is_double = has_two > zero
    # Edge k ends where edge k + 1 begins.
    following = lanes.where(edge.number < lanes.spread(2.5, lane), edge.number + one, zero)
    is_turned = u_0 > u_1
    end_0 = lanes.where(is_turned, following, edge.number)
    end_1 = lanes.where(is_turned, edge.number, following)
    feature_0 = _feature(end_0, vertex, edge.is_of_b, lane)
    feature_1 = lanes.where(
        is_double, _feature(end_1, other, edge.is_of_b, lane), lanes.spread(float(NO_FEATURE), lane)
    )
    u_1 = lanes.where(is_double, u_1, u_0)
    height_1 = lanes.where(is_double, height_1, height_0)
    away_0 = edge.half_up + half * height_0
    away_1 = edge.half_up + half * height_1
    u_0 = u_0 - edge.half_on
    u_1 = u_1 - edge.half_on
    depth = lanes.where(edge.overlap > slop, edge.overlap, lanes.smaller(zero, edge.overlap))
    return is_known, (
        (
            lanes.where(is_near, depth, lanes.spread(-math.inf, lane)),
            lanes.where(is_of_b, -edge.mx, edge.mx),
            lanes.where(is_of_b, -edge.my, edge.my),
            one + has_two,
            edge.origin_x + away_0 * edge.mx - u_0 * edge.my,
            edge.origin_y + away_0 * edge.my + u_0 * edge.mx,
            edge.origin_x + away_1 * edge.mx - u_1 * edge.my,
            edge.origin_y + away_1 * edge.my + u_1 * edge.mx,
        ),
        (height_0, height_1, feature_0, feature_1),
    )
