"""The outlines and boxes of chosen tiles: exactly these, with no seam inside."""

from __future__ import annotations

import numpy as np
import pytest

from ecsphys import AABBCollider
from ecsphys.components.effects.scrolling import outlines, rectangles
from ecsphys.effects import TileMap


@pytest.mark.parametrize("seed", range(12))
def test_outlines_and_rectangles_are_of_exactly_the_chosen_tiles(seed: int) -> None:
    random = np.random.default_rng(seed)
    chosen = random.random((7, 9)) < (0.2, 0.5, 0.8)[seed % 3]
    framed = np.pad(chosen, 1)
    edges = set()
    area = 0.0
    for line in outlines(chosen):
        x, y = np.array(line).T
        area += 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1))
        for (ax, ay), (bx, by) in zip(line, [*line[1:], line[0]], strict=True):
            step = np.sign((bx - ax, by - ay))
            assert abs(step).sum() == 1
            for k in range(abs(bx - ax) + abs(by - ay)):
                px, py = ax + k * step[0], ay + k * step[1]
                assert (px, py, *step) not in edges
                edges.add((px, py, *step))
                # The tiles to the left and to the right of the middle of the edge.
                middle = np.array((px + 0.5 * step[0], py + 0.5 * step[1]))
                left, right = (np.floor(middle + side * np.array((-step[1], step[0]))) for side in (0.5, -0.5))
                assert framed[int(left[1]) + 1, int(left[0]) + 1]
                assert not framed[int(right[1]) + 1, int(right[0]) + 1]
        turns = [
            (line[k][0] == line[k - 1][0]) != (line[(k + 1) % len(line)][0] == line[k][0]) for k in range(len(line))
        ]
        assert all(turns)
    assert area == chosen.sum()
    steps = np.diff(framed.astype(int), axis=0), np.diff(framed.astype(int), axis=1)
    assert len(edges) == sum(int(np.abs(step).sum()) for step in steps)
    covered = np.zeros_like(chosen, int)
    for column, row, columns, rows in rectangles(chosen):
        covered[row : row + rows, column : column + columns] += 1
    assert (covered == chosen).all()


def test_tiles_become_a_chain_and_boxes() -> None:
    level = TileMap([[1, 1, 2], [0, 0, 2], [3, 3, 3]], 16)
    (line,) = level.chain({1, 2}).lines
    assert line == ((0, 0), (48, 0), (48, 32), (32, 32), (32, 16), (0, 16))
    assert level.chain({1, 2}).side == "right"
    assert level.chain(level.tiles == 3, sensor=True).sensor
    (lava,) = level.boxes({3}).parts
    assert lava == AABBCollider(24, 8, 24, 40)


def test_what_is_no_choice_of_tiles_is_refused() -> None:
    level = TileMap([[1, 0]], 1)
    with pytest.raises(ValueError, match=r"TileMap\.chain: no tile of the map is in solid"):
        level.chain({7})
    with pytest.raises(ValueError, match=r"TileMap\.boxes: chosen must have the shape of the map, \(1, 2\)"):
        level.boxes(np.ones((2, 2), bool))
    with pytest.raises(TypeError, match="must be ids of tiles, or an array of bools, got 1"):
        level.chain(1)  # type: ignore[arg-type]
