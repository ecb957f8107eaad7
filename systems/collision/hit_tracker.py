"""The narrowphase: from candidate pairs to the hits of a step, and what started and ended since the last."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import esper
import numpy as np
from numpy import bool_, float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.collision_filter import CollisionFilter
from ecsphys.components.collision.vertex_pool import VERTEX_POOL
from ecsphys.components.motion.transform import Velocity
from ecsphys.components.store.component_table import NO_ROWS
from ecsphys.engine.contact.contact import CONTACT_COLUMNS, find_contacts
from ecsphys.engine.contacts.hit_tracking import (
    DESPAWNED,
    DISABLED,
    REMOVED,
    SORT_COUNTS,
    filter_pairs,
    recall_contacts,
    track_hits,
)
from ecsphys.engine.kernels.cache_lines import aligned_zeros
from ecsphys.engine.kernels.capacity import Capacity
from ecsphys.systems.ccd.swept_contacts import SweptContacts
from ecsphys.systems.collision.hit_listeners import HitListeners
from ecsphys.systems.collision.step_hits import HitBuffer, StepHits
from ecsphys.systems.world.esper_world import database_token, dead_entities
from ecsphys.systems.world.placed_colliders import PlacedColliders
from ecsphys.systems.world.proxies import Proxies
from ecsphys.systems.world.world_index import WorldIndex

if TYPE_CHECKING:
    from ecsphys.systems.physics import Physics

_NONE: NDArray[int64] = np.zeros(0, int64)


class _Contacts:
    """Contacts as the engine finds them, in the order of their pairs, and room to put them in order."""

    __slots__ = ("capacity", "keys", "order", "pairs", "rows")

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.pairs: NDArray[int32] = np.zeros((capacity, 2), int32)
        self.rows = aligned_zeros(capacity, CONTACT_COLUMNS)
        self.keys: NDArray[int64] = np.zeros((2, capacity), int64)
        self.order: NDArray[int32] = np.zeros((2, capacity), int32)


class _RestingContacts(NamedTuple):
    """The contacts among the colliders at rest of one grid of them, each with its pair of berths."""

    generation: int
    berths: NDArray[int64]
    rows: NDArray[float64]


class HitTracker:
    """Runs the narrowphase of one :class:`Physics` and answers what it found.

    What a step found is built aside and replaces ``found`` in one assignment: a step that an interrupt or a failed
    allocation ends anywhere before leaves the hits of the last one, and is as if it had not been.
    """

    def __init__(self, physics: Physics) -> None:
        self._physics = physics
        listeners = HitListeners(NO_ROWS, None, {})
        self.found = StepHits(None, HitBuffer(), 0, HitBuffer(), _NONE, np.zeros(0, uint8), listeners)
        """The outcome of the last step."""
        self.tested_count = 0
        """Pairs that were tested in this step."""
        self._absent: NDArray[uint8] = np.zeros(0, uint8)
        self._marked = _NONE
        self._tested: NDArray[int32] = np.zeros((0, 2), int32)
        self._contacts = _Contacts(0)
        self._at_rest = _RestingContacts(-1, np.zeros((0, 2), int64), np.zeros((0, CONTACT_COLUMNS)))
        self._counts: NDArray[int64] = np.zeros(SORT_COUNTS, int64)
        self._capacities = {name: Capacity() for name in ("tested", "contacts", "hits", "ended")}
        self._ended_rows: NDArray[int64] = _NONE
        self._ended_reasons: NDArray[uint8] = np.zeros(0, uint8)

    def deliver(self) -> None:
        """Send the events of the last step, and raise what handlers raised."""
        delivery = self.found.delivery
        delivery.send(self.found)
        delivery.raise_errors()

    def update(self) -> None:
        """Test the candidate pairs; the hits of this step become those of the last."""
        physics, last = self._physics, self.found
        last.delivery.send(last)  # what an interrupt kept from being sent
        last.forget_changes()
        pairs, beside_resting = physics.take_candidate_pairs()
        index = physics.entered_index
        placed = physics.placed_at(index)
        proxies = index.proxies
        successor = _NONE
        if last.index is not None and last.index is not index and last.count:
            successor = physics.successors(last.index, index)
        self._mark_absent(index)
        resting = self._contacts_at_rest(placed) if beside_resting else None
        swept = self._swept(index)
        tested = self._choose(pairs, proxies, is_trusted=beside_resting)
        most = (len(resting.berths) if resting is not None else 0) + len(tested) + len(swept)
        contacts = self._contacts = self._room_for(most)
        recalled = 0 if resting is None else self._recall(resting, proxies, contacts)
        first_swept = recalled + self._find(tested, placed, contacts.pairs[recalled:], contacts.rows[recalled:])
        count = first_swept + swept.copy_to(contacts.pairs[first_swept:], contacts.rows[first_swept:])
        capacity = self._capacities["hits"].choose(count, last.last.capacity)
        buffer = last.last if capacity == last.last.capacity else HitBuffer(capacity)
        capacity = self._capacities["ended"].choose(last.count, len(self._ended_rows))
        if capacity != len(self._ended_rows):
            self._ended_rows, self._ended_reasons = np.zeros(capacity, int64), np.zeros(capacity, uint8)
        hits = buffer.columns
        filters = CollisionFilter._columns
        hit_count, _, ended = track_hits(
            contacts.pairs,
            count,
            contacts.rows,
            first_swept,
            swept.times_and_speeds,
            proxies.entity,
            proxies.collider,
            proxies.part,
            proxies.body,
            self._absent,
            placed.positions,
            proxies.filter_row,
            filters.uint32,
            filters.int64,
            proxies.velocity_row,
            Velocity._columns.float64,
            proxies.trajectory,
            physics.current_trajectory_velocity(),
            contacts.keys,
            contacts.order,
            self._counts,
            buffer.proxies,
            hits.entity_a,
            hits.entity_b,
            hits.collider_a,
            hits.collider_b,
            hits.part_a,
            hits.part_b,
            hits.normal,
            hits.depth,
            hits.points,
            hits.point_count,
            hits.approach_speed,
            hits.time,
            buffer.is_new,
            last.buffer.proxies,
            last.count,
            successor,
            self._ended_rows,
            self._ended_reasons,
        )
        buffer.is_suppressed[:hit_count] = False
        ended_rows, reasons = self._ended_rows[:ended], self._ended_reasons[:ended]
        if successor is not _NONE and last.index is not None:
            _tell_why_removed(last.index, last.proxies[ended_rows], reasons)
        listeners = HitListeners.of(index, last.listeners)
        found = StepHits(index, buffer, hit_count, last.buffer, ended_rows, reasons, listeners)
        found.delivery.errors = last.delivery.errors
        self.tested_count = len(tested)
        self.found = found
        swept.clear()
        physics.release_old_index()

    def choose_pairs(self, pairs: NDArray[int32], index: WorldIndex) -> NDArray[int32]:
        """Those of some pairs (m, 2) of proxies that may hit each other, lower body first; a copy."""
        self._mark_absent(index)
        return self._choose(pairs, index.proxies, is_trusted=False).copy()

    def were_hitting(self, pairs: NDArray[int32], index: WorldIndex) -> NDArray[bool_]:
        """For each of some pairs (m, 2) of proxies, lower body first, whether they hit each other in the last step."""
        found, hits = self.found, self.found.proxies
        if found.index is not None and found.index is not index and len(hits):
            successors = self._physics.successors(found.index, index)[hits]
            hits = successors[(successors >= 0).all(axis=1)].astype(int32)
        key = np.array((len(index.proxies), 1))
        return np.isin(pairs @ key, hits @ key)

    def _swept(self, index: WorldIndex) -> SweptContacts:
        """What bullets touched on their way, less what is gone by now or is not to be met."""
        swept = self._physics.swept_contacts
        swept.follow(index)
        if len(swept):
            pairs = self._choose(swept.pairs, index.proxies, is_trusted=True)
            if pairs is not swept.pairs:
                key = np.array((len(index.proxies), 1))
                swept.keep(np.isin(swept.pairs @ key, pairs @ key))
        return swept

    def _choose(self, pairs: NDArray[int32], proxies: Proxies, is_trusted: bool) -> NDArray[int32]:
        """The pairs that have to be tested, lower body first; those of our own grid are in order already."""
        if is_trusted and not len(self._marked) and not proxies.is_filtered:
            return pairs
        capacity = self._capacities["tested"].choose(len(pairs), len(self._tested))
        if capacity != len(self._tested):
            self._tested = np.zeros((capacity, 2), int32)
        filters = CollisionFilter._columns
        count = filter_pairs(
            pairs, proxies.body, self._absent, proxies.filter_row, filters.uint32, filters.int64, self._tested
        )
        if count < 0:
            a, b = pairs[-1 - count].tolist()
            raise ValueError(f"candidate pairs must be indices into the {len(proxies)} proxies, got ({a}, {b})")
        return self._tested[:count]

    def _find(
        self, tested: NDArray[int32], placed: PlacedColliders, pairs: NDArray[int32], rows: NDArray[float64]
    ) -> int:
        """Write the contacts of pairs to two arrays with room for as many; returns how many there are."""
        if not len(tested):
            return 0
        return find_contacts(tested, placed.forms, placed.positions, placed.shapes, VERTEX_POOL.data, pairs, rows)

    def _contacts_at_rest(self, placed: PlacedColliders) -> _RestingContacts:
        """The contacts among the colliders at rest, found once for each grid of them."""
        resting = self._physics.resting
        if self._at_rest.generation != resting.generation:
            pairs = resting.resting_pairs
            pairs.sort(axis=1)
            touching, rows = np.empty((len(pairs), 2), int32), aligned_zeros(len(pairs), CONTACT_COLUMNS)
            count = self._find(pairs, placed, touching, rows)
            self._at_rest = _RestingContacts(resting.generation, resting.berths_of(touching[:count]), rows)
        return self._at_rest

    def _recall(self, resting: _RestingContacts, proxies: Proxies, contacts: _Contacts) -> int:
        """Begin the contacts of this step with those among the colliders at rest; returns how many there are."""
        if not len(resting.berths):
            return 0
        filters = CollisionFilter._columns
        return recall_contacts(
            resting.berths,
            self._physics.resting.names,
            resting.rows,
            self._absent,
            proxies.filter_row,
            filters.uint32,
            filters.int64,
            contacts.pairs,
            contacts.rows,
        )

    def _room_for(self, count: int) -> _Contacts:
        """Arrays for as many contacts: those kept, unless too few or far too many fit."""
        capacity = self._capacities["contacts"].choose(count, self._contacts.capacity)
        return self._contacts if capacity == self._contacts.capacity else _Contacts(capacity)

    def _mark_absent(self, index: WorldIndex) -> None:
        """Flag the proxies of the entities that are marked dead now."""
        if len(index.proxies) > self._absent.size:
            self._absent, self._marked = np.zeros(2 * len(index.proxies), uint8), _NONE
        # At every moment, what is flagged is among what is marked.
        self._absent[self._marked] = 0
        dead = dead_entities()
        if not dead:
            self._marked = _NONE
            return
        self._marked = np.flatnonzero(np.isin(index.proxies.entity, np.fromiter(dead, int64, len(dead))))
        self._absent[self._marked] = 1


def _tell_why_removed(old: WorldIndex, pairs: NDArray[int32], reasons: NDArray[uint8]) -> None:
    """Tell ended hits of which an entity is gone, or disabled, from those that lost a component.

    ``pairs`` (m, 2) are their proxies in the old index; ``reasons`` (m,) are overwritten.
    """
    lost = np.flatnonzero(reasons == REMOVED)
    if old.token is not database_token():
        reasons[lost] = DESPAWNED
        return
    for position, pair in zip(lost.tolist(), pairs[lost].tolist(), strict=True):
        entities = [int(old.proxies.entity[proxy]) for proxy in pair]
        if not all(map(esper.entity_exists, entities)):
            reasons[position] = DESPAWNED
        elif all(map(old.proxies.is_attached, pair)):
            reasons[position] = DISABLED
