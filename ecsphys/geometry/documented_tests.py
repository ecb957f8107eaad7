"""The classic collision tests by name, on plain tuples and floats (rows C1–C15), and the checks of their arguments.

Points, vectors and half-sizes are pairs ``(x, y)``. Angles are radians, counter-clockwise. A turned rectangle is given
by its center, half-size and angle. Two shapes *hit* if their interiors overlap: touching and tangency give False, None
or (), and a boundary point is outside. A radius or half-size of 0 is allowed: a circle with radius 0 is a point, and
hits a shape if it is strictly inside.

Every function raises TypeError unless the arguments are numbers, and ValueError for NaN, infinity, negative sizes and
zero directions. Messages name the argument and the value.

Differences of coordinates come first everywhere, so a position far from the origin costs no precision.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ecsphys.components.store.column import finite_number, number_pair, show
from ecsphys.engine.geometry import projection
from ecsphys.engine.geometry.projection import closer_to_segment, within_spread
from ecsphys.engine.geometry.raycast import clip_to_slab
from ecsphys.engine.math.elementary import cos_sin, hypot
from ecsphys.engine.math.rounding import closer_than, cross, cross_sign, less_than_sum, orientation, two_sum

Pair = tuple[float, float]

pair = number_pair


def size(name: str, value: Any) -> float:
    """A finite number that is not negative: a radius or a half-size."""
    if type(value) is float and 0.0 <= value < math.inf:
        return value
    result = finite_number(name, value)
    if result < 0.0:
        raise ValueError(f"{name} must not be negative, got {show(value)}")
    return result


def half_sizes(name: str, value: Any) -> Pair:
    """A pair of finite numbers that are not negative."""
    half_x, half_y = pair(name, value)
    if half_x < 0.0 or half_y < 0.0:
        raise ValueError(f"{name} must not be negative, got {show(value)}")
    return half_x, half_y


def vector(name: str, value: Any) -> Pair:
    """A pair of finite numbers that has a direction."""
    x, y = pair(name, value)
    if x == 0.0 and y == 0.0:
        raise ValueError(f"{name} must not be zero, got {show(value)}")
    return x, y


def box(min_name: str, low: Any, max_name: str, high: Any) -> tuple[float, float, float, float]:
    """The corners of an axis-aligned rectangle, in order: (min_x, min_y, max_x, max_y)."""
    min_x, min_y = pair(min_name, low)
    max_x, max_y = pair(max_name, high)
    if min_x > max_x or min_y > max_y:
        raise ValueError(f"{min_name} must not exceed {max_name}, got {show(low)} and {show(high)}")
    return min_x, min_y, max_x, max_y


def spread_angle(name: str, value: Any) -> float:
    """The spread of a fan, in (0, 2π]."""
    result = finite_number(name, value)
    if not 0.0 < result <= 2.0 * math.pi:
        raise ValueError(f"{name} must be greater than 0 and at most 2π, got {show(value)}")
    return result


def aabb_aabb(min_a: Pair, max_a: Pair, min_b: Pair, max_b: Pair) -> bool:
    """C1: whether two axis-aligned rectangles overlap on both axes.

    By De Morgan, not (a right of b or b right of a or …). This is the rectangle of C2 not being empty, which also
    holds for rectangles without width: they have no interior to overlap with.
    """
    return aabb_intersection(min_a, max_a, min_b, max_b) is not None


def aabb_intersection(min_a: Pair, max_a: Pair, min_b: Pair, max_b: Pair) -> tuple[Pair, Pair] | None:
    """C2: the rectangle ``(min, max)`` in which two overlap, max of mins and min of maxes; or None if it is empty."""
    left_a, low_a, right_a, high_a = box("min_a", min_a, "max_a", max_a)
    left_b, low_b, right_b, high_b = box("min_b", min_b, "max_b", max_b)
    left, low, right, high = max(left_a, left_b), max(low_a, low_b), min(right_a, right_b), min(high_a, high_b)
    return ((left, low), (right, high)) if left < right and low < high else None


def circle_circle(center_a: Pair, radius_a: float, center_b: Pair, radius_b: float) -> bool:
    """C3: the squared distance of the centers is below (ra + rb)², decided exactly."""
    return _circles(
        pair("center_a", center_a), size("radius_a", radius_a), pair("center_b", center_b), size("radius_b", radius_b)
    )


def _circles(a: Pair, radius_a: float, b: Pair, radius_b: float) -> bool:
    return closer_than(*two_sum(b[0], -a[0]), *two_sum(b[1], -a[1]), *two_sum(radius_a, radius_b))


def circle_aabb(center: Pair, radius: float, box_min: Pair, box_max: Pair) -> bool:
    """C4(ii): fold the center into the rectangle's first quadrant, subtract the half-size, clamp, compare the length.

    The decision is exact for the given numbers. :func:`circle_aabb_by_cases` and :func:`circle_aabb_by_growth` are
    exact too, so all three always agree.
    """
    return _circle_box(pair("center", center), size("radius", radius), *box("box_min", box_min, "box_max", box_max))


def _circle_box(center: Pair, radius: float, min_x: float, min_y: float, max_x: float, max_y: float) -> bool:
    x, x_tail = _gap(center[0], min_x, max_x)
    y, y_tail = _gap(center[1], min_y, max_y)
    if x < 0.0 and y < 0.0:
        return True  # center inside: also for a radius of 0, as in the other two ways
    if x < 0.0:
        x = x_tail = 0.0
    if y < 0.0:
        y = y_tail = 0.0
    return closer_than(x, x_tail, y, y_tail, radius, 0.0)


def _gap(value: float, low: float, high: float) -> tuple[float, float]:
    """How far a value is outside [low, high], negative inside, as a float and its tail.

    Folding makes |value − middle| − half the larger of value − middle and middle − value, less half; and middle ± half
    are the given ends.
    """
    below, above = two_sum(low, -value), two_sum(value, -high)
    return above if above[0] > below[0] else below


def circle_aabb_by_cases(center: Pair, radius: float, box_min: Pair, box_max: Pair) -> bool:
    """C4(i): for a center in front of a side the distance to the side, otherwise the distance to the corner.

    The original's ≤ for corners is < here, as for sides.
    """
    (x, y), r = pair("center", center), size("radius", radius)
    min_x, min_y, max_x, max_y = box("box_min", box_min, "box_max", box_max)
    if min_x < x < max_x:
        return _is_within(y, min_y, max_y, r)
    if min_y < y < max_y:
        return _is_within(x, min_x, max_x, r)
    return _corner_in_circle((x, y), r, min_x, min_y, max_x, max_y)


def circle_aabb_by_growth(center: Pair, radius: float, box_min: Pair, box_max: Pair) -> bool:
    """C4(iii): the center is in the rectangle grown by the radius, and not in one of its corners beyond the circle."""
    (x, y), r = pair("center", center), size("radius", radius)
    min_x, min_y, max_x, max_y = box("box_min", box_min, "box_max", box_max)
    if not (_is_within(x, min_x, max_x, r) and _is_within(y, min_y, max_y, r)):
        return False
    return min_x < x < max_x or min_y < y < max_y or _corner_in_circle((x, y), r, min_x, min_y, max_x, max_y)


def _is_within(value: float, low: float, high: float, growth: float) -> bool:
    """low − growth < value < high + growth, exact."""
    return less_than_sum(-value, -low, growth) and less_than_sum(value, high, growth)


def _corner_in_circle(center: Pair, radius: float, min_x: float, min_y: float, max_x: float, max_y: float) -> bool:
    """Whether the corner in the center's direction is in the circle, for a center that faces no side."""
    x, y = center
    return _circles(center, radius, (min_x if x <= min_x else max_x, min_y if y <= min_y else max_y), 0.0)


