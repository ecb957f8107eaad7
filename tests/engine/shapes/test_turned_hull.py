"""A hull turned is the hull of the shape turned, and nothing is calculated with what no one has written."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from numpy.typing import NDArray
from placed import place

from ecsphys import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    Collider,
    FanCollider,
    OBBCollider,
    PolygonCollider,
    Transform,
)
from ecsphys.components.collision.polygon_collider import VERTEX_POOL
from ecsphys.engine.manifold import convex
from ecsphys.engine.manifold.convex import turn_hull

SHAPES: list[Collider] = [
    CircleCollider(1.5),
    AABBCollider(2.0, 3.0),
    OBBCollider(2.0, 1.0),
    CapsuleCollider(1.0, 2.0),
    FanCollider(2.0, 1.0),
    FanCollider(2.0, pi),
    PolygonCollider([(0.0, 0.0), (2.0, 0.0), (1.0, 1.5)]),
    PolygonCollider([(0.0, 0.0), (2.0, 0.0), (1.0, 1.5)], radius=0.2),
]


def hull_of(collider: Collider, x: float, y: float) -> NDArray[np.float64]:
    """The hull of the collider with its centre or apex at (x, y), in memory that was infinite before."""
    placed = place((collider, Transform()))
    hull = np.full(convex.HULL_SIZE, np.inf)
    convex.set_hull(hull, int(placed.forms[0]), placed.shapes, 0, VERTEX_POOL.data, x, y, 1.0)
    return hull


@pytest.mark.parametrize("collider", SHAPES, ids=lambda c: f"{type(c).__name__} {getattr(c, 'spread', '')}")
@pytest.mark.parametrize("angle", [0.0, 0.5 * pi, 1.0])
def test_turned_in_memory_that_was_never_written_it_is_where_it_should_be(collider: Collider, angle: float) -> None:
    hull, turned = hull_of(collider, 0.0, 0.0), np.full(convex.HULL_SIZE, np.inf)
    with np.errstate(all="raise"):
        turn_hull(hull, turned, angle, 1.0, 2.0, 3.0, 4.0)

    count, edges = int(hull[convex.VERTEX_COUNT]), int(hull[convex.EDGE_COUNT])
    assert (turned[convex.VERTEX_COUNT], turned[convex.EDGE_COUNT]) == (count, edges)
    turn = np.exp(1j * angle)
    for first_x, first_y, used, moved in (
        (convex.X, convex.Y, count, True),
        (convex.NORMAL_X, convex.NORMAL_Y, edges, False),
        (convex.MIDDLE_X, convex.MIDDLE_Y, 1, True),
    ):
        before = hull[first_x : first_x + used] + 1j * hull[first_y : first_y + used]
        after = turned[first_x : first_x + used] + 1j * turned[first_y : first_y + used]
        expected = (before + (1 + 2j)) * turn + (3 + 4j) if moved else before * turn
        assert after == pytest.approx(expected, abs=1e-14)
