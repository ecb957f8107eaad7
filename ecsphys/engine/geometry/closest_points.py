"""Distance and closest points of any two placed shapes, or a point they have in common.

For a point of two overlapping hulls, one hull's polygon is clipped by the straight edges of the other, and across its
sharp corners: past the tip of a needle a point is outside of both edges by much less than its distance. A fan adds the
disc about its apex. The rest (polygon and up to two discs) is convex, and if it is not empty, one of finitely many
points lies in it: the polygon's mean where there is no disc; the polygon's nearest point to the disc's centre where
there is one; and with two, one of the nearest points to either centre or, if the other disc holds none, the point of
the first disc's arc in the polygon that is nearest to the other centre. Of all these the deepest one is taken.
"""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.kernels import inlined_scalar, kernel, scalar, scratch
from ecsphys.engine.manifold import convex as at
from ecsphys.engine.manifold.convex import HULLS_SHAPE, between_centres, extent, feature_point, pair_scale, set_pair
from ecsphys.engine.manifold.manifold import EDGE_OF_A, POINTS, clipped_incident, separation
from ecsphys.engine.math.elementary import hypot, unit_vector
from ecsphys.engine.math.rounding import rounding_slop
from ecsphys.engine.shapes.layout import ALONG_X, ALONG_Y, CX, CY, ShapeArrays, is_canonical

# Two polygons (the one being clipped and the result) of up to 16 vertices, each of up to 16 edges adding one or, by
# rounding on degenerate polygons, two.
CLIP_SHAPE = (2, 2, 64)
CLIP_X, CLIP_Y = 0, 1


@scalar
def _load(hull: NDArray[float64], clip: NDArray[float64]) -> int:
    """Write a polygon round the hull's core to clip[0] and return its vertex count.

    A fan of spread up to π gets the corners (R, ∓R sin) of the rectangle round its arc, in the frame of its axis.
    """
    count = int(hull[at.VERTEX_COUNT])
    for k in range(count):
        clip[0, CLIP_X, k] = hull[at.X + k]
        clip[0, CLIP_Y, k] = hull[at.Y + k]
    radius = hull[at.ARC_RADIUS]
    if radius > 0.0:
        side = -radius * hull[at.ARC_SIN]
        for k in range(count, count + 2):
            axis_x = hull[at.ARC_AXIS_X]
            axis_y = hull[at.ARC_AXIS_Y]
            clip[0, CLIP_X, k] = hull[at.ARC_X] + radius * axis_x - side * axis_y
            clip[0, CLIP_Y, k] = hull[at.ARC_Y] + radius * axis_y + side * axis_x
            side = -side
        count += 2
    return count


@inlined_scalar
def _tip(hull: NDArray[float64], corner: int) -> tuple[bool, float, float]:
    """Whether two straight edges meet in a sharp corner, and the unit normal there that is midway between theirs.

    It is the direction of the difference of the edges' directions, which is longest where the normals all but cancel.
    """
    preceding = corner - 1 if corner > 0 else int(hull[at.VERTEX_COUNT]) - 1
    edges = int(hull[at.EDGE_COUNT])
    if corner >= edges or preceding >= edges:
        return False, 0.0, 0.0
    x_0 = hull[at.NORMAL_X + preceding]
    y_0 = hull[at.NORMAL_Y + preceding]
    x_1 = hull[at.NORMAL_X + corner]
    y_1 = hull[at.NORMAL_Y + corner]
    if x_0 * x_1 + y_0 * y_1 >= 0.0:
        return False, 0.0, 0.0
    nx, ny, _ = unit_vector(y_1 - y_0, x_0 - x_1)
    return True, nx, ny


@scalar
def _clip_by_line(x: float, y: float, nx: float, ny: float, clip: NDArray[float64], source: int, count: int) -> int:
    """Clip polygon clip[source] to the inner side of the line through (x, y) with the outward normal n, into the other
    polygon; returns its vertex count.

    Where nothing is left but by rounding, the vertex that is least outside is: the result is never empty.
    """
    target = 1 - source
    level = x * nx + y * ny
    kept = 0
    least = math.inf
    least_x = 0.0
    least_y = 0.0
    x_0 = clip[source, CLIP_X, count - 1]
    y_0 = clip[source, CLIP_Y, count - 1]
    height_0 = x_0 * nx + y_0 * ny - level
    for k in range(count):
        x_1 = clip[source, CLIP_X, k]
        y_1 = clip[source, CLIP_Y, k]
        height_1 = x_1 * nx + y_1 * ny - level
        if (height_0 < 0.0 < height_1 or height_1 < 0.0 < height_0) and kept < clip.shape[2]:
            t = height_0 / (height_0 - height_1)
            clip[target, CLIP_X, kept] = x_0 + t * (x_1 - x_0)
            clip[target, CLIP_Y, kept] = y_0 + t * (y_1 - y_0)
            kept += 1
        if height_1 <= 0.0 and kept < clip.shape[2]:
            clip[target, CLIP_X, kept] = x_1
            clip[target, CLIP_Y, kept] = y_1
            kept += 1
        if height_1 < least:
            least, least_x, least_y = height_1, x_1, y_1
        x_0, y_0, height_0 = x_1, y_1, height_1
    if kept == 0:
        clip[target, CLIP_X, 0] = least_x
        clip[target, CLIP_Y, 0] = least_y
        kept = 1
    return kept


