"""Machine code for :mod:`ecsphys.engine.kernels.kernel_calls` and :mod:`ecsphys.engine.run.recorded_calls`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload
from numba.np.arrayobj import make_array
from numpy import int64
from numpy.typing import NDArray

from ecsphys.engine.compiler.words import arguments_from_words


@intrinsic  # type: ignore[untyped-decorator]
def _call_kernel(typing_context: Any, address: Any, arguments: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        handed = [types.unliteral(kind) for kind in signature.args[1]]  # type: ignore[attr-defined]
        function = context.call_conv.get_function_type(types.none, handed)
        called = builder.inttoptr(values[0], function.as_pointer())
        parts = cgutils.unpack_tuple(builder, values[1])
        # Kernels raise nothing.
        context.call_conv.call_function(builder, called, types.none, handed, parts)
        return context.get_dummy_value()

    return types.void(types.int64, arguments), build


def compile_call_kernel(call_kernel: Any) -> None:
    """Let kernels call another by its address."""

    def called(address: Any, arguments: Any) -> Any:
        def compiled(address: Any, arguments: Any) -> None:
            _call_kernel(address, arguments)

        return compiled

    overload(call_kernel, strict=False)(called)


@intrinsic  # type: ignore[untyped-decorator]
def _call_function(typing_context: Any, address: Any, records: Any, count: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = ir.IntType(8).as_pointer()
        function = ir.FunctionType(ir.VoidType(), [pointer, ir.IntType(64)])
        called = builder.inttoptr(values[0], function.as_pointer())
        builder.call(called, [builder.inttoptr(values[1], pointer), values[2]])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), build


def compile_call_function(call_function: Any) -> None:
    """Let kernels call a function of C by its address."""

    def called(address: Any, records: Any, count: Any) -> Any:
        def compiled(address: Any, records: Any, count: Any) -> None:
            _call_function(address, records, count)

        return compiled

    overload(call_function, strict=False)(called)


def recorded_call(kernel: Any) -> Callable[[NDArray[int64], int], Any]:
    """For compiled code: a function of a plan and the first word of a call of this kernel, which makes the call."""
    signature = kernel.flat.signature

    def build(context: Any, builder: Any, _: Any, values: Any) -> Any:
        plan = make_array(types.Array(types.int64, 1, "C"))(context, builder, values[0])

        def word(k: int) -> Any:
            place = builder.add(values[1], context.get_constant(types.intp, k))
            return builder.load(builder.gep(plan.data, [place]))

        arguments = arguments_from_words(context, builder, signature.args, lambda k: word(1 + k))
        function = context.call_conv.get_function_type(signature.return_type, signature.args)
        code = builder.inttoptr(word(0), function.as_pointer())
        # Kernels raise nothing.
        _, result = context.call_conv.call_function(builder, code, signature.return_type, signature.args, arguments)
        return context.get_dummy_value() if signature.return_type == types.none else result

    def made(_: Any, plan: Any, first: Any) -> Any:
        return signature.return_type(types.Array(types.int64, 1, "C"), types.intp), build

    made.__name__ = f"call_{kernel.__name__}"
    call: Callable[[NDArray[int64], int], Any] = intrinsic(made)
    return call
