"""Too many colliders in one place: a clear error in time, and buffers that get smaller again."""

from __future__ import annotations

import tracemalloc

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import (
    AABBCollider,
    Bullet,
    CircleCollider,
    CollisionFilter,
    Physics,
    Priority,
    Transform,
    Velocity,
    spawn_many,
)
from ecsphys.engine.broadphase.grid import Grid, KeptGrid
from ecsphys.engine.broadphase.pairs import MOST_PAIRS, TooManyPairsError
from ecsphys.systems import BruteForceBroadphaseSystem, NarrowphaseSystem
from ecsphys.systems.effects.particles import ParticlePool

STEP = 1 / 60
HEAP = 3000


def heap(x: float, y: float, count: int = HEAP) -> np.ndarray:
    """Circles in one place, each of which overlaps all others."""
    return spawn_many(count, Transform.many(x=x, y=y), CircleCollider.many(radius=1.0))


def test_a_heap_is_refused_naming_its_place_before_any_hit_has_changed() -> None:
    physics = ecsphys.install()
    spawn_many(5000, Transform.many(x=10.0 * np.arange(5000)), CircleCollider.many(radius=1.0))
    pair = [esper.create_entity(Transform(-50.0 - x, 0.0), CircleCollider(1.0)) for x in (0.0, 1.0)]
    esper.process(STEP)
    assert len(physics.hits) == 1
    entities = heap(-7.0, 33.0)
    with pytest.raises(RuntimeError, match=r"entity \d+, near \(-7, 33\), overlaps 2,999 other boxes") as error:
        esper.process(STEP)
    named = int(str(error.value).split("entity ")[1].split(",")[0])
    assert named in entities
    assert physics.hits.has(*pair)
    assert len(physics.hits) == 1
    for place, entity in enumerate(entities.tolist()):
        esper.component_for_entity(entity, Transform).y = 33.0 + 3.0 * place
    esper.component_for_entity(pair[0], Transform).x = -200.0
    esper.process(STEP)
    assert len(physics.hits) == 0
    assert physics.hits.ended.reason.tolist() == ["separated"]


def test_a_heap_of_what_falls_asleep_is_refused_too() -> None:
    physics = ecsphys.install()
    entities = heap(0.0, 0.0, 100)
    for _ in range(8):
        esper.process(STEP)
    assert physics.debug.profile.counters["sleeping"] == 100
    more = heap(0.5, 0.0)
    for _ in range(8):
        with pytest.raises(RuntimeError, match="overlaps 3,099 other boxes"):
            esper.process(STEP)
    for entity in more.tolist():
        esper.delete_entity(entity, immediate=True)
    esper.process(STEP)
    assert len(physics.hits) == len(entities) * (len(entities) - 1) // 2


def test_brute_force_refuses_a_heap_too() -> None:
    physics = Physics()
    esper.add_processor(BruteForceBroadphaseSystem(physics), priority=Priority.BROADPHASE)
    esper.add_processor(NarrowphaseSystem(physics), priority=Priority.NARROWPHASE)
    heap(0.0, 0.0)
    with pytest.raises(RuntimeError, match="overlaps 2,999 other boxes"):
        esper.process(STEP)


