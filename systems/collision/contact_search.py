"""The search of the narrowphase for contacts among pairs, and touches of characters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np
from numpy import float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.collision_filter import CollisionFilter, filter_blocks
from ecsphys.components.motion.transform import Transform, Velocity
from ecsphys.components.store.many import dead_entities
from ecsphys.components.store.standing_blocks import REPLACEMENTS
from ecsphys.engine.hits import contact_table, touches
from ecsphys.engine.hits.hit_order import SORT_COUNTS, SortRoom
from ecsphys.engine.hits.hit_tracking import ContactScene, EndedRows, MassCenters, Velocities
from ecsphys.engine.hits.touches import SweptContacts, TouchArrays, TouchMarks, gather_touches
from ecsphys.engine.kernels import Capacity, aligned_zeros, are_same, grown, zeros_of
from ecsphys.engine.manifold.contact import CONTACT_COLUMNS, POINT_COLUMNS, ContactRows, find_contacts
from ecsphys.engine.manifold.seams import smooth_chain_contacts
from ecsphys.engine.run import plan as word
from ecsphys.engine.shapes.measures import grow_boxes
from ecsphys.engine.tables.collider_slots import PRESENT
from ecsphys.engine.tables.entity_rows import CHAIN, COLLISION_FILTER
from ecsphys.engine.threads.shared_work import part_count, share, slices
from ecsphys.systems.hits.step_hits import ContactBuffer, StepHits
from ecsphys.systems.settings import Settings
from ecsphys.systems.world.entity_table import NO_SLOTS, Slots
from ecsphys.systems.world.world_tables import WorldTables

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState

_Bundle = TypeVar("_Bundle", bound=tuple[Any, ...])

# With fewer pairs, a part is not worth handing to another thread.
_PAIRS_AT_LEAST = 8192


class ContactSearch:
    """Finds the contacts of pairs of one world's colliders."""

    def __init__(self, tables: WorldTables, settings: Settings) -> None:
        self._tables, self._settings = tables, settings
        self.prediction = 0.0
        """How far apart, in units, colliders may be that are kept as contacts, though they do not hit."""
        self.keeps_points = False
        """Whether contacts are kept with their points."""
        self._capacity, self._grown_capacity = Capacity(), Capacity()
        self.rows, self.sorting = _new_room(0, has_points=False)
        """What was found last, in the order of its pairs, and scratch to put it in order."""
        self._grown = aligned_zeros(0, 4)
        self.run: NDArray[int64] = np.zeros((1, 2), int64)
        """The run of contacts that a search on one thread has found: the first row, and how many there are."""

    def grown(self, slots: NDArray[int32] | int) -> NDArray[float64]:
        """Boxes (n, 4) of some slots, or of the first so many, larger by the margin; the next call overwrites them."""
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

    def plan_growing(self, plan: word.StepPlan, slots: NDArray[int32] | int) -> NDArray[float64]:
        """Write :meth:`grown` to a plan; returns where the boxes will be."""
        plan.put(word.GROWS, self.keeps_points)
        if isinstance(slots, int) and not self.keeps_points:
            plan.put(word.GROWN_ROOM, slots)
            return self._tables.colliders.placed.boxes[:slots]
        arguments = self._growing(slots)
        plan.record(grow_boxes, arguments)
        plan.put(word.GROWN_ROOM, len(self._grown))
        return self._grown[: arguments[2]]

    def plan_finding(self, plan: word.StepPlan, pairs: NDArray[int32]) -> None:
        """Write the search for the contacts of pairs to a plan."""
        shapes, rows = self._tables.colliders.shapes, self.rows
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
        return len(self.rows.points) == (len(self.rows.pairs) if self.keeps_points else 0)

    def make_room(self, count: int) -> None:
        """Make room for as many contacts, unless there is room for these and not for far more."""
        held = len(self.rows.pairs)
        capacity = self._capacity.choose(count, held)
        if capacity != held or not self.has_room:
            self.rows, self.sorting = _new_room(capacity, self.keeps_points)

    def find(self, tested: NDArray[int32]) -> tuple[NDArray[int64], int]:
        """Write the contacts of pairs (m, 2) of slots to ``rows``, which have room; returns their runs, see
        ``FoundContacts``, and how many there are."""
        shapes, prediction, rows = self._tables.colliders.shapes, self.prediction, self.rows
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


