"""Both broadphases against all comparisons at once in numpy."""

from __future__ import annotations

import itertools
import math
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ecsphys.engine.broadphase import cells
from ecsphys.engine.broadphase import grid as grid_module
from ecsphys.engine.broadphase import pairs as searches
from ecsphys.engine.broadphase.grid import Grid, KeptGrid
from ecsphys.engine.broadphase.pairs import BruteForce

Boxes = NDArray[np.float64]
Bodies = NDArray[np.int64]


def level_count(grid: Grid) -> int:
    """Levels in which there is a box."""
    return int(np.count_nonzero(grid.tables.integers[:, cells.COUNT]))


def overlapping(boxes: Boxes, bodies: Bodies) -> NDArray[np.int64]:
    """Pairs by comparing everything with everything, in ascending order."""
    columns = boxes[:, :, None]
    x_overlap = (columns[:, 0] <= columns[:, 2].T) & (columns[:, 2] >= columns[:, 0].T)
    y_overlap = (columns[:, 1] <= columns[:, 3].T) & (columns[:, 3] >= columns[:, 1].T)
    whole = ~np.isnan(boxes).any(axis=1, keepdims=True)
    hit = x_overlap & y_overlap & whole & whole.T & (bodies[:, None] != bodies[None])
    return np.argwhere(np.triu(hit, 1))


def ascending(pairs: NDArray[Any]) -> NDArray[Any]:
    """Pairs, which have the lower body first, by their indices."""
    pairs = np.sort(pairs, axis=1)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def boxes_at(centers: Boxes, extents: Boxes) -> Boxes:
    return np.ascontiguousarray(np.hstack([centers - extents / 2, centers + extents / 2]))


def each_its_own(boxes: Boxes) -> Bodies:
    return np.arange(len(boxes))


def swarm(rng: np.random.Generator, n: int) -> Boxes:
    return boxes_at(rng.uniform(-1, 1, (n, 2)) * math.sqrt(n), rng.uniform(0.8, 1.6, (n, 2)))


def crowd(rng: np.random.Generator, n: int) -> Boxes:
    return boxes_at(rng.normal(0, 2, (n, 2)), rng.uniform(0, 1, (n, 2)))


def giants(rng: np.random.Generator, n: int) -> Boxes:
    extents = rng.uniform(0.8, 1.6, (n, 2))
    extents[::40] *= 1000
    return boxes_at(rng.uniform(-1, 1, (n, 2)) * 3 * math.sqrt(n), extents)


def floors_and_walls(rng: np.random.Generator, n: int) -> Boxes:
    extents = rng.uniform(0.8, 1.6, (n, 2))
    extents[::40, 0] *= 1000
    extents[20::40, 1] *= 50
    return boxes_at(rng.uniform(-1, 1, (n, 2)) * 10 * math.sqrt(n), extents)


def all_sizes(rng: np.random.Generator, n: int) -> Boxes:
    extents = 10.0 ** rng.uniform(-2, 1, (n, 1)) * rng.uniform(0.1, 1, (n, 2))
    return boxes_at(rng.uniform(-1, 1, (n, 2)) * math.sqrt(n), extents)


def beyond_all_levels(rng: np.random.Generator, n: int) -> Boxes:
    extents = 10.0 ** rng.integers(-150, 150, (n, 1)) * rng.uniform(0.1, 1, (n, 2))
    return boxes_at(rng.uniform(-1, 1, (n, 2)) * np.roll(extents, 1, 0), extents)


def distant_clusters(rng: np.random.Generator, n: int) -> Boxes:
    return boxes_at(rng.integers(-1, 2, (n, 2)) * 1e12 + rng.uniform(-6, 6, (n, 2)), rng.uniform(0.5, 1, (n, 2)))


def magnitudes(rng: np.random.Generator, n: int) -> Boxes:
    """Everywhere, with extents of a few units in the last place of the coordinates."""
    centers = rng.choice([-1, 1], (n, 2)) * 10.0 ** rng.integers(0, 17, (n, 1)) * rng.choice([1, 1 + 1e-15], (n, 2))
    return boxes_at(centers, np.abs(centers).max(1, keepdims=True) * rng.uniform(0, 2e-15, (n, 2)))


