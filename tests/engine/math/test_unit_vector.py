"""Directions stay unit vectors however short or long the vector is."""

from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecsphys import CapsuleCollider, CircleCollider, FanCollider, OBBCollider, PolygonCollider, Transform
from ecsphys.components.collision.colliders import Collider
from ecsphys.engine.math.elementary import unit_vector
from ecsphys.geometry import closest_points, contact, project_point

SHAPES: list[Collider] = [
    CircleCollider(1),
    OBBCollider(1, 0.5),
    CapsuleCollider(1, 0.5),
    FanCollider(1, 1),
    FanCollider(1, 5),
    PolygonCollider([(-1, -1), (1, -1), (0, 1)], radius=0.3),
]


@given(st.floats(-1e300, 1e300), st.floats(-1e300, 1e300))
def test_unit_vectors_have_length_one_and_the_vectors_direction(x: float, y: float) -> None:
    ux, uy, length = unit_vector(x, y)
    assert length == pytest.approx(math.hypot(x, y), rel=1e-15, abs=5e-324)
    if x == y == 0.0:
        assert (ux, uy) == (0.0, 0.0)
    else:
        assert math.hypot(ux, uy) == pytest.approx(1.0, abs=1e-15)
        assert math.atan2(uy, ux) == pytest.approx(math.atan2(y, x), abs=1e-15)


@pytest.mark.parametrize("gap", [5e-324, 2e-311, 1e-200, 1e-160, 1e-155, 1e-20, 1e-9])
def test_almost_concentric_shapes_get_unit_normals_and_finite_points(gap: float) -> None:
    """The square of such an offset has few bits or none."""
    here = Transform()
    for (a, b), (dx, dy) in product(product(SHAPES, SHAPES), ((gap, 0.0), (0.0, gap), (-gap, 3 * gap))):
        there = Transform(dx, dy)
        hit = contact(a, here, b, there)
        assert hit is not None
        assert math.hypot(*hit.normal) == pytest.approx(1.0, abs=1e-14)
        distance, on_a, on_b = closest_points(a, here, b, there)
        nearest, depth = project_point(a, here, (dx, dy), solid=False)
        assert distance == 0.0
        for point in (*hit.points, on_a, on_b, nearest):
            assert all(math.isfinite(coordinate) for coordinate in point)
        assert math.isfinite(depth)
