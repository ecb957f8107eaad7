"""Asking the processor for memory ahead of its use, where a kernel reads rows in an order that it cannot foresee."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from ecsphys.engine.kernels.compilation import COMPILES


def prefetch(array: NDArray[Any], row: int) -> None:
    """Start fetching ``array[row]``, of any dtype and any number of dimensions; in Python it does nothing."""


if COMPILES:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic, overload

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

    @overload(prefetch)  # type: ignore[untyped-decorator]
    def _compiled_prefetch(array: Any, row: Any) -> Any:
        def compiled(array: Any, row: Any) -> Any:
            return _prefetch(array, row)

        return compiled