def test_as_many_pairs_as_are_allowed_are_found_and_not_one_more() -> None:
    kept, grid = Grid(), Grid()
    side = 2048
    boxes = np.tile((0.0, 0.0, 1.0, 1.0), (side, 1))
    kept.file_boxes(boxes)
    everything = np.tile((-1.0, -1.0, 2.0, 2.0), (MOST_PAIRS // side, 1))
    assert len(kept.find_overlaps(everything)) == MOST_PAIRS
    with pytest.raises(TooManyPairsError):
        kept.find_overlaps(np.vstack((everything, boxes[:1])))
    asleep = KeptGrid(np.ascontiguousarray(kept.order), kept.tables)
    awake = np.arange(side, 2 * side, dtype=np.int32)
    with pytest.raises(TooManyPairsError):
        grid.find_pairs(boxes, np.arange(2 * side), awake=awake, kept=asleep)
    assert len(grid.find_pairs(boxes, np.arange(side))) == side * (side - 1) // 2


def test_queries_that_overlap_too_much_are_refused_naming_the_worst() -> None:
    physics = Physics()
    heap(0.0, 0.0)
    boxes = np.tile((50.0, 50.0, 51.0, 51.0), (1500, 1))
    boxes[50:] = (-1.0, -1.0, 1.0, 1.0)
    with pytest.raises(RuntimeError, match=r"the query in row \d+ overlaps 3,000 of 3,000"):
        physics.query_aabb_batch(boxes)
    with pytest.raises(RuntimeError, match="the 1,500 rays have more than"):
        physics.raycast_all_batch(np.tile((-5.0, 0.0), (1500, 1)), np.tile((1.0, 0.0), (1500, 1)))
    assert len(physics.query_aabb((-1.0, -1.0), (1.0, 1.0))) == HEAP


def test_batches_that_meet_little_of_a_large_heap_are_answered() -> None:
    physics = Physics()
    heap(0.0, 0.0)
    wall = esper.create_entity(Transform(), CircleCollider(0.5), CollisionFilter(layers=2))
    walls = CollisionFilter(mask=2)
    count = 1500  # times the heap it is more than MOST_PAIRS
    points = np.zeros((count, 2))
    assert physics.query_point_batch(points, filter=walls).entity.tolist() == [wall] * count
    boxes = np.hstack((points - 0.1, points + 0.1))
    assert physics.query_aabb_batch(boxes, filter=walls).entity.tolist() == [wall] * count


def test_bullets_with_too_much_on_their_ways_are_refused_with_nothing_changed() -> None:
    physics = ecsphys.install()
    spawn_many(
        3000,
        Transform.many(x=1.0 + np.arange(3000.0)),
        AABBCollider.many(half_width=0.1, half_height=9e3),
        Velocity.many(),
    )
    speed = 3600.0 / STEP
    bullets = spawn_many(
        1500,
        Transform.many(y=np.arange(1500.0)),
        Velocity.many(x=speed),
        CircleCollider.many(radius=0.1),
        Bullet.many(stop=False),
    )
    with pytest.raises(RuntimeError, match=r"the path of entity \d+, near .*, overlaps the boxes of 3,0\d\d colliders"):
        esper.process(STEP)
    assert len(physics.hits) == 0
    assert esper.component_for_entity(int(bullets[0]), Velocity).x == speed


def test_the_room_for_many_pairs_is_given_back_after_a_while() -> None:
    grid = Grid()
    crowd = np.tile((0.0, 0.0, 1.0, 1.0), (1500, 1))
    alone = crowd[:1]
    grid.find_pairs(alone, np.zeros(1, np.int64))
    tracemalloc.start()
    try:
        assert len(grid.find_pairs(crowd, np.arange(1500))) == 1500 * 1499 // 2
        held, _ = tracemalloc.get_traced_memory()
        for _ in range(100):
            assert len(grid.find_pairs(alone, np.zeros(1, np.int64))) == 0
        left, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held > 8_000_000
    assert left < 200_000
    assert len(grid.find_pairs(crowd, np.arange(1500))) == 1500 * 1499 // 2


def test_the_room_for_many_particles_is_given_back_after_a_while() -> None:
    pool = ParticlePool()
    tracemalloc.start()
    try:
        pool.add(100_000, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, np.arange(100_000))
        pool.keep(pool.now.style % 1000 == 0)
        held, _ = tracemalloc.get_traced_memory()
        for _ in range(100):
            pool.keep(np.ones(len(pool), np.bool_))
        left, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held > 7_000_000
    assert left < 200_000
    assert pool.now.style.tolist() == list(range(0, 100_000, 1000))
