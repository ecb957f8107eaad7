"""The outlines of colliders: every point on the boundary, counter-clockwise, and the area of the whole."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy import float64
from numpy.typing import NDArray

from ecsphys import (
    AABBCollider,
    CapsuleCollider,
    ChainCollider,
    CircleCollider,
    Collider,
    CompoundCollider,
    FanCollider,
    OBBCollider,
    PolygonCollider,
    Transform,
    geometry,
)

sizes = st.floats(0.05, 5.0)
angles = st.floats(-10.0, 10.0)
near = st.floats(-3.0, 3.0)
places = st.one_of(near, st.floats(-1e7, 1e7))


@st.composite
def regular_polygons(draw: st.DrawFn) -> PolygonCollider:
    count, size = draw(st.integers(3, 16)), draw(sizes)
    turn = math.tau / count
    vertices = [(size * math.cos(k * turn), 0.6 * size * math.sin(k * turn)) for k in range(count)]
    radius = draw(st.sampled_from((0.0, 0.1, 1.0)))
    return PolygonCollider(vertices, radius * size, draw(near), draw(near), draw(angles))


colliders = st.one_of(
    st.builds(CircleCollider, sizes, near, near),
    st.builds(AABBCollider, sizes, sizes, near, near),
    st.builds(OBBCollider, sizes, sizes, near, near, angles),
    st.builds(CapsuleCollider, st.one_of(st.just(0.0), sizes), sizes, near, near, angles),
    st.builds(FanCollider, sizes, st.floats(0.01, math.tau), angles, near, near),
    regular_polygons(),
)
transforms = st.builds(Transform, places, places, angles)


def area_of(points: NDArray[float64]) -> float:
    """Positive if the points run counter-clockwise."""
    x, y = (points - points[0]).T
    return 0.5 * float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))


@given(colliders, transforms, st.integers(3, 60))
def test_every_point_of_an_outline_is_on_the_boundary(collider: Any, transform: Transform, segments: int) -> None:
    far = max(abs(transform.x), abs(transform.y), 1.0)
    for point in geometry.outline(collider, transform, segments):
        nearest, distance = geometry.project_point(collider, transform, tuple(point.tolist()), solid=False)
        # A corner of the boundary may be a few roundings of the coordinates away.
        assert abs(distance) <= 1e-9 + 4e-16 * far
        assert math.dist(nearest, point) <= 1e-9 + 4e-16 * far


@given(colliders, transforms)
def test_the_area_of_an_outline_approaches_that_of_the_collider(collider: Any, transform: Transform) -> None:
    exact = geometry.mass_properties(collider, 1.0).mass
    rough, fine = (area_of(geometry.outline(collider, transform, segments)) for segments in (12, 1000))
    far = 1e-15 * max(abs(transform.x), abs(transform.y)) * math.sqrt(exact) * 1000
    # Inscribed in arcs of a circle, 12 lines cover 0.95 of it, and 1,000 lines all but 7e-6.
    assert fine == pytest.approx(exact, rel=1e-5, abs=far)
    assert 0.9 * exact - far <= rough <= fine + far


@given(colliders, transforms)
def test_far_from_the_origin_an_outline_has_the_same_form(collider: Any, transform: Transform) -> None:
    at_origin = geometry.outline(collider, Transform(0.0, 0.0, transform.angle))
    shift = geometry.outline(collider, Transform(1e7, -1e7, transform.angle)) - (1e7, -1e7)
    np.testing.assert_allclose(shift, at_origin, rtol=0.0, atol=2e-9)


def test_the_corners_of_a_box_begin_at_the_lower_left() -> None:
    points = geometry.outline(OBBCollider(2, 1), Transform(1, 1, math.pi / 2))
    np.testing.assert_allclose(points, [(2, -1), (2, 3), (0, 3), (0, -1)], atol=1e-15)


def test_the_number_of_segments_is_that_of_a_full_circle() -> None:
    assert len(geometry.outline(CircleCollider(1), Transform(), segments=3)) == 3
    assert len(geometry.outline(CircleCollider(1), Transform(), segments=1024)) == 1024
    # A quarter of 40 lines, their ends, and the apex.
    assert len(geometry.outline(FanCollider(1, math.pi / 2), Transform(), segments=40)) == 12
    assert len(geometry.outline(FanCollider(1, math.tau), Transform(), segments=40)) == 40


def test_the_outline_of_a_thick_segment_goes_round_both_ends() -> None:
    rounded = geometry.outline(CapsuleCollider(2, 0.5), Transform(3, 0), segments=200)
    assert rounded.min(axis=0) == pytest.approx((1.5, -0.5), abs=1e-3)
    assert rounded.max(axis=0) == pytest.approx((4.5, 0.5), abs=1e-3)


def test_a_compound_has_an_outline_for_each_part() -> None:
    parts: list[Collider] = [CircleCollider(0.5, offset_x=1), OBBCollider(1, 0.2)]
    place = Transform(4, 5, 0.7)
    found = geometry.outline(CompoundCollider(parts), place, segments=20)
    assert len(found) == 2
    for points, part in zip(found, parts, strict=True):
        np.testing.assert_array_equal(points, geometry.outline(part, place, segments=20))


def test_a_chain_has_the_points_of_each_line_in_the_world() -> None:
    chain = ChainCollider.from_lines([[(0, 0), (4, 1)], [(6, 0), (8, 0), (9, 1)]], radius=0.3)
    ground, ledge = geometry.outline(chain, Transform(10, 20, math.pi / 2))
    np.testing.assert_allclose(ground, [(10, 20), (9, 24)], atol=1e-12)
    np.testing.assert_allclose(ledge, [(10, 26), (10, 28), (9, 29)], atol=1e-12)


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ((CircleCollider, Transform()), TypeError, "collider must be a collider"),
        ((CircleCollider(1), (0, 0)), TypeError, "transform must be a Transform"),
        ((ChainCollider([(0, 0), (1, 0)]), (0, 0)), TypeError, "transform must be a Transform"),
        ((CircleCollider(1), Transform(), 2), ValueError, "segments must be from 3 to 1024, got 2"),
        ((CircleCollider(1), Transform(), 8.0), TypeError, "segments must be a whole number"),
    ],
)
def test_a_bad_argument_is_named(arguments: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        geometry.outline(*arguments)
