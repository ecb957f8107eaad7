"""How the slingshot looks: its fork behind and before the ball, the bands, the dots of the aim, and a hint."""

from __future__ import annotations

import math

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.demo.scenes.board import Pair
from ecsphys.demo.scenes.landscape import dusk
from ecsphys.demo.scenes.rigid.tint import hue
from ecsphys.demo.scenes.sketch import Color, Sketch
from ecsphys.demo.scenes.yard.slingshot import FOOT, RADIUS, REST, Slingshot

_CROTCH: Pair = (REST[0], REST[1] - 1.7)
_FAR_TIP: Pair = (REST[0] + 0.75, REST[1] + 0.35)
_NEAR_TIP: Pair = (REST[0] - 0.75, REST[1] + 0.25)
_BAND, _BAND_DARK = hue(0xD8405A), hue(0x7E2440)
_LIGHT: Color = hue(0xFFF4DF)
_WOBBLE_SECONDS = 0.7
_HINT_SECONDS = 1.6
_DOTS_APART = 2
"""Every so many dots of the prediction are drawn."""


class SlingPicture:
    """Paints one slingshot, the far parts before the ball is drawn, and the near ones after it."""

    def __init__(self, sling: Slingshot) -> None:
        self.sling = sling
        self._time = 0.0

    def advance(self, seconds: float) -> None:
        """Let the hint move."""
        self._time += seconds

    def paint_far(self, sketch: Sketch) -> None:
        """The far arm of the fork with its band, and the dots of the aim."""
        _wood(sketch, [(_CROTCH, _FAR_TIP)], 0.42)
        self._paint_band(sketch, _FAR_TIP, _BAND_DARK)
        self._paint_aim(sketch)

    def paint_near(self, sketch: Sketch) -> None:
        """The trunk, the near arm and its band, and the hint before the first shot."""
        self._paint_band(sketch, _NEAR_TIP, _BAND)
        _wood(sketch, [(FOOT, _CROTCH), (_CROTCH, _NEAR_TIP)], 0.5)
        grip = np.array([(_CROTCH[0] - 0.2, _CROTCH[1] - 0.15 - 0.16 * turn) for turn in range(3)])
        sketch.strokes(grip, np.add(grip, (0.4, 0.06)), 0.1 / sketch.pixel, _BAND_DARK)
        if self.sling.shots == 0 and not self.sling.is_pulled:
            self._paint_hint(sketch)

    def _paint_band(self, sketch: Sketch, tip: Pair, color: Color) -> None:
        """From a tip of the fork round the ball; after a shot it swings out."""
        sling = self.sling
        x, y = sling.pouch
        if sling.ball is None:
            left = max(1.0 - sling.since_release / _WOBBLE_SECONDS, 0.0)
            x, y = x + 1.3 * left * left * math.cos(30.0 * sling.since_release), y - 0.25 * left
        away = math.atan2(y - REST[1], x - REST[0]) if sling.stretch > 0.02 else -0.5 * math.pi
        around = RADIUS if sling.ball is not None else 0.15
        end = x + around * math.cos(away), y + around * math.sin(away)
        width = (0.26 - 0.1 * sling.stretch) / sketch.pixel
        sketch.strokes(np.array([tip]), np.array([end]), width, color)
        tie = np.array([(tip[0] - 0.12, tip[1] - 0.1)])
        sketch.strokes(tie, np.add(tie, (0.24, 0.0)), 0.22 / sketch.pixel, color)

    def _paint_aim(self, sketch: Sketch) -> None:
        """Dots along the flight, smaller with time, and a ring where it ends."""
        line = self.sling.line
        if len(line) < 2:
            return
        dots = line[_DOTS_APART:-1:_DOTS_APART]
        part: NDArray[float64] = np.linspace(0.0, 1.0, len(dots))
        radius = np.asarray(np.maximum(0.26 - 0.15 * part, 2.2 * sketch.pixel), float64)
        sketch.circles(dots, radius + 1.5 * sketch.pixel, dusk.INK, 0.35 * (1.0 - 0.5 * part))
        sketch.circles(dots, radius, _LIGHT, 0.95 - 0.45 * part)
        sketch.circles(line[-1:], RADIUS, _LIGHT, 0.85, line=2.0)

    def _paint_hint(self, sketch: Sketch) -> None:
        """A ghost of the ball that is pulled back again and again, with an arrow."""
        part = self._time / _HINT_SECONDS % 1.0
        pull = min(part / 0.7, 1.0)
        pull = pull * pull * (3.0 - 2.0 * pull)
        alpha = min(part / 0.15, (1.0 - part) / 0.2, 1.0)
        start, way = np.array([REST]), np.array([(-3.6, -1.5)])
        along = np.linspace(0.28, 1.0, 7)[:, None]
        places: NDArray[float64] = start + along * way
        sketch.circles(places[:-1], 0.1, _LIGHT, np.where(along[:-1, 0] < pull, 0.55, 0.0))
        sketch.circles(start + pull * way, RADIUS, _LIGHT, 0.28 * alpha)
        sketch.circles(start + pull * way, RADIUS, _LIGHT, 0.9 * alpha, line=2.0)


def _wood(sketch: Sketch, pieces: list[tuple[Pair, Pair]], width: float) -> None:
    """Round beams with a dark edge and a light side, ``width`` in units."""
    starts, ends = (np.array(column) for column in zip(*pieces, strict=True))
    sketch.strokes(starts, ends, (width + 0.12) / sketch.pixel, dusk.INK)
    sketch.strokes(starts, ends, width / sketch.pixel, dusk.WOOD)
    shift = (0.22 * width, 0.03)
    sketch.strokes(starts + shift, ends + shift, 0.3 * width / sketch.pixel, dusk.WOOD_LIGHT, 0.8)
