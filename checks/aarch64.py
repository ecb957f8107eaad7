"""The same bits on aarch64: the library built for it, and Debian's Python for it, under qemu.

All is kept in one folder: packages of Debian, unpacked; wheels; the library. Nothing else of the machine changes.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

HELP = "build the library for aarch64, and run the golden scenes and the core tests there, under qemu"

_ROOT: Final = Path(__file__).parent.parent
_TARGET: Final = "linux-aarch64"
_CORE: Final = ("tests/geometry", "tests/engine", "tests/components/collision", "tests/systems/snapshot")
# For numpy and the tests; everything that these need comes along.
_PACKAGES: Final = ("python3", "libstdc++6")
_WHEELS: Final = ("numpy", "esper", "pytest", "hypothesis")

# Sums of a product in one rounding, by mask and value: FMADD, FMSUB, FNMADD and FNMSUB; FMLA and FMLS of vectors; the
# same by a lane.
_FUSED: Final = ((0xFF000000, 0x1F000000), (0xBF20FC00, 0x0E20CC00), (0xAF80B400, 0x0F801000))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this check."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    parser.add_argument(
        "--folder", type=Path, default=cache / "ecsphys-aarch64", help="keeps packages, wheels and the library"
    )
    parser.add_argument("--tests", nargs="*", default=_CORE, help=f"files and folders of tests ({' '.join(_CORE)})")


def run(options: argparse.Namespace) -> int:
    """Fetch, build and run all; 1 where anything differs or fails."""
    qemu = shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
    if qemu is None:
        print("qemu-aarch64 is missing: apt-get install qemu-user-static", file=sys.stderr)
        return 2
    folder = options.folder.absolute()
    interpreter = _fetch_python(folder / "debian")
    site = _fetch_wheels(folder / "wheels", interpreter)
    work = folder / "work"
    shutil.rmtree(work, ignore_errors=True)
    library = _build(folder, work)
    command = [qemu, "-L", str(folder / "debian" / "root"), str(interpreter)]
    environment = {**os.environ, "PYTHONPATH": f"{work}:{site}", "PYTHONDONTWRITEBYTECODE": "1"}
    faults = 0
    if fused := list(_fused_places(library)):
        print(f"{library.name} has {len(fused)} instructions that round a sum of a product once, at {fused[:3]}")
        faults += 1
    for threads in ("1", "4"):
        faults += _ran([*command, "-m", "ecsphys.verify", "--threads", threads], work, environment)
    if options.tests:
        skipped = _starting_interpreters(options.tests)
        print(f"left out, because qemu cannot start an interpreter for them: {', '.join(skipped)}")
        ignored = [f"--ignore={name}" for name in skipped]
        # Interrupts at every line take hours here: each is a trace of Python, which qemu emulates.
        chosen = ["-k", "not interrupt", *ignored, *options.tests]
        pytest = ["-m", "pytest", "-o", "addopts=", "-p", "no:cacheprovider", "-q", *chosen]
        faults += _ran([*command, *pytest], work, environment)
    return int(faults > 0)


def _fetch_python(folder: Path) -> Path:
    """Debian's Python for arm64 and the libraries that it needs, by apt with lists of its own."""
    root = folder / "root"
    if not list(root.glob("usr/bin/python3.*")):
        shutil.rmtree(folder, ignore_errors=True)
        for name in ("state/lists/partial", "cache/archives/partial"):
            (folder / name).mkdir(parents=True)
        (folder / "status").touch()
        settings = folder / "apt.conf"
        settings.write_text(
            'APT::Architecture "arm64";\nAPT::Architectures { "arm64"; };\nAPT::Sandbox::User "";\n'
            f'Dir::State "{folder}/state";\nDir::State::status "{folder}/status";\nDir::Cache "{folder}/cache";\n'
        )
        environment = {**os.environ, "APT_CONFIG": str(settings)}
        fetch = ["install", "-y", "-qq", "--no-install-recommends", "--download-only", *_PACKAGES]
        for arguments in (["update", "-qq"], fetch):
            subprocess.run(["apt-get", *arguments], env=environment, check=True, stdout=subprocess.DEVNULL)
        for package in sorted((folder / "cache" / "archives").glob("*.deb")):
            subprocess.run(["dpkg-deb", "-x", str(package), str(root)], check=True)
    (interpreter,) = (path for path in root.glob("usr/bin/python3.*") if re.fullmatch(r"python3\.\d+", path.name))
    return interpreter


