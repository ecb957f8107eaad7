"""Keys that a player tries first: arrows, F11, Space; and what one scene leaves of them to the next."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from demo_user import User, demo_user

from ecsphys.demo.scenes import SCENES

ARROWS = {"RIGHT": (1.0, 0.0), "LEFT": (-1.0, 0.0), "UP": (0.0, 1.0), "DOWN": (0.0, -1.0)}
LETTERS = {"D": (1.0, 0.0), "A": (-1.0, 0.0), "W": (0.0, 1.0), "S": (0.0, -1.0)}


@pytest.fixture(scope="module")
def user() -> Iterator[User]:
    with demo_user() as found:
        yield found


def way(user: User) -> tuple[float, float]:
    steering = user.live.layout.steering
    assert steering is not None
    return steering.x, steering.y


def texts_of_help(user: User) -> list[str]:
    user.type("H")
    user.draw()
    lines = user.help_lines()
    user.type("H")
    return lines


@pytest.mark.parametrize("name", ["car", "control", "hills", "platformer", "scrolling"])
def test_arrows_and_letters_steer_and_with_shift_arrows_move_sliders(user: User, name: str) -> None:
    user.open(name)
    for key, expected in (ARROWS | LETTERS).items():
        user.press(key)
        assert way(user) == expected, key
        user.release(key)
        assert way(user) == (0.0, 0.0), key
    selected = user.view.toolbar.selected
    parameters = user.live.layout.parameters
    before = [parameter.get() for parameter in parameters]
    assert "Shift+← →" in texts_of_help(user)
    user.press("RIGHT", "DOWN", shift=True)
    user.press("N")
    user.release("N")
    assert way(user) == (0.0, 0.0)
    user.release("RIGHT", "DOWN")
    assert user.view.toolbar.selected == min(selected + 1, len(parameters) - 1) or len(parameters) == 1
    assert [parameter.get() for parameter in parameters] != before


def test_every_scene_that_is_steered_is_in_the_test_above(user: User) -> None:
    steered = set()
    for name in SCENES:
        if name != "game":
            user.open(name)
            if user.live.layout.steering is not None:
                steered.add(name)
    assert steered == {"car", "control", "hills", "platformer", "scrolling"}


@pytest.mark.parametrize("name", ["car", "game", "playground", "yard", "pyramid", "motion"])
def test_the_list_of_keys_names_no_key_twice(user: User, name: str) -> None:
    user.open(name)
    keys = [key for text in texts_of_help(user) for key in text.split(", ") if len(key) == 1]
    assert len(keys) == len(set(keys)) > 5


def test_layers_are_hidden_in_another_scene_and_stay_when_one_begins_again(user: User) -> None:
    user.open("pyramid")
    user.type("Z")
    assert user.player.layers.sleep
    user.type("R")
    shown = next(switch for switch in user.view.toolbar.switches if switch.key == "Z")
    assert user.player.layers.sleep
    assert shown.get()
    user.type("TAB")
    assert not user.player.layers.sleep


def test_the_screen_is_switched_by_each_press_of_a_key_and_once_while_it_is_held(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyglet

    window, now = user._window, [100.0]
    switches: list[bool] = []
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(window, "set_fullscreen", switches.append)
    user.open("car")
    for press in (1, 2, 3):
        user.press("D")
        # As pyglet does: the key is noted after the answer to it, and may go up where nobody hears it.
        user.press("F11")
        window.pressed_keys = {user.key("F11"), user.key("D")}
        pyglet.clock.tick()
        assert len(switches) == press
        assert window.pressed_keys == set()
        assert way(user) == (0.0, 0.0)
        now[0] += 0.7
        user.press("F11")  # held: X11 repeats it
        assert len(switches) == press
        now[0] += 5.0


def test_a_caption_is_hidden_when_the_camera_has_left_its_place(user: User) -> None:
    from ecsphys.demo.hud.hud import Hud

    user.open("yard")
    user.draw()
    hud = user.hud
    assert isinstance(hud, Hud)

    def shown() -> list[str]:
        user.draw()
        return [label.text for label in hud.captions.texts.labels if label.visible]

    assert "Pull the ball back and let go" in shown()
    layout = user.live.layout
    left, low, right, high = layout.follow() if layout.follow is not None else layout.arena
    layout.follow = lambda: (left + 20.0, low, right + 20.0, high)
    assert shown() == []
    assert hud.captions.plates == []
    layout.follow = lambda: (left, low, right, high)
    assert "Pull the ball back and let go" in shown()


def test_space_begins_the_game_at_its_title_as_enter_does(user: User) -> None:
    from ecsphys.demo.game import Game

    for key in ("SPACE", "ENTER"):
        user.open("game")
        game = user.live
        assert isinstance(game, Game)
        user.play(0.1)
        assert game.state.value == "title"
        user.type(key)
        user.play(0.1)
        assert game.state.value == "play"
