"""Small arrays for the time of a call, on the stack: kernels allocate nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy import float64
from numpy.typing import DTypeLike, NDArray

from ecsphys.engine.kernels.compilation import IS_BUILDING


def scratch(shape: int | tuple[int, ...], dtype: DTypeLike = float64) -> Callable[[], NDArray[Any]]:
    """For kernels: a function that makes an array of this shape, with anything in it.

    It lasts until the function returns that has asked for it.
    """
    if IS_BUILDING:
        from ecsphys.engine.compiler.stack_arrays import array_on_stack

        return array_on_stack((shape,) if isinstance(shape, int) else shape, np.dtype(dtype))
    return lambda: np.empty(shape, dtype)
