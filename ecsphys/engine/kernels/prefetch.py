"""Asking the processor for memory ahead of its use, where a kernel reads rows in an order that it cannot foresee."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from ecsphys.engine.kernels.compilation import IS_BUILDING


def prefetch(array: NDArray[Any], row: int) -> None:
    """Start fetching ``array[row]``, of any dtype and any number of dimensions; in Python it does nothing."""


if IS_BUILDING:
    from ecsphys.engine.compiler.bit_code import compile_prefetch

    compile_prefetch(prefetch)
