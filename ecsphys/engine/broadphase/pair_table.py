"""Where searches write the pairs that they find: a table that grows with them, up to a limit.

**The spare row.** A search writes each pair that it compares to the row behind those it has found, before it knows
whether it is one: a branch that cannot be predicted would cost more. So behind the pairs there is always one row more.
:func:`fits` alone says how many pairs a table holds, to the kernels and to :class:`PairTable`.

**The limit.** A thousand bodies in one place are half a million pairs, ten thousand are fifty million, with hundreds of
bytes for each. A search that has found more than MOST_PAIRS gives up at once: no game wants so many.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy import float64, int32, int64
from numpy.typing import NDArray

from ecsphys.engine.kernels import Capacity, scalar
from ecsphys.engine.shapes.layout import OF_A, OF_B

# 2,896 colliders in one place, or 100,000 with 83 neighbours each. With their contacts and hits, about two gigabytes.
MOST_PAIRS = 1 << 22

_FIRST_ROWS = 1024


@scalar
def is_too_many(found: int) -> bool:
    """Whether a search gives up. It may ask now and then only: pairs until then are counted, and not stored."""
    return found > MOST_PAIRS


@scalar
def fits(pairs: NDArray[int32], found: int) -> bool:
    """Whether a table holds all pairs that were found, and so has not lost any to its spare row."""
    return found < pairs.shape[0] and not is_too_many(found)


@scalar
def keep_of_two_bodies(bodies: NDArray[int64], pairs: NDArray[int32], first: int, found: int) -> int:
    """Of the pairs from row ``first`` to ``found`` − 1, which all fit, keep the pairs of two bodies, the lower body
    first; returns how many rows there are then."""
    count = first
    for k in range(first, found):
        a = pairs[k, OF_A]
        b = pairs[k, OF_B]
        in_order = bodies[a] < bodies[b]
        pairs[count, OF_A] = a if in_order else b
        pairs[count, OF_B] = b if in_order else a
        count += bodies[a] != bodies[b]
    return count


class TooManyPairsError(RuntimeError):
    """There are more pairs than MOST_PAIRS."""


class PairTable:
    """A table of pairs (n, 2) int32 that is kept from search to search, and grows and shrinks with the number of
    pairs."""

    __slots__ = ("_capacity", "rows")

    def __init__(self) -> None:
        self._capacity = Capacity()
        self.rows: NDArray[int32] = np.empty((_FIRST_ROWS, 2), int32)
        """All rows, used or not."""

    def fill(self, search: Callable[..., int], *arguments: Any, first: int = 0) -> NDArray[int32]:
        """The pairs that ``search`` writes to the table, its last argument; a view, valid until the next call.

        ``search`` returns how many there are then; the ``first`` are there already and stay. Where they do not fit,
        it is called once more, with a larger table. TooManyPairsError beyond the limit.
        """
        found = search(*arguments, self.rows)
        while not fits(self.rows, found):
            if is_too_many(found):
                raise TooManyPairsError(f"more than {MOST_PAIRS:,} pairs of boxes overlap")
            self._resize(self._capacity.choose(found + 1, len(self.rows)), first)
            found = search(*arguments, self.rows)
        if len(self.rows) > _FIRST_ROWS:
            self._resize(self._capacity.choose(found + 1, len(self.rows)), found)
        return self.rows[:found]

    def _resize(self, rows: int, kept: int) -> None:
        """Replace the table by another with the same beginning."""
        if rows != len(self.rows):
            table = np.empty((rows, 2), int32)
            table[:kept] = self.rows[:kept]
            self.rows = table


# Boxes that are compared with all others: some of the fullest cell, and some from all over.
_FROM_CELL, _FROM_ALL = 32, 96


def find_crowd(askers: NDArray[float64], boxes: NDArray[float64]) -> tuple[int, int]:
    """The row of one of ``askers`` (k, 4), k > 0, that overlaps as many of ``boxes`` (n, 4) as any, and how many.

    Near enough for a message: it is the best of some in the cell with the most centres, and of some others.
    """
    everywhere = np.linspace(0, len(askers) - 1, min(_FROM_ALL, len(askers))).astype(int64)
    best, most = 0, -1
    for row in np.concatenate((_in_fullest_cell(askers)[:_FROM_CELL], everywhere)).tolist():
        min_x, min_y, max_x, max_y = askers[row].tolist()
        meets = (boxes[:, 0] <= max_x) & (min_x <= boxes[:, 2]) & (boxes[:, 1] <= max_y) & (min_y <= boxes[:, 3])
        count = int(np.count_nonzero(meets))
        if count > most:
            best, most = row, count
    return best, most


def _in_fullest_cell(boxes: NDArray[float64]) -> NDArray[int64]:
    """The rows with their centres in the fullest cell of a grid as wide as half of the boxes at most."""
    with np.errstate(all="ignore"):
        width = np.median(np.maximum(boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]))
        cells = np.floor((0.5 * boxes[:, :2] + 0.5 * boxes[:, 2:]) / (width if 0.0 < width < np.inf else 1.0))
    _, which, counts = np.unique(cells, axis=0, return_inverse=True, return_counts=True)
    return np.flatnonzero(which.ravel() == counts.argmax())
