"""The platforms that have a library, and the platforms that can build one."""

from __future__ import annotations

import os
import platform
import sys
from typing import Final, NamedTuple


class Processor(NamedTuple):
    """Code for a kind of processors.

    Attributes
    ----------
    name
        As ``ECSPHYS_CPU`` has it.
    level
        The needed features of a processor, as the extension's ``level`` counts.
    cpu
        LLVM's name of the least of them.
    features
        What LLVM may use beyond that.
    """

    name: str
    level: int
    cpu: str
    features: str = ""


class Target(NamedTuple):
    """A platform.

    Attributes
    ----------
    name
        Ours.
    triple, zig
        LLVM's name of the platform, and zig's.
    processors
        The processors that the library has code for, the best one last.
    file
        The library's.
    wheel
        The platform of the wheel's name.
    is_web
        Whether it is WebAssembly, with pointers of 32 bits, and loaded by Pyodide.
    """

    name: str
    triple: str
    zig: str
    processors: tuple[Processor, ...]
    file: str
    wheel: str
    is_web: bool = False


_X86: Final = (Processor("x86-64-v2", 2, "x86-64-v2"), Processor("x86-64-v3", 3, "x86-64-v3"))
_ARM: Final = (Processor("aarch64", 1, "generic"),)
_APPLE: Final = (Processor("apple-m1", 1, "apple-m1"),)
_WASM: Final = (Processor("wasm32", 1, "generic", "+simd128,+bulk-memory,+nontrapping-fptoint,+sign-ext"),)
_UNIX_FILE, _WINDOWS_FILE = "_engine.abi3.so", "_engine.pyd"

TARGETS: Final = {
    target.name: target
    for target in (
        Target(
            "linux-x86_64",
            "x86_64-unknown-linux-gnu",
            "x86_64-linux-gnu.2.17",
            _X86,
            _UNIX_FILE,
            "manylinux_2_17_x86_64",
        ),
        Target(
            "linux-aarch64",
            "aarch64-unknown-linux-gnu",
            "aarch64-linux-gnu.2.17",
            _ARM,
            _UNIX_FILE,
            "manylinux_2_17_aarch64",
        ),
        Target(
            "macos-arm64", "arm64-apple-macosx11.0.0", "aarch64-macos.11.0", _APPLE, _UNIX_FILE, "macosx_11_0_arm64"
        ),
        Target(
            "macos-x86_64", "x86_64-apple-macosx10.13.0", "x86_64-macos.10.13", _X86, _UNIX_FILE, "macosx_10_13_x86_64"
        ),
        Target("windows-x86_64", "x86_64-pc-windows-gnu", "x86_64-windows-gnu", _X86, _WINDOWS_FILE, "win_amd64"),
        Target(
            "pyodide-wasm32",
            "wasm32-unknown-emscripten",
            "wasm32-emscripten",
            _WASM,
            _UNIX_FILE,
            "pyemscripten_2026_0_wasm32",
            is_web=True,
        ),
    )
}

_MACHINES: Final = {"AMD64": "x86_64", "x86_64": "x86_64", "aarch64": "aarch64", "arm64": "arm64", "ARM64": "aarch64"}
_SYSTEMS: Final = {"linux": "linux", "darwin": "macos", "win32": "windows"}

# The pinned numba has wheels for Python up to this one, and for all targets but these.
_NEWEST_PYTHON: Final = (3, 14)
_WITHOUT_TOOLS: Final = ("macos-x86_64",)


def wanted_target() -> Target:
    """The platform to build for: ``ECSPHYS_TARGET`` names it, or it is this machine's.

    Raises SystemExit, which says why and lists the platforms, if the library cannot be built for it here.
    """
    name = os.environ.get("ECSPHYS_TARGET") or _name_here()
    if why := _obstacle(name):
        builders = ", ".join(one for one in TARGETS if one not in _WITHOUT_TOOLS)
        newest = ".".join(map(str, _NEWEST_PYTHON))
        raise SystemExit(
            f"ecsphys: the machine code cannot be built here: {why}.\n"
            f"It can be built on {builders} (Linux with glibc), by CPython 3.11 to {newest}.\n"
            f"Wheels are for {', '.join(TARGETS)}, and for all later versions of CPython."
        )
    return TARGETS[name]


def _name_here() -> str:
    """This machine's platform, even if it is not a target."""
    machine = platform.machine()
    return f"{_SYSTEMS.get(sys.platform, sys.platform)}-{_MACHINES.get(machine, machine)}"


def _obstacle(name: str) -> str:
    """Why this Python cannot build the library for a platform; an empty text if it can."""
    python = f"Python {sys.version_info[0]}.{sys.version_info[1]}"
    if name not in TARGETS:
        return f"{name} has no machine code"
    if sys.implementation.name != "cpython":
        return f"this Python is {sys.implementation.name}, not CPython"
    if sys.maxsize < 2**32:
        return "this Python has 32 bits; install one with 64"
    if "free-threading build" in sys.version:
        return (
            f"this {python} is free-threaded, and loads no library for the stable ABI; install the build with the GIL"
        )
    if "musl" in getattr(sys.implementation, "_multiarch", ""):
        return "this Linux has musl, and the tools of the build and the library need glibc"
    if name == _name_here() and name in _WITHOUT_TOOLS:
        return f"numba has no wheel for {name}; install a wheel of ecsphys"
    if sys.version_info[:2] > _NEWEST_PYTHON:
        return f"numba has no wheel for {python} yet; install a wheel of ecsphys, or build one with an older Python"
    return ""
