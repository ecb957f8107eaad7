"""The menu: pages of cards, one for each scene, chosen with the keys or the mouse."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy import float64
from numpy.typing import NDArray
from pyglet import gl

import ecsphys
from ecsphys.debug_draw import Painter, View, blending
from ecsphys.demo import palette
from ecsphys.demo.hud.measures import text_scale
from ecsphys.demo.hud.texts import Texts, write
from ecsphys.demo.menu.card_films import CardFilms
from ecsphys.demo.menu.card_layer import CardLayer
from ecsphys.demo.menu.layout import GAP, MARGIN, STRIP, box_at, fit_cards
from ecsphys.demo.scenes import SCENES
from ecsphys.demo.scenes.scene import Box, Scene

if TYPE_CHECKING:
    from pyglet.text import Label

SUBTITLE = "2D physics for Python games. Pick a scene and play."
HELP = "Arrow keys or mouse: choose   Enter: open   Tab: next page   F11: full screen   Esc: quit"

_TITLES = 14.0, 11.0
"""Points of the cards' titles: as large as fits, between these two."""
_SIDE = 15.0
"""Between a tab's border and its text."""
_INSET = 9.0
"""Between a card's border and its title."""
_LIFT = 5.0
"""How much the chosen card grows to each side."""
_COARSE = 1.6
"""Pictures that are so many times as wide as their cards would flicker without more samples."""
_EASE = 0.06
"""Seconds in which a card comes closer to how it shall look by 63 %."""

_HIGH, _LOW = np.array(palette.BACKGROUND), np.array((0.085, 0.06, 0.15))
"""The ground's color at the upper border, and at the lower one."""
_BANDS = 32
"""Of the ground. The colors are so near each other that there are not more shades than that."""


