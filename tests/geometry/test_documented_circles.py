"""C3, C4, C5: circle against circle, axis-aligned and turned rectangle."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from ecsphys.geometry.documented_tests import (
    circle_aabb,
    circle_aabb_by_cases,
    circle_aabb_by_growth,
    circle_circle,
    circle_obb,
    circle_obb_by_transform,
)

THREE_WAYS = [circle_aabb, circle_aabb_by_cases, circle_aabb_by_growth]
TWO_WAYS = [circle_obb, circle_obb_by_transform]

# Tenths, moved by single units in the last place: touching is common, and hardly ever representable.
near_grid = st.builds(lambda k, ulps: 0.1 * k + ulps * 2.0**-54, st.integers(-20, 20), st.integers(-2, 2))
sizes = st.one_of(st.just(0.0), near_grid.map(abs))
points = st.tuples(near_grid, near_grid)


def test_circles_hit_below_the_sum_of_their_radii() -> None:
    assert circle_circle((0, 0), 2, (2.999, 0), 1)
    assert not circle_circle((0, 0), 2, (3, 0), 1)
    assert not circle_circle((0, 0), 2, (3.001, 0), 1)
    assert circle_circle((1, 1), 1, (1, 1), 2)


def test_touching_circles_at_a_slant_do_not_hit() -> None:
    assert not circle_circle((1, 1), 2, (4, 5), 3)
    assert circle_circle((1, 1), 2, (4, 5), 3.0000000000000004)


@given(points, sizes, points, sizes)
@settings(deadline=None)
@example((0.0, 0.0), 0.1, (0.3, 0.0), 0.2)
def test_circle_circle_is_exact_and_symmetric(
    a: tuple[float, float], radius_a: float, b: tuple[float, float], radius_b: float
) -> None:
    squared = sum((Fraction(p) - Fraction(q)) ** 2 for p, q in zip(a, b, strict=True))
    expected = squared < (Fraction(radius_a) + Fraction(radius_b)) ** 2
    assert circle_circle(a, radius_a, b, radius_b) == expected
    assert circle_circle(b, radius_b, a, radius_a) == expected


@pytest.mark.parametrize("hits", THREE_WAYS)
def test_circle_meets_sides_corners_and_inside_of_a_rectangle(hits: object) -> None:
    assert callable(hits)
    box = ((0, 0), (4, 2))
    assert hits((2, 1), 0.1, *box)  # inside
    assert hits((2, 2.5), 0.6, *box)
    assert hits((-0.5, 1), 0.6, *box)
    assert not hits((2, 2.5), 0.5, *box)  # touches the top
    assert not hits((-0.5, 1), 0.5, *box)  # touches the left
    assert hits((7, 6), 5.0000000000000009, *box)
    assert not hits((7, 6), 5, *box)  # touches the corner
    assert not hits((-0.8, -0.8), 1, *box)  # in the grown rectangle's corner only
    assert hits((-0.7, -0.7), 1, *box)


def exact_circle_box(
    center: tuple[float, float], radius: float, low: tuple[float, float], high: tuple[float, float]
) -> bool:
    gaps = [
        max(Fraction(a) - Fraction(c), Fraction(c) - Fraction(b)) for c, a, b in zip(center, low, high, strict=True)
    ]
    if max(gaps) < 0:
        return True
    return sum(max(gap, Fraction(0)) ** 2 for gap in gaps) < Fraction(radius) ** 2


@given(points, sizes, points, sizes, sizes)
@settings(deadline=None, max_examples=300)
def test_all_three_ways_are_exact(
    center: tuple[float, float], radius: float, low: tuple[float, float], width: float, height: float
) -> None:
    high = (low[0] + width, low[1] + height)
    expected = exact_circle_box(center, radius, low, high)
    for hits in THREE_WAYS:
        assert hits(center, radius, low, high) == expected


@given(
    st.sampled_from([(3, 4, 5), (5, 12, 13), (8, 15, 17), (0, 7, 7), (9, 0, 9)]),
    st.sampled_from([2.0**-40, 1.0, 2.0**40]),
    st.tuples(*[st.integers(-1000, 1000)] * 2),
)
@settings(deadline=None)
def test_a_touching_circle_hits_in_none_of_the_ways_and_a_hair_larger_in_all(
    triple: tuple[int, int, int], scale: float, corner: tuple[int, int]
) -> None:
    x, y, distance = triple
    high = (corner[0] * scale, corner[1] * scale)
    low = (high[0] - 50 * scale, high[1] - 50 * scale)
    center = (high[0] + x * scale, high[1] + y * scale)
    for hits in THREE_WAYS:
        assert not hits(center, distance * scale, low, high)
        assert hits(center, math.nextafter(distance * scale, math.inf), low, high)


@pytest.mark.parametrize("hits", THREE_WAYS)
def test_rectangle_far_from_the_origin_costs_no_precision(hits: object) -> None:
    assert callable(hits)
    far = 2.0**40
    low, high = (far, far), (far + 4, far + 2)
    assert hits((far + 4.5, far + 1), 0.5 + 1e-12, low, high)
    assert not hits((far + 4.5, far + 1), 0.5, low, high)


def test_fault_c4_the_original_corner_comparison_disagrees_on_the_boundary() -> None:
    def original_by_cases(center: tuple[float, float], radius: float) -> bool:
        """Rectangle (0, 0)–(4, 2): sides by <, corners by ≤."""
        x, y = center
        if 0 <= x <= 4:
            return -radius < y < 2 + radius
        if 0 <= y <= 2:
            return -radius < x < 4 + radius
        corner_x = 0 if x < 0 else 4
        corner_y = 0 if y < 0 else 2
        return (x - corner_x) ** 2 + (y - corner_y) ** 2 <= radius**2

    beside, at_corner = (2.0, 7.0), (7.0, 6.0)  # both at exactly 5 from the rectangle
    assert original_by_cases(at_corner, 5.0)
    assert not original_by_cases(beside, 5.0)
    for hits in THREE_WAYS:
        assert not hits(at_corner, 5.0, (0, 0), (4, 2))
        assert not hits(beside, 5.0, (0, 0), (4, 2))


@pytest.mark.parametrize("hits", TWO_WAYS)
def test_circle_meets_a_turned_rectangle(hits: object) -> None:
    assert callable(hits)
    quarter = math.pi / 2
    # Half-size (4, 1), standing upright after a quarter turn about (10, 10).
    assert hits((10, 13.9), 0.05, (10, 10), (4, 1), quarter)
    assert hits((10, 14.4), 0.5, (10, 10), (4, 1), quarter)
    assert not hits((13.9, 10), 0.5, (10, 10), (4, 1), quarter)
    diagonal = math.pi / 4
    assert hits((0, 1.9), 0.5, (0, 0), (1, 1), diagonal)  # the corner is at √2 above the centre
    assert not hits((0, 1.92), 0.5, (0, 0), (1, 1), diagonal)
    assert not hits((1.3, 1.3), 0.5, (0, 0), (1, 1), diagonal)


@pytest.mark.parametrize("hits", TWO_WAYS)
def test_unturned_rectangle_touched_is_not_hit(hits: object) -> None:
    assert callable(hits)
    assert not hits((3, 0), 1, (0, 0), (2, 1), 0.0)
    assert not hits((5, 5), 5, (0, 0), (2, 1), 0.0)
    assert hits((5, 5), 5.0000000000000009, (0, 0), (2, 1), 0)


@given(
    points,
    st.floats(0.05, 2),
    points,
    st.tuples(*[st.floats(0.05, 3)] * 2),
    st.floats(-7, 7),
    st.sampled_from([1e-9, 1.0, 1e9]),
)
@settings(deadline=None)
def test_both_ways_agree_with_the_distance_to_the_turned_corners(
    center: tuple[float, float],
    radius: float,
    box_center: tuple[float, float],
    half: tuple[float, float],
    angle: float,
    scale: float,
) -> None:
    # Oracle: distances to the four turned edges, and the sides of the centre on which they are.
    turn = complex(math.cos(angle), math.sin(angle))
    middle = complex(*box_center)
    corners = [middle + turn * complex(x * half[0], y * half[1]) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    p = complex(*center)
    distances = []
    inside = True
    for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
        along = ((p - a) / (b - a)).real
        distances.append(abs(p - (a + min(max(along, 0), 1) * (b - a))))
        inside = inside and ((p - a) / (b - a)).imag > 0
    assume(abs(min(distances) - radius) >= 1e-9 * (1 + abs(p - middle)))
    expected = inside or min(distances) < radius
    for hits in TWO_WAYS:
        scaled = [(x * scale, y * scale) for x, y in (center, box_center, half)]
        assert hits(scaled[0], radius * scale, scaled[1], scaled[2], angle) == expected


def test_fault_c5_the_matrix_as_given_maps_the_wrong_way() -> None:
    def original_without_inverse(center: tuple[float, float], radius: float, angle: float) -> bool:
        """The rectangle's own matrix, local → world, on the world point; half-size (4, 1) at the origin."""
        x = math.cos(angle) * center[0] - math.sin(angle) * center[1]
        y = math.sin(angle) * center[0] + math.cos(angle) * center[1]
        return math.hypot(max(abs(x) - 4, 0), max(abs(y) - 1, 0)) < radius

    angle = math.radians(30)
    on_axis = (3 * math.cos(angle), 3 * math.sin(angle))  # on the rectangle's long axis, well inside
    assert not original_without_inverse(on_axis, 0.5, angle)
    for hits in TWO_WAYS:
        assert hits(on_axis, 0.5, (0, 0), (4, 1), angle)
