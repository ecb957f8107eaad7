"""The memory behind a component class: blocks of columns, and rows handed out and taken back; and runs of points."""

from __future__ import annotations

import math
import weakref
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain, repeat
from operator import setitem
from types import CellType
from typing import Any, Final, TypeVar

import numpy as np
from numpy import float64, int32, int64, uint8
from numpy.typing import NDArray

from ecsphys.components.store import standing_blocks
from ecsphys.components.store.change_log import PUSHED, WRITTEN, WriteLog, new_place
from ecsphys.components.store.column import Field, show
from ecsphys.engine.kernels import aligned_zeros
from ecsphys.engine.tables.component_rows import find_invalid

Array = TypeVar("Array", bound=np.ndarray[Any, Any])

GRANTS: Final = standing_blocks.Counter()
"""How many views of all classes were handed out so far."""

_FIRST_CAPACITY: Final = 64
_LARGE_CAPACITY: Final = 4096
_LOCK: Final = standing_blocks.fork_safe_lock()  # any thread may ask for a column
_BLOCKS: Final = ("float64", "int64", "uint32", "uint8")
_REPLACED: Final = (*_BLOCKS, "capacity")


def read_only(array: Array) -> Array:
    """A view of an array that cannot be written through; the array itself stays as it is."""
    shown = array.view()
    shown.flags.writeable = False
    return shown


class ColumnViews:
    """The writable arrays that were handed out of one component class's blocks; ``count``: how many.

    Writes through an array leave no trace. But an array can only be written while the game holds it, or a view of it.
    """

    def __init__(self) -> None:
        self.count = 0
        self._arrays: list[weakref.ref[NDArray[Any]]] = []
        self._crowded = 16

    def grant(self, column: NDArray[Any]) -> NDArray[Any]:
        """The same memory as a new array, which lives as long as there is a reference to it or to a view of it."""
        # numpy's views refer to the array at the end of their chain of bases. Memory that comes by way of the buffer
        # protocol ends the chain at the new array, not at the block.
        array = np.asarray(column.data)
        with _LOCK:
            self.count += 1
            GRANTS.made += 1
            self._arrays.append(weakref.ref(array))
            if len(self._arrays) > self._crowded:
                self.any_alive()
                self._crowded = 2 * len(self._arrays) + 16
        return array

    def alive(self) -> list[NDArray[Any]]:
        """The arrays that are still referred to."""
        with _LOCK:
            arrays = [reference() for reference in self._arrays]
        return [array for array in arrays if array is not None]

    def any_alive(self) -> bool:
        """Whether one is still referred to."""
        if self._arrays:
            with _LOCK:
                self._arrays = [reference for reference in self._arrays if reference() is not None]
        return bool(self._arrays)


