"""How the engine's functions become machine code, and where that code is kept.

Two decorators mark everything numba compiles:

* :func:`scalar` for small functions that read like a formula; they are compiled into the kernels that call them.
* :func:`kernel` for the few functions Python calls. Each has exactly one signature and is cached on disk.

numba stamps a cached function with its own source file only, so an edit in a callee of another file would leave
old machine code running. Here every cache entry is stamped with a hash over *all* engine sources instead.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
from numba.core import config, event
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.extending import register_jitable
from numba.misc.appdirs import AppDirs

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


@lru_cache(maxsize=1)
def source_stamp() -> str:
    """Hash over all engine sources; the executable's identity where an application ships without sources."""
    digest = hashlib.sha256()
    folder = Path(__file__).parent
    sources = sorted(folder.rglob("*.py"))
    for path in sources:
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(path.read_bytes())
    if not sources:
        executable = os.stat(sys.executable)
        digest.update(f"{sys.executable}:{executable.st_mtime_ns}:{executable.st_size}".encode())
    return digest.hexdigest()


@lru_cache(maxsize=1)
def cache_folder() -> Path | None:
    """The first folder of three that can be written: NUMBA_CACHE_DIR, beside the sources, the user's cache.

    None where all three refuse: the kernels are then compiled anew in every process, and nothing fails.
    """
    candidates = [Path(__file__).parent / "__pycache__"]
    if config.CACHE_DIR:
        candidates.insert(0, Path(config.CACHE_DIR) / "ecsphys")
    # The user's folder may serve several installs: each source state gets a folder of its own.
    candidates.append(Path(AppDirs(appname="ecsphys", appauthor=False).user_cache_dir) / source_stamp()[:16])
    for folder in candidates:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        return folder
    return None


class _EngineLocator:
    """Tells numba's cache where entries live and what makes them stale."""

    def __init__(self, py_file: str) -> None:
        self._py_file = py_file  # numba names it in its warnings

    def ensure_cache_path(self) -> None:
        Path(self.get_cache_path()).mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        folder = cache_folder()
        if folder is None:
            raise RuntimeError("no folder for compiled kernels can be written")
        return str(folder)

    def get_source_stamp(self) -> str:
        return source_stamp()

    def get_disambiguator(self) -> str:
        # Kernels have unique names, so a fixed word lets an entry of older sources be overwritten, not pile up.
        return "kernel"

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _EngineLocator:
        return cls(py_file)


class _EngineCacheImpl(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_EngineLocator,)


class _EngineCache(FunctionCache):  # type: ignore[misc]
    _impl_class = _EngineCacheImpl


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
        if cache_folder() is not None:
            dispatcher._cache = _EngineCache(function)
        _signatures[dispatcher] = signature
        return cast("Callable[P, R]", dispatcher)

    return decorate


def load_kernels(kernels: Sequence[Callable[..., Any]]) -> None:
    """Load kernels from the cache, compiling those that are not there; later calls cost nothing.

    Any other kernel is loaded or compiled by its first call.
    """
    for number, wanted in enumerate(kernels, start=1):
        dispatcher = cast("Any", wanted)
        if not dispatcher.signatures:
            _announcer.progress = f"{number}/{len(kernels)} "
            dispatcher.compile(_signatures[dispatcher])
    _announcer.progress = ""


class _Announcer(event.Listener):  # type: ignore[misc]
    """Says on stderr that a kernel is being compiled: the one thing that makes a first start slow."""

    progress = ""

    def on_start(self, started: Any) -> None:
        dispatcher = started.data["dispatcher"]
        if dispatcher in _signatures:
            name = dispatcher.py_func.__name__
            where = "" if cache_folder() else "; no folder to keep it can be written"
            print(f"ecsphys: compiling {self.progress}{name} (first run only{where})", file=sys.stderr, flush=True)

    def on_end(self, ended: Any) -> None:
        pass


_announcer = _Announcer()
event.register("numba:compile", _announcer)
