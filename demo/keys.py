"""Every key of the demo while a scene is played: what it does, and what the list of all keys says of it.

The window acts by this table and the list reads it, so that the list cannot promise a key that does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

from ecsphys.demo.debug_layers import LAYERS
from ecsphys.demo.scenes.scene import LiveScene

if TYPE_CHECKING:
    from ecsphys.demo.window import Session

Section = Literal["bodies", "picture", "time", "sliders", "demo", "layers"]
Need = Literal["", "bodies", "view", "sliders"]


@dataclass(frozen=True)
class Command:
    """Keys and what they do. A scene's own keys come first.

    ``names`` are those of pyglet, with ``SHIFT+`` or ``ALT+`` before a key that is pressed with another. ``need`` is
    what a scene needs: bodies, a view that can be moved, or sliders. ``button`` of the mouse does the same.
    """

    section: Section
    names: tuple[str, ...]
    text: str
    act: Callable[[Session], None]
    need: Need = ""
    button: str = ""


PAUSE = Command("time", ("SPACE", "P"), "pause and go on", lambda demo: demo.player.pause())
HELP = Command("demo", ("H", "F1"), "this list", lambda demo: demo.player.show_help())
OPEN_MENU = Command("demo", ("ESCAPE",), "menu", lambda demo: demo.open_menu())
FULL_SCREEN = Command(
    "demo", ("F11", "ALT+ENTER", "ALT+NUM_ENTER"), "full screen", lambda demo: demo.switch_full_screen()
)
"""Works over the menu too."""
ARROWS = ("UP", "DOWN", "LEFT", "RIGHT")
"""They steer where something is steered, and move sliders with Shift."""
_SHOWN = {
    "shapes": "outlines of colliders",
    "contacts": "points of contact",
    "normals": "pushes: direction and strength",
    "boxes": "boxes around colliders",
    "grid": "cells of the broadphase",
    "joints": "joints, coloured by load",
    "sleep": "bodies asleep, by island",
}
"""What each debug layer shows."""

COMMANDS: tuple[Command, ...] = (
    Command("bodies", ("E",), "shoot a heavy ball", lambda demo: demo.mouse.shoot(), "bodies", "middle button"),
    Command("bodies", ("Q",), "blast at the mouse", lambda demo: demo.mouse.blast(), "bodies"),
    Command("bodies", ("T",), "drop a toy at the mouse", lambda demo: demo.mouse.drop(), "bodies"),
    Command("picture", ("F",), "show all again", lambda demo: demo.fit(), "view"),
    PAUSE,
    Command("time", ("N",), "one step, held: ten a second", lambda demo: demo.step_once()),
    Command("time", ("COMMA",), "slower, faster", lambda demo: demo.player.slow_down(1)),
    Command("time", ("PERIOD",), "slower, faster", lambda demo: demo.player.slow_down(-1)),
    Command("time", ("R",), "begin again", lambda demo: demo.restart()),
    Command(
        "time",
        ("SHIFT+R",),
        "begin again, sliders as at first",
        lambda demo: demo.restart(keeps_sliders=False),
        "sliders",
    ),
    Command("sliders", ("UP",), "choose a slider", lambda demo: demo.player.select(-1), "sliders"),
    Command("sliders", ("DOWN",), "choose a slider", lambda demo: demo.player.select(1), "sliders"),
    Command("sliders", ("LEFT",), "move it", lambda demo: demo.player.change(-1), "sliders"),
    Command("sliders", ("RIGHT",), "move it", lambda demo: demo.player.change(1), "sliders"),
    Command("sliders", ("BACKSPACE",), "back to its mark", lambda demo: demo.player.put_back(), "sliders"),
    Command("demo", ("TAB",), "next scene, scene before", lambda demo: demo.go_on(1)),
    Command("demo", ("SHIFT+TAB",), "next scene, scene before", lambda demo: demo.go_on(-1)),
    HELP,
    Command("demo", ("U",), "hide all text and switches", lambda demo: demo.player.strip()),
    Command("demo", ("L",), "sparks, dust, glow and shaking", lambda demo: demo.player.toggle_effects(), "bodies"),
    *(
        Command("layers", (key,), _SHOWN[name], partial(lambda name, demo: demo.player.toggle(name), name), need)
        for name, key, need in LAYERS
    ),
    FULL_SCREEN,
    OPEN_MENU,
)

_LABELS = {
    "SPACE": "Space",
    "COMMA": ",",
    "PERIOD": ".",
    "UP": "↑",
    "DOWN": "↓",
    "LEFT": "←",
    "RIGHT": "→",
    "BACKSPACE": "Backspace",
    "TAB": "Tab",
    "ESCAPE": "Esc",
    "ENTER": "Enter",
    "NUM_ENTER": "Enter",
}


def command_for(name: str, live: LiveScene, has_view: bool) -> Command | None:
    """What a key does in a scene that has not taken it; ``has_view`` is whether its picture can be moved."""
    return next((command for command in COMMANDS if name in command.names and _works(command, live, has_view)), None)


def rows(section: Section, live: LiveScene, has_view: bool) -> list[tuple[str, str]]:
    """The keys of a section that work in a scene, and what they do: a row for each text."""
    labels: dict[str, list[str]] = {}
    own = live.own_keys()
    for command in COMMANDS:
        if command.section == section and _works(command, live, has_view):
            free = [label_of(_held_with(name, live)) for name in command.names if name not in own]
            known = labels.setdefault(command.text, [])
            known += [label for label in dict.fromkeys((*free, command.button)) if label and label not in known]
    return [(_joined(names), text) for text, names in labels.items() if names]


def steers_by(name: str, live: LiveScene) -> bool:
    """Whether a key is an arrow that steers something in the scene."""
    return name in ARROWS and live.layout.steering is not None


def _held_with(name: str, live: LiveScene) -> str:
    """A key with Shift where it does something else alone."""
    return f"SHIFT+{name}" if steers_by(name, live) else name


def pause_key(live: LiveScene) -> str:
    """The key that ends a pause, as it is written."""
    own = live.own_keys()
    return next(label_of(name) for name in PAUSE.names if name not in own)


def label_of(name: str) -> str:
    """A key as it is written on a keyboard."""
    *held, last = name.split("+")
    return "+".join([*(word.capitalize() for word in held), _LABELS.get(last, last)])


def _works(command: Command, live: LiveScene, has_view: bool) -> bool:
    layout = live.layout
    met = {"": True, "bodies": layout.has_bodies, "view": has_view, "sliders": bool(layout.parameters)}
    return met[command.need]


def _joined(labels: Sequence[str]) -> str:
    """Keys side by side; a Shift that all of them need is written once."""
    shift = "Shift+"
    if len(labels) > 1 and all(label.startswith(shift) for label in labels):
        return shift + _joined([label.removeprefix(shift) for label in labels])
    return (", " if any(len(label) > 1 for label in labels) else " ").join(labels)
