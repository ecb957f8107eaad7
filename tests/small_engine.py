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
    shutil.copytree(kernels, engine / "kernels", ignore=shutil.ignore_patterns("__pycache__"))
    (engine / "callee.py").write_text(CALLEE)
    (engine / "caller.py").write_text(CALLER)
    return engine


def start(path: Path, code: str = RUN, is_real: bool = False, **environment: str) -> Callable[[], Done]:
    inherited = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    settings = {**inherited, "PYTHONPATH": str(path), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    return start_python("-c", code, cwd=path.parent, env=settings, is_real=is_real)


def result(process: Callable[[], Done]) -> tuple[float, str]:
    """The kernel's result, and what was said on stderr."""
    done = process()
    assert done.returncode == 0, done.stderr
    return float(done.stdout), done.stderr


def run(engine: Path, code: str = RUN, is_real: bool = False, **environment: str) -> tuple[float, str]:
    """As ``result``; by an interpreter that has never compiled before if ``is_real``."""
    return result(start(engine.parent.parent, code, is_real, **environment))
