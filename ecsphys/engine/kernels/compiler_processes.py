"""Kernels that are compiled beside each other: other processes take them from the end of the list, this one goes on
from its beginning.

numba compiles one kernel at a time in a process. Another process compiles for the cache on disk, from where this one
loads the code. What kernels have in common is compiled by each process that needs it: so there are few, and none for a
handful of kernels.
"""

from __future__ import annotations

import contextlib
import importlib
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ecsphys.engine.threads.cores import core_count

Kernel = Callable[..., Any]

# A process takes a second or two to start, and the compiled code of most kernels has something in common.
_LEAST_KERNELS = 6
_MOST_PROCESSES = 3

_CODE = "import sys; sys.path[:] = {path!r}; from {module} import serve; serve()"


def serve() -> None:
    """Compile the kernels named on stdin, a line each, for the cache; say a line on stdout after each."""
    for line in sys.stdin:
        module, name = line.split()
        getattr(importlib.import_module(module), name).load(quiet=True)
        print(flush=True)


class CompilerProcesses:
    """Processes that compile some kernels, and which of them they have taken.

    ``say`` is called with each kernel that one of them begins with. Closed before they are done, they end at once.
    Where they cannot be started, or die, their kernels are left to the caller.
    """

    def __init__(self, kernels: Sequence[Kernel], count: int, say: Callable[[Kernel], object]) -> None:
        self._left = list(kernels)
        self._say = say
        self._lock = threading.Lock()
        self._done = {kernel: threading.Event() for kernel in kernels}
        self._processes: list[subprocess.Popen[str]] = []
        self._threads = [threading.Thread(target=self._feed, daemon=True) for _ in range(count)]
        self._is_closed = False
        self._begun = ""

    def start(self) -> None:
        """Begin, with as many threads as there may be."""
        for thread in self._threads:
            try:
                thread.start()
            except RuntimeError:
                break

    def take(self, kernel: Kernel) -> bool:
        """Whether the caller is to load or compile a kernel itself; if not, waits until it has been compiled."""
        if kernel not in self._done:
            return True
        with self._lock:
            if kernel in self._left:
                self._left.remove(kernel)
                return True
        # In short waits: Windows delivers Ctrl-C between them.
        while not self._done[kernel].wait(0.2) and any(thread.is_alive() for thread in self._threads):
            pass
        return False

    def progress(self) -> tuple[int, str]:
        """How many kernels are done, and the name of the one begun last."""
        return sum(done.is_set() for done in self._done.values()), self._begun

    def is_at_work(self) -> bool:
        """Whether any process still compiles, or is to begin."""
        return any(thread.is_alive() for thread in self._threads)

    def close(self) -> None:
        """End all processes, whatever they do."""
        self._is_closed = True
        with self._lock:
            self._left.clear()
            processes = list(self._processes)
        for process in processes:
            process.kill()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join()

    def _feed(self) -> None:
        """Hand one process a kernel after the other, until it dies or there are no more."""
        # Whatever it dies of, or a message cannot be written to: this process does the rest.
        with contextlib.suppress(OSError, ValueError):
            process = self._start_one()
            if process is None or process.stdin is None or process.stdout is None:
                return
            with process:
                while (kernel := self._next()) is not None:
                    try:
                        self._begun = kernel.__name__
                        self._say(kernel)
                        process.stdin.write(f"{kernel.__module__} {kernel.__qualname__}\n")
                        process.stdin.flush()
                        if not process.stdout.readline():
                            return
                    finally:
                        self._done[kernel].set()

    def _start_one(self) -> subprocess.Popen[str] | None:
        with self._lock:
            if self._is_closed or not self._left:
                return None
            process = subprocess.Popen(
                [sys.executable, "-c", _CODE.format(path=[*map(str, sys.path)], module=__name__)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                # Ctrl-C is for this process, which then ends the others.
                start_new_session=True,
            )
            self._processes.append(process)
            return process

    def _next(self) -> Kernel | None:
        with self._lock:
            return self._left.pop() if self._left else None


@contextmanager
def compiling_beside(kernels: Sequence[Kernel], say: Callable[[Kernel], object]) -> Iterator[Callable[[Kernel], bool]]:
    """A block in which other processes compile some of the kernels, if there are enough of them, and cores.

    Yields what tells of a kernel whether the block is to compile it; if not, it has been compiled then. ``say`` is
    called with each kernel that another process begins with.
    """
    count = min(core_count() - 1, _MOST_PROCESSES, len(kernels) // _LEAST_KERNELS)
    if count < 1 or not _is_python():
        yield lambda kernel: True
        return
    processes = CompilerProcesses(kernels, count, say)
    try:
        processes.start()
        yield processes.take
    finally:
        processes.close()


def compile_apart(kernels: Sequence[Kernel], meanwhile: Callable[[int, str], object]) -> None:
    """Let other processes compile all these kernels, and leave this one free.

    Until they are done, ``meanwhile`` is called again and again, with the number of those done and the name of the last
    begun; whatever it raises ends the processes. What they leave, its first call compiles.
    """
    if not kernels or not _is_python():
        return
    count = max(1, min(core_count(), _MOST_PROCESSES + 1, len(kernels) // (_LEAST_KERNELS // 2)))
    processes = CompilerProcesses(kernels, count, lambda kernel: None)
    try:
        processes.start()
        _call_while_at_work(processes, meanwhile)
    finally:
        processes.close()


def _call_while_at_work(processes: CompilerProcesses, meanwhile: Callable[[int, str], object]) -> None:
    while processes.is_at_work():
        meanwhile(*processes.progress())


def _is_python() -> bool:
    """Whether ``sys.executable`` is Python, and not an application with Python in it."""
    return not getattr(sys, "frozen", False) and Path(sys.executable or "").stem.lower().startswith("python")
