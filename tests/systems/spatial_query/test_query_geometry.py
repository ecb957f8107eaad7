"""Queries of random worlds against the functions of ``ecsphys.geometry``, one collider after another."""

from __future__ import annotations

import math
from collections.abc import Iterator

import esper
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ecsphys import COLLIDER_CLASSES, AABBCollider, Collider, CompoundCollider, Physics, Transform, geometry
from ecsphys.demo.scenes.workloads.random_shapes import random_collider

Placed = tuple[int, int, int, Collider, Transform]
"""Entity, number of the collider's class, part, collider and transform: in the order in which ties are decided."""


@pytest.fixture(autouse=True)
def world() -> Iterator[None]:
    esper.switch_world("queries")
    yield
    esper.switch_world("default")
    esper.delete_world("queries")


def some_collider(rng: np.random.Generator, kind: int, size: float) -> Collider:
    collider = random_collider(rng, kind, size)
    assert isinstance(collider, Collider)
    return collider


def make_world(seed: int, count: int, far: float = 0.0, spread: float = 8.0) -> list[Placed]:
    """Entities with colliders of every kind, some with a compound, some sizes far from the others."""
    rng = np.random.default_rng(seed)
    placed: list[Placed] = []
    for number in range(count):
        x, y = (far + rng.uniform(-spread, spread, 2)).tolist()
        transform = Transform(x, y, rng.uniform(-4, 4))
        size = float(rng.choice([0.05, 0.6, 1.0, 1.4, 9.0], p=[0.1, 0.3, 0.3, 0.2, 0.1]))
        colliders = [some_collider(rng, kind, size) for kind in {number % 6, int(rng.integers(6))}]
        parts: list[Collider] = []
        if number % 4 == 0:
            parts = [some_collider(rng, int(rng.integers(6)), size) for _ in range(3)]
            for part in parts:
                part.offset_x, part.offset_y = rng.uniform(-1, 1, 2).tolist()
        entity = esper.create_entity(transform, *colliders, *([CompoundCollider(parts)] if parts else []))
        for place, collider in [*((-1, one) for one in colliders), *enumerate(parts)]:
            placed.append((entity, COLLIDER_CLASSES.index(type(collider)), place, collider, transform))
    return sorted(placed, key=lambda row: row[:3])


def number_of(part: int | None) -> int:
    """The number of a part as arrays have it."""
    return -1 if part is None else part


seeds = st.integers(0, 10_000)
fars = st.sampled_from([0.0, 0.0, 1e3, -1e7])


def some_point(rng: np.random.Generator, far: float, spread: float = 10.0) -> tuple[float, float]:
    x, y = (far + rng.uniform(-spread, spread, 2)).tolist()
    return x, y


@settings(max_examples=40, deadline=None)
@given(seeds, st.integers(0, 60), fars)
def test_points_and_boxes_and_shapes_are_in_what_geometry_says(seed: int, count: int, far: float) -> None:
    esper.clear_database()
    placed = make_world(seed, count, far)
    physics = Physics()
    rng = np.random.default_rng(seed + 1)
    points = [some_point(rng, far) for _ in range(10)]
    expected = [sorted({row[0] for row in placed if geometry.contains(row[3], row[4], point)}) for point in points]
    assert [physics.query_point(point) for point in points] == expected
    batch = physics.query_point_batch(points)
    assert [batch.entity[batch.query == k].tolist() for k in range(10)] == expected

    boxes = [(x, y, x + rng.uniform(0.1, 5), y + rng.uniform(0.1, 5)) for x, y in points]
    expected = []
    for min_x, min_y, max_x, max_y in boxes:
        box = AABBCollider((max_x - min_x) / 2, (max_y - min_y) / 2)
        centre = Transform((min_x + max_x) / 2, (min_y + max_y) / 2)
        expected.append(sorted({row[0] for row in placed if geometry.overlaps(row[3], row[4], box, centre)}))
    assert [physics.query_aabb(box[:2], box[2:]) for box in boxes] == expected
    found = physics.query_aabb_batch(boxes)
    assert [found.entity[found.query == k].tolist() for k in range(10)] == expected

    shape = some_collider(rng, seed % 6, 1.5)
    transforms = [(x, y, float(rng.uniform(-4, 4))) for x, y in points]
    expected = [
        sorted({row[0] for row in placed if geometry.overlaps(row[3], row[4], shape, Transform(*transform))})
        for transform in transforms
    ]
    assert [physics.query_shape(shape, Transform(*transform)) for transform in transforms] == expected
    found = physics.query_shape_batch(shape, transforms)
    assert [found.entity[found.query == k].tolist() for k in range(10)] == expected


