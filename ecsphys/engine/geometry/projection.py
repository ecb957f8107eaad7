"""Points and placed shapes: whether one is inside, and the nearest point of the boundary with the signed distance.

Inside is strict: a boundary point is outside. All is computed in the shape's own frame. Where several boundary points
are equally near, the choice is fixed: the centre of a circle goes along +y (of the world), a core point of a capsule to
the side of +y of the capsule, a box's point to the y sides before the x sides and to the positive one of a pair, others
to the first edge.
"""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.kernels import kernel, scalar
from ecsphys.engine.math.elementary import hypot, unit_vector
from ecsphys.engine.math.rounding import cross, safe_scale, two_sum
from ecsphys.engine.shapes import layout
from ecsphys.engine.shapes.layout import ShapeArrays
from ecsphys.engine.shapes.segment import SEGMENT_VERTICES


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
def within_spread(x: float, y: float, cos_half: float, sin_half: float) -> float:
    """Positive strictly between the edges of a fan about the x axis, 0 on them, for half a spread h in (0, π).

    A point at the angle φ has |φ| < h where sin(h − |φ|) = sin h·cos φ − cos h·|sin φ| > 0: by its axis of symmetry,
    one fold serves slivers and fans beyond π alike, where C13's two signs need a case for each.
    """
    return sin_half * x - cos_half * abs(y)


@scalar
def to_shape_frame(shapes: NDArray[float64], i: int, px: float, py: float) -> tuple[float, float]:
    """A point relative to the shape's position, in the shape's own frame: about its centre, turned by its axis."""
    x = px - shapes[i, layout.CX]
    y = py - shapes[i, layout.CY]
    c = shapes[i, layout.AXIS_X]
    s = shapes[i, layout.AXIS_Y]
    return x * c + y * s, y * c - x * s


@scalar
def in_polygon_core(x: float, y: float, start: int, count: int, pool: NDArray[float64], scale: float) -> bool:
    """Strictly on the left of every edge of a counter-clockwise polygon, whose vertices are scaled.

    By the edges' vectors, not their unit normals: a point on the edge gives exactly 0 wherever its coordinates do.
    """
    for k in range(count):
        ax, ay, bx, by = layout.edge_of(pool, start, count, k, scale)
        edge_x, edge_y = bx - ax, by - ay
        if edge_x * (y - ay) - edge_y * (x - ax) <= 0.0:
            return False
    return True


@scalar
def polygon_contains(
    x: float, y: float, radius: float, start: int, count: int, pool: NDArray[float64], scale: float
) -> bool:
    """C6 with a rounded polygon and a point: inside the core, or any edge nearer than the rounding."""
    if in_polygon_core(x, y, start, count, pool, scale):
        return True
    if radius > 0.0:
        for k in range(count):
            ax, ay, bx, by = layout.edge_of(pool, start, count, k, scale)
            if closer_to_segment(x, y, ax, ay, bx, by, radius, 0.0):
                return True
    return False


@scalar
def frame_contains(
    form: int, shapes: NDArray[float64], i: int, pool: NDArray[float64], x: float, y: float, scale: float
) -> bool:
    """Whether placed shape i, scaled, contains a point of its own frame."""
    radius = scale * shapes[i, layout.RADIUS]
    if form <= layout.CAPSULE:
        half_x, half_y = scale * shapes[i, layout.HALF_X], scale * shapes[i, layout.HALF_Y]
        beyond_x, beyond_y = max(abs(x) - half_x, 0.0), max(abs(y) - half_y, 0.0)
        is_near = beyond_x * beyond_x + beyond_y * beyond_y < radius * radius
        return bool(is_near or (abs(x) < half_x and abs(y) < half_y))
    if form == layout.POLYGON:
        return polygon_contains(x, y, radius, int(shapes[i, layout.START]), int(shapes[i, layout.COUNT]), pool, scale)
    between = within_spread(x, y, shapes[i, layout.COS_HALF], shapes[i, layout.SIN_HALF]) > 0.0
    return between and x * x + y * y < radius * radius


