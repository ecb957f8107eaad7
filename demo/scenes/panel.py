"""A panel of a scene's own at the right border of the picture: its buttons, headings and bars. It knows no window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from numpy import float64
from numpy.typing import NDArray

from ecsphys.demo.scenes.sketch import Color

WIDTH = 268.0
"""All measures here are in the units of text, from the panel's upper left corner, y downwards."""
SIDE = 12.0
INNER = WIDTH - 2.0 * SIDE
ROW = 24.0
"""The height of a button."""

Place = tuple[float, float, float, float]
"""left, top, right, bottom."""


@dataclass(frozen=True)
class Outline:
    """A closed line (n, 2) about the middle of a button, y upwards."""

    points: NDArray[float64]
    color: Color


@dataclass
class Button:
    """Does something when it is pressed; lit while it is on."""

    place: Place
    text: str
    press: Callable[[], None]
    is_on: Callable[[], bool] = lambda: False
    halves: tuple[Color, Color] | None = None
    """The colours of a button that is nothing but colour."""
    icon: Sequence[Outline] = ()


@dataclass(frozen=True)
class Heading:
    """A line of text over a group of buttons; its baseline begins at (x, y)."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Bar:
    """Milliseconds of a step: a name, a bar at ``place``, and the number."""

    place: Place
    text: str
    get: Callable[[], float]


@dataclass
class Panel:
    """The parts of a panel. The recorded event "button" has the index of a button in ``buttons``."""

    height: float
    buttons: list[Button] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)

    def press(self, number: int) -> None:
        """Press a button."""
        self.buttons[number].press()


def row_of(y: float, number: int, gap: float = 5.0, left: float = SIDE, width: float = INNER) -> list[Place]:
    """The places of ``number`` buttons side by side whose upper border is at ``y``."""
    each = (width - (number - 1) * gap) / number
    return [(left + k * (each + gap), y, left + k * (each + gap) + each, y + ROW) for k in range(number)]
