"""Indices that the compiler knows to be none of those that Python counts from the end of an array."""

from __future__ import annotations

from numpy import int64, uint32

from ecsphys.engine.kernels.compilation import scalar


@scalar
def index(number: int) -> int:
    """A number from 0 to 2³² − 1, as it is: what is read with it, or with what is counted from it, needs no check."""
    return int(int64(uint32(number)))
