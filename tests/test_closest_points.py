"""Distance and closest points of all pairs: as far apart as the oracle says, on the shapes, or common to both."""

from __future__ import annotations

import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracles.poses import COLLIDERS, TRANSFORMS
from oracles.support_functions import deepest_overlap, distance_from, offset, parts_of, size_of

from ecsphys.geometry.pair_queries import closest_points

ACCURACY = 1e-9


@pytest.mark.parametrize(("kind_a", "kind_b"), [(a, b) for a in COLLIDERS for b in COLLIDERS])
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
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
