"""Placing: computes the present shape of every collider; and keeps the earlier poses of solids, for characters.

Only colliders that may have changed are read.
"""

from __future__ import annotations

import numpy as np
from numpy import float64, int32
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import ROW_KINDS, SHAPE_CLASSES, collider_blocks
from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.change_log import ENTRIES, collect_all
from ecsphys.components.store.standing_blocks import REPLACEMENTS
from ecsphys.engine.character import mover
from ecsphys.engine.kernels import are_same, zeros_of
from ecsphys.engine.run import plan as word
from ecsphys.engine.shapes import placement
from ecsphys.engine.shapes.layout import KIND_AABB
from ecsphys.engine.tables import entity_rows
from ecsphys.engine.tables.collider_slots import PRESENT, SlotChanges
from ecsphys.engine.threads.shared_work import part_count, share, slices
from ecsphys.systems.settings import Settings
from ecsphys.systems.world.collider_table import ColliderTable
from ecsphys.systems.world.entity_table import LINE_CLASSES, NO_SLOTS, Slots, copy_into
from ecsphys.systems.world.moving_entities import DrivenColliders
from ecsphys.systems.world.world_tables import WorldTables

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
        sizes = mover.JOURNAL_NUMBERS, colliders.capacity, colliders.capacity
        self.arrays = zeros_of(mover.Journal, _FIRST_ROOM, (_FIRST_ROOM, 3), *sizes)

    def begin(self, fresh: Slots) -> None:
        """Forget the notes of the slots of fresh colliders."""
        self._follow_capacity()
        numbers = self.arrays.numbers
        self.arrays.born[fresh] = numbers[mover.DROPPED] + numbers[mover.ENTRIES]

    def _follow_capacity(self) -> None:
        capacity, held = self._colliders.capacity, self.arrays.born.size
        if held < capacity:
            born, read_by = (np.pad(old, (0, capacity - held)) for old in (self.arrays.born, self.arrays.read_by))
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
        first = int(arrays.numbers[mover.ENTRIES])
        arrays.slots[first : first + moved.size] = slots[moved]
        arrays.poses[first : first + moved.size] = before[moved]
        # Last: where this is cut short, nothing was added.
        arrays.numbers[mover.ENTRIES] = first + moved.size

    def note_waiting(self) -> None:
        """Note where colliders were that have been placed elsewhere."""
        if self.waiting is not None:
            self.note(*self.waiting)
            self.waiting = None

    @property
    def revision(self) -> int:
        """The number of entries so far."""
        return int(self.arrays.numbers[mover.DROPPED] + self.arrays.numbers[mover.ENTRIES])

    def since(self, revision: int) -> tuple[Slots, NDArray[float64], int]:
        """The entries from a revision on: slots, −1 for another collider than now, and poses, copied; and the number of
        the first."""
        arrays = self.arrays
        dropped, count = int(arrays.numbers[mover.DROPPED]), int(arrays.numbers[mover.ENTRIES])
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
        numbers[mover.ENTRIES], numbers[mover.DROPPED] = count, first
        arrays.slots[:count], arrays.poses[:count] = slots, poses
        arrays.born[:] = first
        self.arrays = arrays._replace(numbers=numbers)

    def make_room(self, count: int) -> None:
        """See that there is room for so many entries; the oldest ones are dropped where there are too many."""
        arrays = self.arrays
        entries, held = int(arrays.numbers[mover.ENTRIES]), arrays.slots.size
        if entries + count <= held:
            return
        kept = min(entries, max(_LEAST_KEPT, _KEPT * len(self._colliders)))
        room = max(2 * kept, kept + count)
        slots, poses = np.empty(room, int32), np.empty((room, 3))
        slots[:kept], poses[:kept] = arrays.slots[entries - kept : entries], arrays.poses[entries - kept : entries]
        numbers = arrays.numbers.copy()
        numbers[mover.ENTRIES] = kept
        numbers[mover.DROPPED] += entries - kept
        self.arrays = arrays._replace(slots=slots, poses=poses, numbers=numbers)


# A box is widened by two ulps of its largest coordinate: rounding a position plus an extent may cost half an ulp per
# side and operation, and the narrowphase, which works on differences of positions, sees overlaps that thin.
BOX_PADDING = 2.0 * float(np.finfo(float64).eps)

# With fewer colliders, a part is not worth handing to another thread.
_SHAPES_AT_LEAST = 8192

_TRANSFORMS = Transform._columns


