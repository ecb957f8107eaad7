"""Contact of a circle with a circle, a box and a capsule: the pairs a game has most of, by their own formulas.

Each gives (depth, n_x, n_y, distance): the depth is negative where the surfaces are apart, and −inf where that is by
``prediction`` or more; the contact point lies on the normal, at the returned distance from the circle's centre.
"""

from __future__ import annotations

import math

from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.math.unit_vector import unit_vector


@scalar
def circle_circle(
    dx: float, dy: float, radius_a: float, radius_b: float, prediction: float
) -> tuple[float, float, float, float]:
    """C3: circles overlap where d² < R², R the sum of the radii. (dx, dy) leads from centre a to centre b.

    Concentric circles are parted along (0, 1).
    """
    squared = dx * dx + dy * dy
    reach = radius_a + radius_b
    limit = reach + prediction
    if not squared < limit * limit:
        return -math.inf, 0.0, 1.0, 0.0
    nx, ny, distance = unit_vector(dx, dy)
    # R − d, written so that it cannot round to zero where d² < R².
    depth = (reach * reach - squared) / (reach + distance)
    if distance > 0.0:
        return depth, nx, ny, 0.5 * (radius_a + distance - radius_b)
    return depth, 0.0, 1.0, 0.5 * (radius_a - radius_b)


@scalar
def circle_rounded_box(
    dx: float,
    dy: float,
    radius_a: float,
    axis_x: float,
    axis_y: float,
    half_x: float,
    half_y: float,
    radius_b: float,
    prediction: float,
) -> tuple[float, float, float, float]:
    """C4 (ii), C5 and C11: a circle against a box with rounded corners.

    A capsule is a box without height. The circle's centre is taken into the box's frame and folded into the first
    quadrant; what exceeds the half sizes is the offset from the nearest point (C8; on a capsule C10). A centre
    inside the box leaves through the nearest side, on equal terms across the axis.
    """
    along = -(dx * axis_x + dy * axis_y)
    across = -(dy * axis_x - dx * axis_y)
    beyond_x = abs(along) - half_x
    beyond_y = abs(across) - half_y
    offset_x = max(beyond_x, 0.0)
    offset_y = max(beyond_y, 0.0)
    squared = offset_x * offset_x + offset_y * offset_y
    reach = radius_a + radius_b
    limit = reach + prediction
    if not squared < limit * limit:
        return -math.inf, 0.0, 1.0, 0.0
    out_x, out_y, distance = unit_vector(offset_x, offset_y)
    if distance > 0.0:
        depth = (reach * reach - squared) / (reach + distance)
    else:
        distance = max(beyond_x, beyond_y)
        depth = reach - distance
        out_x = 1.0 if beyond_x > beyond_y else 0.0
        out_y = 0.0 if beyond_x > beyond_y else 1.0
    # The normal leads from the circle to the box, against the way out of it.
    normal_x = -math.copysign(out_x, along)
    normal_y = -math.copysign(out_y, across)
    return (
        depth,
        normal_x * axis_x - normal_y * axis_y,
        normal_x * axis_y + normal_y * axis_x,
        0.5 * (radius_a + distance - radius_b),
    )