class Menu:
    """Shows the scenes of one page, one of which is chosen. It grows and shrinks with the window, its text too.

    ``page`` is a group of scenes, ``chosen`` one of its cards. ``cards`` and ``tabs`` are boxes in the window's pixels,
    ``labels`` all text. ImportError if pyglet finds no font library.
    """

    def __init__(self, size: tuple[int, int], chosen: int = 0, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._painter = Painter()
        scenes = list(SCENES.values())
        self._names = list(dict.fromkeys(scene.group for scene in scenes))
        self._pages = [[scene for scene in scenes if scene.group == name] for name in self._names]
        self._layers: dict[int, CardLayer] = {}
        self._films: dict[int, CardFilms] = {}
        start = scenes[chosen]
        self.page = self._names.index(start.group)
        self.chosen = self._pages[self.page].index(start)
        self._last = clock()
        self.resize(size)

    @property
    def _scenes(self) -> list[Scene]:
        return self._pages[self.page]

    def resize(self, size: tuple[int, int]) -> None:
        """Lay the page out in a window of another size."""
        self._size = size
        if self.page not in self._films:
            self._films[self.page] = CardFilms([scene.name for scene in self._scenes], self._clock)
        films = self._films[self.page]
        scale = text_scale(size)
        width, height = size[0] / scale, size[1] / scale
        self._texts = texts = Texts(scale)
        texts.add("ecsphys", MARGIN, height - 58, 29, palette.TEXT, bold=True)
        texts.add(SUBTITLE, MARGIN, height - 86, 12)
        texts.add(HELP, MARGIN, 20, 11, palette.TEXT_FAINT)
        texts.add(f"v{ecsphys.__version__}", width - MARGIN, 20, 11, palette.TEXT_FAINT, "right")
        self._summary = texts.add("", MARGIN, 50, 13, palette.TEXT)
        self._write_tabs(width - MARGIN, height - 50)
        self.columns, cards = fit_cards(len(self._scenes), films.size[0] / films.size[1], width, height)
        """How many cards lie side by side."""
        self._write_titles(cards)
        self._boxes: NDArray[float64] = np.round(scale * cards)
        self.cards: list[Box] = [tuple(card) for card in self._boxes.tolist()]
        self._samples = 2 if films.size[0] > _COARSE * (self.cards[0][2] - self.cards[0][0]) else 1
        if self._samples not in self._layers:
            self._layers[self._samples] = CardLayer(max(map(len, self._pages)), self._samples)
        self._lift: NDArray[float64] = np.zeros(len(cards))
        self._lift[self.chosen] = 1.0

    @property
    def labels(self) -> list[Label]:
        """All its text."""
        return self._texts.labels

    def _write_tabs(self, right: float, base: float) -> None:
        """The pages' names, side by side, up to the right border."""
        scale = self._texts.scale
        tabs: list[Box] = []
        for number, name in reversed(list(enumerate(self._names))):
            color = palette.TEXT if number == self.page else palette.TEXT_SOFT
            label = self._texts.add(name, right - _SIDE, base, 12, color, "right", bold=True)
            left = right - 2.0 * _SIDE - label.content_width / scale
            tabs.insert(0, (scale * left, scale * (base - 13.0), scale * right, scale * (base + 25.0)))
            right = left - GAP
        self.tabs = tabs

    def _write_titles(self, cards: NDArray[float64]) -> None:
        """The cards' titles, all in letters so small that the longest fits, and shortened if that is not enough."""
        most, least = _TITLES
        titles = [
            self._texts.add(scene.title, left + _INSET, bottom + 10.0, most, palette.TEXT)
            for scene, (left, bottom, _, _) in zip(self._scenes, cards.tolist(), strict=True)
        ]
        scale = self._texts.scale
        room = (cards[0, 2] - cards[0, 0] - 2.0 * _INSET) * scale
        widest = max(title.content_width for title in titles)
        if widest <= room:
            return
        for title in titles:
            title.font_size = max(0.98 * most * room / widest, least) * scale
            text = title.text
            while text and title.content_width > room:
                text = text[:-1]
                title.text = text.rstrip() + "…" if text else ""

    @property
    def scene(self) -> str:
        """Name of the chosen scene."""
        return self._scenes[self.chosen].name

    def move(self, columns: int, rows: int) -> None:
        """Choose the card so many columns to the right and rows down; below a column's end it is the last of all.

        Beyond the left and right borders there are the other pages.
        """
        row, column = divmod(self.chosen, self.columns)
        last = len(self.cards) - 1
        row, column = row + rows, column + columns
        if 0 <= column < self.columns and 0 <= row <= last // self.columns:
            target = row * self.columns + column
            if target <= last or rows:
                self.chosen = min(target, last)
                return
        if columns and 0 <= self.page + columns < len(self._pages):
            self.turn(columns)

    def turn(self, pages: int) -> None:
        """Show another page, so many to the right; after the last comes the first."""
        self.page = (self.page + pages) % len(self._pages)
        self.chosen = 0
        self.resize(self._size)

    def turn_to(self, x: float, y: float) -> bool:
        """Show the page whose name is at a pixel of the picture; whether there is one."""
        tab = box_at(self.tabs, x, y)
        if tab is not None:
            self.turn(tab - self.page)
        return tab is not None

    def card_at(self, x: float, y: float) -> int | None:
        """Index of the card at a pixel of the picture."""
        return box_at(self.cards, x, y)

    def hover(self, x: float, y: float) -> bool:
        """Choose the card under the mouse; whether there is one."""
        card = self.card_at(x, y)
        if card is None:
            return False
        self.chosen = card
        return True

    def draw(self) -> None:
        """Draw all of it, as it is now, into an otherwise empty window."""
        width, height = self._size
        self._go_on()
        films = self._films[self.page]
        films.advance()
        self._draw_ground()
        scale = self._texts.scale
        grown = self._boxes + _LIFT * scale * self._lift[:, None] * (-1.0, -1.0, 1.0, 1.0)
        tabs = np.array(self.tabs)
        painter = self._painter
        with blending():
            painter.begin(View(0.5 * width, 0.5 * height, (2.0 / width, 0.0, 0.0, 2.0 / height), 1.0))
            painter.boxes(tabs, palette.FRAME, 1.0, line=1.0)
            painter.boxes(tabs[self.page : self.page + 1], palette.ACCENT, 0.9, line=1.0, fill=0.14)
            painter.end()
            # The title's strip grows with the card, so that its text keeps its place in it.
            layer = self._layers[self._samples]
            layer.draw(films.texture, grown, self._lift, (STRIP + _LIFT) * scale, self._size, scale)
        write(self._summary, self._scenes[self.chosen].summary)
        self._texts.draw()

    def _draw_ground(self) -> None:
        """Fill the window, from top to bottom a little more violet. Clearing costs less than a shader."""
        width, height = self._size
        edges = np.linspace(0, height, _BANDS + 1).round().astype(int).tolist()
        gl.glEnable(gl.GL_SCISSOR_TEST)
        for number, (low, high) in enumerate(itertools.pairwise(edges)):
            part = (number + 0.5) / _BANDS
            gl.glScissor(0, low, width, high - low)
            red, green, blue = (part * _HIGH + (1.0 - part) * _LOW).tolist()
            gl.glClearColor(red, green, blue, 1.0)
            gl.glClear(gl.GL_COLOR_BUFFER_BIT)
        gl.glClearColor(*palette.BACKGROUND, 1.0)
        gl.glDisable(gl.GL_SCISSOR_TEST)

    def _go_on(self) -> None:
        """Bring the cards closer to how they shall look: the chosen one stands out."""
        now = self._clock()
        wanted = np.zeros(len(self._lift))
        wanted[self.chosen] = 1.0
        self._lift += (wanted - self._lift) * (1.0 - math.exp((self._last - now) / _EASE))
        self._lift[self._lift < 0.004] = 0.0
        self._last = now