@scalar
def shape_contains(form: int, shapes: NDArray[float64], i: int, pool: NDArray[float64], px: float, py: float) -> bool:
    """Whether placed shape i contains a point given relative to its position."""
    x, y = to_shape_frame(shapes, i, px, py)
    scale, _ = safe_scale(shapes[i, layout.EXTENT], x, y)
    return frame_contains(form, shapes, i, pool, scale * x, scale * y, scale)


# Where a point is that faces an edge from vertex a to vertex b.
BESIDE, AT_A, AT_B = 0, 1, 2


@scalar
def project_on_disc(x: float, y: float, centre_x: float, centre_y: float, radius: float) -> tuple[float, float, float]:
    """Nearest point of a circle, and the distance from it; from its centre, the one along +y."""
    out_x, out_y, distance = unit_vector(x - centre_x, y - centre_y)
    if distance == 0.0:
        out_y = 1.0
    return centre_x + radius * out_x, centre_y + radius * out_y, abs(distance - radius)


@scalar
def _project_on_rounded_box(
    x: float, y: float, half_x: float, half_y: float, radius: float
) -> tuple[float, float, float]:
    """C8, and from inside to the nearest side: a box whose corners are rounded, C11 if it has no height, or a circle if
    it has no width either."""
    room_x = half_x - abs(x)
    room_y = half_y - abs(y)
    if room_x < 0.0 or room_y < 0.0:
        return project_on_disc(x, y, max(-half_x, min(x, half_x)), max(-half_y, min(y, half_y)), radius)
    if room_x < room_y:
        return (-1.0 if x < 0.0 else 1.0) * (half_x + radius), y, room_x + radius
    return x, (-1.0 if y < 0.0 else 1.0) * (half_y + radius), room_y + radius


@scalar
def _facing_feature(
    x: float, y: float, start: int, count: int, pool: NDArray[float64], scale: float
) -> tuple[int, int]:
    """The edge that a point outside the core faces, and whether it is beside it or beyond an end (BESIDE, AT_A, AT_B).

    A point is nearest to the edge on whose outer side and between whose ends it is, else to the vertex that is beyond
    both edges that meet there. The signs tell, not distances: far away, distances of neighbouring features are all
    equal to rounding. (−1, BESIDE) for a point that is on no edge's outer side.
    """
    for k in range(count):
        ax, ay, bx, by = layout.edge_of(pool, start, count, k, scale)
        edge_x, edge_y = bx - ax, by - ay
        outside = edge_x * (y - ay) - edge_y * (x - ax)
        # A point in line with a segment faces its end.
        if outside < 0.0 or (outside == 0.0 and count == SEGMENT_VERTICES):
            if (x - ax) * edge_x + (y - ay) * edge_y <= 0.0:
                before_x, before_y, _, _ = layout.edge_of(pool, start, count, (k + count - 1) % count, scale)
                if (x - ax) * (ax - before_x) + (y - ay) * (ay - before_y) >= 0.0:
                    return k, AT_A
            elif (x - bx) * edge_x + (y - by) * edge_y >= 0.0:
                _, _, after_x, after_y = layout.edge_of(pool, start, count, (k + 1) % count, scale)
                if (x - bx) * (after_x - bx) + (y - by) * (after_y - by) <= 0.0:
                    return k, AT_B
            else:
                return k, BESIDE
    return -1, BESIDE


@scalar
def _nearest_edge(x: float, y: float, start: int, count: int, pool: NDArray[float64], scale: float) -> int:
    best = math.inf
    nearest = 0
    for k in range(count):
        ax, ay, bx, by = layout.edge_of(pool, start, count, k, scale)
        distance = distance_to_segment(x, y, ax, ay, bx, by)
        if distance < best:
            best = distance
            nearest = k
    return nearest


