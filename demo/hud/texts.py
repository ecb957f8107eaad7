"""Lines of text that belong together: laid out once, drawn in one call, their boxes known for plates behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pyglet.graphics import Batch

from ecsphys.demo import palette
from ecsphys.demo.labels import make_label
from ecsphys.demo.palette import Color
from ecsphys.demo.scenes.scene import Box

if TYPE_CHECKING:
    from pyglet.text import Label

_ABOVE, _BELOW = 0.82, 0.26
"""How far letters reach above and below their baseline, in parts of the font's size."""


class Texts:
    """Lines of text in a picture; places are in units of ``scale`` pixels, from the lower left corner.

    Text is laid out in the pixels it is drawn in: glyphs that are shrunk when they are drawn lose strokes. ImportError
    where pyglet finds no font library.
    """

    def __init__(self, scale: float) -> None:
        self.scale = scale
        self._batch: Any = Batch()
        self.labels: list[Label] = []

    def add(
        self,
        text: str,
        x: float,
        y: float,
        points: float,
        color: Color = palette.TEXT_SOFT,
        anchor: Literal["left", "center", "right"] = "left",
        bold: bool = False,
    ) -> Label:
        """A line with its baseline at (x, y)."""
        place = self.scale * x, self.scale * y
        label = make_label(text, place, self.scale * points, color, self._batch, anchor, bold)
        self.labels.append(label)
        return label

    def draw(self) -> None:
        """Draw all lines."""
        self._batch.draw()


def write(label: Label, text: str) -> None:
    """Change a line; laying out text is slow, so the same text costs nothing."""
    if label.text != text:
        label.text = text


def box_of(label: Label, margin: float = 0.0) -> Box:
    """Where a line is, in pixels."""
    width, pixels = float(label.content_width), float(label.font_size) * 96.0 / 72.0
    left = label.x - (width if label.anchor_x == "right" else 0.5 * width if label.anchor_x == "center" else 0.0)
    low, high = label.y - _BELOW * pixels, label.y + _ABOVE * pixels
    return left - margin, low - margin, left + width + margin, high + margin


def box_around(labels: list[Label], margin: float) -> Box | None:
    """The box of several lines that say something; None without any."""
    boxes = [box_of(label, margin) for label in labels if label.text and label.visible]
    if not boxes:
        return None
    lefts, lows, rights, highs = zip(*boxes, strict=True)
    return min(lefts), min(lows), max(rights), max(highs)
