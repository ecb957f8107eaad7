"""Interpreters of their own for tests."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

Done = subprocess.CompletedProcess[str]

LIMIT: Final = 120  # seconds, then an interpreter is ended


def python(*arguments: str, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> Done:
    """Run Python with ``-c code`` or ``-m module`` and more arguments, as :func:`subprocess.run` would."""
    return start_python(*arguments, cwd=cwd, env=env)()


def start_python(*arguments: str, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> Callable[[], Done]:
    """Begin to run Python; what is returned waits for its end."""
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=cwd,
        env=dict(os.environ if env is None else env),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )

    def wait() -> Done:
        try:
            out, said = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        return subprocess.CompletedProcess(arguments, process.returncode, out, said)

    return wait
