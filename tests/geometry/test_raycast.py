"""``raycast``: the first entry of a ray into a collider."""

from __future__ import annotations

import cmath
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from outlines import Complex, angles, colliders, inside, sample

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
from ecsphys.geometry import RayHit, contains, project_point, raycast

Point = tuple[float, float]
HERE = Transform()
ROOT = math.sqrt(0.5)
TRIANGLE = [(0, 0), (4, 0), (0, 3)]
QUARTER = FanCollider(2, math.pi / 2, direction=math.pi / 4)  # the first quadrant
PACMAN = FanCollider(2, 1.5 * math.pi)  # the gap looks to −x

# collider, origin, direction, distance, normal
HITS: list[tuple[Collider, Point, Point, float, Point]] = [
    (CircleCollider(1), (-5, 0), (1, 0), 4, (-1, 0)),
    (CircleCollider(1), (-5, 0.6), (1, 0), 4.2, (-0.8, 0.6)),
    (CircleCollider(1, offset_x=10), (10, 7), (0, -2), 6, (0, 1)),
    (AABBCollider(2, 1), (-5, 0.5), (1, 0), 3, (-1, 0)),
    (AABBCollider(2, 1), (0, 5), (0, -1), 4, (0, 1)),
    (AABBCollider(2, 1), (5, 4), (-1, -1), 3 * math.sqrt(2), (0, 1)),  # through the corner: one of its sides
    (OBBCollider(1, 1, angle=math.pi / 4), (-5, 0.5), (1, 0), 5 - math.sqrt(2) + 0.5, (-ROOT, ROOT)),
    (CapsuleCollider(4, 1), (0, 5), (0, -1), 4, (0, 1)),
    (CapsuleCollider(4, 1), (0, -5), (0, 1), 4, (0, -1)),
    (CapsuleCollider(4, 1), (9, 0), (-1, 0), 6, (1, 0)),
    (CapsuleCollider(4, 1), (-9, 0.6), (1, 0), 6.2, (-0.8, 0.6)),
    (CapsuleCollider(4, 1), (2.6, 5), (0, -1), 4.2, (0.6, 0.8)),
    (CapsuleCollider(0, 1), (-5, 0), (1, 0), 4, (-1, 0)),
    (QUARTER, (5, 0.5), (-1, 0), 5 - math.sqrt(3.75), (math.sqrt(3.75) / 2, 0.25)),
    (QUARTER, (1, -5), (0, 1), 5, (0, -1)),
    (QUARTER, (-5, 1), (1, 0), 5, (-1, 0)),
    (FanCollider(2, math.pi), (-5, 1), (1, 0), 5, (-1, 0)),
    (PACMAN, (-5, 1.5), (1, 0), 5 - math.sqrt(4 - 2.25), (-math.sqrt(1.75) / 2, 0.75)),
    (PACMAN, (-5, 0.5), (1, 0), 4.5, (-ROOT, -ROOT)),  # into the mouth, on its upper edge
    (PACMAN, (-5, -0.5), (1, 0), 4.5, (-ROOT, ROOT)),
    (PACMAN, (-1, 0), (0, 1), 1, (-ROOT, -ROOT)),  # from inside the mouth upwards
    (PACMAN, (5, 0), (-1, 0), 3, (1, 0)),
    (FanCollider(2, 2 * math.pi), (-5, 0), (1, 0), 3, (-1, 0)),
    (PolygonCollider(TRIANGLE), (-5, 1), (1, 0), 5, (-1, 0)),
    (PolygonCollider(TRIANGLE[::-1]), (1, -5), (0, 1), 5, (0, -1)),
    (PolygonCollider(TRIANGLE), (2 + 3, 1.5 + 4), (-3, -4), 5, (0.6, 0.8)),
    (PolygonCollider(TRIANGLE, radius=1), (-5, 1), (1, 0), 4, (-1, 0)),
    (PolygonCollider(TRIANGLE, radius=1), (2 + 3, 1.5 + 4), (-3, -4), 4, (0.6, 0.8)),
    (PolygonCollider(TRIANGLE, radius=1), (-5, -0.6), (1, 0), 4.2, (-0.8, -0.6)),
]


