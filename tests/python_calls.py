"""How many calls a piece of work makes, of Python functions and of C functions: what a machine's load cannot change."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable


def calls_while(work: Callable[[], object]) -> int:
    """The calls and returns while ``work`` runs."""
    calls = 0

    def note(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += 1

    # Without the collector, whose finalisers of other tests' objects would be counted.
    gc.disable()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
        gc.enable()
    return calls
