"""The demo's pictures, made off-screen: each scene is drawn, and the shapes drawn are the shapes computed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import esper
import numpy as np
import pytest
from fresh_python import python
from numpy import uint8
from numpy.typing import NDArray
from picture import assert_shows_something, missing_opengl, off_screen, read_pixels, read_png, skip_without

import ecsphys
from ecsphys import Component, Transform, geometry
from ecsphys.demo.highlights import Highlights
from ecsphys.demo.player import Player
from ecsphys.demo.scenes import GAME, MENU, SCENES, LiveScene, Scene
from ecsphys.demo.scenes.scene import Layout

if TYPE_CHECKING:
    from pyglet.window import Window

SIZE = (240, 200)

# Each in a process of its own; the others are drawn one after another.
BY_COMMAND = (MENU, GAME)
ARENA = (-6.0, -5.0, 6.0, 5.0)

COLLIDERS: dict[str, Any] = {
    "circle": ecsphys.CircleCollider(2.5, offset_x=1.0),
    "aabb": ecsphys.AABBCollider(3.0, 1.5, offset_y=-1.0),
    "obb": ecsphys.OBBCollider(3.0, 1.0, angle=0.4),
    "capsule": ecsphys.CapsuleCollider(4.0, 1.0, angle=-0.7),
    "point capsule": ecsphys.CapsuleCollider(0.0, 2.0),
    "sliver": ecsphys.FanCollider(4.0, 0.3),
    "fan": ecsphys.FanCollider(4.0, 2.0, direction=1.0),
    "wide fan": ecsphys.FanCollider(3.5, 5.0, direction=2.0),
    "full fan": ecsphys.FanCollider(3.0, math.tau),
    "polygon": ecsphys.PolygonCollider([(3.0, 0.0), (1.0, 2.5), (-2.0, 1.0), (-1.0, -2.0)]),
    "round polygon": ecsphys.PolygonCollider([(2.0, 0.0), (-1.0, 1.8), (-1.0, -1.8)], 1.2, offset_x=-0.5),
}


@pytest.fixture(scope="module")
def window() -> Iterator[Window]:
    with off_screen(*SIZE) as opened:
        yield opened


@pytest.fixture(scope="module")
def large_window() -> Iterator[Window]:
    with off_screen(640, 360) as opened:
        yield opened


@pytest.mark.parametrize("name", [name for name in SCENES if name not in BY_COMMAND])
def test_each_scene_makes_a_picture(large_window: Window, name: str) -> None:
    large_window.switch_to()
    player = Player(large_window, seed=0)
    player.open(name)
    for frame in range(20):
        player.step()
        if frame in (0, 19):
            player.draw()
    assert_shows_something(read_pixels(large_window.get_size()))
    player.live.close()


@pytest.mark.parametrize("name", BY_COMMAND)
def test_the_command_makes_a_picture(name: str, tmp_path: Path) -> None:
    skip_without(missing_opengl())
    path = tmp_path / "picture.png"
    arguments = ["--headless", "--scene", name, "--frames", "10", "--screenshot", str(path)]
    done = python("-m", "ecsphys.demo", *arguments, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"scene           {name}\n")
    if name != MENU:
        for kind in ("simulate", "draw"):
            assert " ms median" in next(line for line in done.stdout.splitlines() if line.startswith(kind))
    picture = read_png(path)
    assert picture.shape[:2] == (720, 1280)
    assert_shows_something(picture)


def draw(window: Window, *colliders: Component, pose: Transform | None = None, debug: bool = False) -> NDArray[uint8]:
    """The pixels (height, width, 4), row 0 at the bottom, of colliders at one pose."""
    from ecsphys.demo.debug_layers import DebugLayers
    from ecsphys.demo.renderer import Renderer
    from ecsphys.demo.scenes.camera import Camera

    def build(rng: np.random.Generator) -> Layout:
        physics = ecsphys.install()
        for collider in colliders:
            esper.create_entity(pose or Transform(), collider)
        return Layout(physics, ARENA, grid=1e6)

    window.switch_to()
    live = LiveScene(Scene("test", "", "", build, ""))
    highlights = Highlights()
    highlights.observe(live.physics, 0.0)
    Renderer().draw(live, highlights, Camera.fit(ARENA, 0, 0, *SIZE), SIZE, DebugLayers(boxes=debug))
    live.close()
    return read_pixels(SIZE)


@pytest.mark.parametrize("name", list(COLLIDERS))
def test_the_drawn_shape_is_the_computed_one(window: Window, name: str) -> None:
    """Each pixel that is clearly inside by ``contains`` is painted, each that is clearly outside is ground."""
    collider = COLLIDERS[name]
    pose = Transform(0.3, -0.2, 0.6)
    drawn = draw(window, collider, pose=pose).astype(int)[:, :, :3]
    ground = draw(window).astype(int)[:, :, :3]
    painted = np.abs(drawn - ground).max(axis=2) > 8
    pixel = 12.0 / SIZE[0]
    rng = np.random.default_rng(1)
    inside = outside = 0
    for column, row in zip(
        rng.integers(2, SIZE[0] - 2, 900).tolist(), rng.integers(2, SIZE[1] - 2, 900).tolist(), strict=True
    ):
        point = (ARENA[0] + (column + 0.5) * pixel, ARENA[1] + (row + 0.5) * pixel)
        _, distance = geometry.project_point(collider, pose, point, solid=False)
        if abs(distance) < 1.5 * pixel:
            continue
        assert painted[row, column] == geometry.contains(collider, pose, point) == (distance < 0.0), point
        inside += distance < 0.0
        outside += distance > 0.0
    assert inside > 10
    assert outside > 100


def test_a_hit_lights_up_and_shows_its_normal(window: Window) -> None:
    circle, box = ecsphys.CircleCollider(2.0), ecsphys.AABBCollider(1.0, 1.0)
    apart = draw(window, circle).astype(int)
    together = draw(window, circle, box).astype(int)
    # Three pixels left of the circle there is its glow.
    row, column = SIZE[1] // 2, SIZE[0] // 2 - SIZE[0] // 6 - 3
    assert together[row, column, 2] > apart[row, column, 2] + 15
    red = [(picture[:, :, 0] > 180) & (picture[:, :, 1:3].max(axis=2) < 130) for picture in (apart, together)]
    assert not red[0].any()
    assert red[1].any()


def test_debug_adds_the_bounding_boxes(window: Window) -> None:
    plain = draw(window, ecsphys.CircleCollider(3.0))
    boxed = draw(window, ecsphys.CircleCollider(3.0), debug=True)
    scale = SIZE[0] / 12.0
    corner = (round((5.0 + 3.0) * scale) - 1, round((6.0 + 3.0) * scale) - 1)
    near = np.s_[corner[0] - 2 : corner[0] + 3, corner[1] - 2 : corner[1] + 3, :3]
    assert plain[near].max() < 60 < boxed[near].max()


def test_more_shapes_than_the_buffer_holds_are_all_drawn(window: Window) -> None:
    from pyglet import gl

    from ecsphys.debug_draw.quad_layer import QuadLayer

    window.switch_to()
    layers = [QuadLayer(capacity) for capacity in (2, 500)]
    rng = np.random.default_rng(2)
    count = 300
    center = rng.uniform(-4.0, 4.0, (count, 2))
    axis = np.tile((1.0, 0.0), (count, 1))
    shape = np.tile((0.0, 0.0, 0.3, 0.0), (count, 1))
    color = rng.uniform(0.0, 1.0, (count, 4))
    look = np.tile((0.0, 0.5, 1.5), (count, 1))
    pictures = []
    for layer in layers:
        window.switch_to()
        window.clear()
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFunc(gl.GL_ONE, gl.GL_ONE_MINUS_SRC_ALPHA)
        layer.begin((1.0 / 6.0, 0.0, 0.0, 1.0 / 5.0), 12.0 / SIZE[0])
        for start, end in ((0, 1), (1, 4), (4, 150), (150, 300)):
            rows = slice(start, end)
            layer.add(center[rows], axis[rows], shape[rows], color[rows], look[rows])
        layer.draw()
        pictures.append(read_pixels(SIZE))
    np.testing.assert_array_equal(pictures[0], pictures[1])
    assert pictures[0].max() > 100
