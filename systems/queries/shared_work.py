"""Large batches are shared by the cores: the engine's kernels run beside each other, without Python's lock."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

_workers: ThreadPoolExecutor | None = None


def core_count() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def share(work: Callable[[slice], object], count: int, least: int) -> None:
    """Call ``work`` with slices that make up ``count`` rows, none of fewer than ``least``, one for each core.

    ``work`` must do nothing that depends on their order.
    """
    global _workers
    parts = min(core_count(), max(count // least, 1))
    slices = [slice(count * part // parts, count * (part + 1) // parts) for part in range(parts)]
    if parts > 1 and _workers is None:
        _workers = ThreadPoolExecutor(core_count() - 1, "ecsphys")
    others = [_workers.submit(work, rows) for rows in slices[1:]] if _workers is not None else []
    work(slices[0])
    for other in others:
        other.result()