@settings(max_examples=40, deadline=None)
@given(seeds, st.integers(0, 80), fars, st.sampled_from([3.0, 30.0, math.inf]))
def test_rays_meet_what_geometry_says(seed: int, count: int, far: float, reach: float) -> None:
    esper.clear_database()
    placed = make_world(seed, count, far)
    physics = Physics()
    rng = np.random.default_rng(seed + 2)
    origins = [some_point(rng, far) for _ in range(8)]
    directions = [(math.cos(a), math.sin(a)) for a in rng.uniform(-4, 4, 6)] + [(0.0, -2.0), (1e-3, 0.0)]
    first = physics.raycast_batch(origins, directions, reach)
    every = physics.raycast_all_batch(origins, directions, reach)
    for k, (origin, direction) in enumerate(zip(origins, directions, strict=True)):
        expected = []
        for number, (entity, _, part, collider, transform) in enumerate(placed):
            hit = geometry.raycast(collider, transform, origin, direction, reach)
            if hit is not None:
                expected.append((hit.distance, number, entity, type(collider), part, hit.point, hit.normal))
        expected.sort(key=lambda row: row[:2])
        hits = physics.raycast_all(origin, direction, reach)
        assert [(h.distance, h.entity, h.collider, number_of(h.part), h.point, h.normal) for h in hits] == [
            (row[0], *row[2:]) for row in expected
        ]
        assert physics.raycast(origin, direction, reach) == (hits[0] if hits else None)
        rows = every.query == k
        assert every.entity[rows].tolist() == [hit.entity for hit in hits]
        assert every.distance[rows].tolist() == [hit.distance for hit in hits]
        if hits:
            assert (first.entity[k], first.part[k], first.distance[k]) == (
                hits[0].entity,
                number_of(hits[0].part),
                hits[0].distance,
            )
            assert COLLIDER_CLASSES[first.collider[k]] is hits[0].collider
            assert (*first.point[k].tolist(),) == hits[0].point
            assert (*first.normal[k].tolist(),) == hits[0].normal
        else:
            assert (first.entity[k], first.collider[k], first.part[k], first.distance[k]) == (-1, -1, -1, reach)
            assert np.isnan(first.point[k]).all()
            assert np.isnan(first.normal[k]).all()


@settings(max_examples=40, deadline=None)
@given(seeds, st.integers(0, 60), fars, st.integers(1, 12), st.sampled_from([0.5, 6.0, math.inf]))
def test_the_nearest_are_those_geometry_says(seed: int, count: int, far: float, k: int, reach: float) -> None:
    esper.clear_database()
    placed = make_world(seed, count, far)
    physics = Physics()
    rng = np.random.default_rng(seed + 3)
    points = [some_point(rng, far, 10.0 if n else 200.0) for n in range(6)]
    batch = physics.nearest_batch(points, k, max_distance=reach)
    for number, point in enumerate(points):
        best: dict[int, tuple[float, int]] = {}
        for order, (entity, _, _, collider, transform) in enumerate(placed):
            distance = max(geometry.project_point(collider, transform, point)[1], 0.0)
            if distance <= reach:
                best[entity] = min(best.get(entity, (math.inf, 0)), (distance, order))
        expected = sorted((distance, entity, order) for entity, (distance, order) in best.items())[:k]
        found = physics.nearest(point, k, max_distance=reach)
        assert [(one.distance, one.entity) for one in found] == [row[:2] for row in expected]
        for one, (distance, _, order) in zip(found, expected, strict=True):
            assert (one.collider, number_of(one.part)) == (type(placed[order][3]), placed[order][2])
            nearest, _ = geometry.project_point(placed[order][3], placed[order][4], point)
            assert one.point == (point if distance == 0.0 else nearest)
        rows = batch.query == number
        assert batch.entity[rows].tolist() == [one.entity for one in found]
        assert batch.distance[rows].tolist() == [one.distance for one in found]


@settings(max_examples=30, deadline=None)
@given(seeds, st.integers(0, 40), st.sampled_from([0.0, 1e3]), st.sampled_from([0.0, 1.5, 25.0]))
def test_casts_stop_where_geometry_says_they_touch(seed: int, count: int, far: float, length: float) -> None:
    esper.clear_database()
    placed = make_world(seed, count, far)
    physics = Physics()
    rng = np.random.default_rng(seed + 4)
    mover = some_collider(rng, seed % 6, float(rng.choice([0.2, 1.0, 3.0])))
    starts = [(*some_point(rng, far), float(rng.uniform(-4, 4))) for _ in range(5)]
    ways = [(length * math.cos(a), length * math.sin(a)) for a in rng.uniform(-4, 4, 5)]
    batch = physics.shapecast_batch(mover, starts, ways)
    for k, (start, way) in enumerate(zip(starts, ways, strict=True)):
        hit = physics.shapecast(mover, Transform(*start), way)
        overlapped = [row for row in placed if geometry.overlaps(mover, Transform(*start), row[3], row[4])]
        if hit is None:
            assert batch.entity[k] == -1
            assert batch.fraction[k] == 1.0
            assert not overlapped
        else:
            assert (batch.entity[k], batch.part[k], batch.fraction[k]) == (
                hit.entity,
                number_of(hit.part),
                hit.fraction,
            )
            assert math.hypot(*hit.normal) == pytest.approx(1.0)
        if overlapped:
            assert hit is not None
            assert hit.fraction == 0.0
            continue
        # Free until the impact, and there as good as touching; a step farther into it overlaps.
        end = 1.0 if hit is None else hit.fraction
        for part in np.linspace(0.0, end, 6):
            at = Transform(start[0] + part * way[0], start[1] + part * way[1], start[2])
            for row in placed:
                found = geometry.contact(mover, at, row[3], row[4])
                assert found is None or found.depth < 1e-6
        if hit is not None:
            at = Transform(start[0] + end * way[0], start[1] + end * way[1], start[2])
            row = next(
                row
                for row in placed
                if (row[0], row[2], type(row[3])) == (hit.entity, number_of(hit.part), hit.collider)
            )
            assert geometry.closest_points(mover, at, row[3], row[4])[0] < 1e-6
            assert geometry.project_point(row[3], row[4], hit.point, solid=False)[1] == pytest.approx(0.0, abs=1e-6)
            assert hit.normal[0] * way[0] + hit.normal[1] * way[1] < 0.0
