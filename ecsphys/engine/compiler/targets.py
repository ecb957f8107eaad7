"""The platforms that the library is built for."""

from __future__ import annotations

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
        What a processor must have for it, as the extension's ``level`` counts.
    cpu
        LLVM's name of the least of them.
    """

    name: str
    level: int
    cpu: str


class Target(NamedTuple):
    """A platform.

    Attributes
    ----------
    name
        Ours.
    triple, zig
        LLVM's name of the platform, and zig's.
    processors
        Those that the library has code for, the best one last.
    file
        The library's.
    wheel
        The platform of the wheel's name.
    """

    name: str
    triple: str
    zig: str
    processors: tuple[Processor, ...]
    file: str
    wheel: str


_X86: Final = (Processor("x86-64-v2", 2, "x86-64-v2"), Processor("x86-64-v3", 3, "x86-64-v3"))
_ARM: Final = (Processor("aarch64", 1, "generic"),)
_APPLE: Final = (Processor("apple-m1", 1, "apple-m1"),)
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
    )
}

_MACHINES: Final = {"AMD64": "x86_64", "x86_64": "x86_64", "aarch64": "aarch64", "arm64": "arm64", "ARM64": "aarch64"}
_SYSTEMS: Final = {"linux": "linux", "darwin": "macos", "win32": "windows"}


def target_here() -> Target:
    """This machine's platform; SystemExit where there is none for it."""
    name = f"{_SYSTEMS.get(sys.platform, sys.platform)}-{_MACHINES.get(platform.machine(), platform.machine())}"
    if name not in TARGETS:
        raise SystemExit(f"ecsphys cannot be built for {name}: it is for {', '.join(TARGETS)}")
    return TARGETS[name]
