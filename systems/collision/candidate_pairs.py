"""The candidate pairs of a step, and the colliders that sleep: these cost the search for pairs almost nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import float64, int32, int64, uint32
from numpy.typing import NDArray

from ecsphys.components.store.column import as_array
from ecsphys.engine.broadphase import grid as broadphase
from ecsphys.engine.broadphase.cells import file_in_grid
from ecsphys.engine.broadphase.pairs import MOST_PAIRS, find_crowd
from ecsphys.engine.kernels import zeros_of
from ecsphys.engine.run import plan as word
from ecsphys.engine.shapes.placement import FILED_SLEEPING, note_filed
from ecsphys.engine.tables.collider_slots import PRESENT, SlotChanges
from ecsphys.systems.settings import Settings
from ecsphys.systems.world.collider_placing import ColliderPlacing
from ecsphys.systems.world.collider_table import ColliderTable
from ecsphys.systems.world.entity_table import Slots, copy_into
from ecsphys.systems.world.world_tables import WorldTables

if TYPE_CHECKING:
    from ecsphys.systems.collision.contact_search import ContactSearch
    from ecsphys.systems.collision.phases import BroadphaseSystem

# A new grid of k boxes costs about as much as k still boxes do awake in this many steps.
_STEPS_TO_PAY = 2

# Larger boxes (k, 4), from the slots of boxes.
Grown = Callable[["NDArray[int32] | int"], NDArray[float64]]

Pairs = NDArray[int32]

_NO_PAIRS: Pairs = np.zeros((0, 2), int32)
_MOST_COLLIDERS = int(np.iinfo(int32).max)


SleepingState = tuple[broadphase.Grid, broadphase.KeptGrid, NDArray[int64], broadphase.SleepStates, int, bool]
"""The grid, its slots and arrays, its pairs; the states by slot, with just the awake slots; the cost of keeping still
colliders awake, and whether still steps are counted."""


class SleepingColliders:
    """The sleeping colliders, in a grid that is kept, and the awake colliders.

    A collider that has not moved for some steps falls asleep, as soon as it has cost more to keep still colliders awake
    than to make a new grid. A collider that moves wakes at once.

    ``grid``: the grid of the sleeping colliders. ``kept``: its arrays, see
    :class:`~ecsphys.engine.broadphase.grid.KeptGrid`. ``generation`` counts the grids.
    """

    def __init__(self, colliders: ColliderTable, placing: ColliderPlacing) -> None:
        self._colliders = colliders
        self._placing = placing
        self.generation = 0
        self.departures = 0
        """Grows where any collider leaves the kept grid, but for a new one."""
        self.filing = 0
        """Counts how often the awake colliders were filed."""
        self.filed_by: broadphase.Grid | None = None
        """The grid in which the awake colliders were filed last, None if they are in no grid."""
        self._filed: NDArray[uint32] | None = None
        self.listed_count = 0
        """How many slots :attr:`awake` has."""
        self._known_pairs: NDArray[int32] | None = None
        self.still_count = -1
        """How many of these have not moved for some steps, as of the last :meth:`find_pairs`; −1 after any change.

        Putting a few to sleep does not pay, as the grid would have to be made again.
        """
        self.wake_all()

    def wake_all(self) -> None:
        """Wake all colliders."""
        self._begin_anew()
        colliders = self._colliders
        self.grid = broadphase.Grid()
        self.kept = broadphase.KeptGrid(np.zeros(0, uint32), self.grid.tables)
        self._pairs: NDArray[int64] = np.zeros((0, 2), int64)
        # Whether steps without a motion were counted.
        self._has_stillness = False
        self.listed_count = len(colliders)
        self._states.awake[: self.listed_count] = colliders.order
        self._states.is_listed[colliders.order] = 1
        self._cost = 0
        self.is_whole = True

    def _begin_anew(self) -> None:
        self.is_whole = False
        """False while the arrays are changed. It stays False after an interrupt: then all must be woken."""
        self._known_pairs = None
        self.generation += 1
        self._states: broadphase.SleepStates = self._new_states()
        self._placing.forget_all()
        self.filed_by = None
        self.filing += 1

    def take_state(self) -> SleepingState:
        """The sleeping colliders, and the stillness of the others; copies, except for the grid."""
        used = self._colliders.used
        place, stillness, is_listed, _ = self._states
        states = broadphase.SleepStates(
            place[:used].copy(), stillness[:used].copy(), is_listed[:used].copy(), self.awake.copy()
        )
        kept = broadphase.KeptGrid(self.kept.slots.copy(), self.kept.grid)
        return self.grid, kept, self._pairs, states, self._cost, self._has_stillness

    def put_state(self, state: SleepingState) -> None:
        """Put colliders back to sleep, in the same slots and positions."""
        grid, kept, pairs, states, cost, has_stillness = state
        is_filed = self.is_whole and self.kept.grid is kept.grid and np.array_equal(self.kept.slots, kept.slots)
        self._begin_anew()
        slots = kept.slots.copy()
        if slots.size:
            is_there = slots != broadphase.EMPTY
            if not is_filed:
                # Colliders that woke or fell asleep again since then have other places.
                kept.grid.boxes[: slots.size] = np.nan
                kept.grid.boxes[np.flatnonzero(is_there)] = self._colliders.placed.boxes[slots[is_there]]
            self._colliders.placed.filed[slots[is_there]] = FILED_SLEEPING
        self.grid, self.kept, self._pairs = grid, broadphase.KeptGrid(slots, kept.grid), pairs
        copy_into(states, self._states)
        self.listed_count, self._cost, self._has_stillness = states.awake.size, cost, has_stillness
        self.is_whole = True

    def stay_awake(self) -> None:
        """Wake all colliders, and begin to count still steps again."""
        if len(self.kept.slots):
            self.wake_all()
        self._forget_stillness()
        self._cost = 0

    def skip(self) -> None:
        """Note that pairs are found in another way: nothing sleeps, and no motion is noted."""
        if len(self.kept.slots):
            self.wake_all()
        self._placing.forget_moved()

    def take(self, changes: SlotChanges) -> None:
        """Follow a structural change."""
        self._begin_change()
        self._reserve()
        if changes.gone.size:
            self.departures += bool((self._states.place[changes.gone] >= 0).any())
            broadphase.forget_slots(changes.gone, self._states, self.kept)
        self.listed_count = broadphase.wake_slots(changes.fresh, self._states, self.kept, self.listed_count)
        self.is_whole = True

    def wake(self, slots: NDArray[int32]) -> None:
        """Wake some colliders."""
        self._begin_change()
        # Their places in the grid are empty then.
        asleep = slots[self._states.place[slots] >= 0]
        self.departures += asleep.size > 0
        self._placing.put_aside(asleep)
        self.listed_count = broadphase.wake_slots(slots, self._states, self.kept, self.listed_count)
        self.is_whole = True

    @property
    def places(self) -> NDArray[int32]:
        """For each slot its place in the grid, −1 if it is awake."""
        return self._states.place

    @property
    def awake(self) -> NDArray[int32]:
        """The awake slots, and some slots of deleted colliders."""
        return self._states.awake[: self.listed_count]

    @property
    def awake_count(self) -> int:
        """The number of awake colliders."""
        return int((self._colliders.slots.absence[self.awake] == PRESENT).sum())

    @property
    def cell_count(self) -> int:
        """Cells of the kept grid in which there was a collider when it was made."""
        return self.grid.cell_count if len(self.kept.slots) else 0

    @property
    def sleeping_pairs(self) -> NDArray[int32]:
        """The pairs (m, 2) of slots that sleep whose boxes overlap."""
        slots = self.kept.slots[self._pairs]
        pairs: NDArray[int32] = slots[(slots != broadphase.EMPTY).all(axis=1)].astype(int32)
        return pairs

    def find_pairs(self, grid: broadphase.Grid, settings: Settings, grown: Grown) -> NDArray[int32]:
        """Pairs (m, 2) of slots with overlapping boxes, at least one of them awake, lower body first.

        The boxes of those awake are ``grown`` before. A view valid until the next call of ``grid``.
        """
        known, self._known_pairs = self._known_pairs, None
        if not self.listed_count:
            known = _NO_PAIRS
        if known is not None and self.is_whole and self.filed_by is grid and not self._placing.has_listed:
            return known
        self._begin_change()
        if self._placing.are_all_moved and not self.kept.slots.size:
            self._forget_stillness()
        else:
            self._update(settings)
        return self._search(grid, settings, grown)

    def find_pairs_counted(self, grid: broadphase.Grid, settings: Settings, grown: Grown, still: int) -> NDArray[int32]:
        """As :meth:`find_pairs`, after a plan has counted which are still, and how many were for long enough."""
        self._begin_change()
        self._rebuild_if_it_pays(still, settings)
        return self._search(grid, settings, grown)

    def _search(self, grid: broadphase.Grid, settings: Settings, grown: Grown) -> NDArray[int32]:
        cell_size, threads = settings.cell_size or 0.0, settings.threads
        colliders, awake = self._colliders, self.awake
        bodies = colliders.slots.entity
        if not self.listed_count and self.filed_by is grid:
            self._placing.note_filed(awake, are_seen=True)
            self.is_whole = True
            return _NO_PAIRS
        if not self.kept.slots.size:
            used = colliders.used
            pairs = grid.find_pairs(grown(used), bodies[:used], cell_size, threads)
            self._filed = None
        else:
            near = grown(awake)
            pairs = grid.find_pairs(near, bodies, cell_size, threads, awake, self.kept)
            self._filed = awake.astype(uint32)
        self._placing.note_filed(awake, are_seen=True)
        self.filing += 1
        self.filed_by = grid
        self.is_whole = True
        return pairs

    def plan(self, plan: word.StepPlan, grid: broadphase.Grid, settings: Settings, search: ContactSearch) -> bool:
        """Write the search for pairs to a plan; returns False where the next one may not be made by a plan."""
        colliders, states, kept, used = self._colliders, self._states, self.kept, self._colliders.used
        bodies, cell_size, has_kept = colliders.slots.entity, settings.cell_size or 0.0, kept.slots.size > 0
        if not self.is_whole or self.filed_by is not grid:
            return False
        near = search.plan_growing(plan, self.awake if has_kept else used)
        plan.record(broadphase.wake_moved, (self._placing.moved, colliders.placed.moved, states, kept, 0))
        plan.record(note_filed, (self.awake, colliders.placed, self._placing.notes, True))
        plan.record(file_in_grid, grid.filing(near, cell_size))
        awake, beside = (self.awake, kept) if has_kept else (broadphase.NO_SLOTS, None)
        plan.record(broadphase.find_pairs_grid, grid.searching(near, bodies[:used], awake, beside))
        filing_room, pair_room = grid.room
        plan.put(word.HAS_KEPT, has_kept)
        plan.put(word.USED, used)
        plan.put(word.FILING_ROOM, filing_room)
        plan.put(word.PAIR_ROOM, pair_room)
        plan.put(word.STEPS_TO_PAY, _STEPS_TO_PAY)
        plan.note_array(word.STILLNESS, states.stillness)
        return True

    def put_into(self, plan: word.StepPlan) -> None:
        """Put the state of those awake into a plan."""
        plan.put(word.LISTED, self.listed_count)
        plan.put(word.COST, self._cost)
        plan.put(word.HAS_STILLNESS, self._has_stillness)
        plan.put(word.IS_FILED_HERE, 1)
        plan.put(word.BOXES, 0 if self.filed_by is None else len(self.filed_by.order))

    def begin_planned(self) -> None:
        """A plan changes the arrays from now on; where it is cut short all are woken."""
        self.is_whole, self._known_pairs = False, None

    def take_from(self, words: memoryview) -> None:
        """Take the state of those awake from a plan."""
        self.listed_count, self._cost, self.still_count = (
            words[word.LISTED],
            words[word.COST],
            words[word.STILL],
        )
        self._has_stillness = words[word.HAS_STILLNESS] != 0
        self.departures += words[word.DEPARTED]
        if words[word.WAS_FILED]:
            self.filing += 1
            self._filed = self.awake.astype(uint32) if self.kept.slots.size else None
        self.is_whole = True

    def know_pairs(self, pairs: NDArray[int32]) -> None:
        """Let the next :meth:`find_pairs` find the same pairs as the last, if nothing has changed until then."""
        self._known_pairs = pairs.copy()

    def filed_slots(self, grid: broadphase.Grid) -> NDArray[uint32]:
        """The slots that were filed in a grid the last time, in its sorted order."""
        return grid.order if self._filed is None else self._filed[grid.order]

    def _forget_stillness(self) -> None:
        """Let nothing have been still until now."""
        if self._has_stillness:
            self._states.stillness[:] = 0
            self._has_stillness = False

    def _begin_change(self) -> None:
        if not self.is_whole:
            self.wake_all()
        self.is_whole = False
        self.still_count = -1
        self._known_pairs = None

    def _new_states(self) -> broadphase.SleepStates:
        states = zeros_of(broadphase.SleepStates, *[self._colliders.capacity] * len(broadphase.SleepStates._fields))
        states.place[:] = -1
        return states

    def _reserve(self) -> None:
        if self._states.place.size < self._colliders.capacity:
            states = self._new_states()
            copy_into(self._states, states)
            self._states = states

    def _update(self, settings: Settings) -> None:
        placing, flags, count = self._placing, self._colliders.placed.moved, self._colliders.order.size
        moved = placing.moved
        if not self.kept.slots.size and moved.size == count:
            placing.expects_all = True
            self._forget_stillness()
            return
        placing.expects_all = False
        self._has_stillness = True
        before = self.listed_count
        self.listed_count, still = broadphase.wake_moved(moved, flags, self._states, self.kept, before)
        self.still_count = still
        self.departures += self.listed_count != before
        self._cost += still
        self._rebuild_if_it_pays(still, settings)

    def _rebuild_if_it_pays(self, still: int, settings: Settings) -> None:
        count = self._colliders.order.size
        sleeping = count - self.listed_count + still
        if still and self._cost >= _STEPS_TO_PAY * sleeping and 2 * sleeping >= count:
            self._rebuild(settings.cell_size or 0.0)

    def _rebuild(self, cell_size: float) -> None:
        """Put still colliders to sleep, and file all sleeping colliders again."""
        colliders, states = self._colliders, self._states
        order = colliders.order
        is_active = (states.place[order] < 0) & (states.stillness[order] < broadphase.STILL)
        active, sleeping = np.sort(order[is_active]), np.sort(order[~is_active])
        # A grid of its own: the one there is stays as it is until nothing can fail any more.
        grid = broadphase.Grid()
        pairs = grid.find_pairs(colliders.placed.boxes[sleeping], colliders.slots.entity[sleeping], cell_size)
        place = np.empty(len(sleeping), int32)
        place[grid.order] = np.arange(len(sleeping), dtype=int32)
        kept = broadphase.KeptGrid(sleeping[grid.order].astype(uint32), grid.tables)
        states.place[:] = -1
        states.place[sleeping] = place
        states.is_listed[:] = 0
        states.is_listed[active] = 1
        states.awake[: len(active)] = active
        self.grid, self.kept, self._pairs = grid, kept, place[pairs].astype(int64)
        colliders.placed.filed[sleeping] = FILED_SLEEPING
        self.listed_count, self.still_count = len(active), -1
        self._cost = 0
        self.generation += 1


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
        """Take pairs (m, 2) of slots from a stage; ``is_beside_sleeping``: without pairs of two that sleep."""
        self._pairs, self._is_beside_sleeping, self._given = pairs, is_beside_sleeping, None
        self._revision, self._changes = self._tables.revision, self._placing.changes
        self.finder, self.are_pending = finder, True

    def give(self, pairs: Any, finder: BroadphaseSystem | None = None) -> None:
        """Take pairs (m, 2) of numbers in the public order. Raises ValueError for anything else."""
        array = as_array(pairs)
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
