"""Where everything was when a step began: a bullet flies from there."""

from __future__ import annotations

import numpy as np
from numpy import float64
from numpy.typing import NDArray

from ecsphys.components.motion.transform import Transform
from ecsphys.systems.world.world_index import WorldIndex, rows_at


class StepStarts:
    """The block of Transform as it was at the beginning of the step, kept where there are bullets.

    ``poses`` (3, capacity) float64: x, y, angle in the rows of Transform.
    """

    __slots__ = ("_index", "poses")

    def __init__(self) -> None:
        self._index: WorldIndex | None = None
        self.poses: NDArray[float64] = np.zeros((3, 0))

    def record(self, index: WorldIndex) -> None:
        """A step begins."""
        self._index = None
        if not index.bullets[0].size:
            return
        self._index = index
        self._copy_rows()

    def _copy_rows(self) -> None:
        count, block = Transform._columns.high_water, Transform._columns.float64
        if self.poses.shape[1] < count:
            self.poses = np.empty_like(block)
        np.copyto(self.poses[:, :count], block[:, :count])

    def follow(self, index: WorldIndex) -> None:
        """Bring the poses to a later index of the step: whoever was not there at the beginning has not moved."""
        known = self._index
        if known is index:
            return
        self._index = index
        if known is None:
            self._copy_rows()
            return
        entities, rows = index.transforms
        new = rows[rows_at(entities, *known.transforms) != rows]
        if new.size:
            before, count = self.poses, Transform._columns.high_water
            if before.shape[1] < count:
                self.poses = np.empty_like(Transform._columns.float64)
                self.poses[:, : before.shape[1]] = before
            self.poses[:, new] = Transform._columns.float64[:, new]
