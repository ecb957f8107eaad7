"""The place of a scene's panel in a picture, and the button at a pixel. No pyglet."""

from __future__ import annotations

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.demo.hud.measures import SLIDERS, SWITCHES, TOP, holds, text_scale
from ecsphys.demo.scenes.panel import WIDTH, Panel, Place
from ecsphys.demo.scenes.scene import Box

_MARGIN = 8.0


class PanelPlace:
    """A panel at the right border of a picture, between the title and the sliders."""

    def __init__(self, panel: Panel, size: tuple[int, int]) -> None:
        self.panel = panel
        self.scale = text_scale(size)
        self.left, self.top = size[0] - self.scale * (WIDTH + _MARGIN), size[1] - self.scale * TOP

    @classmethod
    def of(cls, panel: Panel | None, size: tuple[int, int], has_sliders: bool) -> PanelPlace | None:
        """The panel in a picture of a given size; None without one, and in a picture that is too small for it."""
        scale = text_scale(size)
        room = size[1] / scale - TOP - SWITCHES - SLIDERS * has_sliders
        fits = panel is not None and panel.height + _MARGIN <= room and size[0] / scale >= 2.0 * WIDTH
        return cls(panel, size) if panel is not None and fits else None

    @property
    def width(self) -> float:
        """How much of the picture's width it takes, in units."""
        return WIDTH + _MARGIN

    @property
    def box(self) -> Box:
        """Where it is, in pixels."""
        return self.box_of((0.0, 0.0, WIDTH, self.panel.height))

    def box_of(self, place: Place) -> Box:
        """Where something on the panel is, in pixels."""
        left, top, right, bottom = place
        scale = self.scale
        return self.left + scale * left, self.top - scale * bottom, self.left + scale * right, self.top - scale * top

    def boxes_of(self, places: list[Place]) -> NDArray[float64]:
        """Boxes (n, 4) of several, in whole pixels."""
        found: NDArray[float64] = np.rint(
            np.array([self.box_of(place) for place in places], float64).reshape(-1, 4), dtype=float64
        )
        return found

    def holds(self, x: float, y: float) -> bool:
        """Whether the panel is at a pixel."""
        return holds(self.box, x, y)

    def button_at(self, x: float, y: float) -> int | None:
        """The number of the button at a pixel."""
        buttons = self.panel.buttons
        return next((number for number, one in enumerate(buttons) if holds(self.box_of(one.place), x, y)), None)
