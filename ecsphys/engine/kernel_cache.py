"""Where the kernels' machine code is kept on disk, and when it may be used again.

numba's own cache stamps a function with its own source file only, so an edit in a callee of another file would leave
old machine code running; it also raises where a file is damaged or the disk is full. Here an entry is one file, stamped
with a hash over *all* engine sources and sealed with a checksum. What is not whole and fresh counts as absent, and what
cannot be kept is compiled again next time: the cache never makes a game fail.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.util
import os
import pickle
import pkgutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from types import CodeType
from typing import Any

import numba
from numba.core import config
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature
from numba.misc.appdirs import AppDirs

_FOLDER = Path(__file__).parent
_CHECKSUM_SIZE = 32


def engine_modules() -> list[str]:
    """Full names of the engine's modules, in a folder, in a zip file or inside an executable."""
    package = importlib.import_module(__package__)
    return sorted(module.name for module in pkgutil.iter_modules(package.__path__, f"{__package__}."))


@lru_cache(maxsize=1)
def source_stamp() -> str:
    """Hash over all engine sources; over the modules' bytecode where an application ships without sources."""
    digest = hashlib.sha256()
    sources = sorted(_FOLDER.rglob("*.py"))
    for path in sources:
        digest.update(path.relative_to(_FOLDER).as_posix().encode())
        digest.update(path.read_bytes())
    if not sources:
        for name in engine_modules():
            digest.update(name.encode())
            specification = importlib.util.find_spec(name)
            loader: Any = specification and specification.loader
            for part in _bytecode(loader.get_code(name)):
                digest.update(part)
    return digest.hexdigest()


def _bytecode(code: CodeType) -> Iterator[bytes]:
    """What a code object computes, the same in every process: without file names and object identities."""
    yield code.co_code
    yield repr((code.co_name, code.co_names, code.co_varnames)).encode()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _bytecode(constant)
        elif isinstance(constant, frozenset):
            yield repr(sorted(map(repr, constant))).encode()
        else:
            yield repr(constant).encode()


@lru_cache(maxsize=1)
def _all_folders() -> tuple[Path, ...]:
    # The user's folder may serve several installs: each source state gets a folder of its own.
    user = Path(AppDirs(appname="ecsphys", appauthor=False).user_cache_dir) / source_stamp()[:16]
    chosen = (Path(config.CACHE_DIR) / "ecsphys",) if config.CACHE_DIR else ()
    return (*chosen, _FOLDER / "__pycache__", user)


@lru_cache(maxsize=1)
def cache_folder() -> Path | None:
    """Where compiled kernels are kept: NUMBA_CACHE_DIR, or beside the sources, or in the user's cache folder.

    It is the first of the three that can be written. An application frozen into an executable leaves its own folder
    alone, which may be temporary or signed. None where all refuse: the kernels are then compiled anew in every
    process, and nothing fails.
    """
    for folder in _all_folders():
        if folder.parent == _FOLDER and getattr(sys, "frozen", False):
            continue
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        return folder
    return None


@lru_cache(maxsize=1)
def cache_folders() -> tuple[Path, ...]:
    """Where compiled kernels are looked for: the folder they are kept in, and before it those that only can be read.

    What an installer has compiled serves all users, and what is shipped with an application serves it.
    """
    folders, home = _all_folders(), cache_folder()
    return folders if home is None else folders[: folders.index(home) + 1]


class KernelCache(NullCache):  # type: ignore[misc]
    """The disk cache of one kernel, as numba's dispatcher uses it."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._name = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}"

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """The compiled kernel, None where no folder has it whole and fresh."""
        target_context.refresh()
        found = self._find(signature, target_context)
        return found and CompileResult._rebuild(target_context, *pickle.loads(found[1]))

    def kept_in(self, signature: str, target_context: Any) -> Path | None:
        """The folder that has the compiled kernel whole and fresh."""
        found = self._find(signature, target_context)
        return found and found[0]

    def _find(self, signature: str, target_context: Any) -> tuple[Path, bytes] | None:
        name, stamp = self._file_name(signature, target_context.codegen()), self._stamp()
        for folder in cache_folders():
            try:
                content = (folder / name).read_bytes()
            except OSError:
                continue
            checksum, payload = content[:_CHECKSUM_SIZE], content[_CHECKSUM_SIZE:]
            if checksum == _checksum(stamp, payload):
                return folder, payload
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep a compiled kernel, where that can be."""
        folder = cache_folder()
        # Code with addresses of this process in it is of no use to another.
        if folder is None or result.library.has_dynamic_globals:
            return
        payload = dumps(result._reduce())
        path = folder / self._file_name(signature, result.codegen)
        # Other processes may read or write the same entry: they see the old file or the new one, never a part.
        part = path.with_name(f"{path.name}.{os.getpid()}.part")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            part.write_bytes(_checksum(self._stamp(), payload) + payload)
            part.replace(path)
        except OSError as error:
            _say_once(f"ecsphys: the compiled code cannot be kept ({error})")
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)

    def _file_name(self, signature: Any, code_generator: Any) -> str:
        """One file per Python, processor and argument types, so that a home shared by machines serves all."""
        # numba hands over the declared signature, or at a kernel's first call the types of its arguments.
        arguments, _ = normalize_signature(signature)
        key = hashlib.sha256(f"{code_generator.magic_tuple()} {arguments}".encode()).hexdigest()[:8]
        return f"{self._name}.{sys.implementation.cache_tag}-{key}.kernel"

    @staticmethod
    def _stamp() -> bytes:
        return f"{numba.__version__} {source_stamp()}".encode()


def _checksum(stamp: bytes, payload: bytes) -> bytes:
    return hashlib.sha256(stamp + payload).digest()


@lru_cache
def _say_once(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
