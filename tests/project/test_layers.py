"""The import graph: layers import only downwards, and each may use only the libraries that are its business."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from fresh_python import python

ROOT = Path(__file__).resolve().parents[2]

ENGINE, COMPONENTS, SYSTEMS, FRONT_DOOR, DEBUG_DRAW, DEMO = range(6)

# Where each layer's modules lie, by their installed names.
FOLDERS = {
    "ecsphys": ROOT / "ecsphys",
    "ecsphys.components": ROOT / "components",
    "ecsphys.systems": ROOT / "systems",
    "ecsphys.demo": ROOT / "demo",
}

# The part of the engine that builds its library, which no game imports.
BUILDS = "ecsphys.engine.compiler"
BUILD_LIBRARIES = {"numpy", "numba", "llvmlite"}

LIBRARIES = {
    ENGINE: {"numpy"},
    COMPONENTS: {"numpy", "esper"},
    SYSTEMS: {"numpy", "esper"},
    FRONT_DOOR: {"numpy", "esper"},
    DEBUG_DRAW: {"numpy", "esper", "pyglet"},
    DEMO: {"numpy", "esper", "pyglet", "PIL"},
}

# Parts of the demo that tests and benchmarks use where pyglet is not installed.
WITHOUT_PYGLET = (
    "ecsphys.demo.scenes",
    "ecsphys.demo.effects",
    "ecsphys.demo.highlights",
    "ecsphys.demo.measurements",
    "ecsphys.demo.palette",
)


@dataclass(frozen=True)
class Import:
    importer: str
    target: str
    line: int

    def __str__(self) -> str:
        return f"{self.importer}:{self.line} imports {self.target}"


def layer_of(module: str) -> int:
    for prefix, layer in (
        ("ecsphys.engine", ENGINE),
        ("ecsphys._engine", ENGINE),
        ("ecsphys.components", COMPONENTS),
        ("ecsphys.systems", SYSTEMS),
        ("ecsphys.debug_draw", DEBUG_DRAW),
        ("ecsphys.demo", DEMO),
    ):
        if module == prefix or module.startswith(prefix + "."):
            return layer
    return FRONT_DOOR


def modules() -> Iterator[tuple[str, Path]]:
    for package, folder in FOLDERS.items():
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            yield ".".join((package, *(part for part in parts if part != "__init__"))), path


def statements(node: ast.AST) -> Iterator[ast.stmt]:
    """All statements in a node; an import is one, and no part of an expression."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        inner = getattr(node, name, [])
        for one in inner if isinstance(inner, list) else []:
            if isinstance(one, ast.stmt):
                yield one
            yield from statements(one)


def imports_of(module: str, path: Path) -> Iterator[Import]:
    for node in statements(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(module, alias.name, node.lineno)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno} imports relatively; name the target in full"
            yield Import(module, node.module or "", node.lineno)


@cache
def all_imports() -> list[tuple[str, list[Import]]]:
    """What each module imports; not read where this file is only collected."""
    return [(name, list(imports_of(name, path))) for name, path in modules()]


def is_ours(target: str) -> bool:
    return target == "ecsphys" or target.startswith("ecsphys.")


def test_the_graph_has_all_layers() -> None:
    assert {layer_of(name) for name, _ in all_imports()} == {ENGINE, COMPONENTS, SYSTEMS, FRONT_DOOR, DEBUG_DRAW, DEMO}


def test_imports_go_down_only() -> None:
    wrong = [
        str(entry)
        for name, entries in all_imports()
        for entry in entries
        if is_ours(entry.target) and entry.target != "ecsphys" and layer_of(entry.target) > layer_of(name)
    ]
    assert not wrong


def test_only_the_demo_and_scenes_which_are_users_import_the_package_by_its_bare_name() -> None:
    wrong = [
        str(entry)
        for name, entries in all_imports()
        for entry in entries
        if entry.target == "ecsphys" and layer_of(name) != DEMO and name != "ecsphys.verify.scenes"
    ]
    assert not wrong


def test_each_layer_uses_only_its_own_libraries() -> None:
    wrong = [
        str(entry)
        for name, entries in all_imports()
        for entry in entries
        if not is_ours(entry.target)
        and (library := entry.target.partition(".")[0]) not in sys.stdlib_module_names
        and library not in (BUILD_LIBRARIES if name.startswith(BUILDS) else LIBRARIES[layer_of(name)])
    ]
    assert not wrong


def test_the_scenes_do_without_pyglet() -> None:
    chosen = [(name, entries) for name, entries in all_imports() if name.startswith(WITHOUT_PYGLET)]
    assert chosen
    wrong = [str(entry) for _, entries in chosen for entry in entries if entry.target.partition(".")[0] == "pyglet"]
    assert not wrong


@pytest.mark.parametrize("module", ["ecsphys", "ecsphys.geometry", "ecsphys.demo.scenes"])
def test_importing_never_imports_pyglet(module: str, tmp_path: Path) -> None:
    code = f"import sys, {module}; sys.exit('pyglet' in sys.modules)"
    assert python("-c", code, cwd=tmp_path).returncode == 0


def test_every_name_in_all_exists(tmp_path: Path) -> None:
    code = (
        "import ecsphys; missing = [n for n in ecsphys.__all__ if not hasattr(ecsphys, n)]; assert not missing, missing"
    )
    assert python("-c", code, cwd=tmp_path).returncode == 0


def test_no_folder_has_more_than_sixteen_modules() -> None:
    folders = [
        path.parent for folder in FOLDERS.values() for path in folder.rglob("*.py") if path.name != "__init__.py"
    ]
    # The demo's scenes are a gallery: a module each.
    crowded = {folder for folder in folders if folders.count(folder) > 16 and not is_demo(folder)}
    assert not crowded


def is_demo(folder: Path) -> bool:
    return FOLDERS["ecsphys.demo"] in (folder, *folder.parents)
