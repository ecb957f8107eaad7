"""The gallery's menu: a card for each scene, chosen with the keys or the mouse."""

from __future__ import annotations

from typing import Any

import numpy as np
from pyglet import gl
from pyglet.graphics import Batch
from pyglet.text import Label
from pyglet.window import Window

import ecsphys
from ecsphys.debug_draw import Painter, View, blending
from ecsphys.demo import palette
from ecsphys.demo.overlay import FONTS, scaled_text, text_scale
from ecsphys.demo.palette import Color
from ecsphys.demo.scenes import SCENES
from ecsphys.demo.scenes.scene import Box

_HELP = "↑ ↓ ← → or mouse to choose   Enter or click to open   Esc quit"
_MARGIN, _GAP = 40, 14
_HEAD, _FOOT = 128, 48


class Menu:
    """Shows all scenes, one of which is chosen; the cards are in pixels at the full size of the text.

    ImportError where pyglet finds no font library.
    """

    def __init__(self, size: tuple[int, int], chosen: int = 0) -> None:
        self._painter = Painter()
        self._scenes = list(SCENES.values())
        self.chosen = chosen
        self.resize(size)

    def resize(self, size: tuple[int, int]) -> None:
        """Lay the cards out anew."""
        self._scale = text_scale(size)
        width, height = self._size = size[0] / self._scale, size[1] / self._scale
        self.columns = 2
        rows = -(-len(self._scenes) // self.columns)
        card_width = (width - 2 * _MARGIN - (self.columns - 1) * _GAP) / self.columns
        card_height = min((height - _HEAD - _FOOT - (rows - 1) * _GAP) / rows, 96.0)
        self._batch: Any = Batch()
        self._labels: list[Label] = []
        self._add("ecsphys", _MARGIN, height - 66, 30, palette.TEXT, bold=True)
        self._add("2D physics for esper and pyglet: every chapter, to look at", _MARGIN, height - 96, 13)
        self._add(_HELP, _MARGIN, 20, 11, palette.TEXT_FAINT)
        self._add(f"version {ecsphys.__version__}", width - _MARGIN, 20, 11, palette.TEXT_FAINT, right=True)
        self.cards: list[Box] = []
        for number, scene in enumerate(self._scenes):
            row, column = divmod(number, self.columns)
            left = _MARGIN + column * (card_width + _GAP)
            top = height - _HEAD - row * (card_height + _GAP)
            self.cards.append((left, top - card_height, left + card_width, top))
            middle = top - 0.5 * card_height
            self._add(scene.title, left + 26, middle + 7, 14, palette.TEXT, bold=True)
            self._add(scene.summary, left + 26, middle - 16, 10)
            if scene.rows:
                rows_text = f"{scene.rows[0]} – {scene.rows[-1]}"
                self._add(rows_text, left + card_width - 16, middle + 7, 10, palette.TEXT_FAINT, right=True)

    def _add(
        self,
        text: str,
        x: float,
        y: float,
        points: float,
        color: Color = palette.TEXT_SOFT,
        bold: bool = False,
        right: bool = False,
    ) -> None:
        label = Label(
            text,
            x=round(x),
            y=round(y),
            font_name=FONTS,
            font_size=points,
            weight="bold" if bold else "normal",
            color=palette.as_bytes(color),
            anchor_x="right" if right else "left",
            anchor_y="baseline",
            batch=self._batch,
        )
        self._labels.append(label)

    @property
    def scene(self) -> str:
        """Name of the chosen scene."""
        return self._scenes[self.chosen].name

    def move(self, columns: int, rows: int) -> None:
        """Choose the card so many columns to the right and rows down, if there is one."""
        row, column = divmod(self.chosen, self.columns)
        target = (row + rows) * self.columns + column + columns
        if 0 <= column + columns < self.columns and 0 <= target < len(self.cards):
            self.chosen = target

    def card_at(self, x: float, y: float) -> int | None:
        """Index of the card at a pixel of the picture."""
        x, y = x / self._scale, y / self._scale
        for number, (left, bottom, right, top) in enumerate(self.cards):
            if left <= x < right and bottom <= y < top:
                return number
        return None

    def hover(self, x: float, y: float) -> bool:
        """Choose the card under the mouse; whether there is one."""
        card = self.card_at(x, y)
        if card is None:
            return False
        self.chosen = card
        return True

    def draw(self, window: Window) -> None:
        """Draw all of it into an otherwise empty window."""
        width, height = self._size
        gl.glDisable(gl.GL_SCISSOR_TEST)
        gl.glClear(gl.GL_COLOR_BUFFER_BIT)
        painter = self._painter
        cards = np.array(self.cards)
        chosen = cards[self.chosen : self.chosen + 1]
        with blending():
            painter.begin(View(0.5 * width, 0.5 * height, (2.0 / width, 0.0, 0.0, 2.0 / height), 1.0 / self._scale))
            painter.boxes(cards, palette.CARD, 1.0, fill=1.0)
            painter.boxes(cards, palette.FRAME, 1.0, line=1.0)
            for number, card in enumerate(self.cards):
                color = palette.COLLIDERS[number % len(palette.COLLIDERS)]
                bar = np.array([[card[0], card[1], card[0] + 6.0, card[3]]])
                painter.boxes(bar, color, 0.9, fill=1.0)
            painter.boxes(chosen, palette.ACCENT, 0.9, line=2.0, fill=0.14)
            painter.end()
        with scaled_text(window, self._scale):
            self._batch.draw()
