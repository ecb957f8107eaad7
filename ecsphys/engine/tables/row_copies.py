"""Copies of the first rows of many arrays, or of some of their rows, in one call.

Of each array the memory is known, not the type: rows are copied byte by byte.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import int64, uint8
from numpy.typing import NDArray

from ecsphys.engine.kernels import IS_BUILDING, Int64s, NamedTuple, Uint8s, address_of, kernel

if IS_BUILDING:
    from ecsphys.engine.compiler.arrays import arrays_at

    _memory_at = arrays_at(np.dtype(uint8), 1)
else:

    def _memory_at(numbers: int, first: int) -> Uint8s:
        raise NotImplementedError


class Memory(NamedTuple):
    """Where the memory of some arrays is.

    ``numbers``: the address and the bytes of each, one after the other, themselves at ``address``. ``sizes``: the bytes
    of a row of each.
    """

    arrays: tuple[NDArray[Any], ...]
    numbers: NDArray[int64]
    address: int
    sizes: NDArray[int64]


def memory_of(arrays: tuple[NDArray[Any], ...]) -> Memory:
    """The memory of arrays that lie without gaps, and stay where they are."""
    numbers = np.array([number for array in arrays for number in (address_of(array), array.nbytes)], int64)
    sizes = np.array([array[:1].nbytes for array in arrays], int64)
    return Memory(arrays, numbers, address_of(numbers), sizes)


def copy_rows(source: Memory, target: Memory, count: int, rows: NDArray[int64] | None = None) -> None:
    """Copy the first ``count`` rows of all arrays, or these ``rows``, to the first ones of others that have room."""
    if rows is None:
        copy_first_rows(source.address, target.address, target.sizes, count)
    else:
        copy_some_rows(source.address, target.address, target.sizes, rows)


@kernel
def copy_first_rows(sources: int, targets: int, sizes: Int64s, count: int) -> None:
    """Copy the first so many rows, by the addresses of :class:`Memory`."""
    for k in range(sizes.shape[0]):
        source = _memory_at(sources, 2 * k)
        target = _memory_at(targets, 2 * k)
        for place in range(count * sizes[k]):
            target[place] = source[place]


@kernel
def copy_some_rows(sources: int, targets: int, sizes: Int64s, rows: Int64s) -> None:
    """Copy some rows to the first ones, by the addresses of :class:`Memory`."""
    for k in range(sizes.shape[0]):
        source = _memory_at(sources, 2 * k)
        target = _memory_at(targets, 2 * k)
        size = sizes[k]
        for row in range(rows.shape[0]):
            for place in range(size):
                target[row * size + place] = source[rows[row] * size + place]
