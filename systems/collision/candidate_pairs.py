"""The pairs that are near enough to be tested: what a step's broadphase gives its narrowphase."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import int32
from numpy.typing import NDArray

from ecsphys.engine.tables.collider_slots import PRESENT
from ecsphys.systems.world.collider_placing import ColliderPlacing
from ecsphys.systems.world.entity_table import Slots
from ecsphys.systems.world.world_tables import WorldTables

if TYPE_CHECKING:
    from ecsphys.systems.collision.broadphase import BroadphaseSystem
    from ecsphys.systems.collision.sleeping_colliders import SleepingColliders

_MOST_COLLIDERS = int(np.iinfo(int32).max)

Pairs = NDArray[int32]

_NO_PAIRS: Pairs = np.zeros((0, 2), int32)


class CandidatePairs:
    """The candidate pairs of one step, found by a stage, or given by a game in the public order of the colliders.

    ``are_pending``: whether they are still to be tested. ``finder``: the stage that found them last, or will
    first.
    """

    def __init__(
        self,
        tables: WorldTables,
        placing: ColliderPlacing,
        sleeping: SleepingColliders,
        finder: BroadphaseSystem | None,
    ) -> None:
        self._tables = tables
        self._placing = placing
        self._sleeping = sleeping
        self._pairs = _NO_PAIRS
        self._is_beside_sleeping = False
        self._given: tuple[Pairs, Slots] | None = None
        self._revision = -1
        self._changes = -1
        self.are_pending = False
        self.finder = finder

    def __len__(self) -> int:
        return len(self._pairs) if self._given is None else len(self._given[0])

    def accept(self, finder: BroadphaseSystem, pairs: Pairs, is_beside_sleeping: bool) -> None:
        """Take pairs (m, 2) of slots from a stage, which finds them again if the world changes before they are tested.

        ``is_beside_sleeping``: the pairs of two colliders that both sleep are not among them.
        """
        self._pairs, self._is_beside_sleeping, self._given = pairs, is_beside_sleeping, None
        self._revision, self._changes = self._tables.revision, self._placing.changes
        self.finder, self.are_pending = finder, True

    def give(self, pairs: Any, finder: BroadphaseSystem | None = None) -> None:
        """Take pairs (m, 2) of numbers in the public order. ValueError for what is no table of whole numbers."""
        try:
            array = np.asarray(pairs)
        except ValueError:  # rows of different lengths
            array = np.zeros(1, object)
        if array.size == 0:
            array = np.zeros((0, 2), int32)
        if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu":
            raise ValueError(
                f"candidate_pairs must be whole numbers of shape (n, 2), got {array.dtype} of shape {array.shape}"
            )
        # What is out of range is found by the narrowphase, which looks at every pair anyway.
        given = np.ascontiguousarray(np.clip(array, -1, _MOST_COLLIDERS) if array.itemsize > 4 else array, int32)
        self._given = given, self._tables.colliders.order
        self._is_beside_sleeping = False
        self._revision, self._changes = self._tables.revision, self._placing.changes
        self.finder, self.are_pending = finder, True

    @property
    def given(self) -> Pairs | None:
        """The pairs that a game has given for the next step, if it has."""
        return self._given[0] if self._given is not None and self.are_pending and self.finder is None else None

    @property
    def public(self) -> Pairs:
        """The pairs (m, 2) in the public order; those of two colliders that sleep are among them."""
        if self._given is not None:
            return self._given[0]
        pairs = self._pairs
        if self._is_beside_sleeping:
            pairs = np.concatenate((pairs, self._sleeping.sleeping_pairs))
        slots = self._tables.colliders.slots
        if self._revision != self._tables.revision:
            pairs = pairs[(slots.absence[pairs] == PRESENT).all(axis=1)]
        return slots.rank[pairs]

    def invalidate(self) -> None:
        """Tell that pairs that a stage has found must be found anew."""
        self._revision = -1

    def use_up(self) -> None:
        """Tell that the pairs were tested, and what was found is kept."""
        self.are_pending = False

    def find(self) -> tuple[Pairs, bool, bool]:
        """The pairs (m, 2) of slots to be tested.

        Also tells whether those of two that sleep are left out, and whether they are trusted: none of one body, each
        with the lower body first, all present. Where anything has come, gone or moved since they were found they are
        found anew; of those that a game has given, what is gone is left to be filtered out. ValueError for given
        pairs that are out of range.
        """
        if not self.are_pending:
            self._pairs, self._given = _NO_PAIRS, None
            return _NO_PAIRS, False, True
        is_invalid = self._revision != self._tables.revision or self._changes != self._placing.changes
        if self.finder is not None and is_invalid:
            self.finder.update()
        if self._given is None:
            return self._pairs, self._is_beside_sleeping, self._revision == self._tables.revision
        given, order = self._given
        bad = np.flatnonzero(((given < 0) | (given >= len(order))).any(axis=1))
        if bad.size:
            a, b = given[bad[-1]].tolist()
            raise ValueError(f"candidate_pairs must be indices of the {len(order)} colliders, got ({a}, {b})")
        return order[given], False, False
