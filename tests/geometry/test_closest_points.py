"""Distance and closest points of all pairs: as far apart as the oracle says, on the shapes, or common to both."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracles.poses import COLLIDERS, PAIRS, TRANSFORMS
from oracles.support_functions import deepest_overlap, distance_from, offset, parts_of, size_of

from ecsphys.components.collision.colliders import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    FanCollider,
    OBBCollider,
    PolygonCollider,
)
from ecsphys.components.motion.transform import Transform
from ecsphys.geometry.queries import closest_points, contact

ACCURACY = 1e-9


@pytest.mark.parametrize(("kind_a", "kind_b"), PAIRS)
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_distance_and_points(kind_a: str, kind_b: str, data: st.DataObject) -> None:
    a, at = data.draw(COLLIDERS[kind_a]), data.draw(TRANSFORMS)
    b, bt = data.draw(COLLIDERS[kind_b]), data.draw(TRANSFORMS)
    spread = data.draw(st.sampled_from([0.3, 1.0, 2.0]))  # from mostly overlapping to mostly apart
    at.x, at.y, bt.x, bt.y = spread * at.x, spread * at.y, spread * bt.x, spread * bt.y
    parts_a, parts_b = parts_of(a, at), [part.moved(*offset(at, bt)) for part in parts_of(b, bt)]
    tolerance = ACCURACY * (size_of(a, at) + size_of(b, bt) + math.hypot(*offset(at, bt)))
    expected = max(0.0, -deepest_overlap(parts_a, parts_b))
    distance, point_a, point_b = closest_points(a, at, b, bt)

    assert distance == pytest.approx(expected, abs=tolerance)
    assert math.dist(point_a, point_b) == pytest.approx(distance, abs=tolerance)
    if distance == 0.0:
        assert math.dist(point_a, point_b) <= tolerance
    assert distance_from(parts_a, point_a[0] - at.x, point_a[1] - at.y) <= tolerance
    assert distance_from(parts_b, point_b[0] - at.x, point_b[1] - at.y) <= tolerance
    swapped = closest_points(b, bt, a, at)
    assert swapped == (distance, point_b, point_a)


def at(x: float, y: float = 0.0, angle: float = 0.0) -> Transform:
    return Transform(x, y, angle)


def points(*args: Any) -> Any:
    """``closest_points`` without its type, to be compared with approximations."""
    return closest_points(*args)


def test_known_distances() -> None:
    assert points(CircleCollider(1.0), at(0.0), CircleCollider(2.0), at(6.0, 8.0)) == (
        pytest.approx(7.0),
        pytest.approx((0.6, 0.8)),
        pytest.approx((4.8, 6.4)),
    )
    assert points(AABBCollider(1.0, 1.0), at(0.0), AABBCollider(1.0, 1.0), at(5.0, 6.0)) == (
        5.0,
        (1.0, 1.0),
        (4.0, 5.0),
    )
    assert points(CapsuleCollider(2.0, 0.5), at(0.0), CapsuleCollider(2.0, 0.5), at(0.0, 3.0, math.pi / 2)) == (
        pytest.approx(1.0),
        pytest.approx((0.0, 0.5)),
        pytest.approx((0.0, 1.5)),
    )
    triangle = PolygonCollider([(0.0, 0.0), (2.0, 0.0), (0.0, 2.0)])
    assert points(triangle, at(0.0), CircleCollider(1.0), at(3.0, 3.0)) == (
        pytest.approx(2.0 * math.sqrt(2.0) - 1.0),
        pytest.approx((1.0, 1.0)),
        pytest.approx((3.0 - math.sqrt(0.5), 3.0 - math.sqrt(0.5))),
    )


def test_the_mouth_of_a_wide_fan_is_empty() -> None:
    fan = FanCollider(2.0, 1.5 * math.pi)  # the gap points left
    distance, point_a, point_b = closest_points(fan, at(0.0), CircleCollider(0.1), at(-1.0, 0.0))
    assert distance == pytest.approx(math.sqrt(0.5) - 0.1)
    assert abs(point_a[1]) == pytest.approx(0.5)
    assert math.dist(point_b, (-1.0, 0.0)) == pytest.approx(0.1)


def test_a_common_point_of_two_discs_sectors_whose_lens_is_their_only_overlap() -> None:
    # The arcs cross between the two apexes, each outside of the other's disc.
    left, right = FanCollider(1.0, 0.5), FanCollider(1.0, 0.5, math.pi)
    distance, point, again = closest_points(left, at(0.0), right, at(1.999))
    assert distance == 0.0
    assert point == again
    assert math.dist(point, (0.0, 0.0)) <= 1.0 + 1e-12
    assert math.dist(point, (1.999, 0.0)) <= 1.0 + 1e-12


def test_a_thin_overlap_has_a_common_point() -> None:
    plate = OBBCollider(1e-6, 5.0, angle=0.3)
    needle = CapsuleCollider(10.0, 1e-7, angle=-1.0)
    distance, point, again = closest_points(plate, at(100.0, 50.0), needle, at(100.1, 50.2))
    assert distance == 0.0
    assert point == again
    for collider, transform in ((plate, at(100.0, 50.0)), (needle, at(100.1, 50.2))):
        parts = parts_of(collider, transform)
        assert distance_from(parts, point[0] - transform.x, point[1] - transform.y) <= 1e-9


def test_large_ratios() -> None:
    floor = AABBCollider(1e9, 1.0)
    distance, point_a, point_b = closest_points(floor, at(0.0, -1.0), CircleCollider(1e-3), at(5.0, 2e-3))
    assert distance == pytest.approx(1e-3, rel=1e-9)
    assert point_a == pytest.approx((5.0, 0.0), abs=1e-15)
    assert point_b == pytest.approx((5.0, 1e-3), rel=1e-12)


def test_the_common_point_of_a_capsule_that_just_reaches_a_fan_in_line_with_it() -> None:
    # Its core's end is 1e-11 inside the fan's arc; the fan's apex is on the core's line, but beyond its end.
    for k in range(64):
        angle = k * math.pi / 32
        capsule, fan = CapsuleCollider(1.5, 1e-6), FanCollider(0.06, math.pi / 4, math.pi)
        here = at(0.0, 0.0, angle)
        way = 0.75 + 0.06 - 1e-11
        there = at(way * math.cos(angle), way * math.sin(angle), angle)
        distance, point, again = closest_points(capsule, here, fan, there)
        assert distance == 0.0
        assert point == again
        for collider, transform in ((capsule, here), (fan, there)):
            parts = parts_of(collider, transform)
            assert distance_from(parts, point[0] - transform.x, point[1] - transform.y) <= 1e-9


@pytest.mark.parametrize(
    ("a", "at_a", "needle", "at_needle"),
    [
        (
            FanCollider(0.0804959030371317, 0.001),
            at(2.1493535493418117, -2.252131120797646, 3.926990816987242),
            FanCollider(2.0, 1e-9, 0.0, 0.8086408249338859, -0.826674197374546),
            at(3.2487766920988417, -2.321801839631593, 3.9269908169872405),
        ),
        (
            FanCollider(0.25, math.pi),
            at(-2.89468269913863, 0.7740356683473593, -3.534291735288517),
            FanCollider(2.439228182504363, 1e-9, 0.0, -0.22905974170135668, -0.7572133185726717),
            at(-3.627049181130559, 0.2577900078353076, -3.5342917352885173),
        ),
        (
            FanCollider(0.15648101668125947, 2.1717189720861834, -3.926990816987242),
            at(882.257074117127, 533.1930046503112),
            FanCollider(2.0, 1e-9, 0.0, 0.2755149139209576, -0.5791037332359583),
            at(882.7119100817582, 532.9320226759596, -2.356194490192346),
        ),
    ],
)
def test_the_common_point_of_a_fan_and_a_needle_is_not_past_the_needles_tip(
    a: FanCollider, at_a: Transform, needle: FanCollider, at_needle: Transform
) -> None:
    # 1e-8 past its tip a point is outside of both of the needle's edges by 1e-17 only.
    distance, point, again = closest_points(a, at_a, needle, at_needle)
    assert distance == 0.0
    assert point == again
    for collider, transform in ((a, at_a), (needle, at_needle)):
        parts = parts_of(collider, transform)
        assert distance_from(parts, point[0] - transform.x, point[1] - transform.y) <= 1e-9


def test_the_closest_points_of_a_fan_and_the_end_of_a_needle_in_its_corner_are_the_same() -> None:
    fan = FanCollider(0.25, 9.500354025492699e-05)
    needle = FanCollider(
        0.10827880398223143, 5.626965071928901e-09, 0.785398163397448, 0.2866439683612241, -0.8922996829568433
    )
    there = at(1.8791046828313185, -2.974325588311231, 3.1415926535897922)
    distance, point, other = closest_points(fan, there, needle, at(1.2658960379821285, -2.1586024571361064))
    assert distance <= 1e-15
    assert math.dist(point, other) <= 1e-14


def test_two_needles_end_to_end_overlap_by_what_their_ends_do() -> None:
    # Of the two corners at the end of one, as far from the other's apex but for rounding, one is towards its arc.
    a = FanCollider(0.6247490803312453, 3.2122320051882683e-09)
    b = FanCollider(0.2376149468685828, 1e-9, -3.141592653589793)
    at_a = at(646.4057068133402, -995.1734606728467, -1.9634954084936205)
    at_b = at(646.0756943866459, -995.970181146812, -1.963495408493622)
    overlap = deepest_overlap(parts_of(a, at_a), [part.moved(*offset(at_a, at_b)) for part in parts_of(b, at_b)])
    found = contact(a, at_a, b, at_b)
    assert found is not None
    assert found.depth == pytest.approx(overlap, abs=1e-14)
