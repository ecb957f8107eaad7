"""The places at which Python looks for signals, and an exception raised at any of them.

CPython runs the handler of a signal at the start of a function, after a call of a function that is not Python's, and at
a jump backwards; not between other instructions. An exception at each of these places, by a trace of instructions, is
what a signal can do, and the same in each run.
"""

from __future__ import annotations

import contextlib
import dis
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import esper

_CALLS = ("RESUME", "CALL", "CALL_FUNCTION_EX", "CALL_KW")
_DEEPEST = 8

ROOTS = tuple(
    str(Path(sys.modules[name].__file__ or "").parent) for name in ("ecsphys", "ecsphys.systems", "ecsphys.components")
)
_ATTACKED = (*ROOTS, str(Path(esper.__file__ or "").parent), "<members of ")


def may_be_cut(frame: FrameType, roots: tuple[str, ...] = _ATTACKED) -> bool:
    """Whether a signal may end a function of files, or of folders, whose names begin so."""
    return frame.f_code.co_filename.startswith(roots)


class Cut(BaseException):
    """Ends a step in the middle, as an interrupt does."""


def place_of(frame: FrameType | None) -> str:
    """The functions that are running: file, line, name and offset of the instruction, from the innermost on."""
    found: list[str] = []
    while frame is not None and len(found) < _DEEPEST:
        code = frame.f_code
        found.append(f"{code.co_filename}:{frame.f_lineno} {code.co_qualname}+{frame.f_lasti}")
        frame = frame.f_back
    return " < ".join(found)


@contextlib.contextmanager
def raising_at_signal_place(number: int, counts: Callable[[FrameType], bool] = lambda _: True) -> Iterator[list[str]]:
    """Raise :class:`Cut` at the so-manieth place at which a signal could; yields where it was, if it was reached.

    The places are those of the package and of esper, in the frames that ``counts`` says.
    """
    reached: list[str] = []
    count = 0

    def trace(frame: FrameType, _: str, __: object) -> Any:
        if reached or not may_be_cut(frame):
            return None
        after_calls, loops = _places_in(frame.f_code)
        last = -1

        def look(frame: FrameType, event: str, _: object) -> Any:
            nonlocal count, last
            if event != "opcode" or reached:
                return look
            offset, before = frame.f_lasti, last
            last = offset
            if (offset in after_calls or (offset in loops and before > offset)) and counts(frame):
                count += 1
                if count == number:
                    reached.append(place_of(frame))
                    raise Cut(reached[0])
            return look

        # Instructions of a code's first frame are told by CPython 3.13 only where the frame has its function by then,
        # and by CPython 3.12 only where a function is set anew.
        frame.f_trace, frame.f_trace_opcodes, frame.f_trace_lines = look, True, False
        sys.settrace(trace)
        return look

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield reached
    finally:
        sys.settrace(before)


@cache
def _places_in(code: CodeType) -> tuple[frozenset[int], frozenset[int]]:
    """Offsets of the instructions before which Python looks: always, and where it comes from behind."""
    after_calls, loops, last = set(), set(), ""
    for instruction in dis.get_instructions(code):
        if last in _CALLS:
            after_calls.add(instruction.offset)
        if "BACKWARD" in instruction.opname:
            loops.add(int(instruction.argval))
        last = instruction.opname
    return frozenset(after_calls), frozenset(loops)
