"""Whole numbers in memory that threads write and read at once, in compiled code.

Each is the first of a row, which is a cache line or more: what one thread writes there slows down no other. What a
thread has written before it stores a word is what another reads after it has loaded that word (release and acquire).
As Python, these functions are not atomic.
"""

from __future__ import annotations

import functools
import sys

from numpy import int64
from numpy.typing import NDArray

from ecsphys.engine.kernels.compilation import IS_BUILDING

# Numbers of a row: two cache lines, as processors fetch them in pairs.
WORD_COLUMNS = 16


def load_word(words: NDArray[int64], row: int) -> int:
    """A word as it is now."""
    return int(words[row, 0])


def store_word(words: NDArray[int64], row: int, value: int) -> None:
    """Write a word."""
    words[row, 0] = value


def exchange_word(words: NDArray[int64], row: int, expected: int, value: int) -> bool:
    """Write a word if it still is as ``expected``; whether it was."""
    if words[row, 0] != expected:
        return False
    words[row, 0] = value
    return True


def rest() -> None:
    """Let the processor's other work go first for a moment, in a loop that waits."""


def give_way(address: int) -> None:
    """Let other threads run on this core, by the function of :func:`giving_way`; with 0, :func:`rest`."""


@functools.cache
def giving_way() -> int:
    """Where the operating system's function is by which a thread lets others run; 0 without one."""
    try:
        import ctypes

        if sys.platform == "win32":
            function = ctypes.windll.kernel32.SwitchToThread
        else:
            function = ctypes.CDLL(None).sched_yield
    except (ImportError, AttributeError, OSError, TypeError):
        return 0
    return ctypes.cast(function, ctypes.c_void_p).value or 0


if IS_BUILDING:
    from ecsphys.engine.compiler.word_code import compile_words

    compile_words(load_word, store_word, exchange_word, rest, give_way)
