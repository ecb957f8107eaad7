"""The classic collision tests by name, on plain tuples and floats (rows C1–C15).

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

from ecsphys.components.store.column import finite_number, show
from ecsphys.engine.geometry import predicates
from ecsphys.geometry.arguments import Pair, box, half_sizes, pair, size, spread_angle, vector

# The formulas are the engine's, the same source that kernels compile, run as plain Python: for a single call that is
# quicker than the way through numba, and nothing has to be compiled for it.


def aabb_aabb(min_a: Pair, max_a: Pair, min_b: Pair, max_b: Pair) -> bool:
    """C1: whether two axis-aligned rectangles overlap on both axes."""
    return predicates.aabb_aabb(*box("min_a", min_a, "max_a", max_a), *box("min_b", min_b, "max_b", max_b))


def aabb_intersection(min_a: Pair, max_a: Pair, min_b: Pair, max_b: Pair) -> tuple[Pair, Pair] | None:
    """C2: the rectangle ``(min, max)`` in which two overlap, or None if it is empty."""
    min_x, min_y, max_x, max_y = predicates.aabb_intersection(
        *box("min_a", min_a, "max_a", max_a), *box("min_b", min_b, "max_b", max_b)
    )
    if min_x >= max_x or min_y >= max_y:
        return None
    return (min_x, min_y), (max_x, max_y)


def circle_circle(center_a: Pair, radius_a: float, center_b: Pair, radius_b: float) -> bool:
    """C3: the squared distance of the centers is below (ra + rb)², decided exactly."""
    return predicates.circle_circle(
        *pair("center_a", center_a), size("radius_a", radius_a), *pair("center_b", center_b), size("radius_b", radius_b)
    )


def circle_aabb(center: Pair, radius: float, box_min: Pair, box_max: Pair) -> bool:
    """C4(ii): fold the center into the rectangle's first quadrant, subtract the half-size, clamp, compare the length.

    The decision is exact for the given numbers. :func:`circle_aabb_by_cases` and :func:`circle_aabb_by_growth` are
    exact too, so all three always agree.
    """
    return predicates.circle_aabb(
        *pair("center", center), size("radius", radius), *box("box_min", box_min, "box_max", box_max)
    )


def circle_aabb_by_cases(center: Pair, radius: float, box_min: Pair, box_max: Pair) -> bool:
    """C4(i): for a center in front of a side the distance to the side, otherwise the distance to the corner."""
    return predicates.circle_aabb_by_cases(
        *pair("center", center), size("radius", radius), *box("box_min", box_min, "box_max", box_max)
    )


def circle_aabb_by_growth(center: Pair, radius: float, box_min: Pair, box_max: Pair) -> bool:
    """C4(iii): the center is in the rectangle grown by the radius, and not in one of its corners beyond the circle."""
    return predicates.circle_aabb_by_growth(
        *pair("center", center), size("radius", radius), *box("box_min", box_min, "box_max", box_max)
    )


def circle_obb(center: Pair, radius: float, box_center: Pair, half_size: Pair, angle: float) -> bool:
    """C5: turn the center's offset from the rectangle by −angle, then C4(ii)."""
    return predicates.circle_obb(
        *pair("center", center),
        size("radius", radius),
        *pair("box_center", box_center),
        *half_sizes("half_size", half_size),
        finite_number("angle", angle),
    )


def circle_obb_by_transform(center: Pair, radius: float, box_center: Pair, half_size: Pair, angle: float) -> bool:
    """C5: the center through the inverse of the rectangle's local → world transform, then C4(ii)."""
    return predicates.circle_obb_by_transform(
        *pair("center", center),
        size("radius", radius),
        *pair("box_center", box_center),
        *half_sizes("half_size", half_size),
        finite_number("angle", angle),
    )


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
    xs = [x for x, _ in points]
    ys = [y for _, y in points]
    winding = predicates.convex_winding(xs, ys)
    if winding == 0:
        raise ValueError(f"vertices must form a convex polygon with an area, got {show(points)}")
    return predicates.circle_polygon(*pair("center", center), size("radius", radius), xs, ys, winding)


def circle_capsule(center: Pair, radius: float, a: Pair, b: Pair, capsule_radius: float) -> bool:
    """C11: the distance from the center to the capsule's core segment a–b is below the sum of the radii."""
    return predicates.circle_capsule(
        *pair("center", center),
        size("radius", radius),
        *pair("a", a),
        *pair("b", b),
        size("capsule_radius", capsule_radius),
    )


def circle_fan(center: Pair, radius: float, apex: Pair, fan_radius: float, spread: float, direction: float) -> bool:
    """C12: a circle against the fan that covers direction ± spread/2, spread in (0, 2π].

    They hit if the apex is in the circle, the center is between the fan's edges and nearer than the sum of the radii,
    or the circle cuts an edge.
    """
    return predicates.circle_fan(
        *pair("center", center),
        size("radius", radius),
        *pair("apex", apex),
        size("fan_radius", fan_radius),
        spread_angle("spread", spread),
        finite_number("direction", direction),
    )


