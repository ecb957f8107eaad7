"""C3–C5: a circle against a circle, an axis-aligned and a turned rectangle.

Shapes hit when their interiors overlap. C3 and C4 are decided exactly for the numbers given, so that the three ways
of C4 agree even on the boundary.
"""

from __future__ import annotations

from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.math.cos_sin import cosine_of, sine_of
from ecsphys.engine.math.exact import closer_than, less_than_sum, two_sum
from ecsphys.engine.predicates.box import to_box_frame


@scalar
def circle_circle(ax: float, ay: float, radius_a: float, bx: float, by: float, radius_b: float) -> bool:
    """C3: squared distance < (ra + rb)²."""
    x, x_tail = two_sum(bx, -ax)
    y, y_tail = two_sum(by, -ay)
    reach, reach_tail = two_sum(radius_a, radius_b)
    return closer_than(x, x_tail, y, y_tail, reach, reach_tail)


@scalar
def axis_gap(value: float, low: float, high: float) -> tuple[float, float]:
    """How far a value is outside [low, high], negative inside, as a float and its tail.

    This is C4(ii)'s |value − middle| − half: folding makes the gap max(value − middle, middle − value) − half, and
    middle ± half are the given ends, which makes it max(value − high, low − value).
    """
    below, below_tail = two_sum(low, -value)
    above, above_tail = two_sum(value, -high)
    if above > below:
        return above, above_tail
    return below, below_tail


@scalar
def circle_aabb(cx: float, cy: float, radius: float, min_x: float, min_y: float, max_x: float, max_y: float) -> bool:
    """C4(ii): fold the centre into the first quadrant, subtract the half-size, clamp at 0, compare the length."""
    x, x_tail = axis_gap(cx, min_x, max_x)
    y, y_tail = axis_gap(cy, min_y, max_y)
    if x < 0.0 and y < 0.0:
        return True  # centre inside: said here so that it holds for a radius of 0 as in the other two ways
    if x < 0.0:
        x = x_tail = 0.0
    if y < 0.0:
        y = y_tail = 0.0
    return closer_than(x, x_tail, y, y_tail, radius, 0.0)


@scalar
def _corner_in_circle(
    cx: float, cy: float, radius: float, min_x: float, min_y: float, max_x: float, max_y: float
) -> bool:
    """Whether the corner in the centre's direction is in the circle, for a centre that faces no side."""
    corner_x = min_x if cx <= min_x else max_x
    corner_y = min_y if cy <= min_y else max_y
    x, x_tail = two_sum(corner_x, -cx)
    y, y_tail = two_sum(corner_y, -cy)
    return closer_than(x, x_tail, y, y_tail, radius, 0.0)


@scalar
def _within(value: float, low: float, high: float, growth: float) -> bool:
    """low − growth < value < high + growth, exact."""
    return less_than_sum(-value, -low, growth) and less_than_sum(value, high, growth)


@scalar
def circle_aabb_by_cases(
    cx: float, cy: float, radius: float, min_x: float, min_y: float, max_x: float, max_y: float
) -> bool:
    """C4(i): a centre facing a side (or inside) by its distance to that side, any other by its corner.

    The original's ≤ for corners is < here, as for sides.
    """
    if min_x < cx < max_x:
        return _within(cy, min_y, max_y, radius)
    if min_y < cy < max_y:
        return _within(cx, min_x, max_x, radius)
    return _corner_in_circle(cx, cy, radius, min_x, min_y, max_x, max_y)


@scalar
def circle_aabb_by_growth(
    cx: float, cy: float, radius: float, min_x: float, min_y: float, max_x: float, max_y: float
) -> bool:
    """C4(iii): the centre is in the rectangle grown by r, and not in one of its corners beyond the rounding."""
    if not (_within(cx, min_x, max_x, radius) and _within(cy, min_y, max_y, radius)):
        return False
    if min_x < cx < max_x or min_y < cy < max_y:
        return True
    return _corner_in_circle(cx, cy, radius, min_x, min_y, max_x, max_y)


@scalar
def _circle_centred_box(x: float, y: float, radius: float, half_x: float, half_y: float) -> bool:
    """C4(ii) in the rectangle's own frame."""
    return circle_aabb(x, y, radius, -half_x, -half_y, half_x, half_y)


@scalar
def circle_obb(
    cx: float, cy: float, radius: float, box_x: float, box_y: float, half_x: float, half_y: float, angle: float
) -> bool:
    """C5: turn the centre's offset by −angle, then C4(ii)."""
    x, y = to_box_frame(cx, cy, box_x, box_y, angle)
    return _circle_centred_box(x, y, radius, half_x, half_y)


@scalar
def circle_obb_by_transform(
    cx: float, cy: float, radius: float, box_x: float, box_y: float, half_x: float, half_y: float, angle: float
) -> bool:
    """C5: the centre through the inverse of the rectangle's local → world transform, then C4(ii).

    local → world is M·p + t with the unit axes as M's columns; the test needs world → local, M⁻¹·(p − t).
    """
    m00, m10 = cosine_of(angle), sine_of(angle)
    m01, m11 = -m10, m00
    determinant = m00 * m11 - m01 * m10  # 1 but for rounding
    x = cx - box_x
    y = cy - box_y
    local_x = (m11 * x - m01 * y) / determinant
    local_y = (m00 * y - m10 * x) / determinant
    return _circle_centred_box(local_x, local_y, radius, half_x, half_y)
