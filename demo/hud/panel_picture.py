"""How a scene's panel looks: boxes, bars and icons from arrays, and text that is laid out when it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.debug_draw import Painter
from ecsphys.demo import palette
from ecsphys.demo.hud.measures import SMALL
from ecsphys.demo.hud.panel_place import PanelPlace
from ecsphys.demo.hud.texts import Texts, write
from ecsphys.demo.scenes.panel import SIDE, WIDTH
from ecsphys.demo.scenes.scene import STEP

if TYPE_CHECKING:
    from pyglet.text import Label

_BUDGET = 1e3 * STEP
"""Milliseconds that a full bar stands for: a frame."""
_BELOW = 4.5
"""How far the baseline of a button's text is below its middle, in units."""


class PanelPicture:
    """Draws a panel into a picture of one size."""

    def __init__(self, place: PanelPlace) -> None:
        self._place = place
        panel = place.panel
        self.texts = Texts(place.scale)
        self._whole = place.boxes_of([(0.0, 0.0, WIDTH, panel.height)])
        self._plain = [button for button in panel.buttons if button.halves is None]
        self._colored = [button for button in panel.buttons if button.halves is not None]
        self._plain_boxes = place.boxes_of([button.place for button in self._plain])
        self._colored_boxes = place.boxes_of([button.place for button in self._colored])
        self._halves, self._half_colors = self._cut_halves()
        self._bars = place.boxes_of([bar.place for bar in panel.bars])
        hues = [palette.COLLIDERS[number % len(palette.COLLIDERS)] for number in range(len(panel.bars))]
        self._bar_colors = np.array(hues).reshape(-1, 3)
        self._icons = self._draw_icons()
        self._write_all()
        self._numbers = [self._add("", WIDTH - SIDE, bar.place[3] + 1.0, palette.TEXT, "right") for bar in panel.bars]
        self.update()

    def _write_all(self) -> None:
        panel = self._place.panel
        for heading in panel.headings:
            self._add(heading.text, heading.x, heading.y, palette.TEXT_SOFT)
        for bar in panel.bars:
            self._add(bar.text, SIDE, bar.place[3] + 1.0, palette.TEXT_SOFT)
        for button in panel.buttons:
            if button.text:
                left, top, right, bottom = button.place
                self._add(button.text, 0.5 * (left + right), 0.5 * (top + bottom) + _BELOW, palette.TEXT, "center")

    def _cut_halves(self) -> tuple[NDArray[float64], NDArray[float64]]:
        """The boxes (n, 2, 4) and colours (n, 2, 3) of the halves of buttons that are nothing but colour."""
        halves = np.stack((self._colored_boxes, self._colored_boxes), axis=1)
        middle = np.round(0.5 * (self._colored_boxes[:, 0] + self._colored_boxes[:, 2]))
        halves[:, 0, 2] = halves[:, 1, 0] = middle
        return halves, np.array([button.halves for button in self._colored], float64).reshape(-1, 2, 3)

    def _draw_icons(self) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64]]:
        """The strokes of all icons in pixels: starts (n, 2), ends (n, 2) and colours (n, 3)."""
        starts, ends, colors = [np.zeros((0, 2))], [np.zeros((0, 2))], [np.zeros((0, 3))]
        for button, box in zip(self._plain, self._plain_boxes, strict=True):
            middle = 0.5 * (box[:2] + box[2:])
            for outline in button.icon:
                points = middle + self._place.scale * outline.points
                starts.append(points)
                ends.append(np.roll(points, -1, axis=0))
                colors.append(np.tile(outline.color, (len(points), 1)))
        return np.concatenate(starts), np.concatenate(ends), np.concatenate(colors)

    def update(self) -> None:
        """Write the milliseconds as they are now."""
        for label, bar in zip(self._numbers, self._place.panel.bars, strict=True):
            value = bar.get()
            write(label, f"{value:.1f} ms" if value < 99.95 else f"{value:.0f} ms")

    def paint(self, painter: Painter) -> None:
        """Everything but the text; ``painter`` has begun in pixels."""
        painter.boxes(self._whole, palette.BAR, 0.86, fill=1.0)
        self._paint_plain(painter)
        self._paint_colored(painter)
        starts, ends, colors = self._icons
        painter.strokes(starts, ends, max(1.3 * self._place.scale, 1.0), colors)
        self._paint_bars(painter)

    def _paint_plain(self, painter: Painter) -> None:
        on = np.array([button.is_on() for button in self._plain], bool)
        painter.boxes(self._plain_boxes, palette.CARD, 1.0, fill=1.0)
        painter.boxes(self._plain_boxes, palette.FRAME, 1.0, line=1.0)
        painter.boxes(self._plain_boxes[on], palette.ACCENT, 0.9, line=1.0, fill=0.22)

    def _paint_colored(self, painter: Painter) -> None:
        """Buttons of colour: bright while they are on."""
        on = np.array([button.is_on() for button in self._colored], bool)
        painter.boxes(self._colored_boxes, palette.CARD, 1.0, fill=1.0)
        alphas = np.repeat(np.where(on, 0.9, 0.25), 2)
        painter.boxes(self._halves.reshape(-1, 4), self._half_colors.reshape(-1, 3), alphas, fill=1.0)
        painter.boxes(self._colored_boxes[on], palette.TEXT, 0.8, line=1.0)
        painter.boxes(self._colored_boxes[~on], palette.FRAME, 1.0, line=1.0)

    def _paint_bars(self, painter: Painter) -> None:
        bars = self._place.panel.bars
        if not bars:
            return
        values = np.array([bar.get() for bar in bars])
        painter.boxes(self._bars, palette.CARD, 1.0, fill=1.0)
        filled = self._bars.copy()
        filled[:, 2] = filled[:, 0] + np.clip(values / _BUDGET, 0.004, 1.0) * (filled[:, 2] - filled[:, 0])
        colors = np.where((values > _BUDGET)[:, None], palette.CONTACT, self._bar_colors)
        painter.boxes(filled, colors, 0.85, fill=1.0)

    def _add(
        self, text: str, x: float, y: float, color: palette.Color, anchor: Literal["left", "center", "right"] = "left"
    ) -> Label:
        """A line of text with its baseline at a place of the panel."""
        place, scale = self._place, self._place.scale
        return self.texts.add(text, place.left / scale + x, place.top / scale - y, SMALL, color, anchor)
