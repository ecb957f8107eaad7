"""The colliders that systems move in every step."""

from __future__ import annotations

import numpy as np
from numpy import bool_
from numpy.typing import NDArray

from ecsphys.engine.tables import entity_rows
from ecsphys.engine.tables.collider_slots import PRESENT
from ecsphys.systems.world.entity_table import TRAJECTORY_LINES, SlotIndex, Slots
from ecsphys.systems.world.world_tables import WorldTables

# The components that decide which colliders systems move in every step.
_DRIVING = (
    entity_rows.TRANSFORM,
    entity_rows.VELOCITY,
    *TRAJECTORY_LINES,
    entity_rows.PARENT,
    entity_rows.DISABLED,
    entity_rows.COMPOUND,
    entity_rows.CHAIN,
    *range(entity_rows.FIRST_COLLIDER, entity_rows.FIRST_COLLIDER + entity_rows.SHAPE_KINDS),
)


class DrivenColliders:
    """The colliders with a velocity, a trajectory or a parent: ``all`` of them, and those ``moving``, which are not
    passed over."""

    def __init__(self, tables: WorldTables) -> None:
        self._tables = tables
        self.all, self.moving = SlotIndex(), SlotIndex()
        self._revision = -1

    @property
    def is_current(self) -> bool:
        """Whether nothing has come or gone since the last :meth:`update`."""
        return self._revision == self._tables.revision

    def leave_out(self, gone: Slots) -> None:
        """Leave out colliders that were deleted."""
        if gone.size and self._revision >= 0:
            for index in (self.all, self.moving):
                index.follow(gone, [False] * gone.size, self._tables.colliders.capacity)

    def update(self, fresh: list[Slots]) -> Slots:
        """The colliders that systems move in every step; the first time also colliders that they moved until now, which
        are added to ``fresh``, too."""
        tables, known = self._tables, self._revision
        if known == tables.revision:
            return self.moving.slots
        if tables.last_change_of(_DRIVING) <= known:
            self._revision = tables.revision
            return self.moving.slots
        touched = tables.touched_since(known) if known >= 0 else None
        if touched is None:
            until_now = self.all.slots
            until_now = until_now[tables.colliders.slots.absence[until_now] == PRESENT]
            until_now = until_now[~self._are_driven(until_now)]
            order = tables.colliders.order
            colliders = order[self._are_driven(order)]
        else:
            colliders = tables.colliders_of(touched)
            are_driven = self._are_driven(colliders)
            until_now = colliders[self.all.has(colliders) & ~are_driven]
        if until_now.size:
            # First: where this is cut short, they are looked at all the same.
            fresh.append(until_now)
        self._revision = -1
        # What is touched is moved from now on, whether it was passed over or not.
        for index in (self.all, self.moving):
            if touched is None:
                index.put(colliders, tables.colliders.capacity)
            else:
                index.follow(colliders, are_driven.tolist(), tables.colliders.capacity)
        self._revision = tables.revision
        moves = self.moving.slots
        return np.concatenate((moves, until_now)) if until_now.size else moves

    def pass_over(self, slots: Slots) -> None:
        """Tell that systems leave some of the driven colliders where they are, until this is called again, or their
        entities are touched."""
        driven, capacity = self.all.slots, self._tables.colliders.capacity
        if slots.size:
            is_left = np.zeros(capacity, bool_)
            is_left[slots] = True
            driven = driven[~is_left[driven]]
        self.moving.put(driven, capacity)

    def _are_driven(self, slots: Slots) -> NDArray[bool_]:
        tables = self._tables
        colliders = tables.colliders.slots
        are_driven: NDArray[bool_] = (colliders.velocity_row[slots] >= 0) | (colliders.trajectory[slots] >= 0)
        if tables.entities.instances[entity_rows.PARENT].count:
            are_driven |= tables.entities.rows_of(entity_rows.PARENT)[colliders.owner[slots]] >= 0
        return are_driven
