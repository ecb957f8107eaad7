"""C1, C2, C7, C8, C15: rectangles against each other and against points."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ecsphys.geometry.documented_tests import (
    aabb_aabb,
    aabb_intersection,
    box_axes,
    box_center_half,
    box_min_max,
    closest_point_on_obb,
    point_in_aabb,
    point_in_obb,
)

coordinates = st.one_of(st.integers(-5, 5).map(float), st.floats(-5, 5))
points = st.tuples(coordinates, coordinates)
half_sizes = st.tuples(*[st.floats(0.1, 4)] * 2)
angles = st.one_of(st.floats(-7, 7), st.sampled_from([0.0, math.pi / 2, math.pi, -math.pi / 4]))


def boxes() -> st.SearchStrategy[tuple[tuple[float, float], tuple[float, float]]]:
    def ordered(p: tuple[float, float], q: tuple[float, float]) -> tuple[tuple[float, float], tuple[float, float]]:
        return (min(p[0], q[0]), min(p[1], q[1])), (max(p[0], q[0]), max(p[1], q[1]))

    return st.builds(ordered, points, points)


def test_rectangles_hit_when_they_overlap_on_both_axes() -> None:
    box = ((0, 0), (4, 2))
    assert aabb_aabb(*box, (3, 1), (5, 3))
    assert not aabb_aabb(*box, (5, 1), (6, 3))  # x apart
    assert not aabb_aabb(*box, (3, 3), (5, 4))  # y apart
    assert not aabb_aabb(*box, (4, 0), (6, 2))  # shares a side
    assert not aabb_aabb(*box, (4, 2), (6, 3))  # shares a corner
    assert aabb_aabb(*box, (1, 0.5), (2, 1))  # contained


def test_intersection_is_max_of_mins_and_min_of_maxes() -> None:
    assert aabb_intersection((0, 0), (4, 2), (3, 1), (5, 3)) == ((3.0, 1.0), (4.0, 2.0))
    assert aabb_intersection((0, 0), (4, 2), (1, 0.5), (2, 1)) == ((1.0, 0.5), (2.0, 1.0))
    assert aabb_intersection((0, 0), (4, 2), (4, 0), (6, 2)) is None
    assert aabb_intersection((0, 0), (4, 2), (3, 5), (5, 6)) is None


@given(boxes(), boxes())
@settings(deadline=None)
def test_hit_means_not_apart_and_a_non_empty_intersection(
    a: tuple[tuple[float, float], tuple[float, float]], b: tuple[tuple[float, float], tuple[float, float]]
) -> None:
    overlap = aabb_intersection(*a, *b)
    assert aabb_aabb(*a, *b) == aabb_aabb(*b, *a) == (overlap is not None)
    if a[0][0] < a[1][0] and a[0][1] < a[1][1] and b[0][0] < b[1][0] and b[0][1] < b[1][1]:
        # De Morgan, as in the document: not any of the four ways to be apart.
        apart = a[1][0] <= b[0][0] or b[1][0] <= a[0][0] or a[1][1] <= b[0][1] or b[1][1] <= a[0][1]
        assert aabb_aabb(*a, *b) == (not apart)
    if overlap is not None:
        middle, _ = box_center_half(*overlap)
        for low, high in (a, b):
            assert all(p <= q <= r for p, q, r in zip(low, middle, high, strict=True))


def test_point_in_rectangle_excludes_the_boundary() -> None:
    assert point_in_aabb((1, 1), (0, 0), (4, 2))
    for boundary in ((0, 1), (4, 1), (1, 0), (1, 2), (0, 0), (4, 2)):
        assert not point_in_aabb(boundary, (0, 0), (4, 2))
        assert not point_in_obb(boundary, (2, 1), (2, 1), 0)
    assert not point_in_aabb((5, 1), (0, 0), (4, 2))


def test_point_in_turned_rectangle() -> None:
    angle = math.pi / 4
    assert point_in_obb((2, 2), (0, 0), (3, 0.5), angle)
    assert not point_in_obb((2, -2), (0, 0), (3, 0.5), angle)
    assert not point_in_obb((2.2, 2.2), (0, 0), (3, 0.5), angle)


def test_fault_c7_without_the_absolute_value_everything_on_the_negative_side_is_inside() -> None:
    def original(point: tuple[float, float], half: tuple[float, float], angle: float) -> bool:
        along = point[0] * math.cos(angle) + point[1] * math.sin(angle)
        across = -point[0] * math.sin(angle) + point[1] * math.cos(angle)
        return along < half[0] and across < half[1]

    far_behind = (-100.0, -40.0)
    assert original(far_behind, (2, 1), 0.3)
    assert not point_in_obb(far_behind, (0, 0), (2, 1), 0.3)


def test_closest_point_faces_a_side_or_is_a_corner() -> None:
    assert closest_point_on_obb((5, 0.5), (0, 0), (2, 1), 0) == ((2.0, 0.5), 3.0)
    assert closest_point_on_obb((5, 5), (0, 0), (2, 1), 0) == ((2.0, 1.0), 5.0)
    assert closest_point_on_obb((1, 0.5), (0, 0), (2, 1), 0) == ((1.0, 0.5), 0.0)
    point, distance = closest_point_on_obb((10, 15), (10, 10), (4, 1), math.pi / 2)
    assert point == pytest.approx((10, 14))
    assert distance == pytest.approx(1)


@given(points, points, half_sizes, angles)
@settings(deadline=None)
def test_closest_point_is_in_the_rectangle_and_no_sampled_point_is_nearer(
    point: tuple[float, float], center: tuple[float, float], half: tuple[float, float], angle: float
) -> None:
    (x, y), distance = closest_point_on_obb(point, center, half, angle)
    assert math.hypot(x - point[0], y - point[1]) == pytest.approx(distance, abs=1e-12)
    assert closest_point_on_obb((x, y), center, half, angle)[1] < 1e-12
    turn = complex(math.cos(angle), math.sin(angle))
    for i in range(-8, 9):
        for j in range(-8, 9):
            sample = complex(*center) + turn * complex(half[0] * i / 8, half[1] * j / 8)
            assert abs(sample - complex(*point)) >= distance - 1e-12
    if point_in_obb(point, center, half, angle):
        assert ((x, y), distance) == (point, 0.0)


def test_fault_c8_the_corner_of_the_quadrant_is_not_the_nearest_point() -> None:
    def original(point: tuple[float, float], half: tuple[float, float]) -> tuple[tuple[float, float], float]:
        corner = (math.copysign(half[0], point[0]), math.copysign(half[1], point[1]))
        return corner, math.hypot(point[0] - corner[0], point[1] - corner[1])

    above_the_middle = (0.5, 3.0)
    corner, too_far = original(above_the_middle, (4, 1))
    nearest, distance = closest_point_on_obb(above_the_middle, (0, 0), (4, 1), 0)
    assert corner == (4.0, 1.0)
    assert too_far > 4.0
    assert nearest == (0.5, 1.0)
    assert distance == 2.0


def test_far_rectangles_cost_no_precision() -> None:
    far = 2.0**45
    assert point_in_obb((far + 0.5, far), (far, far), (0.5000001, 1), 0.0)
    assert not point_in_obb((far + 0.5, far), (far, far), (0.5, 1), 0.0)
    assert closest_point_on_obb((far + 2.5, far), (far, far), (0.5, 1), math.pi)[1] == pytest.approx(2.0, rel=1e-15)


def test_representations_of_a_rectangle() -> None:
    assert box_center_half((1, 2), (5, 4)) == ((3.0, 3.0), (2.0, 1.0))
    assert box_min_max((3, 3), (2, 1)) == ((1.0, 2.0), (5.0, 4.0))
    axis_x, axis_y = box_axes(math.pi / 6)
    assert axis_x == pytest.approx((math.sqrt(3) / 2, 0.5))
    assert axis_y == pytest.approx((-0.5, math.sqrt(3) / 2))
    assert box_axes(0) == ((1.0, 0.0), (0.0, 1.0))


@given(boxes())
@settings(deadline=None)
def test_representations_convert_into_each_other(box: tuple[tuple[float, float], tuple[float, float]]) -> None:
    low, high = box_min_max(*box_center_half(*box))
    assert low == pytest.approx(box[0], abs=1e-14)
    assert high == pytest.approx(box[1], abs=1e-14)


@given(points, points, half_sizes, angles)
@settings(deadline=None)
def test_centre_half_size_and_axes_describe_the_same_rectangle_as_its_angle(
    point: tuple[float, float], center: tuple[float, float], half: tuple[float, float], angle: float
) -> None:
    offset = (point[0] - center[0], point[1] - center[1])
    reaches = [abs(offset[0] * x + offset[1] * y) - h for (x, y), h in zip(box_axes(angle), half, strict=True)]
    if min(map(abs, reaches)) > 1e-12:
        assert point_in_obb(point, center, half, angle) == (max(reaches) < 0)
