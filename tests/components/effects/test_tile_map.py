"""Tile maps: the visible range at every place of the camera, outlines and boxes of chosen tiles (B5)."""

from __future__ import annotations

import math
from typing import Any

import esper
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ecsphys
from ecsphys import AABBCollider
from ecsphys.components.effects.scrolling import Camera, TileMap, VisibleTiles, outlines, rectangles
from ecsphys.systems.effects.scrolling import ScrollingSystem, visible_range
from ecsphys.systems.stage import Priority


@pytest.mark.parametrize(
    ("camera", "expected"),
    [
        (4.0, (0, 8)),  # aligned: exactly eight tiles fill the view
        (4.5, (0, 9)),  # half a tile on: nine, the most there can be
        (50.0, (46, 8)),
        (50.25, (46, 9)),
        (96.0, (92, 8)),  # the right edge
        (98.5, (94, 6)),  # beyond it: the map ends
        (2.0, (0, 6)),  # beyond the left edge
        (-3.5, (0, 1)),
        (-4.0, (0, 0)),
        (-1000.5, (0, 0)),
        (104.0, (100, 0)),
        (1e9, (100, 0)),
    ],
)
def test_the_visible_range_of_a_hundred_tiles_in_a_view_of_eight(camera: float, expected: tuple[int, int]) -> None:
    assert visible_range(camera, 8.0, 1.0, 100) == expected


@given(st.floats(-500, 500), st.floats(0.5, 100), st.floats(0.25, 20), st.integers(1, 200), st.integers(-1, 200))
def test_visible_tiles_are_those_that_overlap_the_view(
    camera: float, view: float, size: float, count: int, tile: int
) -> None:
    first, number = visible_range(camera, view, size, count)
    assert 0 <= number <= math.ceil(view / size) + 1
    assert first >= 0
    assert first + number <= count
    left, right = camera - view / 2, camera + view / 2
    margin = 1e-9
    if 0 <= tile < count and tile * size < right - margin and (tile + 1) * size > left + margin:
        assert first <= tile < first + number
    if first <= tile < first + number:
        assert tile * size < right + margin
        assert (tile + 1) * size > left - margin


def seen(tile_map: TileMap, camera: Camera) -> VisibleTiles:
    esper.add_processor(ScrollingSystem(ecsphys.install()), priority=Priority.SCROLLING)
    esper.create_entity(camera)
    esper.create_entity(tile_map)
    assert tile_map.visible is None
    esper.process(0.0)
    assert tile_map.visible is not None
    return tile_map.visible


def test_a_renderer_gets_ids_and_screen_positions() -> None:
    ids = np.arange(60).reshape(6, 10)
    visible = seen(TileMap(ids, 2.0), Camera(7.0, 4.5, 6.0, 4.0))
    # x from 4 to 10: columns 2, 3, 4; y from 2.5 to 6.5: rows 1, 2, 3.
    assert (visible.first_column, visible.first_row) == (2, 1)
    assert (visible.columns, visible.rows) == (3, 3)
    assert visible.screen_x.tolist() == [0.0, 2.0, 4.0]
    assert visible.screen_y.tolist() == [-0.5, 1.5, 3.5]
    assert visible.tiles.tolist() == [[12, 13, 14], [22, 23, 24], [32, 33, 34]]


def test_negative_camera_positions_and_a_map_placed_anywhere() -> None:
    ids = np.arange(60).reshape(6, 10)
    visible = seen(TileMap(ids, 2.0, x=-30.0, y=-20.0), Camera(-29.5, -9.0, 6.0, 4.0))
    # In the map's frame x from −2.5 to 3.5, y from 9 to 13: columns 0 and 1, rows 4 and 5 of 6.
    assert (visible.first_column, visible.first_row) == (0, 4)
    assert visible.screen_x.tolist() == [2.5, 4.5]
    assert visible.screen_y.tolist() == [-1.0, 1.0]
    assert visible.tiles.tolist() == [[40, 41], [50, 51]]


def test_a_camera_beside_the_map_sees_nothing() -> None:
    visible = seen(TileMap([[1, 2]], 2.0), Camera(-100.0, 1.0, 6.0, 4.0))
    assert (visible.columns, visible.tiles.size) == (0, 0)


def test_what_is_written_into_the_map_shows() -> None:
    tile_map = TileMap([[1, 2], [3, 4]], 2.0)
    visible = seen(tile_map, Camera(2.0, 2.0, 4.0, 4.0))
    tile_map.tiles[1, 0] = 9
    assert visible.tiles.tolist() == [[1, 2], [9, 4]]


def test_each_map_has_its_camera_and_keeps_what_it_saw_without_one() -> None:
    esper.add_processor(ScrollingSystem(ecsphys.install()), priority=Priority.SCROLLING)
    esper.create_entity(Camera(2, 0.5, 2, 1))
    second = esper.create_entity(Camera(5, 0.5, 2, 1))
    first_map, second_map = TileMap([range(8)], 1.0), TileMap([range(8)], 1.0, camera=second)
    esper.create_entity(first_map)
    esper.create_entity(second_map)
    esper.process(0.0)
    assert first_map.visible is not None
    assert second_map.visible is not None
    assert first_map.visible.tiles.tolist() == [[1, 2]]
    assert second_map.visible.tiles.tolist() == [[4, 5]]
    before = second_map.visible
    esper.delete_entity(second, immediate=True)
    esper.process(0.0)
    assert second_map.visible is before


def test_bad_maps_are_refused() -> None:
    flat: Any = [1, 2]
    text: Any = [["a"]]
    with pytest.raises(ValueError, match="shape"):
        TileMap(flat, 1.0)
    with pytest.raises(ValueError, match="shape"):
        TileMap(np.zeros((0, 3), int), 1.0)
    with pytest.raises(TypeError, match="whole numbers"):
        TileMap([[0.5]], 1.0)  # type: ignore[list-item]
    with pytest.raises(TypeError, match="whole numbers"):
        TileMap(text, 1.0)
    with pytest.raises(TypeError, match=r"whole numbers, got \['\.#', '##'\]"):
        TileMap([".#", "##"], 1.0)  # type: ignore[list-item]
    with pytest.raises(ValueError, match=r"TileMap\.tile_size must be greater than 0"):
        TileMap([[1]], 0.0)
    tile_map = TileMap([[1]], 1.0)
    with pytest.raises(ValueError, match=r"TileMap\.x must be finite"):
        tile_map.x = math.nan
    assert tile_map.x == 0.0
    assert repr(tile_map) == "TileMap(<1 × 1 tiles>, tile_size=1.0, x=0.0, y=0.0)"


def test_a_map_of_bools_has_the_ids_0_and_1() -> None:
    solid = np.array([[True, True], [False, True]])
    level = TileMap(solid, tile_size=16)
    assert level.tiles.tolist() == [[1, 1], [0, 1]]
    assert level.tiles.dtype == np.int64
    assert level.chain({1}).points == level.chain(solid).points


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
