"""How long a game takes from its imports to its first frame, with nothing compiled yet and with everything."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

_SCRIPT = Path(__file__).parent / "first_frame.py"
_WARM_RUNS = 5


@dataclass(frozen=True)
class Startup:
    """Seconds from the first import to the end of the first frame."""

    cold: float
    warm: float


def measure_startup() -> Startup:
    """Start a game with an empty folder for compiled kernels, and then with the filled one: the median of several."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {**os.environ, "NUMBA_CACHE_DIR": folder}
        cold = _first_frame(settings)
        # What is installed has its bytecode, whatever the environment says of writing it.
        settings = {name: value for name, value in settings.items() if name != "PYTHONDONTWRITEBYTECODE"}
        settings["PYTHONPYCACHEPREFIX"] = folder
        # Not counted: the bytecode is written, and the files are read from the disk for the first time.
        _first_frame(settings)
        return Startup(cold, statistics.median(_first_frame(settings) for _ in range(_WARM_RUNS)))


def _first_frame(settings: dict[str, str]) -> float:
    done = subprocess.run(
        [sys.executable, str(_SCRIPT)],
        cwd=settings["NUMBA_CACHE_DIR"],
        env=settings,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"the first frame failed:\n{done.stderr}")
    return float(done.stdout)
