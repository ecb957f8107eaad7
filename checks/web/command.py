"""The check ``web``: builds the side module for Pyodide, installs Pyodide from npm, and plays recorded calls there."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

HELP = "make calls of kernels, recorded in the golden scenes, again in WebAssembly, under Pyodide in Node"

_HERE: Final = Path(__file__).parent
_TARGET: Final = "pyodide-wasm32"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of this check."""
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help="scenes of ecsphys.verify (all)")
    parser.add_argument("--pyodide", default="314.0.7", help="the version of npm's package (314.0.7)")


def run(options: argparse.Namespace) -> int:
    """Record, build and play; 1 where a byte differs, 2 where npm or Node is missing."""
    if missing := [name for name in ("npm", "node") if shutil.which(name) is None]:
        print(f"{' and '.join(missing)} are missing: install Node", file=sys.stderr)
        return 2
    from ecsphys.engine.compiler.build import build
    from ecsphys.engine.compiler.targets import TARGETS

    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "calls").mkdir()
        library = build(TARGETS[_TARGET], work / "library")
        npm = ["npm", "install", "--no-audit", "--no-fund", "--silent", f"pyodide@{options.pyodide}"]
        (work / "package.json").write_text("{}")
        subprocess.run(npm, cwd=work, check=True)
        shutil.copy(_HERE / "run.mjs", work)
        recording = [sys.executable, str(_HERE / "recording.py"), str(work / "calls"), *options.scenes]
        subprocess.run(recording, check=True)
        playing = ["node", "run.mjs", str(library), str(_HERE / "playing.py"), str(work / "calls")]
        return int(subprocess.run(playing, cwd=work, check=False).returncode != 0)
