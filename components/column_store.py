"""The memory behind a component class: one block of columns for each dtype, rows handed out and taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy import float64, int64, uint8, uint32
from numpy.typing import NDArray

from ecsphys.components.column import Field
from ecsphys.components.column_leases import ColumnLeases

_FIRST_CAPACITY: Final = 64
_LARGE_CAPACITY: Final = 4096


class ColumnStore:
    """Rows of one component class.

    ``float64``, ``int64`` and ``uint32`` are C-contiguous blocks of shape (fields, capacity), fields in declaration
    order; ``float_fields``, ``int_fields`` and ``uint_fields`` are their names. A block that is full is *replaced* by
    a larger one, so take it afresh every frame. A float value is valid iff ``low[i] <= value <= high[i]``,
    with i its row in the float64 block.

    ``marks``, a byte for each row, is 1 where a field of an instance was assigned, in a class that is ``marked``, until
    the system that cares for the row has set it back; ``leases`` knows of the arrays that :meth:`lease` handed out.

    Rows below ``high_water`` have been used at least once; those of dead instances keep their last values until they
    are handed out again. Blocks never shrink.
    """

    __slots__ = (
        "_free",
        "_rebind",
        "fields",
        "float64",
        "float_fields",
        "high",
        "high_water",
        "int64",
        "int_fields",
        "leases",
        "low",
        "marked",
        "marks",
        "owner",
        "uint32",
        "uint_fields",
    )

    def __init__(self, owner: str, fields: Sequence[Field], marked: bool = False) -> None:
        self.owner = owner
        self.marked = marked
        self.fields = tuple(fields)
        floats = [field for field in fields if field.dtype == "float64"]
        self.float_fields = tuple(field.name for field in floats)
        self.int_fields = tuple(field.name for field in fields if field.dtype == "int64")
        self.uint_fields = tuple(field.name for field in fields if field.dtype == "uint32")
        self.low: NDArray[float64] = np.array([field.low for field in floats], dtype=float64)
        self.high: NDArray[float64] = np.array([field.high for field in floats], dtype=float64)
        self.float64: NDArray[float64] = np.zeros((len(self.float_fields), _FIRST_CAPACITY), dtype=float64)
        self.int64: NDArray[int64] = np.zeros((len(self.int_fields), _FIRST_CAPACITY), dtype=int64)
        self.uint32: NDArray[uint32] = np.zeros((len(self.uint_fields), _FIRST_CAPACITY), dtype=uint32)
        self.marks = bytearray(_FIRST_CAPACITY if marked else 0)
        self.leases = ColumnLeases()
        self.high_water = 0
        self._free: list[int] = []
        self._rebind: Callable[..., None] | None = None

    @property
    def capacity(self) -> int:
        return int(self.float64.shape[1])

    @property
    def live_rows(self) -> int:
        """Number of rows that belong to a live instance."""
        return self.high_water - len(self._free)

    def rebind_on_growth(self, rebind: Callable[..., None]) -> None:
        """Call ``rebind(marks, *views)``, a memoryview for each field: now and whenever they move."""
        self._rebind = rebind
        rebind(self.marks, *self._views())

    def allocate(self) -> int:
        """A row for a new instance, the last freed first."""
        # Finalisers may run at any point here: they only append to the list, which is never replaced.
        free = self._free
        return free.pop() if free else self.allocate_fresh()

    def allocate_fresh(self) -> int:
        """A row never used before; grows the blocks when they are full."""
        row = self.high_water
        if row == self.capacity:
            self._grow()
        self.high_water = row + 1
        return row

    def allocate_many(self, count: int) -> NDArray[int64]:
        """Rows for ``count`` new instances, ascending."""
        free = self._free
        used = [free.pop() for _ in range(min(count, len(free)))]
        fresh = count - len(used)
        while self.high_water + fresh > self.capacity:
            self._grow()
        rows = np.concatenate((np.sort(np.array(used, int64)), np.arange(self.high_water, self.high_water + fresh)))
        self.high_water += fresh
        return rows

    def release(self, row: int) -> None:
        """Take a row back."""
        self._free.append(row)

    def column(self, name: str) -> NDArray[Any]:
        """The live 1-D array of a field, rows 0 … high_water − 1; ``ValueError`` for an unknown name."""
        if not name.startswith("_") and any(field.name == name for field in self.fields):
            used: NDArray[Any] = self.row_of_block(name)[: self.high_water]
            return used
        known = ", ".join(field.name for field in self.fields if not field.name.startswith("_"))
        raise ValueError(f"{self.owner} has no column {name!r}, only: {known or 'none at all'}")

    def row_of_block(self, name: str) -> NDArray[Any]:
        """The live 1-D array of any field, hidden ones too, up to the capacity."""
        block: NDArray[Any]
        for block, names in (
            (self.float64, self.float_fields),
            (self.int64, self.int_fields),
            (self.uint32, self.uint_fields),
        ):
            if name in names:
                row: NDArray[Any] = block[names.index(name)]
                return row
        raise ValueError(f"{self.owner} has no field {name!r}")

    @property
    def has_marks(self) -> bool:
        """Whether any row is marked."""
        return self.marks.find(1) >= 0

    def marked_rows(self) -> NDArray[np.intp]:
        """The rows (n,) that are marked."""
        return np.flatnonzero(np.frombuffer(self.marks, uint8))

    def mark(self, rows: NDArray[Any]) -> None:
        """Mark some rows, which are written without the instances' help."""
        np.frombuffer(self.marks, uint8)[rows] = 1

    def take_marks(self, rows: NDArray[Any]) -> NDArray[uint8]:
        """The marks (n,) of some rows, which are set back."""
        marks = np.frombuffer(self.marks, uint8)
        taken: NDArray[uint8] = marks[rows]
        marks[rows] = 0
        return taken

    def lease(self, name: str) -> NDArray[Any]:
        """:meth:`column` for somebody who may write: the leases know as long as he holds it."""
        return self.leases.grant(self.column(name))

    def describe_violation(self, float_index: int, value: float) -> str:
        """The message for a bad value in a row of the float64 block: component, field, bound and value."""
        name = self.float_fields[float_index]
        return next(field for field in self.fields if field.name == name).describe_violation(float(value))

    def refuse_bad_floats(self, row: int) -> None:
        """ValueError for a float of a row, written through a column, that no assignment accepts."""
        values = self.float64[:, row]
        valid = (self.low <= values) & (values <= self.high)
        if not valid.all():
            field = int(np.argmin(valid))
            raise ValueError(self.describe_violation(field, float(values[field])))

    def checked(self, *values: Any) -> list[float]:
        """One value for each field, converted; the first bad one raises as :meth:`Field.checked` does."""
        return [field.checked(value) for field, value in zip(self.fields, values, strict=True)]

    def _grow(self) -> None:
        self.float64 = grown_block(self.float64)
        self.int64 = grown_block(self.int64)
        self.uint32 = grown_block(self.uint32)
        if self.marked:
            self.marks = self.marks + bytes(self.capacity - len(self.marks))
        if self._rebind is not None:
            self._rebind(self.marks, *self._views())

    def _views(self) -> list[memoryview]:
        rows = {"float64": iter(self.float64), "int64": iter(self.int64), "uint32": iter(self.uint32)}
        return [memoryview(next(rows[field.dtype])) for field in self.fields]


def grown_block(block: NDArray[Any]) -> NDArray[Any]:
    """A larger block (fields, capacity) that begins with what is in this one: twice as large, or a quarter if large."""
    fields, capacity = block.shape
    larger = 2 * capacity if capacity < _LARGE_CAPACITY else capacity + capacity // 4
    grown = np.zeros((fields, larger), dtype=block.dtype)
    grown[:, :capacity] = block
    return grown
