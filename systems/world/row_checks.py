"""Checks of components in bulk, before a system uses their rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import int32, int64
from numpy.typing import NDArray

from ecsphys.components.store.component import Component
from ecsphys.engine.tables.validation import find_invalid

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


def first_bad_float(cls: type[Component], rows: Rows) -> int:
    """Where in ``block[:, rows]`` is a float that no assignment accepts, as ``find_invalid`` counts; −1 if nowhere."""
    columns = cls._columns
    return find_invalid(columns.float64, rows.astype(int32, copy=False), columns.low, columns.high)


def refuse_bad_floats(cls: type[Component], entities: NDArray[int64], rows: Rows) -> None:
    """ValueError naming entity, field and value for a float, written through a column, that no assignment accepts."""
    columns = cls._columns
    found = first_bad_float(cls, rows)
    if found >= 0:
        position, field = divmod(found, len(columns.float_fields))
        message = columns.describe_violation(field, float(columns.float64[field, rows[position]]))
        raise ValueError(f"entity {int(entities[position])}: {message}")


def refuse_bad_values(cls: type[Component], entities: NDArray[int64], rows: Rows) -> None:
    """The same for all fields, whole numbers too."""
    if not rows.size:
        return
    columns = cls._columns
    if columns.float_fields:
        refuse_bad_floats(cls, entities, rows)
    for whole in columns.fields:
        if whole.is_float:
            continue
        values = columns.column(whole.name)[rows]
        bad = np.flatnonzero((values < whole.low) | (values > whole.high))
        if bad.size:
            message = whole.describe_violation(values[bad[0]].item())
            raise ValueError(f"entity {int(entities[bad[0]])}: {message}")


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
