"""Which colliders do not collide, as a joint holds their bodies together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy import bool_, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.engine.hits.contact_filter import JoinedEnds, leave_out_joined, tell_joined
from ecsphys.engine.kernels import grown
from ecsphys.engine.tables.collider_slots import PRESENT
from ecsphys.engine.tables.entity_rows import PARENT, RIGID_BODY
from ecsphys.systems.world.entity_table import Slots, hand_down, named_parents

if TYPE_CHECKING:
    from ecsphys.systems.world.world_tables import WorldTables

_NO_KEYS: NDArray[int64] = np.zeros(0, int64)


class JoinedPairs:
    """The pairs of bodies that joints keep from colliding.

    ``revision`` grows when they are others.
    """

    def __init__(self, tables: WorldTables) -> None:
        self._tables = tables
        self._pairs = _NO_KEYS
        self._ends: Slots = np.zeros(0, int32)
        self._parents = _NO_KEYS
        self._keys = _NO_KEYS
        self._kept = JoinedEnds(*np.zeros((3, 0), int32))
        self._room: NDArray[int32] = np.zeros((0, 2), int32)
        # For each slot of an entity the number of its end, −1 for none.
        self._end_of: Slots = np.zeros(0, int32)
        self._listed_at: tuple[int, ...] = ()
        self.revision = 0

    def __bool__(self) -> bool:
        return bool(self._keys.size)

    def keep_apart(self, slots: Slots) -> None:
        """Keep exactly the entities in pairs of slots (k, 2), and their present descendants, from colliding."""
        pairs = np.unique(slots.min(axis=1).astype(int64) << 32 | slots.max(axis=1)) if len(slots) else _NO_KEYS
        entities = self._tables.entities
        children = entities.having(PARENT)
        parents = named_parents(entities, children) if pairs.size and children.size else _NO_KEYS
        if np.array_equal(pairs, self._pairs) and np.array_equal(parents, self._parents):
            return
        lower, higher = pairs >> 32, pairs & 0xFFFFFFFF
        ends = np.unique(np.concatenate((lower, higher))).astype(int32)
        # Contacts of what sleeps are not looked at again until it wakes.
        self._wake(np.concatenate((ends, self._ends, children)))
        self._pairs, self._ends, self._parents = pairs, ends, parents
        self._keys = np.searchsorted(ends, lower) * len(ends) + np.searchsorted(ends, higher)
        self._listed_at = ()
        self.revision += 1

    def leave_out(self, pairs: NDArray[int32]) -> NDArray[int32]:
        """The pairs (m, 2) of colliders' slots that may collide, in their order; the next call overwrites them."""
        if len(pairs) > len(self._room):
            self._room = np.empty((grown(len(pairs)), 2), int32)
        count = leave_out_joined(*self.leaving_out(pairs))
        return self._room[:count]

    def leaving_out(self, pairs: NDArray[int32]) -> tuple[NDArray[int32], JoinedEnds, NDArray[int32]]:
        """The arguments of ``leave_out_joined``; the last is where it writes."""
        return pairs, self._joined(), self._room

    def are_apart(self, pairs: NDArray[int32]) -> NDArray[bool_]:
        """For pairs (m, 2) of colliders' slots whether joints keep them from colliding."""
        found = np.empty(len(pairs), bool_)
        tell_joined(pairs, self._joined(), found.view(uint8))
        return found

    def _wake(self, ends: Slots) -> None:
        self._tables.refiltered.append(self._tables.colliders_of(np.unique(ends).astype(int32)))

    def _joined(self) -> JoinedEnds:
        """The pairs for the engine, an end being the entity that is held, with all that it carries."""
        tables = self._tables
        at = (tables.revision, self.revision, tables.colliders.capacity)
        if at != self._listed_at:
            if at[1:] != self._listed_at[1:] or not self._follow(self._listed_at[0]):
                self._list()
            self._listed_at = at
        return self._kept

    def _list(self) -> None:
        entities, slots = self._tables.entities, self._tables.colliders.slots
        end_of = np.full(entities.slots.entity.size, -1, int32)
        end_of[self._ends] = np.arange(len(self._ends))
        children = entities.having(PARENT)
        children = children[(entities.rows_of(RIGID_BODY)[children] < 0) & (end_of[children] < 0)]
        hand_down(entities, end_of, children, -1)
        self._end_of = end_of
        of_slots = np.full(slots.owner.size, -1, int32)
        is_there = slots.absence == PRESENT
        of_slots[is_there] = end_of[slots.owner[is_there]]
        count = len(self._ends)
        starts = np.searchsorted(self._keys, np.arange(count + 1) * count).astype(int32)
        self._kept = JoinedEnds(of_slots, starts, (self._keys % max(count, 1)).astype(int32))

    def _follow(self, revision: int) -> bool:
        """Update the ends of the colliders that have come since a revision of the tables; returns whether that is
        all."""
        tables = self._tables
        touched = tables.touched_since(revision)
        if (
            touched is None
            or tables.entities.instances[PARENT].count
            or tables.entities.slots.entity.size > len(self._end_of)
        ):
            return False
        colliders = tables.colliders_of(touched)
        self._kept.end_of[colliders] = self._end_of[tables.colliders.slots.owner[colliders]]
        return True
