"""Arrays in machine code: of words, which are the address and the shape, and on the stack."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba import from_dtype, types
from numba.core import cgutils
from numba.extending import intrinsic
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
