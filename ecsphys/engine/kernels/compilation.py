"""The decorators of the engine: functions are kernels, or parts of kernels.

* :func:`scalar` marks small functions that read like a formula; they are compiled into the kernels that call them.
* :func:`kernel` marks the few functions that Python calls. Each has exactly one signature.

Kernels come from the library that was built with the package (:mod:`ecsphys.engine.kernels.library`). In the
processes that build it, numba makes them (:mod:`ecsphys.engine.compiler`): ``python -m ecsphys.build`` sets
``ECSPHYS_ENGINE=build`` for these alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, overload

from ecsphys.engine.kernels.building import IS_BUILDING

P = ParamSpec("P")
R = TypeVar("R")

if IS_BUILDING:
    from ecsphys.engine.compiler.lowered_kernels import make_kernel, make_scalar
else:
    from ecsphys.engine.kernels.library import make_kernel, make_scalar


def scalar(function: Callable[P, R]) -> Callable[P, R]:
    """Let kernels compile a small function, which allocates nothing, into themselves.

    To Python it stays the plain function it is: a one-off call runs the same source.
    """
    return make_scalar(function)


def inlined_scalar(function: Callable[P, R]) -> Callable[P, R]:
    """A :func:`scalar` with so many array arguments that handing them over would cost more than its work."""
    return make_scalar(function, inlined=True)


@overload
def kernel(wanted: Callable[P, R]) -> Callable[P, R]: ...


@overload
def kernel(wanted: str) -> Callable[[Callable[P, R]], Callable[P, R]]: ...


def kernel(wanted: Any) -> Any:
    """Mark a function that Python calls, with one signature.

    The signature comes from the annotations: numbers, arrays of :mod:`ecsphys.engine.kernels.array_types`, and bundles,
    NamedTuples of these (:mod:`ecsphys.engine.kernels.bundles`). Or ``@kernel("f8(f8[::1])")`` gives it.
    """
    if not isinstance(wanted, str):
        return make_kernel(wanted, None)
    return lambda function: make_kernel(function, wanted)
