"""Machine code of functions that are instructions of the processor, or calls by an address."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload
from numba.np.arrayobj import make_array
from numpy import int64
from numpy.typing import NDArray

from ecsphys.engine.compiler.arrays import arguments_from_words


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


_WORD_BYTES = 8
_FLAG = ir.IntType(32)


def _address(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Where the first number of a row is."""
    view = context.make_array(signature.args[0])(context, builder, arguments[0])
    zero = context.get_constant(types.intp, 0)
    return cgutils.get_item_pointer(context, builder, signature.args[0], view, [arguments[1], zero], wraparound=False)


@intrinsic  # type: ignore[untyped-decorator]
def _load(_: Any, words: Any, row: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load_atomic(_address(context, builder, signature, arguments), "acquire", _WORD_BYTES)

    return types.int64(words, types.intp), build


@intrinsic  # type: ignore[untyped-decorator]
def _store(_: Any, words: Any, row: Any, value: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _address(context, builder, signature, arguments)
        builder.store_atomic(arguments[2], place, "release", _WORD_BYTES)
        return context.get_dummy_value()

    return types.void(words, types.intp, types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def _exchange(_: Any, words: Any, row: Any, expected: Any, value: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _address(context, builder, signature, arguments)
        found = builder.cmpxchg(place, arguments[2], arguments[3], "acq_rel", "acquire")
        return builder.extract_value(found, 1)

    return types.boolean(words, types.intp, types.int64, types.int64), build


def _pause(builder: Any) -> None:
    # The extension has it, for each processor.
    function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.VoidType(), []), "ecsphys_pause")
    builder.call(function, [])


@intrinsic  # type: ignore[untyped-decorator]
def _rest(_: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        _pause(builder)
        return context.get_dummy_value()

    return types.void(), build


@intrinsic  # type: ignore[untyped-decorator]
def _give_way(_: Any, address: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        has_function = builder.icmp_unsigned("!=", arguments[0], arguments[0].type(0))
        with builder.if_else(has_function) as (there, absent):
            with there:
                function = ir.FunctionType(_FLAG, [])
                builder.call(builder.inttoptr(arguments[0], function.as_pointer()), [])
            with absent:
                _pause(builder)
        return context.get_dummy_value()

    return types.void(types.int64), build


def compile_words(load_word: Any, store_word: Any, exchange_word: Any, rest: Any, give_way: Any) -> None:
    """Let kernels call the functions of :mod:`ecsphys.engine.threads.crew` by the code above."""

    def dispatch(function: Any, compiled: Any) -> None:
        overload(function, strict=False)(lambda *_: compiled)

    dispatch(load_word, lambda words, row: _load(words, row))
    dispatch(store_word, lambda words, row, value: _store(words, row, value))
    dispatch(exchange_word, lambda words, row, expected, value: _exchange(words, row, expected, value))
    dispatch(rest, lambda: _rest())
    dispatch(give_way, lambda address: _give_way(address))


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
