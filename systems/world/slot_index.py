"""``SlotIndex``: some slots, in no order, that come and go one by one at a cost of their own number."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy import bool_, int32
from numpy.typing import NDArray

from ecsphys.systems.world.entity_table import Slots

# More than so many are taken out in one pass over all.
_FEW = 32

# Readers that look less often take every slot for changed.
_NOTED_CHANGES = 32

_NO_SLOTS: Slots = np.zeros(0, int32)


class SlotIndex:
    """Slots below a capacity, each once.

    Attributes
    ----------
    slots
        (n,) the slots; the same array as long as none comes or goes.
    revision
        Grows with each change.
    """

    __slots__ = ("_changes", "_place", "_room", "revision", "slots")

    def __init__(self) -> None:
        self._room = _NO_SLOTS
        # For each slot its place, −1 for none.
        self._place = _NO_SLOTS
        self.slots = _NO_SLOTS
        self.revision = 0
        # The slots that came or went in the last changes, with the revision that each change made.
        self._changes: deque[tuple[int, Slots]] = deque(maxlen=_NOTED_CHANGES)

    def __len__(self) -> int:
        return self.slots.size

    @property
    def places(self) -> Slots:
        """For each slot −1 if it is not in the index; slots behind the last one are not."""
        return self._place

    def has(self, slots: Slots) -> NDArray[bool_]:
        """Whether each of some slots (k,) is in the index."""
        try:
            return self._place[slots] >= 0
        except IndexError:
            # Some are newer than the index.
            found = np.zeros(slots.size, bool_)
        known = slots < self._place.size
        found[known] = self._place[slots[known]] >= 0
        return found

    def changed_since(self, revision: int) -> list[Slots] | None:
        """The slots that came or went since a revision; None if any may have."""
        changes = [slots for at, slots in self._changes if at > revision]
        return changes if len(changes) == self.revision - revision else None

    def _note(self, slots: Slots) -> None:
        self.revision += 1
        self._changes.append((self.revision, slots))

    def put(self, slots: Slots, capacity: int) -> None:
        """Let these slots be in the index, and no others."""
        count = slots.size
        if self._place.size < capacity or self._room.size < count:
            self._room, self._place = np.empty(max(capacity, count), int32), np.full(capacity, -1, int32)
        else:
            self._place[self.slots] = -1
        self._room[:count] = slots
        self._place[slots] = np.arange(count, dtype=int32)
        self._changes.clear()
        self.revision += 1
        self.slots = self._room[:count]

    def follow(self, slots: Slots, are_in: list[int], capacity: int) -> None:
        """Let each of some slots (k,) be in the index or not."""
        if slots.size > _FEW:
            were_in, wanted = self.has(slots), np.array(are_in, bool_)
            self.remove(slots[were_in & ~wanted])
            self.add(slots[wanted & ~were_in], capacity)
            return
        place = self._place
        gone: list[int] = []
        come: list[int] = []
        for slot, is_in in zip(slots.tolist(), are_in, strict=True):
            if (slot < place.size and place[slot] >= 0) != is_in:
                (come if is_in else gone).append(slot)
        if gone:
            self.remove(np.array(gone, int32))
        if come:
            self.add(np.array(come, int32), capacity)

    def add(self, slots: Slots, capacity: int) -> None:
        """Add some slots that are not in the index."""
        if not slots.size:
            return
        self._note(slots)
        count = self.slots.size
        if capacity > self._place.size:
            self._place = np.concatenate((self._place, np.full(capacity - self._place.size, -1, int32)))
            room = np.empty(capacity, int32)
            room[:count] = self.slots
            self._room = room
        end = count + slots.size
        self._room[count:end] = slots
        self._place[slots] = count if slots.size == 1 else np.arange(count, end, dtype=int32)
        self.slots = self._room[:end]

    def remove(self, slots: Slots) -> None:
        """Remove some slots that are in the index: the last ones take their places."""
        if not slots.size:
            return
        if slots.size > _FEW:
            self._place[slots] = -1
            self.put(self.slots[self._place[self.slots] >= 0], self._place.size)
            return
        self._note(slots)
        room, place, count = self._room, self._place, self.slots.size
        for slot in slots.tolist():
            count -= 1
            last = room[count]
            room[place[slot]] = last
            place[last] = place[slot]
            place[slot] = -1
        self.slots = room[:count]