@scalar
def project_on_polygon(
    x: float, y: float, radius: float, start: int, count: int, pool: NDArray[float64], scale: float
) -> tuple[float, float, float]:
    """The nearest point of the core's boundary, moved outwards by the rounding.

    Outwards is the edge's normal beside an edge, and away from the vertex beyond one. From inside the core the way to
    the core's boundary goes on to the rounded one: distance(p, ∂(K + r)) = min over u of h_K(u) + r − p·u =
    distance(p, ∂K) + r for a convex core K and its support function h_K.
    """
    k, side = _facing_feature(x, y, start, count, pool, scale)
    if k < 0:
        k = _nearest_edge(x, y, start, count, pool, scale)
    ax, ay, bx, by = layout.edge_of(pool, start, count, k, scale)
    if side == AT_A:
        return project_on_disc(x, y, ax, ay, radius)
    if side == AT_B:
        return project_on_disc(x, y, bx, by, radius)
    core_x, core_y = closest_point_on_segment(x, y, ax, ay, bx, by)
    to_core = distance_to_segment(x, y, ax, ay, bx, by)
    distance = to_core + radius if in_polygon_core(x, y, start, count, pool, scale) else abs(to_core - radius)
    nx, ny = pool[start + k, layout.POOL_NORMAL_X], pool[start + k, layout.POOL_NORMAL_Y]
    return core_x + radius * nx, core_y + radius * ny, distance


@scalar
def project_on_fan(x: float, y: float, radius: float, cos_half: float, sin_half: float) -> tuple[float, float, float]:
    """The nearest of the arc, if the point lies in the fan's angle, and of the edges: for any spread, in or out.

    By symmetry the nearer edge is the one on the point's own side of the axis.
    """
    side = -1.0 if y < 0.0 else 1.0
    end_x = radius * cos_half
    end_y = side * radius * sin_half
    to_edge = distance_to_segment(x, y, 0.0, 0.0, end_x, end_y)
    if within_spread(x, y, cos_half, sin_half) >= 0.0:
        arc_x, arc_y, to_arc = project_on_disc(x, y, 0.0, 0.0, radius)
        # Beyond the arc it is the nearest in any case, even if rounding makes an edge's end as near.
        if to_arc < to_edge or x * x + y * y > radius * radius:
            return arc_x, arc_y, to_arc
    edge_x, edge_y = closest_point_on_segment(x, y, 0.0, 0.0, end_x, end_y)
    return edge_x, edge_y, to_edge


@scalar
def project_on_shape(
    form: int, shapes: NDArray[float64], i: int, pool: NDArray[float64], px: float, py: float
) -> tuple[float, float, float]:
    """Nearest boundary point (x, y) of placed shape i and signed distance; points are relative to its position.

    The sign is as of :func:`~ecsphys.engine.geometry.projection.shape_contains`, also on the boundary.
    """
    own_x, own_y = to_shape_frame(shapes, i, px, py)
    scale, unscale = safe_scale(shapes[i, layout.EXTENT], own_x, own_y)
    own_x *= scale
    own_y *= scale
    radius = scale * shapes[i, layout.RADIUS]
    if form <= layout.CAPSULE:
        half_x, half_y = scale * shapes[i, layout.HALF_X], scale * shapes[i, layout.HALF_Y]
        x, y, distance = _project_on_rounded_box(own_x, own_y, half_x, half_y, radius)
    elif form == layout.POLYGON:
        start = int(shapes[i, layout.START])
        count = int(shapes[i, layout.COUNT])
        x, y, distance = project_on_polygon(own_x, own_y, radius, start, count, pool, scale)
    else:
        x, y, distance = project_on_fan(own_x, own_y, radius, shapes[i, layout.COS_HALF], shapes[i, layout.SIN_HALF])
    if frame_contains(form, shapes, i, pool, own_x, own_y, scale):
        distance = -distance
    x *= unscale
    y *= unscale
    distance *= unscale
    c = shapes[i, layout.AXIS_X]
    s = shapes[i, layout.AXIS_Y]
    return shapes[i, layout.CX] + c * x - s * y, shapes[i, layout.CY] + s * x + c * y, distance


@kernel
def project_one(placed: ShapeArrays, i: int, x: float, y: float) -> tuple[float, float, float]:
    """Project a point on placed shape i: (distance, x, y), all in the world."""
    forms, positions, shapes, pool = placed
    from_x, from_y = positions[i, layout.ALONG_X], positions[i, layout.ALONG_Y]
    near_x, near_y, distance = project_on_shape(forms[i], shapes, i, pool, x - from_x, y - from_y)
    return distance, from_x + near_x, from_y + near_y
