"""Overlap and distance of colliders by sampling support functions: nothing of the engine is used.

A shape is a list of convex parts about its transform's position; a part is vertices, a rounding radius and perhaps an
arc. Of two parts, f(θ) = h_A(n) + h_B(−n) is minimised over the angle of n by sampling the whole circle densely and
zooming into the lowest samples: an error of ε in the angle costs at most ε times the shapes' size.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    FanCollider,
    OBBCollider,
    PolygonCollider,
)
from ecsphys.components.motion.transform import Transform

Floats = NDArray[np.float64]

_SAMPLES = 1440
_ZOOM = 160
_LEVELS = 6
_KEPT = 4

_CIRCLE = np.linspace(0, 2 * math.pi, _SAMPLES, endpoint=False)
_CIRCLE_COS, _CIRCLE_SIN = np.cos(_CIRCLE), np.sin(_CIRCLE)
_SPAN = np.linspace(-2.0, 2.0, _ZOOM)


@dataclass
class Part:
    vertices: Floats  # (n, 2)
    rounding: float = 0.0
    arc: tuple[float, float, float, float, float] | None = None  # centre, radius, middle angle, half angle

    def support(self, angles: Floats) -> Floats:
        return self.reach(angles, np.cos(angles), np.sin(angles))

    def reach(self, angles: Floats, cos: Floats, sin: Floats) -> Floats:
        """``support``, for angles whose cosines and sines are known."""
        reach: Floats = (self.vertices @ np.stack((cos, sin))).max(0)
        if self.arc is not None:
            x, y, radius, middle, half = self.arc
            inside = np.abs((angles - middle + math.pi) % (2 * math.pi) - math.pi) <= half
            reach = np.where(inside, np.maximum(reach, x * cos + y * sin + radius), reach)
        return reach + self.rounding

    def moved(self, x: float, y: float) -> Part:
        arc = None if self.arc is None else (self.arc[0] + x, self.arc[1] + y, *self.arc[2:])
        return Part(self.vertices + np.array((x, y)), self.rounding, arc)


def fan_parts(x: float, y: float, radius: float, middle: float, spread: float) -> list[Part]:
    """A fan about (x, y) in as many convex parts as it needs: one, or three beyond π."""
    count = 1 if spread <= math.pi else 3
    half = 0.5 * spread / count
    parts = []
    for k in range(count):
        centre = middle + (2 * k - count + 1) * half
        ends = [(x + radius * math.cos(t), y + radius * math.sin(t)) for t in (centre - half, centre + half)]
        parts.append(Part(np.array([(x, y), *ends]), 0.0, (x, y, radius, centre, half)))
    return parts


def parts_of(collider: object, transform: Transform) -> list[Part]:
    """Convex parts whose union the collider is, relative to the transform's position."""
    turn = 0.0 if isinstance(collider, AABBCollider) else transform.angle
    c, s = math.cos(turn), math.sin(turn)
    x = c * collider.offset_x - s * collider.offset_y  # type: ignore[attr-defined]
    y = s * collider.offset_x + c * collider.offset_y  # type: ignore[attr-defined]
    if isinstance(collider, CircleCollider):
        return [Part(np.array([(x, y)]), collider.radius)]
    if isinstance(collider, FanCollider):
        if collider.spread == 2 * math.pi:
            return [Part(np.array([(x, y)]), collider.radius)]
        return fan_parts(x, y, collider.radius, turn + collider.direction, collider.spread)
    rounding = 0.0
    angle = turn
    if isinstance(collider, AABBCollider | OBBCollider):
        w, h = collider.half_width, collider.half_height
        local = [(-w, -h), (w, -h), (w, h), (-w, h)]
        angle += getattr(collider, "angle", 0.0)
    elif isinstance(collider, CapsuleCollider):
        local = [(-collider.length / 2, 0.0), (collider.length / 2, 0.0)]
        rounding = collider.radius
        angle += collider.angle
    else:
        assert isinstance(collider, PolygonCollider)
        local = list(collider.vertices)
        rounding = collider.radius
        angle += collider.angle
    c, s = math.cos(angle), math.sin(angle)
    return [Part(np.array([(x + c * u - s * v, y + s * u + c * v) for u, v in local]), rounding)]


def size_of(collider: object, transform: Transform) -> float:
    """How far the collider reaches from its transform's position."""
    return max(float(part.support(np.linspace(0, 2 * math.pi, 64)).max()) for part in parts_of(collider, transform))


def offset(transform_a: Transform, transform_b: Transform) -> tuple[float, float]:
    """From a's position to b's, subtracted exactly."""
    return (
        float(Fraction(transform_b.x) - Fraction(transform_a.x)),
        float(Fraction(transform_b.y) - Fraction(transform_a.y)),
    )


def least_overlap(a: Part, b: Part) -> tuple[float, float]:
    """(min f, its angle): the penetration depth of two parts, or minus their distance."""
    centres, cos, sin = _CIRCLE, _CIRCLE_COS, _CIRCLE_SIN
    width = 2 * math.pi / _SAMPLES
    best = math.inf
    best_angle = 0.0
    for _ in range(_LEVELS):
        values = a.reach(centres, cos, sin) + b.reach(centres + math.pi, -cos, -sin)
        lowest = np.argsort(values, kind="stable")
        if values[lowest[0]] < best:
            best, best_angle = float(values[lowest[0]]), float(centres[lowest[0]])
        # The lowest samples that are not neighbours of a lower one.
        kept: list[float] = []
        for angle in centres[lowest[: 8 * _KEPT]].tolist():
            if all(abs(angle - other) > 1.5 * width for other in kept):
                kept.append(angle)
            if len(kept) == _KEPT:
                break
        centres = (np.array(kept)[:, None] + width * _SPAN).ravel()
        cos, sin = np.cos(centres), np.sin(centres)
        width = 4.0 * width / (_ZOOM - 1)
    return best, best_angle


def overlap_along(parts_a: list[Part], parts_b: list[Part], x: float, y: float) -> float:
    """How far b must move along (x, y) so that no part is in the way, past straight lines."""
    angle = np.array([math.atan2(y, x)])
    return max(float(a.support(angle)[0] + b.support(angle + math.pi)[0]) for a in parts_a for b in parts_b)


def deepest_overlap(parts_a: list[Part], parts_b: list[Part]) -> float:
    """The largest penetration depth of any two parts; negative: minus the distance of the shapes."""
    return max(least_overlap(a, b)[0] for a in parts_a for b in parts_b)


def distance_from(parts: list[Part], x: float, y: float) -> float:
    """Distance of a point from the union of parts; 0 inside."""
    return max(0.0, -deepest_overlap(parts, [Part(np.array([(x, y)]))]))
