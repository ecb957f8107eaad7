"""The playground as the demo plays it: mouse and keys on the sandbox, through a camera that zooms and pans."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import esper
import numpy as np
from numpy import float64
from numpy.typing import NDArray

import ecsphys
from ecsphys.demo.highlights import Highlights
from ecsphys.demo.scenes.boundaries import BEFORE_MOTION
from ecsphys.demo.scenes.camera import Camera
from ecsphys.demo.scenes.playground.panel import HEIGHT, WIDTH, Panel, Slider
from ecsphys.demo.scenes.playground.presets import Preset
from ecsphys.demo.scenes.playground.sandbox import Sandbox, parameters_of
from ecsphys.demo.scenes.playground.switches import STAGES, build_panel
from ecsphys.demo.scenes.rigid.tint import Tints
from ecsphys.demo.scenes.scene import STEP, Layout, LiveScene, MouseButton, Scene

if TYPE_CHECKING:
    from ecsphys.demo.playground_picture import PlaygroundPicture

Tool = Literal["spawn", "draw", "blast"]

_FULL_SIZE = 1280.0, 720.0
_MARGIN = 10.0
_LEAST_SCALE = 0.57
"""Of the panel: below it text cannot be read."""
_ZOOM = 1.15
_SCALES = 0.5, 2000.0
"""Pixels to a unit, at least and at most."""
_STREAM_EVERY = 4
"""Steps between two bodies that are spawned while the button is held."""
_GRIP_PIXELS = 6.0
_BLAST_PIXELS = 130.0
_CLOSE_PIXELS = 5.0
"""Between two points of a line that is drawn."""
_SMOOTHING = 0.1
_CAPTION_SECONDS = 5.0


class _Look(Tints):
    """Colours by layer; bodies at rest are darker while sleep is shown."""

    shows_sleep = True

    def resting(self) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        bodies, rest = super().resting()
        return bodies, rest & self.shows_sleep


class Playground(LiveScene):
    """A sandbox with a camera, a panel and tools. Places of the mouse are pixels of the picture."""

    def __init__(self, scene: Scene, seed: int = 0, preset: Preset = "pile", count: int = 1000) -> None:
        self._begun = preset, count
        self.tool: Tool = "spawn"
        self.shown = {"contacts": False, "normals": False, "boxes": False, "cells": False, "sleep": True, "glow": True}
        self.has_panel = True
        self.selected = 0
        """Which of the sliders the arrow keys change."""
        self.line: list[tuple[float, float]] = []
        """What is being drawn, in the world."""
        self.milliseconds: NDArray[float64] = np.zeros(len(STAGES))
        """Of each of STAGES, in the mean of the last steps."""
        self.blasts: list[tuple[float, float, float, float]] = []
        """x, y, reach and age in seconds of those that can still be seen."""
        self.caption = ""
        """What there is to say of the line drawn last, for some seconds."""
        self._caption_age = 0.0
        super().__init__(replace(scene, build=self._install), seed)
        self.highlights = Highlights(by_impact=True)
        self.highlights.observe(self.physics, 0.0)
        self._size = (round(_FULL_SIZE[0]), round(_FULL_SIZE[1]))
        self._mouse = (0.0, 0.0)
        self._is_spawning = False
        self._pans = False
        self._dragged: Slider | None = None
        self.panel: Panel = build_panel(self)
        self.fit()

    def _install(self, rng: np.random.Generator) -> Layout:
        layout, self.sandbox = install(rng, *self._begun)
        return layout

    def open_picture(self) -> PlaygroundPicture:
        from ecsphys.demo.playground_picture import PlaygroundPicture

        return PlaygroundPicture(self)

    def step(self, dt: float = STEP) -> None:
        """Advance the playground by one step."""
        self.enter()
        if self._is_spawning and self.frame % _STREAM_EVERY == 0:
            self._spawn()
        self.blasts = [(x, y, reach, age + dt) for x, y, reach, age in self.blasts if age < 0.35]
        self._caption_age += dt
        if self._caption_age > _CAPTION_SECONDS:
            self.caption = ""
        super().step(dt)
        self.highlights.observe(self.physics, dt)
        timings = self.physics.debug.profile.timings
        last = np.array([1e3 * sum(timings.get(phase, 0.0) for phase in phases) for _, phases in STAGES])
        self.milliseconds += _SMOOTHING * (last - self.milliseconds)

    # The view.

    @property
    def panel_scale(self) -> float:
        """Pixels to one of the panel's units."""
        width, height = self._size
        wanted = max(min(width / _FULL_SIZE[0], height / _FULL_SIZE[1]), _LEAST_SCALE)
        return max(min(wanted, (height - 2.0 * _MARGIN) / HEIGHT), 0.1)

    @property
    def panel_corner(self) -> tuple[float, float]:
        """The panel's upper left corner, in pixels of the picture."""
        width, height = self._size
        return width - self.panel_scale * (WIDTH + _MARGIN), height - self.panel_scale * _MARGIN

    def resize(self, size: tuple[int, int]) -> None:
        if size != self._size:
            self._size = size
            self.fit()

    def fit(self) -> None:
        """Show the whole room beside the panel."""
        width, height = self._size
        scale = self.panel_scale
        right = self.panel_corner[0] if self.has_panel else float(width)
        bottom, margin = 34.0 * scale, _MARGIN * scale
        self.camera = Camera.fit(self.layout.arena, margin, bottom, right - margin, height - margin)

    def _over_panel(self, x: float, y: float) -> tuple[float, float] | None:
        """A pixel's place on the panel, if it is there."""
        left, top = self.panel_corner
        place = (x - left) / self.panel_scale, (top - y) / self.panel_scale
        return place if self.has_panel and 0.0 <= place[0] < WIDTH and 0.0 <= place[1] < HEIGHT else None

    # Mouse and keys.

    def press_mouse(self, x: float, y: float, button: MouseButton) -> bool:
        self._mouse = (x, y)
        place = self._over_panel(x, y)
        if place is not None:
            if button == "left":
                self._press_panel(*place)
        elif button != "left":
            self._pans = True
        else:
            self._use_tool()
        return True

    def move_mouse(self, x: float, y: float) -> None:
        before, self._mouse = self._mouse, (x, y)
        here = self.camera.to_world(x, y)
        self.grip.move(*here)
        if self._dragged is not None:
            self._drag()
        elif self._pans:
            self.camera = self.camera.panned(x - before[0], y - before[1])
        elif self.line and math.dist(self.camera.to_pixel(*self.line[-1]), (x, y)) > _CLOSE_PIXELS:
            self.line.append(here)

    def release_mouse(self, button: MouseButton) -> None:
        if button != "left":
            self._pans = False
            return
        self.grip.release()
        self._is_spawning, self._dragged = False, None
        if len(self.line) > 2:
            self.caption = self.sandbox.add_outline(np.array(self.line), 2.0 / self.camera.scale)
            self._caption_age = 0.0
            self._refresh()
        self.line = []

    def scroll(self, x: float, y: float, turns: float) -> None:
        if self._over_panel(x, y) is None:
            scale = min(max(self.camera.scale * _ZOOM**turns, _SCALES[0]), _SCALES[1])
            self.camera = self.camera.zoomed(scale / self.camera.scale, x, y)

    def press(self, key: str) -> bool:
        sliders = self.panel.sliders
        key = key.replace("NUM_", "_")
        if (button := self.panel.button_for(key)) is not None:
            button.press()
        elif key in ("UP", "DOWN"):
            self.selected = (self.selected + (1 if key == "DOWN" else -1)) % len(sliders)
        elif key in ("LEFT", "RIGHT"):
            self.grip.release()
            sliders[self.selected].parameter.change(1 if key == "RIGHT" else -1)
            self._refresh()
        elif key == "R":
            self.begin(self.sandbox.preset)
        elif key == "X":
            self.sandbox.clear()
            self._refresh()
        elif key == "F":
            self.fit()
        elif key == "H":
            self.has_panel = not self.has_panel
            self.fit()
        else:
            return False
        return True

    def _press_panel(self, x: float, y: float) -> None:
        if (button := self.panel.button_at(x, y)) is not None:
            button.press()
        elif (slider := self.panel.slider_at(x, y)) is not None:
            self._dragged, self.selected = slider, self.panel.sliders.index(slider)
            self._drag()

    def _drag(self) -> None:
        """Let the slider that is held follow the mouse."""
        if self._dragged is not None:
            left, _, right, _ = self._dragged.box
            x = (self._mouse[0] - self.panel_corner[0]) / self.panel_scale
            self.grip.release()
            if self._dragged.drag((x - left) / (right - left)):
                self._refresh()

    def _refresh(self) -> None:
        """Bring the picture up to date with what was changed between two steps, and show the room if it is another."""
        self._process(0.0)
        self.highlights.observe(self.physics, 0.0)
        if self.layout.arena != self.sandbox.room:
            self.layout.arena = self.sandbox.room
            self.fit()

    def _use_tool(self) -> None:
        """What the left button does at the mouse."""
        here = self.camera.to_world(*self._mouse)
        if self.tool == "draw":
            self.line, self.caption = [here], ""
        elif self.tool == "blast":
            self._blast()
        elif not self.grip.press(*here, reach=_GRIP_PIXELS / self.camera.scale):
            self._spawn()
            self._refresh()
            self._is_spawning = True

    def _spawn(self) -> None:
        self.sandbox.add(*self.camera.to_world(*self._mouse))

    def _blast(self) -> None:
        reach = _BLAST_PIXELS / self.camera.scale
        x, y = self.camera.to_world(*self._mouse)
        self.sandbox.blast(x, y, reach)
        self.blasts.append((x, y, reach, 0.0))

    # What the panel's buttons do.

    def begin(self, preset: Preset) -> None:
        """Begin a preset anew."""
        self.grip.release()
        self.sandbox.preset = preset
        self.sandbox.reset()
        self._refresh()

    def take(self, tool: Tool) -> None:
        """Take a tool."""
        self.tool = tool

    def switch(self, name: str) -> None:
        """Show something, or do not."""
        self.shown[name] = not self.shown[name]
        look = self.layout.look
        assert isinstance(look, _Look)
        look.shows_sleep = self.shown["sleep"]

    def shows(self, name: str) -> bool:
        return self.shown[name]


def install(rng: np.random.Generator, preset: Preset = "pile", count: int = 1000) -> tuple[Layout, Sandbox]:
    """Add physics and a sandbox to the current world, and begin a preset with so many bodies."""
    physics = ecsphys.install(gravity=(0.0, -10.0))
    physics.debug.profile.timed = True
    sandbox = Sandbox(physics, rng, preset, count)
    esper.add_processor(sandbox, priority=BEFORE_MOTION)
    sandbox.reset()
    layout = Layout(physics, sandbox.room, show_contacts=False, legend=False, look=_Look())
    layout.parameters = parameters_of(sandbox)
    return layout, sandbox


def build(rng: np.random.Generator) -> Layout:
    """The playground as a plain scene, without a panel."""
    return install(rng)[0]
