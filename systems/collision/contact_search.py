"""The search for contacts among pairs: the largest distance of a contact, and the room for results."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import float64, int32, int64
from numpy.typing import NDArray

from ecsphys.engine.contact.chain_contact import smooth_chain_contacts
from ecsphys.engine.contact.contact import CONTACT_COLUMNS, POINT_COLUMNS, ContactRows, find_contacts
from ecsphys.engine.contact.margin import grow_boxes
from ecsphys.engine.contacts.hit_order import SORT_COUNTS, SortRoom
from ecsphys.engine.kernels.cache_lines import aligned_zeros
from ecsphys.engine.kernels.capacity import Capacity
from ecsphys.engine.tables.entity_rows import CHAIN
from ecsphys.engine.threads.shared_work import part_count, share, slices
from ecsphys.systems.settings import Settings
from ecsphys.systems.world.world_tables import WorldTables

# With fewer pairs, a part is not worth handing to another thread.
_PAIRS_AT_LEAST = 8192

_NO_SLOTS: NDArray[int32] = np.zeros(0, int32)


class ContactRoom(NamedTuple):
    """Contacts as the engine finds them, in the order of their pairs, and room to put them in order."""

    rows: ContactRows
    sorting: SortRoom


class ContactSearch:
    """Finds the contacts of pairs of one world's colliders."""

    def __init__(self, tables: WorldTables, settings: Settings) -> None:
        self._tables, self._settings = tables, settings
        self.prediction = 0.0
        """How far apart, in units, colliders may be that are kept as contacts, though they do not hit."""
        self.keeps_points = False
        """Whether contacts are kept with their points."""
        self._capacity, self._grown_capacity = Capacity(), Capacity()
        self.room = _new_room(0, has_points=False)
        """What was found last."""
        self._grown = aligned_zeros(0, 4)
        self._run: NDArray[int64] = np.zeros((1, 2), int64)

    def forget(self) -> None:
        """Keep hits only, and look no farther."""
        self.keeps_points, self.prediction = False, 0.0

    def grown(self, slots: NDArray[int32] | int) -> NDArray[float64]:
        """Boxes (n, 4) of the colliders in some slots, or in the first so many, that reach as far out as contacts are
        looked for; the next call overwrites them."""
        boxes = self._tables.colliders.placed.boxes
        count, chosen = (slots, _NO_SLOTS) if isinstance(slots, int) else (len(slots), slots)
        if not self.keeps_points or not count:
            return boxes[:count] if isinstance(slots, int) else boxes[slots]
        capacity = self._grown_capacity.choose(count, len(self._grown))
        if capacity != len(self._grown):
            self._grown = aligned_zeros(capacity, 4)
        grow_boxes(boxes, chosen, count, self.prediction, self._grown)
        return self._grown[:count]

    def make_room(self, count: int) -> ContactRoom:
        """Room for as many contacts: that which is kept, unless too few or far too many fit."""
        held = len(self.room.rows.pairs)
        capacity = self._capacity.choose(count, held)
        if capacity != held or len(self.room.rows.points) != (capacity if self.keeps_points else 0):
            self.room = _new_room(capacity, self.keeps_points)
        return self.room

    def find(self, tested: NDArray[int32], rows: ContactRows) -> tuple[NDArray[int64], int]:
        """Write the contacts of pairs (m, 2) of slots; returns their runs, see ``FoundContacts``, and how many there
        are."""
        shapes, prediction = self._tables.colliders.shapes, self.prediction
        threads, has_chains = self._settings.threads, bool(self._tables.entities.instances[CHAIN])
        parts = part_count(len(tested), _PAIRS_AT_LEAST, threads)
        if parts == 1:
            count = find_contacts(tested, shapes, prediction, rows, 0) if len(tested) else 0
            if has_chains and count:
                count = smooth_chain_contacts(0, count, shapes, prediction, rows)
            self._run[0, 1] = count
            return self._run, count
        # Each part writes where it would if all its pairs were contacts.
        found: dict[int, int] = {}

        def find(part: slice) -> None:
            count = find_contacts(tested[part], shapes, prediction, rows, part.start)
            if has_chains and count:
                count = smooth_chain_contacts(part.start, count, shapes, prediction, rows)
            found[part.start] = count

        share(find, slices(len(tested), parts), threads)
        return np.array(sorted(found.items()), int64), sum(found.values())


def _new_room(capacity: int, has_points: bool) -> ContactRoom:
    rows = ContactRows(
        np.zeros((capacity, 2), int32),
        aligned_zeros(capacity, CONTACT_COLUMNS),
        np.zeros((capacity if has_points else 0, POINT_COLUMNS)),
    )
    sorting = SortRoom(np.zeros((2, capacity), int64), np.zeros((2, capacity), int32), np.zeros(SORT_COUNTS, int64))
    return ContactRoom(rows, sorting)
