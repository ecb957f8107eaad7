"""Checks of values that the game may have written into columns."""

from __future__ import annotations

import numpy as np
from numpy import int64
from numpy.typing import NDArray

from ecsphys.components.store.column_store import GRANTS
from ecsphys.components.store.component import Component
from ecsphys.engine.tables.entity_rows import CHAIN, COMPOUND, FIRST_COLLIDER
from ecsphys.systems.world.entity_table import LINE_CLASSES, Slots
from ecsphys.systems.world.row_checks import first_bad_float, refuse_bad_floats
from ecsphys.systems.world.world_tables import WorldTables

_NO_ENTITIES: NDArray[int64] = np.zeros(0, int64)

_CHECKED = tuple(
    (line, cls) for line, cls in enumerate(LINE_CLASSES) if issubclass(cls, Component) and cls._columns.float_fields
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
        self._needs_validation = False
        # The classes with components, for a revision of the tables.
        self._there: list[tuple[int, type[Component]]] = []
        self._there_at = -1
        # How many views had been handed out at the last check, and whether any was alive then.
        self._grants = -1
        self._is_viewed = True

    @property
    def is_needed(self) -> bool:
        """Whether values may have been written that were not looked at, or may be at any time: through views."""
        return self._needs_validation or self._is_viewed or self._grants != GRANTS.made

    def require_validation(self) -> None:
        """Check everything at the next :meth:`refuse_bad_values`."""
        self._needs_validation = True

    def refuse_bad_values(self) -> None:
        """ValueError naming component, field, value and entity for a float that no assignment accepts."""
        tables, read_to = self._tables, self._read_to
        grants = GRANTS.made
        if (
            grants == self._grants
            and not self._is_viewed
            and not self._needs_validation
            and self.revision == tables.revision
        ):
            return  # values that are written without a view are checked at once
        if grants == self._grants and not self._is_viewed and not self._needs_validation and not self._may_be_new():
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
                self._needs_validation
                or is_new
                or (revision != read_to[line] and columns.writes.since(read_to[line]).everything)
            ):
                self._check(line, cls)
        self._is_viewed = any(cls._columns.writes.is_viewed for _, cls in self._there)
        self._read_to, self.revision, self._grants, self._needs_validation = now, tables.revision, grants, False

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
        if first_bad_float(cls, rows) < 0:
            return
        # The error names the first entity in the order of their numbers.
        numbers = np.concatenate((entities.slots.entity[slots], of_parts))
        order = np.argsort(numbers, kind="stable")
        refuse_bad_floats(cls, numbers[order], rows[order])
