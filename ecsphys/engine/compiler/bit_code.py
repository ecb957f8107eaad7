"""Machine code for :mod:`ecsphys.engine.math.lowest_bit` and :mod:`ecsphys.engine.kernels.prefetch`."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload


@intrinsic  # type: ignore[untyped-decorator]
def _trailing_zeros(typing_context: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.IntType(1)(1))

    return types.int64(types.int64), generate


def compile_lowest_bit(lowest_bit: Any) -> None:
    """One instruction of the processor."""
    overload(lowest_bit)(lambda number: lambda number: _trailing_zeros(number))


@intrinsic  # type: ignore[untyped-decorator]
def _prefetch(typing_context: Any, array: Any, row: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        stride = cgutils.unpack_tuple(builder, view.strides)[0]
        whole, byte_pointer, flag = ir.IntType(64), ir.IntType(8).as_pointer(), ir.IntType(32)
        address = builder.add(builder.ptrtoint(view.data, whole), builder.mul(arguments[1], stride))
        takes = ir.FunctionType(ir.VoidType(), [byte_pointer, flag, flag, flag])
        llvm_prefetch = builder.module.declare_intrinsic("llvm.prefetch", [byte_pointer], takes)
        # For reading, to be kept in all caches, data.
        flags = [flag(0), flag(3), flag(1)]
        builder.call(llvm_prefetch, [builder.inttoptr(address, byte_pointer), *flags])
        return context.get_dummy_value()

    return types.void(array, types.intp), generate


def compile_prefetch(prefetch: Any) -> None:
    """A hint to the processor."""
    overload(prefetch)(lambda array, row: lambda array, row: _prefetch(array, row))
