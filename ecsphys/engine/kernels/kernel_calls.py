"""Kernels and functions of C that a kernel calls at an address, and calls that are written down.

What only some games use is code for these alone: the kernel that may call it is handed the address, or 0. Such a kernel
returns nothing, and gets its arguments as Python hands them over: numbers, and bundles that are packed.

The words of a call are the address of the kernel's machine code and its arguments: of an array its address and its
shape, of anything else itself.
"""

from __future__ import annotations

from collections.abc import Callable
from ctypes import CFUNCTYPE, c_int64, c_void_p
from typing import Any, Final

from numpy import int64
from numpy.typing import NDArray

from ecsphys.engine.kernels.building import IS_BUILDING

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


if IS_BUILDING:
    from ecsphys.engine.compiler.instructions import compile_call_function, compile_call_kernel
    from ecsphys.engine.compiler.lowered_kernels import description_of

    compile_call_kernel(call_kernel)
    compile_call_function(call_function)
else:
    from ecsphys.engine.kernels.library import description_of, library


def places_of(kernel: Callable[..., Any]) -> list[tuple[str, str]]:
    """The flat arguments of a kernel, and their types: A and two more letters for an array, else one for a number."""
    names, takes = description_of(kernel)
    found, rest = [], takes.replace("(", "").replace(")", "")
    for name in names.split(",") if names else ():
        size = 3 if rest[0] == "A" else 1
        found.append((name, rest[:size]))
        rest = rest[size:]
    return found


def address_of(kernel: Callable[..., None]) -> Any:
    """Where a kernel's machine code is."""
    return library.address(kernel)


def record_call(kernel: Callable[..., Any], arguments: tuple[Any, ...], words: NDArray[int64], first: int) -> None:
    """Write the words of a call, from ``first`` on. The arguments must be kept as long as the call may be made."""
    library.record(kernel, arguments, words, first)
