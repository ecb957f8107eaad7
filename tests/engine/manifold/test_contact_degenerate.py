"""Contacts where geometry degenerates: touching, concentric, aligned, tiny, huge, far away."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracles.poses import COLLIDERS, PAIRS, TRANSFORMS

from ecsphys.components.collision.colliders import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    FanCollider,
    OBBCollider,
    PolygonCollider,
)
from ecsphys.components.motion.transform import Transform
from ecsphys.geometry.queries import Contact, closest_points, contact, overlaps

SQUARE = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]

# Colliders that reach exactly to x = 1 on the right of their position and to x = −1 on the left, at y = 0.
REACHING_ONE: list[Any] = [
    CircleCollider(1.0),
    AABBCollider(1.0, 0.5),
    OBBCollider(0.5, 1.0, angle=math.pi / 2),
    OBBCollider(math.sqrt(0.5), math.sqrt(0.5), angle=math.pi / 4),
    CapsuleCollider(1.0, 0.5),
    FanCollider(1.0, math.pi, math.pi / 2),
    FanCollider(1.0, 1.5 * math.pi, math.pi / 2),
    PolygonCollider(SQUARE),
    PolygonCollider([(0.5 * x, 0.5 * y) for x, y in SQUARE], 0.5),
]


def at(x: float, y: float = 0.0, angle: float = 0.0) -> Transform:
    return Transform(x, y, angle)


@pytest.mark.parametrize("a", REACHING_ONE, ids=repr)
@pytest.mark.parametrize("b", REACHING_ONE, ids=repr)
def test_touching_is_no_hit_and_a_little_closer_is_one(a: Any, b: Any) -> None:
    assert contact(a, at(0.0), b, at(2.0)) is None
    assert not overlaps(a, at(0.0), b, at(2.0))
    assert closest_points(a, at(0.0), b, at(2.0))[0] == pytest.approx(0.0, abs=1e-15)
    hit = contact(a, at(0.0), b, at(2.0 - 2.0**-30))
    assert hit is not None
    # Tip to tip, the way along an edge's normal at 45° is shorter.
    assert 0.7 * 2.0**-30 <= hit.depth <= 1.001 * 2.0**-30


def test_circles_touching_exactly_follow_the_squared_distance() -> None:
    # 3-4-5: both sides of C3's comparison are exact.
    assert contact(CircleCollider(2.0), at(0.0), CircleCollider(3.0), at(3.0, 4.0)) is None
    assert contact(CircleCollider(2.0), at(0.0), CircleCollider(3.0 + 2.0**-50), at(3.0, 4.0)) is not None


@pytest.mark.parametrize("a", REACHING_ONE, ids=repr)
@pytest.mark.parametrize("b", REACHING_ONE, ids=repr)
def test_concentric_shapes_have_a_fixed_finite_normal(a: Any, b: Any) -> None:
    hit = contact(a, at(5.0, 3.0), b, at(5.0, 3.0))
    assert hit is not None
    assert math.hypot(*hit.normal) == pytest.approx(1.0)
    assert np.isfinite(hit.points).all()
    assert hit == contact(a, at(5.0, 3.0), b, at(5.0, 3.0))


def test_the_documented_normals_of_concentric_shapes() -> None:
    circle = contact(CircleCollider(1.0), at(0.0), CircleCollider(2.0), at(0.0))
    assert circle == Contact((0.0, 1.0), 3.0, ((0.0, -0.5),))
    box = contact(CircleCollider(1.0), at(0.0), AABBCollider(3.0, 2.0), at(0.0))
    assert box is not None
    assert (abs(box.normal[0]), abs(box.normal[1]), box.depth) == (0.0, 1.0, 3.0)


def test_the_smaller_of_two_concentric_circles_is_the_one_that_goes_down() -> None:
    hit = contact(CircleCollider(2.0), at(0.0), CircleCollider(1.0), at(0.0))
    assert hit == Contact((0.0, -1.0), 3.0, ((0.0, -0.5),))
    equal = contact(CircleCollider(1.0), at(0.0), CircleCollider(1.0), at(0.0))
    assert equal == Contact((0.0, 1.0), 2.0, ((0.0, 0.0),))


def test_equal_polygons_in_one_place_have_one_normal_wherever_their_vertices_are_kept() -> None:
    one, other = PolygonCollider(SQUARE), PolygonCollider(SQUARE)
    hits = [contact(a, at(0.0), b, at(0.0)) for a, b in ((one, one), (one, other), (other, one))]
    assert hits[0] == hits[1] == hits[2]


def points_of(hit: Contact | None) -> list[tuple[float, float]]:
    assert hit is not None
    return sorted(hit.points)


def near(*points: tuple[float, float]) -> list[Any]:
    return [pytest.approx(point, abs=1e-12) for point in points]


def test_face_on_face_gives_two_points() -> None:
    floor = AABBCollider(5.0, 1.0)
    on_it = at(1.0, 1.9)
    assert points_of(contact(floor, at(0.0), AABBCollider(0.5, 1.0), on_it)) == near((0.5, 0.95), (1.5, 0.95))
    assert points_of(contact(floor, at(0.0), OBBCollider(1.0, 0.5), at(1.0, 1.9, math.pi / 2))) == near(
        (0.5, 0.95), (1.5, 0.95)
    )
    assert points_of(contact(floor, at(0.0), CapsuleCollider(2.0, 1.0), on_it)) == near((0.0, 0.95), (2.0, 0.95))
    assert points_of(contact(floor, at(0.0), PolygonCollider(SQUARE), on_it)) == near((0.0, 0.95), (2.0, 0.95))
    half_disc = FanCollider(1.0, math.pi, math.pi / 2)
    assert points_of(contact(floor, at(0.0), half_disc, at(1.0, 0.9))) == near((0.0, 0.95), (2.0, 0.95))
    # Half over the floor's end: the second point is where the floor ends.
    assert points_of(contact(floor, at(0.0), AABBCollider(1.0, 1.0), at(5.0, 1.9))) == near((4.0, 0.95), (5.0, 0.95))


def test_round_and_pointed_contacts_give_one_point() -> None:
    floor = AABBCollider(5.0, 1.0)
    assert points_of(contact(floor, at(0.0), CircleCollider(1.0), at(1.0, 1.9))) == near((1.0, 0.95))
    diamond = OBBCollider(1.0, 1.0, angle=math.pi / 4)
    assert points_of(contact(floor, at(0.0), diamond, at(1.0, 0.9 + math.sqrt(2.0)))) == near((1.0, 0.95))
    upright = CapsuleCollider(2.0, 1.0, angle=math.pi / 2)
    assert points_of(contact(floor, at(0.0), upright, at(1.0, 2.9))) == near((1.0, 0.95))
    arc = FanCollider(1.0, 1.0, -math.pi / 2)
    assert points_of(contact(floor, at(0.0), arc, at(1.0, 1.9))) == near((1.0, 0.95))


def test_parallel_capsules_touch_along_their_common_length() -> None:
    hit = contact(CapsuleCollider(4.0, 0.5), at(0.0), CapsuleCollider(2.0, 0.5), at(1.5, 0.9))
    assert hit is not None
    assert hit.normal == pytest.approx((0.0, 1.0))
    assert hit.depth == pytest.approx(0.1)
    assert sorted(hit.points) == near((0.5, 0.45), (2.0, 0.45))


def test_capsules_in_line_part_along_their_axis() -> None:
    hit = contact(CapsuleCollider(2.0, 0.5), at(0.0), CapsuleCollider(2.0, 0.5), at(2.9))
    assert hit is not None
    assert hit.normal == pytest.approx((1.0, 0.0))
    assert hit.depth == pytest.approx(0.1)


def test_crossing_capsules_part_across_one_of_them() -> None:
    hit = contact(CapsuleCollider(4.0, 0.25), at(0.0), CapsuleCollider(4.0, 0.25), at(0.0, 1.0, math.pi / 2))
    assert hit is not None
    assert hit.normal == pytest.approx((0.0, 1.0), abs=1e-12)
    assert hit.depth == pytest.approx(1.5)


def test_a_circle_centred_on_a_capsules_core_leaves_sideways() -> None:
    for angle in (0.0, 0.3, 2.0):
        hit = contact(
            CircleCollider(0.5),
            at(0.7 * math.cos(angle), 0.7 * math.sin(angle)),
            CapsuleCollider(4.0, 1.0),
            at(0.0, 0.0, angle),
        )
        assert hit is not None
        assert hit.depth == pytest.approx(1.5)
        assert abs(hit.normal[0] * math.cos(angle) + hit.normal[1] * math.sin(angle)) < 1e-12


def test_a_thin_plate_inside_a_box_leaves_the_short_way() -> None:
    hit = contact(AABBCollider(10.0, 10.0), at(0.0), AABBCollider(0.001, 5.0), at(9.0))
    assert hit is not None
    assert hit.normal == (1.0, 0.0)
    assert hit.depth == pytest.approx(1.001)


@pytest.mark.parametrize(("kind_a", "kind_b"), PAIRS)
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), far=st.sampled_from([1e6, -1e9, 1e12]), steps=st.tuples(*[st.integers(-3000, 3000)] * 4))
def test_far_positions_cost_no_precision(
    kind_a: str, kind_b: str, data: st.DataObject, far: float, steps: tuple[int, int, int, int]
) -> None:
    a, b = data.draw(COLLIDERS[kind_a]), data.draw(COLLIDERS[kind_b])
    angle_a, angle_b = data.draw(TRANSFORMS).angle, data.draw(TRANSFORMS).angle
    ax, ay, bx, by = (step / 1024 for step in steps)  # exact at every distance used
    here = contact(a, Transform(ax, ay, angle_a), b, Transform(bx, by, angle_b))
    there = contact(a, Transform(ax + far, ay - far, angle_a), b, Transform(bx + far, by - far, angle_b))
    if here is None or there is None:
        assert here is there
        return
    assert (here.normal, here.depth) == (there.normal, there.depth)
    shift = np.array(there.points) - np.array(here.points)
    assert shift == pytest.approx(np.tile([far, -far], (len(here.points), 1)), rel=1e-15)


SCALES = st.sampled_from([2.0**-1000, 2.0**-200, 2.0**-30, 2.0**30, 2.0**200, 2.0**900])


def scaled(collider: Any, scale: float) -> Any:
    x, y = scale * collider.offset_x, scale * collider.offset_y
    if isinstance(collider, CircleCollider):
        return CircleCollider(scale * collider.radius, x, y)
    if isinstance(collider, AABBCollider):
        return AABBCollider(scale * collider.half_width, scale * collider.half_height, x, y)
    if isinstance(collider, OBBCollider):
        return OBBCollider(scale * collider.half_width, scale * collider.half_height, x, y, collider.angle)
    if isinstance(collider, CapsuleCollider):
        return CapsuleCollider(scale * collider.length, scale * collider.radius, x, y, collider.angle)
    return FanCollider(scale * collider.radius, collider.spread, collider.direction, x, y)


@pytest.mark.parametrize(("kind_a", "kind_b"), [pair for pair in PAIRS if "polygon" not in pair])
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), scale=SCALES)
def test_results_scale_with_the_shapes(kind_a: str, kind_b: str, data: st.DataObject, scale: float) -> None:
    a, b = data.draw(COLLIDERS[kind_a]), data.draw(COLLIDERS[kind_b])
    ta, tb = data.draw(TRANSFORMS), data.draw(TRANSFORMS)
    sa, sb = (Transform(scale * t.x, scale * t.y, t.angle) for t in (ta, tb))
    plain, large = contact(a, ta, b, tb), contact(scaled(a, scale), sa, scaled(b, scale), sb)
    if plain is None or large is None:
        assert plain is large
    else:
        # Not the normals: an offset that underflows no longer breaks the tie of two.
        assert large.depth == pytest.approx(scale * plain.depth, rel=1e-12)
    distance, *_ = closest_points(a, ta, b, tb)
    large_distance, *_ = closest_points(scaled(a, scale), sa, scaled(b, scale), sb)
    assert large_distance == pytest.approx(scale * distance, rel=1e-9, abs=1e-15 * scale)


def test_a_bullet_on_a_floor_a_trillion_times_its_size() -> None:
    floor = AABBCollider(1e9, 1.0)
    for x in (0.0, 12345.678, 9e8):
        hit = contact(floor, at(0.0), CircleCollider(1e-3), at(x, 1.0005))
        assert hit is not None
        assert hit.normal == (0.0, 1.0)
        assert hit.depth == pytest.approx(0.5e-3, rel=1e-9)
        assert contact(floor, at(0.0), AABBCollider(1e-3, 1e-3), at(x, 1.002)) is None


def test_distances_do_not_overflow() -> None:
    ball = CircleCollider(1.0)
    assert closest_points(ball, at(-8e307), ball, at(8e307))[0] == pytest.approx(1.6e308)
    assert closest_points(AABBCollider(1.0, 1.0), at(1e200, 1e200), ball, at(0.0))[0] == pytest.approx(
        math.sqrt(2.0) * 1e200
    )
    assert contact(ball, at(-1.7e308), ball, at(1.7e308)) is None
    assert closest_points(ball, at(-1.7e308), ball, at(1.7e308))[0] == math.inf


def test_a_sliver_of_a_fan_is_a_needle() -> None:
    needle = FanCollider(10.0, 1e-9)
    hit = contact(needle, at(0.0), CircleCollider(1.0), at(5.0, 0.4))
    assert hit is not None
    assert hit.depth == pytest.approx(0.6, abs=1e-8)
    assert hit.normal == pytest.approx((0.0, 1.0), abs=1e-8)
    assert contact(needle, at(0.0), CircleCollider(1.0), at(5.0, 1.0 + 1e-8)) is None
    assert contact(needle, at(0.0), CircleCollider(1.0), at(11.0 - 1e-9)) is not None
    assert contact(needle, at(0.0), CircleCollider(1.0), at(11.0 + 1e-9)) is None
