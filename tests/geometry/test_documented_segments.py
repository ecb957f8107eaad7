"""C10, C11, C14: points and circles against segments."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ecsphys.geometry.documented_tests import circle_capsule, circle_segment, closest_point_on_segment

Point = tuple[float, float]
coordinates = st.one_of(st.integers(-6, 6).map(float), st.floats(-6, 6))
points = st.tuples(coordinates, coordinates)
scales = st.sampled_from([1e-9, 1.0, 1e9])


def test_nearest_point_is_between_the_ends_or_one_of_them() -> None:
    assert closest_point_on_segment((1, 3), (0, 0), (4, 0)) == (1.0, 0.0)
    assert closest_point_on_segment((-2, 3), (0, 0), (4, 0)) == (0.0, 0.0)
    assert closest_point_on_segment((9, 3), (0, 0), (4, 0)) == (4.0, 0.0)
    assert closest_point_on_segment((0, 2), (0, 0), (2, 2)) == (1.0, 1.0)


@given(points, points, points, scales)
@settings(deadline=None)
def test_nearest_point_agrees_with_rational_numbers(p: Point, a: Point, b: Point, scale: float) -> None:
    p, a, b = ((x * scale, y * scale) for x, y in (p, a, b))
    d = [Fraction(v) - Fraction(u) for u, v in zip(a, b, strict=True)]
    squared = d[0] ** 2 + d[1] ** 2
    t = Fraction(0)
    if squared:
        offset = [Fraction(v) - Fraction(u) for u, v in zip(a, p, strict=True)]
        t = min(max((offset[0] * d[0] + offset[1] * d[1]) / squared, Fraction(0)), Fraction(1))
    expected = [float(Fraction(u) + t * v) for u, v in zip(a, d, strict=True)]
    found = closest_point_on_segment(p, a, b)
    # A segment much shorter than its distance leaves t uncertain, but not the point.
    assert found == pytest.approx(expected, rel=0, abs=1e-13 * scale)
    if t in (0, 1) and squared > Fraction(1, 100):
        assert found == (a if t == 0 else b)


def test_fault_c10_zero_length_segment_divides_by_zero() -> None:
    def original(p: Point, a: Point, b: Point) -> float:
        dx, dy = b[0] - a[0], b[1] - a[1]
        return ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy)

    with pytest.raises(ZeroDivisionError):
        original((3, 4), (1, 2), (1, 2))
    assert closest_point_on_segment((3, 4), (1, 2), (1, 2)) == (1.0, 2.0)
    assert circle_capsule((3, 4), 2, (1, 2), (1, 2), 0.9)
    assert not circle_capsule((1, 5), 2, (1, 2), (1, 2), 1)


def test_fault_c10_printed_derivative_has_ax_where_ay_belongs() -> None:
    def original(p: Point, a: Point, b: Point) -> Point:
        """Zero of the derivative as printed: (ax − px)·dx + (ax − py)·dy + t·d·d."""
        dx, dy = b[0] - a[0], b[1] - a[1]
        t = -((a[0] - p[0]) * dx + (a[0] - p[1]) * dy) / (dx * dx + dy * dy)
        t = min(max(t, 0.0), 1.0)
        return a[0] + t * dx, a[1] + t * dy

    p, a, b = (5.0, 3.0), (5.0, 1.0), (5.0, 9.0)  # straight up at x = 5: p is on it
    assert original(p, a, b) == (5.0, 1.0)
    assert closest_point_on_segment(p, a, b) == p


def test_circle_meets_capsule_beside_and_beyond_its_core() -> None:
    capsule = ((0, 0), (4, 0), 1)
    assert circle_capsule((2, 1.9), 1, *capsule)
    assert not circle_capsule((2, 2), 1, *capsule)
    assert not circle_capsule((6, 0), 1, *capsule)
    assert circle_capsule((5.9, 0), 1, *capsule)
    assert not circle_capsule((7, 4), 4, *capsule)  # 3-4-5 from the end
    assert circle_capsule((7, 4), 4.000000001, *capsule)


@given(points, st.floats(0.1, 3), points, points, st.floats(0, 3), scales)
@settings(deadline=None)
def test_circle_capsule_agrees_with_the_sampled_core(
    center: Point, radius: float, a: Point, b: Point, capsule_radius: float, scale: float
) -> None:
    steps = 400
    samples = [(a[0] + k / steps * (b[0] - a[0]), a[1] + k / steps * (b[1] - a[1])) for k in range(steps + 1)]
    distance = min(math.dist(center, sample) for sample in samples)
    reach = radius + capsule_radius
    spacing = math.dist(a, b) / steps
    center, a, b = ((x * scale, y * scale) for x, y in (center, a, b))
    if distance < reach * (1 - 1e-12):
        assert circle_capsule(center, radius * scale, a, b, capsule_radius * scale)
    elif distance - 0.5 * spacing > reach * (1 + 1e-12):
        assert not circle_capsule(center, radius * scale, a, b, capsule_radius * scale)


def test_a_long_capsule_is_as_precise_as_a_short_one() -> None:
    # Beside the middle of a core of 3·10⁹, at a slant of 3-4-5: distance 5 from the line.
    a, b = (-3e9, -4e9), (3e9, 4e9)
    center = (-4.0, 3.0)
    assert not circle_capsule(center, 3, a, b, 2)
    assert circle_capsule(center, 3.000000000001, a, b, 2)


def test_circle_segment_gives_sorted_crossings() -> None:
    assert circle_segment((0, 0), 1, (-2, 0), (2, 0)) == (0.25, 0.75)
    assert circle_segment((0, 0), 1, (2, 0), (-2, 0)) == (0.25, 0.75)
    assert circle_segment((0, 0), 1, (0, 0), (2, 0)) == (0.5,)
    assert circle_segment((0, 0), 1, (-2, 0), (0, 0)) == (0.5,)
    assert circle_segment((0, 0), 1, (-0.5, 0), (0.5, 0)) == ()
    assert circle_segment((0, 0), 1, (2, 0), (3, 0)) == ()
    assert circle_segment((0, 0), 5, (3, 4), (-3, 4)) == (0.0, 1.0)
    assert circle_segment((0, 0), 5, (6, 8), (3, 4)) == (1.0,)


def test_tangent_is_no_crossing() -> None:
    assert circle_segment((0, 0), 1, (-2, 1), (2, 1)) == ()
    assert circle_segment((0, 0), 5, (-4 - 1, 3 - 7), (7, 12)) != ()
    assert circle_segment((0, 0), 5, (3 - 8, 4 + 6), (3 + 8, 4 - 6)) == ()  # across the radius to (3, 4)


@given(points, st.floats(0.1, 5), points, points, scales)
@settings(deadline=None, max_examples=300)
def test_crossings_lie_on_the_circle_and_separate_inside_from_outside(
    center: Point, radius: float, a: Point, b: Point, scale: float
) -> None:
    length = math.dist(a, b)
    assume(length >= 1e-3)
    scaled_center, scaled_a, scaled_b = ((x * scale, y * scale) for x, y in (center, a, b))
    found = circle_segment(scaled_center, radius * scale, scaled_a, scaled_b)
    assert sorted(found) == list(found)

    def height(t: float) -> float:
        return math.dist(center, (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]))) - radius

    assert all(0.0 <= t <= 1.0 and abs(height(t)) < 1e-9 for t in found)
    ends = [0.0, *found, 1.0]
    signs = [height(0.5 * (s + t)) for s, t in pairwise(ends)]
    for k, (s, t) in enumerate(pairwise(ends)):
        # Between crossings the segment is all on one side, and the sides alternate.
        if (t - s) * length > 1e-6 and abs(signs[k]) > 1e-9:
            inside = signs[k] < 0
            assert all((height(s + (t - s) * u / 8) < 1e-9) == inside for u in range(1, 8))
    if len(found) == 2:
        assert signs[1] < 1e-9


def test_crossings_far_away_keep_their_precision() -> None:
    # 10⁸ radii away: c = f·f − r² would lose the radius altogether.
    first, second = circle_segment((0, 0), 1, (-1e8, 0.6), (1e8, 0.6))
    assert (first - 0.5) * 2e8 == pytest.approx(-0.8, abs=2e-8)
    assert (second - 0.5) * 2e8 == pytest.approx(0.8, abs=2e-8)
    far = 2.0**40
    assert circle_segment((far, far), 1, (far - 2, far), (far + 2, far)) == (0.25, 0.75)
