"""Pictures drawn row by row, each row shifted by itself: waves and a floor with depth (B6, B7)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.math.elementwise import cos_sin_of

Reals = float | NDArray[Any]


def wave_shift(amplitude: Reals, period: Reals, wavelength: Reals, time: Reals, y: Reals) -> NDArray[float64]:
    """A·sin(2π(t/T − y/λ)), for numbers or arrays that broadcast. Row B6."""
    turns = np.subtract(np.divide(time, period), np.divide(y, wavelength))
    # Whole turns are taken off, which is exact, so that the sine stays precise however long the wave has run.
    return np.asarray(np.multiply(amplitude, cos_sin_of(math.tau * (turns - np.rint(turns)))[1]))


def floor_widths(near_width: Reals, far_width: Reals, row: Reals, row_count: Reals) -> NDArray[float64]:
    """Width w of a floor's row: near at row 0, far at the last, linear between; arrays that broadcast. Row B7."""
    part = np.divide(row, np.maximum(np.subtract(row_count, 1.0), 1.0))
    return np.asarray(near_width + part * np.subtract(far_width, near_width))


def floor_shift(base: Reals, view: Reals, near_width: Reals, width: Reals) -> NDArray[float64]:
    """How far a floor's row is shifted: base·(w − V)/(w_bottom − V) − left, with left = (w_bottom − w)/2. Row B7.

    ``base`` is the bottom row's x in [V − w_bottom, 0], ``near_width`` w_bottom, ``width`` w >= V. The row's pixels lie
    in the picture from ``left`` to left + w, so drawn with this shift the row begins at base·(w − V)/(w_bottom − V) on
    the screen: the place of a layer as wide as the row (B2). A row narrower than the view stands in its middle, and so
    does everything where w_bottom = V.
    """
    spare = np.subtract(near_width, view)
    centred = (spare == 0.0) | np.less(width, view)
    scrolled = np.multiply(base, np.subtract(width, view)) / np.where(spare == 0.0, 1.0, spare)
    begin = np.where(centred, 0.5 * np.subtract(view, width), scrolled)
    return np.asarray(begin - 0.5 * np.subtract(near_width, width))
