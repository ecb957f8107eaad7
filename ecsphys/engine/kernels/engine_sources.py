"""The engine's modules, and a hash that changes with any of them."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import pkgutil
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import CodeType
from typing import Any

_ENGINE = __package__.rpartition(".")[0]

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
