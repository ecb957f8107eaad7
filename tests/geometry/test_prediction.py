"""Contacts of shapes that are nearly touching: a margin asked for finds them, and changes no overlap."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracles.poses import COLLIDERS, TRANSFORMS
from oracles.support_functions import distance_from, offset, parts_of, size_of

from ecsphys import AABBCollider, CircleCollider, OBBCollider, Transform
from ecsphys.geometry import closest_points, contact

ACCURACY = 1e-9
PAIRS = [(a, b) for a in COLLIDERS for b in COLLIDERS]


@pytest.mark.parametrize(("kind_a", "kind_b"), PAIRS)
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_margin_finds_what_is_nearer_than_it_and_changes_no_overlap(kind_a: str, kind_b: str, data: Any) -> None:
    a, at, b, bt = data.draw(st.tuples(COLLIDERS[kind_a], TRANSFORMS, COLLIDERS[kind_b], TRANSFORMS))
    margin = data.draw(st.sampled_from([0.01, 0.5, 4.0]))
    tolerance = ACCURACY * (size_of(a, at) + size_of(b, bt))
    overlap, near = contact(a, at, b, bt), contact(a, at, b, bt, prediction=margin)
    other = contact(b, bt, a, at, prediction=margin)
    assert (near is None) == (other is None)
    if overlap is not None:
        assert near is not None
        assert (near.depth, near.normal, near.points[0]) == (overlap.depth, overlap.normal, overlap.points[0])
        assert near.points[: len(overlap.points)] == overlap.points
        return
    distance, point_a, point_b = closest_points(a, at, b, bt)
    if near is None:
        assert distance >= margin - tolerance
        return
    assert distance <= margin + tolerance
    assert near.depth <= 0.0
    assert near.depth == pytest.approx(-distance, abs=tolerance)
    assert other is not None
    assert (other.depth, other.points) == (near.depth, near.points)
    if distance > 1e-6:
        way = (point_b[0] - point_a[0]) / distance, (point_b[1] - point_a[1]) / distance
        assert near.normal == pytest.approx(way, abs=1e-6)
        assert other.normal == (0.0 - near.normal[0], 0.0 - near.normal[1])
    parts_a, parts_b = parts_of(a, at), [part.moved(*offset(at, bt)) for part in parts_of(b, bt)]
    for x, y in near.points:
        for parts in (parts_a, parts_b):
            assert distance_from(parts, x - at.x, y - at.y) <= 0.5 * margin + tolerance


def test_a_box_over_a_floor_has_both_corners_within_the_margin() -> None:
    floor, box = OBBCollider(5, 0.5), OBBCollider(0.5, 0.5)
    near = contact(floor, Transform(), box, Transform(1, 1.02), prediction=0.1)
    assert near is not None
    assert near.depth == pytest.approx(-0.02, abs=1e-12)
    assert near.normal == pytest.approx((0.0, 1.0))
    assert sorted(x for x, _ in near.points) == pytest.approx([0.5, 1.5])
    assert all(y == pytest.approx(0.51) for _, y in near.points)


def test_a_tilted_box_has_its_second_corner_only_within_the_margin() -> None:
    floor, box = OBBCollider(5, 0.5), OBBCollider(0.5, 0.5)
    tilted = Transform(0, 0.995, 0.02)  # one corner 0.015 in, the other 0.005 above
    assert len(contact(floor, Transform(), box, tilted).points) == 1  # type: ignore[union-attr]
    assert len(contact(floor, Transform(), box, tilted, prediction=0.01).points) == 2  # type: ignore[union-attr]


def test_the_margin_itself_is_too_far() -> None:
    assert contact(CircleCollider(1), Transform(), CircleCollider(1), Transform(2.5, 0), prediction=0.5) is None
    assert contact(AABBCollider(1, 1), Transform(), AABBCollider(1, 1), Transform(0, 2.5), prediction=0.5) is None


@pytest.mark.parametrize("margin", [-1e-9, float("nan"), float("inf")])
def test_a_margin_that_is_none_is_refused(margin: float) -> None:
    with pytest.raises(ValueError, match="prediction"):
        contact(CircleCollider(1), Transform(), CircleCollider(1), Transform(), prediction=margin)
