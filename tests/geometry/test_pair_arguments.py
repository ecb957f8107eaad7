"""What the questions about pairs refuse."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from fresh_python import python

from ecsphys.components.collision.colliders import CircleCollider, PolygonCollider
from ecsphys.components.motion.transform import Gravity, Transform
from ecsphys.geometry.queries import closest_points, contact, overlaps


@pytest.mark.parametrize("function", [contact, overlaps, closest_points])
def test_what_is_no_collider_or_transform_is_refused_by_name(function: Callable[..., Any]) -> None:
    ball, place = CircleCollider(1.0), Transform()
    with pytest.raises(TypeError, match=r"collider.*Gravity"):
        function(Gravity(), place, ball, place)
    with pytest.raises(TypeError, match=r"collider.*3"):
        function(ball, place, 3, place)
    with pytest.raises(TypeError, match=r"Transform.*CircleCollider"):
        function(ball, place, ball, ball)
    with pytest.raises(TypeError, match=r"collider.*class.*CircleCollider"):
        function(CircleCollider, place, ball, place)


@pytest.mark.parametrize("value", [math.nan, math.inf, -1.0, 0.0])
def test_a_bad_value_that_slipped_in_through_a_column_is_named(value: float) -> None:
    ball, place = CircleCollider(1.0), Transform()
    CircleCollider.column("radius")[ball._row] = value
    with pytest.raises(ValueError, match=r"CircleCollider\.radius"):
        contact(ball, place, CircleCollider(1.0), place)
    ball.radius = 1.0
    assert contact(ball, place, CircleCollider(1.0), place) is not None


def test_a_bad_position_is_named() -> None:
    ball, place = CircleCollider(1.0), Transform()
    Transform.column("y")[place._row] = math.nan
    with pytest.raises(ValueError, match=r"Transform\.y"):
        overlaps(ball, place, ball, Transform())


def test_polygons_are_placed_by_their_own_vertices() -> None:
    small = PolygonCollider([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])
    large = PolygonCollider([(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)])
    assert not overlaps(small, Transform(), CircleCollider(0.5), Transform(2.0, 2.0))
    assert overlaps(large, Transform(), CircleCollider(0.5), Transform(2.0, 2.0))


def test_geometry_is_there_without_an_import_of_its_own() -> None:
    asked = (
        "import sys, ecsphys; assert 'ecsphys.geometry' not in sys.modules;"
        " ball, at = ecsphys.CircleCollider(1.0), ecsphys.Transform();"
        " print(ecsphys.geometry.overlaps(ball, at, ball, at), hasattr(ecsphys, 'geometri'))"
    )
    done = python("-c", asked)
    assert done.stdout == "True False\n"
