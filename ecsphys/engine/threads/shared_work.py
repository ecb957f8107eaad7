"""Work that threads share: kernels run beside each other, because they do not hold Python's lock.

Work is cut into more parts than there are threads. Each thread takes a part, does it, and takes the next, the caller
like the others. So a thread that comes late, because its core is busy or asleep, costs nothing: its parts are done
by then. One pool of threads serves all worlds; it grows with demand, and its threads wait without cost.
"""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Generic, TypeVar

Part = TypeVar("Part")

# More parts balance the threads better; each costs some microseconds.
_PARTS_PER_THREAD = 3


def part_count(count: int, least: int, threads: int) -> int:
    """Into how many parts of ``least`` rows or more to cut ``count`` rows; 1 where it does not pay to share them."""
    return 1 if threads == 1 or count < 2 * least else min(_PARTS_PER_THREAD * threads, count // least)


def slices(count: int, parts: int) -> list[slice]:
    """Parts of ``count`` rows, about equal, in order."""
    return [slice(count * part // parts, count * (part + 1) // parts) for part in range(parts)]


def share(work: Callable[[Part], object], parts: Sequence[Part], threads: int) -> None:
    """Call ``work`` with each of the ``parts``, on as many threads; the caller is one.

    ``work`` must not depend on their order. When this returns or raises, all threads are done, even after Ctrl-C: what
    they read and write may change again. An error in any thread is raised here; parts that had not begun are left out
    then. Where the process gets no more threads, as in an ``atexit`` handler, the caller does it all.
    """
    if len(parts) == 1:
        work(parts[0])
        return
    job = _Job(work, parts)
    # No collection may begin on a helper: it would run the game's finalizers there, which may wait for this thread.
    collects = gc.isenabled()
    try:
        try:
            gc.disable()
            _pool.offer(job.help, min(threads, len(parts)) - 1)
            job.run()
        finally:
            job.finish()
    finally:
        # Again, for an interrupt may have cut that short.
        job.finish()
        if collects:
            gc.enable()
    job.raise_error()


class _Job(Generic[Part]):
    """The parts of one call of :func:`share`.

    Each operation on a list is one step for other threads. A helper enters before it takes a part; once no parts are
    left, all that have entered are awaited, and one that comes later finds nothing to do.
    """

    __slots__ = ("_entered", "_errors", "_left", "_parts", "_signal", "_work")

    def __init__(self, work: Callable[[Part], object], parts: Sequence[Part]) -> None:
        self._work = work
        self._parts = list(reversed(parts))
        self._entered: list[None] = []
        self._left: list[None] = []
        self._errors: list[BaseException] = []
        self._signal: SimpleQueue[None] = SimpleQueue()

    def run(self) -> None:
        """Do parts until none is left."""
        parts = self._parts
        while parts:
            try:
                part = parts.pop()
            except IndexError:
                return  # another thread has just taken the last
            self._work(part)

    def help(self) -> None:
        """:meth:`run` on a thread of the pool."""
        self._entered.append(None)
        try:
            self.run()
        except BaseException as error:
            self._parts.clear()
            self._errors.append(error)
        self._left.append(None)
        self._signal.put(None)

    def finish(self) -> None:
        """Let no more parts begin, and wait for the running ones."""
        self._parts.clear()
        while len(self._left) < len(self._entered):
            # Each helper that has left puts something there afterwards, so this ends.
            self._signal.get()

    def raise_error(self) -> None:
        """Raise the first error of a helper, if any."""
        if self._errors:
            raise self._errors.pop(0)  # no longer held here, or all of it would wait for the collector of cycles


class _Pool:
    """Threads that wait for jobs. They end with the process."""

    def __init__(self) -> None:
        self._offers: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._size = 0

    def offer(self, help_with: Callable[[], None], helpers: int) -> None:
        """Have up to so many threads call ``help_with``."""
        while self._size < helpers:
            thread = threading.Thread(target=_serve, args=(self._offers,), name="ecsphys", daemon=True)
            try:
                thread.start()
            except RuntimeError:
                break  # the process gets no more
            self._size += 1
        for _ in range(min(helpers, self._size)):
            self._offers.put(help_with)


def _serve(offers: SimpleQueue[Callable[[], None]]) -> None:
    while True:
        # Not kept in a variable, which would keep the job's arrays until the next one comes.
        offers.get()()


_pool = _Pool()


def _begin_anew() -> None:
    global _pool
    _pool = _Pool()


# A forked process lacks the threads.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)


def core_count() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
