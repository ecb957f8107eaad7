"""The kernels' cache on disk: every engine source is part of its key, and nothing fails where it cannot be written.

The tests run a copy of ``compilation.py`` beside two tiny modules, in processes of their own.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import ecsphys.engine.compilation

CALLEE = """
from ecsphys.engine.compilation import scalar

@scalar
def step(x: float) -> float:
    return x + 1.0
"""

CALLER = """
from ecsphys.engine.callee import step
from ecsphys.engine.compilation import kernel

@kernel("f8(f8)")
def step_twice(x: float) -> float:
    return step(step(x))
"""

RUN = "from ecsphys.engine.caller import step_twice; print(step_twice(10.0))"


@pytest.fixture
def engine(tmp_path: Path) -> Path:
    """A folder with an ``ecsphys.engine`` of two small modules and the real compilation."""
    folder = tmp_path / "copy" / "ecsphys" / "engine"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    (folder / "__init__.py").touch()
    original = Path(ecsphys.engine.compilation.__file__)
    (folder / "compilation.py").write_bytes(original.read_bytes())
    (folder / "callee.py").write_text(CALLEE)
    (folder / "caller.py").write_text(CALLER)
    return folder


def run(engine: Path, **environment: str) -> tuple[float, str]:
    """The kernel's result in a new process, and what was said on stderr."""
    inherited = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    settings = {**inherited, "PYTHONPATH": str(engine.parent.parent), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    done = subprocess.run(
        [sys.executable, "-c", RUN], cwd=engine.parent.parent, env=settings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return float(done.stdout), done.stderr


def test_a_second_process_finds_the_machine_code_of_the_first(engine: Path) -> None:
    first, said_first = run(engine)
    second, said_second = run(engine)
    assert first == second == 12.0
    assert "compiling step_twice" in said_first
    assert said_second == ""


def test_an_edited_callee_in_another_file_takes_effect(engine: Path) -> None:
    assert run(engine)[0] == 12.0
    (engine / "callee.py").write_text(CALLEE.replace("x + 1.0", "x * 3.0"))
    result, said = run(engine)
    assert result == 90.0
    assert "compiling" in said


def test_edits_do_not_pile_up_in_the_cache(engine: Path) -> None:
    run(engine)
    before = len(list((engine / "__pycache__").glob("*step_twice*")))
    (engine / "callee.py").write_text(CALLEE.replace("x + 1.0", "x * 3.0"))
    run(engine)
    assert len(list((engine / "__pycache__").glob("*step_twice*"))) == before > 0


def test_numbas_own_setting_moves_the_cache(engine: Path, tmp_path: Path) -> None:
    chosen = tmp_path / "elsewhere"
    run(engine, NUMBA_CACHE_DIR=str(chosen))
    assert any(chosen.rglob("*step_twice*"))
    assert not any(engine.rglob("*step_twice*.nb?"))


def test_without_any_writable_folder_kernels_are_compiled_anew_and_nothing_fails(engine: Path, tmp_path: Path) -> None:
    # A regular file where a folder should be refuses everybody, root included.
    blocked = tmp_path / "file"
    blocked.touch()
    (engine / "__pycache__").touch()
    homes = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA", "USERPROFILE"), str(blocked / "home"))
    for _ in range(2):
        result, said = run(engine, NUMBA_CACHE_DIR=str(blocked / "numba"), **homes)
        assert result == 12.0
        assert "no folder to keep it can be written" in said
