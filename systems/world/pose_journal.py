"""How colliders have moved: their earlier poses, for any number of readers."""

from __future__ import annotations

import numpy as np
from numpy import float64, int32, int64
from numpy.typing import NDArray

from ecsphys.engine.shapes.layout import KIND_AABB
from ecsphys.systems.world.collider_table import ColliderTable
from ecsphys.systems.world.entity_table import Slots

# Entries that are kept, times the number of colliders, and at least.
_KEPT = 32
_LEAST_KEPT = 1 << 16


class PoseJournal:
    """Notes where colliders were before they were placed elsewhere.

    A reader keeps the :attr:`revision` up to which it knows of everything, its cursor.
    """

    __slots__ = ("_born", "_count", "_entries", "_first", "revision")

    def __init__(self) -> None:
        self.revision = 0
        """Grows with each entry."""
        self._entries: list[tuple[Slots, NDArray[float64]]] = []
        self._first = 0
        self._count = 0
        # For each slot the revision at which its collider came: what is older is another's.
        self._born: NDArray[int64] = np.zeros(0, int64)

    def begin(self, colliders: ColliderTable, fresh: Slots) -> None:
        """Forget what was noted of the slots of fresh colliders."""
        if self._born.size < colliders.capacity:
            born = np.zeros(colliders.capacity, int64)
            born[: self._born.size] = self._born
            self._born = born
        self._born[fresh] = self.revision

    def poses(self, colliders: ColliderTable, slots: Slots) -> NDArray[float64]:
        """Where colliders are placed, (n, 3): x, y, and the angle, 0 for those that never turn."""
        placed = colliders.placed
        if not slots.size:
            return np.zeros((0, 3))
        angles = np.where(colliders.slots.kind[slots] == KIND_AABB, 0.0, placed.angles[slots])
        return np.column_stack((placed.positions[slots], angles))

    def note(self, colliders: ColliderTable, slots: Slots, before: NDArray[float64]) -> None:
        """Add those of some colliders that are not in their poses ``before`` (n, 3) any more."""
        if not slots.size:
            return
        # NaN: it was not placed yet.
        moved = np.flatnonzero((before != self.poses(colliders, slots)).any(axis=1) & ~np.isnan(before[:, 0]))
        if not moved.size:
            return
        self._entries.append((slots[moved], before[moved]))
        self.revision += 1
        self._count += moved.size
        while self._count > max(_LEAST_KEPT, _KEPT * len(colliders)):
            self._count -= len(self._entries[0][0])
            del self._entries[0]
            self._first += 1

    def since(self, revision: int) -> tuple[Slots, NDArray[float64]]:
        """The colliders (n,) that have moved since a revision, and where they were then (n, 3); none where it is too
        old."""
        start = revision - self._first
        entries = self._entries[start:] if start >= 0 else []
        if not entries:
            return np.zeros(0, int32), np.zeros((0, 3))
        noted = np.concatenate([entry[0] for entry in entries])
        poses = np.concatenate([entry[1] for entry in entries])
        number = np.repeat(np.arange(len(entries)) + max(start, 0) + self._first, [len(entry[0]) for entry in entries])
        own = np.flatnonzero(number >= self._born[noted])
        slots, first = np.unique(noted[own], return_index=True)
        return slots, poses[own[first]]
