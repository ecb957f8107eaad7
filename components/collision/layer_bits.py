"""The bits of collision layers, given as members of an ``enum.IntFlag``."""

from __future__ import annotations

from enum import IntFlag
from typing import Any, Final

from ecsphys.components.store.column import show

ALL_LAYERS: Final = 0xFFFFFFFF


def named_bits(kind: type[IntFlag]) -> int:
    """The bits for which a flag has names; TypeError for what is no flag."""
    if not (isinstance(kind, type) and issubclass(kind, IntFlag)):
        raise TypeError(f"kind must be an enum.IntFlag, got {show(kind)}")
    bits = 0
    for name, member in kind.__members__.items():
        bits |= layer_bits(f"{kind.__name__}.{name}", member, kind)
    return bits


def single_bits(bits: int) -> list[int]:
    return [1 << place for place in range(32) if bits >> place & 1]


def layer_bits(what: str, layers: Any, kind: type[IntFlag]) -> int:
    """The bits of a member of ``kind``."""
    if not isinstance(layers, kind):
        wanted = "an enum.IntFlag" if kind is IntFlag else kind.__name__
        raise TypeError(f"{what} must be members of {wanted}, got {show(layers)} ({type(layers).__name__})")
    bits = int(layers)
    if not 0 <= bits <= ALL_LAYERS:
        raise ValueError(f"{what} must fit in 32 bits, got {layers!r}")
    return bits
