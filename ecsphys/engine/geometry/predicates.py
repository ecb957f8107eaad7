"""The documents' tests of circles, boxes, fans, polygons and segments, on plain numbers.

Shapes hit when their interiors overlap. C3 and C4 are decided exactly for the numbers given, so that the three ways
of C4 agree even on the boundary.
"""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.math.elementary import cosine_of, hypot, sine_of
from ecsphys.engine.math.exact import closer_than, cross, cross_sign, less_than_sum, orientation, two_sum


@scalar
def aabb_intersection(
    min_ax: float,
    min_ay: float,
    max_ax: float,
    max_ay: float,
    min_bx: float,
    min_by: float,
    max_bx: float,
    max_by: float,
) -> tuple[float, float, float, float]:
    """C2: the overlap (min_x, min_y, max_x, max_y): max of mins, min of maxes; empty where min ≥ max."""
    return max(min_ax, min_bx), max(min_ay, min_by), min(max_ax, max_bx), min(max_ay, max_by)


@scalar
def aabb_aabb(
    min_ax: float,
    min_ay: float,
    max_ax: float,
    max_ay: float,
    min_bx: float,
    min_by: float,
    max_bx: float,
    max_by: float,
) -> bool:
    """C1: overlap on both axes.

    By De Morgan, not (a right of b or b right of a or …). Here as the rectangle of C2 not being empty, which also
    holds for rectangles without width: they have no interior to overlap with.
    """
    return max(min_ax, min_bx) < min(max_ax, max_bx) and max(min_ay, min_by) < min(max_ay, max_by)


@scalar
def to_box_frame(px: float, py: float, box_x: float, box_y: float, angle: float) -> tuple[float, float]:
    """C7: a point's offset from a turned rectangle's centre, projected on its two unit axes."""
    x = px - box_x
    y = py - box_y
    axis_x = cosine_of(angle)
    axis_y = sine_of(angle)
    return x * axis_x + y * axis_y, y * axis_x - x * axis_y


@scalar
def point_in_aabb(px: float, py: float, min_x: float, min_y: float, max_x: float, max_y: float) -> bool:
    """C7: strictly between the sides."""
    return min_x < px < max_x and min_y < py < max_y


@scalar
def point_in_obb(px: float, py: float, box_x: float, box_y: float, half_x: float, half_y: float, angle: float) -> bool:
    """C7: the *absolute* projections on both axes are below the half-size."""
    x, y = to_box_frame(px, py, box_x, box_y, angle)
    return abs(x) < half_x and abs(y) < half_y


@scalar
def closest_point_on_centred_box(x: float, y: float, half_x: float, half_y: float) -> tuple[float, float]:
    """C8 in the rectangle's own frame: clamp to the half-size."""
    return max(-half_x, min(x, half_x)), max(-half_y, min(y, half_y))


@scalar
def closest_point_on_obb(
    px: float, py: float, box_x: float, box_y: float, half_x: float, half_y: float, angle: float
) -> tuple[float, float, float]:
    """C8: clamp to the rectangle: (x, y, distance); a point in it is its own closest point."""
    x, y = to_box_frame(px, py, box_x, box_y, angle)
    if abs(x) <= half_x and abs(y) <= half_y:
        return px, py, 0.0
    closest_x, closest_y = closest_point_on_centred_box(x, y, half_x, half_y)
    axis_x = cosine_of(angle)
    axis_y = sine_of(angle)
    return (
        box_x + closest_x * axis_x - closest_y * axis_y,
        box_y + closest_x * axis_y + closest_y * axis_x,
        hypot(x - closest_x, y - closest_y),
    )


@scalar
def box_center_half(min_x: float, min_y: float, max_x: float, max_y: float) -> tuple[float, float, float, float]:
    """C15: min/max → centre and half-size. The halves are taken first: min + max could overflow."""
    return (
        0.5 * min_x + 0.5 * max_x,
        0.5 * min_y + 0.5 * max_y,
        0.5 * max_x - 0.5 * min_x,
        0.5 * max_y - 0.5 * min_y,
    )


@scalar
def box_min_max(x: float, y: float, half_x: float, half_y: float) -> tuple[float, float, float, float]:
    """C15: centre and half-size → min/max."""
    return x - half_x, y - half_y, x + half_x, y + half_y


@scalar
def box_axes(angle: float) -> tuple[float, float, float, float]:
    """C15: the two unit axes of a turned rectangle: (cos, sin), and that turned a quarter to the left."""
    axis_x = cosine_of(angle)
    axis_y = sine_of(angle)
    return axis_x, axis_y, -axis_y, axis_x


@scalar
def clip_to_slab(
    position: float, direction: float, low: float, high: float, t_near: float, t_far: float
) -> tuple[float, float]:
    """The part of [t_near, t_far] in which low < position + t·direction < high; empty where t_near ≥ t_far.

    A direction along the slab (0 or −0) divides nothing: it is inside for all t or for none.
    """
    if direction == 0.0:
        if low < position < high:
            return t_near, t_far
        return 1.0, 0.0
    entry = (low - position) / direction
    leave = (high - position) / direction
    if direction < 0.0:
        entry, leave = leave, entry
    return max(t_near, entry), min(t_far, leave)


