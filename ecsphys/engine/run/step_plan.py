"""``StepPlan``: the words of a plan, and the named objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from ecsphys.engine.kernels import address_of, are_same
from ecsphys.engine.kernels.kernel_calls import record_call
from ecsphys.engine.run.plan_layout import FIRST_CALL, PLACES, SELF


class StepPlan:
    """What ``run_plans`` takes: numbers and recorded calls.

    Attributes
    ----------
    words
        (n,) int64, see :mod:`ecsphys.engine.run.plan_layout`.
    row, row_address
        (1, 2) int64, the address and the length of the words, and where this array is.
    """

    def __init__(self) -> None:
        self.words: NDArray[int64] = np.zeros(PLACES.end, int64)
        self.words[SELF] = address_of(self.words)
        self.row = np.array([(self.words[SELF], len(self.words))], int64)
        self.row_address = address_of(self.row)
        self._numbers = self.words.data
        # The named objects, by the places of the words: they live as long as these.
        self._calls: dict[int, tuple[Any, ...]] = {}
        self._arrays: dict[int, NDArray[Any]] = {}

    def begin(self) -> None:
        """Begin to write: all numbers are 0, and the calls stay."""
        self.words[SELF + 1 : FIRST_CALL] = 0

    def put(self, place: int, number: float) -> None:
        """Set a number, a whole one or a bool."""
        self._numbers[place] = int(number)

    def note_array(self, place: int, array: NDArray[Any]) -> None:
        """Note where a one-dimensional array is."""
        self._arrays[place] = array
        self._numbers[place], self._numbers[place + 1] = address_of(array), len(array)

    def record(self, kernel: Callable[..., Any], arguments: tuple[Any, ...], number: int = 0) -> None:
        """Record the call of a kernel with some arguments; ``number``: which of its calls."""
        first = PLACES.first[kernel.__name__] + number * PLACES.size[kernel.__name__]
        known = self._calls.get(first)
        if known is None or not are_same(known, arguments):
            record_call(kernel, arguments, self.words, first)
            self._calls[first] = arguments
