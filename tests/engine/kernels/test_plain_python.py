"""Without compiling, as numba's switch for debugging asks: the same results from plain Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from played_scenes import SCENES, play

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


def test_every_kind_of_thing_moves_hits_and_is_found_as_with_compiled_kernels(tmp_path: Path) -> None:
    done = python("import sys, played_scenes; played_scenes.save(sys.argv[1])", str(tmp_path / "played.npz"))
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    hits = 0
    with np.load(tmp_path / "played.npz") as plain:
        names = set(plain)
        for scene, frames in SCENES.items():
            for name, expected in play(scene, frames).items():
                found = plain[f"{scene} {name}"]
                assert found == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True), (scene, name)
                names.remove(f"{scene} {name}")
                hits += len(expected) if name == "depth" else 0
    assert not names
    assert hits > 30


def test_the_warm_up_says_that_there_is_nothing_to_compile() -> None:
    done = python("import sys, ecsphys.warmup as w; print(w.warm_up()); sys.exit(w.main([]))")
    assert done.stdout == "0\n"
    assert "NUMBA_DISABLE_JIT" in done.stderr
    assert done.returncode == 1
