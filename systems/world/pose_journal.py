"""How solid colliders have moved: their earlier poses, for any number of readers."""

from __future__ import annotations

import numpy as np
from numpy import float64, int32, int64
from numpy.typing import NDArray

from ecsphys.engine.character.mover import DROPPED, ENTRIES, JOURNAL_NUMBERS, Journal
from ecsphys.engine.shapes.layout import KIND_AABB
from ecsphys.systems.world.collider_table import ColliderTable
from ecsphys.systems.world.entity_table import Slots

# Entries that are kept, times the number of colliders, and at least.
_KEPT = 32
_LEAST_KEPT = 1 << 16

_FIRST_ROOM = 256


class PoseJournal:
    """Notes where colliders were before they were placed elsewhere.

    ``arrays`` are what readers and the kernel that moves characters take, see
    :class:`~ecsphys.engine.character.mover.Journal`. The number of entries so far is the *revision*; a
    reader keeps the one up to which it knows of everything, its cursor.
    """

    def __init__(self, colliders: ColliderTable) -> None:
        self._colliders = colliders
        self.waiting: tuple[Slots, NDArray[float64]] | None = None
        """The old poses of colliders that are being placed, until :meth:`note_waiting`."""
        self.arrays = Journal(
            np.empty(_FIRST_ROOM, int32),
            np.empty((_FIRST_ROOM, 3)),
            np.zeros(JOURNAL_NUMBERS, int64),
            np.zeros(colliders.capacity, int64),
            np.zeros(colliders.capacity, int64),
        )

    def begin(self, fresh: Slots) -> None:
        """Forget the notes of the slots of fresh colliders."""
        self._follow_capacity()
        numbers = self.arrays.numbers
        self.arrays.born[fresh] = numbers[DROPPED] + numbers[ENTRIES]

    def _follow_capacity(self) -> None:
        capacity, held = self._colliders.capacity, self.arrays.born.size
        if held < capacity:
            born, read_by = np.zeros(capacity, int64), np.zeros(capacity, int64)
            born[:held], read_by[:held] = self.arrays.born, self.arrays.read_by
            self.arrays = self.arrays._replace(born=born, read_by=read_by)

    def poses(self, slots: Slots) -> NDArray[float64]:
        """Where colliders are placed, (n, 3): x, y, and the angle, 0 if it never turns."""
        placed = self._colliders.placed
        if not slots.size:
            return np.zeros((0, 3))
        angles = np.where(self._colliders.slots.kind[slots] == KIND_AABB, 0.0, placed.angles[slots])
        return np.column_stack((placed.positions[slots], angles))

    def note(self, slots: Slots, before: NDArray[float64]) -> None:
        """Add the colliders that are not in their poses ``before`` (n, 3) any more."""
        if not slots.size:
            return
        # NaN: it was not placed yet.
        moved = np.flatnonzero((before != self.poses(slots)).any(axis=1) & ~np.isnan(before[:, 0]))
        if not moved.size:
            return
        self.make_room(moved.size)
        arrays = self.arrays
        first = int(arrays.numbers[ENTRIES])
        arrays.slots[first : first + moved.size] = slots[moved]
        arrays.poses[first : first + moved.size] = before[moved]
        # Last: where this is cut short, nothing was added.
        arrays.numbers[ENTRIES] = first + moved.size

    def note_waiting(self) -> None:
        """Note where colliders were that have been placed elsewhere."""
        if self.waiting is not None:
            self.note(*self.waiting)
            self.waiting = None

    @property
    def revision(self) -> int:
        """The number of entries so far."""
        return int(self.arrays.numbers[DROPPED] + self.arrays.numbers[ENTRIES])

    def since(self, revision: int) -> tuple[Slots, NDArray[float64], int]:
        """The entries from a revision on: slots, −1 for another collider than now, and poses, copied; and the number of
        the first."""
        arrays = self.arrays
        dropped, count = int(arrays.numbers[DROPPED]), int(arrays.numbers[ENTRIES])
        first = min(max(revision - dropped, 0), count)
        slots = arrays.slots[first:count]
        is_own = arrays.born[slots] <= np.arange(dropped + first, dropped + count)
        return np.where(is_own, slots, int32(-1)), arrays.poses[first:count].copy(), dropped + first

    def put_entries(self, slots: Slots, poses: NDArray[float64], first: int) -> None:
        """Have these entries, from the number ``first`` on, and no others."""
        # Absent colliders may have made more slots.
        self._follow_capacity()
        arrays = self.arrays
        count = slots.size
        if count > arrays.slots.size:
            arrays = arrays._replace(slots=np.empty(2 * count, int32), poses=np.empty((2 * count, 3)))
        numbers = arrays.numbers.copy()
        numbers[ENTRIES], numbers[DROPPED] = count, first
        arrays.slots[:count], arrays.poses[:count] = slots, poses
        arrays.born[:] = first
        self.arrays = arrays._replace(numbers=numbers)

    def make_room(self, count: int) -> None:
        """See that there is room for so many entries; the oldest ones are dropped where there are too many."""
        arrays = self.arrays
        entries, held = int(arrays.numbers[ENTRIES]), arrays.slots.size
        if entries + count <= held:
            return
        kept = min(entries, max(_LEAST_KEPT, _KEPT * len(self._colliders)))
        room = max(2 * kept, kept + count)
        slots, poses = np.empty(room, int32), np.empty((room, 3))
        slots[:kept], poses[:kept] = arrays.slots[entries - kept : entries], arrays.poses[entries - kept : entries]
        numbers = arrays.numbers.copy()
        numbers[ENTRIES] = kept
        numbers[DROPPED] += entries - kept
        self.arrays = arrays._replace(slots=slots, poses=poses, numbers=numbers)
