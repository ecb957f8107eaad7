"""How the playground's panel looks: boxes, bars and icons from arrays, and text that is laid out when it changes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import float64
from numpy.typing import NDArray
from pyglet.graphics import Batch

from ecsphys import CompoundCollider, Transform
from ecsphys.debug_draw import Painter
from ecsphys.demo import palette
from ecsphys.demo.labels import make_label
from ecsphys.demo.palette import Color
from ecsphys.demo.scenes.outlines import outline
from ecsphys.demo.scenes.playground.panel import HEIGHT, SIDE, WIDTH, Button, Slider
from ecsphys.demo.scenes.playground.sandbox import MIXED
from ecsphys.demo.scenes.playground.switches import STAGES
from ecsphys.demo.scenes.playground.world import Playground
from ecsphys.demo.scenes.rigid.toys import toy, toy_color
from ecsphys.demo.scenes.scene import STEP, Box

if TYPE_CHECKING:
    from pyglet.text import Label

HELP = (
    "Left: spawn, drag, throw   Right: pan   Wheel: zoom   F fit   X clear   H panel   "
    "Space pause   N step   R reset   F11 full   Esc menu"
)
_BUDGET = 1e3 * STEP
"""Milliseconds that a full bar stands for: a frame."""
_KNOB = 5.0


class PanelPicture:
    """A playground's panel in a picture of one size; make a new one for another."""

    def __init__(self, game: Playground, size: tuple[int, int]) -> None:
        self._game = game
        self._scale = game.panel_scale
        self._left, self._top = game.panel_corner
        self._batch: Any = Batch()
        self._help: Any = Batch()
        self._labels: dict[str, Label] = {}
        self._shown: tuple[object, ...] = ()
        self._icons = [segments for button in game.panel.buttons for segments in self._icon(button)]

    # Boxes, bars, icons.

    def paint(self, painter: Painter, draw_milliseconds: float) -> None:
        """Everything but the text; ``painter`` has begun in pixels."""
        if not self._game.has_panel:
            return
        panel = self._game.panel
        whole = self._boxes([(0.0, 0.0, WIDTH, HEIGHT)])
        painter.boxes(whole, palette.BAR, 0.93, fill=1.0)
        painter.boxes(whole, palette.FRAME, 1.0, line=1.0)
        self._paint_bars(painter, draw_milliseconds)
        plain = [button for button in panel.buttons if button.colors is None]
        painter.boxes(self._boxes([button.box for button in plain]), palette.CARD, 1.0, fill=1.0, line=1.0)
        painter.boxes(self._boxes([button.box for button in plain]), palette.FRAME, 1.0, line=1.0)
        lit = [button.box for button in plain if button.is_on()]
        if lit:
            painter.boxes(self._boxes(lit), palette.ACCENT, 0.9, fill=0.22, line=1.0)
        for segments, color in self._icons:
            painter.strokes(segments[:, 0], segments[:, 1], max(1.3 * self._scale, 1.0), color)
        self._paint_colors(painter)
        self._paint_sliders(painter)

    def _paint_bars(self, painter: Painter, draw_milliseconds: float) -> None:
        boxes = self._boxes(list(self._game.panel.bars))
        painter.boxes(boxes, palette.CARD, 1.0, fill=1.0)
        values = np.append(self._game.milliseconds, draw_milliseconds)
        filled = boxes.copy()
        filled[:, 2] = boxes[:, 0] + np.clip(values / _BUDGET, 0.004, 1.0) * (boxes[:, 2] - boxes[:, 0])
        colors = np.array([palette.COLLIDERS[number % len(palette.COLLIDERS)] for number in range(len(values))])
        colors[values > _BUDGET] = palette.CONTACT
        painter.boxes(filled, colors, 0.85, fill=1.0)

    def _paint_colors(self, painter: Painter) -> None:
        """Buttons of layers: bright where they are on."""
        colored = [button for button in self._game.panel.buttons if button.colors is not None]
        boxes = self._boxes([button.box for button in colored])
        on = np.array([button.is_on() for button in colored])
        painter.boxes(boxes, palette.CARD, 1.0, fill=1.0)
        middle = np.round(0.5 * (boxes[:, 0] + boxes[:, 2]))
        for half, edge in ((0, 2), (1, 0)):
            halves = boxes.copy()
            halves[:, edge] = middle
            colors = np.array([button.colors[half] for button in colored if button.colors is not None])
            painter.boxes(halves, colors, np.where(on, 0.9, 0.3), fill=1.0)
        painter.boxes(boxes[on], palette.TEXT, 0.8, line=1.0)
        painter.boxes(boxes[~on], palette.FRAME, 1.0, line=1.0)

    def _paint_sliders(self, painter: Painter) -> None:
        sliders = self._game.panel.sliders
        tracks = self._boxes([self._track(slider) for slider in sliders])
        painter.boxes(tracks, palette.FRAME, 1.0, fill=1.0)
        parts = np.array([slider.part for slider in sliders])
        knobs = np.column_stack(
            (tracks[:, 0] + parts * (tracks[:, 2] - tracks[:, 0]), 0.5 * (tracks[:, 1] + tracks[:, 3]))
        )
        filled = tracks.copy()
        filled[:, 2] = knobs[:, 0]
        painter.boxes(filled, palette.ACCENT, 0.6, fill=1.0)
        chosen = np.arange(len(sliders)) == self._game.selected
        painter.circles(knobs, np.where(chosen, 1.25, 1.0) * _KNOB * self._scale, palette.ACCENT)

    @staticmethod
    def _track(slider: Slider) -> Box:
        left, _, right, bottom = slider.box
        return left + _KNOB, bottom - 9.0, right - _KNOB, bottom - 6.0

    def _icon(self, button: Button) -> list[tuple[NDArray[float64], Color]]:
        """The lines (n, 2, 2) of the body on a button."""
        if button.shape is None:
            return []
        x, y = 0.5 * (button.box[0] + button.box[2]), 0.5 * (button.box[1] + button.box[3])
        if button.shape == MIXED:
            made = [(kind, 3.6, x + 5.0 * dx, y + 5.0 * dy) for kind, dx, dy in ((0, -1, 1), (1, 1, 1), (4, 0, -1))]
        else:
            made = [(button.shape, 7.0, x, y)]
        lines: list[tuple[NDArray[float64], Color]] = []
        for kind, size, middle_x, middle_y in made:
            body = toy(kind, size)
            for part in body.parts if isinstance(body, CompoundCollider) else [body]:
                place = Transform(0.0, 0.0, 0.25 * math.pi if kind == 7 else 0.0)
                corners = np.array(outline(part, place)) * (1.0, -1.0) + (middle_x, middle_y)
                points = self._pixels(corners)
                lines.append((np.stack((points, np.roll(points, -1, axis=0)), axis=1), toy_color(kind)))
        return lines

    def _boxes(self, boxes: list[Box]) -> NDArray[float64]:
        """Boxes of the panel in pixels, min_x, min_y, max_x, max_y."""
        given = np.array(boxes, float64).reshape(-1, 4)
        low, high = self._pixels(given[:, (0, 3)]), self._pixels(given[:, (2, 1)])
        found: NDArray[float64] = np.rint(np.hstack((low, high)), dtype=float64)
        return found

    def _pixels(self, points: NDArray[float64]) -> NDArray[float64]:
        found: NDArray[float64] = (self._left, self._top) + self._scale * points * (1.0, -1.0)
        return found

    # Text.

    def is_changed(self, note: str) -> bool:
        """Whether a number of the panel has changed by mouse or key since the text was written."""
        return self._shown != self._numbers(note)

    def _numbers(self, note: str) -> tuple[object, ...]:
        values = tuple(slider.parameter.get() for slider in self._game.panel.sliders)
        return (*values, self._game.has_panel, self._game.selected, note.startswith("paused"), self._game.caption)

    def write(self, frame_seconds: float | None, draw_milliseconds: float, note: str) -> None:
        """Lay out the text, without a rate where it is not known yet; ImportError without a font library."""
        game = self._game
        self._shown = self._numbers(note)
        paused = "Paused: Space goes on   " if note.startswith("paused") else ""
        below, color = (game.caption, palette.CONTACT) if game.caption else (paused + HELP, palette.TEXT_SOFT)
        self._put("help", below, -self._left / self._scale + 12.0, self._top / self._scale - 12.0, 10, color)
        if not game.has_panel:
            return
        self._put("title", "Playground", SIDE, 26.0, 15, palette.TEXT, bold=True)
        rate = "" if frame_seconds is None else f"{1.0 / max(frame_seconds, 1e-4):.0f} FPS"
        self._put("rate", rate, WIDTH - SIDE, 26.0, 13, palette.ACCENT, right=True)
        rest = game.sandbox.at_rest()
        hits = len(game.physics.hits)
        self._put("counts", f"{rest.size:,} bodies   {hits:,} hits   {int(rest.sum()):,} at rest", SIDE, 46.0, 9)
        names = [name for name, _ in STAGES] + ["Drawing"]
        values = [*game.milliseconds.tolist(), draw_milliseconds]
        for name, value, bar in zip(names, values, game.panel.bars, strict=True):
            self._put(name, name, SIDE, bar[3], 9)
            self._put(
                f"{name} ms",
                f"{value:.1f} ms" if value < 100.0 else f"{value:.0f} ms",
                WIDTH - SIDE,
                bar[3],
                9,
                palette.TEXT,
                right=True,
            )
        for heading in game.panel.headings:
            self._put(heading.text, heading.text, heading.x, heading.y, 9, palette.TEXT_FAINT)
        for number, slider in enumerate(game.panel.sliders):
            parameter, (left, top, right, _) = slider.parameter, slider.box
            color = palette.ACCENT if number == game.selected else palette.TEXT_SOFT
            self._put(parameter.name, parameter.name.capitalize(), left, top + 14.0, 9, color)
            self._put(f"{parameter.name} is", str(parameter), right, top + 14.0, 9, palette.TEXT, right=True)
        for number, button in enumerate(game.panel.buttons):
            if button.text:
                left, top, right, bottom = button.box
                middle = 0.5 * (left + right), 0.5 * (top + bottom) + 4.0
                self._put(f"button {number}", button.text, *middle, 8.4, palette.TEXT, middle=True)

    def _put(
        self,
        name: str,
        text: str,
        x: float,
        y: float,
        points: float,
        color: Color = palette.TEXT_SOFT,
        bold: bool = False,
        right: bool = False,
        middle: bool = False,
    ) -> None:
        """A line of text by its name, with its baseline at y; laid out only where it has changed."""
        label = self._labels.get(name)
        if label is None:
            place = self._left + self._scale * x, self._top - self._scale * y
            batch = self._help if name == "help" else self._batch
            anchor = "right" if right else "center" if middle else "left"
            made = make_label(text, place, points * self._scale, color, batch, anchor, bold)  # type: ignore[arg-type]
            self._labels[name] = made
            return
        if label.text != text:
            label.text = text
        if label.color != palette.as_bytes(color):
            label.color = palette.as_bytes(color)

    def draw_text(self) -> None:
        """Draw the text that was written last."""
        self._help.draw()
        if self._game.has_panel:
            self._batch.draw()
