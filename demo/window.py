"""The interactive run: a window, its keys and mouse, and a clock that steps the scene in real time."""

from __future__ import annotations

import time
from collections.abc import Callable

import pyglet
from pyglet.window import Window, key, mouse

from ecsphys.demo.gamepad import Gamepads
from ecsphys.demo.loading import ClosedError
from ecsphys.demo.measurements import summary
from ecsphys.demo.mouse import Mouse
from ecsphys.demo.player import Player
from ecsphys.demo.scenes import MENU, SCENES
from ecsphys.demo.scenes.scene import STEP, MouseButton
from ecsphys.demo.scenes.tools.grip import REACH

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
_STEPS_EVERY = 0.1
"""Seconds between two steps while N is held, in whole pictures."""
_DOUBLE_SECONDS, _DOUBLE_PIXELS = 0.35, 6
_TOOLS: dict[int, Callable[[Mouse], None]] = {key.E: Mouse.shoot, key.Q: Mouse.blast, key.T: Mouse.drop}
_STEERING = (key.D, key.RIGHT), (key.A, key.LEFT), (key.W, key.UP), (key.S, key.DOWN)
_ARROWS = (key.LEFT, key.RIGHT, key.UP, key.DOWN)
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
        self._switch_key = 0
        self._has_focus = False
        self._held: set[int] = set()
        self._stepped = 0.0  # when N has made the last step
        self._clicked = (-_DOUBLE_SECONDS, 0, 0)  # when and where the left button last went down
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
        if player.menu is None:
            if not player.paused:
                self._step(dt)
            elif key.N in self._held and time.perf_counter() - self._stepped >= _STEPS_EVERY - 0.5 * STEP:
                self._step_once()
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
            self._switch_screen(symbol)
        elif self._player.menu is not None:
            self._press_in_menu(symbol, modifiers)
        else:
            self._press_in_scene(symbol, modifiers)
        # Handled: pyglet's own answer to Esc would close the window before the summary is made.
        return True

    def _switch_screen(self, symbol: int) -> None:
        """Fill the screen, or end that, but not again and again while the key is held.

        On X11 the window is another one then, and the key may go up where nobody hears it.
        """
        now = time.perf_counter()
        if symbol == self._switch_key and now - self._switched < _SWITCH_SECONDS:
            return
        self._switch_key = symbol
        self._switched = now
        self._window.set_fullscreen(not self._window.fullscreen)
        self._switched = time.perf_counter()
        self._release_keys()
        pyglet.clock.schedule_once(lambda _: self._forget_pressed(None), 0.0)

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
        if player.has_help and symbol in (key.ESCAPE, key.H, key.F1):
            player.has_help = False
            return
        if symbol == key.R and modifiers & key.MOD_SHIFT:
            self._restart(keeps_sliders=False)
            return
        if symbol in _ARROWS and modifiers & key.MOD_SHIFT:
            self._held.discard(symbol)  # moves a slider, and steers nothing
        name = key.symbol_string(symbol)
        if player.events.send("press", name):
            return
        mouse_on_scene = None if player.view is None else player.view.mouse
        if symbol == key.ESCAPE:
            self._open(MENU)
        elif symbol in (key.SPACE, key.P):
            player.paused = not player.paused
        elif symbol == key.N:
            self._step_once()
        elif symbol == key.R:
            self._restart(keeps_sliders=True)
        elif symbol in (key.H, key.F1):
            player.has_help = True
        elif symbol == key.U:
            player.is_bare = not player.is_bare
        elif symbol in (key.COMMA, key.PERIOD):
            player.slow_down(1 if symbol == key.COMMA else -1)
        elif symbol in _ARROWS and self._may_steer and not modifiers & key.MOD_SHIFT:
            self._steer()
        elif symbol in (key.UP, key.DOWN):
            player.select(1 if symbol == key.DOWN else -1)
        elif symbol in (key.LEFT, key.RIGHT):
            player.change(1 if symbol == key.RIGHT else -1)
        elif symbol == key.BACKSPACE:
            player.put_back()
        elif symbol == key.TAB:
            names = list(SCENES)
            turn = -1 if modifiers & key.MOD_SHIFT else 1
            self._open(names[(names.index(player.live.scene.name) + turn) % len(names)])
        elif mouse_on_scene is not None and symbol in _TOOLS:
            _TOOLS[symbol](mouse_on_scene)
        elif player.view is not None and symbol == key.F:
            player.view.viewport.fit()
        elif player.view is not None and (switch := player.view.toolbar.switch_for(name)) is not None:
            switch.press()
        else:
            self._steer()

    def _restart(self, keeps_sliders: bool) -> None:
        self._window.switch_to()
        self._player.restart(keeps_sliders)
        self._show_title()

    def _step_once(self) -> None:
        """One step of a scene that stands still from now on."""
        self._player.paused = True
        self._player.step()
        self._stepped = time.perf_counter()

    def _on_key_release(self, symbol: int, modifiers: int) -> None:
        if symbol in (key.TAB, *_LEFT_TABS):
            self._forget_pressed(_LEFT_TABS | {key.TAB})
        self._held.discard(symbol)
        if self._player.menu is None:
            self._player.events.send("release", key.symbol_string(symbol))
        self._steer()

    def _release_keys(self) -> None:
        """Let go of all keys: nobody will say when they go up."""
        held = list(self._held)
        self._held.clear()
        if self._player.menu is None and self._player.has_scene:
            for symbol in held:
                self._player.events.send("release", key.symbol_string(symbol))
            self._steer()

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
        if self._player.menu is None:
            self._player.events.send("press", name)
        elif name in _PAD_KEYS:
            self._press_in_menu(_PAD_KEYS[name])

    def _release_pad(self, name: str) -> None:
        if self._player.menu is None:
            self._player.events.send("release", name)

    @property
    def _may_steer(self) -> bool:
        """Whether keys steer something in the scene."""
        return self._player.menu is None and self._player.live.layout.steering is not None

    def _steer(self) -> None:
        """Pass the keys W, A, S, D and the arrows that are held on to the scene."""
        if self._may_steer:
            right, left, up, down = (any(name in self._held for name in names) for names in _STEERING)
            self._player.events.send("steer", float(right - left), float(up - down))

    def _on_mouse_motion(self, x: int, y: int, dx: int, dy: int) -> None:
        if self._player.menu is not None:
            self._player.menu.hover(x, y)
        else:
            self._move_mouse(x, y)

    def _on_mouse_drag(self, x: int, y: int, dx: int, dy: int, buttons: int, modifiers: int) -> None:
        self._on_mouse_motion(x, y, dx, dy)

    def _move_mouse(self, x: float, y: float) -> None:
        if self._player.view is not None:
            self._player.view.mouse.move(x, y)
        else:
            self._player.point("move", x, y)

    def _on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        player, menu = self._player, self._player.menu
        if menu is None:
            if player.has_help:
                player.has_help = False
            elif player.view is not None and button in _BUTTONS:
                player.view.mouse.press(x, y, _BUTTONS[button], self._is_double(x, y, button))
            elif button == mouse.LEFT:
                player.point("hold", x, y, REACH)
        elif not menu.turn_to(x, y) and menu.hover(x, y):
            self._choose(menu.scene)

    def _is_double(self, x: int, y: int, button: int) -> bool:
        """Whether the left button goes down for the second time at one place."""
        if button != mouse.LEFT:
            return False
        now = time.perf_counter()
        then, last_x, last_y = self._clicked
        is_near = max(abs(x - last_x), abs(y - last_y)) <= _DOUBLE_PIXELS
        self._clicked = (now, x, y)
        return now - then < _DOUBLE_SECONDS and is_near

    def _on_mouse_release(self, x: int, y: int, button: int, modifiers: int) -> None:
        if button in _BUTTONS and self._player.menu is None and self._player.view is not None:
            self._player.view.mouse.release(_BUTTONS[button])
        elif button == mouse.LEFT and self._player.menu is None:
            self._player.let_go()

    def _on_mouse_scroll(self, x: int, y: int, scroll_x: float, scroll_y: float) -> None:
        if self._player.menu is None and self._player.view is not None:
            self._player.view.mouse.scroll(x, y, scroll_y)

    def _on_activate(self) -> None:
        self._has_focus = True

    def _on_deactivate(self) -> None:
        """Another window has the focus: keys that go up are not told to this one any more."""
        if not self._has_focus:
            return  # as some X servers report of a window that has only just been opened
        self._has_focus = False
        player = self._player
        self._release_keys()
        self._forget_pressed(None)
        if player.menu is None and player.has_scene:
            player.let_go()
            # Counted frames are played to the end, and a change to full screen is no loss.
            if self._frames is None and time.perf_counter() - self._switched > _SWITCH_SECONDS:
                player.paused = True

    def _on_resize(self, width: int, height: int) -> None:
        self._player.forget_size()

    def _on_close(self) -> bool:
        pyglet.app.exit()
        return True
