"""Where some entities have been lately."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys import Transform
from ecsphys.demo.scenes.cached_join import CachedJoin


class Trails:
    """The last ``length`` positions of some entities, which must all stay in the world.

    A jump of more than ``jump`` units between two steps is no motion but a fresh start: the trail is cut there.
    """

    def __init__(self, entities: Sequence[int], length: int = 90, jump: float = 1.0) -> None:
        self._entities: NDArray[int64] = np.array(sorted(entities), int64)
        self._jump = jump
        self._placed = CachedJoin(Transform)
        # Newest first; NaN where nothing has been recorded, or at a cut.
        self._points: NDArray[float64] = np.full((length, len(entities), 2), np.nan)

    def record(self) -> None:
        """Take down the current positions."""
        entities, rows = self._placed()
        own = rows[np.searchsorted(entities, self._entities)]
        now = np.column_stack([Transform.column(name, writable=False)[own] for name in ("x", "y")])
        jumped = np.hypot(*(now - self._points[0]).T) > self._jump
        self._points[1:] = self._points[:-1]
        self._points[0] = now
        self._points[1:, jumped] = np.nan

    def segments(self) -> tuple[NDArray[float64], NDArray[float64], NDArray[float64]]:
        """Starts (n, 2), ends (n, 2) and age (n,) from 0, newest, to 1 of the trails' segments."""
        length, count, _ = self._points.shape
        starts = self._points[:-1].reshape(-1, 2)
        ends = self._points[1:].reshape(-1, 2)
        age = np.repeat(np.arange(length - 1) / (length - 1), count)
        drawn = ~np.isnan(starts[:, 0] + ends[:, 0])
        return starts[drawn], ends[drawn], age[drawn]
