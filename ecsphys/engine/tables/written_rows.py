"""The rows of a component class that a game has written, as flags that kernels read.

A flag is WRITTEN by an assignment. Where a kernel takes over the new values, the row is FOLLOWED until the Python layer
makes an entry in the log of the class.
"""

from __future__ import annotations

from typing import Final

from ecsphys.engine.kernels.array_types import Int64s, Uint8s
from ecsphys.engine.kernels.compilation import scalar

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
