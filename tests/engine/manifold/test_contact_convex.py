"""Contacts of all convex pairs: exact depth and normal, points midway, the same in both orders."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracles.poses import COLLIDERS, CONVEX_PAIRS, PAIRS, TRANSFORMS
from oracles.support_functions import (
    distance_from,
    least_overlap,
    offset,
    overlap_along,
    parts_of,
    size_of,
)

from ecsphys.geometry.queries import contact, overlaps

# Relative to the shapes' size: what the contract promises, and the oracle's own error.
ACCURACY = 1e-9


def cases(a: str, b: str) -> Any:
    return st.tuples(COLLIDERS[a], TRANSFORMS, COLLIDERS[b], TRANSFORMS)


@pytest.mark.parametrize(("kind_a", "kind_b"), CONVEX_PAIRS)
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_depth_is_the_shortest_way_apart(kind_a: str, kind_b: str, data: st.DataObject) -> None:
    a, at, b, bt = data.draw(cases(kind_a, kind_b))
    parts_a, parts_b = parts_of(a, at), [part.moved(*offset(at, bt)) for part in parts_of(b, bt)]
    tolerance = ACCURACY * (size_of(a, at) + size_of(b, bt))
    expected, _ = least_overlap(parts_a[0], parts_b[0])
    hit = contact(a, at, b, bt)

    assert overlaps(a, at, b, bt) == (hit is not None)
    if hit is None:
        assert expected <= tolerance
        return
    assert hit.depth > 0.0
    assert hit.depth == pytest.approx(expected, abs=tolerance)
    assert np.hypot(*hit.normal) == pytest.approx(1.0, abs=1e-12)
    assert overlap_along(parts_a, parts_b, *hit.normal) == pytest.approx(hit.depth, abs=tolerance)

    assert 1 <= len(hit.points) <= 2
    reach = parts_a[0].support(np.array([np.arctan2(hit.normal[1], hit.normal[0])]))[0]
    for k, (x, y) in enumerate(hit.points):
        x, y = x - at.x, y - at.y
        along = x * hit.normal[0] + y * hit.normal[1]
        assert reach - hit.depth - tolerance <= along <= reach + tolerance
        if k == 0:
            # The first point is where both are deepest: half the depth from either surface.
            half = 0.5 * hit.depth
            assert along == pytest.approx(reach - half, abs=tolerance)
            assert distance_from(parts_a, x + half * hit.normal[0], y + half * hit.normal[1]) <= 2 * tolerance
            assert distance_from(parts_b, x - half * hit.normal[0], y - half * hit.normal[1]) <= 2 * tolerance


@pytest.mark.parametrize(("kind_a", "kind_b"), PAIRS)
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_both_orders_agree_to_the_last_bit(kind_a: str, kind_b: str, data: st.DataObject) -> None:
    a, at, b, bt = data.draw(cases(kind_a, kind_b))
    one, other = contact(a, at, b, bt), contact(b, bt, a, at)
    if one is None or other is None:
        assert one is other
        return
    assert one.depth == other.depth
    assert one.points == other.points
    if one.normal == other.normal:
        # Equal shapes in one place: nothing tells a from b, and the normal is the fixed one in both orders.
        assert np.allclose(offset(at, bt), 0.0)
        for part_a, part_b in zip(parts_of(a, at), parts_of(b, bt), strict=True):
            assert np.allclose(part_a.vertices, part_b.vertices)
        return
    assert one.normal == (-other.normal[0], -other.normal[1])
