"""Arrays on the stack, for :mod:`ecsphys.engine.kernels.scratch`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import from_dtype, types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array
from numpy.typing import NDArray

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
