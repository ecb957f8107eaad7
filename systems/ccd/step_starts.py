"""Where everything was when a step began: a bullet flies from there."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys.components.motion.transform import Transform
from ecsphys.engine.tables.entity_rows import BULLET, TRANSFORM
from ecsphys.systems.world.world_tables import WorldTables


class StepStarts:
    """The block of Transform as it was at the beginning of the step, kept while bullets fly.

    ``poses`` (3, capacity) float64: x, y, angle in the rows of Transform.
    """

    __slots__ = ("_revision", "_tables", "poses")

    def __init__(self, tables: WorldTables) -> None:
        self._tables = tables
        self._revision = -1
        self.poses: NDArray[float64] = np.zeros((3, 0))

    def record(self, may_fly: Callable[[], bool]) -> None:
        """A step begins, in which bullets may fly if ``may_fly()``."""
        self._revision = -1
        if self._tables.entities.having(BULLET).size and may_fly():
            self._copy_all()

    @property
    def is_recorded(self) -> bool:
        """Whether the poses are those at the beginning of this step."""
        return self._revision >= 0

    def forget(self) -> None:
        """No step has begun."""
        self._revision = -1

    def shift(self, rows: NDArray[int64], shift: NDArray[float64]) -> None:
        """Some rows of Transform were put elsewhere in this step, by (2, n), and did not move there."""
        if self._revision >= 0:
            known = rows < self.poses.shape[1]
            self.poses[:2, rows[known]] += shift[:, known]

    def follow(self) -> None:
        """Update the poses for the present entities: entities that are newer than the step have not moved."""
        if self._revision == self._tables.revision:
            return
        if self._revision < 0:
            self._copy_all()
            return
        entities = self._tables.entities
        came = entities.placed_since[: entities.used] > self._revision
        rows = entities.rows_of(TRANSFORM)[: entities.used]
        new = rows[came & (rows >= 0)]
        if new.size:
            before, count = self.poses, Transform._columns.high_water
            if before.shape[1] < count:
                self.poses = np.empty_like(Transform._columns.float64)
                self.poses[:, : before.shape[1]] = before
            self.poses[:, new] = Transform._columns.float64[:, new]
        self._revision = self._tables.revision

    def room(self) -> NDArray[float64]:
        """The poses, with room for all rows of Transform, to be written."""
        self._revision = -1
        if self.poses.shape[1] < Transform._columns.high_water:
            self.poses = np.empty_like(Transform._columns.float64)
        return self.poses

    def _copy_all(self) -> None:
        count = Transform._columns.high_water
        np.copyto(self.room()[:, :count], Transform._columns.float64[:, :count])
        self._revision = self._tables.revision
