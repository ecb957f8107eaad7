"""Kept buffers: how large they are, and where they begin.

A buffer grows at once, and shrinks after a while in which little of it was used."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.engine.kernels.bundles import Bundle, layouts_of

# No buffer shrinks below this many rows: there would be nothing to gain.
_LEAST_ROWS = 1024

# A buffer shrinks after so many fillings in a row that used less than a quarter of it.
_PATIENCE = 60


def grown(needed: int) -> int:
    """The capacity for a need that may grow."""
    return needed + needed // 8 + 64


class Capacity:
    """Chooses the capacity of one kept buffer, or of several of one length, from what each filling needs.

    It knows only the history; how much is held is the length of the buffer itself, so that the two cannot disagree.
    Choose before anything is written, once a filling, and allocate everything before the first buffer is replaced.

    Parameters
    ----------
    patience
        It shrinks after so many fillings in a row that used less than a quarter of it; 1 for a buffer that is
        filled only when the world changes.
    """

    __slots__ = ("_most", "_patience", "_sparse")

    def __init__(self, patience: int = _PATIENCE) -> None:
        self._patience = patience
        self._sparse = 0
        self._most = 0

    def choose(self, needed: int, held: int) -> int:
        """The capacity for a filling of ``needed`` rows; where it is not ``held``, replace the buffer."""
        if needed > held:
            self._sparse = self._most = 0
            return grown(needed)
        if held <= _LEAST_ROWS or 4 * needed >= held:
            self._sparse = self._most = 0
            return held
        self._sparse += 1
        self._most = max(self._most, needed)
        if self._sparse < self._patience:
            return held
        most = self._most
        self._sparse = self._most = 0
        return max(grown(most), _LEAST_ROWS)


_CACHE_LINE = 64


def aligned_zeros(rows: int, columns: int) -> NDArray[float64]:
    """Zeros of shape (rows, columns) that begin with a cache line: no row of 4 or 8 numbers is in one more than needed.

    numpy itself begins 16 bytes off, so that every row of 64 bytes, read at random, would cost two lines.
    """
    spare = _CACHE_LINE // 8
    block = np.zeros(rows * columns + spare)
    start = (-block.ctypes.data % _CACHE_LINE) // 8
    return block[start : start + rows * columns].reshape(rows, columns)


def zeros_of(bundle: type[Bundle], *shapes: int | tuple[int, ...]) -> Bundle:
    """A bundle of arrays of zeros, which have these shapes. Rows and blocks of floats begin with a cache line."""
    arrays: list[NDArray[Any]] = []
    for (_, layout), shape in zip(layouts_of(bundle), shapes, strict=True):
        assert layout is not None
        if isinstance(shape, tuple) and np.dtype(layout.dtype).kind == "f":
            count, size = math.prod(shape), np.dtype(layout.dtype).itemsize
            numbers = aligned_zeros(1, (count * size + 7) // 8).reshape(-1).view(layout.dtype)[:count]
            arrays.append(numbers.reshape(shape))
        else:
            arrays.append(np.zeros(shape, layout.dtype))
    return bundle(*arrays)
