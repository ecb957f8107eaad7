"""The playground without a picture: what mouse, keys and panel do to its bodies."""

from __future__ import annotations

import itertools
import math
import sys

import esper
import numpy as np
import pytest

import ecsphys
from ecsphys import CollisionFilter, Transform, Velocity
from ecsphys.demo.scenes import PLAYGROUND, SCENES, open_scene
from ecsphys.demo.scenes.playground.outline import CROSSED, HULL, SMALL, collider_of
from ecsphys.demo.scenes.playground.panel import HEIGHT, WIDTH
from ecsphys.demo.scenes.playground.presets import PRESETS
from ecsphys.demo.scenes.playground.sandbox import COUNTS
from ecsphys.demo.scenes.playground.world import Playground


@pytest.fixture
def game() -> Playground:
    """An empty playground."""
    return Playground(SCENES[PLAYGROUND], preset="empty", count=COUNTS[0])


def bodies(game: Playground) -> list[int]:
    return [int(entity) for entity in game.sandbox.bodies()[0]]


def click(game: Playground, x: float, y: float) -> None:
    """The left button at a place of the world, down and up."""
    game.press_mouse(*game.camera.to_pixel(x, y), "left")
    game.release_mouse("left")


def press_on_panel(game: Playground, x: float, y: float) -> None:
    left, top = game.panel_corner
    game.press_mouse(left + game.panel_scale * x, top - game.panel_scale * y, "left")


def test_it_is_the_first_card_and_begins_with_a_thousand_bodies() -> None:
    assert next(iter(SCENES)) == PLAYGROUND
    live = open_scene(PLAYGROUND)
    assert isinstance(live, Playground)
    assert len(bodies(live)) == 1000


def test_the_left_button_spawns_the_chosen_shape_and_more_while_it_is_held(game: Playground) -> None:
    game.press("_1")
    game.press_mouse(*game.camera.to_pixel(1.0, 5.0), "left")
    assert len(bodies(game)) == 1
    assert esper.has_component(bodies(game)[0], ecsphys.CircleCollider)
    for _ in range(12):
        game.step()
    game.release_mouse("left")
    held = len(bodies(game))
    game.step()
    assert held > 2
    assert len(bodies(game)) == held


def test_a_body_is_dragged_and_thrown(game: Playground) -> None:
    game.press("_1")
    click(game, 0.0, 8.0)
    (ball,) = bodies(game)
    game.press_mouse(*game.camera.to_pixel(0.0, 8.0), "left")
    assert len(bodies(game)) == 1
    for step in range(20):
        game.move_mouse(*game.camera.to_pixel(0.4 * step, 8.0))
        game.step()
    assert game.grip.held == ball
    game.release_mouse("left")
    assert game.grip.held is None
    assert esper.component_for_entity(ball, Velocity).x > 8.0


def test_the_wheel_zooms_about_the_mouse_and_the_right_button_pans(game: Playground) -> None:
    pixel = (300.0, 200.0)
    place, scale = game.camera.to_world(*pixel), game.camera.scale
    game.scroll(*pixel, 3.0)
    assert game.camera.scale > 1.3 * scale
    assert game.camera.to_world(*pixel) == pytest.approx(place)
    game.press_mouse(*pixel, "right")
    game.move_mouse(pixel[0] + 40.0, pixel[1] - 30.0)
    game.release_mouse("right")
    game.move_mouse(0.0, 0.0)
    assert game.camera.to_world(pixel[0] + 40.0, pixel[1] - 30.0) == pytest.approx(place)
    game.press("F")
    assert game.camera.scale == pytest.approx(scale)


def draw_line(game: Playground, corners: list[tuple[float, float]]) -> None:
    """A line through corners in the world, drawn with the mouse in small steps."""
    game.press("D")
    game.press_mouse(*game.camera.to_pixel(*corners[0]), "left")
    for (ax, ay), (bx, by) in itertools.pairwise(corners):
        for part in np.linspace(0.0, 1.0, 30).tolist():
            game.move_mouse(*game.camera.to_pixel(ax + part * (bx - ax), ay + part * (by - ay)))
    game.release_mouse("left")


