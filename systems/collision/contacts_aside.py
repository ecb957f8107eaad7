"""Contacts that a solver finds anew between two steps: what it leaves with them goes to those of the steps."""

from __future__ import annotations

import numpy as np
from numpy import int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.engine.contacts.contacts_aside import give_to_contacts, return_to_contacts
from ecsphys.engine.contacts.hit_tracking import EndedRows
from ecsphys.systems.hits.step_hits import ContactBuffer, StepHits

_FIRST_PLACES = 64


class ContactsAside:
    """The first ``count`` contacts of a ``buffer``, found since the last step; ``ended`` is scratch."""

    __slots__ = ("_places", "buffer", "count", "ended")

    def __init__(self) -> None:
        self.buffer, self.count = ContactBuffer(), 0
        self.ended = EndedRows(np.zeros(0, int64), np.zeros(0, uint8))
        self._places: NDArray[int32] = np.empty(_FIRST_PLACES, int32)

    def return_impulses(self, found: StepHits, count: int) -> None:
        """Give the contacts of the last step the impulses that a solver has left with the first ``count`` of these."""
        if found.buffer.has_points:
            places = self._places_for(count)
            return_to_contacts(found.buffer.table, found.counts.contacts, self.buffer.table, count, places)

    def give(self, buffer: ContactBuffer, count: int) -> int:
        """Give the contacts of a step what a solver has left with these; returns how many merely near ones are hits by
        that, as they were pushed apart before they could overlap."""
        if not (buffer.has_points and self.buffer.has_points):
            return 0
        places = self._places_for(self.count)
        return give_to_contacts(buffer.table, count, self.buffer.table, self.count, places)

    def _places_for(self, count: int) -> NDArray[int32]:
        """Scratch for a search among so many contacts."""
        length = _FIRST_PLACES
        while length < 2 * count:
            length *= 2
        if self._places.size != length:
            self._places = np.empty(length, int32)
        return self._places
