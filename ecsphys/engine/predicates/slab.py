"""C9: lines, rays and segments against an axis-aligned rectangle, the intersection of two slabs."""

from __future__ import annotations

from ecsphys.engine.kernels.compilation import scalar


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
