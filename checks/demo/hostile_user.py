"""A user who presses, drags, turns, resizes and holds at random, in the demo's real window code."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING

import esper
import numpy as np
from numpy.random import Generator
from pyglet.window import key, mouse

from ecsphys import RigidBody, Transform
from ecsphys.demo.player import Player
from ecsphys.demo.scenes.scene import STEP

if TYPE_CHECKING:
    from pyglet.window import Window

    from ecsphys.demo.window import Session

_SIZES = (
    (640, 400),
    (640, 400),
    (640, 400),
    (640, 400),
    (320, 240),
    (1280, 720),
    (100, 900),
    (900, 60),
    (1, 1),
    (37, 19),
)
_LARGEST = 2560, 1440
_BUTTONS = mouse.LEFT, mouse.MIDDLE, mouse.RIGHT
_KEYS = (
    *(key.A + number for number in range(26)),
    *(key._0 + number for number in range(10)),
    *(key.SPACE, key.ENTER, key.BACKSPACE, key.COMMA, key.PERIOD, key.PLUS, key.MINUS, key.F1, key.DELETE),
    *(key.LEFT, key.RIGHT, key.UP, key.DOWN, key.LSHIFT, key.LCTRL),
)
_WANDERING = key.R, key.TAB, key.ESCAPE
"""Keys that begin another scene, or this one again, or open the menu."""
_TOOLS = key.E, key.Q, key.T


class Clock(SimpleNamespace):
    """The time of the user's acts, in place of the module ``time``: so that a seed plays the same again."""

    now = 1000.0

    def perf_counter(self) -> float:
        return self.now


