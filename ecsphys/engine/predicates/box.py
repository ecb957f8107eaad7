"""C1, C2, C7, C8, C15: rectangles, axis-aligned and turned, against each other and against points."""

from __future__ import annotations

from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.math.cos_sin import cosine_of, sine_of
from ecsphys.engine.math.elementary import hypot


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
