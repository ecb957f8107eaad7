"""The entities of a world that have components of physics: a slot each, with the rows of these components."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.character.solid import Solid
from ecsphys.components.collision.bullet import Bullet
from ecsphys.components.collision.colliders import COLLIDER_CLASSES
from ecsphys.components.collision.collision_filter import CollisionFilter
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.collision.disabled import Disabled
from ecsphys.components.dynamics.rigid_body import RigidBody
from ecsphys.components.motion.forces import Drag, Gravity, Orbit, Spring
from ecsphys.components.motion.parent import Parent
from ecsphys.components.motion.trajectories import (
    BallisticTrajectory,
    CircularTrajectory,
    HarmonicTrajectory,
    LinearTrajectory,
)
from ecsphys.components.motion.transform import Acceleration, Transform, Velocity
from ecsphys.components.store.component import Component
from ecsphys.engine.tables.collider_slots import EntitySlots
from ecsphys.engine.tables.entity_rows import (
    HARMONIC_TRAJECTORY,
    LINEAR_TRAJECTORY,
    LINES,
    TRANSFORM,
    find_shared_row,
)

# The classes of the lines of ``entity_rows``, in their order.
LINE_CLASSES: tuple[type[Any], ...] = (
    Transform,
    Velocity,
    Acceleration,
    Gravity,
    Spring,
    Orbit,
    Drag,
    LinearTrajectory,
    BallisticTrajectory,
    CircularTrajectory,
    HarmonicTrajectory,
    CollisionFilter,
    Parent,
    Bullet,
    Solid,
    Disabled,
    RigidBody,
    CompoundCollider,
    *COLLIDER_CLASSES,
)
_FIRST_CAPACITY = 64

Slots = NDArray[int32]


class EntityTable:
    """Slots of entities. An entity keeps its slot as long as it has any component in :data:`LINE_CLASSES`.

    ``slots``: the arrays, see :class:`~ecsphys.engine.tables.collider_slots.EntitySlots`; entity −1 is a free slot.
    ``slot_of``: the slot of each entity. ``instances``: for each line the components, by slot. They are kept alive
    here, and those that were replaced until :meth:`forget_replaced`: until then an equal row is the same instance.
    """

    __slots__ = (
        "_claims",
        "_free",
        "_is_changing",
        "_owners",
        "_replaced",
        "instances",
        "placed_since",
        "slot_of",
        "slots",
        "used",
    )

    def __init__(self) -> None:
        self.slots = _new_slots(_FIRST_CAPACITY)
        self.slot_of: dict[int, int] = {}
        self.instances: list[dict[int, Any]] = [{} for _ in LINE_CLASSES]
        self.placed_since: NDArray[int64] = np.zeros(_FIRST_CAPACITY, int64)
        """For each slot the revision of the world's tables at which its ``Transform`` came."""
        self.used = 0
        """Slots that were ever used: all others are free."""
        self._free: list[int] = []
        self._replaced: list[Any] = []
        self._owners: list[Slots] = [np.full(0, -1, int32) for _ in LINE_CLASSES]
        self._claims: NDArray[int32] = np.zeros(0, int32)
        self._is_changing: NDArray[uint8] = np.zeros(_FIRST_CAPACITY, uint8)

    def slots_for(self, entities: list[int]) -> Slots:
        """The slots of some entities; those that have none get one."""
        slot_of = self.slot_of
        slots = [slot_of.get(entity, -1) for entity in entities]
        if -1 in slots:
            missing = slots.count(-1)
            self._reserve(self.used + missing)
            numbers = self.slots.entity
            for place, slot in enumerate(slots):
                if slot >= 0:
                    continue
                if self._free:
                    slot = self._free.pop()
                else:
                    slot = self.used
                    self.used += 1
                entity = entities[place]
                numbers[slot] = entity
                slot_of[entity] = slots[place] = slot
        return np.array(slots, int32)

    def free_unused(self, slots: Slots) -> None:
        """Give back those of some slots whose entities have neither components nor colliders left."""
        table = self.slots
        unused = (table.rows[:, slots] < 0).all(axis=0) & (table.head[slots] < 0)
        for slot in slots[unused].tolist():
            entity = int(table.entity[slot])
            if entity >= 0:
                table.entity[slot] = -1
                if self.slot_of.get(entity) == slot:
                    del self.slot_of[entity]
                self._free.append(slot)

    def shared_by(self, line: int, slots: Slots, rows: Slots) -> tuple[int, int] | None:
        """Two entities that would share an instance if some slots had these rows of a line, the lower one first."""
        cls = LINE_CLASSES[line]
        if not issubclass(cls, Component):
            return None
        capacity = cls._columns.capacity
        if self._owners[line].size < capacity:
            owners = np.full(capacity, -1, int32)
            owners[: self._owners[line].size] = self._owners[line]
            self._owners[line] = owners
        if self._claims.size < capacity:
            self._claims = np.zeros(capacity, int32)
        if self._is_changing.size < self.slots.entity.size:
            self._is_changing = np.zeros(self.slots.entity.size, uint8)
        table = self.slots
        first, second = find_shared_row(
            slots, rows, table.rows[line], self._owners[line], self._is_changing, self._claims
        )
        if first < 0:
            return None
        a, b = sorted((int(table.entity[first]), int(table.entity[second])))
        return a, b

    def owners_of(self, line: int) -> Slots:
        """For each row of a line's class the slot that has it, or had it last; −1 for none. Rows that were never had
        may be missing."""
        return self._owners[line]

    def set_rows(self, line: int, slots: Slots, rows: Slots, found: list[Any], revision: int) -> None:
        """Give some slots other rows of a line, and the instances that have them; −1 and None for none."""
        self.slots.rows[line, slots] = rows
        if line == TRANSFORM:
            self.placed_since[slots] = revision
        if LINEAR_TRAJECTORY <= line <= HARMONIC_TRAJECTORY:
            self.slots.path_velocity[:, slots] = 0.0
        there = rows >= 0
        owners = self._owners[line]
        if owners.size:
            owners[rows[there]] = slots[there]
        instances, replaced = self.instances[line], self._replaced
        for slot, instance in zip(slots.tolist(), found, strict=True):
            replaced.append(instances.pop(slot, None))
            if instance is not None:
                instances[slot] = instance

    def forget_replaced(self) -> None:
        """Let go what was replaced."""
        self._replaced = []

    def clear(self) -> None:
        """Let no entity have any component, nor a slot that can be found."""
        self.slots.rows[:, : self.used] = -1
        self.slot_of = {}
        self._replaced.extend(self.instances)
        self.instances = [{} for _ in LINE_CLASSES]

    def having(self, line: int) -> Slots:
        """The slots, ascending, with a component of a line."""
        return np.flatnonzero(self.slots.rows[line, : self.used] >= 0).astype(int32)

    def numbers_having(self, line: int) -> list[int]:
        """The entities with a component of a line; where :meth:`set_rows` was cut short, also those that had one."""
        slots = np.union1d(self.having(line), np.fromiter(self.instances[line], int32))
        numbers: list[int] = self.slots.entity[slots].tolist()
        return numbers

    def _reserve(self, count: int) -> None:
        held = self.slots.entity.size
        if count <= held:
            return
        grown = _new_slots(max(count, 2 * held))
        olds: tuple[NDArray[Any], ...] = self.slots
        news: tuple[NDArray[Any], ...] = grown
        for old, new in zip(olds, news, strict=True):
            new[..., :held] = old
        since = np.zeros(grown.entity.size, int64)
        since[:held] = self.placed_since
        self.slots, self.placed_since = grown, since


def _new_slots(capacity: int) -> EntitySlots:
    return EntitySlots(
        np.full(capacity, -1, int64),
        np.full(capacity, -1, int32),
        np.full((LINES, capacity), -1, int32),
        np.zeros((2, capacity)),
    )