def around(turns: float) -> list[tuple[float, float]]:
    """A spiral about (0, 6) that is nearly an ellipse of the area 6 π."""
    angles = np.linspace(0.0, math.tau * turns, 60)
    size = 1.02 - 0.04 * angles / math.tau
    return list(zip((3.0 * size * np.cos(angles)).tolist(), (6.0 + 2.0 * size * np.sin(angles)).tolist(), strict=True))


CUP = [(-2.0, 4.0), (2.0, 4.0), (2.0, 7.0), (1.5, 7.0), (1.5, 4.5), (-1.5, 4.5), (-1.5, 7.0), (-2.0, 7.0)]
EIGHT = [(-2.0, 4.0), (2.0, 8.0), (2.0, 4.0), (-2.0, 8.0)]


@pytest.mark.parametrize("turns", [0.95, 1.0])
def test_an_outline_drawn_with_the_mouse_becomes_a_body_of_its_area(game: Playground, turns: float) -> None:
    draw_line(game, around(turns))
    (body,) = bodies(game)
    assert game.caption == ""
    assert game.physics.bodies.mass_of(body).mass == pytest.approx(6.0 * math.pi, rel=0.06)
    place = esper.component_for_entity(body, Transform)
    assert (place.x, place.y) == pytest.approx((0.0, 6.0), abs=0.2)


def test_a_cup_that_is_drawn_is_concave_and_holds_a_ball(game: Playground) -> None:
    draw_line(game, CUP)
    (cup,) = bodies(game)
    assert game.physics.bodies.mass_of(cup).mass == pytest.approx(4.5, rel=0.06)
    game.press("S")
    game.press("_1")
    click(game, 0.0, 6.0)
    for _ in range(90):
        game.step()
    place = esper.component_for_entity(bodies(game)[1], Transform)
    assert abs(place.x) < 1.5
    assert 0.5 < place.y < 1.2


def test_a_line_drawn_a_little_more_than_once_around_is_an_outline_without_its_ends(game: Playground) -> None:
    draw_line(game, [(2.5, 3.5), (2.0, 8.0), (-2.0, 8.0), (-2.0, 4.0), (3.0, 4.0)])
    (body,) = bodies(game)
    assert game.physics.bodies.mass_of(body).mass == pytest.approx(0.5 * (4.0 + 4.444) * 4.0, rel=0.03)


def test_a_line_that_crosses_itself_is_no_body_and_a_caption_says_so_for_a_while(game: Playground) -> None:
    draw_line(game, EIGHT)
    assert bodies(game) == []
    assert game.caption == CROSSED
    for _ in range(301):
        game.step()
    assert game.caption == ""