@scalar
def _closest_on_segment(x: float, y: float, ax: float, ay: float, bx: float, by: float) -> tuple[float, float]:
    """C10: the point of the segment from a to b that is nearest to (x, y)."""
    along_x = bx - ax
    along_y = by - ay
    squared = along_x * along_x + along_y * along_y
    t = 0.0
    if squared > 0.0:
        t = min(max(((x - ax) * along_x + (y - ay) * along_y) / squared, 0.0), 1.0)
    return ax + t * along_x, ay + t * along_y


@scalar
def _excess(hull: NDArray[float64], x: float, y: float) -> float:
    """How far a point is outside a core's edges, tips and disc; negative inside. Distance from a point or segment."""
    radius = hull[at.ARC_RADIUS]
    if radius == 0.0 and hull[at.VERTEX_COUNT] <= 2.0:
        last = int(hull[at.VERTEX_COUNT]) - 1
        px, py = _closest_on_segment(x, y, hull[at.X], hull[at.Y], hull[at.X + last], hull[at.Y + last])
        return hypot(x - px, y - py)
    excess = -math.inf
    for k in range(int(hull[at.EDGE_COUNT])):
        height = (x - hull[at.X + k]) * hull[at.NORMAL_X + k] + (y - hull[at.Y + k]) * hull[at.NORMAL_Y + k]
        excess = max(excess, height)
        is_sharp, nx, ny = _tip(hull, k)
        if is_sharp:
            excess = max(excess, (x - hull[at.X + k]) * nx + (y - hull[at.Y + k]) * ny)
    if radius > 0.0:
        distance = hypot(x - hull[at.ARC_X], y - hull[at.ARC_Y])
        excess = max(excess, distance - radius)
    return excess


@scalar
def common_point(a: NDArray[float64], b: NDArray[float64], clip: NDArray[float64]) -> tuple[float, float]:
    """A point in the cores of two hulls that overlap, both convex and without their rounding.

    ``clip`` is scratch space of shape CLIP_SHAPE.
    """
    # The other one's edges must bound it (with its disc): a capsule's do not. The fewer vertices, the simpler.
    polygon, other = a, b
    if a[at.VERTEX_COUNT] > b[at.VERTEX_COUNT]:
        polygon, other = b, a
    count = _load(polygon, clip)
    current = 0
    for k in range(int(other[at.EDGE_COUNT])):
        x = other[at.X + k]
        y = other[at.Y + k]
        count = _clip_by_line(x, y, other[at.NORMAL_X + k], other[at.NORMAL_Y + k], clip, current, count)
        current = 1 - current
        is_sharp, nx, ny = _tip(other, k)
        if is_sharp:
            count = _clip_by_line(x, y, nx, ny, clip, current, count)
            current = 1 - current

    mean_x = 0.0
    mean_y = 0.0
    for k in range(count):
        mean_x += clip[current, CLIP_X, k] / count
        mean_y += clip[current, CLIP_Y, k] / count
    best_x = mean_x
    best_y = mean_y
    best = max(_excess(a, best_x, best_y), _excess(b, best_x, best_y))
    radius_a = a[at.ARC_RADIUS]
    radius_b = b[at.ARC_RADIUS]
    if radius_a == 0.0 and radius_b == 0.0:
        return best_x, best_y

    ax = a[at.ARC_X]
    ay = a[at.ARC_Y]
    bx = b[at.ARC_X]
    by = b[at.ARC_Y]
    distance = hypot(bx - ax, by - ay)
    for k in range(count + 1):
        # Each side of the polygon gives its nearest points to both centres and its crossings with a's circle; the
        # last round the centres themselves and the point of a's circle towards the other centre.
        last = k == count
        x_0 = clip[current, CLIP_X, k] if not last else mean_x
        y_0 = clip[current, CLIP_Y, k] if not last else mean_y
        following = k + 1 if k + 1 < count else 0
        x_1 = clip[current, CLIP_X, following]
        y_1 = clip[current, CLIP_Y, following]
        length = hypot(x_1 - x_0, y_1 - y_0)
        for choice in range(4):
            x, y = mean_x, mean_y
            if choice == 0 and radius_a > 0.0:
                x, y = (ax, ay) if last else _closest_on_segment(ax, ay, x_0, y_0, x_1, y_1)
            elif choice == 1 and radius_b > 0.0:
                x, y = (bx, by) if last else _closest_on_segment(bx, by, x_0, y_0, x_1, y_1)
            elif choice >= 2 and radius_a > 0.0 and radius_b > 0.0:
                if last and distance > 0.0:
                    x = ax + radius_a * (bx - ax) / distance
                    y = ay + radius_a * (by - ay) / distance
                elif not last and length > 0.0:
                    # C14: |p + t·u − a|² = R², u the side's unit direction.
                    ux = (x_1 - x_0) / length
                    uy = (y_1 - y_0) / length
                    half_b = (x_0 - ax) * ux + (y_0 - ay) * uy
                    foot = (x_0 - ax) * uy - (y_0 - ay) * ux
                    root = math.sqrt(max(radius_a * radius_a - foot * foot, 0.0))
                    t = -half_b - root if choice == 2 else -half_b + root
                    t = min(max(t, 0.0), length)
                    x = x_0 + t * ux
                    y = y_0 + t * uy
            excess = max(_excess(a, x, y), _excess(b, x, y))
            if excess < best:
                best, best_x, best_y = excess, x, y
    return best_x, best_y