def _new_room(capacity: int, has_points: bool) -> tuple[ContactRows, SortRoom]:
    rows = zeros_of(ContactRows, (capacity, 2), (capacity, CONTACT_COLUMNS), (capacity * has_points, POINT_COLUMNS))
    sorting = zeros_of(SortRoom, (2, capacity), (2, capacity), SORT_COUNTS)
    return rows, sorting


class ContactScenes:
    """What contacts are looked at with: bundles that stay the same objects until an array of them is another.

    ``dead``: a flag for each collider of an entity that is marked dead. ``marked``: the slots of these.
    """

    def __init__(self, state: PhysicsState) -> None:
        self._state = state
        self.dead: NDArray[uint8] = np.zeros(0, uint8)
        self.marked = NO_SLOTS
        self._scene: ContactScene | None = None
        self._velocities: Velocities | None = None
        self._scene_as_of = self._velocities_as_of = -1, -1, -1

    def mark_dead(self) -> None:
        """Flag the colliders of the entities that are marked dead now."""
        tables = self._state.tables
        if tables.colliders.capacity > self.dead.size:
            self.dead, self.marked = np.zeros(tables.colliders.capacity, uint8), NO_SLOTS
        # Invariant: every slot flagged in ``dead`` is listed in ``marked``.
        if self.marked.size:
            self.dead[self.marked] = 0
            self.marked = NO_SLOTS
        dead = dead_entities()
        if not dead:
            return
        slot_of = tables.entities.slot_of
        owners = np.array([slot_of[entity] for entity in dead if entity in slot_of], int32)
        self.marked = tables.colliders_of(owners)
        self.dead[self.marked] = 1

    @property
    def velocities(self) -> Velocities:
        """How fast everything is: the same object until an array of it is another."""
        state, kept = self._state, self._velocities
        bodies = state.body_table
        as_of = state.tables.revision, REPLACEMENTS.made, bodies.masses.measurement
        if kept is None or self._velocities_as_of != as_of:
            velocity, on_paths = Velocity._columns.float64, state.tables.entities.slots.path_velocity
            # Until what came or went is listed, a slot may be another collider's.
            off_center = bodies.masses.off_center_colliders if bodies.is_current() else NO_SLOTS
            transforms, positions = Transform._columns.float64, state.tables.colliders.placed.positions
            centers = MassCenters(off_center, bodies.listed, transforms, positions)
            centers = _same_or_new(None if kept is None else kept.centers, centers)
            kept = self._velocities = _same_or_new(kept, Velocities(velocity, on_paths, centers))
            self._velocities_as_of = as_of
        return kept

    def scene(self, is_beside_sleeping: bool) -> ContactScene:
        """What contacts are looked at with: the same object until an array of it is another."""
        state, kept = self._state, self._scene
        colliders, sleeping = state.tables.colliders, state.sleeping
        places = sleeping.places if is_beside_sleeping and sleeping.kept.slots.size else NO_SLOTS
        bodies = state.body_table
        body_of = bodies.body_of if bodies.is_current() else NO_SLOTS
        as_of = state.tables.revision, REPLACEMENTS.made, bodies.masses.measurement
        is_kept = kept is not None and self._scene_as_of == as_of and kept.body_of is body_of
        if kept is None or not is_kept or kept.dead is not self.dead or kept.sleeping is not places:
            now = ContactScene(
                colliders.slots,
                colliders.order_extent,
                colliders.placed.positions,
                self.dead,
                places,
                body_of,
                bodies.listed.kind,
                filter_blocks(),
                self.velocities,
            )
            kept = self._scene = _same_or_new(kept, now)
            self._scene_as_of = as_of
        return kept


