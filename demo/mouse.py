"""The mouse over a scene: sliders, switches, the panel, the view, and the tools for bodies."""

from __future__ import annotations

import math
import time
from collections import deque
from typing import TYPE_CHECKING

from ecsphys.demo.scenes.scene import MouseButton

if TYPE_CHECKING:
    from ecsphys.demo.stage_view import StageView

_REACH = 7.0
"""Pixels from a body within which the mouse is at it."""
_BLAST, _SHOT, _TOY = 110.0, 16.0, 16.0
"""Pixels: the reach of a blast, the radius of a ball and of a toy."""
_RADII = 0.3, 1.1
"""The least and the largest radius of a ball, in units."""
_SHOT_SPEED = 45.0
_AIMED = 0.12
"""Seconds of the mouse's way that aim a shot."""
_MOVING = 60.0
"""Pixels/s from which the mouse moves, and aims."""


class Mouse:
    """The mouse over the picture of one scene; places are pixels."""

    def __init__(self, view: StageView) -> None:
        self._view = view
        self.place: tuple[float, float] | None = None
        """Where it is; None before it is seen."""
        self._trail: deque[tuple[float, float, float]] = deque(maxlen=12)
        self._slider: int | None = None
        self._is_panning = False

    def press(self, x: float, y: float, button: MouseButton, is_double: bool = False) -> None:
        """A button goes down."""
        self._look(x, y)
        if self._view.is_over_text(x, y):
            if button == "left":
                self._press_text(x, y, is_double)
        elif button == "right":
            self._is_panning = True
        elif button == "middle":
            self.shoot()
        else:
            self._view.events.send("hold", *self._view.to_world(x, y), _REACH / self._view.scale)

    def move(self, x: float, y: float) -> None:
        """It moves, with or without a button down."""
        before = self.place
        self._look(x, y)
        if self._slider is not None:
            self._drag_slider(x)
        elif self._is_panning and before is not None:
            self._view.pan(x - before[0], y - before[1])
        else:
            self._view.events.send("move", *self._view.to_world(x, y))

    def release(self, button: MouseButton) -> None:
        """A button goes up: what the mouse holds flies."""
        if button == "right":
            self._is_panning = False
        elif button == "left":
            self._slider = None
            self._view.events.send("let_go")

    def scroll(self, x: float, y: float, turns: float) -> None:
        """The wheel turns: over a slider it moves that, elsewhere it zooms."""
        number = self._view.toolbar.slider_at(x, y)
        if number is not None:
            self._view.toolbar.selected = number
            self._view.events.send("change", number, 1 if turns > 0.0 else -1)
        elif not self._view.is_over_text(x, y):
            self._view.zoom(turns, x, y)

    def shoot(self) -> None:
        """Shoot a heavy ball from the mouse: where it moves, or else at the middle of the picture."""
        if self.place is None:
            return
        scale = self._view.scale
        x, y = self._view.to_world(*self.place)
        way = self._way()
        length = math.hypot(*way)
        speed = _SHOT_SPEED / max(length, 1e-9)
        radius = min(max(_SHOT / scale, _RADII[0]), _RADII[1])
        self._view.events.send("shoot", x, y, speed * way[0], speed * way[1], radius)

    def blast(self) -> None:
        """Throw the bodies near the mouse away from it."""
        if self.place is not None:
            self._view.events.send("blast", *self._view.to_world(*self.place), _BLAST / self._view.scale)

    def drop(self) -> None:
        """Drop a toy from the mouse."""
        if self.place is not None:
            size = min(max(_TOY / self._view.scale, _RADII[0]), _RADII[1])
            self._view.events.send("drop", *self._view.to_world(*self.place), size)

    def body(self) -> int | None:
        """The body under the mouse."""
        if self.place is None or self._view.is_over_text(*self.place):
            return None
        grip = self._view.events.live.grip
        return grip.held or grip.under(*self._view.to_world(*self.place), _REACH / self._view.scale)

    def _look(self, x: float, y: float) -> None:
        self.place = (x, y)
        self._trail.append((time.perf_counter(), x, y))

    def _way(self) -> tuple[float, float]:
        """The direction of a shot, in pixels."""
        assert self.place is not None
        now = time.perf_counter()
        recent = [(then, x, y) for then, x, y in self._trail if now - then < _AIMED]
        if len(recent) > 1:
            way = recent[-1][1] - recent[0][1], recent[-1][2] - recent[0][2]
            if math.hypot(*way) > _MOVING * _AIMED:
                return way
        left, bottom, right, top = self._view.free
        way = 0.5 * (left + right) - self.place[0], 0.5 * (bottom + top) - self.place[1]
        return way if math.hypot(*way) > 20.0 else (1.0, 0.0)

    def _press_text(self, x: float, y: float, is_double: bool) -> None:
        toolbar, panel = self._view.toolbar, self._view.panel
        if panel is not None and (button := panel.button_at(x, y)) is not None:
            self._view.events.send("button", button)
        elif (switch := toolbar.switch_at(x, y)) is not None:
            switch.press()
        elif (number := toolbar.slider_at(x, y)) is not None:
            toolbar.selected = number
            if is_double:
                self._view.events.send("put", number, toolbar.sliders[number].default)
            else:
                self._slider = number
                self._drag_slider(x)

    def _drag_slider(self, x: float) -> None:
        assert self._slider is not None
        value = self._view.toolbar.sliders[self._slider].value_at(x)
        if value != self._view.events.live.layout.parameters[self._slider].get():
            self._view.events.send("put", self._slider, value)
