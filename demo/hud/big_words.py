"""The few words that are large: that the scene stands still, is slow, begins again soon; and its score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ecsphys.demo import palette
from ecsphys.demo.hud.measures import SMALL, TOP, text_scale
from ecsphys.demo.hud.texts import Texts, box_around, write
from ecsphys.demo.scenes.parameter import Reading
from ecsphys.demo.scenes.scene import Box

if TYPE_CHECKING:
    from pyglet.text import Label

_PAD = 10.0
_APART = 200.0
"""Units between two scores."""
_NAMES = {1.0: "", 0.5: "SLOW 1/2", 0.25: "SLOW 1/4", 0.1: "SLOW 1/10"}


class BigWords:
    """Lines in the middle of what a panel leaves of a picture.

    The scores are below the title, the state below them, the countdown or a notice at the foot.
    """

    def __init__(
        self,
        size: tuple[int, int],
        bottom: float,
        scores: Sequence[Reading] = (),
        panel_width: float = 0.0,
        pause_key: str = "Space",
    ) -> None:
        self._pause_key = pause_key
        scale = text_scale(size)
        self.texts = Texts(scale)
        middle, height = 0.5 * (size[0] / scale - panel_width), size[1] / scale
        self._state = self.texts.add("", middle, height - TOP - 112.0, 38, palette.TEXT, "center", bold=True)
        self._hint = self.texts.add("", middle, height - TOP - 142.0, 14, palette.TEXT, "center")
        self._foot = self.texts.add("", middle, bottom / scale + 26.0, 13, palette.TEXT, "center")
        self._scores = list(scores)
        self._figures: list[list[Label]] = []
        for number, score in enumerate(scores):
            x = middle + _APART * (number - 0.5 * (len(scores) - 1))
            figure = self.texts.add("", x, height - TOP - 34.0, 26, palette.TEXT, "center", bold=True)
            self._figures.append([figure, self.texts.add(score.name, x, height - TOP - 57.0, SMALL, anchor="center")])

    def show(self, is_paused: bool, pace: float, countdown: float | None, notice: str = "") -> None:
        """Say what there is to say now."""
        state = "PAUSED" if is_paused else _NAMES.get(pace, "")
        write(self._state, state)
        write(self._hint, f"{self._pause_key} continues" if is_paused else ", and . change the speed" if state else "")
        write(self._foot, notice if countdown is None else f"Starts again in {math.ceil(countdown)}")
        for score, (figure, _) in zip(self._scores, self._figures, strict=True):
            write(figure, score.get())

    def plates(self) -> list[Box]:
        """Boxes behind the words, in pixels."""
        pad = _PAD * self.texts.scale
        groups = ([self._state, self._hint], [self._foot], *self._figures)
        return [box for group in groups if (box := box_around(group, pad)) is not None]
