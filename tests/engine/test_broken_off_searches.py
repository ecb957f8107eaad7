"""An interrupt, or a want of memory, at any line of a search: the next one is right."""

from __future__ import annotations

from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np
import pytest
from interrupted_lines import Interrupt, interrupted_at

import ecsphys
from ecsphys import CircleCollider, Physics, Transform, spawn_many
from ecsphys.engine.broadphase.grid import Grid
from ecsphys.engine.broadphase.pairs import BruteForce
from ecsphys.systems.effects.particles import ParticlePool

_FILES = (
    "broadphase/grid.py",
    "broadphase/pairs.py",
    "searched_world.py",
    "capacity.py",
    "collider_placing.py",
    "spatial_query/search.py",
)


def is_searching(frame: FrameType) -> bool:
    return frame.f_code.co_filename.endswith(_FILES)


def boxes_of(count: int, seed: int, spread: float) -> np.ndarray:
    rng = np.random.default_rng(seed)
    low = rng.uniform(0.0, spread, (count, 2))
    return np.ascontiguousarray(np.hstack((low, low + rng.choice((0.5, 1.0, 30.0), (count, 2)))))


def pairs_of(broadphase: Grid | BruteForce, boxes: np.ndarray) -> list[Any]:
    return sorted(map(tuple, broadphase.find_pairs(boxes, np.arange(len(boxes))).tolist()))


# Small and large by turns, so that buffers grow, and sparse and dense.
WORLDS = [
    boxes_of(count, seed, spread) for seed, (count, spread) in enumerate(((30, 20.0), (700, 60.0), (1500, 300.0)))
]
EXPECTED = [pairs_of(BruteForce(), boxes) for boxes in WORLDS]
EVERYTHING = np.array([(-1e9, -1e9, 1e9, 1e9)])


def is_whole_or_empty(grid: Grid) -> bool:
    found = grid.find_overlaps(EVERYTHING)
    return len(found) in (0, *map(len, WORLDS))


@pytest.mark.parametrize("then", range(len(WORLDS)))
def test_a_grid_that_was_interrupted_anywhere_is_right_at_the_next_call(then: int) -> None:
    line = 0
    ended = False
    while not ended:
        line += 1
        grid = Grid()
        assert pairs_of(grid, WORLDS[0]) == EXPECTED[0]
        try:
            with interrupted_at(line, is_searching):
                grid.find_pairs(WORLDS[1], np.arange(len(WORLDS[1])))
            ended = True
        except Interrupt:
            pass
        assert is_whole_or_empty(grid)
        assert pairs_of(grid, WORLDS[then]) == EXPECTED[then]
    assert line > 20


def test_a_grid_that_had_no_memory_for_any_of_its_buffers_is_right_at_the_next_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for failing in range(1, 20):
        grid = Grid()
        pairs_of(grid, WORLDS[0])
        left = failing

        def fails(allocate: Callable[..., Any]) -> Callable[..., Any]:
            def allocated(*arguments: Any) -> Any:
                nonlocal left
                left -= 1
                if left == 0:
                    raise MemoryError
                return allocate(*arguments)

            return allocated

        with monkeypatch.context() as patch:
            patch.setattr(np, "empty", fails(np.empty))
            patch.setattr(np, "zeros", fails(np.zeros))
            try:
                pairs_of(grid, WORLDS[1])
                break
            except MemoryError:
                pass
        assert is_whole_or_empty(grid)
        for boxes, expected in zip(WORLDS, EXPECTED, strict=True):
            assert pairs_of(grid, boxes) == expected
    assert failing > 5


def test_queries_that_were_interrupted_anywhere_are_right_at_the_next_call() -> None:
    spawn_many(600, Transform.many(x=1.5 * np.arange(600)), CircleCollider.many(radius=1.0))
    physics = Physics()
    column = Transform.column("y")
    _, rows = ecsphys.join(Transform)
    line = 0
    ended = False
    while not ended:
        line += 1
        column[rows] = line % 7  # of this world only: other tests' transforms are in the column too
        physics.settings.cell_size = float(1 + line % 3)
        try:
            with interrupted_at(line, is_searching):
                physics.query_aabb((-5.0, line % 7 - 1.0), (2000.0, line % 7 + 1.0))
            ended = True
        except Interrupt:
            pass
        physics.settings.cell_size = None
        assert len(physics.query_aabb((-5.0, line % 7 - 1.0), (2000.0, line % 7 + 1.0))) == 600
        assert physics.raycast((-9.0, float(line % 7)), (1.0, 0.0)) is not None
    assert line > 40


def test_a_pool_of_particles_that_had_no_memory_to_grow_is_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    for failing in range(1, 8):
        pool = ParticlePool()
        pool.add(200, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, np.arange(200))
        left = failing

        def fails(*arguments: Any, allocate: Callable[..., Any] = np.empty) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                raise MemoryError
            return allocate(*arguments)

        with monkeypatch.context() as patch:
            patch.setattr(np, "empty", fails)
            with pytest.raises(MemoryError):
                pool.add(200, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 7)
        pool.add(100, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 7)
        assert pool.now.style.tolist() == [*range(200), *[7] * 100]