def lattice(rng: np.random.Generator, n: int) -> Boxes:
    """Corners on whole numbers: most boxes only touch."""
    low = rng.integers(-10, 10, (n, 2))
    return np.hstack([low, low + rng.integers(0, 3, (n, 2))]).astype(float)


def points(rng: np.random.Generator, n: int) -> Boxes:
    return boxes_at(rng.integers(-5, 5, (n, 2)).astype(float), np.zeros((n, 2)))


def one_point(rng: np.random.Generator, n: int) -> Boxes:
    return boxes_at(np.full((n, 2), -3.7), rng.uniform(0, 1, (n, 2)))


def strip(rng: np.random.Generator, n: int) -> Boxes:
    return boxes_at(rng.uniform(0, 1, (n, 2)) * [1.5 * n, 2], rng.uniform(0.8, 1.6, (n, 2)))


def tower(rng: np.random.Generator, n: int) -> Boxes:
    return np.ascontiguousarray(strip(rng, n)[:, [1, 0, 3, 2]])


def broken(rng: np.random.Generator, n: int) -> Boxes:
    boxes = swarm(rng, n)
    values = [math.nan, math.inf, -math.inf, 1e308, -1e308, 5e-324]
    for _ in range(n // 6):
        boxes[rng.integers(n), rng.integers(4)] = values[rng.integers(len(values))]
    return boxes


SCENES = [
    swarm,
    crowd,
    giants,
    floors_and_walls,
    all_sizes,
    beyond_all_levels,
    distant_clusters,
    magnitudes,
    lattice,
    points,
    one_point,
    strip,
    tower,
    broken,
]


@pytest.mark.parametrize("scene", SCENES)
def test_grid_and_brute_force_find_what_numpy_finds(scene: Callable[[np.random.Generator, int], Boxes]) -> None:
    grid, brute_force = Grid(), BruteForce()
    for seed, n in enumerate([0, 1, 2, 3, 10, 40, 40, 100, 250, 250, 700]):
        rng = np.random.default_rng(seed)
        boxes = scene(rng, n)
        bodies = rng.integers(0, 1 + n // 2, n) if seed % 2 else each_its_own(boxes)
        expected = overlapping(boxes, bodies)
        # The default, far too small, about right, and too large a cell.
        for cell_size in (0.0, 1e-3, 1.0, 30.0):
            pairs = grid.find_pairs(boxes, bodies, cell_size)
            assert (bodies[pairs[:, 0]] < bodies[pairs[:, 1]]).all()
            np.testing.assert_array_equal(ascending(pairs), expected)
        np.testing.assert_array_equal(brute_force.find_pairs(boxes, bodies), expected)


quarters = st.integers(-40, 40).map(lambda k: k / 4)
some_boxes = st.lists(
    st.tuples(quarters, quarters, st.sampled_from([0.0, 0.25, 1.0, 4.0, 7.5]), st.sampled_from([0.0, 0.25, 1.0, 20.0])),
    max_size=40,
)


@settings(max_examples=80, deadline=None)
@given(some_boxes, st.integers(-300, 300), st.sampled_from([0.0, 0.3, 1.0, 5.0]), st.integers(1, 12))
def test_any_boxes_at_any_scale(
    rows: list[tuple[float, float, float, float]], exponent: int, cell_size: float, owners: int
) -> None:
    boxes = np.array([(x, y, x + w, y + h) for x, y, w, h in rows]).reshape(-1, 4) * 2.0**exponent
    bodies = np.arange(len(boxes)) % owners
    pairs = Grid().find_pairs(boxes, bodies, cell_size * 2.0**exponent)
    np.testing.assert_array_equal(ascending(pairs), overlapping(boxes, bodies))


def test_boxes_that_touch_are_a_pair_and_boxes_a_bit_apart_are_none() -> None:
    apart = np.nextafter(1.0, 2.0)
    for x, y in itertools.product((1.0, apart, -1.0, -apart, 0.0), repeat=2):
        boxes = np.array([(0.0, 0.0, 1.0, 1.0), (x, y, x + 1.0, y + 1.0)])
        touching = abs(x) <= 1.0 and abs(y) <= 1.0
        for broadphase in (Grid(), BruteForce()):
            assert len(broadphase.find_pairs(boxes, each_its_own(boxes))) == touching


def test_slabs_over_so_many_cells_that_their_rows_share_buckets() -> None:
    rng = np.random.default_rng(0)
    grid = Grid()
    for height in (12.0, 20.0, 33.0):
        extents = rng.uniform(0.8, 1.0, (1000, 2))
        extents[:5] = [1100.0 / height, height]
        boxes = boxes_at(rng.uniform(-20, 20, (1000, 2)), extents)
        pairs = grid.find_pairs(boxes, each_its_own(boxes))
        np.testing.assert_array_equal(ascending(pairs), overlapping(boxes, each_its_own(boxes)))
        assert level_count(grid) == 2


def test_rounding_does_not_part_boxes_that_touch_a_whole_cell_apart() -> None:
    # Extents of which the period is nearly a whole multiple, so that the cell could be the extent; and min corners just
    # below a power of two of them, where the next one's coordinate is rounded more coarsely.
    grid = Grid()
    for parts, exponent, steps in itertools.product(range(1025, 2048, 11), range(1, 30), range(3)):
        extent = 2.0**11 / parts
        x = 2.0**exponent * extent
        for _ in range(steps):
            x = np.nextafter(x, -math.inf)
        boxes = np.array([(x, 0.0, x + extent, 0.0), (x + extent, 0.0, x + 1.5 * extent, 0.0)])
        assert len(grid.find_pairs(boxes, each_its_own(boxes), extent)) == 1


def test_the_order_of_pairs_is_a_function_of_the_boxes_alone() -> None:
    fresh, used = Grid(), Grid()
    for seed, scene in enumerate(SCENES):
        boxes = scene(np.random.default_rng(seed), 300)
        pairs = used.find_pairs(boxes, each_its_own(boxes)).copy()
        np.testing.assert_array_equal(pairs, Grid().find_pairs(boxes, each_its_own(boxes)))
        np.testing.assert_array_equal(pairs, fresh.find_pairs(boxes, each_its_own(boxes)))


@pytest.mark.parametrize("exponent", [-800, -60, 60, 800])
def test_scaling_by_a_power_of_two_changes_nothing_not_even_the_order(exponent: int) -> None:
    boxes = giants(np.random.default_rng(0), 500)
    grid = Grid()
    pairs = grid.find_pairs(boxes, each_its_own(boxes)).copy()
    cell_size = grid.cell_size
    np.testing.assert_array_equal(pairs, grid.find_pairs(boxes * 2.0**exponent, each_its_own(boxes)))
    assert grid.cell_size == cell_size * 2.0**exponent


def test_the_cell_fits_the_bulk_and_ignores_giants() -> None:
    rng = np.random.default_rng(1)
    grid = Grid()
    boxes = swarm(rng, 2000)
    grid.find_pairs(boxes, each_its_own(boxes))
    assert 1.59 < grid.cell_size < 1.6 * 1.005
    assert level_count(grid) == 1
    assert 500 < grid.cell_count <= 2000
    boxes[:10, 2:] += [1000.0, 1.0]
    grid.find_pairs(boxes, each_its_own(boxes))
    assert 1.59 < grid.cell_size < 1.6 * 1.005
    assert level_count(grid) == 2


def test_bullets_among_enemies_get_a_cell_of_their_own() -> None:
    rng = np.random.default_rng(2)
    extents = np.full((2000, 2), 0.1)
    extents[:100] = 2.0
    boxes = boxes_at(rng.uniform(-50, 50, (2000, 2)), extents)
    grid = Grid()
    grid.find_pairs(boxes, each_its_own(boxes))
    assert grid.cell_size == pytest.approx(0.1, rel=0.01)
    assert level_count(grid) == 2


def test_a_given_cell_size_is_kept() -> None:
    boxes = swarm(np.random.default_rng(3), 100)
    grid = Grid()
    for cell_size in (0.01, 1.0, 7.3, 1e6):
        grid.find_pairs(boxes, each_its_own(boxes), cell_size)
        assert cell_size <= grid.cell_size <= cell_size * 1.002


def test_infinite_boxes_overlap_everything_and_nan_nothing() -> None:
    boxes = swarm(np.random.default_rng(4), 50)
    boxes[7] = [-math.inf, -math.inf, math.inf, math.inf]
    boxes[9] = math.nan
    pairs = {tuple(pair) for pair in Grid().find_pairs(boxes, each_its_own(boxes)).tolist()}
    assert {pair for pair in pairs if 7 in pair} == {(min(7, k), max(7, k)) for k in range(50) if k not in (7, 9)}
    assert not any(9 in pair for pair in pairs)


def test_pairs_beyond_the_buffer_make_it_grow() -> None:
    boxes = one_point(np.random.default_rng(5), 300)
    for broadphase in (Grid(), BruteForce()):
        pairs = broadphase.find_pairs(boxes, each_its_own(boxes))
        assert len(np.unique(pairs, axis=0)) == len(pairs) == 300 * 299 // 2


def test_a_steady_frame_allocates_no_arrays() -> None:
    boxes = giants(np.random.default_rng(6), 5000)
    bodies = each_its_own(boxes)
    for broadphase in (Grid(), BruteForce()):
        first = broadphase.find_pairs(boxes, bodies)
        tracemalloc.start()
        try:
            second = broadphase.find_pairs(boxes, bodies)
            assert tracemalloc.get_traced_memory()[1] < 2000
        finally:
            tracemalloc.stop()
        assert np.shares_memory(first, second)


def test_more_boxes_than_the_largest_table_has_buckets_for() -> None:
    side = 730
    low = np.stack(np.meshgrid(np.arange(side), np.arange(side)), axis=-1).reshape(-1, 2).astype(float)
    boxes = np.hstack([low, low + 1.0])
    pairs = Grid().find_pairs(boxes, each_its_own(boxes)).astype(np.int64)
    # Right, above, and the two diagonals.
    assert len(pairs) == 2 * side * (side - 1) + 2 * (side - 1) ** 2
    assert len(np.unique(pairs[:, 0] * side * side + pairs[:, 1])) == len(pairs)


@pytest.mark.parametrize("scene", SCENES)
def test_pairs_beside_boxes_at_rest_are_what_brute_force_finds(
    scene: Callable[[np.random.Generator, int], Boxes],
) -> None:
    """Also of boxes that are inside out, infinite, or have a NaN."""
    kept, grid = Grid(), Grid()
    for seed, count in enumerate((10, 100, 700, 1900)):
        rng = np.random.default_rng(seed)
        boxes = np.ascontiguousarray(scene(rng, count))
        is_awake = rng.random(count) < rng.choice((0.2, 0.9))
        awake, at_rest = np.flatnonzero(is_awake).astype(np.int32), np.flatnonzero(~is_awake)
        kept.file_boxes(boxes[at_rest])
        asleep = KeptGrid(at_rest[kept.order].astype(np.uint32), kept.tables)
        pairs = grid.find_pairs(boxes[awake], each_its_own(boxes), awake=awake, kept=asleep).astype(np.int64)
        expected = overlapping(boxes, each_its_own(boxes))
        np.testing.assert_array_equal(ascending(pairs), expected[is_awake[expected].any(axis=1)])


def test_a_box_of_what_is_gone_is_not_compared_with_those_at_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Grid()
    kept.file_boxes(np.array([(k, 0.0, k + 1.0, 1.0) for k in range(50)]))
    walked: list[int] = []

    def walk(proxy: int, box: Any, level: int, grid: Any, order: Any, pairs: Any, found: int) -> int:
        walked.append(proxy)
        return found

    monkeypatch.setattr(searches, "walk_level", walk)
    boxes = np.array([(math.nan,) * 4, (3.0, 0.0, 4.0, 1.0)])
    awake, pairs = np.array((60, 61), np.int32), np.zeros((100, 2), np.int32)
    grid_module.find_beside(boxes, awake, KeptGrid(kept.order.copy(), kept.tables), pairs, 0)
    assert walked == [61]