def _fetch_wheels(folder: Path, interpreter: Path) -> Path:
    """The wheels of what ecsphys and its tests need."""
    site = folder / interpreter.name
    if not (site / "numpy").exists():
        platforms = [f"--platform=manylinux{name}_aarch64" for name in ("2014", "_2_27", "_2_28")]
        version = f"--python-version={interpreter.name.removeprefix('python')}"
        command = [sys.executable, "-m", "pip", "install", "-q", "--only-binary=:all:", f"--target={site}"]
        subprocess.run([*command, *platforms, version, *_WHEELS], check=True)
    return site


def _build(folder: Path, work: Path) -> Path:
    """The package with its library, and the tests with theirs, in a folder; returns the library."""
    from ecsphys.engine.compiler.build import build, build_modules
    from ecsphys.engine.compiler.targets import TARGETS

    os.environ.setdefault("ECSPHYS_BUILD_CACHE", str(folder / "builds"))
    without = shutil.ignore_patterns("__pycache__", "_engine*")
    for package in ("", "components", "systems", "demo"):
        (source,) = importlib.import_module(f"ecsphys.{package}".rstrip(".")).__path__
        shutil.copytree(source, work / "ecsphys" / package, ignore=without, dirs_exist_ok=True)
    for name in ("tests", "checks"):
        shutil.copytree(_ROOT / name, work / name, ignore=without)
    shutil.copy(_ROOT / "pyproject.toml", work)
    library = build(TARGETS[_TARGET], work / "ecsphys")
    sys.path.insert(0, str(work / "tests"))
    kernels_of_tests: Any = importlib.import_module("kernels_of_tests")
    place: Path = kernels_of_tests.folder_of_library()
    place.mkdir(parents=True)
    build_modules(TARGETS[_TARGET], kernels_of_tests.FOLDER, place)
    return library


def _fused_places(library: Path) -> Iterator[str]:
    """Where the machine code of a library fuses a product and a sum."""
    data = library.read_bytes()
    start, size, count, names = struct.unpack_from("<40xQ10xHHH", data)
    sections = [struct.unpack_from("<IIQQQQ", data, start + size * k) for k in range(count)]
    texts = [one for one in sections if data[sections[names][4] + one[0] :].startswith(b".text\0")]
    if not texts:
        raise ValueError(f"{library} has no section .text")
    for _, _, _, address, offset, length in texts:
        for k, (word,) in enumerate(struct.iter_unpack("<I", data[offset : offset + length // 4 * 4])):
            if is_fused(word):
                yield f"{address + 4 * k:#x}"


def is_fused(word: int) -> bool:
    """Whether an instruction of aarch64 rounds the sum of a product and a number once."""
    return any(word & mask == value for mask, value in _FUSED)


def _starting_interpreters(tests: Sequence[str]) -> list[str]:
    """The files of tests that start interpreters."""
    paths = [
        path for name in tests for path in ([_ROOT / name] if name.endswith(".py") else (_ROOT / name).rglob("*.py"))
    ]
    starting = re.compile(r"^(?:import|from) (?:subprocess|fresh_python|multiprocessing)\b", re.MULTILINE)
    return sorted(path.relative_to(_ROOT).as_posix() for path in paths if starting.search(path.read_text()))


def _ran(command: Sequence[str], folder: Path, environment: dict[str, str]) -> int:
    """Run a command; 1 where it fails."""
    begin = time.perf_counter()
    code = subprocess.run(command, cwd=folder, env=environment, check=False).returncode
    print(f"  {'passed' if code == 0 else f'FAILED with {code}'} in {time.perf_counter() - begin:.0f} s", flush=True)
    return int(code != 0)
