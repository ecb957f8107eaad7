"""When a shape that moves in a straight line without turning first touches another: conservative advancement.

For two convex hulls, the separation gives a unit vector n and a gap g: the line across n with the moving hull on one
side and the other a gap of g beyond it. Moving by d, the hulls cannot touch before the gap is used up, after the part
g / (n · d) of the displacement, and never where n · d ≤ 0. So the shape is advanced by that part, and the separation
computed again, until the gap is closed. Between flat sides one step is exact; towards round ones the steps converge
quadratically, for each tangent is followed to its end. (With the ray −d, the same is a ray cast against the Minkowski
difference: van den Bergen, "Ray casting against general convex objects", 2004.)

Two corners that meet, or a corner that comes down along a side's line, have several tangents once they touch, and the
separation may give one that was not approached. Then the tangent that was followed to its end is the impact's: both
hulls touch it. So nothing slips into the seam between two flush boxes.

A fan wider than π is the union of its halves: of all pairs of pieces, the smallest advance is taken.
"""

from __future__ import annotations

import math

from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.geometry.closest_points import core_points
from ecsphys.engine.kernels import Float64Rows, Float64s, Int64Rows, NamedTuple, kernel, scalar, scratch
from ecsphys.engine.manifold.convex import HULLS_SHAPE, ROUNDING, between_centres, extent, pair_scale, set_pair
from ecsphys.engine.manifold.manifold import separation
from ecsphys.engine.math.rounding import TOUCHING, rounding_slop
from ecsphys.engine.shapes.layout import ALONG_X, ALONG_Y, CX, CY, OF_A, OF_B, ShapeArrays

# Gaps up to this many rounding errors are closed.
_CLOSED = 8.0

# A tangent at the impact that is approached at less than this part of the last one's rate is another tangent, not the
# same one turned a little as it follows an arc.
_AS_STEEP = 0.99

# Enough to halve a distance down to its rounding error; a cast is over after two or three, on round shapes after ten.
_MOST_ADVANCES = 64

_new_hulls = scratch(HULLS_SHAPE)


class CastImpacts(NamedTuple):
    """The first impact of each pair: the fraction of the displacement in [0, 1] at which they touch, infinity where
    they do not; the gap before anything moves, negative where they overlap (minus the depth); the unit normal (2,) from
    the moving shape to the other at the impact, and the point (2,) in the world where they touch then."""

    fractions: Float64s
    gaps: Float64s
    normals: Float64Rows
    points: Float64Rows


class PairImpact(NamedTuple):
    """One of :class:`CastImpacts`."""

    fraction: float
    gap: float
    normal_x: float
    normal_y: float
    x: float
    y: float


@scalar
def cast_pair(
    a: int,
    b: int,
    displacement_x: float,
    displacement_y: float,
    placed: ShapeArrays,
    hulls: NDArray[float64],
) -> PairImpact:
    """The first impact of placed shape a, which moves by the displacement, with b; see :func:`cast_shapes`.

    ``hulls`` is scratch space of shape HULLS_SHAPE.
    """
    _, positions, shapes, _ = placed
    size_a = extent(shapes, a)
    size_b = extent(shapes, b)
    way = max(abs(displacement_x), abs(displacement_y))
    scale = pair_scale(placed, a, b, way)
    start_x, start_y = between_centres(placed, a, b, scale)
    dx = scale * displacement_x
    dy = scale * displacement_y
    closed = _CLOSED * TOUCHING * scale * (max(size_a, size_b) + way)

    fraction = 0.0
    start_gap = 0.0
    hits = False
    nx = 0.0
    ny = 1.0
    x = 0.0
    y = 0.0
    followed_a = -1
    followed_b = -1
    steepness = 0.0
    for advances in range(_MOST_ADVANCES):
        x_now = start_x - fraction * dx
        y_now = start_y - fraction * dy
        slop = rounding_slop(scale * size_a, scale * size_b, x_now, y_now)
        _, first_a, end_a, _, first_b, end_b = set_pair(hulls, placed, a, b, x_now, y_now, scale)
        # The piece that is touched first, by its own tangent; at the start, also the nearest.
        advance = math.inf
        nearest = math.inf
        last_a = followed_a
        last_b = followed_b
        last_x = nx
        last_y = ny
        last_steepness = steepness
        for p in range(first_a, end_a):
            for q in range(first_b, end_b):
                overlap, mx, my, kind, feature_a, feature_b = separation(hulls[p], hulls[q], slop, -math.inf)
                gap = -overlap - hulls[p, ROUNDING] - hulls[q, ROUNDING]
                to_x = mx
                to_y = my
                approach = mx * dx + my * dy
                if p == last_a and q == last_b and gap <= closed and approach < _AS_STEEP * last_steepness:
                    to_x = last_x
                    to_y = last_y
                    approach = last_steepness
                step = math.inf
                if approach > closed:
                    step = max(gap, 0.0) / approach
                sooner = step < advance
                if sooner or (advance == math.inf and gap < nearest):
                    nx = to_x
                    ny = to_y
                    _, _, x, y = core_points(hulls[p], hulls[q], mx, my, kind, feature_a, feature_b)
                    x -= hulls[q, ROUNDING] * mx
                    y -= hulls[q, ROUNDING] * my
                if sooner:
                    advance = step
                    hits = gap <= closed
                    followed_a = p
                    followed_b = q
                    steepness = approach
                nearest = min(nearest, gap)
        if advances == 0:
            start_gap = nearest / scale
        if hits or not fraction + advance <= 1.0:
            break
        fraction += advance
    return PairImpact(
        fraction if fraction + advance <= 1.0 else math.inf,
        start_gap,
        nx + 0.0,
        ny + 0.0,
        positions[a, ALONG_X] + (shapes[a, CX] + (x / scale + fraction * displacement_x)),
        positions[a, ALONG_Y] + (shapes[a, CY] + (y / scale + fraction * displacement_y)),
    )


@kernel
def cast_shapes(
    pairs: Int64Rows, displacement_x: float, displacement_y: float, placed: ShapeArrays, impacts: CastImpacts
) -> None:
    """Write the first impact of each pair (m, 2) of placed shapes; the first shape moves by the displacement.

    For a displacement of zero, normal and point describe the gap, the point on the other shape; for any other that
    misses, they mean nothing. Shapes that touch or overlap at the start have fraction 0 where the displacement takes
    them deeper, else infinity: leaving and sliding along are free. (Of a fan wider than π each half counts for itself.)
    """
    fractions, gaps, normals, points = impacts
    hulls = _new_hulls()
    for k in range(pairs.shape[0]):
        impact = cast_pair(pairs[k, OF_A], pairs[k, OF_B], displacement_x, displacement_y, placed, hulls)
        fractions[k] = impact.fraction
        gaps[k] = impact.gap
        normals[k, ALONG_X] = impact.normal_x
        normals[k, ALONG_Y] = impact.normal_y
        points[k, ALONG_X] = impact.x
        points[k, ALONG_Y] = impact.y