class HostileUser:
    """Acts at random on a window of any size, and lets the scene go on between."""

    def __init__(
        self, window: Window, session: Session, player: Player, clock: Clock, random: Generator, wanders: bool
    ) -> None:
        self._window = window
        self._session = session
        self._player = player
        self._clock = clock
        self._random = random
        self._wanders = wanders
        self.told: list[str] = []
        """What has been done, the last act last."""
        self._acts: list[tuple[float, Callable[[], None]]] = [
            (6.0, self._tap),
            (4.0, self._hold_key),
            (3.0, self._release_key),
            (6.0, self._press),
            (6.0, self._drag),
            (5.0, self._release),
            (2.0, self._click_twice),
            (3.0, self._take_body),
            (4.0, self._scroll),
            (1.5, self._resize),
            (1.0, self._lose_focus),
            (1.0, self._pause),
            (2.0, self._pace),
            (2.0, self._move_all_sliders),
            (1.0, self._shoot_hundreds),
            (1.0, self._wait),
            (0.6, self._wait_with_body),
        ]
        if wanders:
            self._acts += [(2.0, self._wander), (1.0, self._restart_with_body)]
        weights = np.array([weight for weight, _ in self._acts])
        self._chances = weights / weights.sum()

    def act(self) -> None:
        """Do something, and let some steps go by."""
        _, act = self._acts[int(self._random.choice(len(self._acts), p=self._chances))]
        self.told.append(act.__name__.strip("_"))
        act()
        for _ in range(int(self._random.integers(0, 25))):
            self._go_on()

    def calm(self, seconds: float) -> None:
        """Let go of everything, and play on."""
        for symbol in (*_KEYS, *_WANDERING):
            self._send("on_key_release", symbol, 0)
        for button in _BUTTONS:
            self._send("on_mouse_release", 5, 5, button, 0)
        self._player.paused = self._player.has_help = False
        self._skip(round(seconds / STEP))

    def resize(self, width: int, height: int) -> None:
        """Give the picture another size: an off-screen surface is as large as it was made, and may be used in part."""
        self._window._width, self._window._height = width, height
        self._send("on_resize", width, height)

    def _send(self, name: str, *arguments: float) -> None:
        self._clock.now += 0.001
        self._window.dispatch_event(name, *arguments)
        # Without an event loop they wait in a queue.
        self._window.dispatch_events()

    def _go_on(self) -> None:
        """A step; now and then with a picture."""
        if self._player.menu is not None or self._random.random() < 0.04:
            self._clock.now += STEP
            self._session._tick(STEP)
        elif not self._player.paused:
            self._skip(1)

    def _skip(self, steps: int) -> None:
        """Steps without pictures."""
        if self._player.menu is not None:
            return
        for _ in range(steps):
            self._clock.now += STEP
            self._player.step()
            if self._player.view is not None:
                self._player.view.viewport.update()

    # Places.

    def _place(self) -> tuple[int, int]:
        """A pixel: anywhere, or beside the picture, or at a slider, a switch, a button or a body."""
        width, height = self._window.get_size()
        random, view = self._random, self._player.view
        kind = random.random()
        if kind < 0.1:
            return int(random.integers(-300, width + 300)), int(random.integers(-300, height + 300))
        if view is not None and self._player.menu is None:
            if kind < 0.2 and view.toolbar.sliders:
                left, bottom, right, top = view.toolbar.sliders[int(random.integers(len(view.toolbar.sliders)))].box
                return int(random.uniform(left, right)), int(0.5 * (bottom + top))
            if kind < 0.25:
                return int(random.integers(width)), int(0.25 * view.toolbar.height)
            if kind < 0.35 and view.panel is not None:
                return int(random.uniform(width - view.panel.width, width)), int(random.integers(height))
            if kind < 0.7 and (pixel := self._body_pixel()) is not None:
                return pixel
        return int(random.integers(width)), int(random.integers(height))

    def _body_pixel(self) -> tuple[int, int] | None:
        """Where a dynamic body is in the picture."""
        self._player.live.enter()
        bodies = [place for _, (body, place) in esper.get_components(RigidBody, Transform) if body.kind == "dynamic"]
        if not bodies or self._player.view is None:
            return None
        place = bodies[int(self._random.integers(len(bodies)))]
        x, y = self._player.view.viewport.camera.to_pixel(place.x, place.y)
        return round(min(max(x, -1e6), 1e6)), round(min(max(y, -1e6), 1e6))

    def _button(self) -> int:
        return int(self._random.choice(_BUTTONS, p=(0.7, 0.15, 0.15)))

    def _key(self) -> int:
        return int(self._random.choice(_KEYS)) if self._random.random() < 0.8 else int(self._random.choice(_TOOLS))

    # Acts.

    def _tap(self) -> None:
        for symbol in [self._key() for _ in range(int(self._random.integers(1, 6)))]:
            self._type(symbol)

    def _type(self, symbol: int, modifiers: int = 0) -> None:
        if symbol == key.R and not self._wanders:
            return
        self._send("on_key_press", symbol, modifiers)
        self._send("on_key_release", symbol, modifiers)

    def _hold_key(self) -> None:
        symbol = self._key()
        if symbol != key.R or self._wanders:
            self._send("on_key_press", symbol, 0)

    def _release_key(self) -> None:
        self._send("on_key_release", self._key(), 0)

    def _press(self) -> None:
        if self._player.menu is None or self._wanders:
            self._send("on_mouse_press", *self._place(), self._button(), 0)

    def _drag(self) -> None:
        """From somewhere to somewhere else, in some steps or none."""
        (x, y), (to_x, to_y) = self._place(), self._place()
        count = int(self._random.integers(1, 15))
        for part in np.linspace(0.0, 1.0, count + 1):
            place = round(x + part * (to_x - x)), round(y + part * (to_y - y))
            self._send("on_mouse_drag", *place, 0, 0, self._button(), 0)
            self._go_on()

    def _release(self) -> None:
        self._send("on_mouse_release", *self._place(), self._button(), 0)

    def _click_twice(self) -> None:
        place = self._place()
        for _ in range(2):
            self._send("on_mouse_press", *place, mouse.LEFT, 0)
            self._send("on_mouse_release", *place, mouse.LEFT, 0)

    def _take_body(self) -> None:
        if self._player.menu is None and (pixel := self._body_pixel()) is not None:
            self._send("on_mouse_motion", *pixel, 0, 0)
            self._send("on_mouse_press", *pixel, mouse.LEFT, 0)

    def _scroll(self) -> None:
        turns = float(self._random.choice((-30.0, -3.0, -1.0, -0.1, 0.0, 0.1, 1.0, 3.0, 30.0)))
        self._send("on_mouse_scroll", *self._place(), 0.0, turns)

    def _resize(self) -> None:
        size = _LARGEST if self._random.random() < 0.03 else _SIZES[int(self._random.integers(len(_SIZES)))]
        self.resize(*size)

    def _lose_focus(self) -> None:
        self._send("on_activate")
        self._send("on_deactivate")
        if self._random.random() < 0.8:
            self._player.paused = False

    def _pause(self) -> None:
        """Pause, make single steps, and go on."""
        self._type(key.SPACE)
        for _ in range(int(self._random.integers(0, 6))):
            self._type(key.N)
        if self._random.random() < 0.9:
            self._player.paused = False

    def _pace(self) -> None:
        for _ in range(int(self._random.integers(1, 4))):
            self._type(int(self._random.choice((key.COMMA, key.PERIOD))))
        if self._random.random() < 0.5:
            self._player.pace = 1.0

    def _move_all_sliders(self) -> None:
        """Each to a random place, or all to the least, or to the most: gravity is then −20."""
        view = self._player.view
        if view is None or self._player.menu is not None:
            return
        ends = self._random.integers(3)
        for slider in list(view.toolbar.sliders):
            left, bottom, right, top = slider.box
            part = self._random.random() if ends == 2 else float(ends)
            x, y = round(left + part * (right - left - 1.0)), round(0.5 * (bottom + top))
            self._send("on_mouse_press", x, y, mouse.LEFT, 0)
            self._send("on_mouse_drag", x, y, 0, 0, mouse.LEFT, 0)
            self._send("on_mouse_release", x, y, mouse.LEFT, 0)

    def _shoot_hundreds(self) -> None:
        """Balls, blasts and toys by the hundred, some of them at one place."""
        symbol = int(self._random.choice(_TOOLS))
        for _ in range(int(self._random.integers(20, 200))):
            if self._random.random() < 0.2:
                self._send("on_mouse_motion", *self._place(), 0, 0)
            self._type(symbol)
            if self._random.random() < 0.05:
                self._go_on()

    def _wait(self) -> None:
        """Long enough for a scene that begins again by itself."""
        if not self._player.paused:
            self._skip(int(self._random.integers(60, 700)))

    def _wait_with_body(self) -> None:
        """Hold a body while the scene takes it away, puts it back or drops the next."""
        self._take_body()
        self._wait()

    def _wander(self) -> None:
        self._type(int(self._random.choice(_WANDERING)), int(self._random.choice((0, key.MOD_SHIFT))))

    def _restart_with_body(self) -> None:
        self._take_body()
        self._type(key.R, int(self._random.choice((0, key.MOD_SHIFT))))
