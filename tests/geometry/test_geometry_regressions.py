"""Faults that were once found in the geometry, each by the case that showed it."""

from __future__ import annotations

import math

import pytest

from ecsphys import CapsuleCollider, CircleCollider, FanCollider, OBBCollider, PolygonCollider, Transform
from ecsphys import geometry as g

HERE = Transform()


def test_the_normal_at_an_arc_close_to_its_end_is_the_arcs_not_the_ends() -> None:
    hit = g.contact(FanCollider(1, 1.0, math.pi + 0.5 - 5e-8), HERE, CircleCollider(1), Transform(-1.999, 0))
    assert hit is not None
    assert hit.normal == pytest.approx((-1.0, 0.0), abs=1e-12)
    distance, on_fan, on_circle = g.closest_points(
        FanCollider(1, 1.0, math.pi + 0.45), HERE, CircleCollider(1e6), Transform(-1e6 - 1.001, 0)
    )
    assert math.dist(on_fan, on_circle) == pytest.approx(distance, abs=1e-9)
    assert on_fan == pytest.approx((-1.0, 0.0), abs=1e-9)


@pytest.mark.parametrize("radius", [2.5e8, 2.48e8, 1e6])
def test_the_common_point_with_a_huge_circle_lies_in_the_small_fan_too(radius: float) -> None:
    fan, circle = FanCollider(1, 2.0, math.pi / 4), CircleCollider(radius)
    there = Transform(radius / 2, 0)
    distance, point, again = g.closest_points(fan, HERE, circle, there)
    assert distance == 0.0
    assert point == again
    assert g.project_point(fan, HERE, point)[1] <= 1e-9
    assert math.dist(point, (there.x, 0.0)) <= radius * (1 + 1e-9)


def test_contact_points_in_the_corner_of_a_gap_lie_at_its_edges() -> None:
    fan = FanCollider(1.0, 3.747031527051506, math.pi)
    box = OBBCollider(1.2822500206173462, 1.1043908351291336, angle=0.302202457639018)
    hit = g.contact(fan, HERE, box, Transform(1.4619991855550465, -0.6813081048540173))
    assert hit is not None
    for point in hit.points:
        assert math.hypot(*point) <= 1.0 + hit.depth


@pytest.mark.parametrize(
    "touches",
    [
        lambda: g.circle_capsule((1, 1.4), 0.7, (0, 0), (3, 0), 0.7),
        lambda: g.circle_polygon((1, -0.7), 0.7, [(0, 0), (3, 0), (3, 1), (0, 1)]),
        lambda: g.circle_polygon((0.25, -0.75), 0.75, [(0, 0), (0.7, 0), (0.7, 1), (0, 1)]),
        lambda: g.circle_fan((0.25, -0.7), 0.7, (0, 0), 3, 1.0, 0.5),
        lambda: g.contains(PolygonCollider([(0, 0), (3, 0), (3, 1), (0, 1)], 0.7), HERE, (0.25, -0.7)),
    ],
)
def test_touching_beside_a_straight_edge_is_no_hit_whatever_the_division_rounds_to(touches: object) -> None:
    assert callable(touches)
    assert touches() is False


def test_the_length_of_a_rays_direction_does_not_make_a_tangent_a_hit() -> None:
    square = PolygonCollider([(-1, -1), (1, -1), (1, 1), (-1, 1)], 0.5)
    assert g.raycast(square, HERE, (1.5, -10), (0, 0.3)) is None
    assert g.raycast(CapsuleCollider(8.0, 2.5), HERE, (-6.5, -30.3), (0, 1.7)) is None


def test_overlapping_halves_win_over_touching_ones_for_the_common_point() -> None:
    one = FanCollider(8034786.575418763, 3.141592654589793)
    other = FanCollider(1983925.6517664662, 4.708577609327507, -3.580756231529456, 0.0, 4017393.2877093814)
    there = Transform(-4017393.2877093814, 4.919887830709355e-10, -math.pi / 2)
    distance, point, again = g.closest_points(one, Transform(0, 0, math.pi), other, there)
    assert distance == 0.0
    assert point == again


def test_distances_are_never_a_negative_zero() -> None:
    hit = g.raycast(FanCollider(1, 5), HERE, (0, 0), (0.1, 0.3))
    assert hit is not None
    assert math.copysign(1.0, hit.distance) == 1.0
    distance, _, _ = g.closest_points(CircleCollider(1), HERE, CircleCollider(1), Transform(2, 0))
    assert math.copysign(1.0, distance) == 1.0
