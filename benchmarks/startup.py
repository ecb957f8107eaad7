"""How long a game takes from its imports to its first frame."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

_SCRIPT = Path(__file__).parent / "first_frame.py"
_RUNS = 5


def measure_startup() -> float:
    """Seconds from the first import to the end of the first frame: the median of several runs."""
    with tempfile.TemporaryDirectory() as folder:
        # What is installed has its bytecode, whatever the environment says of writing it.
        settings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        settings["PYTHONPYCACHEPREFIX"] = folder
        # Not counted: the bytecode is written, and the files are read from the disk for the first time.
        _first_frame(settings, folder)
        return statistics.median(_first_frame(settings, folder) for _ in range(_RUNS))


def _first_frame(settings: dict[str, str], folder: str) -> float:
    done = subprocess.run(
        [sys.executable, str(_SCRIPT)], cwd=folder, env=settings, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"the first frame failed:\n{done.stderr}")
    return float(done.stdout)