_new_hulls = scratch(HULLS_SHAPE)
_new_clip = scratch(CLIP_SHAPE)


@scalar
def core_points(
    a: NDArray[float64], b: NDArray[float64], nx: float, ny: float, kind: int, feature_a: int, feature_b: int
) -> tuple[float, float, float, float]:
    """The closest points of two disjoint hulls without their rounding, from the features of their separation."""
    if kind == POINTS:
        ax, ay = feature_point(a, feature_a, nx, ny)
        bx, by = feature_point(b, feature_b, -nx, -ny)
        return ax, ay, bx, by
    reference, edge, incident = (a, feature_a, b) if kind == EDGE_OF_A else (b, feature_b, a)
    _, u, height, _, _, _, _ = clipped_incident(reference, edge, incident)
    mx = reference[at.NORMAL_X + edge]
    my = reference[at.NORMAL_Y + edge]
    foot_x = reference[at.X + edge] - u * my
    foot_y = reference[at.Y + edge] + u * mx
    if kind == EDGE_OF_A:
        return foot_x, foot_y, foot_x + height * mx, foot_y + height * my
    return foot_x + height * mx, foot_y + height * my, foot_x, foot_y


@scalar
def closest_of_hulls(
    a: NDArray[float64], b: NDArray[float64], slop: float, clip: NDArray[float64]
) -> tuple[float, float, float, float, float]:
    """(distance, a_x, a_y, b_x, b_y) of two convex hulls; minus the overlap and one common point where they do."""
    rounding_a = a[at.ROUNDING]
    rounding_b = b[at.ROUNDING]
    overlap, nx, ny, kind, feature_a, feature_b = separation(a, b, slop, -math.inf)
    if overlap > slop:
        x, y = common_point(a, b, clip)
        return -(overlap + rounding_a + rounding_b), x, y, x, y
    ax, ay, bx, by = core_points(a, b, nx, ny, kind, feature_a, feature_b)
    core_distance = max(-overlap, 0.0)
    if core_distance < rounding_a + rounding_b:
        # Only the rounding overlaps: on the way between the cores, at most rounding_a from the one and rounding_b
        # from the other.
        way = 0.5 * (max(core_distance - rounding_b, 0.0) + min(core_distance, rounding_a))
        t = way / core_distance if core_distance > 0.0 else 0.0
        x = ax + t * (bx - ax)
        y = ay + t * (by - ay)
        return core_distance - (rounding_a + rounding_b), x, y, x, y
    distance = core_distance - (rounding_a + rounding_b)
    return distance, ax + rounding_a * nx, ay + rounding_a * ny, bx - rounding_b * nx, by - rounding_b * ny


@kernel
def find_closest_points(a: int, b: int, placed: ShapeArrays) -> tuple[float, float, float, float, float]:
    """(distance, a_x, a_y, b_x, b_y) of placed shapes a and b, points in the world.

    Where the shapes overlap: distance 0 and a point that lies in both, twice.
    """
    _, positions, shapes, _ = placed
    hulls = _new_hulls()
    clip = _new_clip()
    in_order = is_canonical(placed, a, b)
    first = a if in_order else b
    second = b if in_order else a
    scale = pair_scale(placed, first, second, 0.0)
    dx, dy = between_centres(placed, first, second, scale)
    _, first_a, end_a, _, first_b, end_b = set_pair(hulls, placed, first, second, dx, dy, scale)
    slop = rounding_slop(scale * extent(shapes, first), scale * extent(shapes, second), dx, dy)

    best = math.inf
    ax = ay = bx = by = 0.0
    for p in range(first_a, end_a):
        for q in range(first_b, end_b):
            distance, px, py, qx, qy = closest_of_hulls(hulls[p], hulls[q], slop, clip)
            if distance < best:
                best, ax, ay, bx, by = distance, px, py, qx, qy
    if best <= 0.0:
        best = 0.0
        bx, by = ax, ay
    x = positions[first, ALONG_X] + shapes[first, CX]
    y = positions[first, ALONG_Y] + shapes[first, CY]
    ax, ay, bx, by = x + ax / scale, y + ay / scale, x + bx / scale, y + by / scale
    if in_order:
        return best / scale, ax, ay, bx, by
    return best / scale, bx, by, ax, ay
