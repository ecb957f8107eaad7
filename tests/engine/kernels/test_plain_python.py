"""The engine as plain Python, with ECSPHYS_ENGINE=python: the same results as from machine code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
from played_scenes import play_all

TESTS = Path(__file__).parents[2]


def python(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *arguments],
        cwd=TESTS,
        env={**os.environ, "ECSPHYS_ENGINE": "python"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_everything_moves_hits_and_is_found_as_with_machine_code(tmp_path: Path) -> None:
    file = tmp_path / "played.npz"
    playing = "import sys, played_scenes; played_scenes.save(sys.argv[1])"
    done = python(playing, str(file))
    assert done.stderr == ""
    assert done.returncode == 0, done.stderr
    with np.load(file) as found:
        expected = play_all()
        assert set(found) == set(expected)
        for name, numbers in expected.items():
            assert np.array_equal(found[name], numbers, equal_nan=True), name
    assert sum(len(numbers) for name, numbers in expected.items() if name.endswith(" depth")) > 30


def test_all_kernels_have_a_plain_form() -> None:
    code = (
        "import importlib, pkgutil, ecsphys.engine\n"
        "from ecsphys.engine.plain.plain_python import PythonKernel\n"
        "kernels = 0\n"
        "for module in pkgutil.walk_packages(ecsphys.engine.__path__, 'ecsphys.engine.'):\n"
        "    if module.name.split('.')[2] != 'compiler':\n"
        "        for found in vars(importlib.import_module(module.name)).values():\n"
        "            if isinstance(found, PythonKernel):\n"
        "                assert callable(found.plain.python)\n"
        "                kernels += 1\n"
        "print(kernels)"
    )
    done = python(code)
    assert done.stderr == ""
    assert int(done.stdout) > 80