def between_vectors(p: Pair, v1: Pair, v2: Pair) -> bool:
    """C13: whether p lies between v1 and v2, counter-clockwise from v1 to v2 at any angle; decided exactly.

    The edges and p = (0, 0) are included. Between vectors of the same direction there is only this direction.
    """
    return predicates.between_vectors(*pair("p", p), *vector("v1", v1), *vector("v2", v2))


def point_in_aabb(point: Pair, box_min: Pair, box_max: Pair) -> bool:
    """C7: whether a point is strictly inside an axis-aligned rectangle."""
    return predicates.point_in_aabb(*pair("point", point), *box("box_min", box_min, "box_max", box_max))


def point_in_obb(point: Pair, box_center: Pair, half_size: Pair, angle: float) -> bool:
    """C7: whether the point's offset, projected on both axes, is below the half-size in absolute value."""
    return predicates.point_in_obb(
        *pair("point", point),
        *pair("box_center", box_center),
        *half_sizes("half_size", half_size),
        finite_number("angle", angle),
    )


def closest_point_on_segment(point: Pair, a: Pair, b: Pair) -> Pair:
    """C10: the point of the segment a–b nearest to ``point``; a if a = b."""
    return predicates.closest_point_on_segment(*pair("point", point), *pair("a", a), *pair("b", b))


def closest_point_on_obb(point: Pair, box_center: Pair, half_size: Pair, angle: float) -> tuple[Pair, float]:
    """C8: the point of a turned rectangle nearest to ``point``, and its distance; for a point inside, itself and 0."""
    x, y, distance = predicates.closest_point_on_obb(
        *pair("point", point),
        *pair("box_center", box_center),
        *half_sizes("half_size", half_size),
        finite_number("angle", angle),
    )
    return (x, y), distance


def _start_and_difference(p: Pair, q: Pair, p_name: str, q_name: str) -> tuple[float, float, float, float]:
    """p and q − p. Raises ValueError if they are equal."""
    px, py = pair(p_name, p)
    qx, qy = pair(q_name, q)
    if px == qx and py == qy:
        raise ValueError(f"{p_name} and {q_name} must differ, but both are {show(p)}")
    return px, py, qx - px, qy - py


def segment_aabb(p: Pair, q: Pair, box_min: Pair, box_max: Pair) -> Pair | None:
    """C9: ``(t_near, t_far)`` between which p + t·(q − p) is inside the rectangle, 0 ≤ t ≤ 1, or None.

    t_near is 0 if the segment starts inside, and t_far is 1 if it ends inside.
    """
    p_and_direction = _start_and_difference(p, q, "p", "q")
    t_near, t_far = predicates.clip_to_aabb(*p_and_direction, *box("box_min", box_min, "box_max", box_max), 0.0, 1.0)
    return (t_near, t_far) if t_near < t_far else None


def ray_aabb(origin: Pair, direction: Pair, box_min: Pair, box_max: Pair) -> Pair | None:
    """C9: ``(t_near, t_far)`` between which origin + t·direction is inside the rectangle, t ≥ 0, or None.

    t is in units of the direction, which may have any length except 0. t_near is 0 if the ray starts inside.
    """
    t_near, t_far = predicates.clip_to_aabb(
        *pair("origin", origin),
        *vector("direction", direction),
        *box("box_min", box_min, "box_max", box_max),
        0.0,
        math.inf,
    )
    return (t_near, t_far) if t_near < t_far else None


def line_aabb(point: Pair, direction: Pair, box_min: Pair, box_max: Pair) -> Pair | None:
    """C9: ``(t_near, t_far)`` between which point + t·direction is inside the rectangle, for any t, or None."""
    t_near, t_far = predicates.clip_to_aabb(
        *pair("point", point),
        *vector("direction", direction),
        *box("box_min", box_min, "box_max", box_max),
        -math.inf,
        math.inf,
    )
    return (t_near, t_far) if t_near < t_far else None


def circle_segment(center: Pair, radius: float, a: Pair, b: Pair) -> tuple[float, ...]:
    """C14: none, one or two t in [0, 1], ascending, at which a + t·(b − a) crosses the circle. A tangent gives none."""
    _start_and_difference(a, b, "a", "b")
    count, first, second = predicates.circle_segment(
        *pair("center", center), size("radius", radius), *pair("a", a), *pair("b", b)
    )
    return (first, second)[:count]


def box_center_half(box_min: Pair, box_max: Pair) -> tuple[Pair, Pair]:
    """C15: an axis-aligned rectangle's center and half-size."""
    x, y, half_x, half_y = predicates.box_center_half(*box("box_min", box_min, "box_max", box_max))
    return (x, y), (half_x, half_y)


def box_min_max(center: Pair, half_size: Pair) -> tuple[Pair, Pair]:
    """C15: an axis-aligned rectangle's corners ``(min, max)`` from its center and half-size."""
    min_x, min_y, max_x, max_y = predicates.box_min_max(*pair("center", center), *half_sizes("half_size", half_size))
    return (min_x, min_y), (max_x, max_y)


def box_axes(angle: float) -> tuple[Pair, Pair]:
    """C15: the two unit axes of a rectangle turned by ``angle``."""
    x_x, x_y, y_x, y_y = predicates.box_axes(finite_number("angle", angle))
    return (x_x, x_y), (y_x, y_y)
