"""Nothing is lost where what is found is just as much as a buffer holds, one less, or one more.

Buffers begin with room for a power of two and grow by parts of what was needed. So each test goes through all numbers
about the first capacity, and on through the next one.
"""

from __future__ import annotations

import math
from typing import Any

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import AABBCollider, Bullet, CircleCollider, Physics, Transform, Velocity, spawn_many
from ecsphys.components.collision.polygon_collider import VertexPool, pool_rows
from ecsphys.components.store.many import Many
from ecsphys.engine.broadphase.grid import NO_SLOTS, Grid, KeptGrid, find_pairs_grid
from ecsphys.engine.broadphase.pairs import BruteForce
from ecsphys.systems.effects.particles import ParticlePool

STEP = 1 / 60
AROUND_FIRST = range(1022, 1028)


def row_of_boxes(count: int) -> np.ndarray:
    """Boxes of which each overlaps the next: count − 1 pairs."""
    x = 1.5 * np.arange(count)
    return np.column_stack((x, np.zeros(count), x + 2.0, np.ones(count)))


def row_of_balls(count: int, *components: Many) -> None:
    """Balls from (10, 1.5) on, of which each hits the next; they are in the order of the grid's cells."""
    spawn_many(
        count, Transform.many(x=10.0 + 1.5 * np.arange(count), y=1.5), CircleCollider.many(radius=1.0), *components
    )


def test_a_row_of_boxes_has_all_its_pairs_at_every_number() -> None:
    grid, brute_force = Grid(), BruteForce()
    for count in (*range(1000, 1800), *range(3700, 3800)):
        boxes = row_of_boxes(count)
        pairs = grid.find_pairs(boxes, np.arange(count))
        assert len(pairs) == count - 1
        assert set(np.diff(pairs, axis=1).ravel().tolist()) == {1}
        if 1020 < count < 1030 or 1340 < count < 1360:
            assert len(brute_force.find_pairs(boxes, np.arange(count))) == count - 1


@pytest.mark.parametrize("apart", range(3))
def test_boxes_on_two_levels_and_without_one_have_all_their_pairs_at_every_number(apart: int) -> None:
    huge = np.array([(-1e6, -1e6, 1e6, 1e6), (-math.inf, -1.0, math.inf, 2.0), (-math.inf, 1e7, math.inf, 1e7)])
    elsewhere = row_of_boxes(apart + 1) + np.tile((0.0, 2e6), 2)
    grid = Grid()
    for count in range(330, 600):
        boxes = np.vstack((row_of_boxes(count), elsewhere, huge))
        pairs = grid.find_pairs(boxes, np.arange(len(boxes)))
        assert len(pairs) == 3 * count + apart
        assert len(set(map(tuple, pairs.tolist()))) == len(pairs)


def test_a_table_of_any_length_counts_all_pairs_and_holds_them_where_they_fit() -> None:
    grid, count = Grid(), 60
    boxes = row_of_boxes(count)
    bodies = np.arange(count)
    expected = grid.find_pairs(boxes, bodies).copy()
    grid.file_boxes(boxes)
    search: Any = find_pairs_grid
    arguments = grid.searching(boxes, bodies, NO_SLOTS, None)
    for length in range(1, count + 10):
        table = np.full((length, 2), -1, np.int32)
        found = search(*arguments[:-1], table)
        assert found == count - 1
        if found < length:
            assert np.array_equal(table[:found], expected)


def test_a_grid_finds_the_same_pairs_when_its_cells_have_been_of_another_size() -> None:
    grid, rng = Grid(), np.random.default_rng(5)
    low = rng.uniform(0, 30, (300, 2))
    for size in (1.0, 3.0, 1.0, 0.01, 3.0):
        boxes = np.hstack((low, low + size * rng.uniform(0.5, 1.0, (300, 2))))
        found = grid.find_pairs(boxes, np.arange(300))
        assert {tuple(pair) for pair in found.tolist()} == {
            tuple(pair) for pair in BruteForce().find_pairs(boxes, np.arange(300)).tolist()
        }


def test_queries_overlap_all_boxes_at_every_number() -> None:
    grid = Grid()
    everything = (-math.inf, -math.inf, math.inf, math.inf)
    nothing = (-math.inf, 5.0, math.inf, 6.0)
    for count in range(1000, 1800):
        grid.file_boxes(row_of_boxes(count))
        pairs = grid.find_overlaps(np.array((everything, nothing)))
        assert len(pairs) == count
        assert not pairs[:, 0].any()


def test_boxes_beside_others_at_rest_have_all_their_pairs_at_every_number() -> None:
    kept, grid = Grid(), Grid()
    x = 3.0 * np.arange(2000)
    sleeping = np.column_stack((x, np.zeros(2000), x + 2.0, np.ones(2000)))
    kept.file_boxes(np.vstack((sleeping, (-math.inf, 50.0, math.inf, 51.0))))
    asleep = KeptGrid(np.ascontiguousarray(kept.order), kept.tables)
    bodies = np.arange(4001)
    for count in range(1000, 1800):
        awake = np.arange(2001, 2001 + count, dtype=np.int32)
        boxes = np.ascontiguousarray(sleeping[:count] + 0.5)
        pairs = grid.find_pairs(boxes, bodies, awake=awake, kept=asleep)
        assert sorted(pairs[:, 0].tolist()) == list(range(count))
        assert len(pairs) == count


