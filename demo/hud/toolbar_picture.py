"""How the sliders and switches look: tracks and knobs from arrays, and text that is laid out when it changes."""

from __future__ import annotations

import numpy as np

from ecsphys.debug_draw import Painter
from ecsphys.demo import palette
from ecsphys.demo.hud.legend import write_legend
from ecsphys.demo.hud.measures import SMALL
from ecsphys.demo.hud.texts import Texts, box_of, write
from ecsphys.demo.hud.toolbar import Toolbar
from ecsphys.demo.scenes import LiveScene
from ecsphys.demo.scenes.scene import Box

HELP = "H all keys   Esc menu"
_TRACK, _KNOB = 9.0, 5.5
"""The height of a track's middle over its box's lower border, and the radius of a knob, in units."""
_BASE = 21.0
_LEGEND = 24.0
"""The room on both sides of the colliders' colours."""


class ToolbarPicture:
    """Draws a :class:`Toolbar`, and the legend of the colliders' colours beside the switches if there is room."""

    def __init__(self, toolbar: Toolbar, live: LiveScene) -> None:
        self._toolbar = toolbar
        scale = toolbar.scale
        self.texts = texts = Texts(scale)
        self._names = [
            texts.add(slider.parameter.name, slider.box[0] / scale, slider.box[1] / scale + _BASE, SMALL)
            for slider in toolbar.sliders
        ]
        self._values = [
            texts.add("", slider.box[2] / scale, slider.box[1] / scale + _BASE, SMALL, palette.TEXT, "right")
            for slider in toolbar.sliders
        ]
        self._switches = [
            texts.add(
                switch.label,
                0.5 * (switch.box[0] + switch.box[2]) / scale,
                switch.box[1] / scale + 7.0,
                SMALL,
                palette.TEXT,
                "center",
            )
            for switch in toolbar.switches
        ]
        self.help = texts.add(HELP, toolbar.right / scale, 14.0, SMALL, palette.TEXT_SOFT, "right")
        middle = toolbar.switches_end / scale + _LEGEND
        write_legend(texts, live, middle, 14.0, box_of(self.help)[0] / scale - _LEGEND)
        self.update()

    def update(self) -> None:
        """Write the values that have changed; a name gives way to its value where there is no room for both."""
        toolbar = self._toolbar
        for number, (name, value, slider) in enumerate(zip(self._names, self._values, toolbar.sliders, strict=True)):
            write(value, str(slider.parameter))
            color = palette.as_bytes(palette.ACCENT if number == toolbar.selected else palette.TEXT_SOFT)
            if name.color != color:
                name.color = color
            name.visible = box_of(name)[2] + 6.0 * toolbar.scale < box_of(value)[0]
        for label, switch in zip(self._switches, toolbar.switches, strict=True):
            color = palette.as_bytes(palette.TEXT if switch.get() else palette.TEXT_FAINT)
            if label.color != color:
                label.color = color

    def paint(self, painter: Painter, size: tuple[int, int]) -> None:
        """Everything but the text; ``painter`` has begun in pixels."""
        toolbar = self._toolbar
        painter.boxes(np.array([[0.0, 0.0, float(size[0]), toolbar.height]]), palette.BAR, 0.95, fill=1.0)
        if toolbar.switches:
            boxes = _boxes([switch.box for switch in toolbar.switches])
            on = np.array([switch.get() for switch in toolbar.switches])
            painter.boxes(boxes, palette.FRAME, 1.0, line=1.0)
            painter.boxes(boxes[on], palette.ACCENT, 0.9, line=1.0, fill=0.18)
        if toolbar.sliders:
            self._paint_sliders(painter)

    def _paint_sliders(self, painter: Painter) -> None:
        toolbar, scale = self._toolbar, self._toolbar.scale
        boxes = np.array([slider.box for slider in toolbar.sliders])
        middle = boxes[:, 1] + scale * _TRACK
        ends = boxes[:, (0, 2)] + scale * _KNOB * np.array((1.0, -1.0))
        parts = np.array([(slider.part, slider.default_part) for slider in toolbar.sliders])
        places = ends[:, :1] + parts * (ends[:, 1:] - ends[:, :1])
        tracks = np.column_stack((ends[:, 0], middle - 1.5 * scale, ends[:, 1], middle + 1.5 * scale))
        painter.boxes(tracks, palette.FRAME, 1.0, fill=1.0)
        filled = tracks.copy()
        filled[:, 2] = places[:, 0]
        painter.boxes(filled, palette.ACCENT, 0.6, fill=1.0)
        marks = np.column_stack(
            (places[:, 1] - scale, middle - 6.0 * scale, places[:, 1] + scale, middle + 6.0 * scale)
        )
        painter.boxes(marks, palette.TEXT_SOFT, 0.9, fill=1.0)
        chosen = np.arange(len(boxes)) == toolbar.selected
        painter.circles(
            np.column_stack((places[:, 0], middle)), np.where(chosen, 1.2, 0.95) * _KNOB * scale, palette.ACCENT
        )


def _boxes(boxes: list[Box]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.rint(np.array(boxes, np.float64).reshape(-1, 4), dtype=np.float64)
