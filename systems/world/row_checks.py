"""Rows of components, and checks of values that the game may have written into columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import esper
import numpy as np
from numpy import int32, int64
from numpy.typing import NDArray

from ecsphys.components.dynamics.rigid_body import RigidBody
from ecsphys.components.store.column_store import GRANTS
from ecsphys.components.store.component import Component
from ecsphys.components.store.component_table import ComponentRows, components_of, rows_at, rows_of
from ecsphys.engine.tables.entity_rows import CHAIN, COMPOUND, FIRST_COLLIDER
from ecsphys.systems.world.entity_table import LINE_CLASSES, Slots
from ecsphys.systems.world.esper_world import NeverAttached

if TYPE_CHECKING:
    from ecsphys.systems.world.world_tables import WorldTables

Rows = NDArray[int32] | NDArray[int64]

# So few entities are asked for their components one by one.
_FEW = 64


def shared_instance_error(cls: type[Any], owner: int, other: int) -> ValueError:
    """For one instance of a class on two entities, or twice on one."""
    name = cls.__name__
    if owner == other:
        return ValueError(f"entity {owner} has one {name} instance twice: make another with copy.copy")
    return ValueError(f"entities {owner} and {other} share one {name} instance: make another with copy.copy")


def refuse_shared_instance(cls: type[Component], entities: NDArray[int64], rows: Rows) -> None:
    """ValueError naming both entities where one instance of a class is on two."""
    order = np.argsort(rows, kind="stable")
    twice = np.flatnonzero(rows[order[1:]] == rows[order[:-1]])
    if twice.size:
        raise shared_instance_error(cls, int(entities[order[twice[0]]]), int(entities[order[twice[0] + 1]]))


def refuse_bad_values(cls: type[Component], entities: NDArray[int64], rows: Rows, only_floats: bool = False) -> None:
    """ValueError naming entity, field and value for a value, written through a column, that no assignment accepts."""
    if bad := cls._columns.find_bad(rows, only_floats):
        raise ValueError(f"entity {int(entities[bad[0]])}: {bad[1]}")


class KeptRows:
    """Rows of one class's instances, and of others on the same entities: found again when any component comes or goes.

    Parameters
    ----------
    cls
        The class. Its instances are kept alive, and so their rows.
    others
        Classes of the physics' index, which checks their values.
    are_computed
        Whether systems write fields of the class: a sum may become infinite, so all values are checked at each call.
        If not, they are checked only if any may have been written since the last call.
    """

    def __init__(self, cls: type[Component], *others: type[Component], are_computed: bool = True) -> None:
        self._class = cls
        self._others = others
        self._are_computed = are_computed
        self._answer: object = None
        self._found: ComponentRows | None = None
        self._rows: tuple[NDArray[int64], ...] = ()
        # Up to which entry of the class's log of writes they were checked.
        self._checked_to = -1

    def __call__(self) -> tuple[NDArray[int64], ...]:
        """``(entities, rows, rows of others, …)`` of the current world, int64 of shape (n,), sorted by entity; the same
        object until they are found again.

        Rows of others are −1 where an entity lacks the component. ValueError naming the entity for a bad value that
        was written through a column, and naming both for one instance on two entities.
        """
        cls, answer = self._class, esper.get_component(NeverAttached)
        if answer is not self._answer:
            found = rows_of(cls)
            entities = found.entity
            if found is not self._found:
                refuse_shared_instance(cls, entities, found.row)
                self._checked_to = -1
            self._rows = entities, found.row.astype(int64), *(_rows_of(other, entities) for other in self._others)
            self._answer, self._found = answer, found
        written = cls._columns.writes.collect()
        if self._are_computed or written != self._checked_to:
            refuse_bad_values(cls, self._rows[0], self._rows[1])
            self._checked_to = written
        return self._rows


def _rows_of(cls: type[Component], entities: NDArray[int64]) -> NDArray[int64]:
    if entities.size > _FEW:
        found = rows_of(cls)
        return rows_at(entities, found.entity, found.row).astype(int64)
    instances = components_of(entities.tolist(), cls)
    return np.array([-1 if one is None else one._row for one in instances], int64)


_CHECKED = tuple(
    (line, cls) for line, cls in enumerate(LINE_CLASSES) if issubclass(cls, Component) and cls._columns.low.size
)


class ColumnChecks:
    """Looks through the rows of a world that may have been written through views since they were checked last.

    Nothing else has to be checked: every other value was when it was assigned, or was computed by the systems.
    """

    def __init__(self, tables: WorldTables) -> None:
        self._tables = tables
        self._read_to = [-1] * len(LINE_CLASSES)
        self.revision = -1
        """That of the tables at the last check."""
        self.needs_validation = False
        """Whether the next :meth:`refuse_bad_values` checks everything."""
        # How many views had been handed out at the last check, of which classes, and whether any was alive then.
        self._grants = -1
        self._viewed: list[tuple[int, type[Component]]] = []
        self._is_viewed = True

    @property
    def is_needed(self) -> bool:
        """Whether values may have been written that were not looked at, or may be at any time: through views."""
        return self.needs_validation or self._is_viewed or self._grants != GRANTS.made

    def refuse_bad_values(self) -> None:
        """ValueError naming component, field, value and entity for a number that no assignment accepts."""
        tables, grants, viewed = self._tables, GRANTS.made, self._viewed
        if self._grants != grants:
            viewed = [(line, cls) for line, cls in _CHECKED if cls._columns.views.count]
        # Values that are written without a view are checked at once.
        if not self.is_needed and (self.revision == tables.revision or not viewed):
            self.revision = tables.revision
            return
        came, instances = tables.line_revisions, tables.entities.instances
        parts_came, has_parts = max(came[COMPOUND], came[CHAIN]), instances[COMPOUND].count or instances[CHAIN].count
        read_to, is_viewed = list(self._read_to), False
        for line, cls in _CHECKED if self.needs_validation else viewed:
            may_be_part = line >= FIRST_COLLIDER
            if not (instances[line].count or (may_be_part and has_parts)):
                continue
            writes = cls._columns.writes
            read_to[line] = writes.collect()
            is_viewed |= writes.is_viewed
            # A new component may have been written to before it was attached.
            is_new = came[line] > self.revision or (may_be_part and parts_came > self.revision)
            if self.needs_validation or is_new or writes.since(self._read_to[line]).everything:
                self._check(line, cls)
        self._read_to, self._viewed, self._is_viewed = read_to, viewed, is_viewed
        self.revision, self._grants, self.needs_validation = tables.revision, grants, False

    def _check(self, line: int, cls: type[Component]) -> None:
        entities = self._tables.entities
        slots = entities.having(line)
        rows: Slots = entities.rows_of(line)[slots]
        if line >= FIRST_COLLIDER:
            of_parts, part_rows = self._tables.part_owners.rows_of(line - FIRST_COLLIDER)
            slots, rows = np.concatenate((slots, of_parts)), np.concatenate((rows, part_rows))
        # Other systems check the whole numbers of their classes.
        only_floats = cls is not RigidBody
        if cls._columns.find_bad(rows, only_floats):
            # The error names the first entity in the order of their numbers.
            numbers = entities.slots.entity[slots]
            order = np.argsort(numbers, kind="stable")
            refuse_bad_values(cls, numbers[order], rows[order], only_floats)
