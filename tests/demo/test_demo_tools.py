"""The tools of every scene by the keys and mouse of the real window code: view, time, bodies, sliders, switches."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from itertools import pairwise

import esper
import numpy as np
import pytest
from demo_user import User, demo_user

from ecsphys import MouseJoint, RigidBody, Transform, Velocity
from ecsphys.demo.hud.toolbar import Slider, Toolbar
from ecsphys.demo.scenes import SCENES
from ecsphys.demo.scenes.tools.blast import DynamicBodies

BODIES = [name for name in SCENES if name not in ("game", "playground")]


@pytest.fixture(scope="module")
def shared() -> Iterator[User]:
    with demo_user() as found:
        yield found


@pytest.fixture
def user(shared: User) -> User:
    shared.open("pyramid")
    shared.player.is_bare = False
    return shared


def top_box() -> tuple[int, Transform]:
    _, entity, place = max(
        (place.y, entity, place) for entity, (place, body) in esper.get_components(Transform, RigidBody)
    )
    return entity, place


# The view.


def test_the_wheel_zooms_at_the_mouse_and_f_shows_all_again(user: User) -> None:
    before, camera = user.view.to_world(200, 250), user.view.viewport.camera
    user.send("on_mouse_scroll", 200, 250, 0.0, 3.0)
    assert user.view.scale == pytest.approx(camera.scale * 1.15**3)
    assert user.view.to_world(200, 250) == pytest.approx(before)
    user.type("F")
    assert user.view.viewport.camera == camera


def test_a_drag_with_the_right_button_moves_the_picture_with_the_mouse(user: User) -> None:
    place = user.view.to_world(300, 200)
    user.down(300, 200, "RIGHT")
    user.drag(340, 170, "RIGHT")
    assert user.view.to_world(340, 170) == pytest.approx(place)
    user.up(340, 170, "RIGHT")
    user.move(100, 100)
    assert user.view.to_world(340, 170) == pytest.approx(place)


def test_another_size_keeps_the_zoom_and_the_slider_that_was_chosen(user: User) -> None:
    user.type("DOWN")
    user.send("on_mouse_scroll", 320, 200, 0.0, 3.0)
    before = user.view.to_world(320, 230)
    user.player.forget_size()
    assert user.view.to_world(320, 230) == pytest.approx(before)
    assert user.view.toolbar.selected == 1


# Time.


def test_commas_and_full_stops_choose_how_fast_time_goes(user: User) -> None:
    paces = []
    for name in ("COMMA", "COMMA", "COMMA", "COMMA", "PERIOD", "PERIOD", "PERIOD", "PERIOD"):
        user.type(name)
        paces.append(user.player.pace)
    assert paces == [0.5, 0.25, 0.1, 0.1, 0.25, 0.5, 1.0, 1.0]


def test_what_falls_in_slow_motion_falls_as_far_in_ten_steps_as_else_in_one(user: User) -> None:
    entity, place = top_box()
    user.live.physics.bodies.set_velocity(entity, (0.0, 6.0))
    user.type("COMMA", "COMMA", "COMMA")
    before = place.y
    for _ in range(10):
        user.player.step()
    assert place.y - before == pytest.approx(6.0 / 60.0, rel=0.03)


def test_the_key_n_makes_one_step_and_held_ten_a_second(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(user.player, "draw", lambda: None)
    frame = user.live.frame
    user.press("N")
    assert (user.live.frame, user.player.paused) == (frame + 1, True)
    for _ in range(60):
        now[0] += 1.0 / 60.0
        user._session._tick(1.0 / 60.0)
    assert user.live.frame - frame in (10, 11)
    user.release("N")
    for _ in range(30):
        now[0] += 1.0 / 60.0
        user._session._tick(1.0 / 60.0)
    assert user.live.frame - frame in (10, 11)


# Bodies.


def test_a_body_in_a_pile_of_sleeping_ones_is_held_and_comes_along(user: User) -> None:
    user.play(2.0)
    entities, _, _ = DynamicBodies()()
    number = int(np.hypot(*(DynamicBodies().places() - (3.0, 0.36)).T).argmin())
    entity, (x, y) = int(entities[number]), DynamicBodies().places()[number].tolist()
    assert user.live.physics.bodies.is_asleep(entity)
    user.down(*user.pixel(x, y))
    assert user.live.grip.held == entity
    user.play(0.1)
    assert not user.live.physics.bodies.is_asleep(entity)
    user.drag(*user.pixel(-9.0, 6.0))
    user.play(2.5)
    place = esper.component_for_entity(entity, Transform)
    assert math.dist((place.x, place.y), (-9.0, 6.0)) < 0.5
    user.up(*user.pixel(-9.0, 6.0))
    assert user.live.grip.held is None


def test_the_body_under_the_mouse_has_a_bright_edge(user: User) -> None:
    entity, place = top_box()
    user.move(*user.pixel(place.x, place.y))
    assert user.view.mouse.body() == entity
    user.move(*user.pixel(-15.0, 14.0))
    assert user.view.mouse.body() is None
    user.move(5, 5)  # over the switches
    assert user.view.mouse.body() is None


@pytest.mark.parametrize("by_key", [True, False])
def test_a_shot_flies_at_the_middle_or_where_the_mouse_moves(
    user: User, by_key: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    before = set(esper.get_entities())
    x, y = user.pixel(-14.0, 8.0)
    user.move(x, y)
    now[0] += 0.13
    if by_key:
        user.type("E")
    else:
        user.click(x, y, "MIDDLE")
    (ball,) = set(esper.get_entities()) - before
    velocity = esper.component_for_entity(ball, Velocity)
    assert velocity.x > 40.0
    user.move(x, y + 20)
    user.move(x, y + 60)
    user.type("E")
    (second,) = set(esper.get_entities()) - before - {ball}
    velocity = esper.component_for_entity(second, Velocity)
    assert abs(velocity.x) < 1.0 < 40.0 < velocity.y


def test_shots_and_toys_are_bounded_and_the_oldest_go(user: User) -> None:
    before = len(list(esper.get_entities()))
    user.move(*user.pixel(-14.0, 10.0))
    for count in range(1, 16):
        user.type("E")
        assert len(list(esper.get_entities())) - before == min(count, 12)
    for _ in range(70):
        user.type("T")
    assert len(list(esper.get_entities())) - before == 12 + 60


@pytest.mark.parametrize("gravity", [20.0, 0.0, -20.0])
def test_balls_and_toys_that_leave_the_world_are_taken_away_and_no_others(user: User, gravity: float) -> None:
    live = user.live
    live.physics.gravity = (0.0, -gravity)
    entities = set(esper.get_entities())
    beside, inside = live.layout.arena[2] + 20.0, 0.0
    tools = live.tools.shots
    lost = [tools.shoot(beside, 8.0, (45.0, 0.0), 0.5)]
    if gravity:
        lost.append(tools.drop(beside, 4.0, 0.5))
    kept = [tools.shoot(inside, 14.0, (0.0, 0.0), 0.5), tools.drop(inside + 3.0, 14.0, 0.5)]
    user.play(6.0)
    assert set(esper.get_entities()) == entities | set(kept)
    assert not entities & {*lost, *kept}


def test_a_blast_throws_what_is_near_away_from_the_mouse(user: User) -> None:
    user.play(4.0)
    user.move(*user.pixel(3.0, 0.5))
    user.type("Q")
    entities, _, velocities = DynamicBodies()()
    away = DynamicBodies().places() - (3.0, 0.5)
    speed = np.column_stack([Velocity.column(name)[velocities] for name in ("x", "y")])
    distance, reach = np.hypot(*away.T), 110.0 / user.view.scale
    assert 10 < len(entities[distance < reach]) < len(entities)
    outwards = (speed * away).sum(axis=1)
    assert (outwards[distance < 0.99 * reach] > 0.0).all()
    assert (speed[distance > reach] == 0.0).all()


def test_tools_for_bodies_do_nothing_where_there_are_none(shared: User) -> None:
    shared.open("motion")
    before = set(esper.get_entities())
    shared.move(320, 200)
    shared.type("E", "Q", "T")
    shared.click(320, 200)
    assert set(esper.get_entities()) == before
    assert not esper.get_component(MouseJoint)


# Sliders.


def slider(user: User, name: str) -> Slider:
    return next(slider for slider in user.view.toolbar.sliders if slider.parameter.name == name)


def middle(box: tuple[float, float, float, float], part: float) -> tuple[float, float]:
    return box[0] + part * (box[2] - 1.0 - box[0]), 0.5 * (box[1] + box[3])


def test_a_slider_follows_click_drag_wheel_and_keys_and_a_double_click_puts_it_back(user: User) -> None:
    gravity = slider(user, "gravity")
    assert gravity.parameter.get() == 10.0 == gravity.default
    user.down(*middle(gravity.box, 1.0))
    assert gravity.parameter.get() == 20.0
    user.drag(*middle(gravity.box, 0.0))
    assert gravity.parameter.get() == -20.0
    user.up(*middle(gravity.box, 0.0))
    user.send("on_mouse_scroll", *map(round, middle(gravity.box, 0.3)), 0.0, 1.0)
    assert gravity.parameter.get() == -15.0
    choose(user, "gravity")
    user.type("RIGHT")
    assert gravity.parameter.get() == -10.0
    user.type("BACKSPACE")
    assert gravity.parameter.get() == 10.0
    user.click(*middle(gravity.box, 0.2))
    assert gravity.parameter.get() != 10.0
    user.click(*middle(gravity.box, 0.2))
    assert gravity.parameter.get() == 10.0


@pytest.mark.parametrize("size", [(1, 1), (37, 19), (60, 900), (640, 400), (2560, 1440)])
def test_sliders_have_boxes_one_after_the_other_in_a_picture_of_any_size(user: User, size: tuple[int, int]) -> None:
    toolbar = Toolbar(user.live.layout.parameters, [0.0] * len(user.live.layout.parameters), [], size)
    boxes = [slider.box for slider in toolbar.sliders]
    assert all(left <= right and bottom < top for left, bottom, right, top in boxes)
    assert all(before[2] < after[0] for before, after in pairwise(boxes))
    assert all(found.value_at(found.box[0]) == found.parameter.choices[0] for found in toolbar.sliders)


def choose(user: User, name: str) -> Slider:
    """Let the keys move a slider."""
    found = slider(user, name)
    while user.view.toolbar.sliders[user.view.toolbar.selected] is not found:
        user.type("DOWN")
    return found


def test_gravity_up_and_down_is_ten_again(user: User) -> None:
    gravity = choose(user, "gravity")
    user.type("RIGHT", "LEFT", "LEFT", "RIGHT")
    assert gravity.parameter.get() == 10.0
    user.type("LEFT", "LEFT")
    assert str(gravity.parameter) == "0 units/s²"


@pytest.mark.parametrize("name", BODIES)
def test_every_slider_can_return_to_where_it_began(shared: User, name: str) -> None:
    shared.open(name)
    for parameter in shared.live.layout.parameters:
        assert any(choice == pytest.approx(parameter.get()) for choice in parameter.choices), parameter.name


def test_r_begins_again_with_the_sliders_kept_and_shift_r_as_at_first(user: User) -> None:
    choose(user, "gravity")
    user.type("RIGHT")
    user.play(0.2)
    user.type("R")
    assert (user.live.frame, slider(user, "gravity").parameter.get()) == (0, 15.0)
    assert slider(user, "gravity").default == 10.0
    user.type("R", shift=True)
    assert slider(user, "gravity").parameter.get() == 10.0


# Switches, help, text.


def test_each_debug_layer_is_switched_by_its_key_and_by_a_click(user: User) -> None:
    assert [switch.key for switch in user.view.toolbar.switches] == list("OCVBGJZL")
    for switch in user.view.toolbar.switches:
        before = switch.get()
        user.type(switch.key)
        assert switch.get() is not before
        user.click(*middle(switch.box, 0.5))
        assert switch.get() is before


def test_h_lists_the_keys_and_the_source_and_hides_again(user: User) -> None:
    user.type("H")
    user.draw()
    assert user.player.has_help
    text = "\n".join(user.help_lines())
    for expected in ("shoot a heavy ball", "zoom at the mouse", "pyramid.py", "slower, faster", "Backspace"):
        assert expected in text
    user.type("ESCAPE")
    assert not user.player.has_help
    assert user.player.menu is None


# Nothing jumps in the player's hand.


def test_a_box_that_is_held_for_half_a_minute_stays_and_nothing_jumps(user: User) -> None:
    user.play(1.0)
    entity, place = top_box()
    user.down(*user.pixel(place.x, place.y))
    user.drag(*user.pixel(-8.0, 9.0))
    user.play(2.0)
    bodies = DynamicBodies()
    before = bodies.places()
    for _ in range(30 * 60):
        user.play(1.0 / 60.0)
        now = bodies.places()
        assert np.abs(now - before).max() < 0.3
        before = now
    assert math.dist((place.x, place.y), (-8.0, 9.0)) < 0.5
    assert user.live.grip.held == entity


def test_after_input_a_looping_scene_waits_ten_seconds_tells_and_fades(user: User) -> None:
    start = DynamicBodies().places()
    user.play(15.0)
    loop = user.live.layout.loop
    assert loop is not None
    user.move(300, 300)
    user.play(4.0)
    assert loop.countdown is None
    user.play(3.0)
    assert loop.countdown == pytest.approx(3.0, abs=0.1)
    user.move(301, 300)
    assert loop.countdown is None
    user.play(9.8)
    assert loop.fade == 0.0
    user.play(0.5)
    assert 0.3 < loop.fade < 1.0
    user.play(1.0)
    assert loop.fade == 0.0
    assert np.abs(DynamicBodies().places() - start).max() < 0.1


def test_a_player_who_has_only_looked_on_for_long_is_still_told_that_the_scene_begins_again(user: User) -> None:
    loop = user.live.layout.loop
    assert loop is not None
    user.move(300, 300)
    user.play(14.8)
    assert loop.countdown is None
    user.play(1.2)
    assert loop.countdown == pytest.approx(4.0, abs=0.1)
    user.play(4.2)
    assert loop.countdown is None
    assert loop.fade > 0.0
    user.play(17.0)
    assert loop.countdown is None


def test_a_scene_without_input_begins_again_at_its_time(user: User) -> None:
    start = DynamicBodies().places()
    user.play(12.0)
    assert np.abs(DynamicBodies().places() - start).max() > 1.0
    user.play(8.0 + 1.2)
    assert np.abs(DynamicBodies().places() - start).max() < 0.1


def test_what_was_shot_is_gone_when_the_scene_begins_again(user: User) -> None:
    before = len(list(esper.get_entities()))
    user.move(100, 300)
    user.type("E", "T")
    assert len(list(esper.get_entities())) == before + 2
    user.play(32.0)
    assert len(list(esper.get_entities())) == before


# Keys that pyglet would swallow.


def test_a_tab_whose_shift_went_up_first_and_keys_of_another_window_are_heard_again(user: User) -> None:
    window = user._window
    window.pressed_keys = {0xFE20, 65}
    user.release("TAB")
    assert window.pressed_keys == {65}
    user.send("on_activate")
    user.send("on_deactivate")
    assert window.pressed_keys == set()
    assert user.player.paused


def test_the_game_is_paused_in_large_letters_and_lists_its_keys(shared: User) -> None:
    shared.open("game")
    shared.type("P")
    shared.draw()
    assert "P continues" in [label.text for label in shared.hud.words.texts.labels]
    shared.type("H")
    shared.draw()
    text = shared.help_lines()
    assert "Tidelight" in text
    assert not {"zoom at the mouse", "hold a body and throw it"} & set(text)
