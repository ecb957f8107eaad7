"""A course by lot: hills, with bridges, jumps, seesaws and stacks between them."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.demo.scenes.car.course import Course, Site, Span
from ecsphys.demo.scenes.sketch import Points

STEEPEST = 0.45
"""Rise per unit of the steepest ground between the cliffs: a car gets up there."""
_STEP = 0.5
"""Units between two points of the ground."""
_CLIFF_HEIGHT, _CLIFF_WIDTH, _PLATEAU = 16.0, 1.5, 40.0
"""Of the cliffs at both ends, and the width of the ground above them."""
_BANK = 5.0
"""Flat ground before and behind an obstacle."""
_RUN_OUT = 8.0
"""Flat ground before a gorge, so that a car comes down from a hill before it."""
_EDGE = 1.6
"""Width and height of the sloped edge of a gorge."""
_START, _RUN_UP = -8.0, 18.0
_BUMP, _BUMP_HEIGHT = 3.6, 0.42


class CourseLayer:
    """Lays ground piece by piece, from left to right.

    Each piece begins and ends level, so that the ground is smooth where two meet.
    """

    def __init__(self) -> None:
        self.lines: list[Points] = []
        self.spans: list[Span] = []
        self.sites: list[Site] = []
        edge = _START - _CLIFF_WIDTH
        self._line = [(edge - _PLATEAU, _CLIFF_HEIGHT), (edge, _CLIFF_HEIGHT), (_START, 0.0)]

    def finish(self) -> Course:
        """End with a cliff."""
        end, y = self._line[-1]
        right, top = end + _CLIFF_WIDTH, y + _CLIFF_HEIGHT
        self._line += [(right, top), (right + _PLATEAU, top)]
        self._end_line()
        return Course(self.lines, self.spans, self.sites, _START, end)

    def _end_line(self) -> None:
        self.lines.append(np.array(self._line))
        self._line = []

    def _go(self, length: float, rise: Callable[[NDArray[float64]], NDArray[float64]]) -> float:
        """Ground over a ``length``, as high above its beginning as ``rise`` says; where it began."""
        x, y = self._line[-1]
        along = np.linspace(0.0, length, max(round(length / _STEP), 1) + 1)[1:]
        self._line += zip((x + along).tolist(), (y + rise(along)).tolist(), strict=True)
        return x

    def flat(self, length: float) -> None:
        """Level ground."""
        self._go(length, np.zeros_like)

    def hills(self, length: float, rng: np.random.Generator) -> None:
        """Three waves by lot, and a rise or fall over all of it, as steep as a motor climbs."""
        waves = rng.uniform((0.16, 0.5, 0.0), (0.55, 1.0, math.tau), (3, 3))
        climb = float(rng.uniform(-2.0, 2.0)) - 0.25 * self._line[-1][1]

        def rise(along: NDArray[float64]) -> NDArray[float64]:
            part = along / length
            window = np.sin(math.pi * part) ** 2
            height = climb * part**2 * (3.0 - 2.0 * part)
            for wave, share, phase in waves:
                height += window * share / wave * 0.5 * np.sin(wave * along + phase)
            steepest = np.abs(np.diff(height, prepend=0.0)).max() / (along[1] - along[0])
            return np.asarray(height * min(1.0, STEEPEST / steepest))

        self._go(length, rise)

    def bridge(self, width: float) -> None:
        """A gorge with a bridge over it. Its edges are sloped, so that a car that makes the bridge sag gets out."""
        self.flat(_RUN_OUT)
        x, y = self._line[-1]
        self._line.append((x + _EDGE, y - _EDGE))
        self._end_line()
        self._line = [(x + width - _EDGE, y - _EDGE), (x + width, y)]
        self.spans.append(Span(x, x + width, y, False))
        self.flat(_BANK)

    def rotten_bridge(self, width: float) -> None:
        """A bridge that breaks, over a hollow through which a car can drive."""
        self.flat(_BANK)
        y = self._line[-1][1]
        depth = STEEPEST * width / math.pi
        x = self._go(width, lambda along: -depth * np.sin(math.pi / width * along))
        self.spans.append(Span(x, x + width, y, True))
        self.flat(_BANK)

    def jump(self, height: float) -> None:
        """A ramp that ends in an edge, and the slope to land on."""
        length = 2.0 * height / STEEPEST
        self.flat(_BANK)
        self._go(length, lambda along: height * (along / length) ** 2)
        down = 0.5 * math.pi * height / STEEPEST * 1.3
        self._go(down, lambda along: -0.5 * height * (1.0 - np.cos(math.pi / down * along)))
        self.flat(_BANK)

    def bumps(self, count: int) -> None:
        """Round bumps, one wave each."""
        self._go(_BUMP * count, lambda along: 0.5 * _BUMP_HEIGHT * (1.0 - np.cos(math.tau / _BUMP * along)))

    def site(self, kind: str) -> None:
        """Flat ground with something on it."""
        self.flat(_BANK)
        self.sites.append(Site(*self._line[-1], kind))
        self.flat(_BANK)


def lay_course(rng: np.random.Generator) -> Course:
    """A course by lot: everything comes once or twice, in an order of its own, with hills between."""
    course = CourseLayer()
    course.flat(_RUN_UP)
    pieces: list[Callable[[], None]] = [
        *(partial(course.bridge, width) for width in (12.0, 16.0)),
        *(partial(course.rotten_bridge, width) for width in (14.0, 18.0)),
        *(partial(course.jump, height) for height in (1.6, 2.2)),
        partial(course.bumps, 5),
        *(partial(course.site, kind) for kind in ("seesaw", "seesaw", "wall", "pyramid", "tower", "barrels")),
    ]
    course.hills(20.0, rng)
    for number in rng.permutation(len(pieces)).tolist():
        pieces[number]()
        course.hills(float(rng.uniform(18.0, 32.0)), rng)
    course.site("castle")
    course.flat(14.0)
    return course.finish()
