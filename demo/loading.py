"""The first picture of a very first run: a bar that fills while the physics is compiled."""

from __future__ import annotations

import time
from typing import Any, Final

import numpy as np
from pyglet import gl
from pyglet.window import Window, key

from ecsphys.debug_draw import Painter, View, blending
from ecsphys.demo import palette
from ecsphys.demo.hud.measures import text_scale
from ecsphys.demo.labels import make_label
from ecsphys.demo.needed_kernels import kernels_for
from ecsphys.demo.palette import Color
from ecsphys.engine.kernels.compilation import compile_elsewhere, load_kernels

_WIDTH, _HEIGHT = 520.0, 12.0
_FRAME: Final = 1.0 / 30.0
_IGNORED: Final = (
    "on_deactivate",
    "on_key_release",
    "on_mouse_drag",
    "on_mouse_motion",
    "on_mouse_press",
    "on_mouse_release",
    "on_mouse_scroll",
)


def _ignore(*arguments: Any) -> bool:
    return True


class ClosedError(Exception):
    """The window was closed, or Esc pressed, before everything was compiled."""


class LoadingBar:
    """Fills a window while other processes compile; without a font library there is only the bar."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._painter = Painter()
        self._start = time.perf_counter()
        self._is_closed = False

    def run(self, scene: str) -> None:
        """Return when all kernels that a scene calls are loaded, at once if they are; ClosedError if closed."""
        needed = kernels_for(scene)
        # Keys and clicks are for the bar: what shows the menu must not open another scene meanwhile.
        others = dict.fromkeys(_IGNORED, _ignore)
        self._window.push_handlers(on_close=self._on_close, on_key_press=self._on_key_press, **others)
        try:
            compile_elsewhere(needed, self._show)
        finally:
            self._window.pop_handlers()
        load_kernels(needed)

    def draw(self, done: int, total: int, name: str) -> None:
        """Draw the bar, ``done`` of ``total`` of it full."""
        width, height = self._window.get_size()
        scale = text_scale((width, height))
        left, middle = 0.5 * (width - scale * _WIDTH), 0.5 * height
        bar = np.array([[left, middle - 0.5 * scale * _HEIGHT, left + scale * _WIDTH, middle + 0.5 * scale * _HEIGHT]])
        # A kernel begun counts as half done: so the bar is seen to move from the start.
        part = min((done + 0.5) / total, 1.0)
        filled = bar * [1.0, 1.0, 0.0, 1.0] + [[0.0, 0.0, left + part * scale * _WIDTH, 0.0]]
        self._window.clear()
        with blending():
            self._painter.begin(View(0.5 * width, 0.5 * height, (2.0 / width, 0.0, 0.0, 2.0 / height), 1.0))
            self._painter.boxes(bar, palette.CARD, 1.0, fill=1.0)
            self._painter.boxes(filled, palette.ACCENT, 1.0, fill=0.9)
            self._painter.boxes(bar, palette.FRAME, 1.0, line=1.0)
            self._painter.end()
        seconds = time.perf_counter() - self._start
        try:
            self._write("Compiling the physics", left, middle + 26 * scale, 17 * scale, palette.TEXT)
            self._write(f"{done} of {total}   {name}", left, middle - 32 * scale, 11 * scale, palette.TEXT_SOFT)
            self._write(
                f"{seconds:.0f} s", left + scale * _WIDTH, middle - 32 * scale, 11 * scale, palette.TEXT_SOFT, True
            )
            note = "Only the first run does this. Esc quits; compiled kernels are kept."
            self._write(note, left, middle - 58 * scale, 10 * scale, palette.TEXT_FAINT)
        except ImportError:
            pass

    def _write(self, text: str, x: float, y: float, points: float, color: Color, right: bool = False) -> None:
        make_label(text, (x, y), points, color, anchor="right" if right else "left").draw()

    def _show(self, done: int, total: int, name: str) -> None:
        frame_end = time.perf_counter() + _FRAME
        self._window.switch_to()
        self._window.dispatch_events()
        if self._is_closed:
            raise ClosedError
        gl.glDisable(gl.GL_SCISSOR_TEST)
        self.draw(done, total, name)
        self._window.flip()
        time.sleep(max(0.0, frame_end - time.perf_counter()))

    def _on_close(self) -> bool:
        self._is_closed = True
        return True

    def _on_key_press(self, symbol: int, modifiers: int) -> bool:
        self._is_closed = self._is_closed or symbol == key.ESCAPE
        return True