@pytest.mark.parametrize(("collider", "origin", "direction", "distance", "normal"), HITS)
def test_named_hits(collider: Collider, origin: Point, direction: Point, distance: float, normal: Point) -> None:
    hit = raycast(collider, HERE, origin, direction, 100)
    assert hit is not None
    assert hit.distance == pytest.approx(distance, rel=1e-14)
    assert hit.normal == pytest.approx(normal, abs=1e-14)
    unit = math.hypot(*direction)
    assert hit.point == pytest.approx(
        (origin[0] + direction[0] / unit * distance, origin[1] + direction[1] / unit * distance), abs=1e-14
    )
    # At the limit it still counts; beyond it, or the other way, there is nothing.
    assert raycast(collider, HERE, origin, direction, hit.distance) == hit
    assert raycast(collider, HERE, origin, direction, math.nextafter(hit.distance, 0)) is None
    for unit in (2.0**-1000, 2.0**1000):
        assert raycast(collider, HERE, origin, (unit * direction[0], unit * direction[1])) == hit
    if collider is not PACMAN:  # which may have its other lip there
        assert raycast(collider, HERE, origin, (-direction[0], -direction[1]), 100) is None


ALL = [
    CircleCollider(1),
    AABBCollider(2, 1),
    OBBCollider(2, 1, angle=0.3),
    CapsuleCollider(4, 1),
    FanCollider(2, 1, direction=0.2),
    PACMAN,
    PolygonCollider([(-1, -1), (2, -1), (0, 2)]),
    PolygonCollider([(-1, -1), (2, -1), (0, 2)], radius=0.5),
]


@pytest.mark.parametrize("collider", ALL)
def test_a_ray_that_starts_inside_hits_at_once_without_a_normal(collider: Collider) -> None:
    for direction in ((1, 0), (-3, 2)):
        assert raycast(collider, HERE, (0.3, 0.1), direction, 0.0) == RayHit(0.0, (0.3, 0.1), (0.0, 0.0))


GRAZING: list[tuple[Collider, Point, Point]] = [
    (CircleCollider(1), (-5, 1), (1, 0)),
    (CircleCollider(5), (3 - 8, 4 + 6), (4, -3)),
    (AABBCollider(2, 1), (-5, 1), (1, 0)),
    (AABBCollider(2, 1), (-5, 1), (1, -0.0)),
    (AABBCollider(2, 1), (2, -5), (0, 1)),
    (AABBCollider(2, 1), (0, 3), (1, -1)),  # past the corner (2, 1)
    (CapsuleCollider(4, 1), (-5, 1), (1, 0)),
    (CapsuleCollider(4, 1), (3, -5), (0, 1)),
    (QUARTER, (-5, 0), (1, 0)),  # along the lower edge
    (QUARTER, (2, -5), (0, 1)),  # past the arc's end
    (QUARTER, (-1, 1), (1, -1)),  # past the apex
    (PolygonCollider(TRIANGLE), (-5, 0), (1, 0)),
    (PolygonCollider(TRIANGLE), (8, -3), (-4, 3)),  # along the slanted edge
    (PolygonCollider(TRIANGLE), (-1, 1), (1, -1)),
    (PolygonCollider(TRIANGLE, radius=1), (-5, -1), (1, 0)),
    (PolygonCollider(TRIANGLE, radius=1), (5, -5), (0, 1)),
]


@pytest.mark.parametrize(("collider", "origin", "direction"), GRAZING)
def test_grazing_is_no_hit(collider: Collider, origin: Point, direction: Point) -> None:
    assert raycast(collider, HERE, origin, direction, 100) is None


FROM_BOUNDARY: list[tuple[Collider, Point, Point]] = [
    (CircleCollider(5), (3, 4), (0.6, 0.8)),
    (AABBCollider(2, 1), (2, 0.5), (1, 0)),
    (OBBCollider(2, 1, angle=math.pi), (2, 0.5), (1, 0)),
    (CapsuleCollider(4, 1), (1, 1), (0, 1)),
    (CapsuleCollider(4, 1), (3, 0), (1, 0)),
    (QUARTER, (0, 1), (-1, 0)),
    (QUARTER, (2, 0), (1, -1)),
    (PACMAN, (-0.5, 0.5), (-ROOT, -ROOT)),
    (PolygonCollider(TRIANGLE), (2, 1.5), (0.6, 0.8)),
    (PolygonCollider(TRIANGLE, radius=5), (5, 5.5), (0.6, 0.8)),
]


