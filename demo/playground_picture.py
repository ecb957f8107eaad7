"""The playground's picture: the world through its camera, and the panel over it."""

from __future__ import annotations

import time

import numpy as np

from ecsphys.debug_draw import Painter, View, blending
from ecsphys.demo import palette
from ecsphys.demo.debug_layers import DebugLayers
from ecsphys.demo.highlights import Highlights
from ecsphys.demo.labels import say_missing
from ecsphys.demo.panel_picture import PanelPicture
from ecsphys.demo.renderer import Renderer, view_through
from ecsphys.demo.scenes.playground.world import Playground

_NUMBERS_EVERY = 15
"""Frames between two updates of the text."""
_SMOOTHING = 0.1
_BLAST_SECONDS = 0.35


class PlaygroundPicture:
    """Draws a playground into the current OpenGL context."""

    def __init__(self, game: Playground) -> None:
        self._game = game
        self._renderer = Renderer()
        self._painter = Painter()
        self._dark = Highlights(by_impact=True)
        self._panel: PanelPicture | None = None
        self._panel_size = (0, 0)
        self._has_text = True
        self._frames = 0
        self._last = time.perf_counter()
        self.frame_seconds = 1.0 / 60.0
        """From one picture to the next, in the mean of the last."""
        self.draw_milliseconds = 0.0
        """Of one picture, in the mean of the last."""

    def draw(self, size: tuple[int, int], density: float = 1.0, debug: bool = False, note: str = "") -> None:
        """Draw the playground as its last step has left it; ``debug`` shows all that can be shown."""
        start = time.perf_counter()
        self.frame_seconds += _SMOOTHING * (start - self._last - self.frame_seconds)
        self._last = start
        game = self._game
        game.enter()
        game.resize(size)
        layers = DebugLayers(
            boxes=debug or game.shows("boxes"),
            grid=debug or game.shows("cells"),
            contacts=debug or game.shows("contacts"),
            normals=debug or game.shows("normals"),
        )
        self._renderer.draw(game, self._lights(), game.camera, size, layers, density)
        self._draw_tools(size)
        self._draw_panel(size, note)
        self.draw_milliseconds += _SMOOTHING * (1e3 * (time.perf_counter() - start) - self.draw_milliseconds)
        self._frames += 1

    def _lights(self) -> Highlights:
        if self._game.shown["glow"]:
            return self._game.highlights
        self._dark.heat = np.zeros(len(self._game.physics.debug.colliders))
        return self._dark

    def _draw_tools(self, size: tuple[int, int]) -> None:
        """The line that is being drawn, and the rings of blasts."""
        game, painter = self._game, self._painter
        if not game.line and not game.blasts:
            return
        with blending():
            painter.begin(view_through(game.camera, size))
            if len(game.line) > 1:
                points = np.array([*game.line, game.line[0]])
                painter.strokes(points[:-1], points[1:], 2.0, palette.STARTED, 0.9)
            for x, y, reach, age in game.blasts:
                part = min(age / _BLAST_SECONDS, 1.0)
                here = np.array([[x, y]])
                painter.circles(here, reach * part**0.5, palette.STARTED, 0.9 * (1.0 - part), line=3.0)
                painter.circles(here, reach * part**0.5, palette.STARTED, 0.18 * (1.0 - part))
            painter.end()

    def _draw_panel(self, size: tuple[int, int], note: str) -> None:
        if self._panel is None or self._panel_size != size:
            self._panel, self._panel_size = PanelPicture(self._game, size), size
            self._frames = 0
        panel = self._panel
        with blending():
            self._painter.begin(View(0.5 * size[0], 0.5 * size[1], (2.0 / size[0], 0.0, 0.0, 2.0 / size[1]), 1.0))
            panel.paint(self._painter, self.draw_milliseconds)
            self._painter.end()
        if not self._has_text:
            return
        try:
            if self._frames % _NUMBERS_EVERY == 0 or panel.is_changed(note):
                panel.write(self.frame_seconds if self._frames else None, self.draw_milliseconds, note)
            panel.draw_text()
        except ImportError as error:
            self._has_text = False
            say_missing(error)
