"""The keyboard and the gamepads over a window: which keys are held, and whom a key is for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyglet.window import Window, key

from ecsphys.demo.gamepad import Gamepads
from ecsphys.demo.keys import FULL_SCREEN, HELP, OPEN_MENU, command_for, steers_by

if TYPE_CHECKING:
    from ecsphys.demo.window import Session

_PAD_KEYS = {
    "PAD_A": "ENTER",
    "PAD_START": "ENTER",
    "PAD_LEFT": "LEFT",
    "PAD_RIGHT": "RIGHT",
    "PAD_UP": "UP",
    "PAD_DOWN": "DOWN",
}
_CHOOSE = ("ENTER", "NUM_ENTER", "SPACE")
_MENU_MOVES = {"LEFT": (-1, 0), "RIGHT": (1, 0), "UP": (0, -1), "DOWN": (0, 1)}
_STEERING = ("D", "RIGHT"), ("A", "LEFT"), ("W", "UP"), ("S", "DOWN")
_LEFT_TABS = frozenset({0xFE20, key.user_key(23)})
"""What X11 may report for Tab while Shift is down: the key symbol ISO_Left_Tab, or the bare code of the key."""


class Keyboard:
    """Passes keys on to the menu, to the scene, and to the commands of the demo, in this order."""

    def __init__(self, session: Session, window: Window) -> None:
        self._session = session
        self._window = window
        self._held: set[str] = set()
        self.last = ""
        """The key that last went down."""
        self._gamepads = Gamepads(self._press_pad, self._release_pad)

    def holds(self, name: str) -> bool:
        """Whether a key is down."""
        return name in self._held

    def steer(self) -> None:
        """Pass the keys W, A, S, D and the arrows that are held on to the scene."""
        player = self._session.player
        if player.menu is None and player.live.layout.steering is not None:
            right, left, up, down = (not self._held.isdisjoint(names) for names in _STEERING)
            player.events.send("steer", float(right - left), float(up - down))

    def let_go(self) -> None:
        """Release in the scene all keys that are held: it will not be told when they go up."""
        events = self._session.player.events
        for name in self._held:
            events.send("release", name)
        if events.live.layout.steering is not None:
            events.send("steer", 0.0, 0.0)

    def forget(self) -> None:
        """Take no key as held any more: what goes up from now on is not reported."""
        self._held.clear()
        self._forget_pressed(None)

    def press(self, symbol: int, modifiers: int) -> bool:
        """A key goes down."""
        name = "TAB" if symbol in _LEFT_TABS else key.symbol_string(symbol)
        has_shift = bool(modifiers & key.MOD_SHIFT) or symbol in _LEFT_TABS
        self._held.add(name)
        self.last = name
        if name in FULL_SCREEN.names or (modifiers & key.MOD_ALT and f"ALT+{name}" in FULL_SCREEN.names):
            FULL_SCREEN.act(self._session)
        elif self._session.player.menu is not None:
            self._press_in_menu(name, has_shift)
        else:
            self._press_in_scene(name, has_shift)
        # Handled: pyglet's own answer to Esc would close the window before the summary is made.
        return True

    def _press_in_menu(self, name: str, has_shift: bool = False) -> None:
        session, menu = self._session, self._session.player.menu
        assert menu is not None
        if name == "ESCAPE":
            session.end()
        elif name in _CHOOSE:
            session.choose(menu.scene)
        elif name == "TAB":
            menu.turn(-1 if has_shift else 1)
        elif name in _MENU_MOVES:
            menu.move(*_MENU_MOVES[name])

    def _press_in_scene(self, name: str, has_shift: bool) -> None:
        session, player = self._session, self._session.player
        live, has_view = player.live, player.view is not None
        if steers_by(name, live) and has_shift:
            self._held.discard(name)  # moves a slider, and steers nothing
        with_shift = command_for(f"SHIFT+{name}", live, has_view) if has_shift else None
        if player.has_help and name in (*HELP.names, *OPEN_MENU.names):
            player.show_help()
        elif with_shift is not None:
            with_shift.act(session)
        elif player.events.send("press", name):
            return
        elif steers_by(name, live) and not has_shift:
            self.steer()
        elif (command := command_for(name, live, has_view)) is not None:
            command.act(session)
        else:
            self.steer()

    def release(self, symbol: int, modifiers: int) -> None:
        """A key goes up."""
        name = key.symbol_string(symbol)
        if symbol in (key.TAB, *_LEFT_TABS):
            name = "TAB"
            self._forget_pressed(_LEFT_TABS | {key.TAB})
        self._held.discard(name)
        if self._session.player.menu is None:
            self._session.player.events.send("release", name)
        self.steer()

    def _forget_pressed(self, symbols: frozenset[int] | None) -> None:
        """Tell pyglet that keys are up, or with None all keys.

        On X11 it takes a key that it has not seen go up for one that repeats, and reports it no more. With Shift a Tab
        goes down under another symbol than it goes up with without; and keys go up while another window has the focus.
        """
        pressed: set[int] = getattr(self._window, "pressed_keys", set())
        if symbols is None:
            pressed.clear()
        else:
            pressed -= symbols

    def _press_pad(self, name: str) -> None:
        """A button of a gamepad goes down: the scene's own, or in the menu the way and the choice."""
        if self._session.player.menu is None:
            self._session.player.events.send("press", name)
        elif name in _PAD_KEYS:
            self._press_in_menu(_PAD_KEYS[name])

    def _release_pad(self, name: str) -> None:
        if self._session.player.menu is None:
            self._session.player.events.send("release", name)
