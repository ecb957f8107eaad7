"""The playground: what mouse, keys, sliders and panel do to its bodies, by the events of a scene and by a window."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from pathlib import Path

import esper
import numpy as np
import pytest
from demo_user import User, demo_user
from picture import read_pixels

import ecsphys
from ecsphys import CollisionFilter, Transform, Velocity
from ecsphys.demo.hud.panel_place import PanelPlace
from ecsphys.demo.player import Player
from ecsphys.demo.recorded_scene import SceneEvents
from ecsphys.demo.scenes import PLAYGROUND, open_scene
from ecsphys.demo.scenes.panel import WIDTH, Panel
from ecsphys.demo.scenes.playground.outline import CROSSED, SMALL, collider_of
from ecsphys.demo.scenes.playground.presets import PRESETS
from ecsphys.demo.scenes.playground.sandbox import COUNTS, Sandbox
from ecsphys.demo.scenes.scene import STEP
from ecsphys.demo.scenes.tools.blast import DynamicBodies
from ecsphys.replay import replay

REACH = 0.2


class Game:
    """A playground that plays, and what a player sends to it; places are in the world."""

    def __init__(self) -> None:
        self.live = open_scene(PLAYGROUND)
        self.events = SceneEvents(self.live)
        self.send = self.events.send
        self._bodies = DynamicBodies()

    @property
    def panel(self) -> Panel:
        assert self.live.layout.panel is not None
        return self.live.layout.panel

    @property
    def sandbox(self) -> Sandbox:
        sandbox = esper.get_processor(Sandbox)
        assert isinstance(sandbox, Sandbox)
        return sandbox

    def bodies(self) -> list[int]:
        return [int(entity) for entity in self._bodies()[0]]

    def press(self, key: str) -> None:
        assert self.send("press", key)

    def click(self, x: float, y: float) -> None:
        self.send("hold", x, y, REACH)
        self.send("let_go")

    def play(self, steps: int) -> None:
        for _ in range(steps):
            self.events.step(STEP)

    def button(self, text: str) -> int:
        return next(number for number, button in enumerate(self.panel.buttons) if button.text == text)

    def notice(self) -> str:
        assert self.live.layout.notice is not None
        return self.live.layout.notice()

    def reading(self, name: str) -> str:
        return next(reading.get() for reading in self.live.layout.readings if reading.name == name)


@pytest.fixture
def game() -> Iterator[Game]:
    """An empty playground with room for a hundred bodies."""
    playground = Game()
    playground.press("F4")
    playground.send("put", 0, float(COUNTS[0]))
    yield playground
    playground.live.close()


def test_it_begins_with_a_thousand_bodies_and_is_a_scene_like_all_others() -> None:
    live = open_scene(PLAYGROUND)
    assert type(live) is type(open_scene("motion"))
    live.enter()
    assert len(DynamicBodies()()[0]) == 1000
    assert live.open_picture() is None


def test_the_left_button_spawns_the_chosen_shape_and_more_while_it_is_held(game: Game) -> None:
    game.press("_1")
    game.send("hold", 1.0, 5.0, REACH)
    assert len(game.bodies()) == 1
    assert esper.has_component(game.bodies()[0], ecsphys.CircleCollider)
    assert game.live.counts().colliders == 4
    game.play(30)
    game.send("let_go")
    held = len(game.bodies())
    game.play(10)
    assert 7 <= held <= 9
    assert len(game.bodies()) == held


def test_a_body_is_dragged_and_thrown(game: Game) -> None:
    game.press("_1")
    game.click(0.0, 8.0)
    (ball,) = game.bodies()
    game.send("hold", 0.0, 8.0, REACH)
    assert game.bodies() == [ball]
    for step in range(20):
        game.send("move", 0.4 * step, 8.0)
        game.play(1)
    assert game.live.grip.held == ball
    game.send("let_go")
    assert game.live.grip.held is None
    assert esper.component_for_entity(ball, Velocity).x > 8.0


def draw_line(game: Game, corners: list[tuple[float, float]]) -> None:
    """A line through corners, drawn with the mouse in small steps."""
    game.press("D")
    game.send("hold", *corners[0], REACH)
    for (ax, ay), (bx, by) in itertools.pairwise(corners):
        for part in np.linspace(0.0, 1.0, 30).tolist():
            game.send("move", ax + part * (bx - ax), ay + part * (by - ay))
    game.send("let_go")


def around(turns: float) -> list[tuple[float, float]]:
    """A spiral about (0, 6) that is nearly an ellipse of the area 6 π."""
    angles = np.linspace(0.0, math.tau * turns, 60)
    size = 1.02 - 0.04 * angles / math.tau
    return list(zip((3.0 * size * np.cos(angles)).tolist(), (6.0 + 2.0 * size * np.sin(angles)).tolist(), strict=True))


CUP = [(-2.0, 4.0), (2.0, 4.0), (2.0, 7.0), (1.5, 7.0), (1.5, 4.5), (-1.5, 4.5), (-1.5, 7.0), (-2.0, 7.0)]
EIGHT = [(-2.0, 4.0), (2.0, 8.0), (2.0, 4.0), (-2.0, 8.0)]


@pytest.mark.parametrize("turns", [0.95, 1.0])
def test_an_outline_drawn_with_the_mouse_becomes_a_body_of_its_area(game: Game, turns: float) -> None:
    draw_line(game, around(turns))
    (body,) = game.bodies()
    assert game.notice() == ""
    assert game.live.physics.bodies.mass_of(body).mass == pytest.approx(6.0 * math.pi, rel=0.06)
    place = esper.component_for_entity(body, Transform)
    assert (place.x, place.y) == pytest.approx((0.0, 6.0), abs=0.2)


def test_a_cup_that_is_drawn_is_concave_and_holds_a_ball(game: Game) -> None:
    draw_line(game, CUP)
    (cup,) = game.bodies()
    assert game.live.physics.bodies.mass_of(cup).mass == pytest.approx(4.5, rel=0.06)
    game.press("S")
    game.press("_1")
    game.click(0.0, 6.0)
    game.play(90)
    place = esper.component_for_entity(game.bodies()[1], Transform)
    assert abs(place.x) < 1.5
    assert 0.5 < place.y < 1.2


def test_a_line_drawn_a_little_more_than_once_around_is_an_outline_without_its_ends(game: Game) -> None:
    draw_line(game, [(2.5, 3.5), (2.0, 8.0), (-2.0, 8.0), (-2.0, 4.0), (3.0, 4.0)])
    (body,) = game.bodies()
    assert game.live.physics.bodies.mass_of(body).mass == pytest.approx(0.5 * (4.0 + 4.444) * 4.0, rel=0.03)


def test_a_line_that_crosses_itself_is_no_body_and_a_caption_says_so_for_a_while(game: Game) -> None:
    draw_line(game, EIGHT)
    assert game.bodies() == []
    assert game.notice() == CROSSED
    game.play(301)
    assert game.notice() not in (CROSSED, "")


@pytest.mark.parametrize("points", [[(0.0, 0.0)] * 5, [(0.0, 0.0), (4.0, 4.0), (2.0, 2.0)], [(0.0, 0.0), (0.1, 0.0)]])
def test_a_line_that_holds_nothing_is_no_body(points: list[tuple[float, float]]) -> None:
    drawn = collider_of(np.array(points), 0.05)
    assert (drawn.collider, drawn.caption) == (None, SMALL)


def test_layers_that_do_not_collide_fall_through_each_other_and_are_woken_for_it(game: Game) -> None:
    sandbox = game.sandbox
    sandbox.shape = 1
    below = [int(entity) for entity in sandbox.add_many(np.array([[0.0, 0.3]]), 1, 0)]
    above = [int(entity) for entity in sandbox.add_many(np.array([[0.0, 1.2]]), 1, 1)]
    for entity in (*below, *above):
        esper.component_for_entity(entity, Transform).angle = 0.0
    game.play(90)
    heights = [esper.component_for_entity(entity, Transform).y for entity in (*below, *above)]
    assert heights[1] > heights[0] + 0.4
    assert sandbox.bodies.at_rest().all()
    sandbox.switch_layers(0, 1)
    game.play(60)
    assert abs(esper.component_for_entity(above[0], Transform).y - heights[0]) < 0.3
    masks = CollisionFilter.column("mask", writable=False)[ecsphys.join(CollisionFilter)[1]]
    assert (masks & 1 == 1).all()


@pytest.mark.parametrize("has_tool", [True, False], ids=["tool", "key"])
def test_a_blast_throws_what_is_near_and_nothing_else(game: Game, has_tool: bool) -> None:
    game.sandbox.add_many(np.array([[-1.0, 0.5], [15.0, 0.5]]), 0, 0)
    game.play(60)
    near, far = game.bodies()
    height = esper.component_for_entity(near, Transform).y
    if has_tool:
        game.send("button", game.button("Blast"))
        game.click(0.0, 0.0)
    else:
        game.send("blast", 0.0, 0.0, 4.0)
    assert esper.component_for_entity(near, Velocity).x < -5.0
    assert esper.component_for_entity(far, Velocity).x == 0.0
    game.play(1)
    assert esper.component_for_entity(near, Transform).y > height + 0.05


def test_what_gets_out_of_the_room_is_taken_away(game: Game) -> None:
    game.sandbox.add_many(np.array([[0.0, 0.5], [1e4, 0.5]]), 0, 0)
    game.play(31)
    assert len(game.bodies()) == 1
    game.press("X")
    assert game.bodies() == []


@pytest.mark.parametrize("preset", PRESETS)
def test_each_preset_plays_with_as_many_bodies_as_it_says_and_none_gets_out(game: Game, preset: str) -> None:
    game.press(f"F{PRESETS.index(preset) + 1}")
    game.play(60)
    count = len(game.bodies())
    assert count == {"empty": 0, "rain": count}.get(preset, COUNTS[0])
    assert preset != "rain" or 10 < count < COUNTS[0]
    left, _, right, _ = game.live.layout.arena
    rows = game.sandbox.bodies()[1]
    assert (np.abs(Transform.column("x", writable=False)[rows]) < max(-left, right)).all()
    assert (Transform.column("y", writable=False)[rows] > -0.5).all()


def test_the_readings_count_bodies_and_their_hits_only(game: Game) -> None:
    names = ("bodies", "at rest", "hits of bodies")
    assert [game.reading(name) for name in names] == ["0", "0", "0"]
    game.press("_2")
    game.click(0.0, 1.0)
    game.play(200)
    assert [game.reading(name) for name in names] == ["1", "1", "1"]
    game.press("X")
    assert [game.reading(name) for name in names] == ["0", "0", "0"]


def test_the_slider_says_for_how_many_bodies_there_is_room(game: Game) -> None:
    assert (COUNTS[0], COUNTS[-1]) == (100, 20_000)
    slider = game.live.layout.parameters[0]
    assert (slider.name, str(slider)) == ("room for", "100")
    small = game.live.layout.arena
    game.send("put", 0, 5000.0)
    assert game.live.layout.arena[2] > 2.0 * small[2]
    game.press("F1")
    game.send("change", 0, -1)
    assert len(game.bodies()) == 3000
    game.press("X")
    assert (game.reading("bodies"), str(slider)) == ("0", "3,000")


def test_r_begins_again_with_all_that_was_chosen(game: Game) -> None:
    game.press("F3")
    game.press("_4")
    game.press("D")
    game.send("put", 2, 0.7)
    game.play(60)
    assert game.bodies() != []
    game.press("R")
    assert (game.bodies(), game.sandbox.preset, game.sandbox.shape) == ([], "rain", 3)
    assert game.sandbox.restitution == 0.7
    assert game.panel.buttons[game.button("Draw D")].is_on()


def test_nothing_of_what_was_held_and_shot_outlives_the_room(game: Game) -> None:
    game.click(0.0, 6.0)
    game.send("hold", 0.0, 6.0, REACH)
    game.send("shoot", -5.0, 9.0, 10.0, 0.0, 0.5)
    assert game.live.grip.held is not None
    game.press("F1")
    assert not game.live.grip.line()
    assert len(game.bodies()) == COUNTS[0]
    game.send("let_go")
    for k in range(14):  # the oldest of more than twelve balls go
        game.send("shoot", 0.0, 15.0 + k, 10.0, 0.0, 0.5)
    game.play(2)
    assert len(game.bodies()) == COUNTS[0] + 12


@pytest.mark.parametrize("size", [(640, 360), (640, 400), (1280, 720), (2560, 1440), (480, 900)])
def test_the_panel_is_in_the_picture_and_its_buttons_are_apart(game: Game, size: tuple[int, int]) -> None:
    place = PanelPlace.of(game.panel, size, True)
    assert place is not None
    left, bottom, right, top = place.box
    assert 0.0 <= left < right <= size[0]
    assert 0.0 <= bottom < top <= size[1]
    places = [button.place for button in game.panel.buttons] + [bar.place for bar in game.panel.bars]
    for each in places:
        assert 0.0 < each[0] < each[2] < WIDTH
        assert 0.0 < each[1] < each[3] < game.panel.height
    for a, b in itertools.combinations(places, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def test_a_picture_that_is_too_small_has_no_panel(game: Game) -> None:
    assert PanelPlace.of(game.panel, (640, 300), True) is None
    assert PanelPlace.of(game.panel, (300, 900), True) is None
    assert PanelPlace.of(None, (1280, 720), True) is None


@pytest.fixture(scope="module")
def user() -> Iterator[User]:
    with demo_user(1280, 720) as opened:
        yield opened


def panel_of(user: User) -> PanelPlace:
    assert user.view.panel is not None
    return user.view.panel


def press_button(user: User, number: int) -> None:
    place = panel_of(user)
    left, bottom, right, top = place.box_of(place.panel.buttons[number].place)
    user.click(0.5 * (left + right), 0.5 * (bottom + top))


def test_every_button_is_pressed_with_the_mouse_and_nothing_is_spawned_behind_it(user: User) -> None:
    user.open(PLAYGROUND)
    user.type("F4")
    for number, button in enumerate(panel_of(user).panel.buttons):
        before = button.is_on()
        press_button(user, number)
        assert button.is_on() != before or before or button.text == "Clear X"
        assert user.live.grip.held is None
        if button.text == "Empty":
            empty = number
    press_button(user, empty)
    user.draw()
    assert len(DynamicBodies()()[0]) == 0


def test_the_panel_is_drawn_and_the_room_is_beside_it(user: User) -> None:
    user.open(PLAYGROUND)
    left = panel_of(user).box[0]
    for key in ("F1", "F2", "F3", "F4"):
        user.type(key)
        user.draw()
        right, _ = user.pixel(user.live.layout.arena[2], 0.0)
        assert right < left


def test_u_hides_the_panel_and_the_mouse_reaches_the_room_below(user: User) -> None:
    user.open(PLAYGROUND)
    user.type("F4")
    left, bottom, right, top = (round(edge) for edge in panel_of(user).box)
    pictures = []
    for _ in range(2):
        user.draw()
        pictures.append(read_pixels((1280, 720))[bottom:top, left:right, :3].astype(int))
        user.type("U")
    user.type("U")
    user.draw()
    assert (np.abs(pictures[0] - pictures[1]).max(axis=2) > 20).mean() > 0.1
    user.click(left + 20.0, top - 20.0)
    assert len(DynamicBodies()()[0]) == 1
    user.type("U")


def test_wheel_and_right_button_move_the_view_and_not_over_the_panel(user: User) -> None:
    user.open(PLAYGROUND)
    user.type("F4")
    scale, place = user.view.scale, user.view.to_world(300.0, 300.0)
    user.move(300.0, 300.0)
    user.send("on_mouse_scroll", 300, 300, 0.0, 3.0)
    assert user.view.scale > 1.3 * scale
    assert user.view.to_world(300.0, 300.0) == pytest.approx(place)
    x, y = panel_of(user).box[0] + 5.0, panel_of(user).box[1] + 5.0
    zoomed = user.view.scale
    user.send("on_mouse_scroll", round(x), round(y), 0.0, 3.0)
    assert user.view.scale == zoomed
    user.type("F")
    assert user.view.scale == pytest.approx(scale)


def test_bodies_that_are_spawned_or_taken_away_while_it_is_paused_are_seen_at_once(user: User) -> None:
    user.open(PLAYGROUND)
    user.type("F4", "SPACE")
    assert user.player.paused
    user.click(*user.pixel(0.0, 5.0))
    user.draw()
    assert len(user.live.physics.debug.colliders.entity) >= 4
    user.type("X")
    user.draw()
    assert len(user.live.physics.debug.colliders.entity) == 3
    user.type("F1")
    user.draw()
    assert len(user.live.physics.debug.colliders.entity) > 1000


def test_what_panel_keys_and_mouse_do_replays_to_the_same_bits(tmp_path: Path) -> None:
    path = tmp_path / "playground.replay"
    player = Player(None, 0, record_to=str(path))
    player.open(PLAYGROUND)
    assert player.live.layout.panel is not None
    texts = [button.text for button in player.live.layout.panel.buttons]
    player.events.send("put", 0, 100.0)
    events: dict[int, tuple[tuple[str, *tuple[float | str, ...]], ...]] = {
        3: (("button", texts.index("Drum")),),
        6: (("press", "_2"), ("hold", 0.0, 5.0, 0.2)),
        20: (("let_go",), ("button", texts.index("Blast"))),
        25: (("hold", 0.0, 3.0, 0.3), ("let_go",), ("press", "D")),
        30: (("hold", 0.0, 9.0, 0.2), ("move", 2.0, 9.0), ("move", 2.0, 11.0), ("move", 0.0, 11.0), ("let_go",)),
        40: (("button", len(texts) - 2), ("press", "R")),
    }
    for frame in range(50):
        for event in events.get(frame, ()):
            player.events.send(*event)
        player.step()
    player.close()
    assert replay(path) is None
