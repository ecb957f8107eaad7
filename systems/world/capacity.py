"""How large a kept buffer is made."""

from __future__ import annotations


def grown(needed: int) -> int:
    """The capacity for what is needed now and may grow."""
    return needed + needed // 4 + 64
