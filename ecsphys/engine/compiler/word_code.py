"""Machine code for :mod:`ecsphys.engine.threads.crew`."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

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
