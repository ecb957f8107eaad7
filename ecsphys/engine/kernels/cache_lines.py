"""Arrays whose rows lie in as few cache lines as they can."""

from __future__ import annotations

import numpy as np
from numpy import float64
from numpy.typing import NDArray

_CACHE_LINE = 64


def aligned_zeros(rows: int, columns: int) -> NDArray[float64]:
    """Zeros of shape (rows, columns) that begin with a cache line: no row of 4 or 8 numbers is in one more than needed.

    numpy itself begins 16 bytes off, so that every row of 64 bytes, read at random, would cost two lines.
    """
    spare = _CACHE_LINE // 8
    block = np.zeros(rows * columns + spare)
    start = (-block.ctypes.data % _CACHE_LINE) // 8
    return block[start : start + rows * columns].reshape(rows, columns)
