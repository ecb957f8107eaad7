"""``python -m ecsphys.build``: make the machine code of a clone, after its sources have changed.

It needs the tools that ``pip install -e '.[build]'`` brings. ``--wheels FOLDER`` makes the wheels of all platforms on
this machine: the same bytes from the same commit by the same tools.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from ecsphys.engine.compiler.build import build, compile_parts, engine_parts
from ecsphys.engine.compiler.targets import TARGETS, wanted_target

_ROOT: Final = Path(__file__).parents[1]
_FOLDERS: Final = ("ecsphys", "components", "systems", "demo")
_FILES: Final = ("pyproject.toml", "setup.py", "build_backend.py", "MANIFEST.in", "README.md", "LICENSE")


def main() -> None:
    """Build the library into the package, or all wheels into a folder."""
    parser = argparse.ArgumentParser("python -m ecsphys.build", description="Build the machine code of ecsphys.")
    parser.add_argument("--wheels", metavar="FOLDER", type=Path, help="make the wheels of all platforms instead")
    folder = parser.parse_args().wheels
    if folder is None:
        build(wanted_target(), Path(__file__).parent)
    else:
        build_wheels(folder)


def build_wheels(folder: Path) -> list[Path]:
    """Build a wheel for each platform into a folder.

    Files in it are dated by ``SOURCE_DATE_EPOCH``, or by the commit.
    Raises SystemExit outside a clone.
    """
    if not all((_ROOT / name).exists() for name in _FILES):
        raise SystemExit("ecsphys: wheels are made in a clone, or in an unpacked source distribution")
    wanted_target()
    folder = folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    # Files in a wheel keep the permissions of their sources.
    mask = os.umask(0o022)
    try:
        with tempfile.TemporaryDirectory() as work:
            # setup.py finds the objects of each platform there.
            cache = os.environ.get("ECSPHYS_BUILD_CACHE") or str(Path(work) / "cache")
            compile_parts(engine_parts(), list(TARGETS.values()), Path(cache).absolute())
            settings = {**os.environ, "ECSPHYS_BUILD_CACHE": cache, "SOURCE_DATE_EPOCH": _date()}
            return [_wheel(name, Path(work) / name, folder, settings) for name in TARGETS]
    finally:
        os.umask(mask)


def _wheel(name: str, copy: Path, folder: Path, settings: Mapping[str, str]) -> Path:
    """Let setuptools make the wheel for a platform, in a copy without what builds have left behind."""
    left_out = shutil.ignore_patterns("__pycache__", "_engine.abi3.so", "_engine.pyd", ".*")
    for one in _FOLDERS:
        shutil.copytree(_ROOT / one, copy / one, ignore=left_out, copy_function=shutil.copyfile)
    for one in _FILES:
        shutil.copyfile(_ROOT / one, copy / one)
    code = "import build_backend, sys; print(build_backend.build_wheel(sys.argv[1]), file=sys.stderr)"
    settings = {**settings, "ECSPHYS_TARGET": name, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)], cwd=copy, env=settings, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"ecsphys: the wheel for {name} was not made:\n{done.stderr}")
    wheel = folder / done.stderr.split()[-1]
    print(f"ecsphys: {wheel}, {wheel.stat().st_size / 1e6:.1f} MB", file=sys.stderr, flush=True)
    return wheel


def _date() -> str:
    """The seconds since 1970 that all files in a wheel are dated."""
    if date := os.environ.get("SOURCE_DATE_EPOCH"):
        return date
    command = ["git", "-c", f"safe.directory={_ROOT}", "-C", str(_ROOT), "log", "-1", "--format=%ct"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        raise SystemExit(
            "ecsphys: this is no clone of git; set SOURCE_DATE_EPOCH to the seconds to date wheels"
        ) from None
    return done.stdout.strip()


if __name__ == "__main__":
    main()
