"""``project_point`` and ``contains``: nearest boundary points and signed distances."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from outlines import angles, colliders, inside, sample

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
from ecsphys.geometry import contains, project_point

TRIANGLE = [(0, 0), (4, 0), (0, 3)]
PACMAN = FanCollider(2, 1.5 * math.pi)
HERE = Transform()

# collider, point, nearest boundary point, signed distance
CASES: list[tuple[Collider, tuple[float, float], tuple[float, float], float]] = [
    (CircleCollider(2), (5, 0), (2, 0), 3),
    (CircleCollider(2), (0, -0.5), (0, -2), -1.5),
    (CircleCollider(2, offset_x=1), (1, 0), (1, 2), -2),  # the centre: along +y
    (AABBCollider(2, 1), (5, 5), (2, 1), 5),
    (AABBCollider(2, 1), (1, 3), (1, 1), 2),
    (AABBCollider(2, 1), (1.5, 0.25), (2, 0.25), -0.5),
    (AABBCollider(2, 1), (-1, -0.5), (-1, -1), -0.5),
    (AABBCollider(1, 1), (0, 0), (0, 1), -1),  # the centre of a square: y first, positive first
    (OBBCollider(2, 1, angle=math.pi / 2), (0, 3), (0, 2), 1),
    (OBBCollider(2, 1, angle=math.pi / 2), (-0.75, 0.5), (-1, 0.5), -0.25),
    (CapsuleCollider(4, 1), (0, 3), (0, 1), 2),
    (CapsuleCollider(4, 1), (5, 4), (2.6, 0.8), 4),
    (CapsuleCollider(4, 1), (1, -0.25), (1, -1), -0.75),
    (CapsuleCollider(4, 1), (2.5, 0), (3, 0), -0.5),
    (CapsuleCollider(4, 1), (1, 0), (1, 1), -1),  # on the core: to the side of +y
    (CapsuleCollider(0, 1), (3, 0), (1, 0), 2),
    (FanCollider(2, math.pi / 2), (5, 0), (2, 0), 3),
    (FanCollider(2, math.pi / 2), (1.75, 0), (2, 0), -0.25),
    (FanCollider(2, math.pi / 2), (0.5, 0), (0.25, 0.25), -math.sqrt(0.125)),
    (FanCollider(2, math.pi / 2), (-3, 0), (0, 0), 3),
    (FanCollider(2, math.pi), (-3, 1), (0, 1), 3),
    (PACMAN, (-1, 0), (-0.5, 0.5), math.sqrt(0.5)),  # in the gap
    (PACMAN, (-1, -0.01), (-0.505, -0.505), math.sqrt(0.5) * 0.99),
    (PACMAN, (1, 0), (0, 0), -1),  # as near to the apex as to the arc
    (PACMAN, (0.5, 0), (0, 0), -0.5),
    (PACMAN, (1.5, 0), (2, 0), -0.5),
    (PACMAN, (-9, 0), (-math.sqrt(2), math.sqrt(2)), math.hypot(9 - math.sqrt(2), math.sqrt(2))),
    (FanCollider(2, 2 * math.pi), (-1.5, 0), (-2, 0), -0.5),
    (PolygonCollider(TRIANGLE), (2, -1), (2, 0), 1),
    (PolygonCollider(TRIANGLE), (-3, -4), (0, 0), 5),
    (PolygonCollider(TRIANGLE), (1, 0.25), (1, 0), -0.25),
    (PolygonCollider(TRIANGLE), (2 + 3, 1.5 + 4), (2, 1.5), 5),
    (PolygonCollider(TRIANGLE[::-1], radius=1), (2, -3), (2, -1), 2),
    (PolygonCollider(TRIANGLE, radius=1), (-3, -4), (-0.6, -0.8), 4),
    (PolygonCollider(TRIANGLE, radius=1), (1, 0.25), (1, -1), -1.25),
    (PolygonCollider(TRIANGLE, radius=1), (2, -0.25), (2, -1), -0.75),
    (PolygonCollider(TRIANGLE, radius=1), (2, 0), (2, -1), -1),  # on the core's edge
    (PolygonCollider(TRIANGLE, radius=1), (-0.3, -0.4), (-0.6, -0.8), -0.5),
]


@pytest.mark.parametrize(("collider", "point", "nearest", "distance"), CASES)
def test_named_cases(
    collider: Collider, point: tuple[float, float], nearest: tuple[float, float], distance: float
) -> None:
    found, signed = project_point(collider, HERE, point, solid=False)
    assert found == pytest.approx(nearest, abs=1e-15)
    assert signed == pytest.approx(distance, rel=1e-15)
    assert contains(collider, HERE, point) == (distance < 0)
    if distance < 0:
        assert project_point(collider, HERE, point) == (point, 0.0)
    else:
        assert project_point(collider, HERE, point) == (found, signed)


BOUNDARY = [
    (CircleCollider(5), [(3, 4), (-5, 0), (0, 5)]),
    (AABBCollider(2, 1), [(2, 0), (0.3, -1), (-2, 1)]),
    (CapsuleCollider(4, 1), [(0, 1), (3, 0), (-3, 0), (2, -1)]),
    (CapsuleCollider(4, 5), [(5, 4), (-5, -4)]),
    (FanCollider(2, math.pi / 2), [(0, 0), (2, 0)]),
    (FanCollider(2, math.pi), [(0, 0), (0, 1), (0, -1), (0, 2), (2, 0)]),
    (PACMAN, [(0, 0), (2, 0), (0, 2)]),
    (PolygonCollider(TRIANGLE), [(0, 0), (1, 0), (2, 1.5), (0, 2)]),
    (PolygonCollider(TRIANGLE, radius=5), [(1, -5), (2 + 3, 1.5 + 4), (4 + 3, -4), (-5, 1)]),
]


@pytest.mark.parametrize(("collider", "points"), BOUNDARY)
def test_the_boundary_is_outside(collider: Collider, points: list[tuple[float, float]]) -> None:
    for point in points:
        assert not contains(collider, HERE, point)
        nearest, distance = project_point(collider, HERE, point, solid=False)
        assert distance == pytest.approx(0, abs=1e-15)
        assert nearest == pytest.approx(point, abs=2e-15)


@given(
    colliders,
    st.floats(-5, 5),
    st.floats(-5, 5),
    angles,
    st.one_of(st.tuples(st.floats(-4, 4), st.floats(-4, 4)), st.tuples(st.floats(-1, 1), st.floats(-1, 1))),
)
@settings(deadline=None, max_examples=300)
def test_projection_agrees_with_the_sampled_outline(
    collider: Collider, x: float, y: float, angle: float, offset: tuple[float, float]
) -> None:
    transform = Transform(x, y, angle)
    point = (x + offset[0], y + offset[1])
    nearest, distance = project_point(collider, transform, point, solid=False)
    assert math.dist(point, nearest) == pytest.approx(abs(distance), abs=1e-12)

    # Consecutive samples are at most a spacing apart, so the outline is at most half of it nearer than they are.
    outline = sample(collider, transform, 500) + complex(x, y)
    spacing = float(np.abs(np.roll(outline, -1) - outline).max())
    sampled = float(np.abs(outline - complex(*point)).min())
    assert sampled - 0.5 * spacing - 1e-12 <= abs(distance) <= sampled + 1e-12
    assert float(np.abs(outline - complex(*nearest)).min()) <= 0.51 * spacing + 1e-12  # an arc is longer than its chord

    if abs(distance) > spacing:
        assert contains(collider, transform, point) == inside(outline, complex(*point))
    assert contains(collider, transform, point) == (distance < 0)


@given(colliders, angles, st.tuples(st.floats(-3, 3), st.floats(-3, 3)), st.sampled_from([1e-9, 1e9]))
@settings(deadline=None)
def test_tiny_and_huge_shapes_are_scaled_ones(
    collider: Collider, angle: float, point: tuple[float, float], scale: float
) -> None:
    nearest, distance = project_point(collider, Transform(0, 0, angle), point, solid=False)
    large = project_point(
        scaled(collider, scale), Transform(0, 0, angle), (point[0] * scale, point[1] * scale), solid=False
    )
    assert large[1] / scale == pytest.approx(distance, abs=1e-12)
    if abs(distance) > 1e-3 and math.dist(large[0], (nearest[0] * scale, nearest[1] * scale)) > 1e-9 * scale:
        # Two boundary points are equally near: both are as far as the distance says.
        assert math.dist(large[0], (point[0] * scale, point[1] * scale)) / scale == pytest.approx(abs(distance))


def scaled(collider: Collider, scale: float) -> Collider:
    lengths = {
        name: getattr(collider, name) * scale
        for name in ("radius", "length", "half_width", "half_height", "offset_x", "offset_y")
        if hasattr(collider, name)
    }
    others = {name: getattr(collider, name) for name in ("angle", "spread", "direction") if hasattr(collider, name)}
    if isinstance(collider, PolygonCollider):
        vertices = [(x * scale, y * scale) for x, y in collider.vertices]
        return PolygonCollider(vertices, **lengths, **others)
    return type(collider)(**lengths, **others)


@given(colliders, angles, st.integers(-64, 64), st.integers(-64, 64), st.sampled_from([2.0**30, 2.0**44]))
@settings(deadline=None)
def test_far_positions_cost_no_precision(collider: Collider, angle: float, i: int, j: int, far: float) -> None:
    # Sixteenths are exact also far away, so that only the shape's own geometry could differ.
    x, y = i / 16, j / 16
    nearest, distance = project_point(collider, Transform(0, 0, angle), (x, y), solid=False)
    there = Transform(far, -far, angle)
    far_nearest, far_distance = project_point(collider, there, (far + x, -far + y), solid=False)
    assert far_distance == distance
    rounding = math.ulp(far)
    assert far_nearest == pytest.approx((far + nearest[0], -far + nearest[1]), rel=0, abs=rounding)


@pytest.mark.parametrize("spread", [1e-3, 1e-9, 1e-15])
def test_slivers_of_a_fan_and_of_its_gap(spread: float) -> None:
    sliver = FanCollider(2, spread)
    assert project_point(sliver, HERE, (1, 1), solid=False)[1] == pytest.approx(1, abs=spread)
    assert project_point(sliver, HERE, (3, 0), solid=False) == ((2.0, 0.0), 1.0)
    assert contains(sliver, HERE, (1, 0))
    assert project_point(sliver, HERE, (1, 0), solid=False)[1] == pytest.approx(-math.sin(spread / 2), rel=1e-9)
    gap = FanCollider(2, 2 * math.pi - spread)
    assert contains(gap, HERE, (1, 0))
    assert not contains(gap, HERE, (-1, 0))
    assert contains(gap, HERE, (-1, max(spread, 1e-14)))
    assert project_point(gap, HERE, (-1, 0), solid=False)[1] == pytest.approx(spread / 2, rel=1e-3, abs=2e-15)


def test_a_point_a_hair_off_a_rounded_edge_is_projected_straight_outwards() -> None:
    # The direction from the core's nearest point is all rounding there; the edge's normal is not.
    core = PolygonCollider([(0, 0), (3, 1), (1, 3)], radius=1)
    for t in (0.1, 0.3, 0.5, 0.77):
        nearest, distance = project_point(core, HERE, (3 * t, t), solid=False)
        assert nearest == pytest.approx((3 * t + 1 / math.sqrt(10), t - 3 / math.sqrt(10)), abs=1e-14)
        assert distance == pytest.approx(-1, rel=1e-14)


def test_a_far_point_is_projected_on_the_edge_it_faces_not_on_a_vertex_equally_far_to_rounding() -> None:
    outline = PolygonCollider([(-1, 0), (1, 0), (1, 1), (-1, 1)])
    rounded = PolygonCollider([(-1, 0), (1, 0), (1, 1), (-1, 1)], radius=0.5)
    for x in (0.9999, -0.9999):
        assert math.hypot(1e8, 1 - abs(x)) == 1e8
        for collider, point, (nearest, distance) in (
            (outline, (x, 1e8), ((x, 1), 1e8 - 1)),
            (outline, (x, -1e8), ((x, 0), 1e8)),
            (rounded, (x, 1e8), ((x, 1.5), 1e8 - 1.5)),
        ):
            found = project_point(collider, HERE, point)
            assert found[0] == pytest.approx(nearest, abs=1e-15)
            assert found[1] == distance
    assert project_point(rounded, HERE, (1.001, 1e8))[0] == pytest.approx((1, 1.5), abs=1e-9)
    fan = FanCollider(1, 1e-3)
    assert project_point(fan, HERE, (1e8, 0)) == ((1.0, 0.0), 1e8 - 1)
