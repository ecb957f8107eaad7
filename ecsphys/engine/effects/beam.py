"""Beams between two points (D3, D4): a picture stretched from a start to an end.

With forward f = end − start the four corners are start ± side and end ± side. In proportion (D3) the side is f turned a
quarter, halved and multiplied by the picture's height over its width: no root, no trigonometry. At a fixed width
(D4) f is normalised first, and the side is the unit normal times half the width.
"""

from __future__ import annotations

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.effects.basis import quarter_turned, unit

Vectors = NDArray[float64]


def proportional_beams(starts: Vectors, ends: Vectors, proportion: NDArray[float64] | float = 1.0) -> Vectors:
    """Corners (n, 4, 2) of beams whose width is ``proportion`` times their length (D3).

    Corners lie in the order of a strip: start left, start right, end left, end right. A beam of length zero is a point.
    """
    side = quarter_turned(ends - starts) * (0.5 * np.asarray(proportion)[..., None])
    return _corners(starts, ends, side)


def fixed_beams(starts: Vectors, ends: Vectors, width: NDArray[float64] | float) -> Vectors:
    """Corners (n, 4, 2) of beams of a fixed ``width`` (D4), in the order of :func:`proportional_beams`.

    A beam of length zero has no direction: it is taken to point along +x, and its corners form a line across, of no
    area and without a NaN.
    """
    direction, _ = unit(ends - starts)
    side = quarter_turned(direction) * (0.5 * np.asarray(width)[..., None])
    return _corners(starts, ends, side)


def _corners(starts: Vectors, ends: Vectors, side: Vectors) -> Vectors:
    return np.stack((starts + side, starts - side, ends + side, ends - side), axis=-2)
