"""C10, C11, C14: points and circles against a segment."""

from __future__ import annotations

import math

from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.math.elementary import hypot
from ecsphys.engine.math.exact import cross, two_sum


@scalar
def closest_parameter(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    """C10: t in [0, 1] of the point a + t·(b − a) nearest to p; 0 where a = b.

    |a + t·d − p|² is smallest where its derivative 2·d·(a + t·d − p) is zero: t = (p − a)·d / d·d.
    """
    dx = bx - ax
    dy = by - ay
    squared = dx * dx + dy * dy
    if squared == 0.0:
        return 0.0
    return min(max(((px - ax) * dx + (py - ay) * dy) / squared, 0.0), 1.0)


@scalar
def closest_point_on_segment(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> tuple[float, float]:
    """C10: the nearest point, exactly an end where it is one."""
    t = closest_parameter(px, py, ax, ay, bx, by)
    # From the nearer end, so that t = 1 gives b itself.
    if t > 0.5:
        return bx - (1.0 - t) * (bx - ax), by - (1.0 - t) * (by - ay)
    return ax + t * (bx - ax), ay + t * (by - ay)


@scalar
def distance_to_segment(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    """C10: the distance from p to the nearest point; beside the segment it is |d × (p − a)| / |d|.

    Unlike the distance to a + t·d, that loses nothing where p is close to a long segment.
    """
    t = closest_parameter(px, py, ax, ay, bx, by)
    if t == 0.0:
        return hypot(px - ax, py - ay)
    if t == 1.0:
        return hypot(px - bx, py - by)
    dx = bx - ax
    dy = by - ay
    return abs(cross(dx, dy, px - ax, py - ay)) / hypot(dx, dy)


@scalar
def closer_to_segment(
    px: float, py: float, ax: float, ay: float, bx: float, by: float, reach: float, reach_tail: float
) -> bool:
    """Whether the distance from p to a segment is less than a reach, given as a float and its tail.

    Beside a segment along a coordinate axis it is a difference of two numbers, and is compared without any rounding.
    """
    t = closest_parameter(px, py, ax, ay, bx, by)
    tail = 0.0
    if 0.0 < t < 1.0 and ay == by:
        distance, tail = two_sum(py, -ay)
    elif 0.0 < t < 1.0 and ax == bx:
        distance, tail = two_sum(px, -ax)
    else:
        distance = distance_to_segment(px, py, ax, ay, bx, by)
    if distance < 0.0:
        distance, tail = -distance, -tail
    return distance < reach or (distance == reach and tail < reach_tail)


@scalar
def circle_capsule(
    cx: float, cy: float, radius: float, ax: float, ay: float, bx: float, by: float, capsule_radius: float
) -> bool:
    """C11: the distance to the core segment < r_circle + r_capsule."""
    reach, reach_tail = two_sum(radius, capsule_radius)
    return closer_to_segment(cx, cy, ax, ay, bx, by, reach, reach_tail)


@scalar
def circle_segment(
    cx: float, cy: float, radius: float, ax: float, ay: float, bx: float, by: float
) -> tuple[int, float, float]:
    """C14: where a + t·d, d = b − a, crosses the circle, t in [0, 1]: how many (0 … 2), and t in ascending order.

    With f = a − centre: |f + t·d|² = r² is a·t² + 2b·t + c = 0, a = d·d, b = f·d, c = f·f − r². A tangent does not
    cross. d must not be zero.
    """
    dx = bx - ax
    dy = by - ay
    fx = ax - cx
    fy = ay - cy
    a = dx * dx + dy * dy
    b = fx * dx + fy * dy
    c = _power(fx, fy, radius)
    # b² − a·c = a·r² − (f × d)², by Lagrange's identity (f·d)² + (f × d)² = f²·d²: as a product of two factors, it
    # keeps its precision for a far start and near a tangent.
    moment = abs(cross(fx, fy, dx, dy))
    reach = radius * math.sqrt(a)
    discriminant = (reach - moment) * (reach + moment)
    if discriminant <= 0.0:
        return 0, 0.0, 0.0
    # −b ∓ √… cancels for one of the roots: that one follows from their product c / a.
    q = -(b + math.copysign(math.sqrt(discriminant), b))
    first = min(q / a, c / q)
    second = max(q / a, c / q)
    if _power(bx - cx, by - cy, radius) == 0.0:
        # b lies on the circle: the crossing there is at 1, whatever rounding says.
        if abs(first - 1.0) < abs(second - 1.0):
            first = 1.0
        else:
            second = 1.0
    if 0.0 <= first <= 1.0:
        if second <= 1.0:
            return 2, first + 0.0, second
        return 1, first + 0.0, 0.0
    if 0.0 <= second <= 1.0:
        return 1, second + 0.0, 0.0
    return 0, 0.0, 0.0


@scalar
def _power(x: float, y: float, radius: float) -> float:
    """Power of a point: x² + y² − r², as factors, so that it is exactly 0 for a point on the circle."""
    distance = hypot(x, y)
    return (distance - radius) * (distance + radius)
