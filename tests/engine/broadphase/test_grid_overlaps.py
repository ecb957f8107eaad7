"""Boxes that are filed in a grid, and others that ask which of them they overlap, against all comparisons in numpy."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from test_grid_broadphase import SCENES, Boxes, each_its_own, one_point, swarm

from ecsphys.engine.broadphase.grid import Grid


def overlaps(queries: Boxes, boxes: Boxes) -> NDArray[np.int64]:
    """(query, box) of all that overlap or touch, in ascending order."""
    q, b = queries[:, None, :], boxes[None]
    meets = (q[..., :2] <= b[..., 2:]).all(axis=2) & (b[..., :2] <= q[..., 2:]).all(axis=2)
    asks = (queries[:, 0] <= queries[:, 2]) & (queries[:, 1] <= queries[:, 3])
    return np.argwhere(meets & asks[:, None] & ~np.isnan(boxes).any(axis=1))


def ascending(pairs: NDArray[np.int32]) -> NDArray[np.int32]:
    """Sorted by the second column alone where the first is in order already, as it is promised to be."""
    assert (np.diff(pairs[:, 0]) >= 0).all()
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]


def some_queries(rng: np.random.Generator, boxes: Boxes) -> Boxes:
    """Points, boxes as large as those filed, stripes over the whole world, and some that are out of any."""
    near = boxes[rng.integers(len(boxes), size=30)]
    points = near[:10, [0, 1, 0, 1]]
    centre = 0.5 * near[10:, :2] + 0.5 * near[10:, 2:]
    with np.errstate(all="ignore"):
        extents = rng.uniform(0, 4, (20, 2)) * np.nan_to_num(near[10:, 2:] - near[10:, :2], nan=1.0, posinf=1e300)
        sized = np.hstack([centre - extents, centre + extents])
        stripes = sized.copy()
        stripes[:10, [0, 2]] = [-math.inf, math.inf]
        stripes[10:, 1] = -1e300
    odd = [(-math.inf, -math.inf, math.inf, math.inf), (math.nan, 0, 1, 1), (0, 0, 1, math.nan), (1, 1, -1, -1)]
    far = [(1e15, 1e15, 1e15 + 4, 1e15 + 4), (-1e300, 0, -1e299, 1), (math.inf, math.inf, math.inf, math.inf)]
    return np.ascontiguousarray(np.vstack([points, sized, stripes, odd, far]))


@pytest.mark.parametrize("scene", SCENES)
def test_overlaps_of_filed_boxes_are_what_numpy_finds(scene: Callable[[np.random.Generator, int], Boxes]) -> None:
    grid = Grid()
    for seed, n in enumerate([1, 2, 10, 40, 100, 250, 700]):
        rng = np.random.default_rng(seed)
        boxes = scene(rng, n)
        queries = some_queries(rng, boxes)
        expected = overlaps(queries, boxes)
        for cell_size in (0.0, 1e-3, 1.0, 30.0):
            grid.file_boxes(boxes, cell_size)
            np.testing.assert_array_equal(ascending(grid.find_overlaps(queries)), expected)


corners = st.one_of(
    st.integers(-40, 40).map(lambda k: k / 4),
    st.sampled_from([math.nan, math.inf, -math.inf, 1e18, -1e18, 1e300, 5e-324]),
)
any_box = st.tuples(corners, corners, corners, corners)


@settings(max_examples=100, deadline=None)
@given(st.lists(any_box, max_size=30), st.lists(any_box, max_size=8), st.integers(-300, 300))
def test_any_boxes_at_any_scale(
    rows: list[tuple[float, float, float, float]], asked: list[tuple[float, float, float, float]], exponent: int
) -> None:
    with np.errstate(over="ignore"):
        boxes = np.array(rows).reshape(-1, 4) * 2.0**exponent
        queries = np.array(asked).reshape(-1, 4) * 2.0**exponent
    grid = Grid()
    grid.file_boxes(boxes)
    np.testing.assert_array_equal(ascending(grid.find_overlaps(queries)), overlaps(queries, boxes))


def test_a_query_that_only_touches_finds_and_one_a_bit_apart_does_not() -> None:
    grid = Grid()
    grid.file_boxes(np.array([(0.0, 0.0, 1.0, 1.0)]))
    for x, found in ((1.0, 1), (np.nextafter(1.0, 2.0), 0), (-1.0, 1), (np.nextafter(-1.0, -2.0), 0)):
        assert len(grid.find_overlaps(np.array([(x, 0.0, x + 1.0, 1.0)]))) == found
        assert len(grid.find_overlaps(np.array([(0.0, x, 1.0, x + 1.0)]))) == found


def test_nothing_is_found_in_a_grid_without_boxes() -> None:
    queries = np.array([(-math.inf, -math.inf, math.inf, math.inf)])
    grid = Grid()
    assert grid.find_overlaps(queries).shape == (0, 2)
    grid.file_boxes(np.zeros((0, 4)))
    assert grid.find_overlaps(queries).shape == (0, 2)
    grid.file_boxes(np.zeros((1, 4)))
    assert grid.find_overlaps(np.zeros((0, 4))).shape == (0, 2)


def test_overlaps_beyond_the_buffer_make_it_grow() -> None:
    boxes = one_point(np.random.default_rng(0), 300)
    grid = Grid()
    grid.file_boxes(boxes)
    found = grid.find_overlaps(boxes)
    np.testing.assert_array_equal(ascending(found), overlaps(boxes, boxes))
    assert len(found) == 300 * 300


def test_boxes_that_were_paired_are_filed_as_well() -> None:
    boxes = swarm(np.random.default_rng(1), 400)
    paired, filed = Grid(), Grid()
    pairs = paired.find_pairs(boxes, each_its_own(boxes)).copy()
    filed.file_boxes(boxes)
    queries = np.ascontiguousarray(boxes[::7])
    np.testing.assert_array_equal(paired.find_overlaps(queries), filed.find_overlaps(queries))
    np.testing.assert_array_equal(paired.find_pairs(boxes, each_its_own(boxes)), pairs)


def test_a_query_is_compared_with_the_boxes_in_the_cells_around_it_only() -> None:
    boxes = swarm(np.random.default_rng(2), 5000)
    grid = Grid()
    grid.file_boxes(boxes)
    query = np.array([(0.0, 0.0, 3.0, 3.0)])
    expected = len(grid.find_overlaps(query))
    around = overlaps(np.array([(-4.0, -4.0, 7.0, 7.0)]), boxes)[:, 1]
    # All others now lie over the query, but they are still filed elsewhere: what is looked at is found.
    grid.sorted_boxes[~np.isin(grid.order, around)] = (0.0, 0.0, 3.0, 3.0)
    assert len(grid.find_overlaps(query)) - expected < 100