class ColliderPlacing:
    """Keeps the placed shapes of a :class:`ColliderTable` up to date.

    ``notes``: the notes of kernels about moved colliders.
    """

    def __init__(self, tables: WorldTables, settings: Settings) -> None:
        self._tables = tables
        self._settings = settings
        capacity = tables.colliders.capacity
        self.notes = zeros_of(placement.PlacingNotes, capacity, capacity, placement.NOTED_COUNTS)
        """The lists behind :attr:`moved` and :attr:`aside`."""
        self._read_to = [-1] * len(LINE_CLASSES)
        self.fresh: list[Slots] = []
        """Colliders that were never placed."""
        self._kinds: list[int] = []
        self.driven = DrivenColliders(tables)
        self._journal: PoseJournal | None = None
        # Colliders that threads place and mark, until they are noted.
        self._marked: Slots | None = None
        self._is_filed = False
        self._other_changes = 0
        self.arrays = self._arrays_now()
        # The revision of the tables, and the number of replaced blocks, for which they hold.
        self._arrays_as_of = -1, -1
        self.entries = -1
        """``ENTRIES.made`` when all was placed."""
        self.expects_all = False
        """Whether systems will move every collider in the next step, as in the last step. Then no collider is
        listed."""
        self.are_all_moved = False
        """Whether all are taken for :attr:`moved`, listed or not."""
        self.are_all_aside = False
        """Whether all are taken for :attr:`aside`, listed or not."""

    def take(self, changes: SlotChanges) -> None:
        """Follow a structural change: fresh colliders are placed at the next :meth:`refresh`."""
        if changes.fresh.size:
            self.fresh.append(changes.fresh)
            if self._journal is not None:
                self._journal.note_waiting()
                self._journal.begin(changes.fresh)
        # The segments of chains are polygons.
        counts = self._tables.colliders.kind_counts.tolist()
        self._kinds = sorted({ROW_KINDS[kind] for kind, count in enumerate(counts) if count})
        self.driven.leave_out(changes.gone)
        # A deleted collider has no box any more.
        self._other_changes += changes.gone.size
        held, capacity = self.notes.moved.size, self._tables.colliders.capacity
        if held < capacity:
            notes = zeros_of(placement.PlacingNotes, capacity, capacity, placement.NOTED_COUNTS)
            copy_into(self.notes, notes)
            self.notes = notes

    @property
    def changes(self) -> int:
        """Grows whenever any shape changes."""
        return self._other_changes + int(self.notes.counts[placement.CHANGE_COUNT])

    def keep_journal(self) -> PoseJournal:
        """The journal of all solids that move from now on."""
        if self._journal is None:
            self._journal = PoseJournal(self._tables.colliders)
        return self._journal

    def note_placed(self, revision: int) -> None:
        """Note that the shapes of the entries up to this revision of the log of Transform are placed already."""
        if self._read_to[entity_rows.TRANSFORM] == revision - 1:
            self._read_to[entity_rows.TRANSFORM] = revision
            if self.entries == ENTRIES.made - 1:
                self.entries = ENTRIES.made

    @property
    def moved(self) -> Slots:
        """The slots whose shapes have changed since :meth:`forget_moved`, each once."""
        return self.notes.moved[: int(self.notes.counts[placement.MOVED_COUNT])]

    @property
    def has_listed(self) -> bool:
        """Whether any shapes are :attr:`moved` or :attr:`aside`."""
        moved_count, aside_count, _ = self.notes.counts.tolist()
        return moved_count + aside_count > 0 or self.are_all_moved or self.are_all_aside

    def forget_moved(self) -> None:
        """Clear the list of :attr:`moved`."""
        self.are_all_moved = False
        placement.forget_moved(self._tables.colliders.placed, self.notes)

    def put_moved(self, slots: Slots, are_all: bool) -> None:
        """Make exactly these slots :attr:`moved`."""
        self.forget_moved()
        self._tables.colliders.placed.moved[slots] = 1
        self.notes.moved[: slots.size] = slots
        self.notes.counts[placement.MOVED_COUNT] = slots.size
        self.are_all_moved = are_all

    def put_aside(self, slots: Slots) -> None:
        """Note that some shapes are in no grid any more."""
        placement.put_aside(slots, self._tables.colliders.placed, self.notes)
        self._other_changes += slots.size

    def note_filed(self, slots: Slots, are_seen: bool = False) -> None:
        """Clear the list of :attr:`aside`: exactly these shapes are in the grid of awake colliders.

        If they ``are_seen`` by the broadphase, the list of :attr:`moved` is cleared too.
        """
        moved_count, aside_count, _ = self.notes.counts.tolist()
        # If nothing is listed, they are noted as filed already.
        if not self._is_filed or aside_count or (are_seen and moved_count):
            placement.note_filed(slots, self._tables.colliders.placed, self.notes, are_seen)
            self._is_filed = True
        self.are_all_moved = self.are_all_moved and not are_seen
        self.are_all_aside = False

    def forget_all(self) -> None:
        """Clear both lists: the grids are empty, and nothing has moved."""
        placed = self._tables.colliders.placed
        self._is_filed = self.expects_all = self.are_all_moved = self.are_all_aside = False
        placed.moved[:] = 0
        placed.filed[:] = placement.NOT_FILED
        self.notes.counts[placement.MOVED_COUNT] = self.notes.counts[placement.ASIDE_COUNT] = 0

    def refresh(self) -> None:
        """Place colliders that systems moved, fresh colliders, and colliders that the game may have changed."""
        read_to, fresh = self._read_to, self.fresh
        writes, stepped = _TRANSFORMS.writes, 0
        if not fresh and self._journal is None and self.driven.is_current:
            # Before all is collected: no entry of another thread may be taken for one of these.
            stepped = writes.revision - read_to[entity_rows.TRANSFORM]
        entries, known = collect_all(), self.entries
        if entries == known and not fresh:
            return
        if stepped and stepped == entries - known and writes.are_last_steps(stepped):
            # Only the regular changes of systems in each step.
            self._place_noted(self.driven.moving.slots)
            read_to[entity_rows.TRANSFORM] += stepped
            self.entries = entries
            return
        revision = writes.revision
        written = writes.since(read_to[entity_rows.TRANSFORM])
        if entries == known + 1 and written.rows.size == 1 and not fresh and self._journal is None:
            # The most frequent case: the game has assigned to one transform. The blocks of colliders are as they were,
            # or one of their rows would be written.
            self._place(NO_SLOTS, int(written.rows[0]))
            read_to[entity_rows.TRANSFORM] = revision
            self.entries = entries
            return
        now = list(read_to)
        now[entity_rows.TRANSFORM] = revision
        chosen, is_all = list(fresh), written.everything
        if written.stepped and not is_all:
            chosen.append(self.driven.update(self.fresh))
        if written.rows.size and not is_all:
            chosen.append(self._tables.colliders_with(entity_rows.TRANSFORM, written.rows))
        for kind in self._kinds:
            line = entity_rows.FIRST_COLLIDER + kind
            writes = SHAPE_CLASSES[kind]._columns.writes
            now[line] = revision = writes.revision
            if revision != read_to[line]:
                chosen.append(self._make_stale(kind, read_to[line]))
        if not chosen and not is_all:
            self._read_to, self.entries = now, entries
            return
        colliders = self._tables.colliders
        which = colliders.order
        if not is_all:
            which = chosen[0] if len(chosen) == 1 else np.concatenate(chosen)
        if fresh:
            # Some may be gone again.
            which = which[colliders.slots.absence[which] == PRESENT]
        slots, journal = colliders.slots, self._journal
        if journal is not None:
            # An interrupt may have kept it from that.
            journal.note_waiting()
            solid = which[self._tables.entities.rows_of(entity_rows.SOLID)[slots.owner[which]] >= 0]
            before = journal.poses(solid)
            before[colliders.placed.forms[solid] == placement.NO_FORM] = np.nan
            journal.waiting = solid, before
        self._place_noted(which)
        if journal is not None:
            journal.note_waiting()
        # Last: where this is cut short, the same is placed again.
        self._read_to, self.fresh = now, []
        self.entries = entries

    def _place_noted(self, which: Slots) -> None:
        """Place some; where all are expected to be different, they are not listed."""
        count = self._tables.colliders.order.size
        driven, moving = self.driven.all.slots, self.driven.moving.slots
        is_expected = self.expects_all and which.size == count and (which is moving or which is driven)
        if is_expected:
            self.are_all_moved = self.are_all_aside = True
        are_distinct = which is moving or which is driven or which is self._tables.colliders.order
        different = self._place(which, -1, not is_expected, are_distinct)
        self.expects_all = self.expects_all and (not is_expected or different == count)

    def _place(self, which: Slots, row: int, are_noted: bool = True, are_distinct: bool = False) -> int:
        """Place some, as ``place_shapes`` does; returns how many are different then.

        If they ``are_distinct``, none is twice in ``which``, threads may share them. Where they do, or where nothing is
        noted, all count as different for :attr:`changes`.
        """
        as_of = self._tables.revision, REPLACEMENTS.made
        if self._arrays_as_of != as_of:
            arrays = self._arrays_now()
            if not are_same(arrays, self.arrays):
                self.arrays = arrays
            self._arrays_as_of = as_of
        arrays = self.arrays
        if self._marked is not None:
            # An interrupt may have kept it from that.
            self._note_marked(self._marked)
        threads = self._settings.threads if are_distinct else 1
        parts = part_count(len(which), _SHAPES_AT_LEAST, threads)
        if parts == 1:
            if not are_noted:
                # First: where this is cut short, they count.
                self._other_changes += len(which)
            return placement.place_shapes(
                which, row, arrays, BOX_PADDING, placement.NOTED if are_noted else placement.NOT_NOTED
            )
        # First, as above; and marked ones are noted the next time.
        self._other_changes += len(which)
        if are_noted:
            self._marked = which
        noting = placement.MARKED if are_noted else placement.NOT_NOTED
        different: list[int] = []

        def place(part: slice) -> None:
            different.append(placement.place_shapes(which[part], -1, arrays, BOX_PADDING, noting))

        share(place, slices(len(which), parts), threads)
        if are_noted:
            self._note_marked(which)
        return sum(different)

    def plan(self, plan: word.StepPlan) -> bool:
        """Write the placing of what systems move to a plan; returns False where more must be placed in the next step,
        or by several threads."""
        tables, moving = self._tables, self.driven.moving.slots
        if (
            self.fresh
            or self._journal is not None
            or self._marked is not None
            or not self.driven.is_current
            or self._arrays_as_of != (tables.revision, REPLACEMENTS.made)
            or self.entries != ENTRIES.made
            or self.are_all_moved
            or self.are_all_aside
        ):
            return False
        plan.record(placement.place_shapes, (moving, -1, self.arrays, BOX_PADDING, placement.NOTED))
        plan.note_array(word.NOTE_COUNTS, self.notes.counts)
        plan.put(word.TO_BE_NOTED, placement.NOTED)
        plan.put(word.NOT_TO_BE_NOTED, placement.NOT_NOTED)
        plan.put(word.MOVING, moving.size)
        plan.put(word.COLLIDERS, tables.colliders.order.size)
        return True

    def put_into(self, plan: word.StepPlan) -> None:
        """Put the state of the lists into a plan."""
        plan.put(word.EXPECTS_ALL, self.expects_all)
        plan.put(word.ARE_ALL_MOVED, self.are_all_moved)
        plan.put(word.IS_FILED, self._is_filed)

    def take_from(self, words: memoryview, noted: tuple[int, int] | None, is_searched: bool) -> None:
        """Take the state of the lists from a plan.

        ``noted``: how many entries all logs, and the log of Transform, had when all that was moved was placed; None if
        another thread has written. ``is_searched``: the broadphase has seen all motion.
        """
        self.expects_all, self._is_filed = words[word.EXPECTS_ALL] != 0, words[word.IS_FILED] != 0
        self.are_all_moved = words[word.ARE_ALL_MOVED] != 0
        self.are_all_aside = words[word.UNNOTED] > 0 and not is_searched
        self._other_changes += words[word.UNNOTED]
        if noted is not None:
            self.entries, self._read_to[entity_rows.TRANSFORM] = noted

    def _note_marked(self, which: Slots) -> None:
        placement.note_marked(which, self._tables.colliders.placed, self.notes)
        self._marked = None

    def _arrays_now(self) -> placement.PlacingArrays:
        tables = self._tables
        slots = tables.colliders.slots
        return placement.PlacingArrays(
            placement.ShapeSources(slots.kind, slots.transform_row, slots.collider_row, slots.stale, slots.sensor),
            _TRANSFORMS.float64,
            collider_blocks(),
            tables.colliders.placed,
            self.notes,
            tables.entities.owners_of(entity_rows.TRANSFORM),
            tables.entities.slots.head,
            slots.following,
            slots.absence,
        )

    def has_placed(self, revision: int) -> bool:
        """Whether all is placed that systems have moved up to a revision of the log of Transform."""
        return self.driven.is_current and self._read_to[entity_rows.TRANSFORM] >= revision

    def _make_stale(self, kind: int, read_to: int) -> Slots:
        """The colliders of a class that may have changed since a revision; they are made stale."""
        tables = self._tables
        written = SHAPE_CLASSES[kind]._columns.writes.since(read_to)
        if written.everything:
            order = tables.colliders.order
            kinds = tables.colliders.slots.kind[order]
            found: Slots = order[np.take(ROW_KINDS, kinds) == kind]
        else:
            found = tables.colliders_of(tables.owners_of_shapes(kind, written.rows))
        tables.colliders.slots.stale[found] = 1
        return found
