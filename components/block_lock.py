"""``BLOCKS_STAY``: while a thread holds this lock, no block of components moves, whatever other threads create.

A thread that loads a level creates components while another one steps. Where a block is full it is replaced by a larger
one, and what is written into the old one from then on would be lost. Three rules keep every write:

1. A block is replaced under the lock. Whoever takes whole blocks to *write* into them holds it meanwhile: a stage of a
   step, ``spawn_many``. (To read it is not needed: the old block has all that its reader's thread wrote.) The lock is
   re-entrant, so that a stage may create components itself.
2. An assignment to a field, ``view[row] = value``, takes no lock. CPython changes threads only at the start of a
   function, at a jump backwards and after a call. Between the load of the view and the store into it there is none of
   these: row and value are plain numbers by then, which a memoryview stores without running any Python code. And a
   growing block copies a field and replaces its view likewise, in two statements without a call.
3. Rows are handed out by single calls (``list.pop``), or by statements without a call in between.

No lock is held while the game's functions are called (handlers of hits): they may wait for the thread that creates.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

# Long enough for a thread that waits to wake up, in seconds.
_PAUSE: Final = 1e-4


def fork_safe_lock() -> threading.RLock:
    """A re-entrant lock that a forked process never inherits from another thread."""
    lock = threading.RLock()
    if hasattr(os, "register_at_fork"):  # not on Windows
        os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)
    return lock


BLOCKS_STAY: Final = fork_safe_lock()

_waiting: Final[list[None]] = []


@contextmanager
def moving_blocks() -> Iterator[None]:
    """Hold the lock to replace blocks, as soon as no other thread needs them where they are."""
    _waiting.append(None)
    try:
        with BLOCKS_STAY:
            yield
    finally:
        _waiting.pop()


def let_blocks_move() -> None:
    """Called after the lock was released: steps without a pause in between would never leave it to who waits."""
    if _waiting:
        time.sleep(_PAUSE)
