"""The entities and colliders of an esper world as arrays with fixed places, kept up to date.

The cost of a structural change depends on the change only: esper's tables of components log the entities whose
components were added or removed (:mod:`~ecsphys.components.store.component_table`), and only these are read again."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import esper
import numpy as np
from numpy import int32, int64
from numpy.typing import NDArray

from ecsphys.components.collision.colliders import ROW_KINDS, SHAPE_CLASSES
from ecsphys.components.collision.collision_filter import HitListener
from ecsphys.components.store import component_table
from ecsphys.engine.tables import entity_rows
from ecsphys.engine.tables.collider_slots import Parts, SlotChanges, count_own_colliders, list_colliders
from ecsphys.systems.world import entity_table
from ecsphys.systems.world.collider_table import ColliderTable
from ecsphys.systems.world.esper_world import NeverAttached
from ecsphys.systems.world.row_checks import shared_instance_error

# Most entities have no more colliders.
_FEW = 16

# Readers that look less often take everything for touched.
_NOTED_CHANGES = 32


_NO_PARTS = Parts(*[entity_table.NO_SLOTS] * 4)


class LineChange(NamedTuple):
    """The new rows and instances of some slots of a line of ``EntitySlots``; −1 and None for none."""

    line: int
    reading: component_table.Reading
    slots: entity_table.Slots
    rows: entity_table.Slots
    found: list[Any]


class WorldTables:
    """The entities and colliders of the current esper world.

    ``revision`` grows with every structural change, from ``first`` on. ``line_revisions`` has the revision of the last
    change of each line of ``EntitySlots``. The tables belong to one database: ``clear_database`` needs new tables.
    """

    def __init__(self, first: int = 0) -> None:
        self.entities = entity_table.EntityTable()
        self.colliders = ColliderTable()
        self.revision = first
        self.line_revisions = [first] * entity_rows.LINES
        # The entities that the last changes have touched, by their slots, with the revisions of these.
        self._touched: deque[tuple[int, entity_table.Slots]] = deque(maxlen=_NOTED_CHANGES)
        # The last answer of :meth:`touched_since`: from which revision up to which.
        self._touched_lately = -1, -1, entity_table.NO_SLOTS
        self.listeners: component_table.ComponentRows = component_table.NO_ROWS
        """The entities with a HitListener."""
        self.refiltered: list[entity_table.Slots] = []
        """Colliders whose entities have another CollisionFilter, until they are taken from here."""
        self.unread: list[SlotChanges] = []
        """Changes of colliders that :meth:`update` has found, until their readers take them from here."""
        self.answer: object = None
        """esper's answer for :class:`NeverAttached` when the tables were last in line with its world."""
        self._is_whole = True
        self._readings = [component_table.NOT_READ] * entity_rows.LINES
        self.part_owners = PartOwners()

    def is_current(self) -> bool:
        """Whether esper's world has the same structure as at the last :meth:`update`."""
        return esper.get_component(NeverAttached) is self.answer

    def update(self, complete: Callable[[LineChange, entity_table.EntityTable], bool] | None = None) -> None:
        """Update the tables from esper's world.

        ``complete`` is called with the change of ``RigidBody``, and returns whether it has added any ``Velocity``.

        Raises ValueError if one instance is on two entities, or an entity has two trajectories. Raises TypeError if an
        instance is attached under another class than its own (esper's ``type_alias``). Nothing has changed then.
        """
        answer = esper.get_component(NeverAttached)
        if answer is self.answer:
            return
        self.listeners = component_table.rows_of(HitListener)
        try:
            changes = self._gather()
            rigid = next((one for one in changes if one.line == entity_rows.RIGID_BODY), None)
            if complete is not None and rigid is not None and complete(rigid, self.entities):
                answer = esper.get_component(NeverAttached)
                changes = [one for one in changes if one.line != entity_rows.VELOCITY]
                self._gather_line(entity_rows.VELOCITY, changes)
        except BaseException:
            # Entities that were refused have slots already.
            self.entities.free_unused(np.flatnonzero(self.entities.slots.entity >= 0).astype(int32))
            raise
        if changes or not self._is_whole:
            self._apply(changes)
        self.answer = answer

    def touched_since(self, revision: int) -> entity_table.Slots | None:
        """The slots of the entities that structural changes have touched since a revision, each once; None where it may
        be any."""
        if revision == self.revision:
            return entity_table.NO_SLOTS
        since, until, found = self._touched_lately
        if since == revision and until == self.revision:
            return found
        changes = [slots for at, slots in self._touched if at > revision]
        if len(changes) != self.revision - revision:
            return None
        found = changes[0] if len(changes) == 1 else entity_table.united(changes)
        self._touched_lately = revision, self.revision, found
        return found

    def release_absent(self, kept: entity_table.Slots = entity_table.NO_SLOTS) -> None:
        """Let the slots of deleted colliders be used again, but for ``kept``."""
        self.colliders.release(self.entities, kept)
        self.entities.replaced = []

    def colliders_of(self, owners: entity_table.Slots) -> entity_table.Slots:
        """The slots of the colliders of some entities, given by their slots, −1 for none."""
        found = np.empty(self.colliders.capacity if owners.size > _FEW else 2 * _FEW, int32)
        count = list_colliders(owners, self.entities.slots, self.colliders.slots, found)
        if count == found.size < self.colliders.capacity:
            found = np.empty(self.colliders.capacity, int32)
            count = list_colliders(owners, self.entities.slots, self.colliders.slots, found)
        return found[:count]

    def colliders_with(self, line: int, rows: NDArray[int64]) -> entity_table.Slots:
        """The slots of the colliders of the entities that have, or had, some rows of a line."""
        return self.colliders_of(self.owners_in(line, rows))

    def last_change_of(self, lines: Sequence[int]) -> int:
        """The revision at which any of some lines has changed last."""
        return max(map(self.line_revisions.__getitem__, lines))

    def owners_in(self, line: int, rows: NDArray[int64]) -> entity_table.Slots:
        """The slots of the entities that have, or had, some rows of a line; −1 for none."""
        owners = self.entities.owners_of(line)
        if rows.size <= _FEW:
            # So few are faster as numbers of Python.
            found: entity_table.Slots = owners[sorted({row for row in rows.tolist() if row < owners.size})]
            return found
        rows = np.unique(rows)
        return owners.take(rows if rows[-1] < owners.size else rows[rows < owners.size])

    def owners_of_shapes(self, kind: int, rows: NDArray[int64]) -> entity_table.Slots:
        """As :meth:`owners_in` for a collider class, also of rows that are parts of compounds and chains."""
        owners = self.owners_in(entity_rows.FIRST_COLLIDER + kind, rows)
        of_parts = self.part_owners.owners_of(kind, rows.tolist())
        return np.concatenate((owners, of_parts)) if of_parts.size else owners

    def _gather(self) -> list[LineChange]:
        """The changes in each line. Raises the errors of :meth:`update`."""
        changes: list[LineChange] = []
        if not self._is_whole:
            # Every compound and chain is read again.
            self.part_owners = PartOwners()
        lines = (
            component_table.classes_changed(entity_table.LINE_CLASSES, self._readings)
            if self._is_whole
            else range(entity_rows.LINES)
        )
        for line in lines:
            self._gather_line(line, changes)
        if changes:
            on_paths = [change for change in changes if change.line in entity_table.TRAJECTORY_LINES]
            if on_paths:
                self._refuse_two_trajectories(on_paths)
            self.part_owners.refuse_shared(changes, self.entities)
        return changes

    def _gather_line(self, line: int, changes: list[LineChange]) -> None:
        """Add the change in a line, if there is one."""
        cls = entity_table.LINE_CLASSES[line]
        reading, noted = component_table.changes_since(cls, self._readings[line])
        if noted is None or not self._is_whole:
            noted = {*component_table.entities_with(cls), *self.entities.numbers_having(line, self._is_whole)}
        if noted:
            changes.append(self._change(line, cls, reading, sorted(noted)))
        elif reading != self._readings[line]:
            self._readings[line] = reading

    def _change(self, line: int, cls: type[Any], reading: component_table.Reading, entities: list[int]) -> LineChange:
        found = component_table.components_of(entities, cls)
        component_table.check_classes(cls, entities, found)
        numbers = [-1 if one is None else one._row if entity_table.HAS_ROWS[line] else 0 for one in found]
        if -1 in numbers:
            known = self.entities.slot_of
            chosen = [place for place, row in enumerate(numbers) if row >= 0 or entities[place] in known]
            if len(chosen) < len(numbers):
                entities, found, numbers = ([each[k] for k in chosen] for each in (entities, found, numbers))
        slots, rows = self.entities.slots_for(entities), np.array(numbers, int32)
        if entity_table.HAS_ROWS[line] and max(numbers, default=-1) >= 0:
            shared = self.entities.shared_by(line, slots, rows)
            if shared is not None:
                raise shared_instance_error(cls, *shared)
        return LineChange(line, reading, slots, rows, found)

    def _refuse_two_trajectories(self, changes: list[LineChange]) -> None:
        instances = self.entities.instances
        used = {line for line in entity_table.TRAJECTORY_LINES if instances[line].count}.union(
            change.line for change in changes
        )
        if len(used) < 2:
            return
        slots = np.unique(np.concatenate([change.slots for change in changes]))
        rows = self.entities.rows_in(entity_table.TRAJECTORY_LINES, slots)
        for change in changes:
            rows[change.line - entity_rows.LINEAR_TRAJECTORY, np.searchsorted(slots, change.slots)] = change.rows
        twice = np.flatnonzero((rows >= 0).sum(axis=0) > 1)
        if twice.size:
            numbers = self.entities.slots.entity[slots[twice]]
            which = twice[int(np.argmin(numbers))]
            names = [
                entity_table.LINE_CLASSES[entity_rows.LINEAR_TRAJECTORY + k].__name__
                for k in np.flatnonzero(rows[:, which] >= 0)
            ]
            raise ValueError(
                f"entity {int(numbers.min())} has two trajectories, {' and '.join(names)}: remove one of them"
            )

    def _apply(self, changes: list[LineChange]) -> None:
        entities = self.entities
        was_whole, self._is_whole = self._is_whole, False
        self.revision += 1
        self.part_owners.note(changes, entities)
        for change in changes:
            entities.set_rows(change.line, change.slots, change.rows, change.found, self.revision)
            self.line_revisions[change.line] = self.revision
        if was_whole:
            touched = entity_table.united([change.slots for change in changes])
        else:
            # Rows may be set that neither the colliders nor the readers of revisions know yet.
            self.line_revisions = [self.revision] * entity_rows.LINES
            touched = np.flatnonzero(entities.slots.entity >= 0).astype(int32)
        if touched.size > 1:
            touched = touched[entities.slots.entity[touched].argsort()]
        parts = self._parts_of(touched)
        most = len(parts.row) + count_own_colliders(touched, entities.slots)
        found = self.colliders.update(touched, entities.slots, parts, most)
        if not was_whole:
            found = self.colliders.begin_anew()
        entities.free_unused(touched)
        for change in changes:
            self._readings[change.line] = change.reading
            if change.line == entity_rows.COLLISION_FILTER:
                self.refiltered.append(self.colliders_of(change.slots))
        self.unread.append(found)
        if was_whole:
            self._touched.append((self.revision, touched))
        else:
            self._touched.clear()
        self._is_whole = True

    def _parts_of(self, slots: entity_table.Slots) -> Parts:
        """The parts of the compounds and chains of some entities."""
        both = [of for line in (entity_rows.COMPOUND, entity_rows.CHAIN) if (of := self.entities.instances[line]).count]
        lines: list[NDArray[int32]] = []
        start = [0]
        for slot in slots.tolist() if both else ():
            lines += (of[slot]._lines for of in both if slot in of)
            start.append(len(lines))
        if not lines:
            return _NO_PARTS
        ends = np.cumsum([0, *map(len, lines)], dtype=int32)
        kind, row = np.ascontiguousarray(np.concatenate(lines).T)
        return Parts(ends[start], kind, row, np.concatenate([np.arange(len(line), dtype=int32) for line in lines]))


