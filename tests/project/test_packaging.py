"""The wheel: one import package, typed, and nothing of the root's folders under its own name.

Building one takes ten seconds: ``.ci/run`` does, and names it in ``ECSPHYS_WHEEL``. What pyproject.toml lists is always
looked at.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("ecsphys", "components", "systems", "demo")


@pytest.fixture(scope="module")
def wheel() -> Path:
    """The wheel that was built of these sources."""
    if "ECSPHYS_WHEEL" not in os.environ:
        pytest.skip("ECSPHYS_WHEEL names no wheel: .ci/run builds one")
    return Path(os.environ["ECSPHYS_WHEEL"])


@pytest.fixture(scope="module")
def names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def test_every_folder_with_modules_is_a_package_of_the_wheel() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    places = {"ecsphys": "ecsphys", **{folder: f"ecsphys.{folder}" for folder in SOURCES[1:]}}
    assert settings["package-dir"] == {name: folder for folder, name in places.items()}
    found = {
        ".".join((places[folder], *path.parent.relative_to(ROOT / folder).parts))
        for folder in SOURCES
        for path in (ROOT / folder).rglob("*.py")
    }
    assert sorted(settings["packages"]) == sorted(found)


def test_the_wheel_installs_one_package_only(names: list[str]) -> None:
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"ecsphys"}


def test_every_module_is_in_the_wheel(names: list[str]) -> None:
    expected = {
        "/".join(("ecsphys", *(() if folder == "ecsphys" else (folder,)), path.relative_to(ROOT / folder).as_posix()))
        for folder in SOURCES
        for path in (ROOT / folder).rglob("*.py")
    }
    assert {name for name in names if name.endswith(".py")} == expected


def test_the_wheel_says_that_it_is_typed_and_carries_no_leftovers(names: list[str]) -> None:
    assert "ecsphys/py.typed" in names
    assert not [name for name in names if "__pycache__" in name or name.endswith((".pyc", ".kernel"))]
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_the_wheel_runs_from_another_folder(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    code = (
        "import ecsphys, ecsphys.components, ecsphys.systems, ecsphys.demo.scenes, ecsphys.geometry, sys;"
        "print(ecsphys.__file__); assert not {'components', 'systems', 'demo'} & set(sys.modules)"
    )
    other = tmp_path / "a game"
    other.mkdir()
    settings = {**os.environ, "PYTHONPATH": str(tmp_path / "installed")}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=other, env=settings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).is_relative_to(tmp_path / "installed")


def test_the_command_is_declared(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (entry_points,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
        assert "ecsphys-demo = ecsphys.demo.__main__:main" in archive.read(entry_points).decode()
