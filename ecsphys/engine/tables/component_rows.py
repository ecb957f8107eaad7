"""The rows of a component class: which a game has written, as flags that kernels read, and values out of bounds.

A flag is WRITTEN by an assignment. If a kernel takes over the new values, the row is FOLLOWED until the Python layer
makes an entry in the log of the class. Values written through views are checked before a step, by find_invalid.
"""

from __future__ import annotations

from typing import Final

from numpy import float64, int32
from numpy.typing import NDArray

from ecsphys.engine.kernels import Int64s, Uint8s, kernel, scalar

WRITTEN: Final = 1
FOLLOWED: Final = 2

# Flags are searched in runs of so many, which the compiler adds up at once.
_RUN: Final = 64


@scalar
def find_written(flags: Uint8s, rows: Int64s) -> int:
    """Write the WRITTEN rows to ``rows``; returns how many there are, and one more than have room where more are."""
    count = 0
    most = int(rows.shape[0])
    for first in range(0, flags.shape[0], _RUN):
        end = min(first + _RUN, int(flags.shape[0]))
        found = 0
        for row in range(first, end):
            found += flags[row] == WRITTEN
        if found == 0:
            continue
        for row in range(first, end):
            if flags[row] == WRITTEN:
                if count == most:
                    return count + 1
                rows[count] = row
                count += 1
    return count


@scalar
def note_followed(flags: Uint8s, rows: Int64s, count: int) -> None:
    """Let the first ``count`` rows be FOLLOWED."""
    for k in range(count):
        flags[rows[k]] = FOLLOWED


# Reading a whole stretch of a block in order is several times cheaper for each value than picking rows.
_DENSE = 4


@kernel("i8(f8[:,::1], i4[::1], f8[::1], f8[::1])")
def find_invalid(block: NDArray[float64], rows: NDArray[int32], low: NDArray[float64], high: NDArray[float64]) -> int:
    """The first value among ``block[:, rows]`` that is not within its field's bounds, or −1.

    ``block`` is (fields, capacity), ``low`` and ``high`` are (fields,); a value is valid where low <= value <= high, so
    a NaN never is. Returned is position · fields + field of the offender in the first offending field, where
    position counts along ``rows``.
    """
    count = rows.shape[0]
    if count == 0:
        return -1
    first = rows[0]
    last = rows[0]
    for i in range(count):
        first = min(first, rows[i])
        last = max(last, rows[i])
    dense = last - first < _DENSE * count
    fields: int = block.shape[0]
    for field in range(fields):
        lowest = low[field]
        highest = high[field]
        if dense:
            # All rows from first to last, the rows asked about and others: if all are valid, so are those asked about.
            # A sum of bits instead of an early exit lets the compiler compare several values at once.
            stretch = block[field, first : last + 1]
            any_invalid = 0
            for j in range(stretch.shape[0]):
                any_invalid |= not ((lowest <= stretch[j]) & (stretch[j] <= highest))
            if any_invalid == 0:
                continue
        for i in range(count):
            value = block[field, rows[i]]
            if not (lowest <= value <= highest):
                return i * fields + field
    return -1
