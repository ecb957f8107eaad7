"""Kernels that call another that is not compiled into them, but found at an address when they run.

What only some games use is compiled for these alone: the kernel that may call it is handed the address, or 0. Such a
kernel returns nothing, and gets its arguments as Python hands them over: numbers, and bundles that are packed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ecsphys.engine.kernels.compilation import COMPILES


def address_of(kernel: Callable[..., None]) -> Any:
    """Where a kernel's machine code is; it is loaded or compiled first. Without compiled code, the kernel itself."""
    return kernel.address() if COMPILES else kernel  # type: ignore[attr-defined]


def handed_over(bundle: Any) -> Any:
    """What a kernel takes a packed bundle as."""
    return bundle.address if COMPILES else bundle


def call_kernel(address: int, arguments: Any) -> None:
    """Call the kernel at an address with some arguments, a tuple, of the very types of its own."""
    called: Any = address
    called(*arguments)


if COMPILES:
    from numba.core import cgutils, types
    from numba.extending import intrinsic, overload

    @intrinsic  # type: ignore[untyped-decorator]
    def _call_kernel(typing_context: Any, address: Any, arguments: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            handed = [types.unliteral(kind) for kind in signature.args[1]]  # type: ignore[attr-defined]
            function = context.call_conv.get_function_type(types.none, handed)
            called = builder.inttoptr(values[0], function.as_pointer())
            parts = cgutils.unpack_tuple(builder, values[1])
            # Kernels raise nothing.
            context.call_conv.call_function(builder, called, types.none, handed, parts)
            return context.get_dummy_value()

        return types.void(types.int64, arguments), build

    @overload(call_kernel, strict=False)  # type: ignore[untyped-decorator]
    def _compiled_call(address: Any, arguments: Any) -> Any:
        def compiled(address: Any, arguments: Any) -> None:
            _call_kernel(address, arguments)

        return compiled