@pytest.mark.parametrize(("collider", "origin", "outward"), FROM_BOUNDARY)
def test_from_the_boundary_inwards_hits_at_once_and_outwards_not(
    collider: Collider, origin: Point, outward: Point
) -> None:
    inwards = raycast(collider, HERE, origin, (-outward[0], -outward[1]), 1e-15)
    assert inwards is not None
    assert inwards.distance == pytest.approx(0.0, abs=1e-15)
    assert inwards.normal[0] * outward[0] + inwards.normal[1] * outward[1] > 0.5
    if collider is not PACMAN:
        assert raycast(collider, HERE, origin, outward, 100) is None
    else:
        across = raycast(collider, HERE, origin, outward, 100)  # over the mouth, to the other lip
        assert across is None or across.distance > 0.1


def test_a_ray_through_the_apex_of_a_wide_fan() -> None:
    along_an_edge = raycast(PACMAN, HERE, (-3, 3), (1, -1), 100)  # along the upper lip, then in at the apex
    assert along_an_edge is None or along_an_edge.distance == pytest.approx(3 * math.sqrt(2))
    into_the_mouth = raycast(PACMAN, HERE, (-3, 0), (1, 0), 100)
    assert into_the_mouth is not None
    assert into_the_mouth.distance == 3.0
    assert into_the_mouth.normal == pytest.approx((-ROOT, math.copysign(ROOT, into_the_mouth.normal[1])))
    from_the_apex = raycast(PACMAN, HERE, (0, 0), (1, 0), 100)
    assert from_the_apex is not None
    assert from_the_apex.distance == 0.0
    assert raycast(PACMAN, HERE, (0, 0), (-1, 0), 100) is None


@given(colliders, st.floats(-5, 5), st.floats(-5, 5), angles, st.floats(-4, 4), st.floats(-3, 3), st.floats(0, 6.3))
@settings(deadline=None, max_examples=400)
def test_hits_are_the_first_crossing_of_the_sampled_outline(
    collider: Collider, x: float, y: float, angle: float, offset: float, aside: float, heading: float
) -> None:
    transform = Transform(x, y, angle)
    u = cmath.rect(1.0, heading)
    start = u * complex(offset, aside)
    origin = (x + start.real, y + start.imag)
    assume(not contains(collider, transform, origin))
    hit = raycast(collider, transform, origin, (3 * u.real, 3 * u.imag), 100)

    # The sampled outline in the ray's frame: where does it cross the x axis at x ≥ 0?
    outline = sample(collider, transform, 1000)
    seen = (outline - start) / u
    after = np.roll(seen, -1)
    crossing = (seen.imag < 0) != (after.imag < 0)
    a, b = seen[crossing], after[crossing]
    distances = np.sort(a.real - a.imag * (b.real - a.real) / (b.imag - a.imag))
    distances = distances[distances > 0]
    depth = _depth_along(seen, distances)
    if hit is None:
        assert depth < 1e-3
        return
    if depth > 1e-2:
        assert hit.distance == pytest.approx(distances[0], abs=2e-2)

    # And to full precision: the hit is on the outline, ahead, facing the ray, with nothing inside before it.
    ahead = complex(hit.point[0] - origin[0], hit.point[1] - origin[1]) / u
    assert ahead.real == pytest.approx(hit.distance, abs=1e-12)
    assert ahead.imag == pytest.approx(0, abs=1e-12)
    assert abs(project_point(collider, transform, hit.point, solid=False)[1]) < 1e-12
    normal = complex(*hit.normal)
    assert abs(normal) == pytest.approx(1, abs=1e-14)
    assert (normal.conjugate() * u).real < 1e-7
    if hit.distance > 1e-6:
        for share in (0.1, 0.5, 0.9, 0.999):
            before = (origin[0] + share * hit.distance * u.real, origin[1] + share * hit.distance * u.imag)
            assert not contains(collider, transform, before)


