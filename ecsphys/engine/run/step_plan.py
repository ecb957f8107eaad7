"""``StepPlan``: the words of a plan, and what they name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from ecsphys.engine.kernels.bundles import address_of
from ecsphys.engine.run.plan_layout import CALL_OF_LOADS, CLASSES, PLACES, SELF
from ecsphys.engine.run.recorded_calls import record_call

# Room for the joints of so many classes.
_FIRST_CLASSES = 8


class StepPlan:
    """What ``run_plan`` takes: numbers and recorded calls.

    Attributes
    ----------
    words
        (n,) int64, see :mod:`ecsphys.engine.run.plan_layout`.
    """

    def __init__(self) -> None:
        self.words: NDArray[int64] = np.zeros(PLACES.end + _FIRST_CLASSES * CALL_OF_LOADS, int64)
        self.words[SELF] = address_of(self.words)
        # What the words name lives as long as they.
        self._kept: list[Any] = []

    def put(self, place: int, number: float) -> None:
        """Set a number, a whole one or a bool."""
        self.words[place] = int(number)

    def note_array(self, place: int, array: NDArray[Any]) -> None:
        """Note where a one-dimensional array is."""
        self.words[place], self.words[place + 1] = address_of(array), len(array)
        self._kept.append(array)

    def record(self, kernel: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        """Record the call of a kernel that a step calls once."""
        self._kept.append(record_call(self.words, PLACES.first[kernel.__name__], kernel, arguments))

    def add(self, kernel: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        """Record one more call of ``hand_out_loads``."""
        count = int(self.words[CLASSES])
        first = PLACES.first[kernel.__name__] + count * CALL_OF_LOADS
        self._kept.append(record_call(self.words, first, kernel, arguments))
        self.words[CLASSES] = count + 1
