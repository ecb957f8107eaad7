"""Ctrl-C in this package's commands, ``ecsphys-demo`` and ``python -m ecsphys.…``: exit code 130 and no traceback.

The package imports this module first: most of a command's first second is spent on imports, which Ctrl-C would end with
a long traceback. In programs of others nothing is changed.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType

INTERRUPTED = 130  # the exit code of a command that Ctrl-C has ended


def _is_ours() -> bool:
    """Whether the process was started as one of the package's commands."""
    arguments = getattr(sys, "argv", None) or [""]
    if arguments[0] == "-m":
        # So it stands there until Python has found the module; its name is the last word before the arguments.
        module = "".join(sys.orig_argv[-len(arguments) :][:1]).removeprefix("-m")
        return module.partition(".")[0] == __package__
    return Path(arguments[0]).stem == "ecsphys-demo"


def _end(number: int, frame: FrameType | None) -> None:
    # At once, from wherever it is: there is nothing to close or to lose, yet or any more.
    os._exit(INTERRUPTED)


def run_command(work: Callable[[], int], last_words: str) -> int:
    """Do a command's work and return its exit code; Ctrl-C ends it with ``last_words`` on stderr."""
    starting = signal.getsignal(signal.SIGINT) is _end
    try:
        if starting:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        code = work()
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        if starting:
            signal.signal(signal.SIGINT, _end)
        return code
    except KeyboardInterrupt:
        print(last_words, file=sys.stderr, flush=True)
        return INTERRUPTED


if (
    threading.current_thread() is threading.main_thread()
    and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    and _is_ours()
):
    signal.signal(signal.SIGINT, _end)
