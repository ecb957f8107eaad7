"""The search for contacts among pairs: the largest distance of a contact, and the room for results."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy import float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.engine.contact.chain_contact import smooth_chain_contacts
from ecsphys.engine.contact.contact import CONTACT_COLUMNS, POINT_COLUMNS, ContactRows, find_contacts
from ecsphys.engine.contact.margin import grow_boxes
from ecsphys.engine.contacts.contacts_aside import give_to_contacts, return_to_contacts
from ecsphys.engine.contacts.hit_order import SORT_COUNTS, SortRoom
from ecsphys.engine.contacts.hit_tracking import EndedRows
from ecsphys.engine.kernels.cache_lines import aligned_zeros
from ecsphys.engine.kernels.capacity import Capacity
from ecsphys.engine.run import plan_layout as word
from ecsphys.engine.run.step_plan import StepPlan
from ecsphys.engine.tables.entity_rows import CHAIN
from ecsphys.engine.threads.shared_work import part_count, share, slices
from ecsphys.systems.hits.step_hits import ContactBuffer, StepHits
from ecsphys.systems.settings import Settings
from ecsphys.systems.world.entity_table import NO_SLOTS
from ecsphys.systems.world.world_tables import WorldTables

# With fewer pairs, a part is not worth handing to another thread.
_PAIRS_AT_LEAST = 8192


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
        self.run: NDArray[int64] = np.zeros((1, 2), int64)
        """The run of contacts that a search on one thread has found: the first row, and how many there are."""

    def forget(self) -> None:
        """Keep hits only, and look no farther."""
        self.keeps_points, self.prediction = False, 0.0

    def grown(self, slots: NDArray[int32] | int) -> NDArray[float64]:
        """Boxes (n, 4) of the colliders in some slots, or in the first so many, that reach as far out as contacts are
        looked for; the next call overwrites them."""
        boxes = self._tables.colliders.placed.boxes
        if isinstance(slots, int) and not self.keeps_points:
            return boxes[:slots]
        arguments = self._growing(slots)
        if arguments[2]:
            grow_boxes(*arguments)
        return self._grown[: arguments[2]]

    def _growing(self, slots: NDArray[int32] | int) -> tuple[Any, ...]:
        """The arguments of ``grow_boxes``; the last is where it writes."""
        count, chosen = (slots, NO_SLOTS) if isinstance(slots, int) else (len(slots), slots)
        capacity = self._grown_capacity.choose(count, len(self._grown))
        if capacity != len(self._grown):
            self._grown = aligned_zeros(capacity, 4)
        return self._tables.colliders.placed.boxes, chosen, count, self.prediction, self._grown

    def plan_growing(self, plan: StepPlan, slots: NDArray[int32] | int) -> NDArray[float64]:
        """Write to a plan what makes the larger boxes of some slots, or of the first so many; returns where they will
        be."""
        plan.put(word.GROWS, self.keeps_points)
        if isinstance(slots, int) and not self.keeps_points:
            plan.put(word.GROWN_ROOM, slots)
            return self._tables.colliders.placed.boxes[:slots]
        arguments = self._growing(slots)
        plan.record(grow_boxes, arguments)
        plan.put(word.GROWN_ROOM, len(self._grown))
        return self._grown[: arguments[2]]

    def plan_finding(self, plan: StepPlan, pairs: NDArray[int32]) -> None:
        """Write the search for the contacts of pairs to a plan."""
        shapes, rows = self._tables.colliders.shapes, self.room.rows
        has_chains = bool(self._tables.entities.instances[CHAIN].count)
        plan.record(find_contacts, (pairs, shapes, self.prediction, rows, 0))
        plan.put(word.HAS_CHAINS, has_chains)
        if has_chains:
            plan.record(smooth_chain_contacts, (0, 0, shapes, self.prediction, rows))
        plan.put(word.FOUND_ROOM, len(rows.pairs))
        plan.note_array(word.RUN, self.run.reshape(-1))

    @property
    def has_room(self) -> bool:
        """Whether the room that there is has the columns that are kept."""
        return len(self.room.rows.points) == (len(self.room.rows.pairs) if self.keeps_points else 0)

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
        threads, has_chains = self._settings.threads, bool(self._tables.entities.instances[CHAIN].count)
        parts = part_count(len(tested), _PAIRS_AT_LEAST, threads)
        if parts == 1:
            count = find_contacts(tested, shapes, prediction, rows, 0) if len(tested) else 0
            if has_chains and count:
                count = smooth_chain_contacts(0, count, shapes, prediction, rows)
            self.run[0, 1] = count
            return self.run, count
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
