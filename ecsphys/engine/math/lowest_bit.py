"""The lowest bit of a number that is set: one instruction of the processor."""

from __future__ import annotations

from ecsphys.engine.kernels.compilation import IS_BUILDING


def lowest_bit(number: int) -> int:
    """Which bit of a number, not 0, is the lowest that is set: 3 of 8."""
    return (number & -number).bit_length() - 1


if IS_BUILDING:
    from ecsphys.engine.compiler.bit_code import compile_lowest_bit

    compile_lowest_bit(lowest_bit)
