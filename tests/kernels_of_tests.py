"""The kernels of ``tests/kernels``, as machine code, or as Python where the engine runs so.

Their library is built when a test first asks for it. It is kept beside them, as long as no source changes.
"""

from __future__ import annotations
import __future__

import ast
import hashlib
import importlib
import importlib.machinery
import importlib.util
import inspect
import os
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from ecsphys.engine.compiler.build import build_modules
from ecsphys.engine.compiler.targets import wanted_target
from ecsphys.engine.kernels.building import source_stamp

FOLDER: Final = Path(__file__).with_name("kernels")
_LIMIT: Final = 300.0


def kernel_of_tests(name: str) -> Callable[..., Any]:
    """A kernel, such as "crew.run_phases"."""
    made: Callable[..., Any] = _library().kernels[f"kernels.{name}"]
    return made


def as_python(module: ModuleType, name: str) -> Callable[..., Any]:
    """A kernel of the engine as the Python function it is written as; it sees the module's constants."""
    tree = ast.parse(inspect.getsource(module))
    (wanted,) = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)
    wanted.decorator_list = []
    made: dict[str, Callable[..., Any]] = {}
    code = compile(ast.Module([wanted], []), str(module.__file__), "exec", flags=__future__.annotations.compiler_flag)
    exec(code, vars(module), made)
    return made[name]


def folder_of_library() -> Path:
    """Where the library of the present sources is, or is to be."""
    digest = hashlib.sha256(source_stamp().encode())
    for path in sorted(FOLDER.glob("*.py")):
        digest.update(path.read_bytes())
    return FOLDER / "__pycache__" / digest.hexdigest()[:16]


@cache
def _library() -> Any:
    folder = folder_of_library()
    file = folder / wanted_target().file
    if not file.exists():
        _build(folder, file)
    loader = importlib.machinery.ExtensionFileLoader("kernels._engine", str(file))
    specification = importlib.util.spec_from_loader("kernels._engine", loader)
    assert specification is not None
    library = importlib.util.module_from_spec(specification)
    loader.exec_module(library)
    vars(library)["choose"](os.environ.get("ECSPHYS_CPU"))
    return library


def _build(folder: Path, file: Path) -> None:
    """Build the library, once for all processes that want it."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = folder / "building"
    # A process that was killed has left it.
    if lock.exists() and time.time() - lock.stat().st_mtime > _LIMIT:
        lock.unlink(missing_ok=True)
    try:
        os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        end = time.monotonic() + _LIMIT
        while lock.exists() and time.monotonic() < end:
            time.sleep(0.1)
        assert file.exists(), f"{file} was not built"
        return
    try:
        build_modules(wanted_target(), FOLDER, folder)
    finally:
        lock.unlink()
