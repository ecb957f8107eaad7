"""Where the kernels' machine code is kept on disk, and when it may be used again.

numba's own cache stamps a function with its own source file only, so an edit in a callee of another file would leave
old machine code running; it also raises where a file is damaged or the disk is full. Here an entry is one file. Its
stamp is a hash over the sources of the kernel's module and of all that this imports. It also has a checksum. What is
not whole and fresh counts as absent, and what cannot be kept is compiled again next time: the cache never makes a game
fail.

To load an entry is to run what its author wrote, so only entries that nobody else can have written are loaded
(:mod:`ecsphys.engine.kernels.trusted_files`).
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import config
from numba.core.compiler import CompileResult
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature
from numba.misc.appdirs import AppDirs

from ecsphys.engine.kernels.engine_sources import ENGINE_FOLDER, name_in_engine, source_stamp, stamp_of
from ecsphys.engine.kernels.trusted_files import (
    DistrustError,
    check_folder,
    make_folder,
    read_trusted,
    remove_leftovers,
    write_whole,
)

_CHECKSUM_SIZE = 32
_ENDING = ".kernel"

# numba's settings that change the machine code it makes, beside what the processor's features tell; not every version
# has all of them.
_SETTINGS = (
    "BOUNDSCHECK",
    "CPU_FEATURES",
    "CPU_NAME",
    "DEBUGINFO_DEFAULT",
    "DEBUG_JIT",
    "DEBUG_NRT",
    "EXTEND_VARIABLE_LIFETIMES",
    "LLVM_REFPRUNE_FLAGS",
    "LLVM_REFPRUNE_PASS",
    "LOOP_VECTORIZE",
    "OPT",
    "SLP_VECTORIZE",
    "USE_LEGACY_TYPE_SYSTEM",
    "USING_SVML",
)

# Beginnings of numba's environment variables that do not. All others count: so do those of versions to come.
_WITHOUT_EFFECT = tuple(
    f"NUMBA_{name}"
    for name in (
        "ALWAYS_WARN",
        "CACHE",
        "CAPTURED_ERRORS",
        "CHROME_TRACE",
        "COLOR_SCHEME",
        "CUDA",
        "DEBUG_CACHE",
        "DEBUG_PRINT",
        "DEBUG_TYPEINFER",
        "DEVELOPER_MODE",
        "DISABLE_CUDA",
        "DISABLE_JIT",
        "DISABLE_PERFORMANCE_WARNINGS",
        "DISABLE_TYPEINFER_FAIL_CACHE",
        "DUMP",
        "ENABLE_CUDASIM",
        "ENABLE_SYS_MONITORING",
        "FULL_TRACEBACKS",
        "FUNCTION_CACHE_SIZE",
        "GDB",
        "HIGHLIGHT_DUMPS",
        "LLVM_PASS_TIMINGS",
        "NUM_THREADS",
        "PARALLEL_DIAGNOSTICS",
        "SHOW_HELP",
        "THREADING_LAYER",
        "TRACE",
    )
)


@lru_cache(maxsize=1)
def _all_folders() -> tuple[Path, ...]:
    # The user's folder may serve several installs: each source state gets a folder of its own.
    user = Path(AppDirs(appname="ecsphys", appauthor=False).user_cache_dir) / source_stamp()[:16]
    chosen = (Path(config.CACHE_DIR) / "ecsphys",) if config.CACHE_DIR else ()
    return (*chosen, ENGINE_FOLDER / "__pycache__", user)


def _is_trusted(folder: Path) -> bool:
    try:
        check_folder(folder, ENGINE_FOLDER)
    except DistrustError as error:
        _say_once(f"in {folder} is not used", error)
    except (OSError, RuntimeError):  # it cannot be looked at, or its links lead in a circle
        pass
    else:
        return True
    return False


@lru_cache(maxsize=1)
def _usable_folders() -> tuple[tuple[Path, ...], Path | None]:
    """Folders to look in, and the last of them, the one to keep code in, if there is any."""
    found: list[Path] = []
    for folder in _all_folders():
        if not _is_trusted(folder):
            continue
        found.append(folder)
        if folder.parent == ENGINE_FOLDER and getattr(sys, "frozen", False):
            continue
        try:
            make_folder(folder)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        # Another user may have made it in the meantime.
        if _is_trusted(folder):
            return tuple(found), folder
        found.pop()
    return tuple(found), None


def cache_folder() -> Path | None:
    """Where compiled kernels are kept: NUMBA_CACHE_DIR, or beside the sources, or in the user's cache folder.

    It is the first of the three that can be written, but by no other user. An application frozen into an executable
    leaves its own folder alone, which may be temporary or signed. None where all refuse: the kernels are then compiled
    anew in every process, and nothing fails.
    """
    return _usable_folders()[1]


def cache_folders() -> tuple[Path, ...]:
    """Where compiled kernels are looked for: the folder they are kept in, and before it those that only can be read.

    What an installer has compiled serves all users, and what is shipped with an application serves it.
    """
    return _usable_folders()[0]


class KernelCache:
    """The disk cache of one kernel."""

    def __init__(self, function: Callable[..., Any], signature: Any) -> None:
        self._name = f"{name_in_engine(function.__module__)}.{function.__qualname__}"
        self._module = function.__module__
        self._signature = signature
        # What was found and not loaded yet.
        self._found: tuple[Path, bytes] | None = None

    def load(self, target_context: Any) -> Any:
        """The compiled kernel, None where no folder has it whole and fresh."""
        found, self._found = self._found or self._find(target_context), None
        if found is None:
            return None
        # What kernels call to free memory. More of numba, and all it imports, is needed to compile only.
        rtsys.initialize(target_context)
        return CompileResult._rebuild(target_context, *pickle.loads(found[1]))

    def kept_in(self, target_context: Any) -> Path | None:
        """The folder that has the compiled kernel whole and fresh."""
        found = self._find(target_context)
        return found and found[0]

    def look_ahead(self, target_context: Any) -> bool:
        """Whether :meth:`load` will find the kernel, which is read from the disk only once then."""
        self._found = self._find(target_context)
        return self._found is not None

    def _find(self, target_context: Any) -> tuple[Path, bytes] | None:
        name, stamp = self._file_name(target_context.codegen()), self._stamp()
        for folder in cache_folders():
            try:
                content = read_trusted(folder / name, ENGINE_FOLDER)
            except DistrustError as error:
                _say_once(f"in {folder} is not loaded", error)
                continue
            except OSError:
                continue
            checksum, payload = content[:_CHECKSUM_SIZE], content[_CHECKSUM_SIZE:]
            if checksum == _checksum(stamp, payload):
                return folder, payload
        return None

    def save(self, result: Any) -> None:
        """Keep a compiled kernel, where that can be."""
        folder = cache_folder()
        # Code with addresses of this process in it is of no use to another.
        if folder is None or result.library.has_dynamic_globals:
            return
        payload = dumps(result._reduce())
        try:
            make_folder(folder)
            write_whole(folder / self._file_name(result.codegen), _checksum(self._stamp(), payload) + payload)
        except OSError as error:
            _say_once(f"cannot be kept in {folder}", error)
        _tidy_once(folder)

    def _stamp(self) -> bytes:
        stamp = stamp_of(self._module)
        return f"{numba.__version__} {llvmlite.__version__} {np.__version__} {stamp}".encode()

    def _file_name(self, code_generator: Any) -> str:
        """One file per Python, processor, setting of numba and signature: a home shared by machines serves all."""
        arguments, _ = normalize_signature(self._signature)
        shaped_by = (code_generator.magic_tuple(), str(arguments), *_settings())
        key = hashlib.sha256(repr(shaped_by).encode()).hexdigest()[:8]
        return f"{self._name}.{sys.implementation.cache_tag}-{key}{_ENDING}"


def _settings() -> Iterator[str]:
    """What numba has been told, in the environment, its file or by an assignment, that changes machine code."""
    for name in _SETTINGS:
        yield f"{name}={getattr(config, name, None)!r}"
    known = {f"NUMBA_{name}" for name in _SETTINGS}
    for name, value in sorted(os.environ.items()):
        if name.startswith("NUMBA_") and name not in known and not name.startswith(_WITHOUT_EFFECT):
            yield f"{name}={value}"


def _checksum(stamp: bytes, payload: bytes) -> bytes:
    return hashlib.sha256(stamp + payload).digest()


@lru_cache
def _tidy_once(folder: Path) -> None:
    remove_leftovers(folder, _ENDING)


_said: set[str] = set()


def _say_once(fault: str, error: OSError) -> None:
    """Name a fault on stderr, with the first of the errors that show it."""
    if fault not in _said:
        _said.add(fault)
        with suppress(OSError, ValueError):
            print(f"ecsphys: compiled code {fault}: {error}", file=sys.stderr, flush=True)