def test_without_the_library_an_outline_is_its_convex_hull_and_a_caption_says_so(
    game: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mapbox_earcut", None)
    draw_line(game, CUP)
    (cup,) = bodies(game)
    assert game.caption == HULL
    assert game.physics.bodies.mass_of(cup).mass == pytest.approx(12.0, rel=0.03)


@pytest.mark.parametrize("points", [[(0.0, 0.0)] * 5, [(0.0, 0.0), (4.0, 4.0), (2.0, 2.0)], [(0.0, 0.0), (0.1, 0.0)]])
def test_a_line_that_holds_nothing_is_no_body(points: list[tuple[float, float]]) -> None:
    drawn = collider_of(np.array(points), 0.05)
    assert (drawn.collider, drawn.caption) == (None, SMALL)


def test_layers_that_do_not_collide_fall_through_each_other_and_are_woken_for_it(game: Playground) -> None:
    sandbox = game.sandbox
    sandbox.shape = 1
    below = [int(entity) for entity in sandbox.add_many(np.array([[0.0, 0.3]]), 1, 0)]
    above = [int(entity) for entity in sandbox.add_many(np.array([[0.0, 1.2]]), 1, 1)]
    for entity in (*below, *above):
        esper.component_for_entity(entity, Transform).angle = 0.0
    for _ in range(90):
        game.step()
    heights = [esper.component_for_entity(entity, Transform).y for entity in (*below, *above)]
    assert heights[1] > heights[0] + 0.4
    assert sandbox.at_rest().all()
    sandbox.switch_layers(0, 1)
    for _ in range(60):
        game.step()
    assert abs(esper.component_for_entity(above[0], Transform).y - heights[0]) < 0.3
    masks = CollisionFilter.column("mask", writable=False)[ecsphys.join(CollisionFilter)[1]]
    assert (masks & 1 == 1).all()


def test_a_blast_throws_what_is_near_and_nothing_else(game: Playground) -> None:
    game.sandbox.add_many(np.array([[-1.0, 0.5], [15.0, 0.5]]), 0, 0)
    for _ in range(60):
        game.step()
    near, far = bodies(game)
    height = esper.component_for_entity(near, Transform).y
    assert game.sandbox.blast(0.0, 0.0, 4.0) == 1
    assert esper.component_for_entity(near, Velocity).x < -5.0
    assert esper.component_for_entity(far, Velocity).x == 0.0
    game.step()
    assert esper.component_for_entity(near, Transform).y > height + 0.05


def test_what_gets_out_of_the_room_is_taken_away(game: Playground) -> None:
    game.sandbox.add_many(np.array([[0.0, 0.5], [1e4, 0.5]]), 0, 0)
    for _ in range(31):
        game.step()
    assert len(bodies(game)) == 1
    game.press("X")
    assert bodies(game) == []


@pytest.mark.parametrize("preset", PRESETS)
def test_each_preset_plays_with_as_many_bodies_as_it_says_and_none_gets_out(game: Playground, preset: str) -> None:
    number = PRESETS.index(preset) + 1
    game.press(f"F{number}")
    for _ in range(60):
        game.step()
    count = len(bodies(game))
    assert count == {"empty": 0, "rain": count}.get(preset, COUNTS[0])
    assert preset != "rain" or 10 < count < COUNTS[0]
    left, _, right, _ = game.sandbox.room
    _, rows, _ = game.sandbox.bodies()
    assert (np.abs(Transform.column("x", writable=False)[rows]) < max(-left, right)).all()
    assert (Transform.column("y", writable=False)[rows] > -0.5).all()


def test_the_slider_of_bodies_goes_from_a_hundred_to_twenty_thousand(game: Playground) -> None:
    assert (COUNTS[0], COUNTS[-1]) == (100, 20_000)
    game.begin("pile")
    slider = game.panel.sliders[0]
    left, top, right, bottom = slider.box
    press_on_panel(game, left + 0.1 * (right - left), 0.5 * (top + bottom))
    game.release_mouse("left")
    assert len(bodies(game)) == game.sandbox.count == COUNTS[1]
    assert game.layout.arena == game.sandbox.room
    game.press("LEFT")
    assert len(bodies(game)) == COUNTS[0]
    game.step()


@pytest.mark.parametrize("size", [(640, 360), (1280, 720), (1920, 1080), (400, 900)])
def test_the_panel_is_in_the_picture_and_its_switches_are_apart(game: Playground, size: tuple[int, int]) -> None:
    game.resize(size)
    left, top = game.panel_corner
    assert left >= 0.0
    assert top - game.panel_scale * HEIGHT >= 0.0
    boxes = [button.box for button in game.panel.buttons] + [slider.box for slider in game.panel.sliders]
    for box in boxes:
        assert 0.0 < box[0] < box[2] < WIDTH
        assert 0.0 < box[1] < box[3] < HEIGHT
    for a, b in itertools.combinations(boxes, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    keys = [button.key for button in game.panel.buttons if button.key]
    assert len(set(keys)) == len(keys)


def test_every_switch_of_the_panel_can_be_pressed_with_the_mouse(game: Playground) -> None:
    for button in game.panel.buttons:
        x, y = 0.5 * (button.box[0] + button.box[2]), 0.5 * (button.box[1] + button.box[3])
        before = button.is_on()
        press_on_panel(game, x, y)
        game.release_mouse("left")
        assert button.is_on() or before
        assert game.grip.held is None
        if button.text == "Empty":
            game.begin("empty")
    game.step()
