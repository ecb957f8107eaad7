"""The interactive run: a window, its keys and mouse, and a clock that steps the scene in real time."""

from __future__ import annotations

import time

import pyglet
from pyglet.window import Window, key, mouse

from ecsphys.demo.gamepad import Gamepads
from ecsphys.demo.loading import ClosedError
from ecsphys.demo.measurements import summary
from ecsphys.demo.player import Player
from ecsphys.demo.scenes import MENU, SCENES
from ecsphys.demo.scenes.scene import STEP, MouseButton

_MOST_STEPS = 4  # in one frame: a picture that takes longer slows the scene down instead of choking on it
_PAD_KEYS = {
    "PAD_A": key.ENTER,
    "PAD_START": key.ENTER,
    "PAD_LEFT": key.LEFT,
    "PAD_RIGHT": key.RIGHT,
    "PAD_UP": key.UP,
    "PAD_DOWN": key.DOWN,
}
_SWITCH_SECONDS = 1.0  # in which a window may lose the focus by becoming as large as the screen
_ENTER = (key.ENTER, key.NUM_ENTER)
_BUTTONS: dict[int, MouseButton] = {mouse.LEFT: "left", mouse.MIDDLE: "middle", mouse.RIGHT: "right"}
# What X11 may report for Tab while Shift is down: the key symbol ISO_Left_Tab, or the bare code of the key.
_LEFT_TABS = frozenset({0xFE20, key.user_key(23)})
_MENU_MOVES = {key.LEFT: (-1, 0), key.RIGHT: (1, 0), key.UP: (0, -1), key.DOWN: (0, 1)}


