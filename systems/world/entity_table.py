"""The entities of a world that have components of physics: a slot each, with the rows of these components."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import repeat
from typing import Any, Final

import numpy as np
from numpy import bool_, int32, int64
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import SHAPE_CLASSES
from ecsphys.components.collision.collision_filter import CollisionFilter, Disabled
from ecsphys.components.collision.compound_collider import CompoundCollider
from ecsphys.components.collision.polygon_collider import ChainCollider
from ecsphys.components.dynamics.rigid_body import Bullet, RigidBody, Solid
from ecsphys.components.motion import transform
from ecsphys.components.store.component import Component
from ecsphys.engine.tables import entity_rows
from ecsphys.engine.tables.collider_slots import EntitySlots, list_unused
from ecsphys.engine.tables.entity_rows import EntityLines, find_shared_row, set_rows

# The classes of the lines of ``entity_rows``, in their order.
LINE_CLASSES: tuple[type[Any], ...] = (
    *(transform.Transform, transform.Velocity, transform.Acceleration, transform.Gravity),
    *(transform.Spring, transform.Orbit, transform.Drag, transform.LinearTrajectory),
    *(transform.BallisticTrajectory, transform.CircularTrajectory, transform.HarmonicTrajectory),
    *(transform.PathTrajectory, CollisionFilter, transform.Parent, Bullet, Solid, Disabled, RigidBody),
    *(CompoundCollider, ChainCollider, *SHAPE_CLASSES),
)
TRAJECTORY_LINES = range(entity_rows.LINEAR_TRAJECTORY, entity_rows.PATH_TRAJECTORY + 1)
HAS_ROWS = tuple(issubclass(cls, Component) for cls in LINE_CLASSES)
"""Whether the components of each line have rows in blocks."""
TRAJECTORY_CLASSES = LINE_CLASSES[TRAJECTORY_LINES.start : TRAJECTORY_LINES.stop]
_FIRST_CAPACITY = 64

# So few slots are united faster as numbers of Python.
_FEW = 16

Slots = NDArray[int32]
NO_SLOTS: Final[Slots] = np.zeros(0, int32)


def copy_into(arrays: tuple[Any, ...], longer: tuple[Any, ...]) -> None:
    """Copy all arrays of a bundle to the beginnings of the arrays of another."""
    for array, old in zip(longer, arrays, strict=True):
        array[: len(old)] = old


class SlotInstances:
    """The components of one class, by the slots of their entities; ``count`` is their number."""

    def __init__(self) -> None:
        # A list takes a quarter of the memory of a dict. Unlike an array, Python's garbage collector looks into it.
        self._of: list[Any] = []
        self.count = 0

    def __contains__(self, slot: int) -> bool:
        return slot < len(self._of) and self._of[slot] is not None

    def __getitem__(self, slot: int) -> Any:
        return self._of[slot]

    def count_slots(self) -> list[int]:
        """The slots that have a component; right also after an interrupt of :meth:`replace`."""
        slots = [slot for slot, one in enumerate(self._of) if one is not None]
        self.count = len(slots)
        return slots

    def replace(self, slots: list[int], found: list[Any], capacity: int, replaced: list[Any]) -> None:
        """Give some of ``capacity`` slots other components, None for none, and add the old ones to ``replaced``."""
        of = self._of
        if len(of) < capacity:
            of.extend(repeat(None, capacity - len(of)))
        added = 0
        for slot, one in zip(slots, found, strict=True):
            before = of[slot]
            if before is not None:
                # First: wherever an interrupt comes, it stays alive.
                replaced.append(before)
                added -= 1
            of[slot] = one
            added += one is not None
        self.count += added


class EntityTable:
    """Slots of entities. An entity keeps its slot as long as it has any component in :data:`LINE_CLASSES`.

    ``slots``: the arrays, see :class:`~ecsphys.engine.tables.collider_slots.EntitySlots`; entity −1 is a free slot.
    ``slot_of``: the slot of each entity. ``instances``: for each line the components, by slot. They are kept alive
    here. Replaced components stay alive in ``replaced``: as long as they do, an equal row is the same instance.
    """

    def __init__(self) -> None:
        self.slots = EntitySlots(
            np.full(_FIRST_CAPACITY, -1, int64),
            np.full(_FIRST_CAPACITY, -1, int32),
            EntityLines(np.full(entity_rows.LINES, -1, int32), np.zeros((0, _FIRST_CAPACITY), int32)),
            np.zeros((2, 0)),
        )
        self._no_rows = _no_rows(_FIRST_CAPACITY)
        self.slot_of: dict[int, int] = {}
        self.instances = [SlotInstances() for _ in LINE_CLASSES]
        self.placed_since: NDArray[int64] = np.zeros(_FIRST_CAPACITY, int64)
        """For each slot the revision of the world's tables at which its ``Transform`` came."""
        self.used = 0
        """Slots that were ever used: all others are free."""
        self._free: list[int] = []
        self._having: dict[int, Slots] = {}
        self.replaced: list[Any] = []
        self._owners: list[Slots] = [np.full(0, -1, int32) for _ in LINE_CLASSES]

    def slots_for(self, entities: list[int]) -> Slots:
        """The slots of some entities. Entities without a slot get one."""
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

    def find_slots(self, entities: NDArray[Any]) -> Slots:
        """The slots of some entities; −1 for those without a slot."""
        slot_of = self.slot_of
        return np.array([slot_of.get(entity, -1) for entity in entities.tolist()], int32)

    def free_unused(self, slots: Slots) -> None:
        """Give back slots whose entities have neither components nor colliders left."""
        table = self.slots
        found = np.empty(slots.size, int32)
        count = list_unused(slots, table, found)
        for slot in found[:count].tolist() if count else ():
            entity = int(table.entity[slot])
            if entity >= 0:
                table.entity[slot] = -1
                if self.slot_of.get(entity) == slot:
                    del self.slot_of[entity]
                self._free.append(slot)

    def shared_by(self, line: int, slots: Slots, rows: Slots) -> tuple[int, int] | None:
        """Two entities that would share an instance if some slots had these rows of a line, the lower one first."""
        if self.slots.lines.places[line] < 0:
            self._use(line)
        capacity = LINE_CLASSES[line]._columns.capacity
        if self._owners[line].size < capacity:
            owners = np.full(capacity, -1, int32)
            owners[: self._owners[line].size] = self._owners[line]
            self._owners[line] = owners
        table, before = self.slots, np.empty((2, len(slots)), int32)
        first, second = find_shared_row(slots, rows, self.rows_of(line), self._owners[line], before)
        if first < 0:
            return None
        a, b = sorted((int(table.entity[first]), int(table.entity[second])))
        return a, b

    def rows_of(self, line: int) -> Slots:
        """The rows of all slots in a line, −1 without the component; read-only where no entity ever had one."""
        lines = self.slots.lines
        place = int(lines.places[line])
        rows: Slots = lines.rows[place] if place >= 0 else self._no_rows
        return rows

    def rows_in(self, lines: range, slots: Slots) -> NDArray[int32]:
        """The rows (lines, k) of some slots (k,) in some lines, −1 without the components; a copy."""
        used = self.slots.lines
        found = np.full((len(lines), len(slots)), -1, int32)
        for k, place in enumerate(used.places[lines.start : lines.stop].tolist()):
            if place >= 0:
                used.rows[place].take(slots, out=found[k])
        return found

    def owners_of(self, line: int) -> Slots:
        """For each row of a line's class, up to the last one in use, the slot that has or had it; −1 for none."""
        return self._owners[line]

    def set_rows(self, line: int, slots: Slots, rows: Slots, found: list[Any], revision: int) -> None:
        """Give some slots other rows of a line, and the instances that have them; −1 and None for none."""
        self._having.pop(line, None)
        if self.slots.lines.places[line] < 0 and rows.max(initial=-1) >= 0:
            self._use(line)
        if self.slots.lines.places[line] >= 0:
            set_rows(slots, rows, self.rows_of(line), self._owners[line])
        if line == entity_rows.TRANSFORM:
            self.placed_since[slots] = revision
        if entity_rows.LINEAR_TRAJECTORY <= line <= entity_rows.PATH_TRAJECTORY and self.slots.path_velocity.size:
            self.slots.path_velocity[:, slots] = 0.0
        self.instances[line].replace(slots.tolist(), found, self.slots.entity.size, self.replaced)

    def having(self, line: int) -> Slots:
        """The slots, ascending, with a component of a line; the same array until :meth:`set_rows` of the line."""
        found = self._having.get(line)
        if found is None:
            found = self._having[line] = np.flatnonzero(self.rows_of(line)[: self.used] >= 0).astype(int32)
        return found

    def numbers_having(self, line: int, are_rows_set: bool) -> list[int]:
        """The entities with a component of a line. After an interrupt of :meth:`set_rows`, ``are_rows_set`` must be
        False: then these are also entities that had one."""
        slots = self.having(line)
        if not are_rows_set:
            slots = np.union1d(slots, np.array(self.instances[line].count_slots(), int32))
        numbers: list[int] = self.slots.entity[slots].tolist()
        return numbers

    def _use(self, line: int) -> None:
        """Have room for a line that has none; for the velocities on trajectories, too, if it is one of these."""
        slots, lines = self.slots, self.slots.lines
        places, capacity = lines.places.copy(), slots.entity.size
        places[line] = len(lines.rows)
        rows = np.concatenate((lines.rows, np.full((1, capacity), -1, int32)))
        path_velocity = slots.path_velocity
        if entity_rows.LINEAR_TRAJECTORY <= line <= entity_rows.PATH_TRAJECTORY and not path_velocity.size:
            path_velocity = np.zeros((2, capacity))
        self.slots = slots._replace(lines=EntityLines(places, rows), path_velocity=path_velocity)

    def _reserve(self, count: int) -> None:
        slots, held = self.slots, self.slots.entity.size
        if count <= held:
            return
        added = max(count, held + held // 2) - held
        rows = slots.lines.rows
        grown = EntitySlots(
            np.concatenate((slots.entity, np.full(added, -1, int64))),
            np.concatenate((slots.head, np.full(added, -1, int32))),
            EntityLines(slots.lines.places, np.concatenate((rows, np.full((len(rows), added), -1, int32)), axis=1)),
            np.pad(slots.path_velocity, ((0, 0), (0, added if slots.path_velocity.size else 0))),
        )
        since, no_rows = np.pad(self.placed_since, (0, added)), _no_rows(held + added)
        self.slots, self.placed_since, self._no_rows = grown, since, no_rows


def united(several: Sequence[Slots]) -> Slots:
    """The slots in any of several arrays, ascending, each once."""
    if len(several) == 1 and several[0].size < 2:
        return several[0]
    if sum(map(len, several)) > _FEW:
        return np.unique(np.concatenate(several))
    return np.array(sorted({slot for slots in several for slot in slots.tolist()}), int32)


def named_parents(entities: EntityTable, children: Slots) -> NDArray[int64]:
    """The entities that some with a ``Parent``, by their slots, name now: assignments to it are not told."""
    found: NDArray[int64] = transform.Parent._columns.column("entity")[entities.rows_of(entity_rows.PARENT)[children]]
    return found


def hand_down(entities: EntityTable, values: Slots, children: Slots, none: int) -> None:
    """Give some with a ``Parent`` the value of their parents among ``values`` of all slots, if it exceeds ``none``."""
    if not children.size:
        return
    carriers = entities.find_slots(named_parents(entities, children))
    children, carriers = children[carriers >= 0], carriers[carriers >= 0]
    # A child of a child is reached in the next round; parents form no cycle.
    while True:
        inherited = values[carriers]
        inherits = (inherited > none) & (values[children] != inherited)
        if not inherits.any():
            break
        values[children[inherits]] = inherited[inherits]


def _no_rows(capacity: int) -> Slots:
    """−1 for each slot, which takes no memory and cannot be written to."""
    rows: Slots = np.broadcast_to(np.full(1, -1, int32), capacity)
    return rows


# More than so many are taken out in one pass over all.
_FEW_REMOVED = 32

# Readers that look less often take every slot for changed.
_NOTED_CHANGES = 32


class SlotIndex:
    """Slots below a capacity, each once.

    Attributes
    ----------
    slots
        (n,) the slots; the same array as long as none comes or goes.
    revision
        Grows with each change.
    places
        For each slot its place among them, −1 if it is not in the index; slots behind the last one are not.
    """

    def __init__(self) -> None:
        self._room = NO_SLOTS
        self.places = NO_SLOTS
        self.slots = NO_SLOTS
        self.revision = 0
        # The slots that came or went in the last changes, with the revision that each change made.
        self._changes: deque[tuple[int, Slots]] = deque(maxlen=_NOTED_CHANGES)

    def __len__(self) -> int:
        return self.slots.size

    def has(self, slots: Slots) -> NDArray[bool_]:
        """Whether each of some slots (k,) is in the index."""
        try:
            return self.places[slots] >= 0
        except IndexError:
            # Some are newer than the index.
            found = np.zeros(slots.size, bool_)
        known = slots < self.places.size
        found[known] = self.places[slots[known]] >= 0
        return found

    def changed_since(self, revision: int) -> list[Slots] | None:
        """The slots that came or went since a revision; None if any may have."""
        changes = [slots for at, slots in self._changes if at > revision]
        return changes if len(changes) == self.revision - revision else None

    def put(self, slots: Slots, capacity: int) -> None:
        """Let these slots be in the index, and no others."""
        count = slots.size
        if self.places.size < capacity or self._room.size < count:
            self._room, self.places = np.empty(max(capacity, count), int32), np.full(capacity, -1, int32)
        else:
            self.places[self.slots] = -1
        self._room[:count] = slots
        self.places[slots] = np.arange(count, dtype=int32)
        self._changes.clear()
        self.revision += 1
        self.slots = self._room[:count]

    def follow(self, slots: Slots, are_in: list[int], capacity: int) -> None:
        """Let each of some slots (k,) be in the index or not."""
        if slots.size > _FEW_REMOVED:
            were_in, wanted = self.has(slots), np.array(are_in, bool_)
            self.remove(slots[were_in & ~wanted])
            self.add(slots[wanted & ~were_in], capacity)
            return
        place = self.places
        gone: list[int] = []
        come: list[int] = []
        for slot, is_in in zip(slots.tolist(), are_in, strict=True):
            if (slot < place.size and place[slot] >= 0) != is_in:
                (come if is_in else gone).append(slot)
        if gone:
            self.remove(np.array(gone, int32))
        if come:
            self.add(np.array(come, int32), capacity)

    def add(self, slots: Slots, capacity: int) -> None:
        """Add some slots that are not in the index."""
        if not slots.size:
            return
        self.revision += 1
        self._changes.append((self.revision, slots))
        count = self.slots.size
        if capacity > self.places.size:
            self.places = np.concatenate((self.places, np.full(capacity - self.places.size, -1, int32)))
            room = np.empty(capacity, int32)
            room[:count] = self.slots
            self._room = room
        end = count + slots.size
        self._room[count:end] = slots
        self.places[slots] = count if slots.size == 1 else np.arange(count, end, dtype=int32)
        self.slots = self._room[:end]

    def remove(self, slots: Slots) -> None:
        """Remove some slots that are in the index: the last ones take their places."""
        if not slots.size:
            return
        if slots.size > _FEW_REMOVED:
            self.places[slots] = -1
            self.put(self.slots[self.places[self.slots] >= 0], self.places.size)
            return
        self.revision += 1
        self._changes.append((self.revision, slots))
        room, place, count = self._room, self.places, self.slots.size
        for slot in slots.tolist():
            count -= 1
            last = room[count]
            room[place[slot]] = last
            place[last] = place[slot]
            place[slot] = -1
        self.slots = room[:count]