class ColumnStore:
    """Rows of one component class.

    ``float64``, ``int64``, ``uint32`` and ``uint8`` are C-contiguous blocks of shape (fields, capacity), fields in
    declaration order, see :meth:`names_in`. A block that is full is *replaced* by a larger one, so read the attribute
    again every frame. A float value is valid iff ``low[i] <= value <= high[i]``, with i its row in the float64 block.

    A class that is ``tracked`` notes in ``dirty`` which instances had a field assigned. Assignments in a class that is
    ``pushing``, such as a velocity, are only counted, by ``collect_pushes``. ``views`` has the arrays that :meth:`view`
    handed out. ``writes`` reports both to readers. The byte of ``WRITTEN`` in the store's ``place`` is 1 if there is
    anything to report.

    Rows below ``high_water`` have been used at least once. Rows of dead instances, in ``free``, keep their last values
    until they are handed out again. Blocks never shrink.

    ``cells`` has a memoryview for each field, and ``dirty_cell`` has ``dirty``, for the functions of the class. Any
    thread may create instances: see :mod:`~ecsphys.components.store.standing_blocks`.
    """

    def __init__(self, owner: str, fields: Sequence[Field], tracked: bool = False, pushing: bool = False) -> None:
        self.owner, self.pushing = owner, pushing
        self.fields = tuple(fields)
        # For each field its block, and its row there.
        self._places = {
            field.name: (dtype, number)
            for dtype in _BLOCKS
            for number, field in enumerate(field for field in fields if field.dtype == dtype)
        }
        floats = [field for field in fields if field.is_float]
        self.low = np.array([field.stored_low for field in floats], float64)
        self.high = np.array([field.high for field in floats], float64)
        self.high_water = 0
        self.free: list[int] = []
        blocks, memories = self._new_blocks(_FIRST_CAPACITY, bytearray(_FIRST_CAPACITY if tracked else 0))
        self.float64, self.int64, self.uint32, self.uint8, self.capacity = blocks
        *self.cells, self.dirty_cell = map(CellType, memories)
        self.views = ColumnViews()
        self.writes = WriteLog(self)
        self.place = new_place(self.writes) if tracked else -1

    @property
    def tracked(self) -> bool:
        """Whether assignments are noted, in :attr:`dirty`."""
        return self.place >= 0

    @property
    def dirty(self) -> bytearray:
        """A byte for each row, 1 after an assignment; empty for a class that is not tracked."""
        dirty: bytearray = self.dirty_cell.cell_contents
        return dirty

    @property
    def live_rows(self) -> int:
        """Number of rows that belong to a live instance."""
        return self.high_water - len(self.free)

    def allocate_fresh(self, count: int = 1) -> int:
        """The first of ``count`` rows never used before, all in line; the blocks grow when they are full."""
        while True:
            # Nothing is called from here to the assignment: no other thread gets the same rows.
            first = self.high_water
            end = first + count
            if end <= self.capacity:
                self.high_water = end
                return first
            capacity = self.capacity
            while capacity < end:
                capacity = 2 * capacity if capacity < _LARGE_CAPACITY else capacity + capacity // 4
            self._replace_blocks(capacity)

    def allocate_many(self, count: int) -> NDArray[int64]:
        """Rows for ``count`` new instances, ascending."""
        free = self.free
        used: list[int] = []
        with suppress(IndexError):
            while len(used) < count:
                used.append(free.pop())
        fresh = count - len(used)
        first = self.allocate_fresh(fresh)
        return np.concatenate((np.sort(np.array(used, int64)), np.arange(first, first + fresh)))

    def names_in(self, dtype: str) -> tuple[str, ...]:
        """The names of the fields of a block, in its order."""
        return tuple(name for name, (of_block, _) in self._places.items() if of_block == dtype)

    def column(self, name: str) -> NDArray[Any]:
        """The live 1-D array of a field, rows 0 … high_water − 1. Raises ValueError for an unknown name."""
        if not isinstance(name, str):
            raise TypeError(f"{self.owner}.column() takes the name of a field, got {show(name)}")
        if not name.startswith("_") and any(field.name == name for field in self.fields):
            used: NDArray[Any] = self.row_of_block(name)[: self.high_water]
            return used
        known = ", ".join(field.name for field in self.fields if not field.name.startswith("_"))
        raise ValueError(f"{self.owner} has no column {name!r}; its columns are: {known or 'none'}")

    def row_of_block(self, name: str) -> NDArray[Any]:
        """The live 1-D array of any field, hidden ones too, up to the capacity."""
        place = self._places.get(name)
        if place is None:
            raise ValueError(f"{self.owner} has no field {name!r}")
        dtype, number = place
        row: NDArray[Any] = getattr(self, dtype)[number]
        return row

    def values(self, rows: NDArray[Any], *names: str) -> list[NDArray[Any]]:
        """For each of some fields its values in some rows (n,), copied."""
        return [self.row_of_block(name)[rows] for name in names]

    def revision(self) -> float:
        """The revision of :attr:`writes` until now; NaN, which equals nothing, if the class is not tracked."""
        return self.writes.collect() if self.place >= 0 else math.nan

    def mark_written(self, rows: int | NDArray[Any]) -> None:
        """Note that some rows were written directly and not through instances, where the class is tracked."""
        if self.pushing:
            PUSHED[0] = 1
        if self.place >= 0:
            # One statement, so nothing comes between the rows and the byte.
            np.frombuffer(self.dirty, uint8)[rows] = WRITTEN[self.place] = 1

    def view(self, name: str) -> NDArray[Any]:
        """:meth:`column` for a caller that may write: while it holds the array, :attr:`writes` reports all rows."""
        array = self.views.grant(self.column(name))
        if self.tracked:
            WRITTEN[self.place] = 1
        return array

    def find_bad(self, rows: NDArray[Any], only_floats: bool = False) -> tuple[int, str] | None:
        """Where among some rows (n,) is the first value, written through a column, that no assignment accepts, and its
        message: component, field, bound and value. None if all are good."""
        found = find_invalid(self.float64, rows.astype(int32, copy=False), self.low, self.high)
        if found >= 0:
            position, number = divmod(found, len(self.low))
            field = [field for field in self.fields if field.is_float][number]
            return position, field.describe_violation(float(self.float64[number, rows[position]]))
        for field in () if only_floats or not rows.size else self.fields:
            if not field.is_float:
                values = self.row_of_block(field.name)[rows]
                bad = np.flatnonzero((values < field.low) | (values > field.high))
                if bad.size:
                    return int(bad[0]), field.describe_violation(values[bad[0]].item())
        return None

    def check_floats(self, row: int) -> None:
        """Raise ValueError if a row has a float, written through a column, that no assignment accepts."""
        if bad := self.find_bad(np.array((row,), int32), only_floats=True):
            raise ValueError(bad[1])

    def checked(self, *values: Any) -> list[float]:
        """One value for each field, converted; the first bad one raises as :meth:`Field.checked` does."""
        return [field.checked(value) for field, value in zip(self.fields, values, strict=True)]

    def _new_blocks(self, capacity: int, dirty: bytearray) -> tuple[tuple[Any, ...], list[Any]]:
        """New values of the attributes in ``_REPLACED``, and new contents of the cells."""
        blocks = {dtype: np.zeros((len(self.names_in(dtype)), capacity), dtype) for dtype in _BLOCKS}
        places = [self._places[field.name] for field in self.fields]
        memories = [memoryview(blocks[dtype][number]) for dtype, number in places]
        return (*blocks.values(), capacity), [*memories, dirty]

    def _replace_blocks(self, capacity: int) -> None:
        """Replace the blocks by larger ones, as soon as no other thread needs them where they are."""
        values, memories = self._new_blocks(capacity, bytearray(capacity if self.tracked else 0))
        cells: list[Any] = [*self.cells, self.dirty_cell]
        while capacity > (used := self.capacity):
            replaced = [cell.cell_contents for cell in cells]
            changes = chain(
                map(setitem, memories, repeat(slice(used)), replaced),
                map(setattr, cells, repeat("cell_contents"), memories),
                map(setattr, repeat(self), _REPLACED, values),
            )
            own = standing_blocks.own_holds()
            # From here on there is a single call, which runs no code of Python: no other thread and no interrupt comes
            # in between.
            if own == standing_blocks.HOLDERS and self.capacity == used:
                standing_blocks.REPLACEMENTS.made += 1
                standing_blocks.make_all(changes)
            else:
                standing_blocks.wait_for_holders()


