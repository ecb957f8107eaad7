"""Points, projections and rays at sizes whose squares leave float64's range: as at size 1, in worlds and without."""

from __future__ import annotations

import math
from collections.abc import Iterator

import esper
import pytest

from ecsphys import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    Collider,
    FanCollider,
    OBBCollider,
    Physics,
    PolygonCollider,
    Transform,
    geometry,
)

# Powers of two: scaling by one rounds nothing, so that all must agree to the last bit.
SCALES = [2.0**-1000, 2.0**-520, 2.0**-470, 2.0**230, 2.0**470, 2.0**520, 2.0**1000]
POINTS = [(0.0, 0.0), (0.3, 0.1), (0.9, -0.2), (1.1, 1.2), (-0.5, 0.4), (-3.0, 2.0), (2.5, 0.0), (0.2, -7.0)]


def colliders(s: float) -> list[Collider]:
    return [
        CircleCollider(s),
        AABBCollider(s, 0.5 * s),
        OBBCollider(s, 0.5 * s, 0.0, 0.25 * s, 0.5),
        CapsuleCollider(s, 0.5 * s, angle=1.0),
        FanCollider(1.5 * s, 2.0, 0.5),
        FanCollider(s, 5.0, 1.0, 0.25 * s, 0.0),
        PolygonCollider([(-s, -s), (s, -s), (0.0, s)]),
        PolygonCollider([(-s, -s), (s, -s), (0.0, s)], 0.25 * s, 0.5 * s, 0.0, 2.0),
    ]


def scaled(point: tuple[float, float], scale: float) -> tuple[float, float]:
    return scale * point[0], scale * point[1]


@pytest.fixture
def physics() -> Iterator[Physics]:
    esper.switch_world("extreme")
    yield Physics()
    esper.switch_world("default")
    esper.delete_world("extreme")


@pytest.mark.parametrize("scale", SCALES)
def test_geometry_at_any_scale_is_that_at_scale_one(scale: float) -> None:
    here, there = Transform(0.5, -0.25, 0.3), Transform(0.5 * scale, -0.25 * scale, 0.3)
    for plain, extreme in zip(colliders(1.0), colliders(scale), strict=True):
        for point in POINTS:
            far = scaled(point, scale)
            assert geometry.contains(extreme, there, far) == geometry.contains(plain, here, point)
            for solid in (True, False):
                nearest, distance = geometry.project_point(plain, here, point, solid)
                assert geometry.project_point(extreme, there, far, solid) == (scaled(nearest, scale), scale * distance)
            for direction in ((1.0, 0.0), (-0.3, 0.7)):
                one = geometry.raycast(plain, here, point, direction)
                other = geometry.raycast(extreme, there, far, direction)
                if one is None or other is None:
                    assert one is other
                else:
                    assert other.distance == scale * one.distance
                    assert other.point == scaled(one.point, scale)
                    assert other.normal == one.normal


@pytest.mark.parametrize("scale", SCALES)
def test_queries_of_a_world_at_any_scale_are_those_of_geometry(scale: float, physics: Physics) -> None:
    there = Transform(0.5 * scale, -0.25 * scale, 0.3)
    for collider in colliders(scale):
        entity = esper.create_entity(there, collider)
        for point in POINTS:
            far = scaled(point, scale)
            assert bool(physics.query_point(far)) == geometry.contains(collider, there, far)
            (found,) = physics.nearest(far)
            assert found.distance == pytest.approx(geometry.project_point(collider, there, far)[1], rel=1e-12)
            for direction in ((1.0, 0.0), (-0.3, 0.7)):
                hit, expected = physics.raycast(far, direction), geometry.raycast(collider, there, far, direction)
                assert (hit is None) == (expected is None)
                if hit is not None and expected is not None:
                    assert hit.distance == pytest.approx(expected.distance, rel=1e-12)
                    assert hit.normal == pytest.approx(expected.normal, rel=1e-12)
        esper.delete_entity(entity, immediate=True)


def test_a_point_at_the_end_of_the_range_and_an_ordinary_shape() -> None:
    for collider in colliders(1.0):
        for far in (1e150, 1e200, 1e300):
            assert not geometry.contains(collider, Transform(), (far, -far))
            (x, y), distance = geometry.project_point(collider, Transform(), (far, 0.0))
            assert distance == pytest.approx(far)
            assert math.hypot(x, y) < 4.0
            assert geometry.project_point(collider, Transform(), (x, y), solid=False)[1] == pytest.approx(0.0, abs=1e-9)
            hit = geometry.raycast(collider, Transform(), (far, 0.1), (-1.0, 0.0))
            assert hit is not None
            assert hit.distance == pytest.approx(far)
