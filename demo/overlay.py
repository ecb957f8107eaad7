"""The text over a scene: title, numbers, legend, help, and the scene's own captions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pyglet.graphics import Batch

import ecsphys
from ecsphys.demo import palette
from ecsphys.demo.labels import make_label
from ecsphys.demo.palette import Color
from ecsphys.demo.scenes import LiveScene
from ecsphys.demo.scenes.camera import Camera
from ecsphys.demo.scenes.scene import Box, Counts

if TYPE_CHECKING:
    from pyglet.text import Label

TOP, BOTTOM, SIDE = 62, 66, 16
"""What the text keeps for itself at the picture's borders, in pixels of a picture of the full size."""

HELP = "Space pause   N step   R reset   B debug   ←→ parameter   ↑↓ change   Tab next scene   F11 full   Esc menu"


_FULL_SIZE = 1280.0, 720.0


def text_scale(size: tuple[int, int]) -> float:
    """How large text is in a picture of a given size: it shrinks and grows with it, so that all of it fits."""
    return max(min(size[0] / _FULL_SIZE[0], size[1] / _FULL_SIZE[1]), 0.1)


def camera_for(arena: Box, size: tuple[int, int]) -> Camera:
    """The camera that shows the arena in what the text leaves of the picture."""
    scale = text_scale(size)
    side = scale * SIDE
    return Camera.fit(arena, side, scale * BOTTOM, size[0] - side, size[1] - scale * TOP)


class Overlay:
    """Text of one scene in a picture of a given size; make a new one when either changes.

    Text is laid out in the pixels it is drawn in: glyphs that are shrunk when they are drawn lose strokes. ImportError
    where pyglet finds no font library.
    """

    def __init__(self, live: LiveScene, camera: Camera, size: tuple[int, int]) -> None:
        self._scale = text_scale(size)
        width, height = size[0] / self._scale, size[1] / self._scale
        self._batch: Any = Batch()
        self.labels: list[Label] = []
        """All its text."""
        self._add(live.scene.title, SIDE + 2, height - 30, 17, palette.TEXT, bold=True)
        self._add(live.scene.summary, SIDE + 2, height - 51, 11, palette.TEXT_SOFT)
        self._times = self._add("", width - SIDE - 2, height - 27, 12, palette.TEXT, anchor="right")
        self._counts = self._add("", width - SIDE - 2, height - 50, 11, palette.TEXT_SOFT, anchor="right")
        self._parameters = list(live.layout.parameters)
        self._readings = list(live.layout.readings)
        self._values = [self._add("", 0, 40, 12, palette.TEXT_SOFT) for _ in self._parameters]
        self._measured = self._add("", width - SIDE - 2, 40, 11, palette.TEXT_SOFT, anchor="right")
        if live.layout.legend:
            self._explain_colors(set(live.physics.debug.colliders.collider.tolist()))
        self._add(HELP, width - SIDE - 2, 14, 11, palette.TEXT_FAINT, anchor="right")
        for caption in live.layout.captions:
            left, top = (edge / self._scale for edge in camera.to_pixel(caption.x, caption.y))
            self._add(caption.text, left, top - 11, 11, palette.TEXT)
            if caption.detail:
                self._add(caption.detail, left, top - 28, 10, palette.TEXT_SOFT)

    def _explain_colors(self, shown: set[int]) -> None:
        """The colours of the collider classes that there are, by their numbers."""
        x = float(SIDE + 2)
        # Without the last: a chain is ground, not one of the moving shapes.
        for number, (collider, color) in enumerate(
            zip(ecsphys.COLLIDER_CLASSES[:-1], palette.COLLIDERS[:-1], strict=True)
        ):
            if number not in shown:
                continue
            name = collider.__name__.removesuffix("Collider")
            label = self._add(name if name.isupper() else name.lower(), x, 14, 11, color)
            x += label.content_width / self._scale + 18

    def _add(
        self,
        text: str,
        x: float,
        y: float,
        points: float,
        color: Color,
        anchor: Literal["left", "right"] = "left",
        bold: bool = False,
    ) -> Label:
        place = self._scale * x, self._scale * y
        label = make_label(text, place, self._scale * points, color, self._batch, anchor, bold)
        self.labels.append(label)
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
            label.x = round(x * self._scale)
            x += label.content_width / self._scale + 28

    def draw(self) -> None:
        """Draw all of it into a window, the one whose size it was made for."""
        self._batch.draw()