@pytest.mark.parametrize("count", AROUND_FIRST)
def test_a_row_of_moving_balls_has_all_its_hits(count: int) -> None:
    physics = ecsphys.install()
    row_of_balls(count, Velocity.many(x=1.0))
    for _ in range(2):
        esper.process(STEP)
        assert len(physics.hits) == count - 1


@pytest.mark.parametrize("count", AROUND_FIRST)
def test_a_row_of_resting_balls_has_all_its_hits(count: int) -> None:
    physics = ecsphys.install()
    row_of_balls(count)
    for _ in range(8):
        esper.process(STEP)
        assert len(physics.hits) == count - 1
    assert physics.debug.profile.counters["sleeping"] == count


def test_a_row_that_grows_ball_by_ball_has_all_its_hits() -> None:
    physics = ecsphys.install()
    row_of_balls(1020)
    for count in range(1020, 1400):
        esper.process(STEP)
        assert len(physics.hits) == count - 1
        esper.create_entity(Transform(10.0 + 1.5 * count, 1.5), CircleCollider(1.0))


@pytest.mark.parametrize("count", [255, 256, 257, 258, *AROUND_FIRST])
def test_queries_find_every_ball(count: int) -> None:
    physics = Physics()
    row_of_balls(count + 9)
    low, reach = 8.0, 1.5 * count + 0.25  # as far as the last but nine
    half = AABBCollider(0.5 * reach, 3.0)
    assert len(physics.query_shape(half, Transform(low + 0.5 * reach, 1.5))) == count
    assert len(physics.query_aabb((low, -3.0), (low + reach, 6.0))) == count
    middles = np.column_stack((10.0 + 1.5 * np.arange(count), np.full(count, 1.5)))
    assert len(physics.query_point_batch(middles).entity) == count
    assert len(physics.query_aabb_batch(np.hstack((middles - 0.2, middles + 0.2))).entity) == count
    assert len(physics.raycast_all((low, 1.5), (1.0, 0.0), reach)) == count
    assert len(physics.raycast_all_batch(middles - (0.0, 5.0), np.tile((0.0, 1.0), (count, 1))).entity) == count
    assert len(physics.nearest((low, 1.5), 2 * count, max_distance=reach)) == count
    for wanted in (count - 1, count, count + 1):
        assert len(physics.nearest((low, 1.5), wanted)) == wanted


@pytest.mark.parametrize("count", [255, 256, 257, *AROUND_FIRST])
def test_a_cast_meets_whichever_ball_it_may_of_many_candidates(count: int) -> None:
    physics = Physics()
    rng = np.random.default_rng(count)
    near = spawn_many(count, Transform.many(x=rng.uniform(0, 5, count)), CircleCollider.many(radius=1.0))
    far = rng.uniform(1000.0, 2000.0, (2, 50)) * rng.choice((-1.0, 1.0), (2, 50))
    spawn_many(50, Transform.many(x=far[0], y=far[1]), CircleCollider.many(radius=1.0))
    for target in near.tolist()[:: count // 250]:
        others = set(near.tolist()) - {target}
        hit = physics.shapecast(CircleCollider(300.0), Transform(400.0, 0.0), (-200.0, 0.0), ignore=others)
        assert hit is not None
        assert hit.entity == target


@pytest.mark.parametrize("velocity", [0.0, 1.0])
def test_a_bullet_reports_every_plate_on_its_way(velocity: float) -> None:
    physics = ecsphys.install()
    plates = 1022
    moving = (Velocity.many(y=velocity),) if velocity else ()
    spawn_many(
        plates, Transform.many(x=2.0 * np.arange(plates)), AABBCollider.many(half_width=0.1, half_height=9.0), *moving
    )
    beside = np.linspace(-50.0, 3e3, 90)
    spawn_many(90, Transform.many(x=beside, y=30.0), AABBCollider.many(half_width=0.1, half_height=9.0), *moving)
    for count in range(plates, plates + 5):
        bullet = esper.create_entity(
            Transform(-5.0, 0.0), Velocity(3000.0 / STEP, 0.0), CircleCollider(0.2), Bullet(stop=False)
        )
        esper.process(STEP)
        assert len(physics.hits.of(bullet)) == count
        esper.delete_entity(bullet, immediate=True)
        esper.create_entity(Transform(2.0 * count, 0.0), AABBCollider(0.1, 9.0), *((Velocity(),) if velocity else ()))


@pytest.mark.parametrize("count", [255, 256, 257, 511, 512, 513])
def test_a_pool_of_particles_keeps_all(count: int) -> None:
    pool = ParticlePool()
    for number in range(count):
        pool.add(1, float(number), 0.0, 0.0, 1.0, 0.0, 0.0, number)
    np.testing.assert_array_equal(pool.now.style, np.arange(count))
    np.testing.assert_array_equal(pool.now.position[:, 0], np.arange(count))


def test_a_pool_of_vertices_keeps_all_where_it_is_just_full() -> None:
    pool = VertexPool()
    square = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    forms = [square] * 63 + [square[:3], square, square[:3], square]
    starts = [pool.allocate(len(form)) for form in forms]
    for start, form in zip(starts, forms, strict=True):
        pool.put(start, pool_rows(form))
    assert [pool.read(start, len(form)) for start, form in zip(starts, forms, strict=True)] == forms