class ChangedFilters:
    """Which colliders the game may have given other filters, by writing to their ``CollisionFilter``."""

    def __init__(self, tables: WorldTables) -> None:
        self._tables = tables
        # Entries of the log of writes.
        self._read_to = self._collected = -1

    def are_any(self) -> bool:
        """Whether there are any since :meth:`forget`."""
        if not self._tables.entities.instances[COLLISION_FILTER].count:
            return False
        self._collected = CollisionFilter._columns.writes.collect()
        return self._collected != self._read_to

    def colliders(self) -> Slots:
        """Their slots, as of :meth:`are_any`."""
        written = CollisionFilter._columns.writes.since(self._read_to)
        if written.everything:
            owners = self._tables.entities.having(COLLISION_FILTER)
        else:
            owners = self._tables.owners_in(COLLISION_FILTER, written.rows)
        return self._tables.colliders_of(owners)

    def forget(self) -> None:
        """Note that they are awake: those there were at the last :meth:`are_any`."""
        self._read_to = self._collected


def _same_or_new(kept: _Bundle | None, now: _Bundle) -> _Bundle:
    """The bundle that was kept, if the new one has the very same arrays."""
    return kept if kept is not None and are_same(kept, now) else now


_FIRST_PLACES = 64


class ContactsAside:
    """The first ``count`` contacts of a ``buffer``, found since the last step; ``ended`` is scratch."""

    def __init__(self) -> None:
        self.buffer, self.count = ContactBuffer(), 0
        self.ended = EndedRows(np.zeros(0, int64), np.zeros(0, uint8))
        self._places: NDArray[int32] = np.empty(_FIRST_PLACES, int32)

    def return_impulses(self, found: StepHits, count: int) -> None:
        """Give the contacts of the last step the impulses that a solver has left with the first ``count`` of these."""
        if found.buffer.has_points:
            places, contacts = self._places_for(count), found.counts.contacts
            contact_table.return_to_contacts(found.buffer.table, contacts, self.buffer.table, count, places)

    def give(self, buffer: ContactBuffer, count: int) -> int:
        """Give the contacts of a step what a solver has left with these; returns how many merely near ones are hits by
        that, as they were pushed apart before they could overlap."""
        if not (buffer.has_points and self.buffer.has_points):
            return 0
        places = self._places_for(self.count)
        return contact_table.give_to_contacts(buffer.table, count, self.buffer.table, self.count, places)

    def _places_for(self, count: int) -> NDArray[int32]:
        """Scratch for a search among so many contacts."""
        length = _FIRST_PLACES
        while length < 2 * count:
            length *= 2
        if self._places.size != length:
            self._places = np.empty(length, int32)
        return self._places


_FIRST_ROOM = 64


