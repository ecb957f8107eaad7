"""What bullets touched on their way in a step: contacts without depth, for the narrowphase to make hits of."""

from __future__ import annotations

import numpy as np
from numpy import float64, int32
from numpy.typing import NDArray

from ecsphys.engine.hits.contact_table import SWEPT_COLUMNS
from ecsphys.engine.manifold.contact import CONTACT_COLUMNS


class SweptContacts:
    """Contacts as ``find_contacts`` writes them, lower body first, and when and how fast.

    ``pairs`` (n, 2) int32, slots; ``rows`` (n, 8) float64; ``times_and_speeds`` (n, 3) float64: the time
    in the step, in [0, 1], the approach speed at that time, and not 0 where a solver is to push the two apart.
    """

    __slots__ = ("pairs", "rows", "times_and_speeds")

    def __init__(self) -> None:
        self.clear()

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def is_any(self) -> bool:
        """Whether anything was touched."""
        return len(self.pairs) > 0

    def clear(self) -> None:
        """Nothing was touched."""
        self.pairs: NDArray[int32] = np.zeros((0, 2), int32)
        self.rows: NDArray[float64] = np.zeros((0, CONTACT_COLUMNS))
        self.times_and_speeds: NDArray[float64] = np.zeros((0, SWEPT_COLUMNS))

    def set(self, pairs: NDArray[int32], rows: NDArray[float64], times_and_speeds: NDArray[float64]) -> None:
        """Take on the contacts of a step."""
        self.pairs, self.rows, self.times_and_speeds = pairs, rows, times_and_speeds

    def keep(self, which: NDArray[np.bool_]) -> None:
        """Leave out all but some."""
        if not which.all():
            self.pairs = self.pairs[which]
            self.rows = self.rows[which]
            self.times_and_speeds = self.times_and_speeds[which]

    def copy_to(self, pairs: NDArray[int32], rows: NDArray[float64]) -> int:
        """Write the contacts to the beginning of two longer arrays; returns how many there are."""
        count = len(self)
        if count:
            pairs[:count] = self.pairs
            rows[:count] = self.rows
        return count
