"""The gallery's menu: pages of cards, one for each scene, chosen with the keys or the mouse."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from pyglet import gl
from pyglet.graphics import Batch
from pyglet.text import Label

import ecsphys
from ecsphys.debug_draw import Painter, View, blending
from ecsphys.demo import palette
from ecsphys.demo.overlay import FONTS
from ecsphys.demo.palette import Color
from ecsphys.demo.scenes import SCENES
from ecsphys.demo.scenes.scene import Box, Scene

_HELP = "↑ ↓ ← → or mouse to choose   Tab turns the page   Enter or click to open   Esc quit"
_FULL_SIZE = 1280.0, 720.0
_MARGIN, _GAP = 40, 12
_HEAD, _FOOT = 112, 46
_MOST_ROWS = 7
_TALLEST = 96.0
_SIDE = 16  # between a card's border and its text
_LINE = 17  # from one line of a summary to the next


class Menu:
    """Shows the scenes of one page, one of which is chosen. It grows and shrinks with the window, its text too.

    ``page`` is a group of scenes, ``chosen`` one of its cards. ``cards`` and ``tabs`` are boxes in the window's pixels,
    ``labels`` all text. ImportError where pyglet finds no font library.
    """

    def __init__(self, size: tuple[int, int], chosen: int = 0) -> None:
        self._painter = Painter()
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

    @property
    def columns(self) -> int:
        """How many cards lie side by side."""
        return max(2, math.ceil(len(self._scenes) / _MOST_ROWS))

    def resize(self, size: tuple[int, int]) -> None:
        """Lay the cards out anew."""
        self._scale = max(min(size[0] / _FULL_SIZE[0], size[1] / _FULL_SIZE[1]), 0.1)
        # All that follows is in pixels of a window of the full size.
        width, height = size[0] / self._scale, size[1] / self._scale
        self._size = size
        self._batch: Any = Batch()
        self.labels: list[Label] = []
        self._add("ecsphys", _MARGIN, height - 60, 28, palette.TEXT, bold=True)
        self._add("2D physics for esper and pyglet: every chapter, to look at", _MARGIN, height - 88, 13)
        self._add(_HELP, _MARGIN, 17, 11, palette.TEXT_FAINT)
        self._add(f"version {ecsphys.__version__}", width - _MARGIN, 17, 11, palette.TEXT_FAINT, right=True)
        self._write_tabs(width - _MARGIN, height - 60)
        rows = math.ceil(len(self._scenes) / self.columns)
        card_width = (width - 2 * _MARGIN - (self.columns - 1) * _GAP) / self.columns
        card_height = min((height - _HEAD - _FOOT - (rows - 1) * _GAP) / rows, _TALLEST)
        self.cards: list[Box] = []
        for number, scene in enumerate(self._scenes):
            row, column = divmod(number, self.columns)
            left = _MARGIN + column * (card_width + _GAP)
            top = height - _HEAD - row * (card_height + _GAP)
            card = (left, top - card_height, left + card_width, top)
            self._write(scene, card)
            left, bottom, right, top = (edge * self._scale for edge in card)
            self.cards.append((left, bottom, right, top))

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

    def _write(self, scene: Scene, card: Box) -> None:
        """Title, summary in one line or two, and chapters, in the middle of a card's height."""
        left, bottom, right, top = card
        left, right = left + 6 + _SIDE, right - _SIDE
        summary = self._add(scene.summary, left, 0.0, 10)
        lines = [summary]
        if summary.content_width > (right - left) * self._scale:
            first, second = _halves(scene.summary)
            summary.text = first
            lines.append(self._add(second, left, 0.0, 10))
        base = 0.5 * (bottom + top) + 0.5 * _LINE * len(lines) - 3
        for number, line in enumerate(lines, start=1):
            line.y = round((base - 3 - _LINE * number) * self._scale)
        self._add(scene.title, left, base, 14, palette.TEXT, bold=True)
        if scene.rows:
            self._add(f"{scene.rows[0]} – {scene.rows[-1]}", right, base, 10, palette.TEXT_FAINT, right=True)

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
        label = Label(
            text,
            x=round(x * self._scale),
            y=round(y * self._scale),
            font_name=FONTS,
            font_size=points * self._scale,
            weight="bold" if bold else "normal",
            color=palette.as_bytes(color),
            anchor_x="right" if right else "left",
            anchor_y="baseline",
            batch=self._batch,
        )
        self.labels.append(label)
        return label

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
        painter = self._painter
        cards = np.array(self.cards)
        chosen = cards[self.chosen : self.chosen + 1]
        with blending():
            painter.begin(View(0.5 * width, 0.5 * height, (2.0 / width, 0.0, 0.0, 2.0 / height), 1.0))
            painter.boxes(cards, palette.CARD, 1.0, fill=1.0)
            painter.boxes(cards, palette.FRAME, 1.0, line=1.0)
            for number, card in enumerate(self.cards):
                color = palette.COLLIDERS[sum(divmod(number, self.columns)) % len(palette.COLLIDERS)]
                bar = np.array([[card[0], card[1], card[0] + 6.0 * self._scale, card[3]]])
                painter.boxes(bar, color, 0.9, fill=1.0)
            painter.boxes(chosen, palette.ACCENT, 0.9, line=2.0, fill=0.14)
            painter.boxes(np.array(self.tabs), palette.FRAME, 1.0, line=1.0)
            painter.boxes(np.array(self.tabs[self.page : self.page + 1]), palette.ACCENT, 0.9, line=1.0, fill=0.14)
            painter.end()
        self._batch.draw()


def _box_at(boxes: list[Box], x: float, y: float) -> int | None:
    for number, (left, bottom, right, top) in enumerate(boxes):
        if left <= x < right and bottom <= y < top:
            return number
    return None


def _halves(text: str) -> tuple[str, str]:
    """A text in two lines, broken at the blank next to its middle."""
    blanks = [place for place, sign in enumerate(text) if sign == " "]
    middle = min(blanks, key=lambda place: abs(place - 0.55 * len(text)))
    return text[:middle], text[middle + 1 :]
