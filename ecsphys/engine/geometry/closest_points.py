"""Distance and closest points of any two placed shapes, or a point they have in common."""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.geometry.common_point import CLIP_SHAPE, common_point
from ecsphys.engine.kernels.compilation import kernel, scalar
from ecsphys.engine.kernels.scratch import scratch
from ecsphys.engine.manifold import convex as at
from ecsphys.engine.manifold.convex import extent, feature_point, power_of_two_scale
from ecsphys.engine.manifold.manifold import clipped_incident
from ecsphys.engine.manifold.separation import EDGE_OF_A, POINTS, separation
from ecsphys.engine.manifold.shape_pieces import HULLS_SHAPE, set_pair
from ecsphys.engine.math.rounding import rounding_slop
from ecsphys.engine.shapes.canonical_order import is_canonical
from ecsphys.engine.shapes.layout import ALONG_X, ALONG_Y, CX, CY, ShapeArrays

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
    forms, positions, shapes, pool = placed
    hulls = _new_hulls()
    clip = _new_clip()
    in_order = is_canonical(placed, a, b)
    first = a if in_order else b
    second = b if in_order else a
    size_a = extent(shapes, first)
    size_b = extent(shapes, second)
    # The scale is a power of two and keeps squares and differences from over- and underflow.
    quarter_x = 0.25 * positions[second, ALONG_X] - 0.25 * positions[first, ALONG_X]
    quarter_y = 0.25 * positions[second, ALONG_Y] - 0.25 * positions[first, ALONG_Y]
    scale = power_of_two_scale(max(0.25 * size_a, 0.25 * size_b, abs(quarter_x), abs(quarter_y)))
    dx = (scale * positions[second, ALONG_X] - scale * positions[first, ALONG_X]) + scale * (
        shapes[second, CX] - shapes[first, CX]
    )
    dy = (scale * positions[second, ALONG_Y] - scale * positions[first, ALONG_Y]) + scale * (
        shapes[second, CY] - shapes[first, CY]
    )
    _, first_a, end_a, _, first_b, end_b = set_pair(hulls, forms, shapes, first, second, pool, dx, dy, scale)
    slop = rounding_slop(scale * size_a, scale * size_b, dx, dy)

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
