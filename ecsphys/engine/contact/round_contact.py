"""Contact of a circle with a circle, a box and a capsule: the pairs a game has most of, by their own formulas.

Each gives whether it is sure of what follows, 1 or 0, which for a single lane it always is, and the contact: the depth
is negative where the surfaces are apart, and −inf if they are ``prediction`` or more apart; the one point lies on the
normal. Numbers are of one lane or of all (:mod:`ecsphys.engine.vectors.lanes`).
"""

from __future__ import annotations

import math
from typing import Any

from ecsphys.engine.contact.manifold import NO_FEATURE
from ecsphys.engine.contact.shape_numbers import ShapeNumbers
from ecsphys.engine.kernels.compilation import inlined_scalar
from ecsphys.engine.vectors.lanes import absolute, larger, smaller, spread, where, with_sign
from ecsphys.engine.vectors.unit_vectors import has_plain_square, unit_vector_in_lanes


@inlined_scalar
def _with_one_point(depth: Any, nx: Any, ny: Any, distance: Any, lane: Any) -> Any:
    """The contact of a circle with its point so far from its centre, along the normal."""
    x = distance * nx
    y = distance * ny
    return (
        (depth, nx, ny, spread(1.0, lane), x, y, x, y),
        (-depth, -depth, spread(0.0, lane), spread(float(NO_FEATURE), lane)),
    )


@inlined_scalar
def circle_circle(dx: Any, dy: Any, radius_a: Any, radius_b: Any, prediction: Any, lane: Any) -> Any:
    """C3: circles overlap where d² < R², R the sum of the radii. (dx, dy) leads from centre a to centre b.

    Concentric circles are parted along (0, 1).
    """
    zero = spread(0.0, lane)
    squared = dx * dx + dy * dy
    reach = radius_a + radius_b
    limit = reach + prediction
    nx, ny, distance = unit_vector_in_lanes(dx, dy, lane)
    # R − d, written so that it cannot round to zero where d² < R².
    depth = (reach * reach - squared) / (reach + distance)
    depth = where(squared < limit * limit, depth, spread(-math.inf, lane))
    ny = where(distance > zero, ny, spread(1.0, lane))
    outwards = spread(0.5, lane) * (radius_a + distance - radius_b)
    return has_plain_square(dx, dy, lane), _with_one_point(depth, nx, ny, outwards, lane)


@inlined_scalar
def circle_rounded_box(
    dx: Any, dy: Any, radius_a: Any, box: ShapeNumbers, slop: Any, prediction: Any, lane: Any
) -> Any:
    """C4 (ii), C5 and C11: a circle against a box with rounded corners.

    A capsule is a box without height. The circle's centre is taken into the box's frame and folded into the first
    quadrant; what exceeds the half sizes is the offset from the nearest point (C8; on a capsule C10). A centre
    inside the box leaves through the nearest side, on equal terms across the axis.
    """
    zero = spread(0.0, lane)
    one = spread(1.0, lane)
    along = -(dx * box.axis_x + dy * box.axis_y)
    across = -(dy * box.axis_x - dx * box.axis_y)
    beyond_x = absolute(along) - box.half_x
    beyond_y = absolute(across) - box.half_y
    offset_x = larger(zero, beyond_x)
    offset_y = larger(zero, beyond_y)
    squared = offset_x * offset_x + offset_y * offset_y
    reach = radius_a + box.radius
    limit = reach + prediction
    out_x, out_y, distance = unit_vector_in_lanes(offset_x, offset_y, lane)
    is_outside = distance > zero
    outside = (reach * reach - squared) / (reach + distance)
    inside = larger(beyond_y, beyond_x)
    depth = where(is_outside, outside, reach - inside)
    depth = where(depth > slop, depth, smaller(zero, depth))
    depth = where(squared < limit * limit, depth, spread(-math.inf, lane))
    leaves_along = beyond_x > beyond_y
    out_x = where(is_outside, out_x, where(leaves_along, one, zero))
    out_y = where(is_outside, out_y, where(leaves_along, zero, one))
    # The normal leads from the circle to the box, against the way out of it.
    normal_x = -with_sign(out_x, along)
    normal_y = -with_sign(out_y, across)
    outwards = spread(0.5, lane) * (radius_a + where(is_outside, distance, inside) - box.radius)
    return has_plain_square(offset_x, offset_y, lane), _with_one_point(
        depth,
        normal_x * box.axis_x - normal_y * box.axis_y,
        normal_x * box.axis_y + normal_y * box.axis_x,
        outwards,
        lane,
    )
