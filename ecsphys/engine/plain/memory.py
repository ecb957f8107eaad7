"""Arrays as plain Python reads them fastest: a memoryview for each row, an object with attributes for each record.

An element of a numpy array comes as a number of numpy, with which Python computes slowly; one of a memoryview is a
``float`` or an ``int``, in a third of the time. Both are the same memory.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy import float64, int64
from numpy.typing import DTypeLike, NDArray

from ecsphys.engine.plain.numbers import BEYOND, NO_INTEGER

# Of so few rows all views are made at once; of more, each when it is first asked for.
_FEW_ROWS = 32


def in_rows(array: NDArray[Any]) -> Any:
    """The array such that ``rows[i][j]`` is an element; of one dimension, a memoryview, or a list of records."""
    if array.ndim == 1:
        return array.data if array.dtype.names is None else _records(array)
    if not array.flags.c_contiguous:
        raise TypeError(f"an array of shape {array.shape} has gaps: strides {array.strides}")
    return _split(array.reshape(-1).data, array.shape)


def bundle_in_rows(bundle: Any) -> Any:
    """A bundle with its arrays in rows; one that is packed keeps what is made so, as ``in_rows``."""
    return tuple.__new__(type(bundle), [as_in_kernels(part) for part in bundle])


def as_in_kernels(argument: Any) -> Any:
    """What a kernel is called with: Python's own numbers, and arrays in rows."""
    if isinstance(argument, np.ndarray):
        return in_rows(argument)
    if isinstance(argument, tuple):
        kept = getattr(argument, "in_rows", None)
        return bundle_in_rows(argument) if kept is None else kept
    return argument.item() if isinstance(argument, np.generic) else argument


def empty(shape: int | tuple[int, ...], dtype: DTypeLike = float64) -> Any:
    """A new array, in rows."""
    return in_rows(np.empty(shape, dtype))


def length_along(rows: Any, axis: int) -> int:
    """The length of an array along an axis other than the first."""
    if isinstance(rows, np.ndarray | _Rows):
        return rows.shape[axis]
    for _ in range(axis):
        rows = rows[0]
    return len(rows)


def fill(rows: Any, value: Any, *indices: Any) -> None:
    """Write the value to the chosen elements, of which some are named by slices."""
    first, *others = indices
    if isinstance(rows, memoryview | np.ndarray):
        np.asarray(rows)[indices] = value
        return
    for row in range(*first.indices(len(rows))) if isinstance(first, slice) else (first,):
        fill(rows[row], value, *(others or [slice(None)]))


def store(rows: Any, place: int, value: Any) -> None:
    """Write what of a value fits into an element of integers, as machine code does."""
    if isinstance(value, float):
        value = int(value) if -BEYOND < value < BEYOND else NO_INTEGER
    if not isinstance(rows, memoryview):
        raise TypeError(f"{rows!r} is no row of integers")
    numbers = np.asarray(rows)
    bits = 8 * numbers.itemsize
    wrapped = int(value) & (1 << bits) - 1
    if numbers.dtype.kind == "i" and wrapped >> bits - 1:
        wrapped -= 1 << bits
    numbers[place] = wrapped


def _split(numbers: memoryview, shape: Sequence[int]) -> Any:
    if len(shape) == 1:
        return numbers
    if shape[0] > _FEW_ROWS or 0 in shape:
        return _Rows(numbers, shape)
    size = math.prod(shape[1:])
    return tuple(_split(numbers[k * size : (k + 1) * size], shape[1:]) for k in range(shape[0]))


def _records(array: NDArray[Any]) -> list[Any]:
    """Records of float64 and int64 fields, such that ``rows[i].name`` is an element."""
    kind, size = _record_class(array.dtype), array.dtype.itemsize // 8
    views = {float64: array.view(float64).data, int64: array.view(int64).data}
    return [kind(views[float64], views[int64], size * row) for row in range(array.size)]


@functools.cache
def _record_class(dtype: Any) -> Callable[[memoryview, memoryview, int], Any]:
    """The class of records of a dtype."""
    members: dict[str, Any] = {"__slots__": ()}
    for name, (of, offset) in dtype.fields.items():
        if of not in (float64, int64):
            raise TypeError(f"a record in a kernel has fields of float64 and int64, got {name} of {of}")
        members[name] = _float_field(offset // 8) if of == float64 else _whole_field(offset // 8)
    return type("Record", (_Record,), members)


class _Record:
    """A record: where its numbers begin, in the memory of all records as floats and as integers."""

    __slots__ = ("first", "floats", "wholes")

    def __init__(self, floats: Any, wholes: memoryview, first: int) -> None:
        self.floats, self.wholes, self.first = floats, wholes, first


def _float_field(place: int) -> property:
    def put(record: _Record, value: float) -> None:
        record.floats[record.first + place] = value

    return property(lambda record: record.floats[record.first + place], put)


def _whole_field(place: int) -> property:
    def put(record: _Record, value: int) -> None:
        record.wholes[record.first + place] = value

    return property(lambda record: record.wholes[record.first + place], put)


class _Rows(dict[int, Any]):
    """Rows by their number: found as fast as in a list, and made when they are first looked for."""

    __slots__ = ("_numbers", "_size", "shape")

    def __init__(self, numbers: memoryview, shape: Sequence[int]) -> None:
        super().__init__()
        self._numbers = numbers
        self._size = math.prod(shape[1:])
        self.shape = shape

    def __missing__(self, row: int) -> Any:
        place = row if row >= 0 else row + self.shape[0]
        if not 0 <= place < self.shape[0]:
            raise IndexError(f"row {row} of {self.shape[0]}")
        found = _split(self._numbers[place * self._size : (place + 1) * self._size], self.shape[1:])
        super().__setitem__(row, found)
        return found

    def __setitem__(self, row: int, value: Any) -> None:
        raise TypeError("a row cannot be replaced: write its elements")

    def __len__(self) -> int:
        return self.shape[0]
