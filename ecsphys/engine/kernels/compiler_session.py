"""What surrounds numba's work on a kernel: one thread at a time, undisturbed by Ctrl-C and by the garbage collector."""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any

from numba.core import event
from numba.core.compiler_lock import global_compiler_lock


class CompilerSession:
    """A block that has numba's lock, and in which Ctrl-C waits until nothing is half done, which is a moment later.

    Python raises KeyboardInterrupt between any two instructions, also in functions that LLVM calls, where it is printed
    and lost, and leaves undone what numba then misses. Here it is raised between two passes of the compiler, of which
    most kernels go through hundreds, or at the end; while the lock is waited for, at once. What waits is whatever the
    process does at SIGINT, be it KeyboardInterrupt or a handler of the game's. Only the main thread gets signals.
    """

    _current: CompilerSession | None = None

    def __init__(self) -> None:
        self._handler: Any = None
        self._passes = False
        self._waiting: tuple[int, FrameType | None] | None = None
        self._raised: BaseException | None = None

    def __enter__(self) -> None:
        self._hold_signals()
        try:
            self._passes = True
            global_compiler_lock.acquire()
            self._passes = False
        except BaseException:
            self._release_signals()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        global_compiler_lock.release()
        self._release_signals()
        if self._raised is not None and self._raised is not error:
            # numba has swallowed it, or made another error of it.
            raise self._raised from None
        self.deliver()

    def _hold_signals(self) -> None:
        if threading.current_thread() is not threading.main_thread() or CompilerSession._current is not None:
            return
        handler = signal.getsignal(signal.SIGINT)
        # What cannot be called is left to the system: it ends the process, or ignores the signal.
        if callable(handler):
            self._handler = handler
            try:
                signal.signal(signal.SIGINT, self._on_signal)
            except ValueError:  # a subinterpreter has no signals
                return
            CompilerSession._current = self

    def _release_signals(self) -> None:
        if CompilerSession._current is self:
            CompilerSession._current = None
            if signal.getsignal(signal.SIGINT) == self._on_signal:
                signal.signal(signal.SIGINT, self._handler)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self._passes and not global_compiler_lock.is_locked():
            self._passes = False
            self._handler(number, frame)
        else:
            self._waiting = number, frame

    def deliver(self) -> None:
        """Let happen what waits."""
        if self._waiting is None:
            return
        arguments, self._waiting = self._waiting, None
        try:
            self._handler(*arguments)
        except BaseException as raised:
            self._raised = raised
            raise


class _BetweenPasses(event.Listener):  # type: ignore[misc]
    def on_start(self, started: Any) -> None:
        session = CompilerSession._current
        if session is not None and threading.current_thread() is threading.main_thread():
            session.deliver()

    def on_end(self, ended: Any) -> None:
        pass


event.register("numba:run_pass", _BetweenPasses())

# A process forked while a thread compiles would wait for ever for the lock of a thread that it does not have.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=global_compiler_lock.acquire,
        after_in_parent=global_compiler_lock.release,
        after_in_child=global_compiler_lock.release,
    )


@contextmanager
def resting_collector() -> Iterator[None]:
    """A block in which Python's cyclic garbage collector starts no run of its own.

    numba builds millions of objects that live until the kernel is done, and going through them again and again costs
    more than a tenth of the time. The collector is not disabled but given no threshold, and gets back its own only
    where that is still so: meanwhile other threads may disable and enable it.
    """
    before = gc.get_threshold()
    resting = (0, *before[1:])
    gc.set_threshold(*resting)
    try:
        yield
    finally:
        if gc.get_threshold() == resting:
            gc.set_threshold(*before)