_FIRST_POINTS: Final = 256


class RunPool:
    """Runs of points in ``data``, float64 of shape (capacity, columns); the first two columns are x and y.

    ``data`` is replaced when it grows, so read the attribute again every frame. A run that is given back serves the
    next component with as many points. ``high_water`` is the end of the last run, ``changes`` counts the writes. Any
    thread may create components: all that changes the pool holds one lock, except giving back, which is a single call.
    """

    def __init__(self, columns: int) -> None:
        self.data: NDArray[float64] = aligned_zeros(_FIRST_POINTS, columns)
        self.high_water = self.changes = 0
        # Finalisers append to these lists at any point: they are never replaced.
        self._free: dict[int, list[int]] = {}
        self._lock = standing_blocks.fork_safe_lock()

    def rows_of(self, count: int) -> int:
        """The rows of a run of ``count`` points."""
        return count

    def allocate(self, count: int) -> int:
        """The start of a run of ``count`` points."""
        with self._lock:
            free = self._free.setdefault(count, [])
            if free:
                return free.pop()
            start, capacity = self.high_water, len(self.data)
            end = start + self.rows_of(count)
            if end > capacity:
                grown = aligned_zeros(max(end, capacity + capacity // 4) + _FIRST_POINTS, self.data.shape[1])
                grown[:capacity] = self.data
                self.data = grown
                standing_blocks.REPLACEMENTS.made += 1
            self.high_water = end
            return start

    def release(self, start: int, count: int) -> None:
        """Take a run back; a count of 0 is no run."""
        if count:
            self._free[count].append(start)

    def put(self, start: int, rows: NDArray[float64] | list[tuple[float, ...]]) -> None:
        """Write the rows (k, columns) of a run, as they are in :attr:`data`."""
        with self._lock:
            self.data[start : start + len(rows)] = rows
            self.changes += 1

    def put_many(self, starts: NDArray[int64], rows: NDArray[float64]) -> None:
        """Write rows (k, columns) to all of some runs (n,), or rows (n, k, columns) to one each."""
        with self._lock:
            self.data[starts[:, None] + np.arange(rows.shape[-2])] = rows
            self.changes += 1

    def read(self, start: int, count: int) -> tuple[tuple[float, float], ...]:
        """The points of a run."""
        x, y = self.data[start : start + count, :2].T.tolist()
        return tuple(zip(x, y, strict=True))
