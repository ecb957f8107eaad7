"""Points of contacts that are looked for farther than shapes overlap, as a solver does."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy import float64
from numpy.typing import NDArray
from oracles.poses import COLLIDERS, TRANSFORMS
from oracles.support_functions import size_of
from placed import place

from ecsphys.components.collision.colliders import Collider, FanCollider, OBBCollider
from ecsphys.components.collision.polygon_collider import VERTEX_POOL
from ecsphys.components.motion.transform import Transform
from ecsphys.engine.manifold.contact import (
    CONTACT_COLUMNS,
    DEPTH,
    POINT_COLUMNS,
    POINT_COUNT,
    POINTS,
    SEPARATIONS,
    ContactRows,
    find_contacts,
)
from ecsphys.engine.shapes.layout import ShapeArrays


def near_contact(
    a: Collider, at: Transform, b: Collider, bt: Transform, prediction: float
) -> tuple[float, NDArray[float64], NDArray[float64]] | None:
    """The depth, the points (n, 2) and the separations there (n,)."""
    placed = place((a, at), (b, bt))
    shapes = ShapeArrays(placed.forms, placed.positions, placed.shapes, VERTEX_POOL.data)
    room = ContactRows(np.zeros((1, 2), np.int32), np.zeros((1, CONTACT_COLUMNS)), np.zeros((1, POINT_COLUMNS)))
    if not find_contacts(np.array([(0, 1)], np.int32), shapes, prediction, room, 0):
        return None
    row, count = room.rows[0], int(room.rows[0, POINT_COUNT])
    points = row[POINTS:].reshape(2, 2)[:count]
    return float(row[DEPTH]), points, room.points[0, SEPARATIONS : SEPARATIONS + count]


@pytest.mark.parametrize("prediction", [0.02, 2.0])
@pytest.mark.parametrize("kind_b", COLLIDERS)
@pytest.mark.parametrize("kind_a", COLLIDERS)
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_one_point_is_as_deep_as_the_contact(kind_a: str, kind_b: str, prediction: float, data: st.DataObject) -> None:
    a, at = data.draw(COLLIDERS[kind_a]), data.draw(TRANSFORMS)
    b, bt = data.draw(COLLIDERS[kind_b]), data.draw(TRANSFORMS)
    found = near_contact(a, at, b, bt, prediction)
    if found is not None:
        depth, _, separations = found
        assert separations.min() == pytest.approx(-depth, abs=1e-9 * (size_of(a, at) + size_of(b, bt)))


def test_the_tip_of_a_wide_fan_in_a_box_is_a_point_though_edges_beside_it_are_near() -> None:
    fan, box = FanCollider(0.6, 3.3424393279576194), OBBCollider(0.5, 0.1)
    at, bt = Transform(0.0, 0.0, -3.086886957), Transform(0.428408210, 0.614101888, 3.095595372)
    alone = near_contact(fan, at, box, bt, 0.0)
    assert alone is not None
    depth, points, separations = alone
    for prediction in (0.02, 0.5, 2.0):
        near = near_contact(fan, at, box, bt, prediction)
        assert near is not None
        assert near[0] == depth
        assert near[1][0] == pytest.approx(points[0])
        assert near[2][0] == separations[0] == pytest.approx(-depth)


def test_a_fan_stands_on_both_tips_of_its_mouth_however_far_contacts_are_looked_for() -> None:
    floor, fan, tip = OBBCollider(5.0, 1.0), FanCollider(1.0, 1.5 * math.pi, math.pi / 2), math.sqrt(0.5)
    for prediction in (0.02, 2.0):
        for tilt in (0.0, 0.01, -0.01):
            found = near_contact(floor, Transform(0.0, -1.0), fan, Transform(0.3, tip - 0.02, tilt), prediction)
            assert found is not None
            _, points, separations = found
            assert sorted(points[:, 0]) == pytest.approx([0.3 - tip, 0.3 + tip], abs=0.02)
            assert separations[0] <= separations[1] < 0.0
