"""Calls of kernels that are written down as words, so that another kernel can make them again.

A recorded call is a run of int64 words: the address of the kernel's machine code, then its arguments one by one. An
array takes its address and its shape, a number one word. A plan has room for the calls of some kernels at fixed places
(:class:`CallPlaces`). So a kernel can change single arguments, such as how many rows an array has, before it makes a
call.

The words do not own what they name: whoever records a call keeps its arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

from ecsphys.engine.kernels.bundles import address_of
from ecsphys.engine.kernels.compilation import COMPILES
from ecsphys.engine.kernels.kernel_calls import address_of as address_of_kernel


class CallPlaces:
    """Where the calls of some kernels are in a plan, from a first word on.

    Attributes
    ----------
    first
        The first word of each call, by the kernel's name.
    end
        The word after the last.
    """

    def __init__(self, kernels: Sequence[Callable[..., Any]], first: int) -> None:
        self.first: dict[str, int] = {}
        self._arguments: dict[str, dict[str, int]] = {}
        for kernel in kernels:
            name = kernel.__name__
            self.first[name] = first
            places, first = _places_of(kernel, first + 1)
            self._arguments[name] = places
        self.end = first

    def argument(self, kernel: Callable[..., Any], name: str) -> int:
        """The first word of an argument; of a bundle's part ``name`` is like ``grid.starts``."""
        places = self._arguments[kernel.__name__]
        return places[name.replace(".", "__")] if COMPILES else self.first[kernel.__name__]


def record_call(plan: NDArray[int64], first: int, kernel: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    """Write a call to a plan, from a word on. The arguments must be kept as long as the call may be made."""
    handed = _handed_over(kernel, arguments)
    words: list[int] = [address_of_kernel(kernel)]
    for value in handed:
        if isinstance(value, np.ndarray):
            words += (address_of(value), *value.shape)
        elif isinstance(value, float):
            words.append(as_word(value))
        else:
            words.append(int(value))
    plan[first : first + len(words)] = words


def as_word(number: float) -> int:
    """A floating-point number as a word."""
    return int(float64(number).view(int64))


def _as_they_are(*values: Any) -> tuple[Any, ...]:
    return values


if COMPILES:
    from functools import cache

    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic
    from numba.np.arrayobj import make_array, populate_array

    from ecsphys.engine.kernels.arrays_at import arrays_at
    from ecsphys.engine.kernels.flat_kernels import FlatKernel, flatten

    def _handed_over(kernel: Any, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """What is handed over to machine code for these arguments."""
        handed: tuple[Any, ...] = _caller(kernel)(*arguments)
        return handed

    @cache
    def _caller(kernel: Any) -> Callable[..., tuple[Any, ...]]:
        return _flat(kernel).make_caller(_as_they_are)

    @cache
    def _flat(kernel: Any) -> FlatKernel:
        return flatten(kernel.py_func)

    def _places_of(kernel: Any, first: int) -> tuple[dict[str, int], int]:
        """The first word of each argument of a call, and the word after the last."""
        flat, places = _flat(kernel), {}
        code = flat.entry.__code__
        for name, kind in zip(code.co_varnames[: code.co_argcount], flat.signature.args, strict=True):
            places[name] = first
            first += _size_of(kind)
        return places, first

    def _size_of(kind: Any) -> int:
        return 1 + kind.ndim if isinstance(kind, types.Array) else 1

    def noted_array(dtype: Any) -> Callable[[int, int], NDArray[Any]]:
        """For compiled code: a function of a plan's address and a word in it.

        It gives the one-dimensional array whose address and length are at that word.
        """
        return arrays_at(np.dtype(dtype), 1)

    def recorded(kernel: Callable[..., Any]) -> Callable[[NDArray[int64], int], Any]:
        """For compiled code: a function of a plan and the first word of a call of this kernel, which makes the call."""
        signature = _flat(kernel).signature

        def build(context: Any, builder: Any, _: Any, values: Any) -> Any:
            plan = make_array(types.Array(types.int64, 1, "C"))(context, builder, values[0])

            def word(k: int) -> Any:
                place = builder.add(values[1], context.get_constant(types.intp, k))
                return builder.load(builder.gep(plan.data, [place]))

            handed = []
            first = 1
            for kind in signature.args:
                handed.append(_argument(context, builder, kind, [word(first + k) for k in range(_size_of(kind))]))
                first += _size_of(kind)
            code = builder.inttoptr(
                word(0), context.call_conv.get_function_type(signature.return_type, signature.args).as_pointer()
            )
            # Kernels raise nothing.
            _, result = context.call_conv.call_function(builder, code, signature.return_type, signature.args, handed)
            return context.get_dummy_value() if signature.return_type == types.none else result

        def made(_: Any, plan: Any, first: Any) -> Any:
            return signature.return_type(types.Array(types.int64, 1, "C"), types.intp), build

        made.__name__ = f"call_{kernel.__name__}"
        call: Callable[[NDArray[int64], int], Any] = intrinsic(made)
        return call

    def _argument(context: Any, builder: Any, kind: Any, words: list[Any]) -> Any:
        """What machine code takes as an argument, of its words."""
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

else:

    def recorded(kernel: Callable[..., Any]) -> Callable[[NDArray[int64], int], Any]:
        """Without compiled code no call is recorded."""
        return lambda plan, first: kernel

    def noted_array(dtype: Any) -> Callable[[int, int], NDArray[Any]]:
        """Without compiled code no array is noted."""
        return lambda address, first: np.zeros(0, dtype)

    def _handed_over(kernel: Any, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        return arguments

    def _places_of(kernel: Any, first: int) -> tuple[dict[str, int], int]:
        names = kernel.__annotations__
        return dict.fromkeys(names, first), first
