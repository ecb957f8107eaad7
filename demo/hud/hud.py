"""All that lies over a scene in a picture of one size, and in which order it is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

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
from ecsphys.demo.hud.plates import apart
from ecsphys.demo.hud.shown import Shown
from ecsphys.demo.hud.toolbar import Toolbar
from ecsphys.demo.hud.toolbar_picture import ToolbarPicture
from ecsphys.demo.keys import pause_key
from ecsphys.demo.scenes import LiveScene
from ecsphys.demo.scenes.scene import Box
from ecsphys.demo.viewport import Viewport

_PLATE = 0.86
"""The alpha of the plates behind text."""


class PlainHud:
    """Large words and the list of all keys: the hud of a scene that draws itself.

    ``bottom`` is the height of the toolbar at the lower border, ``panel_width`` the width of a panel at the right.
    ImportError where pyglet finds no font library.
    """

    _has_view = False
    """Whether the picture can be moved and zoomed."""

    def __init__(self, live: LiveScene, size: tuple[int, int], bottom: float = 0.0, panel_width: float = 0.0) -> None:
        self._live = live
        self._size = size
        self._painter = Painter()
        self.words = BigWords(size, bottom, live.layout.scores, panel_width, pause_key(live))
        self.help: HelpPage | None = None
        """The list of all keys; None while it is hidden."""

    def draw(self, shown: Shown) -> None:
        """Draw all of it into a picture of its size."""
        if shown.has_help:
            self._draw_help()
            return
        self._write(shown)
        with self._painting() as painter:
            _paint_plates(painter, self.words.plates())
        self.words.texts.draw()

    def _write(self, shown: Shown) -> None:
        self.help = None
        layout = self._live.layout
        countdown = None if layout.loop is None else layout.loop.countdown
        notice = "" if layout.notice is None else layout.notice()
        self.words.show(shown.is_paused, shown.pace, countdown, notice)

    @contextmanager
    def _painting(self) -> Iterator[Painter]:
        """A painter in pixels, over the picture as dark as a scene that fades."""
        loop, painter, size = self._live.layout.loop, self._painter, self._size
        with blending():
            painter.begin(View(0.5 * size[0], 0.5 * size[1], (2.0 / size[0], 0.0, 0.0, 2.0 / size[1]), 1.0))
            if loop is not None and loop.fade > 0.0:
                painter.boxes(np.array([[0.0, 0.0, *size]]), palette.BACKGROUND, loop.fade, fill=1.0)
            yield painter
            painter.end()

    def _draw_help(self) -> None:
        if self.help is None:
            self.help = HelpPage(self._live, self._size, self._has_view)
        gl.glClearColor(*palette.BACKGROUND, 1.0)
        gl.glClear(gl.GL_COLOR_BUFFER_BIT)
        self.help.texts.draw()


class Hud(PlainHud):
    """Text, sliders, switches and panel over a scene; make a new one for another scene or size."""

    _has_view = True

    def __init__(
        self, live: LiveScene, toolbar: Toolbar, size: tuple[int, int], panel: PanelPlace | None = None
    ) -> None:
        super().__init__(live, size, toolbar.height, 0.0 if panel is None else panel.width)
        self.heading = Heading(live, size)
        self.captions = Captions(live.layout.captions, size, live.layout.follow is not None)
        self.toolbar = ToolbarPicture(toolbar, live)
        self.panel = None if panel is None else PanelPicture(panel)

    def draw_over(self, shown: Shown, viewport: Viewport, free: Box) -> None:
        """Draw all of it over the viewport's picture; captions keep within ``free``."""
        if shown.is_bare or shown.has_help:
            self.draw(shown)
            return
        self._write(shown)
        self.captions.place(viewport.camera, free, viewport.is_fitted)
        with self._painting() as painter:
            _paint_plates(painter, self.heading.plates() + self.captions.plates + self.words.plates())
            self.toolbar.paint(painter, self._size)
            if self.panel is not None:
                self.panel.paint(painter)
        texts = [self.heading.texts, self.captions.texts, self.toolbar.texts]
        if self.panel is not None:
            texts.append(self.panel.texts)
        for lines in (*texts, self.words.texts):
            lines.draw()


def _paint_plates(painter: Painter, plates: list[Box]) -> None:
    if plates:
        # In whole pixels: between two pieces of a plate there is neither a gap nor a line that is darker.
        boxes = [(round(left), round(low), round(right), round(high)) for left, low, right, high in plates]
        painter.boxes(np.array(apart(boxes), np.float64), palette.BAR, _PLATE, fill=1.0)
