"""Hypothesis strategies for colliders and transforms: random ones, and those that make geometry degenerate."""

from __future__ import annotations

import math
from itertools import combinations_with_replacement
from typing import Any

from hypothesis import strategies as st

from ecsphys.components.collision.colliders import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    FanCollider,
    OBBCollider,
    PolygonCollider,
)
from ecsphys.components.motion.transform import Transform

# Repeated values make shapes touch, coincide, and lie in line.
COORDINATES = st.one_of(st.sampled_from([0.0, 0.5, -0.5, 1.0, -1.0, 1.5, 2.0, -3.0]), st.floats(-3.0, 3.0))
SIZES = st.one_of(st.sampled_from([0.5, 1.0, 2.0]), st.floats(0.05, 3.0))
ANGLES = st.one_of(
    st.sampled_from([0.0, math.pi / 2, math.pi / 4, math.pi, -math.pi / 2, math.pi / 6]), st.floats(-7.0, 7.0)
)
NARROW = st.one_of(st.sampled_from([1e-9, 1e-3, math.pi / 2, math.pi]), st.floats(0.01, math.pi))
WIDE = st.one_of(
    st.sampled_from([math.pi + 1e-9, 1.5 * math.pi, 2 * math.pi - 1e-9, 2 * math.pi - 1e-3]),
    st.floats(math.pi + 0.01, 2 * math.pi - 0.01),
)
OFFSETS = st.one_of(st.just(0.0), st.floats(-1.0, 1.0))


@st.composite
def polygons(draw: st.DrawFn) -> PolygonCollider:
    """Vertices on an ellipse, at angles some distance apart: convex; sometimes rounded."""
    gaps = [1.0 + byte / 85 for byte in draw(st.binary(min_size=3, max_size=8))]  # one draw, not one each
    angle = draw(ANGLES)
    width, height = draw(SIZES), draw(SIZES)
    vertices = []
    for gap in gaps:
        angle += 2 * math.pi * gap / sum(gaps)
        vertices.append((width * math.cos(angle), height * math.sin(angle)))
    radius = draw(st.one_of(st.just(0.0), st.floats(0.05, 1.0)))
    return PolygonCollider(vertices, radius, draw(OFFSETS), draw(OFFSETS), draw(ANGLES))


COLLIDERS: dict[str, st.SearchStrategy[Any]] = {
    "circle": st.builds(CircleCollider, SIZES, OFFSETS, OFFSETS),
    "aabb": st.builds(AABBCollider, SIZES, SIZES, OFFSETS, OFFSETS),
    "obb": st.builds(OBBCollider, SIZES, SIZES, OFFSETS, OFFSETS, ANGLES),
    "capsule": st.builds(CapsuleCollider, st.one_of(st.just(0.0), SIZES), SIZES, OFFSETS, OFFSETS, ANGLES),
    "fan": st.builds(FanCollider, SIZES, NARROW, ANGLES, OFFSETS, OFFSETS),
    "polygon": polygons(),
    "wide fan": st.builds(FanCollider, SIZES, WIDE, ANGLES, OFFSETS, OFFSETS),
}
# Tests ask in both orders, which agree to the last bit: each pair stands here in one.
PAIRS = [*combinations_with_replacement(COLLIDERS, 2)]
CONVEX_PAIRS = [pair for pair in PAIRS if "wide fan" not in pair]
TRANSFORMS = st.builds(Transform, COORDINATES, COORDINATES, ANGLES)
