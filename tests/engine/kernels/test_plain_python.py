"""Without compiling, where there is no numba or its switch for debugging is set: the same results from plain Python.

With the path of a Python without numba in ECSPHYS_PLAIN_PYTHON, that one plays; else this one, with the switch.
"""

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
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_everything_moves_hits_and_is_found_as_with_compiled_kernels(tmp_path: Path) -> None:
    file = tmp_path / "played.npz"
    playing = "import sys, played_scenes; played_scenes.save(sys.argv[1])"
    plain = os.environ.get("ECSPHYS_PLAIN_PYTHON")
    if plain is None:
        done = python(playing, str(file))
        assert done.stderr == ""
    else:
        done = subprocess.run(
            [plain, "-c", playing, str(file)], cwd=TESTS, capture_output=True, text=True, check=False, timeout=300
        )
    assert done.returncode == 0, done.stderr
    with np.load(file) as found:
        expected = play_all()
        assert set(found) == set(expected)
        for name, numbers in expected.items():
            assert np.array_equal(found[name], numbers, equal_nan=True), name
    assert sum(len(numbers) for name, numbers in expected.items() if name.endswith(" depth")) > 30


def test_the_warm_up_says_that_there_is_nothing_to_compile() -> None:
    done = python("import sys, ecsphys.warmup as w; print(w.warm_up()); sys.exit(w.main([]))")
    assert done.stdout == "0\n"
    assert "NUMBA_DISABLE_JIT" in done.stderr
    assert done.returncode == 1


def test_all_kernels_have_a_plain_form() -> None:
    done = python(
        "from ecsphys.engine.kernels.compilation import all_kernels;"
        "print(all(callable(kernel.plain.python) for kernel in all_kernels()))"
    )
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_that_numba_is_missing_is_said_once_and_can_be_silenced() -> None:
    code = "import sys; sys.modules['numba'] = None; import warnings; {}import ecsphys, ecsphys.geometry, ecsphys.demo"
    silencing = "warnings.filterwarnings('ignore', message='ecsphys runs as plain Python'); "
    for told, count in (("", 1), (silencing, 0)):
        done = subprocess.run(
            [sys.executable, "-c", code.format(told)], capture_output=True, text=True, check=False, timeout=300
        )
        assert done.returncode == 0, done.stderr
        assert done.stderr.count("RuntimeWarning: ecsphys runs as plain Python, much slower") == count
