"""The candidate pairs of colliders, and the errors for too many of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import float64, int32, int64
from numpy.typing import NDArray

from ecsphys.engine.broadphase.pair_table import MOST_PAIRS, find_crowd
from ecsphys.engine.tables.collider_slots import PRESENT
from ecsphys.systems.world.collider_placing import ColliderPlacing
from ecsphys.systems.world.entity_table import Slots
from ecsphys.systems.world.world_tables import WorldTables

if TYPE_CHECKING:
    from ecsphys.systems.collision.phases import BroadphaseSystem
    from ecsphys.systems.collision.sleeping_colliders import SleepingColliders


_MOST_COLLIDERS = int(np.iinfo(int32).max)

Pairs = NDArray[int32]

_NO_PAIRS: Pairs = np.zeros((0, 2), int32)


class CandidatePairs:
    """The candidate pairs of one step, found by a stage, or given by a game in the public order of the colliders.

    ``are_pending``: whether they were not tested yet. ``finder``: the stage that found them last, or will find them
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

        ``is_beside_sleeping``: pairs of two sleeping colliders are not included.
        """
        self._pairs, self._is_beside_sleeping, self._given = pairs, is_beside_sleeping, None
        self._revision, self._changes = self._tables.revision, self._placing.changes
        self.finder, self.are_pending = finder, True

    def give(self, pairs: Any, finder: BroadphaseSystem | None = None) -> None:
        """Take pairs (m, 2) of numbers in the public order. Raises ValueError unless they are a table of whole
        numbers."""
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
        # The narrowphase finds numbers out of range, because it looks at every pair anyway.
        given = np.ascontiguousarray(np.clip(array, -1, _MOST_COLLIDERS) if array.itemsize > 4 else array, int32)
        self._given = given, self._tables.colliders.keep_order()
        self._is_beside_sleeping = False
        self._revision, self._changes = self._tables.revision, self._placing.changes
        self.finder, self.are_pending = finder, True

    @property
    def given(self) -> Pairs | None:
        """The pairs that a game has given for the next step, or None."""
        return self._given[0] if self._given is not None and self.are_pending and self.finder is None else None

    @property
    def public(self) -> Pairs:
        """The pairs (m, 2) in the public order, including pairs of two sleeping colliders."""
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
        """Note that a stage must find its pairs again."""
        self._revision = -1

    def use_up(self) -> None:
        """Note that the pairs were tested, and the results are kept."""
        self.are_pending = False

    def find(self) -> tuple[Pairs, bool, bool]:
        """The pairs (m, 2) of slots to test, whether pairs of two sleeping colliders are left out, and whether the
        pairs are trusted.

        In trusted pairs, both colliders exist, they belong to two bodies, and the lower body comes first. If anything
        was added, removed or moved since the pairs were found, they are found again. Pairs from a game may contain
        deleted colliders, which are filtered out later. Raises ValueError if given pairs are out of range.
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


def crowd_error(entities: NDArray[int64], boxes: NDArray[float64]) -> RuntimeError:
    """For a broadphase: ``entities`` and ``boxes`` (n, 4) of all colliders."""
    row, count = find_crowd(boxes, boxes)
    return RuntimeError(
        f"more than {MOST_PAIRS:,} pairs of colliders are too close together: the box of entity"
        f" {int(entities[row])}, near"
        f" {_centre(boxes[row])}, overlaps {count - 1:,} other boxes; move some apart or delete some, then step again"
    )


def bullets_error(entities: NDArray[int64], paths: NDArray[float64], boxes: NDArray[float64]) -> RuntimeError:
    """For bullets: their ``entities``, and the boxes (k, 4) round their ``paths``, which meet too many of ``boxes``."""
    row, count = find_crowd(paths, boxes)
    return RuntimeError(
        f"more than {MOST_PAIRS:,} pairs of a bullet and a collider may meet in this step: the path of entity"
        f" {int(entities[row])}, near {_centre(paths[row])}, overlaps the boxes of {count:,} colliders;"
        " use fewer or slower bullets"
    )


def queries_error(queries: NDArray[float64], boxes: NDArray[float64]) -> RuntimeError:
    """For queries with ``queries`` (k, 4) for boxes."""
    row, count = find_crowd(queries, boxes)
    return RuntimeError(
        f"the queries overlap the boxes of colliders more than {MOST_PAIRS:,} times: the query in row {row} overlaps"
        f" {count:,} of {len(boxes):,} boxes; make fewer queries in one call"
    )


def rays_error(count: int) -> RuntimeError:
    """For a call for all hits of ``count`` rays."""
    return RuntimeError(f"the {count:,} rays have more than {MOST_PAIRS:,} hits: cast fewer in one call")


def _centre(box: NDArray[float64]) -> str:
    min_x, min_y, max_x, max_y = (0.5 * box).tolist()
    return f"({min_x + max_x:.6g}, {min_y + max_y:.6g})"
