"""C12, C13: directions between two vectors, and a circle against a fan (a circular sector)."""

from __future__ import annotations

import math

from ecsphys.engine.kernels.compilation import scalar
from ecsphys.engine.math.cos_sin import cosine_of, sine_of
from ecsphys.engine.math.exact import cross_sign
from ecsphys.engine.predicates.circle import circle_circle
from ecsphys.engine.predicates.segment import closer_to_segment


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
