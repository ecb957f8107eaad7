"""The gallery's menu: pages of cards with pictures, one for each scene, chosen with the keys or the mouse."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from pyglet import gl
from pyglet.graphics import Batch
from pyglet.image import ImageData

import ecsphys
from ecsphys.debug_draw import Painter, View, blending
from ecsphys.demo import palette
from ecsphys.demo.card_pictures import HEIGHT, WIDTH, read_picture
from ecsphys.demo.hud.measures import text_scale
from ecsphys.demo.labels import make_label
from ecsphys.demo.palette import Color
from ecsphys.demo.scenes import SCENES
from ecsphys.demo.scenes.scene import Box, Scene

if TYPE_CHECKING:
    from pyglet.text import Label

_HELP = "↑ ↓ ← → or mouse to choose   Tab turns the page   Enter or click to open   F11 full screen   Esc quits"
_MARGIN, _GAP = 40.0, 12.0
_HEAD, _FOOT = 112.0, 76.0
_TITLE = 28.0  # below a card's picture
_TITLE_POINTS = 11.0
_SIDE = 16.0  # between a tab's border and its text
_INSET = 8.0  # between a card's border and its title
_MOST_COLUMNS = 7


class Menu:
    """Shows the scenes of one page, one of which is chosen. It grows and shrinks with the window, its text too.

    ``page`` is a group of scenes, ``chosen`` one of its cards. ``cards`` and ``tabs`` are boxes in the window's pixels,
    ``labels`` all text. ImportError where pyglet finds no font library.
    """

    def __init__(self, size: tuple[int, int], chosen: int = 0) -> None:
        self._painter = Painter()
        self._textures: dict[str, Any] = {}
        scenes = list(SCENES.values())
        self._names = list(dict.fromkeys(scene.group for scene in scenes))
        self._pages = [[scene for scene in scenes if scene.group == name] for name in self._names]
        start = scenes[chosen]
        self.page = self._names.index(start.group)
        self.chosen = self._pages[self.page].index(start)
        self.resize(size)

    @property
    def _scenes(self) -> list[Scene]:
        return self._pages[self.page]

    def resize(self, size: tuple[int, int]) -> None:
        """Lay the cards out anew."""
        self._scale = text_scale(size)
        # All that follows is in pixels of a window of the full size.
        width, height = size[0] / self._scale, size[1] / self._scale
        self._size = size
        self._batch: Any = Batch()
        self.labels: list[Label] = []
        self._add("ecsphys", _MARGIN, height - 60, 28, palette.TEXT, bold=True)
        self._add("2D physics for esper and pyglet: every chapter, to look at", _MARGIN, height - 88, 13)
        self._add(_HELP, _MARGIN, 17, 11, palette.TEXT_FAINT)
        self._add(f"version {ecsphys.__version__}", width - _MARGIN, 17, 11, palette.TEXT_FAINT, right=True)
        self._summary = self._add("", _MARGIN, 48, 13, palette.TEXT)
        self._told = ""
        self._write_tabs(width - _MARGIN, height - 60)
        self.columns, picture = _fit(len(self._scenes), width - 2 * _MARGIN, height - _HEAD - _FOOT)
        """How many cards lie side by side."""
        card_width, card_height = picture * WIDTH / HEIGHT, picture + _TITLE
        left = 0.5 * (width - self.columns * (card_width + _GAP) + _GAP)
        cards: list[Box] = []
        for number in range(len(self._scenes)):
            row, column = divmod(number, self.columns)
            x, top = left + column * (card_width + _GAP), height - _HEAD - row * (card_height + _GAP)
            cards.append((x, top - card_height, x + card_width, top))
        self._write_titles(cards)
        self.cards: list[Box] = [tuple(round(edge * self._scale) for edge in card) for card in cards]  # type: ignore[misc]

    def _write_tabs(self, right: float, base: float) -> None:
        """The pages' names, side by side, up to the right border."""
        self.tabs: list[Box] = []
        for number, name in reversed(list(enumerate(self._names))):
            color = palette.TEXT if number == self.page else palette.TEXT_FAINT
            label = self._add(name, right - _SIDE, base, 13, color, bold=True, right=True)
            left = right - 2 * _SIDE - label.content_width / self._scale
            tab = (left, base - 12, right, base + 24)
            self.tabs.insert(
                0, (tab[0] * self._scale, tab[1] * self._scale, tab[2] * self._scale, tab[3] * self._scale)
            )
            right = left - _GAP

    def _write_titles(self, cards: list[Box]) -> None:
        """The cards' titles, all in letters so small that the longest fits."""
        titles = [
            self._add(scene.title, left + _INSET, bottom + 9.0, _TITLE_POINTS, palette.TEXT, bold=True)
            for scene, (left, bottom, _, _) in zip(self._scenes, cards, strict=True)
        ]
        room = (cards[0][2] - cards[0][0] - 2 * _INSET) * self._scale
        widest = max(title.content_width for title in titles)
        if widest > room:
            for title in titles:
                title.font_size = 0.98 * _TITLE_POINTS * self._scale * room / widest

    def _add(
        self,
        text: str,
        x: float,
        y: float,
        points: float,
        color: Color = palette.TEXT_SOFT,
        bold: bool = False,
        right: bool = False,
    ) -> Label:
        place, anchor = (self._scale * x, self._scale * y), "right" if right else "left"
        label = make_label(text, place, self._scale * points, color, self._batch, anchor, bold)  # type: ignore[arg-type]
        self.labels.append(label)
        return label

    def _tell(self) -> None:
        """Write what the chosen scene shows, in a line below the cards."""
        scene = self._scenes[self.chosen]
        chapters = f"   {scene.rows[0]} – {scene.rows[-1]}" if scene.rows else ""
        text = f"{scene.summary}{chapters}"
        if text != self._told:
            self._summary.text = self._told = text

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
        tab = _box_at(self.tabs, x, y)
        if tab is not None:
            self.turn(tab - self.page)
        return tab is not None

    def card_at(self, x: float, y: float) -> int | None:
        """Index of the card at a pixel of the picture."""
        return _box_at(self.cards, x, y)

    def hover(self, x: float, y: float) -> bool:
        """Choose the card under the mouse; whether there is one."""
        card = self.card_at(x, y)
        if card is None:
            return False
        self.chosen = card
        return True

    def draw(self) -> None:
        """Draw all of it into an otherwise empty window."""
        width, height = self._size
        gl.glDisable(gl.GL_SCISSOR_TEST)
        gl.glClear(gl.GL_COLOR_BUFFER_BIT)
        self._tell()
        painter = self._painter
        cards = np.array(self.cards, float)
        pictures = cards.copy()
        pictures[:, 1] += round(_TITLE * self._scale)
        view = View(0.5 * width, 0.5 * height, (2.0 / width, 0.0, 0.0, 2.0 / height), 1.0)
        with blending():
            painter.begin(view)
            painter.boxes(cards, palette.CARD, 1.0, fill=1.0)
            painter.boxes(np.array(self.tabs), palette.FRAME, 1.0, line=1.0)
            painter.boxes(np.array(self.tabs[self.page : self.page + 1]), palette.ACCENT, 0.9, line=1.0, fill=0.14)
            painter.end()
            for scene, (left, bottom, right, top) in zip(self._scenes, pictures.tolist(), strict=True):
                if scene.name not in self._textures:
                    self._textures[scene.name] = _load(scene.name)
                if (texture := self._textures[scene.name]) is not None:
                    texture.blit(left, bottom, width=right - left, height=top - bottom)
            painter.begin(view)
            painter.boxes(cards, palette.FRAME, 1.0, line=1.0)
            painter.boxes(cards[self.chosen : self.chosen + 1], palette.ACCENT, 1.0, line=3.0, fill=0.08)
            painter.end()
        self._batch.draw()


def _load(scene: str) -> Any:
    """A card's picture as a texture; None without one."""
    picture = read_picture(scene)
    if picture is None:
        return None
    height, width, _ = picture.shape
    return ImageData(width, height, "RGB", picture.tobytes(), pitch=-3 * width).get_texture()


def _fit(count: int, width: float, height: float) -> tuple[int, float]:
    """How many columns of cards make their pictures largest, and how high these are then."""
    best = (1, 0.0)
    for columns in range(2, _MOST_COLUMNS + 1):
        rows = math.ceil(count / columns)
        widest = (width - (columns - 1) * _GAP) / columns
        highest = (height - (rows - 1) * _GAP) / rows - _TITLE
        picture = min(widest * HEIGHT / WIDTH, highest)
        if picture > best[1]:
            best = (columns, picture)
    return best


def _box_at(boxes: list[Box], x: float, y: float) -> int | None:
    for number, (left, bottom, right, top) in enumerate(boxes):
        if left <= x < right and bottom <= y < top:
            return number
    return None
