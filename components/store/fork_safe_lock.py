"""A lock for data that several threads change. A forked process never finds it locked."""

from __future__ import annotations

import os
import threading


def fork_safe_lock() -> threading.RLock:
    """A re-entrant lock: finalisers may run anywhere. A fork waits for it, and the child has it unlocked."""
    lock = threading.RLock()
    if hasattr(os, "register_at_fork"):  # not on Windows
        os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)
    return lock
