"""While a thread holds the blocks, no block is replaced, even if other threads create components.

A thread that loads a level creates components while another thread steps. A full block is replaced by a larger one, and
later writes into the old block would be lost. Three rules keep every write. They use one fact: CPython changes threads
only at the start of a function, at a jump backwards and after a call, so statements without these run as one. The same
holds for a single call that runs no code of Python.

1. A thread that *writes* into whole blocks, in a stage of a step or in ``spawn_many``, is in ``HOLDERS`` meanwhile. A
   block is replaced only if no other thread is in ``HOLDERS``, in a single call (``ColumnStore``). Readers need
   nothing: an old block has everything that the reader's own thread has written. A lock would take three times as long,
   in each stage of each step.
2. An assignment to a field, ``view[row] = value``, needs nothing: no call comes between the load of the view and the
   store into it. Row and value are plain numbers, which a memoryview stores without running any Python.
3. Rows are handed out by a single call (``list.pop``), or in statements without a call in between.

Nothing is held while functions of the game are called (handlers of hits): they may wait for the thread that creates. A
holder takes its rows before it holds the blocks, so two holders never wait for each other.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from itertools import repeat
from threading import get_ident
from types import FrameType
from typing import Any, Final, TypeVar

Gathered = TypeVar("Gathered")

HOLDERS: Final[list[int]] = []
"""The threads that hold all blocks, once for each hold."""

# Bound once: that takes half the time in every stage. Interrupts come after such a call at the earliest.
hold_blocks: Final = HOLDERS.append
release_blocks: Final = HOLDERS.remove

WAITING: Final[list[None]] = []
"""One for each thread that waits to replace a block."""

make_all: Final = deque[Any](maxlen=0).extend
"""Makes the calls that an iterator has left."""

# Seconds. A holder's is the longer one, so that threads that wait wake up within it.
_TURN: Final = 5e-5
_PAUSE: Final = 2e-4


class Counter:
    """``made``: how often something has happened."""

    def __init__(self) -> None:
        self.made = 0


REPLACEMENTS: Final = Counter()
"""How often any block was replaced."""


def while_blocks_stand(gather: Callable[[], Gathered]) -> Callable[[], Gathered]:
    """Decorator: a function that gathers blocks returns the same object until a block is replaced."""
    kept: Any = None
    as_of = -1

    @wraps(gather)
    def blocks_now() -> Gathered:
        nonlocal kept, as_of
        made = REPLACEMENTS.made
        if as_of != made:
            # Read before: if another thread replaces a block meanwhile, these are out of date.
            gathered = gather()
            kept, as_of = gathered, made
        result: Gathered = kept
        return result

    return blocks_now


@contextmanager
def blocks_stay() -> Iterator[None]:
    """Be a holder; ``Stage.process`` has the same written out, for speed."""
    thread = get_ident()
    try:
        hold_blocks(thread)
        yield
    finally:
        release_blocks(thread)
    if WAITING:
        let_blocks_move()


def call_without_holding(work: Callable[[], None]) -> None:
    """Call a function with this thread no holder meanwhile, however often it is one."""
    thread = get_ident()
    held, released = HOLDERS.count(thread), 0
    giving_up = map(release_blocks, repeat(thread, held))
    try:
        # A single call, and no interrupt before it: exactly the holds that were given up are taken back below.
        released = held
        make_all(giving_up)
        work()
    finally:
        HOLDERS.extend([thread] * released)


def is_within_stage() -> bool:
    """Whether this thread is in a stage, or in a function that one has called without holding the blocks."""
    if get_ident() in HOLDERS:
        return True
    # The stack itself is the record: an interrupt leaves nothing behind.
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_code is not call_without_holding.__code__:
        frame = frame.f_back
    return frame is not None


def own_holds() -> list[int]:
    """What ``HOLDERS`` is if no other thread is one."""
    thread = get_ident()
    return [thread] * HOLDERS.count(thread)


def let_blocks_move() -> None:
    """Leave the blocks for a moment: holders without a pause in between would never leave them to threads that wait."""
    time.sleep(_PAUSE)


def wait_for_holders() -> None:
    """Wait a moment to replace a block."""
    try:
        WAITING.append(None)
        time.sleep(_TURN)
    finally:
        WAITING.pop()


def fork_safe_lock() -> threading.RLock:
    """A re-entrant lock: finalisers may run anywhere. A fork waits for it, and the child has it unlocked."""
    lock = threading.RLock()
    if hasattr(os, "register_at_fork"):  # not on Windows
        os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)
    return lock


def _forget_other_threads() -> None:
    thread = get_ident()
    HOLDERS[:] = [holder for holder in HOLDERS if holder == thread]
    WAITING.clear()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_forget_other_threads)
