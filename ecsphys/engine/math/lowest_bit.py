"""The lowest bit of a number that is set: one instruction of the processor, and none of Python."""

from __future__ import annotations

from typing import Any

from ecsphys.engine.kernels.compilation import COMPILES


def lowest_bit(number: int) -> int:
    """Which bit of a number, not 0, is the lowest that is set: 3 of 8."""
    return (number & -number).bit_length() - 1


if COMPILES:
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic, overload

    @intrinsic  # type: ignore[untyped-decorator]
    def _trailing_zeros(typing_context: Any, number: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], ir.IntType(1)(1))

        return types.int64(types.int64), generate

    @overload(lowest_bit)  # type: ignore[untyped-decorator]
    def _compiled_lowest_bit(number: Any) -> Any:
        def compiled(number: Any) -> Any:
            return _trailing_zeros(number)

        return compiled
