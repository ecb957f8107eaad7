"""Arrays that the game may read, but not write."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar

import numpy as np
from numpy import float64, int64, uint8, uint32
from numpy.typing import NDArray

from ecsphys.components.store.change_log import PUSHED, WRITTEN, WriteLog, new_place
from ecsphys.components.store.column import Field, show
from ecsphys.components.store.standing_blocks import fork_safe_lock, own_holds, wait_for_holders

Array = TypeVar("Array", bound=np.ndarray[Any, Any])


def read_only(array: Array) -> Array:
    """A view of an array that cannot be written through; the array itself stays as it is."""
    shown = array.view()
    shown.flags.writeable = False
    return shown


_LOCK = fork_safe_lock()  # any thread may ask for a column


class Grants:
    """``made``: how many views of all classes were handed out so far."""

    __slots__ = ("made",)

    def __init__(self) -> None:
        self.made = 0


GRANTS: Final = Grants()


class ColumnViews:
    """The writable arrays that were handed out of one component class's blocks.

    Writes through an array leave no trace. But an array can only be written while the game holds it, or a view of it.
    ``count`` is the number of arrays handed out so far.
    """

    __slots__ = ("_arrays", "_crowded", "count")

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


_FIRST_CAPACITY: Final = 64
_LARGE_CAPACITY: Final = 4096


class ColumnStore:
    """Rows of one component class.

    ``float64``, ``int64``, ``uint32`` and ``uint8`` are C-contiguous blocks of shape (fields, capacity), fields in
    declaration order; ``float_fields``, ``int_fields``, ``uint_fields`` and ``byte_fields`` are their names. A block
    that is full is *replaced* by a larger one, so read the attribute again every frame. A float value is valid iff
    ``low[i] <= value <= high[i]``, with i its row in the float64 block.

    ``dirty`` has a byte for each row: 1 if a field of the instance was assigned, in a class that is ``tracked``.
    Assignments in a class that is ``pushing``, such as a velocity, are told by ``collect_pushes`` alone.
    ``views`` has the arrays that :meth:`view` handed out. ``writes`` reports both to readers. The byte of ``WRITTEN``
    in the store's ``place`` is 1 if there is anything to report.

    Rows below ``high_water`` have been used at least once. Rows of dead instances keep their last values until they are
    handed out again. ``high_water`` is never more than ``capacity``. Blocks never shrink.

    Any thread may create instances: see :mod:`~ecsphys.components.store.standing_blocks`.
    """

    __slots__ = (
        "_free",
        "_replace",
        "_rows_of_fields",
        "byte_fields",
        "capacity",
        "dirty",
        "fields",
        "float64",
        "float_fields",
        "high",
        "high_water",
        "int64",
        "int_fields",
        "low",
        "owner",
        "place",
        "pushing",
        "tracked",
        "uint8",
        "uint32",
        "uint_fields",
        "views",
        "writes",
    )

    def __init__(self, owner: str, fields: Sequence[Field], tracked: bool = False, pushing: bool = False) -> None:
        self.owner = owner
        self.tracked, self.pushing = tracked, pushing
        self.fields = tuple(fields)
        floats = [field for field in fields if field.dtype == "float64"]
        self.float_fields = tuple(field.name for field in floats)
        self.int_fields = tuple(field.name for field in fields if field.dtype == "int64")
        self.uint_fields = tuple(field.name for field in fields if field.dtype == "uint32")
        self.byte_fields = tuple(field.name for field in fields if field.dtype == "uint8")
        self._rows_of_fields = {
            name: (block, number)
            for block, names in (
                ("float64", self.float_fields),
                ("int64", self.int_fields),
                ("uint32", self.uint_fields),
                ("uint8", self.byte_fields),
            )
            for number, name in enumerate(names)
        }
        """The block of each field, and the row there."""
        self.low: NDArray[float64] = np.array([field.stored_low for field in floats], dtype=float64)
        self.high: NDArray[float64] = np.array([field.high for field in floats], dtype=float64)
        self.capacity = _FIRST_CAPACITY
        self.float64, self.int64, self.uint32, self.uint8, self.dirty = self._new_blocks(_FIRST_CAPACITY)
        self.views = ColumnViews()
        self.writes = WriteLog(self)
        self.place = new_place(self.writes) if tracked else -1
        self.high_water = 0
        self._free: list[int] = []
        self._replace: Callable[..., None]

    @property
    def live_rows(self) -> int:
        """Number of rows that belong to a live instance."""
        return self.high_water - len(self._free)

    def replace_with(self, replace: Callable[..., None]) -> None:
        """Say what replaces the blocks: ``replace(holders, used, rows, capacity, blocks, dirty, *fields)``.

        It copies the slice ``rows`` of ``dirty`` and of all :meth:`memories` to those given, and assigns here what it
        is given, at once. It answers False, and has done nothing, where there are other holders of the blocks than the
        ``holders``; True also where the capacity is no more ``used``, as another thread has replaced the blocks.
        """
        self._replace = replace

    def memories(self) -> list[memoryview]:
        """A memoryview for each field."""
        return self._memories_of(self.float64, self.int64, self.uint32, self.uint8)

    def allocate_fresh(self, count: int = 1) -> int:
        """The first of ``count`` rows never used before, all in line; the blocks grow when they are full."""
        while True:
            # Nothing is called from here to the assignment: no other thread gets the same rows.
            first = self.high_water
            end = first + count
            if end <= self.capacity:
                self.high_water = end
                return first
            self._grow(end)

    def allocate_many(self, count: int) -> NDArray[int64]:
        """Rows for ``count`` new instances, ascending."""
        free = self._free
        used: list[int] = []
        with suppress(IndexError):
            while len(used) < count:
                used.append(free.pop())
        fresh = count - len(used)
        first = self.allocate_fresh(fresh)
        return np.concatenate((np.sort(np.array(used, int64)), np.arange(first, first + fresh)))

    def release(self, row: int) -> None:
        """Take a row back."""
        self._free.append(row)

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
        place = self._rows_of_fields.get(name)
        if place is None:
            raise ValueError(f"{self.owner} has no field {name!r}")
        block, number = place
        row: NDArray[Any] = getattr(self, block)[number]
        return row

    def mark_written(self, rows: int | NDArray[Any]) -> None:
        """Note that some rows were written directly and not through instances, where the class is tracked."""
        if self.pushing:
            PUSHED[0] = 1
        if self.tracked:
            # One statement, so nothing comes between the rows and the byte.
            np.frombuffer(self.dirty, uint8)[rows] = WRITTEN[self.place] = 1

    def view(self, name: str) -> NDArray[Any]:
        """:meth:`column` for a caller that may write: while it holds the array, :attr:`writes` reports all rows."""
        array = self.views.grant(self.column(name))
        if self.tracked:
            WRITTEN[self.place] = 1
        return array

    def describe_violation(self, float_index: int, value: float) -> str:
        """The message for a bad value in a row of the float64 block: component, field, bound and value."""
        name = self.float_fields[float_index]
        return next(field for field in self.fields if field.name == name).describe_violation(float(value))

    def refuse_bad_floats(self, row: int) -> None:
        """Raise ValueError if a row has a float, written through a column, that no assignment accepts."""
        values = self.float64[:, row]
        valid = (self.low <= values) & (values <= self.high)
        if not valid.all():
            field = int(np.argmin(valid))
            raise ValueError(self.describe_violation(field, float(values[field])))

    def checked(self, *values: Any) -> list[float]:
        """One value for each field, converted; the first bad one raises as :meth:`Field.checked` does."""
        return [field.checked(value) for field, value in zip(self.fields, values, strict=True)]

    def _grow(self, needed: int) -> None:
        """Replace the blocks by larger ones, as soon as no other thread needs them where they are."""
        while needed > (used := self.capacity):
            capacity = used
            while capacity < needed:
                capacity = 2 * capacity if capacity < _LARGE_CAPACITY else capacity + capacity // 4
            floats, ints, uints, octets, dirty = self._new_blocks(capacity)
            blocks = floats, ints, uints, octets
            memories = self._memories_of(*blocks)
            while not self._replace(own_holds(), used, slice(used), capacity, blocks, dirty, *memories):
                wait_for_holders()

    def _new_blocks(
        self, capacity: int
    ) -> tuple[NDArray[float64], NDArray[int64], NDArray[uint32], NDArray[uint8], bytearray]:
        return (
            np.zeros((len(self.float_fields), capacity), float64),
            np.zeros((len(self.int_fields), capacity), int64),
            np.zeros((len(self.uint_fields), capacity), uint32),
            np.zeros((len(self.byte_fields), capacity), uint8),
            bytearray(capacity if self.tracked else 0),
        )

    def _memories_of(self, *blocks: NDArray[Any]) -> list[memoryview]:
        rows = {block.dtype.name: iter(block) for block in blocks}
        return [memoryview(next(rows[field.dtype])) for field in self.fields]