@scalar
def clip_to_aabb(
    px: float,
    py: float,
    dx: float,
    dy: float,
    min_x: float,
    min_y: float,
    max_x: float,
    max_y: float,
    t_near: float,
    t_far: float,
) -> tuple[float, float]:
    """C9: the part of [t_near, t_far] in which p + t·d is inside the rectangle; empty where t_near ≥ t_far.

    [−∞, ∞] for a line, [0, ∞] for a ray, [0, 1] for a segment.
    """
    t_near, t_far = clip_to_slab(px, dx, min_x, max_x, t_near, t_far)
    if t_near < t_far:
        t_near, t_far = clip_to_slab(py, dy, min_y, max_y, t_near, t_far)
    return t_near + 0.0, t_far + 0.0  # −0 becomes 0


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


Coordinates = NDArray[float64] | list[float]


@scalar
def convex_winding(xs: Coordinates, ys: Coordinates) -> int:
    """1 for a convex polygon given counter-clockwise, −1 for a clockwise one, 0 if it is not convex or has no area.

    Exact. Convex: all turns go one way (vertices in line turn neither way), and the edges run through all directions
    only once. Going round once, x has one rising and one falling run; a star has more, though it never turns back.
    """
    count = len(xs)
    winding = 0
    runs = 0
    last = 0
    for k in range(count):
        j = (k + 1) % count
        m = (k + 2) % count
        turn = orientation(xs[k], ys[k], xs[j], ys[j], xs[m], ys[m])
        if turn * winding < 0:
            return 0
        if turn != 0:
            winding = turn
    for k in range(2 * count):
        here = xs[k % count]
        there = xs[(k + 1) % count]
        heading = 1 if there > here else (-1 if there < here else last)
        # The first round only finds out how the last run ends.
        if k >= count and heading != last:
            runs += 1
        last = heading
    return winding if runs == 2 else 0


@scalar
def point_in_convex(px: float, py: float, xs: Coordinates, ys: Coordinates, winding: int) -> bool:
    """C6: strictly inside: on the inner side of every edge; exact, unlike a sum of signed angles."""
    count = len(xs)
    for k in range(count):
        j = (k + 1) % count
        repeated = xs[k] == xs[j] and ys[k] == ys[j]
        if not repeated and winding * orientation(xs[k], ys[k], xs[j], ys[j], px, py) <= 0:
            return False
    return True


@scalar
def circle_polygon(cx: float, cy: float, radius: float, xs: Coordinates, ys: Coordinates, winding: int) -> bool:
    """C6: the centre inside, or any edge nearer than r. ``winding`` as :func:`convex_winding` says."""
    if point_in_convex(cx, cy, xs, ys, winding):
        return True
    count = len(xs)
    for k in range(count):
        j = (k + 1) % count
        if closer_to_segment(cx, cy, xs[k], ys[k], xs[j], ys[j], radius, 0.0):
            return True
    return False


@scalar
def between_vectors(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> bool:
    """C13: p between v1 and v2, at any angle counter-clockwise from v1 to v2, edges included; exact.

    p = α·v1 + β·v2 gives α = (p × v2)/(v1 × v2), β = (v1 × p)/(v1 × v2). Below π the determinant v1 × v2 is positive
    and α, β ≥ 0 are the signs of the numerators, which keep their meaning where the determinant vanishes. Where it
    is negative the angle is above π, and p is between unless it is strictly between v2 and v1. Vectors of the same
    direction have only that direction between them.
    """
    determinant = cross_sign(ax, ay, bx, by)
    alpha = cross_sign(px, py, bx, by)
    beta = cross_sign(ax, ay, px, py)
    if determinant < 0:
        return alpha >= 0 or beta >= 0
    if alpha == 0 and beta == 0:
        # p is parallel to both vectors (or zero), so they are parallel too, and p must run along one of them.
        return px * ax + py * ay >= 0.0 or px * bx + py * by >= 0.0
    return alpha >= 0 and beta >= 0


@scalar
def within_spread(x: float, y: float, cos_half: float, sin_half: float) -> float:
    """Positive strictly between the edges of a fan about the x axis, 0 on them, for half a spread h in (0, π).

    A point at the angle φ has |φ| < h where sin(h − |φ|) = sin h·cos φ − cos h·|sin φ| > 0: by its axis of symmetry,
    one fold serves slivers and fans beyond π alike, where C13's two signs need a case for each.
    """
    return sin_half * x - cos_half * abs(y)


@scalar
def circle_fan(
    cx: float,
    cy: float,
    radius: float,
    apex_x: float,
    apex_y: float,
    fan_radius: float,
    spread: float,
    direction: float,
) -> bool:
    """C12: the apex in the circle, or the centre between the edges and nearer than R + r, or an edge nearer than r."""
    if circle_circle(cx, cy, radius, apex_x, apex_y, 0.0):
        return True
    if spread >= 2.0 * math.pi:
        return circle_circle(cx, cy, radius, apex_x, apex_y, fan_radius)
    x = cx - apex_x
    y = cy - apex_y
    cos = cosine_of(direction)
    sin = sine_of(direction)
    half = 0.5 * spread
    between = within_spread(x * cos + y * sin, y * cos - x * sin, cosine_of(half), sine_of(half)) > 0.0
    if between and circle_circle(cx, cy, radius, apex_x, apex_y, fan_radius):
        return True
    # Edges from their own angles, so that one along a coordinate axis is exact.
    start_x = fan_radius * cosine_of(direction - half)
    start_y = fan_radius * sine_of(direction - half)
    end_x = fan_radius * cosine_of(direction + half)
    end_y = fan_radius * sine_of(direction + half)
    return closer_to_segment(x, y, 0.0, 0.0, start_x, start_y, radius, 0.0) or closer_to_segment(
        x, y, 0.0, 0.0, end_x, end_y, radius, 0.0
    )
