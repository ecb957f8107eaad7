"""From candidate pairs to the hits of a step, and what started and ended since the last."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import esper
import numpy as np
from numpy import bool_, int32, int64
from numpy.typing import NDArray

from ecsphys.components.collision.collision_filter import filter_blocks
from ecsphys.components.motion.transform import Transform
from ecsphys.components.store.component_table import NO_ROWS
from ecsphys.components.store.standing_blocks import call_without_holding
from ecsphys.engine.hits.contact_filter import filter_pairs, leave_out_joined
from ecsphys.engine.hits.contact_table import FoundContacts, LastContacts, RestingContacts
from ecsphys.engine.hits.hit_tracking import (
    DESPAWNED,
    DISABLED,
    FILTERED,
    SEPARATED,
    EndedRows,
    track_hits,
)
from ecsphys.engine.hits.touches import SweptContacts
from ecsphys.engine.kernels import Capacity, zeros_of
from ecsphys.engine.run import plan as word
from ecsphys.engine.tables.entity_rows import COLLISION_FILTER
from ecsphys.engine.threads.shared_work import part_count, share, slices
from ecsphys.systems.collision import contact_search
from ecsphys.systems.dynamics.resting import NONE_RESTING, Resting
from ecsphys.systems.hits.hit_arrays import Owners
from ecsphys.systems.hits.hit_events import HitListeners
from ecsphys.systems.hits.step_hits import (
    NO_COUNTS,
    NO_STRIKES,
    NONE_ENDED,
    ContactBuffer,
    HitCounts,
    StepHits,
    StrikeTeller,
)
from ecsphys.systems.stepping.fixed_step import running_systems

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState

# With fewer contacts to be written, a part is not worth handing to another thread.
_CONTACTS_AT_LEAST = 8192

# For a kernel that goes as far as there is something.
_TO_THE_END = int(np.iinfo(int32).max)

_NO_PAIRS: NDArray[int32] = np.zeros((0, 2), int32)


class HitTracker:
    """Runs the narrowphase of one :class:`~ecsphys.Physics` and keeps its hits.

    The result of a step is built separately, and replaces ``found`` in one assignment. If an interrupt or a failed
    allocation comes before, the hits of the last step stay.
    """

    def __init__(self, state: PhysicsState, token: object) -> None:
        self._state = state
        listeners = HitListeners(NO_ROWS, {})
        self.owners = Owners(state)
        """Which entities have the components that the game asks hits by."""
        self.found = StepHits(token, ContactBuffer(), NO_COUNTS, ContactBuffer(), NONE_ENDED, listeners, self.owners)
        """The outcome of the last step."""
        self.candidate_count = 0
        """Pairs that the broadphase found in this step."""
        self.tested_count = 0
        """Pairs that were tested in this step."""
        # The revision of the tables in the last step.
        self._tested_at = -1
        self.scenes = contact_search.ContactScenes(state)
        self.filters = contact_search.ChangedFilters(state.tables)
        self._tested: NDArray[int32] = np.zeros((0, 2), int32)
        self.aside = contact_search.ContactsAside()
        """Contacts that were found since the last step."""
        self._strikes = StrikeTeller()
        self.seen_to = -1
        """Up to which revision of its log the contacts know what was written to Transform."""
        self.search = contact_search.ContactSearch(state.tables, state.settings)
        """Finds the contacts of pairs."""
        self.resting = Resting(state)
        """Knows what a step may pass over."""
        self._capacities = {name: Capacity() for name in ("tested", "hits", "ended")}
        self._ended = NONE_ENDED
        self._calls = 0

    def keep_contacts(self, prediction: float) -> None:
        """From the next step on, keep contacts with their points for a stage that solves them: ``found.contacts``.

        Also of colliders that are less than ``prediction`` apart, in units, which is no hit; ValueError where that is
        negative or not finite.
        """
        if not 0.0 <= prediction < math.inf:
            raise ValueError(f"prediction must be a finite number >= 0, got {prediction!r}")
        # Sleeping colliders only have the contacts that were kept until now.
        self._state.sleeping.wake_all()
        self._state.pairs.invalidate()
        self.search.prediction, self.search.keeps_points = float(prediction), True
        self.resting.begin_anew()

    def keep_none(self) -> None:
        """From the next step on, keep hits only, as before :meth:`keep_contacts`."""
        self.search.keeps_points, self.search.prediction = False, 0.0
        self.resting.begin_anew()

    def update(self) -> None:
        """Test the candidate pairs, and replace the hits of the last step."""
        state, last = self._state, self.found
        if not last.delivery.is_done and any(one is state.stepping.event_stage for one in running_systems()):
            # Send events that an interrupt has held back.
            call_without_holding(lambda: state.deliver(lambda: last.delivery.send(last)))
            state.update()
            if state.hits is not self:
                # A handler has cleared the database: this step is over.
                state.hits.found.delivery.errors = last.delivery.errors
                return
        last.forget_changes()
        state.place()
        seen_to = Transform._columns.writes.revision
        self.wake_refiltered()
        swept, touches = state.progress.swept, state.touches
        are_touched = len(touches) > 0
        if are_touched:
            self._wake_touched()
        pairs, is_beside_sleeping, is_trusted = state.pairs.find()
        self.candidate_count = len(pairs)
        if not is_beside_sleeping:
            # The hits of sleeping colliders would end: wake them, so that their pairs are found again.
            state.sleeping.stay_awake()
        self.scenes.mark_dead()
        if are_touched:
            swept = touches.beside(swept, state.progress.dt)
        swept_count = len(swept.pairs)
        if swept_count:
            chosen = self._choose(swept.pairs, is_trusted=False)
            if len(chosen) < swept_count:
                # Without colliders that are gone by now, and pairs that may not hit.
                is_chosen = self.are_among(swept.pairs, chosen)
                swept = SweptContacts(swept.pairs[is_chosen], swept.rows[is_chosen], swept.besides[is_chosen])
        tested = self._choose(pairs, is_trusted=is_trusted)
        resting = self.resting.take_contacts()
        if self.scenes.marked.size or not is_beside_sleeping:
            resting = NONE_RESTING
        buffer, counts = self._contacts_of(tested, swept, is_beside_sleeping, last.last, resting)
        self._conclude(buffer, counts, seen_to)
        self.tested_count = len(tested)
        state.progress.swept = contact_search.NO_SWEPT
        if are_touched:
            touches.use_up()

    def _conclude(self, buffer: ContactBuffer, counts: HitCounts, seen_to: int) -> None:
        """Make the contacts in a buffer the hits of this step."""
        state, last, tables = self._state, self.found, self._state.tables
        contact_count, end_count = counts.contacts, counts.ended
        if self.aside.count:
            pushed = self.aside.give(buffer, contact_count)
            counts = counts._replace(near=counts.near - pushed, new=counts.new + pushed)
        buffer.untold.clear()
        ended = NONE_ENDED
        if end_count:
            ended = EndedRows(self._ended.rows[:end_count], self._ended.reasons[:end_count])
        strikes, pressed_for = NO_STRIKES, last.pressed_for
        solver = state.solver
        if solver is not None and buffer.has_points:
            rising = solver.rising_since(last)
            if rising >= 0:
                pressed_for = solver.dt
            if rising > 0 or last.strikes.is_any_left or (rising >= 0 and end_count):
                strikes = self._strikes.tell(solver, last, self.aside, buffer, contact_count, ended)
        if end_count:
            if tables.revision != self._tested_at or self.scenes.marked.size:
                _tell_despawned(last, ended)
            if state.joints.pairs:
                is_apart = state.joints.pairs.are_apart(last.buffer.pairs[ended.rows])
                ended.reasons[is_apart & (ended.reasons == SEPARATED)] = FILTERED
        listeners = HitListeners.of(tables.listeners, last.listeners)
        found = StepHits(state.token, buffer, counts, last.buffer, ended, listeners, self.owners)
        found.strikes, found.pressed_for = strikes, pressed_for
        found.delivery.errors = last.delivery.errors
        self.found, self.seen_to, self.aside.count = found, seen_to, 0
        self.owners.note()
        # After the assignment: a step that is cut short looks once more for colliders that are gone.
        self._tested_at = tables.revision
        state.pairs.use_up()
        tables.release_absent()

    def plan(self, plan: word.StepPlan, last: ContactBuffer, held: ContactBuffer) -> bool:
        """Write to a plan how the ``last`` contacts lead to those in ``held``; False if the next step needs Python."""
        state, search, tables = self._state, self.search, self._state.tables
        revision, keeps_points = tables.revision, search.keeps_points
        if (
            self.scenes.marked.size
            or self.aside.count
            or self._tested_at != revision
            or not search.has_room
            or not last.as_of == held.as_of == revision
            or not last.has_points == held.has_points == keeps_points
        ):
            return False
        pairs = _NO_PAIRS
        if state.joints.pairs:
            plan.put(word.IS_JOINED, 1)
            leaving_out = state.joints.pairs.leaving_out(pairs)
            plan.record(leave_out_joined, leaving_out)
            plan.put(word.KEPT_ROOM, len(leaving_out[-1]))
        if tables.entities.instances[COLLISION_FILTER].count:
            if self.filters.are_any():
                return False
            plan.put(word.IS_FILTERED, 1)
            plan.record(filter_pairs, (pairs, tables.colliders.slots, self.scenes.dead, filter_blocks(), self._tested))
            plan.put(word.TESTED_ROOM, len(self._tested))
        search.plan_finding(plan, pairs)
        scene = self.scenes.scene(True)
        found = FoundContacts(search.rows, search.run, 0, contact_search.NO_SWEPT.besides, 0)
        lasting = LastContacts(last.with_points(keeps_points), 0, self.resting.contacts.runs, 0)
        arguments = scene, found, search.sorting, held.table, lasting, self._ended, True, 0, _TO_THE_END
        plan.record(track_hits, arguments)
        plan.put(word.KNOWS_SLEEP, scene.sleeping.size > 0)
        plan.put(word.HIT_ROOM, held.capacity)
        plan.put(word.ENDED_ROOM, len(self._ended.rows))
        plan.put(word.KNOWN, held.written)
        return True

    def put_into(self, plan: word.StepPlan) -> None:
        """Put the number of the last step's contacts into a plan."""
        counts = self.found.counts
        plan.put(word.CONTACTS, counts.contacts)
        plan.put(word.NEAR, counts.near)
        plan.put(word.CALL, self._calls)

    def begin_planned(self) -> None:
        """A plan overwrites the contacts of the step before the last from now on."""
        self.found.forget_changes()
        self.found.last.begin_writing(-1)

    def hits_of_plan(self, words: memoryview, steps: int, pressed_for: float) -> StepHits:
        """The hits of the last of some steps of plans, in which none began or ended; nothing changes."""
        found = self.found
        buffer, last = (found.last, found.buffer) if steps % 2 else (found.buffer, found.last)
        counts = HitCounts(words[word.CONTACTS], words[word.NEAR], 0, 0)
        made = StepHits(found.delivery.token, buffer, counts, last, NONE_ENDED, found.listeners, self.owners)
        # A game may ask for the hits while another world is current.
        made.delivery.world = found.delivery.world
        made.pressed_for = pressed_for
        made.delivery.errors = found.delivery.errors
        return made

    def settle(self, words: memoryview, seen_to: int, known: int) -> None:
        """Note what a plan has done, of which :meth:`hits_of_plan` gave the hits; ``known``: how many contacts the step
        before has left in its buffer. For ``seen_to`` see :meth:`take_from`."""
        buffer, last, revision = self.found.buffer, self.found.last, self._state.tables.revision
        self._note_found(buffer, words)
        last.end_writing(revision, known)
        self.seen_to = seen_to
        self.owners.note()
        self._state.pairs.use_up()

    def take_from(self, words: memoryview, seen_to: int) -> None:
        """Make the contacts that a plan has found the hits of a step; ``seen_to``: the revision of the log of Transform
        at its end."""
        buffer = self.found.last
        counts = HitCounts(words[word.CONTACTS], words[word.NEAR], words[word.NEW], words[word.ENDED])
        self._note_found(buffer, words)
        self._conclude(buffer, counts, seen_to)

    def _note_found(self, buffer: ContactBuffer, words: memoryview) -> None:
        """Note how many contacts a plan has left in a buffer, and how it found them."""
        at_rest, resting = words[word.AT_REST], self.resting.take_contacts()
        if at_rest == 0 or at_rest != resting.total:
            self.resting.lose_contacts()
        buffer.end_writing(self._state.tables.revision, words[word.CONTACTS])
        self._calls = words[word.CALL]
        self.candidate_count, self.tested_count = words[word.PAIRS], words[word.TESTED]

    def _contacts_of(
        self,
        tested: NDArray[int32],
        swept: SweptContacts,
        is_beside_sleeping: bool,
        held: ContactBuffer,
        resting: RestingContacts,
    ) -> tuple[ContactBuffer, HitCounts]:
        """The contacts of pairs and of sweeps, merged with the last, in ``held``, or in another buffer if that does not
        fit, and how many they are; ``held`` has those ``resting`` already."""
        first_swept, swept_count = len(tested), len(swept.pairs)
        search, last, revision = self.search, self.found, self._state.tables.revision
        search.make_room(first_swept + swept_count)
        rows = search.rows
        runs, count = search.find(tested)
        if swept_count:
            end = first_swept + swept_count
            rows.pairs[first_swept:end], rows.rows[first_swept:end] = swept.pairs, swept.rows
            runs = np.concatenate((runs, np.array([(first_swept, swept_count)], int64)))
            count += swept_count
        scene = self.scenes.scene(is_beside_sleeping)
        # Hits that go on asleep are not found, nor are near contacts that struck and parted: there may be as many more
        # as in the last step.
        most = count + (last.counts.contacts if scene.sleeping.size else last.counts.near)
        capacity = self._capacities["hits"].choose(most, held.capacity)
        is_fitting = capacity == held.capacity and search.keeps_points == held.has_points
        buffer = held if is_fitting else ContactBuffer(capacity, search.keeps_points)
        self._calls += 1
        found = FoundContacts(rows, runs, first_swept, swept.besides, self._calls)
        if buffer is not held:
            resting = NONE_RESTING
        capacity = self._capacities["ended"].choose(last.counts.contacts, len(self._ended.rows))
        if capacity != len(self._ended.rows):
            self._ended = zeros_of(EndedRows, capacity, capacity)
        known, last_table = buffer.begin_writing(revision), last.buffer.with_points(search.keeps_points)
        lasting = LastContacts(last_table, last.counts.contacts, resting.runs, known)
        threads, sorting = self._state.settings.threads, search.sorting
        is_shared = part_count(count, _CONTACTS_AT_LEAST, threads) > 1
        end = 0 if is_shared else _TO_THE_END
        contact_count, near_count, new_count, end_count, listed, at_rest = track_hits(
            scene, found, sorting, buffer.table, lasting, self._ended, True, 0, end
        )
        if at_rest == 0 or at_rest != resting.total:
            # They are in other rows now, or may be.
            self.resting.lose_contacts()
        if is_shared:

            def write(part: slice) -> None:
                track_hits(scene, found, sorting, buffer.table, lasting, self._ended, False, part.start, part.stop)

            share(write, slices(listed, part_count(listed, _CONTACTS_AT_LEAST, threads)), threads)
        buffer.end_writing(revision, contact_count)
        return buffer, HitCounts(contact_count, near_count, new_count, end_count)

    def find_aside(self) -> tuple[ContactBuffer, int]:
        """The contacts of the world as it is now, with the impulses of the last step's, and how many they are.

        For a solver, where the game has moved things since the last step: the hits stay those of that step. The buffer
        is overwritten by the next call.
        """
        state = self._state
        state.place()
        self.wake_refiltered()
        finder = state.pairs.finder
        if finder is None:
            return self.aside.buffer, 0
        generation = state.sleeping.generation
        finder.update()
        if state.sleeping.generation != generation and len(state.touches):
            # It has just fallen asleep, with all else that was still as long.
            self._wake_touched()
        pairs, is_beside_sleeping, is_trusted = state.pairs.find()
        state.pairs.use_up()
        if is_beside_sleeping:
            state.sleeping.know_pairs(pairs)
        self.scenes.mark_dead()
        chosen = self._choose(pairs, is_trusted)
        aside = self.aside
        # What ended in the last step is told still.
        ended, self._ended = self._ended, aside.ended
        aside.buffer, counts = self._contacts_of(
            chosen, state.progress.swept, is_beside_sleeping, aside.buffer, NONE_RESTING
        )
        aside.ended, self._ended = self._ended, ended
        aside.count = counts.contacts
        return aside.buffer, aside.count

    @property
    def has_structure_changed(self) -> bool:
        """Whether anything has come or gone since the last step."""
        return self._tested_at != self._state.tables.revision

    def go_on(self, prediction: float, keeps_points: bool, has_structure_changed: bool) -> None:
        """Take all colliders for where the last step left them, with contacts kept as :meth:`keep_contacts` says."""
        self.aside.count = 0
        self._tested_at = -1 if has_structure_changed else self._state.tables.revision
        search = self.search
        search.prediction, search.keeps_points = prediction, keeps_points
        self.seen_to = Transform._columns.writes.revision
        self.resting.begin_anew()

    def choose_pairs(self, pairs: NDArray[int32]) -> NDArray[int32]:
        """The pairs among some (m, 2), of slots, that may hit each other, lower body first; a copy."""
        self.scenes.mark_dead()
        return self._choose(pairs, is_trusted=False).copy()

    def are_among(self, pairs: NDArray[int32], others: NDArray[int32]) -> NDArray[bool_]:
        """Which of some pairs (m, 2) of slots are among others, lower body first."""
        capacity = int64(self._state.tables.colliders.capacity)
        return np.isin(pairs[:, 0] * capacity + pairs[:, 1], others[:, 0] * capacity + others[:, 1])

    def wake_refiltered(self) -> None:
        """Wake colliders that may have another filter: of sleeping ones only the hits are known."""
        if not self.filters.are_any():
            return
        state, refiltered = self._state, self.filters.colliders()
        if refiltered.size and (state.sleeping.places[refiltered] >= 0).any():
            # In this order: where it is cut short, it is done again.
            state.pairs.invalidate()
            state.sleeping.wake(refiltered)
        self.filters.forget()

    def _wake_touched(self) -> None:
        """Keep awake what touches a solid, where contacts have points: those are of the near contact beside the touch,
        which is not looked for if both sleep."""
        state = self._state
        if not self.search.keeps_points or not state.sleeping.kept.slots.size:
            return
        movers = state.touches.find_movers()
        if (state.sleeping.places[movers] >= 0).any():
            # In this order: where it is cut short, it is done again.
            state.pairs.invalidate()
        state.sleeping.wake(movers)

    def room_for(self, count: int, beside: ContactBuffer | None) -> ContactBuffer:
        """A buffer for so many contacts that is not the one ``beside``; of the last steps' if one fits."""
        for held in (self.found.last, self.found.buffer):
            if held is not beside and held.capacity >= count and held.has_points == self.search.keeps_points:
                held.begin_writing(-1)
                return held
        return ContactBuffer(count + count // 4, self.search.keeps_points)

    def _choose(self, pairs: NDArray[int32], is_trusted: bool) -> NDArray[int32]:
        """The pairs that have to be tested, lower body first; pairs of our own grid are in order already."""
        tables, joined = self._state.tables, self._state.joints.pairs
        if joined:
            pairs = joined.leave_out(pairs)
        is_filtered = bool(tables.entities.instances[COLLISION_FILTER].count)
        if is_trusted and not len(self.scenes.marked) and not is_filtered:
            return pairs
        capacity = self._capacities["tested"].choose(len(pairs), len(self._tested))
        if capacity != len(self._tested):
            self._tested = np.zeros((capacity, 2), int32)
        count = filter_pairs(pairs, tables.colliders.slots, self.scenes.dead, filter_blocks(), self._tested)
        return self._tested[:count]


def _tell_despawned(last: StepHits, ended: EndedRows) -> None:
    """Set the reason of ended hits with an entity that is gone; others lost a component, or were disabled."""
    lost = np.flatnonzero(ended.reasons <= DISABLED)
    if not lost.size:
        return
    hits, rows = last.buffer.table.hits, ended.rows[lost]
    pairs = zip(lost.tolist(), hits.entity_a[rows].tolist(), hits.entity_b[rows].tolist(), strict=True)
    for position, a, b in pairs:
        if not (esper.entity_exists(a) and esper.entity_exists(b)):
            ended.reasons[position] = DESPAWNED
