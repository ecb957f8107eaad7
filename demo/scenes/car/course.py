"""The way of the car as plain geometry, and questions about it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from ecsphys.demo.scenes.sketch import Points


@dataclass(frozen=True)
class Span:
    """A bridge: from where to where, how high its ends are, and whether it breaks."""

    left: float
    right: float
    height: float
    is_rotten: bool


@dataclass(frozen=True)
class Site:
    """A place on the ground for something to stand on, and its kind."""

    x: float
    y: float
    kind: str


@dataclass(frozen=True)
class Course:
    """The ground from left to right, and what belongs on it.

    ``lines`` are the ground, each from one gorge to the next. ``start`` and ``end`` are the ends of the way, before
    which the cliffs stand.
    """

    lines: list[Points]
    spans: list[Span]
    sites: list[Site]
    start: float
    end: float
    _all: Points = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_all", np.concatenate(self.lines))

    @property
    def left(self) -> float:
        """Where the ground begins, behind the first cliff."""
        return float(self._all[0, 0])

    @property
    def right(self) -> float:
        """Where it ends."""
        return float(self._all[-1, 0])

    @property
    def bottom(self) -> float:
        """The height of its lowest point."""
        return float(self._all[:, 1].min())

    @property
    def top(self) -> float:
        """The height of its highest point, on a cliff."""
        return float(self._all[:, 1].max())

    def height(self, x: float) -> float:
        """The height of the ground at x; over a gorge, of a straight line between its banks."""
        return float(np.interp(x, self._all[:, 0], self._all[:, 1]))

    def slope(self, x: float) -> float:
        """The angle of the ground at x, over the length of a car."""
        return math.atan2(self.height(x + 1.4) - self.height(x - 1.4), 2.8)

    def highest(self, left: float, right: float) -> float:
        """The height of the highest ground from ``left`` to ``right``."""
        within = self._all[(self._all[:, 0] > left) & (self._all[:, 0] < right), 1]
        return float(np.max(within, initial=max(self.height(left), self.height(right))))

    def line_at(self, x: float) -> int:
        """The number of the line that x lies in."""
        return next(number for number, line in enumerate(self.lines) if line[0, 0] <= x <= line[-1, 0])

    def is_ground(self, x: float) -> bool:
        """Whether there is ground at x, and no gorge."""
        return any(line[0, 0] < x < line[-1, 0] for line in self.lines)

    def gorges(self) -> list[tuple[Points, Points]]:
        """The last point before each gorge, and the first one behind it."""
        return [(a[-1], b[0]) for a, b in zip(self.lines, self.lines[1:], strict=False)]
