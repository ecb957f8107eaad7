"""Shifts of the rows of several pictures, in one array."""

from __future__ import annotations

import bisect
from dataclasses import dataclass

import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys.systems.arguments import whole_number


@dataclass(frozen=True, slots=True)
class RowShifts:
    """Horizontal shifts, in units, of the rows of n entities' pictures, entity after entity.

    Attributes
    ----------
    entities
        (n,) int64, sorted.
    values
        (rows of all,) float64.
    starts
        (n + 1,) int64: the rows of entity i are ``values[starts[i]:starts[i + 1]]``, the bottom one first.
    """

    entities: NDArray[int64]
    starts: NDArray[int64]
    values: NDArray[float64]

    def of(self, entity: int) -> NDArray[float64]:
        """The shifts of one entity's rows, bottom row first. Raises KeyError if it has none."""
        number = whole_number("entity", entity)
        found = bisect.bisect_left(self.entities, number)
        if found == self.entities.size or self.entities[found] != number:
            raise KeyError(f"entity {number} has no RasterWave, so no rows of it are shifted")
        return self.values[self.starts[found] : self.starts[found + 1]]


def expand(counts: NDArray[int64]) -> tuple[NDArray[int64], NDArray[int64], NDArray[int64]]:
    """For pictures of ``counts`` (n,) rows: starts (n + 1,), each row's picture, and each row's number within it."""
    starts = np.concatenate(([0], np.cumsum(counts)))
    picture = np.repeat(np.arange(counts.size), counts)
    return starts, picture, np.arange(starts[-1]) - starts[picture]


NO_SHIFTS = RowShifts(np.zeros(0, int64), np.zeros(1, int64), np.zeros(0))
