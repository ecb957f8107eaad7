"""The build on platforms that it is not for: it stops before pip fetches its tools, and lists the platforms."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
from fresh_python import Done, python

from ecsphys.engine.compiler import targets
from ecsphys.engine.compiler.targets import TARGETS, wanted_target

ROOT = Path(__file__).resolve().parents[2]
REQUIRES = (
    "import build_backend as b; print(b.get_requires_for_build_wheel()); print(b.get_requires_for_build_editable())"
)


def _pretend(monkeypatch: pytest.MonkeyPatch, system: str, machine: str, **values: object) -> None:
    """Let the build see another Python: on a machine with Linux and glibc, CPython 3.12 with 64 bits, but for these."""
    python = {
        "platform": system,
        "maxsize": 2**63 - 1,
        "version": "3.12.1 (main)",
        "version_info": (3, 12, 1),
        "implementation": SimpleNamespace(name="cpython", _multiarch=f"{machine}-linux-gnu"),
        **values,
    }
    monkeypatch.delenv("ECSPHYS_TARGET", raising=False)
    monkeypatch.setattr(targets, "sys", SimpleNamespace(**python))
    monkeypatch.setattr(targets, "platform", SimpleNamespace(machine=lambda: machine))


@pytest.mark.parametrize(
    ("system", "machine", "name"),
    [
        ("linux", "x86_64", "linux-x86_64"),
        ("linux", "aarch64", "linux-aarch64"),
        ("darwin", "arm64", "macos-arm64"),
        ("win32", "AMD64", "windows-x86_64"),
    ],
)
def test_a_platform_with_the_tools_builds_for_itself(
    monkeypatch: pytest.MonkeyPatch, system: str, machine: str, name: str
) -> None:
    _pretend(monkeypatch, system, machine)
    assert wanted_target() is TARGETS[name]


@pytest.mark.parametrize(
    ("system", "machine", "values", "reason"),
    [
        ("linux", "riscv64", {}, "linux-riscv64 has no machine code"),
        ("linux", "i686", {}, "linux-i686 has no machine code"),
        ("win32", "ARM64", {}, "windows-aarch64 has no machine code"),
        ("emscripten", "wasm32", {}, "emscripten-wasm32 has no machine code"),
        ("linux", "x86_64", {"maxsize": 2**31 - 1}, "this Python has 32 bits"),
        ("linux", "x86_64", {"implementation": SimpleNamespace(name="pypy")}, "this Python is pypy, not CPython"),
        (
            "linux",
            "x86_64",
            {"implementation": SimpleNamespace(name="cpython", _multiarch="x86_64-linux-musl")},
            "this Linux has musl",
        ),
        (
            "linux",
            "x86_64",
            {"version": "3.14.0 free-threading build (main)", "version_info": (3, 14, 0)},
            "this Python 3.14 is free-threaded, and loads no library for the stable ABI; install the build with",
        ),
        ("linux", "x86_64", {"version_info": (3, 15, 0)}, "numba has no wheel for Python 3.15 yet"),
        ("darwin", "x86_64", {}, "numba has no wheel for macos-x86_64; install a wheel of ecsphys"),
    ],
)
def test_any_other_is_told_why_not_and_which_platforms_there_are(
    monkeypatch: pytest.MonkeyPatch, system: str, machine: str, values: dict[str, object], reason: str
) -> None:
    _pretend(monkeypatch, system, machine, **values)
    with pytest.raises(SystemExit) as stopped:
        wanted_target()
    said = str(stopped.value)
    assert f"cannot be built here: {reason}" in said
    assert all(name in said for name in TARGETS)


def test_a_library_for_another_platform_is_built_where_the_tools_are(monkeypatch: pytest.MonkeyPatch) -> None:
    _pretend(monkeypatch, "linux", "aarch64")
    monkeypatch.setenv("ECSPHYS_TARGET", "macos-x86_64")
    assert wanted_target() is TARGETS["macos-x86_64"]


def _ask_backend(**settings: str) -> Done:
    others = {name: value for name, value in os.environ.items() if name not in ("ECSPHYS_TARGET", "ECSPHYS_ENGINE")}
    return python("-c", REQUIRES, cwd=ROOT, env={**others, **settings})


def test_the_backend_wants_the_tools_of_the_extra() -> None:
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]["build"]
    assert _ask_backend().stdout.splitlines() == [str(tools)] * 2


def test_the_backend_stops_before_it_asks_for_tools_that_are_not_there() -> None:
    done = _ask_backend(ECSPHYS_TARGET="linux-riscv64")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("ecsphys: the machine code cannot be built here: linux-riscv64 has no machine code")


def test_the_command_for_wheels_needs_a_clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ecsphys import build

    monkeypatch.setattr(build, "_ROOT", tmp_path)
    with pytest.raises(SystemExit, match="wheels are made in a clone"):
        build.build_wheels(tmp_path / "wheels")
    assert not (tmp_path / "wheels").exists()