def circle_obb(center: Pair, radius: float, box_center: Pair, half_size: Pair, angle: float) -> bool:
    """C5: turn the center's offset from the rectangle by −angle, then C4(ii)."""
    x, y = pair("center", center)
    r = size("radius", radius)
    box_x, box_y = pair("box_center", box_center)
    half_x, half_y = half_sizes("half_size", half_size)
    cos, sin = cos_sin(finite_number("angle", angle))
    return _circle_box(_to_box_frame(x - box_x, y - box_y, cos, sin), r, -half_x, -half_y, half_x, half_y)


def _to_box_frame(x: float, y: float, cos: float, sin: float) -> Pair:
    """C7: an offset from a turned rectangle's center, projected on its two unit axes."""
    return x * cos + y * sin, y * cos - x * sin


def circle_obb_by_transform(center: Pair, radius: float, box_center: Pair, half_size: Pair, angle: float) -> bool:
    """C5: the center through the inverse of the rectangle's local → world transform, then C4(ii).

    local → world is M·p + t with the unit axes as M's columns; the test needs world → local, M⁻¹·(p − t).
    """
    x, y = pair("center", center)
    r = size("radius", radius)
    box_x, box_y = pair("box_center", box_center)
    half_x, half_y = half_sizes("half_size", half_size)
    m00, m10 = cos_sin(finite_number("angle", angle))
    m01, m11 = -m10, m00
    determinant = m00 * m11 - m01 * m10  # 1 but for rounding
    x, y = x - box_x, y - box_y
    local = (m11 * x - m01 * y) / determinant, (m00 * y - m10 * x) / determinant
    return _circle_box(local, r, -half_x, -half_y, half_x, half_y)


