"""The sliders and switches of every scene: where they are, and what the mouse and the keys do there. No pyglet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ecsphys.demo.hud.measures import SIDE, SLIDERS, SWITCHES, holds, text_scale
from ecsphys.demo.scenes.parameter import Parameter
from ecsphys.demo.scenes.scene import Box

_WIDEST, _GAP = 250.0, 22.0
_NARROW, _LETTER, _NARROW_ONES = 5.0, 9.3, frozenset("fijlrtIJ ")
"""The widths of letters of 11 points, near enough for a box around a word."""
_PAD, _APART = 6.5, 4.0
"""Between the border of a switch and its word, and between two switches."""


@dataclass
class Slider:
    """A parameter among its choices, from the left to the right, in a box of pixels; ``default`` is marked."""

    box: Box
    parameter: Parameter
    default: float

    @property
    def part(self) -> float:
        """Where its value is, from 0 to 1."""
        return self.parameter.nearest / max(len(self.parameter.choices) - 1, 1)

    @property
    def default_part(self) -> float:
        """Where its default is, from 0 to 1."""
        choices = self.parameter.choices
        nearest = min(range(len(choices)), key=lambda index: abs(choices[index] - self.default))
        return nearest / max(len(choices) - 1, 1)

    def value_at(self, x: float) -> float:
        """The choice nearest to a pixel."""
        left, _, right, _ = self.box
        part = min(max((x - left) / max(right - left, 1.0), 0.0), 1.0)
        return self.parameter.choices[round(part * (len(self.parameter.choices) - 1))]


@dataclass
class Switch:
    """Something that is shown or not, by a click or a key."""

    text: str
    key: str
    get: Callable[[], bool]
    press: Callable[[], None]
    box: Box = (0.0, 0.0, 0.0, 0.0)

    @property
    def label(self) -> str:
        """What is written on it."""
        return f"{self.text} {self.key}"


class Toolbar:
    """Two rows at the lower border of a picture: the sliders of a scene, and the switches."""

    def __init__(
        self,
        parameters: Sequence[Parameter],
        defaults: Sequence[float],
        switches: Sequence[Switch],
        size: tuple[int, int],
    ) -> None:
        self.scale = scale = text_scale(size)
        self.switches = list(switches)
        self.selected = 0
        """Which of the sliders the keys move."""
        right = size[0] / scale - SIDE
        self.right = scale * right
        """Where the rows end, in pixels."""
        boxes = _row(len(parameters), right)
        self.sliders = [
            Slider(_scaled(box, scale), parameter, default)
            for box, parameter, default in zip(boxes, parameters, defaults, strict=True)
        ]
        self.height = scale * (SWITCHES + SLIDERS * bool(parameters))
        """Of both rows, in pixels."""
        left = SIDE
        for switch in self.switches:
            width = sum(_NARROW if letter in _NARROW_ONES else _LETTER for letter in switch.label) + 2.0 * _PAD
            switch.box = _scaled((left, 7.0, left + width, SWITCHES - 6.0), scale)
            left += width + _APART
        self.switches_end = scale * left
        """Where the row of switches ends, in pixels."""

    def slider_at(self, x: float, y: float) -> int | None:
        """The number of the slider at a pixel."""
        return next((number for number, slider in enumerate(self.sliders) if holds(slider.box, x, y)), None)

    def switch_at(self, x: float, y: float) -> Switch | None:
        """The switch at a pixel."""
        return next((switch for switch in self.switches if holds(switch.box, x, y)), None)

    def select(self, turn: int) -> None:
        """Let the keys move the next slider, or with −1 the one before."""
        if self.sliders:
            self.selected = (self.selected + turn) % len(self.sliders)


def _row(number: int, right: float) -> list[Box]:
    """Boxes of so many sliders side by side, up to ``right``."""
    if not number:
        return []
    width = min(max((right - SIDE - _GAP * (number - 1)) / number, 0.0), _WIDEST)
    lefts = [SIDE + (width + _GAP) * place for place in range(number)]
    return [(left, SWITCHES, left + width, SWITCHES + SLIDERS) for left in lefts]


def _scaled(box: Box, scale: float) -> Box:
    left, bottom, right, top = box
    return scale * left, scale * bottom, scale * right, scale * top
