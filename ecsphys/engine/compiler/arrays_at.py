"""Arrays in machine code, of the addresses and shapes that Python has written down."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from numba import from_dtype, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array
from numpy.typing import NDArray


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
