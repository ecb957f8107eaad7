"""The decorators of the engine: functions are kernels, or parts of kernels.

* :func:`scalar` marks small functions that read like a formula; they are compiled into the kernels that call them.
* :func:`kernel` marks the few functions that Python calls. Each has exactly one signature.

Here alone it is decided what becomes of them, by the environment variable ``ECSPHYS_ENGINE``:

* ``native``, as when there is none: kernels come from the library that was built with the package
  (:mod:`ecsphys.engine.kernels.library`).
* ``python``: the same sources run as Python, slower, with the same results (:mod:`ecsphys.engine.plain.plain_python`).
* ``build``: numba makes the library (:mod:`ecsphys.engine.compiler`). Only ``python -m ecsphys.build`` sets this.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, Final, ParamSpec, TypeVar, overload

P = ParamSpec("P")
R = TypeVar("R")

# The command that builds the library begins without one.
_IS_COMMAND = sys.orig_argv[1:3] == ["-m", "ecsphys.build"]
ENGINE: Final = "python" if _IS_COMMAND else os.environ.get("ECSPHYS_ENGINE", "native")
if ENGINE not in ("native", "python", "build"):
    raise ImportError(f"ECSPHYS_ENGINE must be native or python, got {ENGINE}")

IS_BUILDING: Final = ENGINE == "build"
"""Whether numba compiles the engine, in a process that does nothing else."""

COMPILES: Final = ENGINE != "python"
"""Whether kernels are machine code."""

if IS_BUILDING:
    from ecsphys.engine.compiler.lowered_kernels import make_kernel, make_scalar
elif COMPILES:
    from ecsphys.engine.kernels.library import make_kernel, make_scalar
else:
    from ecsphys.engine.plain.plain_python import make_kernel, make_scalar


def scalar(function: Callable[P, R]) -> Callable[P, R]:
    """Let kernels compile a small function, which allocates nothing, into themselves.

    To Python it stays the plain function it is: a one-off call runs the same source.
    """
    return make_scalar(function)


def inlined_scalar(function: Callable[P, R]) -> Callable[P, R]:
    """A :func:`scalar` with so many array arguments that handing them over would cost more than its work."""
    return make_scalar(function, inlined=True)


def stand_in(function: Callable[P, R]) -> Callable[P, R]:
    """What runs as Python where machine code has something else: a function for which numba is told what to build."""
    return function if COMPILES else make_scalar(function)


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
