"""Ctrl-C at a chosen line: what runs must be usable wherever it comes."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


class Interrupt(BaseException):
    """Raised as Ctrl-C would be."""


@contextmanager
def interrupted_at(
    line: int, is_meant: Callable[[FrameType], bool], is_spared: Callable[[FrameType], bool] | None = None
) -> Iterator[None]:
    """Raise Interrupt at the ``line``-th line that runs in functions whose frame ``is_meant``, but for lines that are
    spared.

    No garbage is collected meanwhile: Python swallows what is raised in a finalizer.
    """
    left = line

    def trace(frame: FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
        nonlocal left
        if not is_meant(frame):
            return None
        if event == "line" and not (is_spared is not None and is_spared(frame)):
            left -= 1
            if left == 0:
                raise Interrupt
        return trace

    before, collects = sys.gettrace(), gc.isenabled()
    gc.disable()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)
        if collects:
            gc.enable()
