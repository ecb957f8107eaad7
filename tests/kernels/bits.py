"""Single functions of the engine for arrays of numbers."""

from __future__ import annotations

from ecsphys.engine.kernels import Int64s, kernel, lowest_bit


@kernel
def find_lowest(numbers: Int64s) -> None:
    """Replace numbers by their lowest bit."""
    for k in range(numbers.shape[0]):
        numbers[k] = lowest_bit(numbers[k])
