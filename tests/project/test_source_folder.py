"""A program in the folder of a clone, with a regular install, is told to move: it finds only a part of the package."""

from __future__ import annotations

import shutil
from pathlib import Path

from fresh_python import python

ROOT = Path(__file__).resolve().parents[2]

# An editable install brings a finder of its own, which knows the other folders.
PROGRAM = """if True:
    import sys
    sys.meta_path[:] = [finder for finder in sys.meta_path if "editable" not in repr(finder).lower()]
    import ecsphys
"""


def test_a_program_in_the_clone_is_told_to_move(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "ecsphys", tmp_path / "ecsphys", ignore=shutil.ignore_patterns("engine", "__pycache__"))
    done = python("-c", PROGRAM, cwd=tmp_path)
    assert done.returncode == 1
    assert f"ImportError: Python found the source folder of ecsphys in {tmp_path}" in done.stderr
    assert "Save your program in another folder" in done.stderr


def test_an_installed_package_is_imported_from_any_other_folder(tmp_path: Path) -> None:
    done = python("-c", "import ecsphys", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
