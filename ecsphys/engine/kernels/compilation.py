"""How the engine's functions become machine code, or stay Python where they may not.

Two decorators mark everything that is compiled:

* :func:`scalar` for small functions that read like a formula; they are compiled into the kernels that call them.
* :func:`kernel` for the few functions Python calls. Each has exactly one signature and is kept on disk
  (:mod:`ecsphys.engine.kernels.kernel_cache`).

Here alone it is decided what they do. Where there is no numba, and with ``NUMBA_DISABLE_JIT=1``, its own switch for
debugging, nothing is compiled: the same sources run as Python (:mod:`ecsphys.engine.plain.plain_python`), with the
same results, slower.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, ParamSpec, Protocol, TypeVar, cast, overload

from ecsphys.engine.kernels.compiler_processes import compile_apart, compiling_beside
from ecsphys.engine.kernels.engine_sources import engine_modules, name_in_engine

P = ParamSpec("P")
R = TypeVar("R")


def _can_compile() -> bool:
    """Whether there is numba, and it may compile; that there is none is said once."""
    try:
        from numba.core import config
    except (ImportError, OSError) as error:
        warnings.warn(
            f"ecsphys runs as plain Python, much slower than compiled by numba ({error})", RuntimeWarning, stacklevel=2
        )
        return False
    return not config.DISABLE_JIT


COMPILES: Final = _can_compile()

if COMPILES:
    from ecsphys.engine.kernels.machine_code import make_kernel, make_scalar
else:
    from ecsphys.engine.plain.plain_python import make_kernel, make_scalar

# What is about compiling: only where there is numba can all of it be imported.
_WITHOUT_KERNELS = ("compiler", "kernels", "plain", "threads", "vectors")

# The kernels of all modules that are imported, by module and name: a module imported again replaces its own.
_kernels: dict[tuple[str, str], Any] = {}


def scalar(function: Callable[P, R]) -> Callable[P, R]:
    """Let kernels compile a small function, which allocates no array, into themselves.

    To Python it stays the plain function it is: a one-off call runs the same source without compiling anything.
    """
    return make_scalar(function)


def allocating_scalar(function: Callable[P, R]) -> Callable[P, R]:
    """A :func:`scalar` that needs an array or a list of its own."""
    return make_scalar(function, allocates=True)


def inlined_scalar(function: Callable[P, R]) -> Callable[P, R]:
    """A :func:`scalar` with so many array arguments that handing them over would cost more than what it does."""
    return make_scalar(function, inlined=True)


def stand_in(function: Callable[P, R]) -> Callable[P, R]:
    """What runs as Python where machine code has something else: a function for which numba is told what to build."""
    return function if COMPILES else make_scalar(function)


@overload
def kernel(wanted: Callable[P, R]) -> Callable[P, R]: ...


@overload
def kernel(wanted: str) -> Callable[[Callable[P, R]], Callable[P, R]]: ...


def kernel(wanted: Any) -> Any:
    """Compile a function that Python calls, for one signature, and keep the machine code on disk.

    The signature is that of the annotations: numbers, arrays of :mod:`ecsphys.engine.kernels.array_types`, and bundles,
    NamedTuples of these (:mod:`ecsphys.engine.kernels.bundles`). Or ``@kernel("f8(f8[::1])")`` gives it.
    """
    if not isinstance(wanted, str):
        return _keep(wanted, make_kernel(wanted, None))
    return lambda function: _keep(function, make_kernel(function, wanted))


def allocating_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """A :func:`kernel` with bundles that needs an array of its own."""
    return cast("Callable[P, R]", _keep(function, make_kernel(function, None, allocates=True)))


def _keep(function: Callable[..., Any], made: Any) -> Any:
    _kernels[function.__module__, function.__qualname__] = made
    return made


def all_kernels() -> tuple[Callable[..., Any], ...]:
    """Every kernel of the engine, in the order of modules and lines; imports all its modules."""
    for name in engine_modules():
        if not name_in_engine(name).startswith(_WITHOUT_KERNELS):
            importlib.import_module(name)
    return tuple(_kernels[place] for place in sorted(_kernels, key=lambda place: place[0]))


def name_of(kernel: Callable[..., Any]) -> str:
    """A kernel's name to show, "module.function"."""
    return f"{name_in_engine(kernel.__module__)}.{kernel.__name__}"


def kept_in(kernel: Callable[..., Any]) -> Path | None:
    """The folder that has a kernel's machine code, fresh and for this processor; None where it must be compiled."""
    folder: Path | None = cast("Any", kernel).kept_in()
    return folder


class Progress(Protocol):
    """Called after each of a number of kernels: how many are there now, of how many, and the name of the last."""

    def __call__(self, done: int, total: int, name: str) -> None: ...


def load_kernels(kernels: Sequence[Callable[..., Any]], progress: Progress | None = None) -> int:
    """Load kernels from the cache and compile those that are not there; returns how many were compiled.

    Later calls cost nothing. Any other kernel is loaded or compiled by its first call. What is compiled is said on
    stderr, unless ``progress`` is told. Several threads may do so at once; each kernel is compiled by one of them.
    Where many are missing, other processes compile some of them (:mod:`ecsphys.engine.kernels.compiler_processes`).
    """
    missing = [wanted for wanted in kernels if cast("Any", wanted).is_missing()]

    def place(wanted: Callable[..., Any]) -> str:
        return f"{kernels.index(wanted) + 1}/{len(kernels)} "

    def say(wanted: Callable[..., Any]) -> None:
        if progress is None:
            cast("Any", wanted).announce(place(wanted))

    def load_each(is_mine: Callable[[Callable[..., Any]], bool]) -> int:
        compiled = 0
        for done, wanted in enumerate(kernels, start=1):
            was_left = is_mine(wanted)
            compiled += cast("Any", wanted).load(place(wanted), quiet=progress is not None) or not was_left
            if progress is not None:
                progress(done, len(kernels), name_of(wanted))
        return compiled

    with compiling_beside(missing, say) as is_mine:
        return load_each(is_mine)


def compile_elsewhere(kernels: Sequence[Callable[..., Any]], progress: Progress) -> None:
    """Have other processes compile the kernels that are not in the cache, so that loading them is a matter of moments.

    Meanwhile the calling thread is free: ``progress(done, total, name)`` is called over and over, is to wait as long as
    it likes each time, and may raise to end it all. It is not called where nothing is missing. A kernel that could not
    be compiled so is compiled when it is loaded.
    """
    missing = [wanted for wanted in kernels if cast("Any", wanted).is_missing()]
    compile_apart(missing, lambda done, name: progress(done, len(missing), name))
