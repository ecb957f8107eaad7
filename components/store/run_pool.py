"""Runs of points in one array, for components whose size varies."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys.components.store.standing_blocks import REPLACEMENTS, fork_safe_lock
from ecsphys.engine.kernels.cache_lines import aligned_zeros

_FIRST_CAPACITY: Final = 256


class RunPool:
    """Runs of points in ``data``, float64 of shape (capacity, columns); the first two columns are x and y.

    ``data`` is replaced when it grows, so read the attribute again every frame. A run that is given back serves the
    next component with as many points. ``high_water`` is the end of the last run, ``changes`` counts the writes. Any
    thread may create components: all that changes the pool holds one lock, except giving back, which is a single call.
    """

    __slots__ = ("_free", "_lock", "changes", "data", "high_water")

    def __init__(self, columns: int) -> None:
        self.data: NDArray[float64] = aligned_zeros(_FIRST_CAPACITY, columns)
        self.high_water = self.changes = 0
        # Finalisers append to these lists at any point: they are never replaced.
        self._free: dict[int, list[int]] = {}
        self._lock = fork_safe_lock()

    def rows_of(self, count: int) -> int:
        """The rows of a run of ``count`` points."""
        return count

    def allocate(self, count: int) -> int:
        """The start of a run of ``count`` points."""
        with self._lock:
            free = self._free.setdefault(count, [])
            if free:
                return free.pop()
            start, capacity = self.high_water, len(self.data)
            end = start + self.rows_of(count)
            if end > capacity:
                grown = aligned_zeros(max(end, capacity + capacity // 4) + _FIRST_CAPACITY, self.data.shape[1])
                grown[:capacity] = self.data
                self.data = grown
                REPLACEMENTS.made += 1
            self.high_water = end
            return start

    def release(self, start: int, count: int) -> None:
        """Take a run back; a count of 0 is no run."""
        if count:
            self._free[count].append(start)

    def put(self, start: int, rows: NDArray[float64] | list[tuple[float, ...]]) -> None:
        """Write the rows (k, columns) of a run, as they are in :attr:`data`."""
        with self._lock:
            self.data[start : start + len(rows)] = rows
            self.changes += 1

    def put_many(self, starts: NDArray[int64], rows: NDArray[float64]) -> None:
        """Write rows (k, columns) to all of some runs (n,), or rows (n, k, columns) to one each."""
        with self._lock:
            self.data[starts[:, None] + np.arange(rows.shape[-2])] = rows
            self.changes += 1

    def read(self, start: int, count: int) -> tuple[tuple[float, float], ...]:
        """The points of a run."""
        x, y = self.data[start : start + count, :2].T.tolist()
        return tuple(zip(x, y, strict=True))
