"""Sorting of keys by itself."""

from __future__ import annotations

from ecsphys.engine.hits.hit_order import SortRoom, sort_by_digits, sort_different
from ecsphys.engine.kernels import kernel


@kernel
def sort_keys(room: SortRoom, count: int, bits: int) -> int:
    """Sort by the bits that differ."""
    return sort_different(room, count, bits)


@kernel
def sort_by_some_bits(room: SortRoom, count: int, first_bit: int, end_bit: int) -> int:
    """Sort by some bits."""
    return sort_by_digits(room, count, first_bit, end_bit)
