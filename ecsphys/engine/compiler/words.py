"""Arguments of machine code from words: of an array its address and its shape, of anything else itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.np.arrayobj import make_array, populate_array


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