class Session:
    """Shows the menu and plays scenes in a window until it is closed, or for a number of frames."""

    def __init__(self, player: Player, window: Window, frames: int | None, screenshot: str | None) -> None:
        self._player = player
        self._window = window
        self._frames = frames
        self._screenshot = screenshot
        self._drawn = 0
        self._owed = 0.0  # seconds of real time that have not been stepped yet
        self._switched = -_SWITCH_SECONDS  # when it was last changed to or from full screen
        self._has_focus = False
        self._held: set[int] = set()
        self._gamepads = Gamepads(self._press_pad, self._release_pad)
        window.push_handlers(
            on_key_press=self._on_key_press,
            on_key_release=self._on_key_release,
            on_mouse_motion=self._on_mouse_motion,
            on_mouse_press=self._on_mouse_press,
            on_mouse_drag=self._on_mouse_drag,
            on_mouse_release=self._on_mouse_release,
            on_mouse_scroll=self._on_mouse_scroll,
            on_activate=self._on_activate,
            on_deactivate=self._on_deactivate,
            on_resize=self._on_resize,
            on_close=self._on_close,
        )

    def run(self, scene: str) -> str:
        """Show the menu or play a scene; returns the summary of what was shown last."""
        try:
            self._open(scene)
            self._play()
        except ClosedError:
            return "closed before everything was compiled; compiled kernels are kept"
        if self._screenshot is not None:
            self._window.switch_to()
            self._player.save_screenshot(self._screenshot)
        if self._player.menu is not None:
            return f"{'scene':<16}{MENU}"
        live = self._player.live
        text = summary(live.scene.name, live.frame, self._player.simulate, self._player.drawing, live.counts())
        return text if (outcome := live.outcome()) is None else f"{text}\n{outcome}"

    def _play(self) -> None:
        pyglet.clock.schedule_interval(self._tick, STEP)
        try:
            # Without an interval of its own: _tick draws, right after the steps.
            pyglet.app.run(None)
        except KeyboardInterrupt:
            pass
        finally:
            pyglet.clock.unschedule(self._tick)

    def _tick(self, dt: float) -> None:
        player = self._player
        if self._frames is not None and self._drawn >= self._frames:
            pyglet.app.exit()
            return
        if player.menu is None and not player.paused:
            self._step(dt)
        self._window.switch_to()
        player.draw()
        self._window.flip()
        self._drawn += 1

    def _step(self, dt: float) -> None:
        """Step as real time goes on; where frames are counted, once in each."""
        if self._frames is not None:
            self._player.step()
            return
        start = time.perf_counter()
        self._owed = min(self._owed + dt, _MOST_STEPS * STEP)
        while self._owed >= STEP:
            self._owed -= STEP
            self._player.step()
            if time.perf_counter() - start > STEP:
                # Steps that take longer than the time they make up for only make frames rarer.
                self._owed = 0.0

    def _open(self, scene: str) -> None:
        """A scene by its name, or the menu."""
        self._window.switch_to()
        if scene == MENU:
            self._player.open_menu()
        else:
            self._player.open(scene)
        self._show_title()

    def _choose(self, scene: str) -> None:
        """What was chosen in the menu: the scene it was opened over goes on, unless it is over."""
        player = self._player
        if player.has_scene and player.live.scene.name == scene and not player.live.is_over:
            player.close_menu()
            self._show_title()
        else:
            self._open(scene)

    def _show_title(self) -> None:
        title = "menu" if self._player.menu is not None else self._player.live.scene.title
        self._window.set_caption(f"ecsphys: {title}")
        self._steer()

    def _on_key_press(self, symbol: int, modifiers: int) -> bool:
        if symbol in _LEFT_TABS:
            symbol, modifiers = key.TAB, modifiers | key.MOD_SHIFT
        self._held.add(symbol)
        if symbol == key.F11 or (symbol in _ENTER and modifiers & key.MOD_ALT):
            self._switched = time.perf_counter()
            self._window.set_fullscreen(not self._window.fullscreen)
        elif self._player.menu is not None:
            self._press_in_menu(symbol, modifiers)
        else:
            self._press_in_scene(symbol, modifiers)
        # Handled: pyglet's own answer to Esc would close the window before the summary is made.
        return True

    def _press_in_menu(self, symbol: int, modifiers: int = 0) -> None:
        menu = self._player.menu
        assert menu is not None
        if symbol == key.ESCAPE:
            pyglet.app.exit()
        elif symbol in (*_ENTER, key.SPACE):
            self._choose(menu.scene)
        elif symbol == key.TAB:
            menu.turn(-1 if modifiers & key.MOD_SHIFT else 1)
        elif symbol in _MENU_MOVES:
            menu.move(*_MENU_MOVES[symbol])

    def _press_in_scene(self, symbol: int, modifiers: int) -> None:
        player = self._player
        if player.events.send("press", key.symbol_string(symbol)):
            return
        if symbol == key.ESCAPE:
            self._open(MENU)
        elif symbol in (key.SPACE, key.P):
            player.paused = not player.paused
            player.show_numbers()
        elif symbol == key.N:
            player.paused = True
            player.step()
            player.show_numbers()
        elif symbol == key.R:
            self._open(player.live.scene.name)
        elif symbol == key.B:
            player.debug = not player.debug
        elif symbol in (key.LEFT, key.RIGHT):
            player.select(1 if symbol == key.RIGHT else -1)
        elif symbol in (key.UP, key.DOWN):
            player.change(1 if symbol == key.UP else -1)
        elif symbol == key.TAB:
            names = list(SCENES)
            turn = -1 if modifiers & key.MOD_SHIFT else 1
            self._open(names[(names.index(player.live.scene.name) + turn) % len(names)])
        else:
            self._steer()

    def _on_key_release(self, symbol: int, modifiers: int) -> None:
        self._held.discard(symbol)
        if self._player.menu is None:
            self._player.events.send("release", key.symbol_string(symbol))
        self._steer()

    def _press_pad(self, name: str) -> None:
        """A button of a gamepad goes down: the scene's own, or in the menu the way and the choice."""
        if self._player.menu is None:
            self._player.events.send("press", name)
        elif name in _PAD_KEYS:
            self._press_in_menu(_PAD_KEYS[name])

    def _release_pad(self, name: str) -> None:
        if self._player.menu is None:
            self._player.events.send("release", name)

    def _steer(self) -> None:
        """Pass the keys W, A, S and D that are held on to the scene."""
        if self._player.menu is None and self._player.live.layout.steering is not None:
            x, y = (key.D in self._held) - (key.A in self._held), (key.W in self._held) - (key.S in self._held)
            self._player.events.send("steer", float(x), float(y))

    def _on_mouse_motion(self, x: int, y: int, dx: int, dy: int) -> None:
        if self._player.menu is not None:
            self._player.menu.hover(x, y)
        else:
            self._player.point_at(x, y)

    def _on_mouse_drag(self, x: int, y: int, dx: int, dy: int, buttons: int, modifiers: int) -> None:
        self._on_mouse_motion(x, y, dx, dy)

    def _on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        menu = self._player.menu
        if menu is None:
            if button in _BUTTONS:
                self._player.press_mouse(x, y, _BUTTONS[button])
        elif not menu.turn_to(x, y) and menu.hover(x, y):
            self._choose(menu.scene)

    def _on_mouse_release(self, x: int, y: int, button: int, modifiers: int) -> None:
        if button in _BUTTONS and self._player.menu is None:
            self._player.release_mouse(_BUTTONS[button])

    def _on_mouse_scroll(self, x: int, y: int, scroll_x: float, scroll_y: float) -> None:
        if self._player.menu is None:
            self._player.scroll(x, y, scroll_y)

    def _on_activate(self) -> None:
        self._has_focus = True

    def _on_deactivate(self) -> None:
        """Another window has the focus: keys that go up are not told to this one any more."""
        if not self._has_focus:
            return  # as some X servers report of a window that has only just been opened
        self._has_focus = False
        player, held = self._player, list(self._held)
        self._held.clear()
        if player.menu is None and player.has_scene:
            for symbol in held:
                player.events.send("release", key.symbol_string(symbol))
            player.let_go()
            self._steer()
            # Counted frames are played to the end, and a change to full screen is no loss.
            if self._frames is None and time.perf_counter() - self._switched > _SWITCH_SECONDS:
                player.paused = True
                player.show_numbers()

    def _on_resize(self, width: int, height: int) -> None:
        self._player.forget_size()

    def _on_close(self) -> bool:
        pyglet.app.exit()
        return True
