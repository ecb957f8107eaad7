"""The title of a scene, its summary in one line, and its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ecsphys.demo import palette
from ecsphys.demo.hud.measures import SIDE, SMALL, plural, text_scale
from ecsphys.demo.hud.texts import Texts, box_around, box_of, write
from ecsphys.demo.scenes import LiveScene
from ecsphys.demo.scenes.parameter import with_minus
from ecsphys.demo.scenes.scene import Box

if TYPE_CHECKING:
    from pyglet.text import Label

_GAP = 24.0
_PAD = 6.0


class Heading:
    """At the upper border: title and summary to the left, times and readings to the right.

    Where both do not fit beside each other, the numbers give way.
    """

    def __init__(self, live: LiveScene, size: tuple[int, int]) -> None:
        self._live = live
        scale = text_scale(size)
        self.texts = Texts(scale)
        right, height = size[0] / scale - SIDE, size[1] / scale
        self._title = self.texts.add(live.scene.title, SIDE, height - 29, 17, palette.TEXT, bold=True)
        self._summary = self.texts.add(live.scene.summary, SIDE, height - 51, SMALL)
        self._times = self.texts.add("", right, height - 28, SMALL, palette.TEXT, "right")
        self._readings = self.texts.add("", right, height - 51, SMALL, anchor="right")

    def show_numbers(self, simulate: float, draw: float) -> None:
        """Write the milliseconds of a frame, and the scene's readings; without readings, its counts."""
        layout = self._live.layout
        self._write_if_it_fits(self._times, f"physics {simulate:.1f} ms   drawing {draw:.1f} ms", self._title)
        counts = self._live.counts()
        text = "   ".join(f"{reading.name} {with_minus(reading.get())}" for reading in layout.readings)
        text = text or f"{plural(counts.colliders, 'collider')}   {plural(counts.hits, 'hit')}"
        self._write_if_it_fits(self._readings, text, self._summary)

    def _write_if_it_fits(self, label: Label, text: str, beside: Label) -> None:
        write(label, text)
        room = box_of(label)[0] - box_of(beside)[2]
        if room < self.texts.scale * _GAP:
            write(label, "")

    def plates(self) -> list[Box]:
        """Boxes behind the text, in pixels."""
        pad = _PAD * self.texts.scale
        pairs = ([self._title, self._summary], [self._times, self._readings])
        return [box for pair in pairs if (box := box_around(pair, pad)) is not None]
