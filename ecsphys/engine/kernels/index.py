"""Indices that the compiler knows not to count from the end of an array."""

from __future__ import annotations

from numpy import int64, uint32

from ecsphys.engine.kernels.compilation import scalar


@scalar
def index(number: int) -> int:
    """A number from 0 to 2³² − 1, as it is: a read with it, or with a number counted up from it, needs no check."""
    return int(int64(uint32(number)))
