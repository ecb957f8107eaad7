"""A copy of the engine with two tiny modules and the real compilation, to run in processes of their own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from fresh_python import Done, start_python

import ecsphys.engine.kernels.compilation

CALLEE = """
from ecsphys.engine.kernels.compilation import scalar

@scalar
def step(x: float) -> float:
    return x + 1.0
"""

CALLER = """
from ecsphys.engine.callee import step
from ecsphys.engine.kernels.compilation import kernel

@kernel("f8(f8)")
def step_twice(x: float) -> float:
    return step(step(x))
"""

OTHER = """
from ecsphys.engine.callee import step
from ecsphys.engine.kernels.compilation import kernel

@kernel("f8(f8)")
def step_once(x: float) -> float:
    return step(x)
"""

RUN = "from ecsphys.engine.caller import step_twice; print(step_twice(10.0))"


def make_engine(folder: Path) -> Path:
    """An ``ecsphys.engine`` in a folder, and where it lies."""
    engine = folder / "copy" / "ecsphys" / "engine"
    engine.mkdir(parents=True)
    (engine.parent / "__init__.py").touch()
    (engine / "__init__.py").touch()
    kernels = Path(ecsphys.engine.kernels.compilation.__file__).parent
    for name in ("compiler", "kernels", "plain", "threads"):
        shutil.copytree(kernels.parent / name, engine / name, ignore=shutil.ignore_patterns("__pycache__"))
    (engine / "callee.py").write_text(CALLEE)
    (engine / "caller.py").write_text(CALLER)
    return engine


def start(path: Path, code: str = RUN, **environment: str) -> Callable[[], Done]:
    return start_python("-c", code, cwd=path.parent, env=_settings(path, environment))


def _settings(path: Path, environment: dict[str, str]) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    return {**inherited, "PYTHONPATH": str(path), "PYTHONDONTWRITEBYTECODE": "1", **environment}


def result(process: Callable[[], Done]) -> tuple[float, str]:
    """The kernel's result, and what was said on stderr."""
    done = process()
    assert done.returncode == 0, done.stderr
    return float(done.stdout), done.stderr


def run(engine: Path, code: str = RUN, **environment: str) -> tuple[float, str]:
    return result(start(engine.parent.parent, code, **environment))


def run_afresh(engine: Path, code: str = RUN) -> tuple[float, str]:
    """As ``run``, by an interpreter that has never compiled anything."""
    path = engine.parent.parent
    return result(start_python("-c", code, cwd=path.parent, env=_settings(path, {}), is_real=True))
