"""Machine code of instructions of the processor, of calls by addresses, and of arrays: on the stack, or made of words,
which are the address and the shape."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba import from_dtype
from numba.core import cgutils, types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin
from numba.np.arrayobj import make_array, populate_array
from numpy.typing import NDArray


def words_of(kind: Any) -> int:
    """How many words an argument of a type takes."""
    return 1 + kind.ndim if isinstance(kind, types.Array) else 1


def arguments_from_words(context: Any, builder: Any, kinds: Sequence[Any], word: Callable[[int], Any]) -> list[Any]:
    """The arguments of these types, ``word(k)`` being what loads the ``k``-th word."""
    arguments, first = [], 0
    for kind in kinds:
        size = words_of(kind)
        arguments.append(_argument(context, builder, kind, [word(first + k) for k in range(size)]))
        first += size
    return arguments


def _argument(context: Any, builder: Any, kind: Any, words: list[Any]) -> Any:
    if not isinstance(kind, types.Array):
        if kind == types.float64:
            return builder.bitcast(words[0], ir.DoubleType())
        if kind == types.boolean:
            return builder.trunc(words[0], context.get_value_type(kind))
        return words[0]
    array = make_array(kind)(context, builder)
    shape = words[1:]
    size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    strides = [size]
    for length in shape[:0:-1]:
        strides.insert(0, builder.mul(strides[0], length))
    data = builder.inttoptr(words[0], array.data.type)
    populate_array(array, data=data, shape=shape, strides=strides, itemsize=size, meminfo=None)
    return array._getvalue()


@functools.cache
def arrays_at(dtype: Any, dimensions: int) -> Callable[[int, int], NDArray[Any]]:
    """For compiled code: the array of a dtype whose address and shape are those from the ``first`` of the numbers on
    that begin at an address."""
    wanted = types.Array(from_dtype(dtype), dimensions, "C")

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        numbers = builder.inttoptr(arguments[0], context.get_value_type(types.int64).as_pointer())

        def number(k: int) -> Any:
            place = builder.add(arguments[1], context.get_constant(types.intp, k))
            return builder.load(builder.gep(numbers, [place]))

        array = make_array(wanted)(context, builder)
        shape = [number(1 + k) for k in range(dimensions)]
        size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(wanted.dtype)))
        strides = [size]
        for length in shape[:0:-1]:
            strides.insert(0, builder.mul(strides[0], length))
        data = builder.inttoptr(number(0), array.data.type)
        populate_array(array, data=data, shape=shape, strides=strides, itemsize=size, meminfo=None)
        return array._getvalue()

    def array_at(_: Any, numbers: Any, first: Any) -> Any:
        return wanted(types.int64, types.intp), build

    made: Callable[[int, int], NDArray[Any]] = intrinsic(array_at)
    return made


# For vectors of four float64.
_ALIGNMENT = 32


def array_on_stack(shape: tuple[int, ...], dtype: Any) -> Callable[[], NDArray[Any]]:
    """For compiled code: a function that makes an array without gaps."""
    wanted = types.Array(from_dtype(dtype), len(shape), "C")

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        element = context.get_data_type(wanted.dtype)
        place = cgutils.alloca_once(builder, ir.ArrayType(element, math.prod(shape)))
        place.align = _ALIGNMENT
        array = make_array(wanted)(context, builder)
        size = context.get_abi_sizeof(element)
        strides = [size * math.prod(shape[k + 1 :]) for k in range(len(shape))]
        populate_array(
            array,
            data=builder.bitcast(place, array.data.type),
            shape=[context.get_constant(types.intp, length) for length in shape],
            strides=[context.get_constant(types.intp, stride) for stride in strides],
            itemsize=context.get_constant(types.intp, size),
            meminfo=None,
        )
        return array._getvalue()

    def new_array(_: Any) -> Any:
        return wanted(), build

    made: Callable[[], NDArray[Any]] = intrinsic(new_array)
    return made


def compile_as(function: Any, result: Any, takes: Sequence[Any], build: Callable[..., Any]) -> None:
    """Let kernels call a function: ``build(context, builder, signature, values)`` makes the code.

    ``result`` is the type it gives, and ``takes`` has the types of its arguments, None for a type that stays as it is.
    """

    class Template(AbstractTemplate):  # type: ignore[misc]
        key = function

        def generic(self, given: Sequence[Any], _: Any) -> Any:
            return signature(
                result, *(kind if wanted is None else wanted for kind, wanted in zip(given, takes, strict=True))
            )

    def lowered(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        made = build(context, builder, signature, values)
        return context.get_dummy_value() if made is None else made

    infer_global(function, types.Function(Template))
    lower_builtin(function, types.VarArg(types.Any))(lowered)  # type: ignore[attr-defined]


def compile_as_instructions(prefetch: Any, lowest_bit: Any, call_kernel: Any, call_function: Any) -> None:
    """Let kernels call the functions of :mod:`ecsphys.engine.kernels.intrinsics` by the code below."""
    compile_as(prefetch, types.none, (None, types.intp), _prefetch)
    compile_as(lowest_bit, types.int64, (types.int64,), _lowest_bit)
    compile_as(call_kernel, types.none, (types.int64, None), _call_kernel)
    compile_as(call_function, types.none, (types.int64,) * 3, _call_function)


def compile_words(load_word: Any, store_word: Any, exchange_word: Any, rest: Any, give_way: Any) -> None:
    """The same for functions of :mod:`ecsphys.engine.threads.crew`."""
    compile_as(load_word, types.int64, (None, types.intp), _load)
    compile_as(store_word, types.none, (None, types.intp, types.int64), _store)
    compile_as(exchange_word, types.boolean, (None, types.intp, types.int64, types.int64), _exchange)
    compile_as(rest, types.none, (), lambda context, builder, signature, values: _pause(builder))
    compile_as(give_way, types.none, (types.int64,), _give_way)


def _lowest_bit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    return builder.cttz(values[0], ir.IntType(1)(1))


def _prefetch(context: Any, builder: Any, signature: Any, values: Any) -> None:
    view = context.make_array(signature.args[0])(context, builder, values[0])
    stride = cgutils.unpack_tuple(builder, view.strides)[0]
    whole, byte_pointer, flag = ir.IntType(64), ir.IntType(8).as_pointer(), ir.IntType(32)
    address = builder.add(builder.ptrtoint(view.data, whole), builder.mul(values[1], stride))
    takes = ir.FunctionType(ir.VoidType(), [byte_pointer, flag, flag, flag])
    llvm_prefetch = builder.module.declare_intrinsic("llvm.prefetch", [byte_pointer], takes)
    # For reading, to be kept in all caches, data.
    builder.call(llvm_prefetch, [builder.inttoptr(address, byte_pointer), flag(0), flag(3), flag(1)])


_WORD_BYTES = 8


def _address(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """Where the first number of a row is."""
    view = context.make_array(signature.args[0])(context, builder, values[0])
    zero = context.get_constant(types.intp, 0)
    return cgutils.get_item_pointer(context, builder, signature.args[0], view, [values[1], zero], wraparound=False)


def _load(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    return builder.load_atomic(_address(context, builder, signature, values), "acquire", _WORD_BYTES)


def _store(context: Any, builder: Any, signature: Any, values: Any) -> None:
    builder.store_atomic(values[2], _address(context, builder, signature, values), "release", _WORD_BYTES)


def _exchange(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    place = _address(context, builder, signature, values)
    return builder.extract_value(builder.cmpxchg(place, values[2], values[3], "acq_rel", "acquire"), 1)


def _pause(builder: Any) -> None:
    # The extension has it, for each processor.
    function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.VoidType(), []), "ecsphys_pause")
    builder.call(function, [])


def _give_way(context: Any, builder: Any, signature: Any, values: Any) -> None:
    has_function = builder.icmp_unsigned("!=", values[0], values[0].type(0))
    with builder.if_else(has_function) as (there, absent):
        with there:
            function = ir.FunctionType(ir.IntType(32), [])
            builder.call(builder.inttoptr(values[0], function.as_pointer()), [])
        with absent:
            _pause(builder)


def _call_kernel(context: Any, builder: Any, signature: Any, values: Any) -> None:
    handed = [types.unliteral(kind) for kind in signature.args[1]]  # type: ignore[attr-defined]
    function = context.call_conv.get_function_type(types.none, handed)
    called = builder.inttoptr(values[0], function.as_pointer())
    # Kernels raise nothing.
    context.call_conv.call_function(builder, called, types.none, handed, cgutils.unpack_tuple(builder, values[1]))


def _call_function(context: Any, builder: Any, signature: Any, values: Any) -> None:
    pointer = ir.IntType(8).as_pointer()
    function = ir.FunctionType(ir.VoidType(), [pointer, ir.IntType(64)])
    called = builder.inttoptr(values[0], function.as_pointer())
    builder.call(called, [builder.inttoptr(values[1], pointer), values[2]])


def recorded_call(kernel: Any, first: int, size: int) -> Callable[..., Any]:
    """For compiled code: a function of a plan, which makes the call of a kernel that is recorded from a word on.

    With ``size`` it is a function of a plan and a number, for calls that are so many words apart.
    """
    wanted = kernel.flat.signature
    takes = (types.Array(types.int64, 1, "C"), *((types.intp,) if size else ()))

    def build(context: Any, builder: Any, _: Any, values: Any) -> Any:
        plan = make_array(takes[0])(context, builder, values[0])
        start = context.get_constant(types.intp, first)
        if size:
            start = builder.add(start, builder.mul(values[1], context.get_constant(types.intp, size)))

        def word(k: int) -> Any:
            place = builder.add(start, context.get_constant(types.intp, k))
            return builder.load(builder.gep(plan.data, [place]))

        arguments = arguments_from_words(context, builder, wanted.args, lambda k: word(1 + k))
        function = context.call_conv.get_function_type(wanted.return_type, wanted.args)
        code = builder.inttoptr(word(0), function.as_pointer())
        # Kernels raise nothing.
        _, result = context.call_conv.call_function(builder, code, wanted.return_type, wanted.args, arguments)
        return context.get_dummy_value() if wanted.return_type == types.none else result

    def call(*values: Any) -> Any:
        """Only compiled code calls it."""

    compile_as(call, wanted.return_type, takes, build)
    return call
