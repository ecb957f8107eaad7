"""The panel of switches: what there is, where it is, and what the mouse does there. It knows no window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ecsphys.demo.scenes.parameter import Parameter
from ecsphys.demo.scenes.scene import Box
from ecsphys.demo.scenes.sketch import Color

WIDTH, HEIGHT = 252.0, 634.0
"""Of the panel; all measures here are in its own units, from its upper left corner, y downwards."""
SIDE = 14.0
INNER = WIDTH - 2.0 * SIDE
ROW = 23.0


@dataclass
class Button:
    """Does something when it is pressed, by the mouse or by ``key``; lit while it is on."""

    box: Box
    text: str
    press: Callable[[], None]
    is_on: Callable[[], bool] = lambda: False
    key: str = ""
    colors: tuple[Color, Color] | None = None
    """Of the halves of a button that is nothing but colour."""
    shape: int | None = None
    """Of a button that shows a body."""


@dataclass
class Slider:
    """A parameter among its choices, from the left to the right."""

    box: Box
    parameter: Parameter

    @property
    def part(self) -> float:
        """Where its value is, from 0 to 1."""
        return self._nearest() / max(len(self.parameter.choices) - 1, 1)

    def drag(self, part: float) -> bool:
        """Take the choice nearest to a place from 0 to 1; whether that changed it."""
        choices = self.parameter.choices
        wanted = choices[round(min(max(part, 0.0), 1.0) * (len(choices) - 1))]
        if wanted == choices[self._nearest()]:
            return False
        self.parameter.put(wanted)
        return True

    def _nearest(self) -> int:
        choices, value = self.parameter.choices, self.parameter.get()
        return min(range(len(choices)), key=lambda index: abs(choices[index] - value))


@dataclass
class Heading:
    """A line of text over a group of switches."""

    x: float
    y: float
    text: str


@dataclass
class Panel:
    """Buttons, sliders and headings, and the place of the bars of the stages."""

    buttons: list[Button] = field(default_factory=list)
    sliders: list[Slider] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    bars: tuple[Box, ...] = ()

    def button_at(self, x: float, y: float) -> Button | None:
        """The button at a place of the panel."""
        return next((button for button in self.buttons if _holds(button.box, x, y)), None)

    def slider_at(self, x: float, y: float) -> Slider | None:
        """The slider at a place of the panel."""
        return next((slider for slider in self.sliders if _holds(slider.box, x, y)), None)

    def button_for(self, key: str) -> Button | None:
        """The button of a key."""
        return next((button for button in self.buttons if button.key == key), None)


def row_of(y: float, number: int, gap: float = 5.0, left: float = SIDE, width: float = INNER) -> list[Box]:
    """Boxes of ``number`` buttons side by side whose upper border is at ``y``."""
    each = (width - (number - 1) * gap) / number
    return [(left + k * (each + gap), y, left + k * (each + gap) + each, y + ROW) for k in range(number)]


def _holds(box: Box, x: float, y: float) -> bool:
    return box[0] <= x < box[2] and box[1] <= y < box[3]