def _depth_along(seen: Complex, distances: NDArray[np.float64]) -> float:
    """How deep in a sampled outline the ray runs in its first stretch: 0 for a miss."""
    if len(distances) < 2:
        return 0.0
    middle = 0.5 * (distances[0] + distances[1])
    return float(np.abs(seen - middle).min()) if inside(seen, complex(middle)) else 0.0


@given(colliders, angles, st.floats(-1, 1), st.floats(0, 6.3), st.sampled_from([1e6, 1e10, 1e14]))
@settings(deadline=None)
def test_a_ray_from_far_away_hits_as_precisely_as_one_from_nearby(
    collider: Collider, angle: float, aside: float, heading: float, far: float
) -> None:
    transform = Transform(0, 0, angle)
    # Directions of small integers: the far start lies exactly on the same line.
    dx, dy = round(7 * math.cos(heading)), round(7 * math.sin(heading))
    start = (round(16 * aside * dy) / 16 - 8.0 * dx, -round(16 * aside * dx) / 16 - 8.0 * dy)
    steps = 2.0 ** round(math.log2(far))
    away = (start[0] - steps * dx, start[1] - steps * dy)
    assume(Fraction(away[0]) + Fraction(steps) * dx == Fraction(start[0]))
    assume(Fraction(away[1]) + Fraction(steps) * dy == Fraction(start[1]))
    near_hit = raycast(collider, transform, start, (dx, dy))
    far_hit = raycast(collider, transform, away, (dx, dy))
    assert (near_hit is None) == (far_hit is None)
    if near_hit is not None and far_hit is not None:
        assert far_hit.point == pytest.approx(near_hit.point, rel=0, abs=1e-12)
        assert far_hit.normal == pytest.approx(near_hit.normal, rel=0, abs=1e-12)
        assert far_hit.distance == pytest.approx(near_hit.distance + steps * math.hypot(dx, dy), rel=1e-15)


def test_a_ray_over_a_billion_radii_knows_on_which_side_it_passes() -> None:
    ball = CircleCollider(1e-3)
    # The centre is about 6e-4 off a 3-4-5 slant through the origin; rational numbers say how far exactly.
    position = Transform(3e6 - 4.8e-4, 4e6 + 3.6e-4)
    hit = raycast(ball, position, (0, 0), (3, 4))
    assert hit is not None
    normal_along = 0.6 * hit.normal[0] + 0.8 * hit.normal[1]
    exact_x, exact_y = Fraction(position.x), Fraction(position.y)
    off = float((3 * exact_y - 4 * exact_x) / 5)
    assert normal_along == pytest.approx(-math.sqrt(1 - (off / 1e-3) ** 2), rel=1e-12)


@given(colliders, angles, st.integers(-64, 64), st.integers(-64, 64), st.floats(0, 6.3))
@settings(deadline=None)
def test_far_positions_cost_no_precision(collider: Collider, angle: float, i: int, j: int, heading: float) -> None:
    origin, direction = (i / 16, j / 16), (math.cos(heading), math.sin(heading))
    here = raycast(collider, Transform(0, 0, angle), origin, direction)
    far = 2.0**44
    there = raycast(collider, Transform(far, -far, angle), (far + origin[0], -far + origin[1]), direction)
    assert (here is None) == (there is None)
    if here is not None and there is not None:
        assert there.distance == here.distance
        assert there.normal == here.normal


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_tiny_and_huge(scale: float) -> None:
    triangle = PolygonCollider([(x * scale, y * scale) for x, y in TRIANGLE], radius=scale)
    hit = raycast(triangle, HERE, (-5 * scale, -0.6 * scale), (1, 0))
    assert hit is not None
    assert hit.distance == pytest.approx(4.2 * scale, rel=1e-14)
    assert hit.normal == pytest.approx((-0.8, -0.6))
    fan = raycast(FanCollider(2 * scale, 1e-9), HERE, (scale, -5 * scale), (0, 1))
    assert fan is not None
    assert fan.distance == pytest.approx(5 * scale, rel=1e-9)
