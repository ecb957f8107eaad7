"""Rows of components, and checks of values that the game may have written into columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import esper
import numpy as np
from numpy import int32, int64
from numpy.typing import NDArray

from ecsphys.components.store.column_store import GRANTS
from ecsphys.components.store.component import Component
from ecsphys.components.store.component_table import component_rows
from ecsphys.engine.tables.entity_rows import CHAIN, COMPOUND, FIRST_COLLIDER
from ecsphys.systems.world.entity_table import LINE_CLASSES, Slots

if TYPE_CHECKING:
    from ecsphys.systems.world.world_tables import WorldTables

Rows = NDArray[int32] | NDArray[int64]


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


class WrittenValues:
    """Checks the values of one class's instances, but only if any may have been written since the last check.

    It serves systems whose own values need no check; a write through a column needs one.
    """

    def __init__(self, cls: type[Component]) -> None:
        self._class = cls
        # Up to which entry of the class's log of writes they were checked.
        self._checked_to = -1

    def forget(self) -> None:
        """Check at the next question: there are other instances."""
        self._checked_to = -1

    def refuse_bad(self, entities: NDArray[int64], rows: Rows) -> None:
        """As :func:`refuse_bad_values`."""
        written = self._class._columns.writes.collect()
        if written != self._checked_to:
            refuse_bad_values(self._class, entities, rows)
            self._checked_to = written


RowType = TypeVar("RowType", int32, int64)


class KeptRows:
    """Rows of one class's instances, and of others on the same entities: kept until the world changes structurally.

    esper drops the list that answers a query when an entity or component comes or goes; while it returns the very
    same list, the rows are still right. Holding that list keeps the instances alive, and so their rows.

    Parameters
    ----------
    cls
        A class of which there are few: its entities are asked for the others one by one, which costs nothing beside
        reading all the others' instances.
    others
        Classes of the physics' index.
    """

    def __init__(self, cls: type[Component], *others: type[Component]) -> None:
        self._class = cls
        self._others = others
        self._answer: list[tuple[int, Any]] | None = None
        self._rows: tuple[NDArray[int64], ...] = ()

    def __call__(self) -> tuple[NDArray[int64], ...]:
        """``(entities, rows, rows of others, …)`` of the current world, int64 of shape (n,), sorted by entity.

        Rows of others are −1 where an entity lacks the component. ValueError naming the entity for a bad value that
        was written through a column, and naming both for one instance on two entities; the physics checks the others.
        """
        cls = self._class
        answer = esper.get_component(cls)
        if answer is not self._answer:
            entities, rows = component_rows(cls)
            refuse_shared_instance(cls, entities, rows)
            self._rows = entities, rows, *(_rows_of(other, entities) for other in self._others)
            self._answer = answer
        # In each step: systems write some of these fields, and a sum of theirs may become infinite.
        refuse_bad_values(cls, self._rows[0], self._rows[1])
        return self._rows


def _rows_of(cls: type[Component], entities: NDArray[int64]) -> NDArray[int64]:
    found = (esper.try_component(entity, cls) for entity in entities.tolist())
    return np.fromiter((-1 if instance is None else instance._row for instance in found), int64, entities.size)


def rows_at(entities: NDArray[int64], of_entities: NDArray[int64], of_rows: NDArray[RowType]) -> NDArray[RowType]:
    """For each of ``entities`` its row among ``of_rows``, −1 where ``of_entities`` (sorted) has no such entity."""
    if not of_entities.size:
        return np.full(entities.size, -1, of_rows.dtype)
    found = np.minimum(np.searchsorted(of_entities, entities), of_entities.size - 1)
    rows: NDArray[RowType] = of_rows[found]
    rows[of_entities[found] != entities] = -1
    return rows


_NO_ENTITIES: NDArray[int64] = np.zeros(0, int64)

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
        # The classes with components, for a revision of the tables.
        self._there: list[tuple[int, type[Component]]] = []
        self._there_at = -1
        # How many views had been handed out at the last check, and whether any was alive then.
        self._grants = -1
        self._is_viewed = True

    @property
    def is_needed(self) -> bool:
        """Whether values may have been written that were not looked at, or may be at any time: through views."""
        return self.needs_validation or self._is_viewed or self._grants != GRANTS.made

    def refuse_bad_values(self) -> None:
        """ValueError naming component, field, value and entity for a float that no assignment accepts."""
        tables, read_to = self._tables, self._read_to
        grants = GRANTS.made
        # Values that are written without a view are checked at once.
        if not self.is_needed and (self.revision == tables.revision or not self._may_be_new()):
            self.revision = tables.revision
            return
        now = list(read_to)
        if self._there_at != tables.revision:
            instances = tables.entities.instances
            has_parts = instances[COMPOUND].count or instances[CHAIN].count
            self._there = [
                (line, cls) for line, cls in _CHECKED if instances[line].count or (line >= FIRST_COLLIDER and has_parts)
            ]
            self._there_at = tables.revision
        for line, cls in self._there:
            columns = cls._columns
            revision = now[line] = columns.writes.collect()
            # A new component may have been written to before it was attached.
            came = tables.line_revisions[line]
            if line >= FIRST_COLLIDER:
                came = max(came, tables.line_revisions[COMPOUND], tables.line_revisions[CHAIN])
            is_new = columns.views.count > 0 and came > self.revision
            if (
                self.needs_validation
                or is_new
                or (revision != read_to[line] and columns.writes.since(read_to[line]).everything)
            ):
                self._check(line, cls)
        self._is_viewed = any(cls._columns.writes.is_viewed for _, cls in self._there)
        self._read_to, self.revision, self._grants, self.needs_validation = now, tables.revision, grants, False

    def _may_be_new(self) -> bool:
        """Whether components may have come that were written through a view before they were attached: some views are
        alive whose classes had no components here."""
        came, revision = self._tables.line_revisions, self.revision
        has_parts = max(came[COMPOUND], came[CHAIN]) > revision
        for line, cls in _CHECKED:
            if (came[line] > revision or (has_parts and line >= FIRST_COLLIDER)) and cls._columns.views.count:
                return True
        return False

    def _check(self, line: int, cls: type[Component]) -> None:
        entities = self._tables.entities
        slots = entities.having(line)
        rows: Slots = entities.rows_of(line)[slots]
        of_parts: NDArray[int64] = _NO_ENTITIES
        if line >= FIRST_COLLIDER:
            of_parts, part_rows = self._tables.part_rows(line - FIRST_COLLIDER)
            rows = np.concatenate((rows, part_rows))
        if cls._columns.find_bad(rows, only_floats=True):
            # The error names the first entity in the order of their numbers.
            numbers = np.concatenate((entities.slots.entity[slots], of_parts))
            order = np.argsort(numbers, kind="stable")
            refuse_bad_values(cls, numbers[order], rows[order], only_floats=True)
