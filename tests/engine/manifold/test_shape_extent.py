"""The extent a placed shape keeps: how far its points may be from its entity's position."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.poses import COLLIDERS, TRANSFORMS
from oracles.support_functions import parts_of
from placed import place

from ecsphys.components.collision.colliders import CircleCollider
from ecsphys.components.collision.polygon_collider import PolygonCollider
from ecsphys.components.motion.transform import Transform
from ecsphys.engine.manifold.convex import extent

ANGLES = np.linspace(0.0, 2.0 * math.pi, 181)


@pytest.mark.parametrize("kind", COLLIDERS)
@given(data=st.data())
def test_no_point_is_further_away_and_none_is_far_nearer(kind: str, data: st.DataObject) -> None:
    collider, transform = data.draw(COLLIDERS[kind]), data.draw(TRANSFORMS)
    bound = extent(place((collider, transform)).shapes, 0)
    furthest = max(float(part.support(ANGLES).max()) for part in parts_of(collider, transform))
    assert furthest <= bound * (1.0 + 1e-12)
    # The axes' sum instead of the distance costs a factor √2, an offset as large as the shape another 3.
    assert bound <= 5.0 * furthest + 1e-300


def test_it_follows_the_vertices_of_a_polygon() -> None:
    polygon = PolygonCollider([(0, 0), (1, 0), (0, 1)])
    assert extent(place((polygon, Transform())).shapes, 0) == 1.0
    polygon.vertices = [(0, 0), (3, 4), (0, 1)]
    assert extent(place((polygon, Transform())).shapes, 0) == 7.0


def test_where_the_entity_is_makes_no_difference() -> None:
    assert extent(place((CircleCollider(2.0), Transform(1e9, -1e9))).shapes, 0) == 2.0
