"""Threads that run one kernel together: they share its phases, and some words of memory."""

from __future__ import annotations

import functools
import sys

from numpy import int64
from numpy.typing import NDArray

from ecsphys.engine.kernels import IS_BUILDING, Int64Rows, NamedTuple, aligned_zeros, packed, scalar

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
    from ecsphys.engine.compiler.instructions import compile_words

    compile_words(load_word, store_word, exchange_word, rest, give_way)


# After so many looks, some 200 µs, a waiting member lets others run: one that is at work may have lost its core.
_PATIENCE = 4000


# How a word of ``left`` is made: the number of a phase, and the first of the items left in it, and that after the last.
_BITS = 22
_MASK = (1 << _BITS) - 1

# A phase with more items is not for a crew. There may be half a million phases.
MOST_ITEMS = _MASK


@packed
class Crew(NamedTuple):
    """What members tell each other, in a row of WORD_COLUMNS for each: which items are ``left`` of its segment, and how
    many it has ``done``, of all phases. Both begin with zeros."""

    left: Int64Rows
    done: Int64Rows


def new_crew(members: int) -> Crew:
    """A crew of so many, which has done nothing yet."""
    left, done = (aligned_zeros(members, WORD_COLUMNS).view(int64) for _ in range(2))
    return Crew(left, done)


@scalar
def take_part(crew: Crew, member: int, phase: int, count: int, at_once: int) -> tuple[int, int]:
    """Take some of the ``count`` items of a phase, up to so many ``at_once``: the first, and that after the last;
    (0, 0) if none is left. Phases are numbered from 1 on.

    Of two segments side by side, one member begins at the start, the other at the end: they meet in the middle.
    """
    members = int(crew.left.shape[0])
    for turn in range(members):
        segment = member + turn
        if segment >= members:
            segment -= members
        size = at_once if turn == 0 else max(at_once >> 3, 1)
        takes_last = (segment & 1 == 1) == (turn == 0)
        start = count * segment // members
        stop = count * (segment + 1) // members
        while start < stop:
            word = load_word(crew.left, segment)
            first = start
            end = stop
            if word >> (2 * _BITS) >= phase:
                if word >> (2 * _BITS) > phase:
                    break
                first = (word >> _BITS) & _MASK
                end = word & _MASK
                if first == end:
                    break
            if takes_last:
                begin = max(end - size, first)
                if exchange_word(crew.left, segment, word, (phase << (2 * _BITS)) | (first << _BITS) | begin):
                    return begin, end
            else:
                after = min(first + size, end)
                if exchange_word(crew.left, segment, word, (phase << (2 * _BITS)) | (after << _BITS) | end):
                    return first, after
    return 0, 0


@scalar
def finish_part(crew: Crew, member: int, count: int) -> None:
    """Count so many items more as done."""
    store_word(crew.done, member, load_word(crew.done, member) + count)


@scalar
def wait_until_done(crew: Crew, count: int, way: int) -> None:
    """Wait until so many items are done, of all phases so far. ``way``: as of ``giving_way``."""
    looks = 0
    while True:
        done = 0
        for member in range(crew.done.shape[0]):
            done += load_word(crew.done, member)
        if done >= count:
            return
        looks += 1
        if looks < _PATIENCE:
            rest()
        else:
            give_way(way)
