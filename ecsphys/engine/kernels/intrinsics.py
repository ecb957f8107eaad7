"""What compiled code has instructions or memory for: indices, arrays on the stack, the lowest bit, prefetching."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy import float64, int64, uint32
from numpy.typing import DTypeLike, NDArray

from ecsphys.engine.kernels.building import IS_BUILDING
from ecsphys.engine.kernels.compilation import scalar


@scalar
def index(number: int) -> int:
    """A number from 0 to 2³² − 1, as it is: a read with it, or with a number counted up from it, needs no check."""
    return int(int64(uint32(number)))


def prefetch(array: NDArray[Any], row: int) -> None:
    """Start fetching ``array[row]``, of any dtype and any number of dimensions; in Python it does nothing."""


def lowest_bit(number: int) -> int:
    """Which bit of a number, not 0, is the lowest that is set: 3 of 8."""
    return (number & -number).bit_length() - 1


def scratch(shape: int | tuple[int, ...], dtype: DTypeLike = float64) -> Callable[[], NDArray[Any]]:
    """For kernels: a function that makes an array of this shape, with anything in it.

    It lasts until the function returns that has asked for it.
    """
    if IS_BUILDING:
        from ecsphys.engine.compiler.arrays import array_on_stack

        return array_on_stack((shape,) if isinstance(shape, int) else shape, np.dtype(dtype))
    return lambda: np.empty(shape, dtype)


if IS_BUILDING:
    from ecsphys.engine.compiler.instructions import compile_lowest_bit, compile_prefetch

    compile_prefetch(prefetch)
    compile_lowest_bit(lowest_bit)
