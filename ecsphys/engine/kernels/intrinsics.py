"""What compiled code can do and Python cannot: instructions, arrays on the stack, and calls by addresses.

What only some games use is code for these alone: the kernel that may call it is handed the address of a kernel or of
a function of C, or 0. Such a kernel returns nothing, and gets its arguments as Python hands them over: numbers, and
bundles that are packed.

A recorded call is a run of int64 words, so that another kernel can make the call again: the address of the kernel's
machine code, then its arguments one by one. An array takes its address and its shape, anything else one word. The words
do not own the named arrays: the caller of :func:`record_call` keeps its arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from ctypes import CFUNCTYPE, c_int64, c_void_p
from typing import Any, Final

import numpy as np
from numpy import float64, int64, uint32
from numpy.typing import DTypeLike, NDArray

from ecsphys.engine.kernels.building import IS_BUILDING
from ecsphys.engine.kernels.compilation import description_of, scalar


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
        return array_on_stack((shape,) if isinstance(shape, int) else shape, np.dtype(dtype))
    return lambda: np.empty(shape, dtype)


_C_FUNCTION: Final = CFUNCTYPE(None, c_void_p, c_int64)


def handed_over(bundle: Any) -> Any:
    """The form in which a kernel takes a packed bundle."""
    return bundle.address


def call_kernel(address: int, arguments: Any) -> None:
    """Call the kernel at an address with some arguments, a tuple, of the very types of its own."""
    called: Any = address
    called(*arguments)


def call_function(address: int, records: int, count: int) -> None:
    """Call a function of C at an address, ``void f(void *records, int64_t count)``.

    Machine code does not hold Python's lock meanwhile.
    """
    _C_FUNCTION(address)(records, count)


def places_of(kernel: Callable[..., Any]) -> list[tuple[str, str]]:
    """The flat arguments of a kernel, and their types: A and two more letters for an array, else one for a number."""
    names, takes = description_of(kernel)
    found, rest = [], takes.replace("(", "").replace(")", "")
    for name in names.split(",") if names else ():
        size = 3 if rest[0] == "A" else 1
        found.append((name, rest[:size]))
        rest = rest[size:]
    return found


def address_of_kernel(kernel: Callable[..., None]) -> Any:
    """Where a kernel's machine code is."""
    return library.address(kernel)


def record_call(kernel: Callable[..., Any], arguments: tuple[Any, ...], words: NDArray[int64], first: int) -> None:
    """Write the words of a call, from ``first`` on. The arguments must be kept as long as the call may be made."""
    library.record(kernel, arguments, words, first)


def recorded(kernel: Callable[..., Any], first: int, size: int = 0) -> Callable[..., Any]:
    """For compiled code: a function of a plan, which makes the call of a kernel that is recorded from a word on.

    With ``size`` it is a function of a plan and a number, for calls that are so many words apart.
    """
    return recorded_call(kernel, first, size) if IS_BUILDING else lambda plan, number=0: kernel


def noted_array(dtype: Any) -> Callable[[int, int], NDArray[Any]]:
    """For compiled code: a function of a plan's address and a word in it.

    It gives the one-dimensional array whose address and length are at that word.
    """
    return arrays_at(np.dtype(dtype), 1) if IS_BUILDING else lambda address, first: np.zeros(0, dtype)


if IS_BUILDING:
    from ecsphys.engine.compiler.instructions import array_on_stack, arrays_at, compile_as_instructions, recorded_call

    compile_as_instructions(prefetch, lowest_bit, call_kernel, call_function)
else:
    from ecsphys.engine.kernels.compilation import library
