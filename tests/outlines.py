"""The outlines of colliders, from their definitions: what the geometry is compared with.

An outline runs counter-clockwise, as pieces in complex numbers: straight from one point to another, or an arc about a
centre. Nothing here is shared with the engine.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    Collider,
    FanCollider,
    OBBCollider,
)
from ecsphys.components.collision.polygon_collider import PolygonCollider
from ecsphys.components.motion.transform import Transform

Complex = NDArray[np.complexfloating[Any, Any]]


@dataclass(frozen=True)
class Line:
    start: complex
    end: complex

    def points(self, t: NDArray[np.float64]) -> Complex:
        return self.start + t * (self.end - self.start)

    def slopes(self, t: NDArray[np.float64]) -> Complex:
        return np.full(t.shape, self.end - self.start)


@dataclass(frozen=True)
class Arc:
    centre: complex
    radius: float
    start: float
    turn: float

    def points(self, t: NDArray[np.float64]) -> Complex:
        return np.asarray(self.centre + self.radius * np.exp(1j * (self.start + t * self.turn)))

    def slopes(self, t: NDArray[np.float64]) -> Complex:
        return np.asarray(self.radius * self.turn * 1j * np.exp(1j * (self.start + t * self.turn)))


Piece = Line | Arc


def rounded(corners: list[complex], radius: float) -> list[Piece]:
    """Outline of a convex polygon (or a segment, as two corners) offset by a radius."""
    if len(corners) > 2:
        a, b, c = corners[:3]
        if ((b - a).conjugate() * (c - b)).imag < 0:
            corners = corners[::-1]
    pieces: list[Piece] = []
    count = len(corners)
    for k in range(count):
        a, b, c = corners[k], corners[(k + 1) % count], corners[(k + 2) % count]
        outward = -1j * (b - a) / abs(b - a)
        pieces.append(Line(a + radius * outward, b + radius * outward))
        if radius > 0.0:
            turn = cmath.phase((c - b) / (b - a)) % (2 * math.pi)
            pieces.append(Arc(b, radius, cmath.phase(outward), turn))
    return pieces


def outline(collider: Collider) -> list[Piece]:
    """In the frame of the entity, before its rotation."""
    offset = complex(collider.offset_x, collider.offset_y)
    if isinstance(collider, CircleCollider):
        return [Arc(offset, collider.radius, 0.0, 2 * math.pi)]
    if isinstance(collider, FanCollider):
        start = collider.direction - collider.spread / 2
        arc = Arc(offset, collider.radius, start, collider.spread)
        if collider.spread >= 2 * math.pi:
            return [arc]
        first = offset + cmath.rect(collider.radius, start)
        last = offset + cmath.rect(collider.radius, start + collider.spread)
        return [Line(offset, first), arc, Line(last, offset)]
    turn = 1.0 + 0.0j if isinstance(collider, AABBCollider) else cmath.rect(1.0, collider.angle)
    if isinstance(collider, CapsuleCollider):
        if collider.length == 0.0:
            return [Arc(offset, collider.radius, 0.0, 2 * math.pi)]
        half = collider.length / 2
        return rounded([offset - turn * half, offset + turn * half], collider.radius)
    if isinstance(collider, PolygonCollider):
        return rounded([offset + turn * complex(x, y) for x, y in collider.vertices], collider.radius)
    corners = [
        complex(sx * collider.half_width, sy * collider.half_height) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    return rounded([offset + turn * corner for corner in corners], 0.0)


def sample(collider: Collider, transform: Transform, steps: int) -> Complex:
    """Points along the outline, relative to the transform's position; ``steps`` for each piece."""
    t = np.arange(steps) / steps
    points = np.concatenate([piece.points(t) for piece in outline(collider)])
    if isinstance(collider, AABBCollider):
        return points
    return points * cmath.rect(1.0, transform.angle)


def inside(points: Complex, p: complex) -> bool:
    """Whether a closed outline winds around a point: the sum of its turns is a full one."""
    seen = points - p
    return abs(float(np.angle(np.roll(seen, -1) * seen.conj()).sum())) > math.pi


def size_of(collider: Collider) -> float:
    points = sample(collider, Transform(), 16)
    return float(np.abs(points - points.mean()).max())


unit = st.floats(-1.0, 1.0)
angles = st.one_of(st.floats(-4.0, 4.0), st.sampled_from([0.0, math.pi / 2, -math.pi / 4]))
extents = st.floats(0.2, 2.0)
spreads = st.one_of(
    st.floats(0.05, 2 * math.pi), st.sampled_from([1e-6, math.pi / 2, math.pi, 1.5 * math.pi, 2 * math.pi])
)


def _polygon(
    count: int, start: float, gaps: list[float], stretch: float, radius: float, x: float, y: float, angle: float
) -> PolygonCollider:
    """Vertices on an ellipse, by gaps of at least a fifth of each other."""
    chosen = gaps[:count]
    total = sum(chosen)
    turns = np.cumsum(chosen) / total * 2 * math.pi + start
    vertices = [(float(math.cos(turn)), float(stretch * math.sin(turn))) for turn in turns]
    return PolygonCollider(vertices, radius=radius, offset_x=x, offset_y=y, angle=angle)


circles = st.builds(CircleCollider, extents, offset_x=unit, offset_y=unit)
aabbs = st.builds(AABBCollider, extents, extents, offset_x=unit, offset_y=unit)
obbs = st.builds(OBBCollider, extents, extents, offset_x=unit, offset_y=unit, angle=angles)
capsules = st.builds(
    CapsuleCollider, st.one_of(st.just(0.0), extents), extents, offset_x=unit, offset_y=unit, angle=angles
)
fans = st.builds(FanCollider, extents, spreads, angles, offset_x=unit, offset_y=unit)
polygons = st.builds(
    _polygon,
    st.integers(3, 16),
    angles,
    st.lists(st.floats(0.2, 1.0), min_size=16, max_size=16),
    st.floats(0.3, 2.0),
    st.one_of(st.just(0.0), st.floats(0.01, 1.0)),
    unit,
    unit,
    angles,
)
colliders = st.one_of(circles, aabbs, obbs, capsules, fans, polygons)
