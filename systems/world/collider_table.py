"""The colliders of a world: a slot for each, with its kind and its placed shape; and their arrays for a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import shape_arrays
from ecsphys.components.collision.polygon_collider import VERTEX_POOL
from ecsphys.components.store.column_store import read_only
from ecsphys.engine.kernels import zeros_of
from ecsphys.engine.shapes.layout import SHAPE_COLUMNS, ShapeArrays
from ecsphys.engine.shapes.placement import NO_FORM, PlacedShapes, hide_shapes
from ecsphys.engine.tables import collider_slots
from ecsphys.engine.tables.collider_slots import ColliderSlots, EntitySlots, Parts, SlotChanges
from ecsphys.engine.tables.entity_rows import COLLIDER_KINDS
from ecsphys.systems.world.entity_table import NO_SLOTS, EntityTable, Slots, copy_into

if TYPE_CHECKING:
    from ecsphys.systems.physics_state import PhysicsState


_FIRST_CAPACITY = 64


class ColliderTable:
    """The slots of colliders and their public order.

    ``slots`` and ``placed``: the arrays, see :class:`~ecsphys.engine.tables.collider_slots.ColliderSlots` and
    :class:`~ecsphys.engine.shapes.placement.PlacedShapes`; all are as long as ``capacity``. Free slots and absent
    colliders have a box of NaN, which overlaps nothing. ``order`` (n,): the slots of all present colliders, by entity,
    kind and part. It is another object after each change, in the same memory: see :meth:`keep_order`. ``absences``: the
    slots that are kept for absent colliders, in several arrays.
    """

    def __init__(self) -> None:
        self.capacity = 0
        self.slots, self.placed = _new_arrays(0)
        self._shapes = shape_arrays(self.placed)
        self._pool: NDArray[int64] = np.zeros(collider_slots.POOL_NUMBERS, int64)
        self._pool[collider_slots.FIRST_FREE] = -1
        self.order: NDArray[int32] = np.zeros(0, int32)
        self.order_extent: NDArray[int64] = np.array((0, -1), int64)
        """How many colliders are in the order, and the last slot, −1 for none; always the same array."""
        # The array that the order is a part of, and whether another object keeps the order; and scratch.
        self._ranked = self._scratch = NO_SLOTS
        self._is_order_kept = False
        self.kind_counts: NDArray[int64] = np.zeros(COLLIDER_KINDS, int64)
        """How many present colliders are of each kind."""
        self.absences: list[Slots] = []
        self._reserve(_FIRST_CAPACITY)

    def __len__(self) -> int:
        return int(self.order.size)

    @property
    def used(self) -> int:
        """Slots that were ever used: all others are free."""
        return int(self._pool[collider_slots.USED])

    @property
    def shapes(self) -> ShapeArrays:
        """:attr:`placed` in the form for geometry; the same object while the arrays are the same."""
        shapes = self._shapes
        if shapes.forms is not self.placed.forms or shapes.pool is not VERTEX_POOL.data:
            self._shapes = shapes = shape_arrays(self.placed)
        return shapes

    def update(self, touched: Slots, entities: EntitySlots, parts: Parts, most: int) -> SlotChanges:
        """Update the colliders of some entities, at ``most`` this number, from their rows; see ``update_colliders``."""
        self._reserve(self.used - int(self._pool[collider_slots.FREE_COUNT]) + most)
        room, pool = SlotChanges(self._scratch, np.empty(most, int32)), self._pool
        gone_count, fresh_count = collider_slots.update_colliders(
            touched, entities, self.slots, parts, pool, self.kind_counts, room
        )
        changes = SlotChanges(room.gone[:gone_count].copy(), room.fresh[:fresh_count].copy())
        if gone_count:
            self.absences.append(changes.gone)
            hide_shapes(changes.gone, self.placed)
        if gone_count or fresh_count:
            self._reorder(changes)
        return changes

    def begin_anew(self) -> SlotChanges:
        """Find the order from the slots alone. Returns all absent slots and all present slots."""
        slots = self.slots
        present = np.flatnonzero(slots.absence[: self.used] == collider_slots.PRESENT)
        key = np.lexsort((slots.part[present], slots.kind[present], slots.entity[present]))
        changes = SlotChanges(NO_SLOTS, present[key].astype(int32))
        self.order = NO_SLOTS
        self._reorder(changes)
        gone = np.flatnonzero(slots.absence != collider_slots.PRESENT).astype(int32)
        self.absences = [gone[slots.absence[gone] != collider_slots.FREE]]
        hide_shapes(gone, self.placed)
        slots.stale[changes.fresh] = 1
        self.kind_counts = np.bincount(slots.kind[changes.fresh], minlength=COLLIDER_KINDS)
        return SlotChanges(gone, changes.fresh)

    def release(self, entities: EntityTable, kept: Slots) -> None:
        """Free the slots of unused entities and of absent colliders, but for ``kept``, which cannot come back."""
        if not self.absences:
            return
        slots = self.absences[0] if len(self.absences) == 1 else np.concatenate(self.absences)
        owners, left = self.slots.owner[slots], NO_SLOTS
        if kept.size:
            stays = np.isin(slots, kept) & (self.slots.absence[slots] != collider_slots.PRESENT)
            slots, left = slots[~stays], slots[stays]
        collider_slots.release_absent(slots, entities.slots, self.slots, self._pool)
        entities.free_unused(np.unique(owners) if owners.size > 1 else owners)
        self.slots.transform_row[left] = -1
        # Last: after an interrupt, it is done again.
        self.absences = [left] if left.size else []

    def add_absent(self, entities: EntityTable, colliders: list[tuple[int, int, int, int]]) -> Slots:
        """Add absent colliders, as if they were deleted from here: entity, kind, part and reason of absence of each."""
        self._reserve(self.used - int(self._pool[collider_slots.FREE_COUNT]) + len(colliders))
        owners = entities.slots_for([entity for entity, *_ in colliders])
        slots, head, found = self.slots, entities.slots.head, []
        for owner, (entity, kind, part, absence) in zip(owners.tolist(), colliders, strict=True):
            if self._pool[collider_slots.FREE_COUNT]:
                slot = int(self._pool[collider_slots.FIRST_FREE])
                self._pool[collider_slots.FIRST_FREE] = slots.following[slot]
                self._pool[collider_slots.FREE_COUNT] -= 1
            else:
                slot = int(self._pool[collider_slots.USED])
                self._pool[collider_slots.USED] += 1
            slots.owner[slot], slots.entity[slot], slots.kind[slot], slots.part[slot] = owner, entity, kind, part
            for rows in (slots.transform_row, slots.collider_row, slots.velocity_row, slots.filter_row):
                rows[slot] = -1
            slots.trajectory[slot], slots.absence[slot] = -1, absence
            # Colliders of an entity are by kind and part.
            before, this = -1, int(head[owner])
            while this >= 0 and (int(slots.kind[this]), int(slots.part[this])) < (kind, part):
                before, this = this, int(slots.following[this])
            slots.following[slot] = this
            if before < 0:
                head[owner] = slot
            else:
                slots.following[before] = slot
            found.append(slot)
        gone = np.array(found, int32)
        self.absences.append(gone)
        hide_shapes(gone, self.placed)
        return gone

    def keep_order(self) -> Slots:
        """The order, as an array that stays as it is when colliders come or go."""
        self._is_order_kept = True
        return self.order

    def _reorder(self, changes: SlotChanges) -> None:
        count = self.order.size
        if self._is_order_kept or self._ranked.size < self.capacity:
            ranked = np.empty(self.capacity, int32)
            ranked[:count] = self.order
            self._ranked, self._is_order_kept = ranked, False
        count = collider_slots.update_order(count, *changes, self.slots, self._ranked, self._scratch)
        self.order = self._ranked[:count]
        self.order_extent[collider_slots.ORDERED_COUNT] = count
        self.order_extent[collider_slots.LAST_ORDERED] = self._ranked[count - 1] if count else -1

    def _reserve(self, count: int) -> None:
        held = self.capacity
        if count <= held:
            return
        capacity = max(count, held + held // 2)
        slots, placed = _new_arrays(capacity)
        copy_into(self.slots, slots)
        copy_into(self.placed, placed)
        self._scratch = np.empty(capacity, int32)
        self.slots, self.placed, self.capacity = slots, placed, capacity


def _new_arrays(capacity: int) -> tuple[ColliderSlots, PlacedShapes]:
    slots = zeros_of(ColliderSlots, *[capacity] * len(ColliderSlots._fields))
    for rows in (slots.owner, slots.entity, slots.part, slots.collider_row, slots.transform_row):
        rows[:] = -1
    for rows in (slots.velocity_row, slots.filter_row, slots.trajectory, slots.following):
        rows[:] = -1
    slots.absence[:] = collider_slots.FREE
    shapes = (capacity, 2), (capacity, SHAPE_COLUMNS), (capacity, 4)
    placed = zeros_of(PlacedShapes, capacity, *shapes, capacity, capacity, capacity)
    placed.forms[:], placed.boxes[:] = NO_FORM, np.nan
    return slots, placed


def _column(name: str, text: str) -> Any:
    """A property of :class:`ColliderArrays`: a column of the slots, in the public order."""

    def ordered(arrays: ColliderArrays) -> NDArray[Any]:
        table = arrays._table()
        return read_only(getattr(table.slots, name)[table.order])

    return property(ordered, doc=text)


class ColliderArrays:
    """Every collider of an entity with a :class:`Transform` that is not disabled, by entity, class and part.

    Each attribute is a new read-only array of the world as it is now; ``len`` is the number of colliders.
    ``physics.debug.candidate_pairs`` are pairs of indices into these arrays.

    Examples
    --------
    >>> physics = ecsphys.install()
    >>> ball = esper.create_entity(Transform(3, 0), CircleCollider(1))
    >>> physics.debug.colliders.boxes.round(6)
    array([[ 2., -1.,  4.,  1.]])
    """

    __slots__ = ("_state",)

    entity: NDArray[int64] = _column("entity", "(n,) int64, the esper entity.")
    collider: NDArray[uint8] = _column("kind", "(n,) uint8, index of the collider's class in ``COLLIDER_CLASSES``.")
    part: NDArray[int32] = _column("part", "(n,) int32, its number in the entity's compound or chain, −1 on its own.")
    transform_row: NDArray[int32] = _column("transform_row", "(n,) int32, row in the blocks of Transform.")
    collider_row: NDArray[int32] = _column("collider_row", "(n,) int32, row in the blocks of the collider's class.")
    velocity_row: NDArray[int32] = _column("velocity_row", "(n,) int32, row in the blocks of Velocity, −1 without one.")
    filter_row: NDArray[int32] = _column("filter_row", "(n,) int32, row in CollisionFilter's blocks, −1 without one.")

    def __init__(self, state: PhysicsState) -> None:
        self._state = state

    def __len__(self) -> int:
        return len(self._table())

    def __repr__(self) -> str:
        return f"<{len(self)} colliders>"

    @property
    def body(self) -> NDArray[int64]:
        """(n,) int64, number of the entity in the order of entities: equal for colliders of one entity."""
        table = self._table()
        return read_only(table.slots.body[table.order].astype(int64))

    @property
    def boxes(self) -> NDArray[float64]:
        """(n, 4) float64, bounding boxes where the colliders are now: min_x, min_y, max_x, max_y."""
        table = self._table()
        self._state.place()
        return read_only(table.placed.boxes[table.order])

    def _table(self) -> ColliderTable:
        self._state.update()
        return self._state.tables.colliders
