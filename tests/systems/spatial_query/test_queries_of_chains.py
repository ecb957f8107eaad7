"""Queries find a chain as plain formulas say of its segments, one by one."""

from __future__ import annotations

import math

import esper
import numpy as np
import pytest
from numpy.typing import NDArray

import ecsphys
from ecsphys import ChainCollider, CircleCollider, Physics, Transform

Floats = NDArray[np.float64]

COUNT = 50


def zigzag(random: np.random.Generator) -> list[tuple[float, float]]:
    """Points of a line with sharp and flat turns, parts of it straight, one that turns back."""
    heights = random.uniform(-2, 2, 24)
    heights[5:9] = heights[5]
    points = [(float(x), float(y)) for x, y in zip(range(24), heights, strict=True)]
    return [*points, (22.0, heights[-1] + 1), (23.5, heights[-1] + 1.5), (22.75, heights[-1] + 1.25)]


def in_world(points: list[tuple[float, float]], place: Transform) -> Floats:
    """Ends of the segments, (n, 2, 2), in the world."""
    c, s = math.cos(place.angle), math.sin(place.angle)
    turned = np.array(points) @ np.array(((c, s), (-s, c))) + (place.x, place.y)
    return np.stack((turned[:-1], turned[1:]), axis=1)


def distance(segments: Floats, x: float, y: float) -> float:
    """From a point to the nearest of some segments."""
    start, along = segments[:, 0], segments[:, 1] - segments[:, 0]
    t = (((x, y) - start) * along).sum(axis=1) / (along**2).sum(axis=1)
    nearest = start + np.clip(t, 0, 1)[:, None] * along
    return float(np.hypot(*(nearest - (x, y)).T).min())


def first_hit(segments: Floats, origin: Floats, direction: Floats, radius: float) -> float:
    """How far a point moves along a unit vector until it is at a radius from a segment; infinity if it never is."""
    best = math.inf
    for a, b in segments:
        along = (b - a) / math.hypot(*(b - a))
        normal = np.array((-along[1], along[0]))
        for side in (-1.0, 1.0) if radius else (0.0,):
            rate = float(direction @ normal)
            if rate:
                t = (side * radius - float((origin - a) @ normal)) / rate
                at = float((origin + t * direction - a) @ along)
                if t >= 0 and 0 <= at <= math.hypot(*(b - a)):
                    best = min(best, t)
        for end in (a, b) if radius else ():
            half = float((origin - end) @ direction)
            root = half * half - float((origin - end) @ (origin - end)) + radius * radius
            if root > 0 and -half - math.sqrt(root) >= 0:
                best = min(best, -half - math.sqrt(root))
    return best


@pytest.fixture
def fresh() -> Physics:
    return ecsphys.install()


@pytest.mark.parametrize("radius", [0.0, 0.2])
@pytest.mark.parametrize("place", [Transform(), Transform(3, -2, 0.7), Transform(1e7, -1e7)])
def test_queries_agree_with_its_segments(fresh: Physics, radius: float, place: Transform) -> None:
    random = np.random.default_rng(3)
    points = zigzag(random)
    place = Transform(place.x, place.y, place.angle)
    esper.create_entity(place, ChainCollider(points, radius=radius))
    segments = in_world(points, place)
    segments -= (place.x, place.y)
    shift = np.array((place.x, place.y))
    low, high = segments.reshape(-1, 2).min(axis=0) - 3, segments.reshape(-1, 2).max(axis=0) + 3
    starts = random.uniform(low, high, (COUNT, 2))
    turns = random.uniform(0, math.tau, COUNT)
    ways = np.column_stack((np.cos(turns), np.sin(turns)))
    sizes = random.uniform(0.05, 1.0, COUNT)
    # As fine as coordinates are.
    error = 1e-9 if abs(place.x) < 1e3 else 1e-6
    rays = fresh.raycast_batch(starts + shift, ways, 40.0)
    for k, (start, way, size) in enumerate(zip(starts, ways, sizes.tolist(), strict=True)):
        at = Transform(*(start + shift))
        apart = distance(segments, *start)
        if apart > radius + error:
            expected = first_hit(segments, start, way, radius)
            assert min(rays.distance[k], 40) == pytest.approx(min(expected, 40), abs=error, rel=1e-6)
        if abs(apart - radius) > error:
            assert bool(fresh.query_point((at.x, at.y))) == (apart < radius)
        (nearest,) = fresh.nearest((at.x, at.y), k=1)
        assert nearest.distance == pytest.approx(max(apart - radius, 0), abs=error)
        if abs(apart - radius - size) > error:
            assert bool(fresh.query_shape(CircleCollider(size), at)) == (apart < radius + size)
        if apart > radius + size + error:
            swept = fresh.shapecast(CircleCollider(size), at, 20 * way)
            expected = first_hit(segments, start, way, radius + size)
            assert (20 if swept is None else 20 * swept.fraction) == pytest.approx(min(expected, 20), abs=1e-5)


def test_no_ray_slips_through_a_joint(fresh: Physics) -> None:
    points = [(0.1 * k, 0.3 * math.sin(k)) for k in range(40)]
    ground = esper.create_entity(Transform(0.3, 0.7), ChainCollider(points))
    for x, y in points[1:-1]:
        hit = fresh.raycast((x + 0.3, y + 5.7), (0, -1))
        assert hit is not None
        assert hit.entity == ground
        assert hit.distance == pytest.approx(5)
        for way in ((0.3, -1), (-0.5, -1), (1, 3)):
            start = (x + 0.3 - way[0], y + 0.7 - way[1])
            assert fresh.raycast(start, way, 5.0) is not None


def test_one_side_is_met_from_its_front_alone(fresh: Physics) -> None:
    esper.create_entity(Transform(), ChainCollider([(0, 0), (4, 0)], side="left"))
    right = esper.create_entity(Transform(10, 0), ChainCollider([(0, 0), (4, 0)], side="right", radius=0.1))
    from_front = fresh.raycast((2, 3), (0, -1))
    assert from_front is not None
    assert from_front.normal == (0, 1)
    assert fresh.raycast((2, -3), (0, 1)) is None
    assert fresh.raycast((12, 3), (0, -1)) is None
    assert [hit.entity for hit in fresh.raycast_all((12, -3), (0, 1))] == [right]
    ball = CircleCollider(0.5)
    swept = fresh.shapecast(ball, Transform(2, 3), (0, -9))
    assert swept is not None
    assert swept.fraction == pytest.approx(2.5 / 9)
    assert fresh.shapecast(ball, Transform(2, -3), (0, 9)) is None
    # What is there at all does not depend on the side.
    assert len(fresh.query_shape(ball, Transform(2, -0.2))) == 1
    assert fresh.nearest((2, -1))[0].distance == 1


def test_a_chain_has_no_inside(fresh: Physics) -> None:
    esper.create_entity(Transform(), ChainCollider([(0, 0), (4, 0), (4, 4), (0, 4)], closed=True))
    assert fresh.query_point((2, 2)) == []
    assert fresh.query_aabb((1, 1), (3, 3)) == []
    assert fresh.query_aabb((1, -1), (3, 1)) != []
    assert [hit.distance for hit in fresh.raycast_all((2, 2), (1, 0))] == [2]
    with pytest.raises(TypeError, match="ChainCollider"):
        fresh.query_shape(ChainCollider([(0, 0), (4, 0)]), Transform())  # type: ignore[arg-type]