_Part = tuple[int, int]  # kind of the shape and row
_Place = tuple[int, int]  # slot of an entity, and the line of the component that has the parts


class PartOwners:
    """Which entity's compound or chain has which part; entities by their slots."""

    def __init__(self) -> None:
        self._owner_of: dict[_Part, _Place] = {}

    def refuse_shared(self, changes: list[LineChange], entities: entity_table.EntityTable) -> None:
        """ValueError naming both entities if a compound, a chain or a part would be in two places, or alone besides."""
        having = {
            (slot, change.line): found
            for change in changes
            if change.line >= entity_rows.COMPOUND
            for slot, found in zip(change.slots.tolist(), change.found, strict=True)
        }
        if not self._owner_of and all(line >= entity_rows.FIRST_COLLIDER for _, line in having):
            return
        owner_of: dict[_Part, _Place] = {}
        for place, collider in having.items():
            is_single = place[1] >= entity_rows.FIRST_COLLIDER
            for part in () if collider is None else _parts_of(collider, place[1]):
                other = owner_of.setdefault(part, place)
                if other == place and self._owner_of.get(part, place) not in having:
                    other = self._owner_of[part]
                elif other == place and not is_single:
                    # The part may be a collider of its own, and stay one.
                    line, row = entity_rows.FIRST_COLLIDER + part[0], part[1]
                    owners = entities.owners_of(line)
                    slot = int(owners[row]) if row < owners.size else -1
                    if slot >= 0 and (slot, line) not in having and entities.rows_of(line)[slot] == row:
                        other = slot, line
                if other == place:
                    continue
                a, b = sorted(entities.slots.entity[[other[0], place[0]]].tolist())
                its = having[other] if other in having else entities.instances[other[1]][other[0]]
                if is_single or its is not collider:
                    raise shared_instance_error(SHAPE_CLASSES[part[0]], a, b)
                raise ValueError(
                    f"entities {a} and {b} share one {type(its).__name__} instance: make another with copy.deepcopy"
                )

    def owners_of(self, kind: int, rows: list[int]) -> NDArray[int32]:
        """The slots of the entities that have parts of a kind with some rows."""
        owner_of = self._owner_of
        found = {owner_of[kind, row][0] for row in rows if (kind, row) in owner_of} if owner_of else ()
        return np.fromiter(found, int32)

    def rows_of(self, kind: int) -> tuple[NDArray[int32], NDArray[int32]]:
        """The slots (n,) of the entities that have parts of a kind, and the rows (n,) of these."""
        found = [(slot, row) for (part_kind, row), (slot, _) in self._owner_of.items() if part_kind == kind]
        slots, rows = np.array(found, int32).reshape(-1, 2).T
        return slots, rows

    def note(self, changes: list[LineChange], entities: entity_table.EntityTable) -> None:
        """Take on changes that were not refused, before the entities do."""
        of_parts = [one for one in changes if one.line in (entity_rows.COMPOUND, entity_rows.CHAIN)]
        for change in of_parts:
            instances = entities.instances[change.line]
            for slot in change.slots.tolist():
                for part in _parts_of(instances[slot], change.line) if slot in instances else ():
                    if self._owner_of.get(part) == (slot, change.line):
                        del self._owner_of[part]
        for change in of_parts:
            for slot, found in zip(change.slots.tolist(), change.found, strict=True):
                if found is not None:
                    self._owner_of.update(dict.fromkeys(_parts_of(found, change.line), (slot, change.line)))


def _parts_of(collider: Any, line: int) -> list[_Part]:
    """The parts of a compound or a chain; of a single collider itself."""
    if line >= entity_rows.FIRST_COLLIDER:
        return [(line - entity_rows.FIRST_COLLIDER, collider._row)]
    return [(ROW_KINDS[kind], row) for kind, row in collider._lines.tolist()]
