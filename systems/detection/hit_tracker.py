"""The narrowphase's memory: the hits of this step and of the last, and what started and ended between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import esper
import numpy as np
from numpy import bool_, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.collision_filter import CollisionFilter
from ecsphys.components.transform import Velocity
from ecsphys.components.vertex_pool import VERTEX_POOL
from ecsphys.engine.cache_lines import aligned_zeros
from ecsphys.engine.contact import CONTACT_COLUMNS, find_contacts
from ecsphys.engine.hit_tracking import (
    DESPAWNED,
    DISABLED,
    REMOVED,
    SORT_COUNTS,
    filter_pairs,
    recall_contacts,
    track_hits,
)
from ecsphys.systems.bullets.swept_contacts import SweptContacts
from ecsphys.systems.detection.hit_listeners import HitListeners
from ecsphys.systems.detection.hits import EndedHitArrays, Hit, HitArrays
from ecsphys.systems.world.capacity import grown
from ecsphys.systems.world.esper_world import database_token, dead_entities
from ecsphys.systems.world.placed_colliders import PlacedColliders
from ecsphys.systems.world.proxies import Proxies
from ecsphys.systems.world.world_index import WorldIndex

if TYPE_CHECKING:
    from ecsphys.systems.physics import Physics

_NONE: NDArray[int64] = np.zeros(0, int64)


class _ContactBuffer:
    """The contacts of one step as the engine finds them, in the order of the pairs."""

    __slots__ = ("pairs", "rows")

    def __init__(self, capacity: int) -> None:
        self.pairs: NDArray[int32] = np.zeros((capacity, 2), int32)
        self.rows = aligned_zeros(capacity, CONTACT_COLUMNS)

    def grown(self, needed: int) -> _ContactBuffer:
        """A buffer for as many, which begins with what is in this one."""
        old = len(self.pairs)
        larger = _ContactBuffer(grown(needed))
        for name in self.__slots__:
            getattr(larger, name)[:old] = getattr(self, name)
        return larger


class _HitBuffer:
    """The hits of one step in arrays kept from step to step."""

    __slots__ = ("columns", "count", "is_new", "muted", "proxies")

    def __init__(self, capacity: int = 0) -> None:
        self.columns = HitArrays(capacity)
        self.proxies: NDArray[int32] = np.zeros((capacity, 2), int32)
        self.is_new: NDArray[uint8] = np.zeros(capacity, uint8)
        self.muted: NDArray[bool_] = np.zeros(capacity, bool_)
        self.count = 0


class HitTracker:
    """Runs the narrowphase of one :class:`Physics` and answers what it found."""

    def __init__(self, physics: Physics) -> None:
        self._physics = physics
        self._index: WorldIndex | None = None
        self._now = _HitBuffer()
        self._last = _HitBuffer()
        self._started: HitArrays | None = None
        self._ended: EndedHitArrays | None = None
        self._ended_rows: NDArray[int64] = np.zeros(0, int64)
        self._ended_reasons: NDArray[uint8] = np.zeros(0, uint8)
        self._ended_count = 0
        self._absent: NDArray[uint8] = np.zeros(0, uint8)
        self._marked = _NONE
        self._tested: NDArray[int32] = np.zeros((0, 2), int32)
        self.tested_count = 0
        """Pairs that were tested in this step."""
        self.started_count = 0
        """Hits that began in this step."""
        self._contacts = _ContactBuffer(0)
        self._resting_contacts = _ContactBuffer(0)
        self._resting_berths: NDArray[int64] = np.zeros((0, 2), int64)
        self._resting_generation = -1
        self._keys: NDArray[int64] = np.zeros((2, 0), int64)
        self._order: NDArray[int32] = np.zeros((2, 0), int32)
        self._counts: NDArray[int64] = np.zeros(SORT_COUNTS, int64)
        self.listeners = HitListeners()
        self.delivering = False
        """Whether hit events are being delivered: the physics must not be stepped meanwhile."""

    def update(self) -> None:
        """Test the candidate pairs; the hits of this step become those of the last."""
        physics = self._physics
        pairs, beside_resting = physics.take_candidate_pairs()
        index = physics.entered_index
        placed = physics.placed_at(index)
        proxies = index.proxies
        last, now = self._now, self._last
        successor = _NONE
        if self._index is not None and self._index is not index and last.count:
            successor = physics.successors(self._index, index)
        self._mark_absent(index)
        recalled = self._recall(placed, proxies) if beside_resting else 0
        swept = self._swept(index)
        tested = self._choose(pairs, proxies, is_trusted=beside_resting)
        self.tested_count = len(tested)
        self._reserve(recalled + len(tested) + len(swept), last.count)
        contacts = self._contacts
        first_swept = recalled + self._find(tested, placed, contacts, recalled)
        count = first_swept + swept.copy_to(contacts.pairs[first_swept:], contacts.rows[first_swept:])
        if count > now.is_new.size:
            now = _HitBuffer(grown(count))
        hits = now.columns
        filters = CollisionFilter._columns
        now.count, self.started_count, self._ended_count = track_hits(
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
            self._keys,
            self._order,
            self._counts,
            now.proxies,
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
            now.is_new,
            last.proxies,
            last.count,
            successor,
            self._ended_rows,
            self._ended_reasons,
        )
        swept.clear()
        now.muted[: now.count] = False
        self._now, self._last = now, last
        if successor is not _NONE and self._index is not None:
            self._tell_why_removed(self._index)
        self._index = index
        self.listeners.update(index)
        physics.release_old_index()
        self._started = self._ended = None

    def choose_pairs(self, pairs: NDArray[int32], index: WorldIndex) -> NDArray[int32]:
        """Those of some pairs (m, 2) of proxies that may hit each other, lower body first; a copy."""
        self._mark_absent(index)
        return self._choose(pairs, index.proxies, is_trusted=False).copy()

    def were_hitting(self, pairs: NDArray[int32], index: WorldIndex) -> NDArray[bool_]:
        """For each of some pairs (m, 2) of proxies, lower body first, whether they hit each other in the last step."""
        hits = self._now.proxies[: self._now.count]
        if self._index is not None and self._index is not index and len(hits):
            heirs = self._physics.successors(self._index, index)[hits]
            hits = heirs[(heirs >= 0).all(axis=1)].astype(int32)
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
        if len(pairs) > len(self._tested):
            self._tested = np.zeros((grown(len(pairs)), 2), int32)
        filters = CollisionFilter._columns
        count = filter_pairs(
            pairs, proxies.body, self._absent, proxies.filter_row, filters.uint32, filters.int64, self._tested
        )
        if count < 0:
            a, b = pairs[-1 - count].tolist()
            raise ValueError(f"candidate pairs must be indices into the {len(proxies)} proxies, got ({a}, {b})")
        return self._tested[:count]

    def _find(self, tested: NDArray[int32], placed: PlacedColliders, contacts: _ContactBuffer, first: int) -> int:
        """Write the contacts of pairs to a buffer from a row on; returns how many there are."""
        if not len(tested):
            return 0
        return find_contacts(
            tested,
            placed.forms,
            placed.positions,
            placed.shapes,
            VERTEX_POOL.data,
            contacts.pairs[first:],
            contacts.rows[first:],
        )

    def _recall(self, placed: PlacedColliders, proxies: Proxies) -> int:
        """Begin the contacts of this step with those among the colliders at rest, found once for each grid of them."""
        resting = self._physics.resting
        kept = self._resting_contacts
        if self._resting_generation != resting.generation:
            self._resting_generation = resting.generation
            pairs = resting.resting_pairs
            pairs.sort(axis=1)
            kept = self._resting_contacts = _ContactBuffer(len(pairs))
            count = self._find(pairs, placed, kept, 0)
            self._resting_berths = resting.berths_of(kept.pairs[:count])
        count = len(self._resting_berths)
        if not count:
            return 0
        self._reserve(count, 0)
        contacts = self._contacts
        filters = CollisionFilter._columns
        return recall_contacts(
            self._resting_berths,
            resting.names,
            kept.rows,
            self._absent,
            proxies.filter_row,
            filters.uint32,
            filters.int64,
            contacts.pairs,
            contacts.rows,
        )

    def _reserve(self, contacts: int, last_hits: int) -> None:
        if contacts > len(self._contacts.pairs):
            self._contacts = self._contacts.grown(contacts)
            self._keys = np.zeros((2, len(self._contacts.pairs)), int64)
            self._order = np.zeros((2, len(self._contacts.pairs)), int32)
        if last_hits > self._ended_rows.size:
            capacity = grown(last_hits)
            self._ended_rows = np.zeros(capacity, int64)
            self._ended_reasons = np.zeros(capacity, uint8)

    def _mark_absent(self, index: WorldIndex) -> None:
        """Flag the proxies of the entities that are marked dead now."""
        if len(index.proxies) > self._absent.size:
            self._absent = np.zeros(grown(len(index.proxies)), uint8)
            self._marked = _NONE
        self._absent[self._marked] = 0
        self._marked = _NONE
        dead = dead_entities()
        if dead:
            self._marked = np.flatnonzero(np.isin(index.proxies.entity, np.fromiter(dead, int64, len(dead))))
            self._absent[self._marked] = 1

    def _tell_why_removed(self, old: WorldIndex) -> None:
        """Tell the hits of which an entity is gone, or disabled, from those that lost a component."""
        reasons = self._ended_reasons[: self._ended_count]
        lost = np.flatnonzero(reasons == REMOVED)
        if old.token is not database_token():
            reasons[lost] = DESPAWNED
            return
        pairs = self._last.proxies[self._ended_rows[lost]].tolist()
        for position, pair in zip(lost.tolist(), pairs, strict=True):
            entities = [int(old.proxies.entity[proxy]) for proxy in pair]
            if not all(map(esper.entity_exists, entities)):
                reasons[position] = DESPAWNED
            elif all(map(old.proxies.is_attached, pair)):
                reasons[position] = DISABLED

    @property
    def hit_count(self) -> int:
        """Number of hits of this step."""
        return self._now.count

    @property
    def ended_count(self) -> int:
        """Number of hits that ended in this step."""
        return self._ended_count

    @property
    def hits(self) -> HitArrays:
        """All hits of this step; views, overwritten by the step after the next."""
        return self._now.columns.select(slice(self._now.count))

    @property
    def is_new(self) -> NDArray[bool_]:
        """For each of ``hits``, whether it started in this step."""
        return self._now.is_new[: self._now.count].view(bool_)

    @property
    def started_rows(self) -> NDArray[int64]:
        """The rows of ``hits`` that started in this step."""
        return np.flatnonzero(self.is_new)

    @property
    def started(self) -> HitArrays:
        """The hits that began in this step, gathered when first asked for."""
        if self._started is None:
            self._started = self._now.columns.select(self.started_rows if self.started_count else slice(0))
        return self._started

    @property
    def ended(self) -> EndedHitArrays:
        """The hits that ended in this step, with reasons and last values, gathered when first asked for."""
        if self._ended is None:
            rows = self._ended_rows[: self._ended_count] if self._ended_count else slice(0)
            self._ended = EndedHitArrays(self._last.columns, rows, self._ended_reasons[: self._ended_count])
        return self._ended

    def mute(self, row: int) -> None:
        """Keep the end of one of ``hits`` from the handlers, as its start was kept from them."""
        self._now.muted[row] = True

    @property
    def ended_muted(self) -> NDArray[bool_]:
        """For each of ``ended``, whether its start was never delivered."""
        return self._last.muted[self._ended_rows[: self._ended_count]]

    def hits_of(self, entity: int) -> list[Hit]:
        """The hits of this step that an entity takes part in."""
        hits = self.hits
        rows = np.flatnonzero((hits.entity_a == entity) | (hits.entity_b == entity))
        return list(hits.select(rows).as_hits(self.is_new[rows]))

    def is_hitting(self, a: int, b: int) -> bool:
        """Whether two entities hit each other in this step."""
        entity_a, entity_b = self.hits.entity_a, self.hits.entity_b
        first, end = np.searchsorted(entity_a, (min(a, b), min(a, b) + 1)).tolist()
        place = first + int(np.searchsorted(entity_b[first:end], max(a, b)))
        return place < end and int(entity_b[place]) == max(a, b)