def circle_polygon(center: Pair, radius: float, vertices: Iterable[Pair]) -> bool:
    """C6: the center inside a convex polygon, decided exactly, or any edge nearer than the radius.

    ``vertices`` may be in either winding, and some may be in the middle of an edge. Raises ValueError for fewer than
    three vertices, and unless they form a convex polygon with an area.
    """
    if not isinstance(vertices, Iterable):
        raise TypeError(f"vertices must be pairs of numbers, got {show(vertices)} ({type(vertices).__name__})")
    points = [pair(f"vertices[{k}]", vertex) for k, vertex in enumerate(vertices)]
    if len(points) < 3:
        raise ValueError(f"vertices must have at least 3 points, got {show(points)}")
    winding = _convex_winding(points)
    if winding == 0:
        raise ValueError(f"vertices must form a convex polygon with an area, got {show(points)}")
    x, y = pair("center", center)
    r = size("radius", radius)
    edges = list(zip(points, points[1:] + points[:1], strict=True))
    # On the inner side of every edge: exact, unlike a sum of signed angles.
    is_inside = all(a == b or winding * orientation(*a, *b, x, y) > 0 for a, b in edges)
    return is_inside or any(closer_to_segment(x, y, *a, *b, r, 0.0) for a, b in edges)


def _convex_winding(points: list[Pair]) -> int:
    """1 for a convex polygon given counter-clockwise, −1 for a clockwise one, 0 if it is not convex or has no area.

    Exact. Convex: all turns go one way (vertices in line turn neither way), and the edges run through all directions
    only once. Going round once, x has one rising and one falling run; a star has more, though it never turns back.
    """
    count = len(points)
    turns = {orientation(*points[k - 2], *points[k - 1], *points[k]) for k in range(count)} - {0}
    if len(turns) != 1:
        return 0
    headings = [a[0] < b[0] for a, b in zip(points, points[1:] + points[:1], strict=True) if a[0] != b[0]]
    runs = [headings[k] != headings[k - 1] for k in range(len(headings))].count(True)
    return turns.pop() if runs == 2 else 0


def circle_capsule(center: Pair, radius: float, a: Pair, b: Pair, capsule_radius: float) -> bool:
    """C11: the distance from the center to the capsule's core segment a–b is below the sum of the radii."""
    x, y = pair("center", center)
    r = size("radius", radius)
    core = *pair("a", a), *pair("b", b)
    return closer_to_segment(x, y, *core, *two_sum(r, size("capsule_radius", capsule_radius)))


def circle_fan(center: Pair, radius: float, apex: Pair, fan_radius: float, spread: float, direction: float) -> bool:
    """C12: a circle against the fan that covers direction ± spread/2, spread in (0, 2π].

    They hit if the apex is in the circle, the center is between the fan's edges and nearer than the sum of the radii,
    or the circle cuts an edge.
    """
    center, r, apex = pair("center", center), size("radius", radius), pair("apex", apex)
    fan_radius = size("fan_radius", fan_radius)
    spread, direction = spread_angle("spread", spread), finite_number("direction", direction)
    if _circles(center, r, apex, 0.0):
        return True
    if spread >= 2.0 * math.pi:
        return _circles(center, r, apex, fan_radius)
    x, y = center[0] - apex[0], center[1] - apex[1]
    half = 0.5 * spread
    is_between = within_spread(*_to_box_frame(x, y, *cos_sin(direction)), *cos_sin(half)) > 0.0
    if is_between and _circles(center, r, apex, fan_radius):
        return True
    # Edges from their own angles, so that an edge along a coordinate axis is exact.
    for angle in (direction - half, direction + half):
        cos, sin = cos_sin(angle)
        if closer_to_segment(x, y, 0.0, 0.0, fan_radius * cos, fan_radius * sin, r, 0.0):
            return True
    return False


