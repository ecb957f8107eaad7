"""The engine's modules, and hashes of their sources."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import pkgutil
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

_ENGINE = __package__.rpartition(".")[0]

# All machine code depends on these packages.
_COMPILING = ("compiler", "kernels")

_IMPORT = re.compile(rf"^\s*from {re.escape(_ENGINE)}\.([\w.]+) import", re.MULTILINE)

ENGINE_FOLDER = Path(__file__).parents[1]


def engine_modules() -> list[str]:
    """Full names of the engine's modules, also of those in subpackages: in a folder, a zip file or an executable."""
    package = importlib.import_module(_ENGINE)
    return sorted(module.name for module in pkgutil.walk_packages(package.__path__, f"{_ENGINE}."))


def name_in_engine(module: str) -> str:
    """A module's name without the engine's, such as "broadphase.grid": short, and still of one module only."""
    return module.removeprefix(f"{_ENGINE}.")


@lru_cache(maxsize=1)
def source_stamp() -> str:
    """Hash over all engine sources; over the modules' bytecode where an application ships without sources."""
    digest = hashlib.sha256()
    sources = sorted(ENGINE_FOLDER.rglob("*.py"))
    for path in sources:
        digest.update(path.relative_to(ENGINE_FOLDER).as_posix().encode())
        digest.update(path.read_bytes())
    if not sources:
        for name in engine_modules():
            digest.update(name.encode())
            specification = importlib.util.find_spec(name)
            loader: Any = specification and specification.loader
            for part in _bytecode(loader.get_code(name)):
                digest.update(part)
    return digest.hexdigest()


class _Source(NamedTuple):
    """A module: the hash of its source, and the modules of the engine that it imports."""

    digest: bytes
    imports: list[str]


@cache
def _sources() -> dict[str, _Source]:
    """The engine's modules by their names in it; empty where an application ships without sources."""
    found = {}
    for path in ENGINE_FOLDER.rglob("*.py"):
        name, text = ".".join(path.relative_to(ENGINE_FOLDER).with_suffix("").parts), path.read_bytes()
        found[name] = _Source(hashlib.sha256(text).digest(), _IMPORT.findall(text.decode()))
    return found


@cache
def stamp_of(module: str) -> str:
    """Hash over the sources that a module's machine code depends on; :func:`source_stamp` without sources.

    These are the module, the modules that it imports, those that these import, and all that compile. A package that is
    imported counts with all its modules.
    """
    sources, digest = _sources(), hashlib.sha256()
    needed, waiting = set[str](), [name_in_engine(module), *_COMPILING]
    if waiting[0] not in sources:
        return source_stamp()
    while waiting:
        name = waiting.pop()
        for found in (name,) if name in sources else [inside for inside in sources if inside.startswith(f"{name}.")]:
            if found not in needed:
                needed.add(found)
                waiting += sources[found].imports
    for name in sorted(needed):
        digest.update(name.encode())
        digest.update(sources[name].digest)
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
