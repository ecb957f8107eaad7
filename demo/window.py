"""The interactive run: a window, its keys, and a clock that steps the scene in real time."""

from __future__ import annotations

import pyglet
from pyglet.window import Window, key

from ecsphys.demo.measurements import summary
from ecsphys.demo.player import Player
from ecsphys.demo.scenes import SCENES
from ecsphys.demo.scenes.scene import STEP

_MOST_STEPS = 4  # in one frame: a picture that takes longer slows the scene down instead of choking on it


class Session:
    """Plays scenes in a window until it is closed, or for a number of frames."""

    def __init__(self, player: Player, window: Window, frames: int | None, screenshot: str | None) -> None:
        self._player = player
        self._window = window
        self._frames = frames
        self._screenshot = screenshot
        self._drawn = 0
        self._owed = 0.0  # seconds of real time that have not been stepped yet
        window.push_handlers(on_key_press=self._on_key_press, on_resize=self._on_resize, on_close=self._on_close)

    def run(self, scene: str) -> str:
        """Play, beginning with a scene; returns the summary of the scene that was played last."""
        self._player.open(scene)
        self._show_title()
        pyglet.clock.schedule_interval(self._tick, STEP)
        try:
            # Without an interval of its own: _tick draws, right after the steps.
            pyglet.app.run(None)
        except KeyboardInterrupt:
            pass
        finally:
            pyglet.clock.unschedule(self._tick)
        live = self._player.live
        if self._screenshot is not None:
            self._window.switch_to()
            self._player.save_screenshot(self._screenshot)
        return summary(live.scene.name, live.frame, self._player.simulate, self._player.drawing, live.counts())

    def _tick(self, dt: float) -> None:
        if not self._player.paused:
            self._owed = min(self._owed + dt, _MOST_STEPS * STEP)
            while self._owed >= STEP:
                self._owed -= STEP
                self._player.step()
        self._window.switch_to()
        self._player.draw()
        self._window.flip()
        self._drawn += 1
        if self._frames is not None and self._drawn >= self._frames:
            pyglet.app.exit()

    def _show_title(self) -> None:
        self._window.set_caption(f"ecsphys: {self._player.live.scene.title}")

    def _open(self, scene: str) -> None:
        self._window.switch_to()
        self._player.open(scene)
        self._show_title()

    def _on_key_press(self, symbol: int, modifiers: int) -> bool:
        player = self._player
        if symbol == key.ESCAPE:
            pyglet.app.exit()
        elif symbol == key.SPACE:
            player.paused = not player.paused
            player.show_numbers()
        elif symbol == key.S:
            player.paused = True
            player.step()
            player.show_numbers()
        elif symbol == key.R:
            self._open(player.live.scene.name)
        elif symbol == key.D:
            player.debug = not player.debug
        elif symbol == key.TAB:
            names = list(SCENES)
            turn = -1 if modifiers & key.MOD_SHIFT else 1
            self._open(names[(names.index(player.live.scene.name) + turn) % len(names)])
        # Handled: pyglet's own answer to Esc would close the window before the summary is made.
        return True

    def _on_resize(self, width: int, height: int) -> None:
        self._player.forget_size()

    def _on_close(self) -> bool:
        pyglet.app.exit()
        return True
