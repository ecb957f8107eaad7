"""The table of keys: the window acts by it, and the list of all keys says no more than is true."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import esper
import pytest
from demo_user import User, demo_user

from ecsphys import RigidBody, Transform
from ecsphys.demo.keys import COMMANDS, Section, command_for, label_of, rows
from ecsphys.demo.recorded_scene import SceneEvents
from ecsphys.demo.scenes import open_scene

SECTIONS: tuple[Section, ...] = get_args(Section)
NAMES = {name for command in COMMANDS for name in command.names}


@pytest.fixture(scope="module")
def user() -> Iterator[User]:
    with demo_user() as found:
        yield found


def listed(user: User) -> dict[str, str]:
    """The text beside each key in the list of all keys."""
    has_view = user.player.view is not None
    pairs = [row for section in SECTIONS for row in rows(section, user.live, has_view)]
    return {key: text for keys, text in pairs for key in keys.replace(", ", " ").split(" ")}


def test_keys_have_the_names_of_pyglet_and_each_does_one_thing(user: User) -> None:
    from pyglet.window import key

    assert all(hasattr(key, name.split("+")[-1]) for name in NAMES)
    assert len(NAMES) == sum(len(command.names) for command in COMMANDS)


@pytest.mark.parametrize("scene", ["game", "playground", "car", "yard", "light"])
def test_keys_that_a_scene_takes_are_those_it_calls_its_own(scene: str) -> None:
    live = open_scene(scene)
    events, own = SceneEvents(live), live.own_keys()
    plain = {name for name in NAMES if "+" not in name}
    assert {name for name in plain | own if events.send("press", name)} == own
    assert not {label_of(name) for name in own} & {
        label for section in SECTIONS for keys, _ in rows(section, live, True) for label in keys.split(", ")
    }
    live.close()


def test_the_game_lists_no_key_that_it_takes_itself_and_none_without_effect(user: User) -> None:
    user.open("game")
    keys = listed(user)
    assert keys["P"] == "pause and go on"
    assert not {"Space", "L", "F", "C", "E", "J", "↑"} & keys.keys()
    user.type("SPACE")
    assert not user.player.paused
    user.type("P")
    assert user.player.paused
    user.type("P", "O")
    assert user.player.layers.shapes
    user.type("O")


@pytest.mark.parametrize("scene", ["pyramid", "light", "game"])
def test_every_command_that_a_scene_has_no_use_for_does_nothing(user: User, scene: str) -> None:
    user.open(scene)
    keys, before = listed(user), len(list(esper.get_entities()))
    has_view = user.player.view is not None
    for name in sorted(name for name in NAMES if "+" not in name):
        if command_for(name, user.live, has_view) is None:
            assert label_of(name) not in keys
            user.type(name)
    assert (user.live.scene.name, user.player.menu) == (scene, None)
    assert len(list(esper.get_entities())) == before


def test_keys_that_go_up_in_the_menu_are_up_in_the_scene_below_it(user: User) -> None:
    user.open("game")
    user.type("ENTER")
    user.play(0.1)
    user.press("D")
    assert user.live.controls.x == 1.0  # type: ignore[attr-defined]
    user.type("ESCAPE")
    user.release("D")
    user.type("ENTER")
    assert user.player.menu is None
    assert user.live.controls.x == 0.0  # type: ignore[attr-defined]


def test_steering_stops_when_its_key_goes_up_in_the_menu(user: User) -> None:
    user.open("hills")
    user.press("D")
    steering = user.live.layout.steering
    assert steering is not None
    assert steering.x == 1.0
    user.type("ESCAPE")
    user.release("D")
    user.type("ENTER")
    assert (user.player.menu, steering.x) == (None, 0.0)


def test_the_menu_takes_what_the_mouse_holds_out_of_its_hand(user: User) -> None:
    user.open("pyramid")
    place = max((place for _, (place, _) in esper.get_components(Transform, RigidBody)), key=lambda found: found.y)
    user.down(*user.pixel(place.x, place.y))
    assert user.live.grip.held is not None
    user.type("ESCAPE")
    user.up(10.0, 10.0)
    assert user.live.grip.held is None