class Touches:
    """The touches of the characters of a world in their moves; ``arrays`` go to the kernel that moves characters.

    The narrowphase takes them in two steps: :meth:`beside` makes contacts, and :meth:`use_up` ends the list. If it is
    cut short in between, the next one finds the same list.
    """

    def __init__(self, tables: WorldTables) -> None:
        self._tables = tables
        self._calls = 0
        self.arrays, self._next = _new_list(_FIRST_ROOM), _new_list(_FIRST_ROOM)
        self._contacts = _new_contacts(_FIRST_ROOM)
        self._marks = zeros_of(TouchMarks, 0, 0, 0, 0)

    def __len__(self) -> int:
        return self.arrays.counts.item(touches.TOUCHES)

    @property
    def is_any(self) -> bool:
        """Whether anything was touched."""
        return self.arrays.counts.item(touches.TOUCHES) > 0

    def make_room(self, count: int) -> None:
        """Make room for so many more. Without a step for a long time, each pair stays listed once."""
        self._leave_out_repeated()
        rows = len(self)
        if 4 * (rows + count) > len(self.arrays.numbers):
            longer = _new_list(grown(8 * (rows + count)))
            longer.numbers[:rows], longer.values[:rows] = self.arrays.numbers[:rows], self.arrays.values[:rows]
            longer.counts[:] = self.arrays.counts
            self.arrays = longer

    def find_movers(self) -> NDArray[int32]:
        """The slots of the movers' colliders that have touches, each once."""
        numbers = self.arrays.numbers[: len(self)]
        numbers = numbers[numbers[:, touches.OTHER] != touches.MARK]
        slots, own = self._tables.colliders.slots, numbers[:, touches.OWN]
        is_there = (slots.absence[own] == PRESENT) & (slots.entity[own] == numbers[:, touches.OWN_ENTITY])
        return np.unique(own[is_there]).astype(int32)

    def beside(self, swept: SweptContacts, dt: float) -> SweptContacts:
        """The contacts of a sweep and of the touches in a step of ``dt`` seconds."""
        count = len(self)
        self._reserve(count)
        colliders = self._tables.colliders
        self._calls += 1
        found = gather_touches(
            self.arrays,
            self._next,
            self._marks,
            colliders.slots,
            colliders.placed.boxes,
            swept.pairs,
            self._contacts,
            1.0 / dt if dt > 0.0 else 0.0,
            self._calls,
        )
        if not found:
            return swept
        contacts = self._contacts
        pairs, rows, besides = contacts.pairs[:found], contacts.rows[:found], contacts.besides[:found]
        if len(swept.pairs):
            pairs, rows = np.concatenate((swept.pairs, pairs)), np.concatenate((swept.rows, rows))
            besides = np.concatenate((swept.besides, besides))
        return SweptContacts(pairs, rows, besides)

    def use_up(self) -> None:
        """Go on with the touches that :meth:`beside` has kept."""
        self.arrays, self._next = self._next, self.arrays

    def take_state(self) -> tuple[NDArray[int64], NDArray[float64], int]:
        """The numbers and values of all touches of present colliders, and how many of them are kept."""
        numbers, kept = self.arrays.numbers[: len(self)], int(self.arrays.counts[touches.KEPT])
        slots = self._tables.colliders.slots
        own, other, own_entity, other_entity = numbers.T
        is_there = (slots.absence[own] == PRESENT) & (slots.entity[own] == own_entity)
        is_there &= (other == touches.MARK) | (
            (slots.absence[other] == PRESENT) & (slots.entity[other] == other_entity)
        )
        return numbers[is_there], self.arrays.values[: len(self)][is_there], int(np.count_nonzero(is_there[:kept]))

    def put_state(self, numbers: NDArray[int64], values: NDArray[float64], kept: int) -> None:
        """Take these touches instead of all others."""
        count = len(numbers)
        if count > len(self.arrays.numbers):
            self.arrays = _new_list(grown(count))
        self.arrays.numbers[:count], self.arrays.values[:count] = numbers, values
        self.arrays.counts[:] = count, kept

    def _leave_out_repeated(self) -> None:
        """Leave only the hardest touch of each pair among those not kept yet; the last of equal ones."""
        count, kept = self.arrays.counts.tolist()
        numbers, values = self.arrays.numbers[:count], self.arrays.values[:count]
        pending = numbers[kept:]
        order = np.lexsort((values[kept:, touches.TOUCH_CLOSING], pending[:, touches.OTHER], pending[:, touches.OWN]))
        is_last = np.ones(len(order), np.bool_)
        is_last[:-1] = (np.diff(pending[order][:, (touches.OWN, touches.OTHER)], axis=0) != 0).any(axis=1)
        rows = kept + np.sort(order[is_last])
        numbers[kept : kept + len(rows)], values[kept : kept + len(rows)] = numbers[rows], values[rows]
        self.arrays.counts[touches.TOUCHES] = kept + len(rows)

    def _reserve(self, count: int) -> None:
        """Make room for so many touches, and for the slots of the world."""
        marks, colliders = self._marks, self._tables.colliders.capacity
        entities = len(self._tables.entities.slots.entity)
        # Lists take turns, and one may be much longer.
        if len(self._next.numbers) < count:
            self._next = _new_list(grown(count))
        if len(self._contacts.pairs) < count:
            self._contacts = _new_contacts(grown(count))
        if (
            len(marks.first) < colliders
            or len(marks.moved) < entities
            or len(marks.following) < len(self._next.numbers)
        ):
            self._marks = zeros_of(TouchMarks, entities, colliders, colliders, len(self._next.numbers))


def _new_list(room: int) -> TouchArrays:
    return zeros_of(TouchArrays, (room, touches.TOUCH_NUMBERS), (room, touches.TOUCH_VALUES), touches.TOUCH_COUNTS)


def _new_contacts(room: int) -> SweptContacts:
    return zeros_of(SweptContacts, (room, 2), (room, CONTACT_COLUMNS), (room, contact_table.SWEPT_COLUMNS))


NO_SWEPT: Final = _new_contacts(0)
