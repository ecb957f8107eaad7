"""Casts of all pairs: stepping finely along the way meets nothing before the impact, and touches there."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracles.poses import COLLIDERS, TRANSFORMS
from oracles.support_functions import deepest_overlap, distance_from, offset, overlap_along, parts_of, size_of
from placed import place

from ecsphys.components.collision.colliders import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    Collider,
    FanCollider,
    OBBCollider,
    PolygonCollider,
    shape_arrays,
)
from ecsphys.components.motion.transform import Transform
from ecsphys.engine.geometry.closest_points import find_closest_points
from ecsphys.engine.geometry.shape_cast import CastImpacts, cast_shapes
from ecsphys.geometry import closest_points

ACCURACY = 1e-9
STEPS = 48


class Impact(NamedTuple):
    fraction: float
    gap: float
    normal: tuple[float, float]
    point: tuple[float, float]


def cast(a: Collider, at: Transform, b: Collider, bt: Transform, displacement: tuple[float, float]) -> Impact:
    placed = place((a, at), (b, bt))
    fraction, gap = np.full(1, np.nan), np.full(1, np.nan)
    normal, point = np.full((1, 2), np.nan), np.full((1, 2), np.nan)
    cast_shapes(
        np.array([[0, 1]]),
        *displacement,
        shape_arrays(placed),
        CastImpacts(fraction, gap, normal, point),
    )
    (nx, ny), (x, y) = normal[0].tolist(), point[0].tolist()
    return Impact(float(fraction[0]), float(gap[0]), (nx, ny), (x, y))


def along(transform: Transform, displacement: tuple[float, float], fraction: float) -> Transform:
    return Transform(
        transform.x + fraction * displacement[0], transform.y + fraction * displacement[1], transform.angle
    )


@pytest.mark.parametrize(("kind_a", "kind_b"), [(a, b) for a in COLLIDERS for b in COLLIDERS])
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_nothing_is_met_before_the_impact(kind_a: str, kind_b: str, data: st.DataObject) -> None:
    a, at = data.draw(COLLIDERS[kind_a]), data.draw(TRANSFORMS)
    b, bt = data.draw(COLLIDERS[kind_b]), data.draw(TRANSFORMS)
    spread = data.draw(st.sampled_from([1.0, 2.0, 4.0]))
    at.x, at.y, bt.x, bt.y = spread * at.x, spread * at.y, spread * bt.x, spread * bt.y
    # Mostly towards each other.
    aim = data.draw(st.sampled_from([0.5, 1.0, 3.0]))
    way = (
        aim * (bt.x - at.x) + data.draw(st.floats(-2.0, 2.0)),
        aim * (bt.y - at.y) + data.draw(st.floats(-2.0, 2.0)),
    )
    tolerance = ACCURACY * (size_of(a, at) + size_of(b, bt) + math.hypot(*way) + math.hypot(*offset(at, bt)))

    impact = cast(a, at, b, bt, way)
    distance, _, _ = closest_points(a, at, b, bt)
    assert max(impact.gap, 0.0) == pytest.approx(distance, abs=tolerance)
    if impact.gap <= tolerance:
        # Of a wide fan, each half counts for itself.
        assert impact.fraction in (0.0, math.inf) or impact.gap > 0.0 or "wide fan" in (kind_a, kind_b)
        return
    end = min(impact.fraction, 1.0)
    parts_b = parts_of(b, bt)
    path = [along(at, way, end * step / STEPS) for step in range(STEPS)]
    shapes = shape_arrays(place((b, bt), *((a, moved) for moved in path)))
    for number, moved in enumerate(path, start=1):
        if find_closest_points(number, 0, shapes)[0] == 0.0:  # by rounding only
            parts_a = [part.moved(*offset(bt, moved)) for part in parts_of(a, moved)]
            assert deepest_overlap(parts_a, parts_b) <= tolerance
    if impact.fraction <= 1.0:
        moved = along(at, way, impact.fraction)
        parts_a = [part.moved(*offset(bt, moved)) for part in parts_of(a, moved)]
        assert math.hypot(*impact.normal) == pytest.approx(1.0)
        assert impact.normal[0] * way[0] + impact.normal[1] * way[1] > 0.0
        x, y = impact.point[0] - bt.x, impact.point[1] - bt.y
        assert distance_from(parts_a, x, y) <= tolerance
        assert distance_from(parts_b, x, y) <= tolerance
        if len(parts_a) == len(parts_b) == 1:
            assert abs(overlap_along(parts_a, parts_b, *impact.normal)) <= tolerance


def test_known_impacts() -> None:
    impact = cast(CircleCollider(1.0), Transform(0, 0), CircleCollider(1.0), Transform(5, 0), (10.0, 0.0))
    assert impact == (0.3, 3.0, (1.0, 0.0), (4.0, 0.0))
    # Off centre by 1.2: the centres meet at a distance of 2, 1.6 along the way.
    impact = cast(CircleCollider(1.0), Transform(0, 0), CircleCollider(1.0), Transform(5, 1.2), (10.0, 0.0))
    assert impact.fraction == pytest.approx(0.34, abs=1e-13)
    assert impact.normal == pytest.approx((0.8, 0.6))
    assert impact.point == pytest.approx((4.2, 0.6))
    impact = cast(AABBCollider(1, 1), Transform(0, 0), OBBCollider(1, 1, angle=math.pi / 4), Transform(5, 0), (4, 0))
    assert impact.fraction == pytest.approx(1.0 - math.sqrt(2) / 4)
    assert impact.normal == (1.0, 0.0)
    assert impact.point == pytest.approx((5.0 - math.sqrt(2), 0.0))


def test_a_miss() -> None:
    ball, box = CircleCollider(1.0), AABBCollider(1.0, 1.0)
    assert cast(ball, Transform(0, 0), box, Transform(5, 2.001), (10, 0)).fraction == math.inf
    assert cast(ball, Transform(0, 0), box, Transform(5, 0), (2.9, 0)).fraction == math.inf
    assert cast(ball, Transform(0, 0), box, Transform(5, 0), (-10, 0)).fraction == math.inf
    assert cast(ball, Transform(0, 0), box, Transform(5, 0), (0, 0)).fraction == math.inf


def test_into_the_mouth_of_a_wide_fan() -> None:
    mouth = FanCollider(2.0, 1.5 * math.pi, direction=math.pi)  # open towards the right, 90° wide
    impact = cast(CircleCollider(0.5), Transform(5, 0.1), mouth, Transform(0, 0), (-10.0, 0.0))
    # It touches the upper edge, y = x, at a distance of 0.5: x − y = 0.5 √2.
    assert 5.0 - 10.0 * impact.fraction == pytest.approx(0.1 + 0.5 * math.sqrt(2))
    assert impact.normal == pytest.approx((-math.sqrt(0.5), math.sqrt(0.5)))


def test_touching_shapes_slide_and_leave_but_do_not_enter() -> None:
    box = AABBCollider(1.0, 1.0)
    for way, fraction in (((5, 0), math.inf), ((5, 1), math.inf), ((0, 3), math.inf), ((5, -1), 0.0), ((0, -1), 0.0)):
        impact = cast(box, Transform(0.5, 2), box, Transform(0, 0), way)
        assert (impact.fraction, impact.gap) == (fraction, 0.0)
    overlapping = cast(box, Transform(0.5, 1.75), box, Transform(0, 0), (0, -1))
    assert (overlapping.fraction, overlapping.gap, overlapping.normal) == (0.0, -0.25, (0.0, -1.0))
    assert cast(box, Transform(0.5, 1.75), box, Transform(0, 0), (1, 0)).fraction == math.inf


@pytest.mark.parametrize("sizes", [1e3, 1e6, 1e9])
def test_a_thin_wall_is_met_from_far_away(sizes: float) -> None:
    wall = OBBCollider(1e-3, 5.0, angle=0.3)
    for mover in (
        CircleCollider(1.0),
        AABBCollider(1.0, 1.0),
        CapsuleCollider(1.0, 0.5, angle=1.0),
        FanCollider(1.0, 5.0),
        PolygonCollider([(0, 0), (1, 0), (0, 1)], radius=0.1),
    ):
        impact = cast(mover, Transform(-0.3 * sizes, 0.0), wall, Transform(0, 0), (sizes, 0.0))
        assert 0.29 < impact.fraction < 0.3
        at = Transform(-0.3 * sizes + impact.fraction * sizes, 0.0)
        assert closest_points(mover, at, wall, Transform(0, 0))[0] == pytest.approx(0.0, abs=1e-13 * sizes)


def test_far_from_the_origin() -> None:
    far = 1e8
    impact = cast(CircleCollider(1.0), Transform(far, far), AABBCollider(1, 1), Transform(far + 5, far), (4.0, 0.0))
    assert impact.fraction == 0.75
    assert impact.point == (far + 4.0, far)


@pytest.mark.parametrize("scale", [1e-150, 1e-30, 1e30, 1e150])
def test_any_scale(scale: float) -> None:
    impact = cast(
        CapsuleCollider(scale, scale),
        Transform(0, 0),
        CircleCollider(scale),
        Transform(5.5 * scale, 0),
        (6.0 * scale, 0.0),
    )
    assert impact.fraction == pytest.approx(0.5)
    assert impact.gap == pytest.approx(3.0 * scale)
    assert impact.normal == (1.0, 0.0)


def test_many_pairs_at_once() -> None:
    ball = CircleCollider(0.5)
    placed = place(*((ball, Transform(3.0 * k, 0.0)) for k in range(10)))
    pairs = np.array([(0, k) for k in range(1, 10)] + [(5, 4)])
    fraction, gap = np.empty(10), np.empty(10)
    normal, point = np.empty((10, 2)), np.empty((10, 2))
    cast_shapes(pairs, 20.0, 0.0, shape_arrays(placed), CastImpacts(fraction, gap, normal, point))
    expected = [(3.0 * k - 1.0) / 20.0 if 3.0 * k - 1.0 <= 20.0 else math.inf for k in range(1, 10)]
    assert fraction.tolist() == pytest.approx([*expected, math.inf])
    assert gap.tolist() == pytest.approx([3.0 * k - 1.0 for k in range(1, 10)] + [2.0])
