"""The text over a scene: title, numbers, legend, help, and the scene's own captions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pyglet.graphics import Batch
from pyglet.math import Mat4, Vec3
from pyglet.text import Label
from pyglet.window import Window

import ecsphys
from ecsphys.demo import palette
from ecsphys.demo.palette import Color
from ecsphys.demo.renderer import Camera
from ecsphys.demo.scenes import LiveScene
from ecsphys.demo.scenes.scene import Box, Counts

TOP, BOTTOM, SIDE = 62, 66, 16
"""Pixels that the text keeps for itself at the picture's borders."""

FONTS = ["Inter", "Segoe UI", "Helvetica Neue", "Noto Sans", "DejaVu Sans", "Arial"]
HELP = "Space pause   N step   R reset   B debug   ←→ parameter   ↑↓ change   Tab next scene   Esc menu"


_FULL_SIZE = 1280.0, 720.0


def text_scale(size: tuple[int, int]) -> float:
    """How large text is in a picture of a given size: in small ones it shrinks, so that all of it fits."""
    return max(min(1.0, size[0] / _FULL_SIZE[0], size[1] / _FULL_SIZE[1]), 0.1)


@contextmanager
def scaled_text(window: Window, scale: float) -> Iterator[None]:
    """Draw a window's text at a scale."""
    before = window.view
    window.view = Mat4.from_scale(Vec3(scale, scale, 1.0))
    try:
        yield
    finally:
        window.view = before


def camera_for(arena: Box, size: tuple[int, int]) -> Camera:
    """The camera that shows the arena in what the text leaves of the picture."""
    scale = text_scale(size)
    side = scale * SIDE
    return Camera.fit(arena, side, scale * BOTTOM, size[0] - side, size[1] - scale * TOP)


class Overlay:
    """Text of one scene in a picture of a given size; make a new one when either changes.

    ImportError where pyglet finds no font library.
    """

    def __init__(self, live: LiveScene, camera: Camera, size: tuple[int, int]) -> None:
        self._scale = text_scale(size)
        width, height = size[0] / self._scale, size[1] / self._scale
        self._batch: Any = Batch()
        self._labels: list[Label] = []
        self._add(live.scene.title, SIDE + 2, height - 30, 17, palette.TEXT, weight="bold")
        self._add(live.scene.summary, SIDE + 2, height - 51, 11, palette.TEXT_SOFT)
        self._times = self._add("", width - SIDE - 2, height - 27, 12, palette.TEXT, anchor="right")
        self._counts = self._add("", width - SIDE - 2, height - 50, 11, palette.TEXT_SOFT, anchor="right")
        self._parameters = list(live.layout.parameters)
        self._readings = list(live.layout.readings)
        self._values = [self._add("", 0, 40, 12, palette.TEXT_SOFT) for _ in self._parameters]
        self._measured = self._add("", width - SIDE - 2, 40, 11, palette.TEXT_SOFT, anchor="right")
        if live.layout.legend:
            self._explain_colors()
        self._add(HELP, width - SIDE - 2, 14, 11, palette.TEXT_FAINT, anchor="right")
        for caption in live.layout.captions:
            left, top = (edge / self._scale for edge in camera.to_pixel(caption.x, caption.y))
            self._add(caption.text, left, top - 11, 11, palette.TEXT)
            self._add(caption.detail, left, top - 28, 10, palette.TEXT_SOFT)

    def _explain_colors(self) -> None:
        x = float(SIDE + 2)
        # Without the last: a chain is ground, not one of the moving shapes.
        for collider, color in zip(ecsphys.COLLIDER_CLASSES[:-1], palette.COLLIDERS[:-1], strict=True):
            name = collider.__name__.removesuffix("Collider")
            label = self._add(name if name.isupper() else name.lower(), x, 14, 11, color)
            x += label.content_width + 18

    def _add(
        self, text: str, x: float, y: float, points: float, color: Color, anchor: str = "left", weight: str = "normal"
    ) -> Label:
        label = Label(
            text,
            x=round(x),
            y=round(y),
            font_name=FONTS,
            font_size=points,
            weight=weight,
            color=palette.as_bytes(color),
            anchor_x=anchor,  # type: ignore[arg-type]  # a Literal; "left" and "right" are two of it
            anchor_y="baseline",
            batch=self._batch,
        )
        self._labels.append(label)
        return label

    def show_numbers(self, simulate: float, draw: float, counts: Counts, paused: bool = False) -> None:
        """Write the milliseconds of a frame and the counts. Laying out text is slow: call it a few times a second."""
        state = "paused   " if paused else ""
        self._times.text = f"{state}simulate {simulate:.2f} ms   draw {draw:.2f} ms"
        self._counts.text = (
            f"{counts.entities:,} entities   {counts.colliders:,} colliders   "
            f"{counts.pairs:,} candidate pairs   {counts.hits:,} hits"
        )

        self._measured.text = "   ".join(f"{reading.name} {reading.get()}" for reading in self._readings)

    def show_parameters(self, selected: int) -> None:
        """Write the parameters' values; the selected one stands out."""
        x = float(SIDE + 2)
        for number, (label, parameter) in enumerate(zip(self._values, self._parameters, strict=True)):
            chosen = number == selected
            label.text = f"{parameter.name}  ‹ {parameter} ›" if chosen else f"{parameter.name}  {parameter}"
            label.color = palette.as_bytes(palette.ACCENT if chosen else palette.TEXT_SOFT)
            label.x = round(x)
            x += label.content_width + 28

    def draw(self, window: Window) -> None:
        """Draw all of it into a window, the one whose size it was made for."""
        with scaled_text(window, self._scale):
            self._batch.draw()
