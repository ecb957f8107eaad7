"""How the engine's functions become machine code.

Two decorators mark everything numba compiles:

* :func:`scalar` for small functions that read like a formula; they are compiled into the kernels that call them.
* :func:`kernel` for the few functions Python calls. Each has exactly one signature and is kept on disk
  (:mod:`ecsphys.engine.kernel_cache`).
"""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ParamSpec, Protocol, TypeVar, cast

import numba
from numba.core import event
from numba.extending import register_jitable

from ecsphys.engine.kernel_cache import KernelCache, cache_folder, engine_modules

P = ParamSpec("P")
R = TypeVar("R")

# "numpy": a zero divisor gives inf or nan as in numpy, without a branch that raises; every kernel guards the
# divisions that can meet a zero.
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True}

# A scalar allocates nothing: saying so spares a reference count of every array argument in each call that is not
# inlined. And nobody calls its machine code but compiled code: no wrappers for Python or C.
# (Unless told otherwise, what a function that is always inlined calls would be, too.)
_SCALAR_OPTIONS: dict[str, Any] = {
    **_OPTIONS,
    "_nrt": False,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "forceinline": False,
}

# The signature of each kernel.
_signatures: dict[Any, str] = {}


def scalar(function: Callable[P, R]) -> Callable[P, R]:
    """Let kernels compile a small function, which allocates no array, into themselves.

    To Python it stays the plain function it is: a one-off call runs the same source without compiling anything.
    """
    return cast("Callable[P, R]", register_jitable(**_SCALAR_OPTIONS)(function))


def allocating_scalar(function: Callable[P, R]) -> Callable[P, R]:
    """A :func:`scalar` that needs an array or a list of its own."""
    return cast("Callable[P, R]", register_jitable(**_SCALAR_OPTIONS | {"_nrt": True})(function))


def inlined_scalar(function: Callable[P, R]) -> Callable[P, R]:
    """A :func:`scalar` with so many array arguments that handing them over would cost more than what it does."""
    return cast("Callable[P, R]", register_jitable(**_SCALAR_OPTIONS | {"forceinline": True})(function))


def kernel(signature: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Compile a function that Python calls, for one signature, and keep the machine code on disk."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        dispatcher = numba.njit(**_OPTIONS)(function)
        dispatcher._cache = KernelCache(function)
        _signatures[dispatcher] = signature
        return cast("Callable[P, R]", dispatcher)

    return decorate


def all_kernels() -> tuple[Callable[..., Any], ...]:
    """Every kernel of the engine, in the order of modules and lines; imports all its modules."""
    for name in engine_modules():
        importlib.import_module(name)
    return tuple(sorted(_signatures, key=lambda found: (found.__module__, found.py_func.__code__.co_firstlineno)))


def name_of(kernel: Callable[..., Any]) -> str:
    """A kernel's name to show, "module.function"."""
    return f"{kernel.__module__.rpartition('.')[2]}.{kernel.__name__}"


def kept_in(kernel: Callable[..., Any]) -> Path | None:
    """The folder that has a kernel's machine code, fresh and for this processor; None where it must be compiled."""
    dispatcher = cast("Any", kernel)
    folder: Path | None = dispatcher._cache.kept_in(_signatures[dispatcher], dispatcher.targetctx)
    return folder


class Progress(Protocol):
    """Called after each of a number of kernels: how many are there now, of how many, and the name of the last."""

    def __call__(self, done: int, total: int, name: str) -> None: ...


def load_kernels(kernels: Sequence[Callable[..., Any]], progress: Progress | None = None) -> int:
    """Load kernels from the cache and compile those that are not there; returns how many were compiled.

    Later calls cost nothing. Any other kernel is loaded or compiled by its first call. What is compiled is said on
    stderr, unless ``progress`` is told.
    """
    compiled = 0
    for done, wanted in enumerate(kernels, start=1):
        dispatcher = cast("Any", wanted)
        if not dispatcher.signatures:
            _announcer.progress = f"{done}/{len(kernels)} "
            _announcer.is_silent = progress is not None
            try:
                dispatcher.compile(_signatures[dispatcher])
                # Arguments of other types are an error, not a reason to compile for seconds in the middle of a game.
                dispatcher.disable_compile()
            finally:
                _announcer.progress = ""
                _announcer.is_silent = False
            compiled += sum(dispatcher.stats.cache_misses.values())
        if progress is not None:
            progress(done, len(kernels), name_of(wanted))
    return compiled


class _Announcer(event.Listener):  # type: ignore[misc]
    """Says on stderr that a kernel is being compiled: the one thing that makes a first start slow.

    Meanwhile Python's cyclic garbage collector rests. numba builds millions of objects that live until the kernel is
    done, and going through them again and again costs more than a tenth of the time.
    """

    progress = ""
    is_silent = False
    _was_collecting = False

    def on_start(self, started: Any) -> None:
        dispatcher = started.data["dispatcher"]
        if dispatcher not in _signatures:
            return
        self._was_collecting = gc.isenabled()
        gc.disable()
        if not self.is_silent:
            name = dispatcher.py_func.__name__
            where = "" if cache_folder() else "; no folder to keep it can be written"
            print(f"ecsphys: compiling {self.progress}{name} (first run only{where})", file=sys.stderr, flush=True)

    def on_end(self, ended: Any) -> None:
        if ended.data["dispatcher"] in _signatures and self._was_collecting:
            gc.enable()


_announcer = _Announcer()
event.register("numba:compile", _announcer)
