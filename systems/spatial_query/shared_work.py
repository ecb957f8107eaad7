"""Large batches are shared by the cores: the engine's kernels run beside each other, without Python's lock."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait

from ecsphys.engine.kernels.cores import core_count

_workers: ThreadPoolExecutor | None = None


def _forget_workers() -> None:
    global _workers
    _workers = None


# A forked process has the pool, but none of its threads: what is submitted would never be done.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_workers)


def share(work: Callable[[slice], object], count: int, least: int) -> None:
    """Call ``work`` with slices that make up ``count`` rows, none of fewer than ``least``, one for each core.

    ``work`` must do nothing that depends on their order. Where the process gets no more threads, as in an ``atexit``
    handler, this one does it all.
    """
    parts = min(core_count(), max(count // least, 1))
    slices = [slice(count * part // parts, count * (part + 1) // parts) for part in range(parts)]
    others: list[Future[object]] = []
    try:
        _submit(work, slices[1:], others)
        work(slices[0])
    finally:
        _wait(others)
    for other in others:
        other.result()
    for rows in slices[1 + len(others) :]:
        work(rows)


def _submit(work: Callable[[slice], object], slices: list[slice], others: list[Future[object]]) -> None:
    """Hand slices to the other threads, as long as the process lets us; ``others`` grows by what is under way."""
    global _workers
    for rows in slices:
        try:
            if _workers is None:
                _workers = ThreadPoolExecutor(core_count() - 1, "ecsphys")
            others.append(_workers.submit(work, rows))
        except RuntimeError:
            return


def _wait(others: list[Future[object]]) -> None:
    try:
        wait(others)
    except BaseException:
        # Ctrl-C: what the others still read and write must be at rest before the caller goes on.
        wait(others)
        raise
