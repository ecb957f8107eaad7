"""``aabb``, and what all queries of one collider have in common: arguments, errors, plain results."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from outlines import angles, colliders, sample

from ecsphys import geometry
from ecsphys.components.collision.colliders import (
    AABBCollider,
    CapsuleCollider,
    CircleCollider,
    Collider,
    FanCollider,
    OBBCollider,
)
from ecsphys.components.collision.polygon_collider import PolygonCollider
from ecsphys.components.motion.transform import Transform
from ecsphys.geometry import aabb, contains, mass_properties, project_point, raycast

ROOT = math.sqrt(2)
HERE = Transform()
BALL = CircleCollider(1)

# collider, rotation, box
BOXES: list[tuple[Collider, float, tuple[float, float, float, float]]] = [
    (CircleCollider(2, offset_x=1), math.pi / 2, (-2, -1, 2, 3)),
    (AABBCollider(2, 1, offset_x=1), 1.0, (-1, -1, 3, 1)),
    (OBBCollider(1, 1, angle=math.pi / 8), math.pi / 8, (-ROOT, -ROOT, ROOT, ROOT)),
    (CapsuleCollider(4, 1), math.pi / 2, (-1, -3, 1, 3)),
    (FanCollider(2, math.pi / 2), 0.0, (0, -ROOT, 2, ROOT)),
    (FanCollider(2, 1.5 * math.pi), 0.0, (-ROOT, -2, 2, 2)),
    (FanCollider(2, 2 * math.pi), 0.3, (-2, -2, 2, 2)),
    (PolygonCollider([(0, 0), (4, 0), (0, 3)], radius=0.5), math.pi, (-4.5, -3.5, 0.5, 0.5)),
]


@pytest.mark.parametrize(("collider", "rotation", "box"), BOXES)
def test_named_bounding_boxes(collider: Collider, rotation: float, box: tuple[float, float, float, float]) -> None:
    found = aabb(collider, Transform(10, 20, rotation))
    assert found == pytest.approx((box[0] + 10, box[1] + 20, box[2] + 10, box[3] + 20), rel=1e-14)
    assert {type(value) for value in found} == {float}


@given(colliders, st.floats(-5, 5), st.floats(-5, 5), angles)
@settings(deadline=None)
def test_bounding_box_is_that_of_the_sampled_outline(collider: Collider, x: float, y: float, angle: float) -> None:
    transform = Transform(x, y, angle)
    points = sample(collider, transform, 2000) + complex(x, y)
    expected = (points.real.min(), points.imag.min(), points.real.max(), points.imag.max())
    found = aabb(collider, transform)
    assert found == pytest.approx(expected, abs=1e-5)
    # Samples are on the outline: the box has to hold them all.
    assert all(f <= e + 1e-13 for f, e in zip(found[:2], expected[:2], strict=True))
    assert all(f >= e - 1e-13 for f, e in zip(found[2:], expected[2:], strict=True))


def test_results_are_plain_python_numbers() -> None:
    hit = raycast(BALL, HERE, (-5, 0), (1, 0), 10)
    assert hit is not None
    point, distance = project_point(BALL, HERE, (3, 4))
    mass, center, inertia = mass_properties(PolygonCollider([(0, 0), (1, 0), (0, 1)], radius=1), 1)
    values = [hit.distance, *hit.point, *hit.normal, *point, distance, mass, *center, inertia]
    assert {type(value) for value in values} == {float}
    assert type(contains(BALL, HERE, (0, 0))) is bool
    with pytest.raises(AttributeError):
        hit.distance = 3.0  # type: ignore[misc]


def test_a_hit_is_described_by_its_fields() -> None:
    geometric = "distance=4.0, point=(-1.0, 0.0), normal=(-1.0, 0.0)"
    hit = raycast(BALL, HERE, (-5, 0), (1, 0), 10)
    assert repr(hit) == f"RayHit({geometric}, entity=None, collider=None, part=None)"


NAN_AND_CO = [math.nan, math.inf, -math.inf]


@pytest.mark.parametrize("bad", NAN_AND_CO)
def test_numbers_must_be_finite(bad: float) -> None:
    for call, name in (
        (lambda: raycast(BALL, HERE, (0, bad), (1, 0), 1), "origin"),
        (lambda: raycast(BALL, HERE, (0, 0), (1, bad), 1), "direction"),
        (lambda: contains(BALL, HERE, (bad, 0)), "point"),
        (lambda: project_point(BALL, HERE, (bad, 0)), "point"),
        (lambda: mass_properties(BALL, bad), "density"),
    ):
        with pytest.raises(ValueError, match=name):
            call()


def test_errors_name_the_argument_and_its_value() -> None:
    anything: Any = None
    with pytest.raises(ValueError, match=r"direction must not be zero, got \(0, 0\)"):
        raycast(BALL, HERE, (0, 0), (0, 0), 1)
    for bad in (-1.0, math.nan, -math.inf):
        with pytest.raises(ValueError, match="max_distance"):
            raycast(BALL, HERE, (0, 0), (1, 0), bad)
    for bad in (0.0, -2.0):
        with pytest.raises(ValueError, match="density must be greater than 0"):
            mass_properties(BALL, bad)
    with pytest.raises(TypeError, match="max_distance"):
        raycast(BALL, HERE, (0, 0), (1, 0), anything)
    with pytest.raises(TypeError, match="density"):
        mass_properties(BALL, anything)
    with pytest.raises(TypeError, match="point"):
        contains(BALL, HERE, anything)
    for call in (aabb, lambda c, t: contains(c, t, (0, 0)), lambda c, t: raycast(c, t, (0, 0), (1, 0), 1)):
        with pytest.raises(TypeError):
            call(anything, HERE)
        with pytest.raises(TypeError):
            call(BALL, anything)


def test_points_may_be_arrays() -> None:
    array: Any = np.array
    assert contains(BALL, HERE, array([0.5, 0.5]))
    assert raycast(BALL, HERE, array([-5, 0]), array([1, 0]), array(9)) == raycast(BALL, HERE, (-5, 0), (1, 0), 9)


def test_every_public_name_is_there_and_documented() -> None:
    for name in geometry.__all__:
        assert getattr(geometry, name).__doc__
