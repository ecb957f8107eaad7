"""Copies of the package, and Pythons that see nothing but a copy and what it needs."""

from __future__ import annotations

import os
import shutil
import zipfile
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from fresh_python import Done, python

NEEDED = ("numpy", "esper")


def copy_package(root: Path, *, with_demo: bool = False) -> Path:
    """Put the package into a folder, as an install does: the wheel of ``ECSPHYS_WHEEL``, or what is imported here."""
    if wheel := os.environ.get("ECSPHYS_WHEEL"):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(root)
        return root
    for package in ("", "components", "systems", *(("demo",) if with_demo else ())):
        (folder,) = import_module(f"ecsphys.{package}".rstrip(".")).__path__
        target = root / "ecsphys" / package
        shutil.copytree(folder, target, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    return root


def copy_needed(root: Path) -> Path:
    """Put links to numpy and esper into a folder, and nothing else that is installed here."""
    root.mkdir(parents=True, exist_ok=True)
    for name in NEEDED:
        folder = Path(str(import_module(name).__file__)).parent
        for one in (folder, folder.with_name(f"{name}.libs")):
            if one.is_dir():
                (root / one.name).symlink_to(one)
    return root


def python_with(code: str, *folders: Path, cwd: Path, env: Mapping[str, str] | None = None) -> Done:
    """Run code by a Python that imports from these folders only, and is told nothing else by its environment.

    It reads no .pth files: an editable install would help with what is missing.
    """
    path = os.pathsep.join(map(str, folders))
    system = {name: os.environ[name] for name in ("SYSTEMROOT", "ECSPHYS_CPU") if name in os.environ}
    return python("-S", "-B", "-c", code, cwd=cwd, env={**system, "PYTHONPATH": path, **(env or {})})