def between_vectors(p: Pair, v1: Pair, v2: Pair) -> bool:
    """C13: whether p lies between v1 and v2, counter-clockwise from v1 to v2 at any angle; decided exactly.

    The edges and p = (0, 0) are included. Between vectors of the same direction there is only this direction.

    p = α·v1 + β·v2 gives α = (p × v2)/(v1 × v2), β = (v1 × p)/(v1 × v2). Below π the determinant v1 × v2 is positive
    and α, β ≥ 0 are the signs of the numerators, which keep their meaning if the determinant vanishes. If it is
    negative, the angle is above π, and p is between unless it is strictly between v2 and v1.
    """
    p, a, b = pair("p", p), vector("v1", v1), vector("v2", v2)
    alpha, beta = cross_sign(*p, *b), cross_sign(*a, *p)
    if cross_sign(*a, *b) < 0:
        return alpha >= 0 or beta >= 0
    if alpha == 0 and beta == 0:
        # p is parallel to both vectors (or zero), so they are parallel too, and p must run along one of them.
        return p[0] * a[0] + p[1] * a[1] >= 0.0 or p[0] * b[0] + p[1] * b[1] >= 0.0
    return alpha >= 0 and beta >= 0


def point_in_aabb(point: Pair, box_min: Pair, box_max: Pair) -> bool:
    """C7: whether a point is strictly inside an axis-aligned rectangle."""
    x, y = pair("point", point)
    min_x, min_y, max_x, max_y = box("box_min", box_min, "box_max", box_max)
    return min_x < x < max_x and min_y < y < max_y


def point_in_obb(point: Pair, box_center: Pair, half_size: Pair, angle: float) -> bool:
    """C7: whether the point's offset, projected on both axes, is below the half-size in absolute value."""
    x, y = pair("point", point)
    box_x, box_y = pair("box_center", box_center)
    half_x, half_y = half_sizes("half_size", half_size)
    x, y = _to_box_frame(x - box_x, y - box_y, *cos_sin(finite_number("angle", angle)))
    return abs(x) < half_x and abs(y) < half_y


def closest_point_on_segment(point: Pair, a: Pair, b: Pair) -> Pair:
    """C10: the point of the segment a–b nearest to ``point``; a if a = b."""
    return projection.closest_point_on_segment(*pair("point", point), *pair("a", a), *pair("b", b))


def closest_point_on_obb(point: Pair, box_center: Pair, half_size: Pair, angle: float) -> tuple[Pair, float]:
    """C8: the point of a turned rectangle nearest to ``point``, and its distance; for a point inside, itself and 0."""
    point = pair("point", point)
    box_x, box_y = pair("box_center", box_center)
    half_x, half_y = half_sizes("half_size", half_size)
    cos, sin = cos_sin(finite_number("angle", angle))
    x, y = _to_box_frame(point[0] - box_x, point[1] - box_y, cos, sin)
    if abs(x) <= half_x and abs(y) <= half_y:
        return point, 0.0
    near_x, near_y = max(-half_x, min(x, half_x)), max(-half_y, min(y, half_y))
    nearest = box_x + near_x * cos - near_y * sin, box_y + near_x * sin + near_y * cos
    return nearest, hypot(x - near_x, y - near_y)


def _start_and_difference(p: Pair, q: Pair, p_name: str, q_name: str) -> tuple[Pair, Pair]:
    """p and q − p. Raises ValueError if they are equal."""
    start, end = pair(p_name, p), pair(q_name, q)
    if start == end:
        raise ValueError(f"{p_name} and {q_name} must differ, but both are {show(p)}")
    return start, (end[0] - start[0], end[1] - start[1])


def segment_aabb(p: Pair, q: Pair, box_min: Pair, box_max: Pair) -> Pair | None:
    """C9: ``(t_near, t_far)`` between which p + t·(q − p) is inside the rectangle, 0 ≤ t ≤ 1, or None.

    t_near is 0 if the segment starts inside, and t_far is 1 if it ends inside.
    """
    return _clip(*_start_and_difference(p, q, "p", "q"), box_min, box_max, 0.0, 1.0)


