"""``WAYPOINT_POOL``: the points of all paths in one array."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Final

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.components.store.fork_safe_lock import fork_safe_lock
from ecsphys.components.store.standing_blocks import REPLACEMENTS
from ecsphys.engine.math.elementary import hypot
from ecsphys.engine.motion.waypoints import WAYPOINT_COLUMNS, X, Y

_FIRST_CAPACITY: Final = 64
_LOCK: Final = fork_safe_lock()

Points = Sequence[tuple[float, float]]


class WaypointPool:
    """Runs of points in ``data``, float64 of shape (capacity, 3): x, y, and the length of the path up to the point.

    ``data`` is replaced when it grows, so read the attribute again in every step. A run that is given back serves the
    next path with as many points. Any thread may create paths; systems only read.
    """

    __slots__ = ("_free", "data", "high_water")

    def __init__(self) -> None:
        self.data: NDArray[float64] = np.zeros((_FIRST_CAPACITY, WAYPOINT_COLUMNS))
        self.high_water = 0
        # Finalisers append to these lists at any point.
        self._free: dict[int, list[int]] = {}

    def store(self, points: Points) -> int:
        """The start of a new run with some points."""
        lengths = [hypot(after[0] - before[0], after[1] - before[1]) for before, after in pairwise(points)]
        rows = [(x, y, along) for (x, y), along in zip(points, accumulate(lengths, initial=0.0), strict=True)]
        start = self.allocate(len(points))
        self.put(start, np.array(rows))
        return start

    def allocate(self, count: int) -> int:
        """The start of a new run for so many points."""
        with _LOCK:
            free = self._free.setdefault(count, [])
            return free.pop() if free else self._allocate_fresh(count)

    def put(self, start: int, run: NDArray[float64]) -> None:
        """Write what :attr:`data` is to have in a run."""
        with _LOCK:
            self.data[start : start + len(run)] = run

    def _allocate_fresh(self, count: int) -> int:
        start = self.high_water
        if start + count > len(self.data):
            grown = np.zeros((2 * len(self.data) + count, WAYPOINT_COLUMNS))
            grown[:start] = self.data[:start]
            self.data = grown
            REPLACEMENTS.made += 1
        self.high_water = start + count
        return start

    def release(self, start: int, count: int) -> None:
        """Take a run back; a count of 0 is no run."""
        if count:
            self._free[count].append(start)

    def read(self, start: int, count: int) -> tuple[tuple[float, float], ...]:
        """The points of a run."""
        run = self.data[start : start + count]
        return tuple(zip(run[:, X].tolist(), run[:, Y].tolist(), strict=True))


WAYPOINT_POOL: Final = WaypointPool()
