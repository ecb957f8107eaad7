"""The interactive run: a window, its mouse, and a clock that steps the scene in real time."""

from __future__ import annotations

import time

import pyglet
from pyglet.window import Window, mouse

from ecsphys.demo.keyboard import Keyboard
from ecsphys.demo.measurements import summary
from ecsphys.demo.mouse import Mouse
from ecsphys.demo.player import Player
from ecsphys.demo.scenes import MENU, SCENES
from ecsphys.demo.scenes.scene import STEP, MouseButton
from ecsphys.demo.scenes.tools.grip import REACH

_MOST_STEPS = 4  # in one frame: a picture that takes longer slows the scene down instead of choking on it
_SWITCH_SECONDS = 1.0  # in which a window may lose the focus by becoming as large as the screen
_BUTTONS: dict[int, MouseButton] = {mouse.LEFT: "left", mouse.MIDDLE: "middle", mouse.RIGHT: "right"}
_STEPS_EVERY = 0.1
"""Seconds between two steps while N is held, in whole pictures."""
_DOUBLE_SECONDS, _DOUBLE_PIXELS = 0.35, 6


class Session:
    """Shows the menu and plays scenes in a window until it is closed, or for a number of frames."""

    def __init__(self, player: Player, window: Window, frames: int | None, screenshot: str | None) -> None:
        self.player: Player = player
        self._window = window
        self._frames = frames
        self._screenshot = screenshot
        self._drawn = 0
        self._owed = 0.0  # seconds of real time that have not been stepped yet
        self._switched = -_SWITCH_SECONDS  # when it was last changed to or from full screen
        self._switch_key = ""
        self._has_focus = False
        self._stepped = 0.0  # when N has made the last step
        self._clicked = (-_DOUBLE_SECONDS, 0, 0)  # when and where the left button last went down
        self._keyboard = Keyboard(self, window)
        window.push_handlers(
            on_key_press=self._keyboard.press,
            on_key_release=self._keyboard.release,
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
        self._open(scene)
        self._play()
        if self._screenshot is not None:
            self._window.switch_to()
            self.player.save_screenshot(self._screenshot)
        if self.player.menu is not None:
            return f"{'scene':<16}{MENU}"
        live = self.player.live
        text = summary(live.scene.name, live.frame, self.player.simulate, self.player.drawing, live.counts())
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
        player = self.player
        if self._frames is not None and self._drawn >= self._frames:
            pyglet.app.exit()
            return
        if player.menu is None:
            if not player.paused:
                self._step(dt)
            elif self._keyboard.holds("N") and time.perf_counter() - self._stepped >= _STEPS_EVERY - 0.5 * STEP:
                self.step_once()
        self._window.switch_to()
        player.draw()
        self._window.flip()
        self._drawn += 1

    def _step(self, dt: float) -> None:
        """Step as real time goes on; where frames are counted, once in each."""
        if self._frames is not None:
            self.player.step()
            return
        start = time.perf_counter()
        self._owed = min(self._owed + dt, _MOST_STEPS * STEP)
        while self._owed >= STEP:
            self._owed -= STEP
            self.player.step()
            if time.perf_counter() - start > STEP:
                # Steps that take longer than the time they make up for only make frames rarer.
                self._owed = 0.0

    def _open(self, scene: str) -> None:
        """A scene by its name, or the menu."""
        self._window.switch_to()
        if scene == MENU:
            # The menu hears of keys and buttons that go up, and the scene below it does not.
            self._let_go()
            self.player.open_menu()
        else:
            self.player.open(scene)
        self._show_title()

    def open_menu(self) -> None:
        """Show the menu over the scene."""
        self._open(MENU)

    def go_on(self, turn: int) -> None:
        """Open the next scene, or with −1 the one before."""
        names = list(SCENES)
        self._open(names[(names.index(self.player.live.scene.name) + turn) % len(names)])

    def choose(self, scene: str) -> None:
        """What was chosen in the menu: the scene it was opened over goes on, unless it is over."""
        player = self.player
        if player.has_scene and player.live.scene.name == scene and not player.live.is_over:
            player.close_menu()
            self._show_title()
        else:
            self._open(scene)

    def _show_title(self) -> None:
        title = "menu" if self.player.menu is not None else self.player.live.scene.title
        self._window.set_caption(f"ecsphys: {title}")
        self._keyboard.steer()

    def restart(self, keeps_sliders: bool = True) -> None:
        """Begin the scene again, with its sliders as they are or as they were at first."""
        self._window.switch_to()
        self.player.restart(keeps_sliders)
        self._show_title()

    @property
    def mouse(self) -> Mouse:
        """The mouse over the scene; RuntimeError over a scene that draws itself."""
        if self.player.view is None:
            raise RuntimeError("a scene that draws itself has no tools")
        return self.player.view.mouse

    def fit(self) -> None:
        """Show all of the scene again."""
        if self.player.view is not None:
            self.player.view.viewport.fit()

    def switch_full_screen(self) -> None:
        """Fill the screen, or end that, but not again and again while the key is held.

        On X11 the window is another one then, and the key may go up where nobody hears it.
        """
        now, name = time.perf_counter(), self._keyboard.last
        if name == self._switch_key and now - self._switched < _SWITCH_SECONDS:
            return
        self._switch_key = name
        self._switched = now
        self._window.set_fullscreen(not self._window.fullscreen)
        self._switched = time.perf_counter()
        if self.player.has_scene:
            self._keyboard.let_go()
        pyglet.clock.schedule_once(lambda _: self._keyboard.forget(), 0.0)

    def end(self) -> None:
        """Close the demo."""
        pyglet.app.exit()

    def step_once(self) -> None:
        """One step of a scene that stands still from now on."""
        self.player.paused = True
        self.player.step()
        self._stepped = time.perf_counter()

    def _on_mouse_motion(self, x: int, y: int, dx: int, dy: int) -> None:
        if self.player.menu is not None:
            self.player.menu.hover(x, y)
        else:
            self._move_mouse(x, y)

    def _on_mouse_drag(self, x: int, y: int, dx: int, dy: int, buttons: int, modifiers: int) -> None:
        self._on_mouse_motion(x, y, dx, dy)

    def _move_mouse(self, x: float, y: float) -> None:
        if self.player.view is not None:
            self.player.view.mouse.move(x, y)
        else:
            self.player.point("move", x, y)

    def _on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        player, menu = self.player, self.player.menu
        if menu is None:
            if player.has_help:
                player.has_help = False
            elif player.view is not None and button in _BUTTONS:
                player.view.mouse.press(x, y, _BUTTONS[button], self._is_double(x, y, button))
            elif button == mouse.LEFT:
                player.point("hold", x, y, REACH)
        elif not menu.turn_to(x, y) and menu.hover(x, y):
            self.choose(menu.scene)

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
        if button in _BUTTONS and self.player.menu is None and self.player.view is not None:
            self.player.view.mouse.release(_BUTTONS[button])
        elif button == mouse.LEFT and self.player.menu is None:
            self.player.let_go()

    def _on_mouse_scroll(self, x: int, y: int, scroll_x: float, scroll_y: float) -> None:
        if self.player.menu is None and self.player.view is not None:
            self.player.view.mouse.scroll(x, y, scroll_y)

    def _on_activate(self) -> None:
        self._has_focus = True

    def _on_deactivate(self) -> None:
        """Another window has the focus: keys that go up are not told to this one any more."""
        if not self._has_focus:
            return  # as some X servers report of a window that has only just been opened
        self._has_focus = False
        self._let_go()
        self._keyboard.forget()
        # Counted frames are played to the end, and a change to full screen is no loss.
        is_lost = self._frames is None and time.perf_counter() - self._switched > _SWITCH_SECONDS
        if is_lost and self.player.menu is None and self.player.has_scene:
            self.player.paused = True

    def _let_go(self) -> None:
        """Release all that keys and mouse hold in the scene."""
        if self.player.menu is None and self.player.has_scene:
            self._keyboard.let_go()
            self.player.let_go()

    def _on_resize(self, width: int, height: int) -> None:
        self.player.forget_size()

    def _on_close(self) -> bool:
        self.end()
        return True