def ray_aabb(origin: Pair, direction: Pair, box_min: Pair, box_max: Pair) -> Pair | None:
    """C9: ``(t_near, t_far)`` between which origin + t·direction is inside the rectangle, t ≥ 0, or None.

    t is in units of the direction, which may have any length except 0. t_near is 0 if the ray starts inside.
    """
    return _clip(pair("origin", origin), vector("direction", direction), box_min, box_max, 0.0, math.inf)


def line_aabb(point: Pair, direction: Pair, box_min: Pair, box_max: Pair) -> Pair | None:
    """C9: ``(t_near, t_far)`` between which point + t·direction is inside the rectangle, for any t, or None."""
    return _clip(pair("point", point), vector("direction", direction), box_min, box_max, -math.inf, math.inf)


def _clip(p: Pair, d: Pair, box_min: Pair, box_max: Pair, t_near: float, t_far: float) -> Pair | None:
    """The part of [t_near, t_far] in which p + t·d is inside a rectangle."""
    min_x, min_y, max_x, max_y = box("box_min", box_min, "box_max", box_max)
    t_near, t_far = clip_to_slab(p[0], d[0], min_x, max_x, t_near, t_far)
    if t_near < t_far:
        t_near, t_far = clip_to_slab(p[1], d[1], min_y, max_y, t_near, t_far)
    return (t_near + 0.0, t_far + 0.0) if t_near < t_far else None  # −0 becomes 0


def circle_segment(center: Pair, radius: float, a: Pair, b: Pair) -> tuple[float, ...]:
    """C14: none, one or two t in [0, 1], ascending, at which a + t·(b − a) crosses the circle. A tangent gives none.

    With f = a − center and d = b − a, ``|f + t·d|² = r²`` is ``t²·(d·d) + 2t·(f·d) + (f·f − r²) = 0``.
    """
    start, (dx, dy) = _start_and_difference(a, b, "a", "b")
    (x, y), r, end = pair("center", center), size("radius", radius), pair("b", b)
    fx, fy = start[0] - x, start[1] - y
    squared, half_b = dx * dx + dy * dy, fx * dx + fy * dy
    # b² − a·c = a·r² − (f × d)², by Lagrange's identity (f·d)² + (f × d)² = f²·d²: as a product of two factors, it
    # keeps its precision for a far start and near a tangent.
    moment = abs(cross(fx, fy, dx, dy))
    reach = r * math.sqrt(squared)
    discriminant = (reach - moment) * (reach + moment)
    if discriminant <= 0.0:
        return ()
    # −b ∓ √… cancels for one of the roots: that one follows from their product c / a.
    q = -(half_b + math.copysign(math.sqrt(discriminant), half_b))
    roots = sorted((q / squared, _power(fx, fy, r) / q))
    if _power(end[0] - x, end[1] - y, r) == 0.0:
        # b lies on the circle: the crossing there is at 1, whatever rounding says.
        roots[0 if abs(roots[0] - 1.0) < abs(roots[1] - 1.0) else 1] = 1.0
    return tuple(t + 0.0 for t in roots if 0.0 <= t <= 1.0)


def _power(x: float, y: float, radius: float) -> float:
    """Power of a point: x² + y² − r², as factors, so that it is exactly 0 for a point on the circle."""
    distance = hypot(x, y)
    return (distance - radius) * (distance + radius)


def box_center_half(box_min: Pair, box_max: Pair) -> tuple[Pair, Pair]:
    """C15: an axis-aligned rectangle's center and half-size."""
    min_x, min_y, max_x, max_y = box("box_min", box_min, "box_max", box_max)
    # The halves are taken first: min + max could overflow.
    center = 0.5 * min_x + 0.5 * max_x, 0.5 * min_y + 0.5 * max_y
    return center, (0.5 * max_x - 0.5 * min_x, 0.5 * max_y - 0.5 * min_y)


def box_min_max(center: Pair, half_size: Pair) -> tuple[Pair, Pair]:
    """C15: an axis-aligned rectangle's corners ``(min, max)`` from its center and half-size."""
    (x, y), (half_x, half_y) = pair("center", center), half_sizes("half_size", half_size)
    return (x - half_x, y - half_y), (x + half_x, y + half_y)


def box_axes(angle: float) -> tuple[Pair, Pair]:
    """C15: the two unit axes of a rectangle turned by ``angle``."""
    cos, sin = cos_sin(finite_number("angle", angle))
    return (cos, sin), (-sin, cos)
