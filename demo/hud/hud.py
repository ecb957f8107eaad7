"""All that lies over a scene in a picture of one size, and in which order it is drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from pyglet import gl

from ecsphys.debug_draw import Painter, View, blending
from ecsphys.demo import palette
from ecsphys.demo.hud.big_words import BigWords
from ecsphys.demo.hud.captions import Captions
from ecsphys.demo.hud.heading import Heading
from ecsphys.demo.hud.help_page import HelpPage
from ecsphys.demo.hud.panel_picture import PanelPicture
from ecsphys.demo.hud.panel_place import PanelPlace
from ecsphys.demo.hud.toolbar import Toolbar
from ecsphys.demo.hud.toolbar_picture import ToolbarPicture
from ecsphys.demo.scenes import LiveScene
from ecsphys.demo.scenes.scene import Box
from ecsphys.demo.viewport import Viewport

_PLATE = 0.8
"""The alpha of what is behind text."""


@dataclass
class Shown:
    """What the player has chosen to see, and how time goes."""

    is_paused: bool = False
    pace: float = 1.0
    has_help: bool = False
    is_bare: bool = False
    """Whether all text and switches are hidden."""


class Hud:
    """Text, sliders, switches and panel over a scene; make a new one for another scene or size.

    ImportError where pyglet finds no font library.
    """

    def __init__(
        self, live: LiveScene, toolbar: Toolbar, size: tuple[int, int], panel: PanelPlace | None = None
    ) -> None:
        self._live = live
        self._size = size
        self._painter = Painter()
        self.heading = Heading(live, size)
        self.captions = Captions(live.layout.captions, size)
        self.toolbar = ToolbarPicture(toolbar)
        self.panel = None if panel is None else PanelPicture(panel)
        self.words = BigWords(size, toolbar.height, live.layout.scores, 0.0 if panel is None else panel.width)
        self._help: HelpPage | None = None

    def draw(self, shown: Shown, viewport: Viewport, free: Box) -> None:
        """Draw all of it into a picture of its size."""
        if shown.has_help:
            self._draw_help()
            return
        self._help = None
        loop, notice = self._live.layout.loop, self._live.layout.notice
        countdown, line = None if loop is None else loop.countdown, "" if notice is None else notice()
        self.words.show(shown.is_paused, shown.pace, countdown, line)
        plates: list[Box] = []
        if not shown.is_bare:
            self.captions.place(viewport.camera, free, viewport.is_fitted)
            plates = self.heading.plates() + self.captions.plates
        plates += self.words.plates()
        painter, size = self._painter, self._size
        with blending():
            painter.begin(View(0.5 * size[0], 0.5 * size[1], (2.0 / size[0], 0.0, 0.0, 2.0 / size[1]), 1.0))
            if loop is not None and loop.fade > 0.0:
                painter.boxes(np.array([[0.0, 0.0, *size]]), palette.BACKGROUND, loop.fade, fill=1.0)
            if plates:
                painter.boxes(np.array(plates), palette.BAR, _PLATE, fill=1.0)
            if not shown.is_bare:
                self.toolbar.paint(painter, size)
                if self.panel is not None:
                    self.panel.paint(painter)
            painter.end()
        if not shown.is_bare:
            for texts in (self.heading.texts, self.captions.texts, self.toolbar.texts):
                texts.draw()
            if self.panel is not None:
                self.panel.texts.draw()
        self.words.texts.draw()

    def _draw_help(self) -> None:
        if self._help is None:
            self._help = HelpPage(self._live, self._size)
        gl.glClear(gl.GL_COLOR_BUFFER_BIT)
        self._help.texts.draw()
