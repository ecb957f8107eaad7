"""Pairs of colliders that joints keep from colliding."""

from __future__ import annotations

from ecsphys.engine.kernels.array_types import Int32Rows, Int32s, Int64s
from ecsphys.engine.kernels.compilation import kernel, scalar


@scalar
def is_joined(a: int, b: int, end_of: Int32s, keys: Int64s, end_count: int) -> bool:
    """Whether the colliders in two slots are of ends that a joint keeps apart; ``keys`` are ascending."""
    first = int(end_of[a]) + 0
    second = int(end_of[b]) + 0
    if first < 0 or second < 0 or first == second:
        return False
    key = min(first, second) * end_count + max(first, second)
    low = 0
    high = keys.shape[0]
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return bool(low < keys.shape[0] and keys[low] == key)


@kernel
def leave_out_joined(pairs: Int32Rows, end_of: Int32s, keys: Int64s, end_count: int, kept: Int32Rows) -> int:
    """Copy the pairs (m, 2) of slots that no joint keeps from colliding to ``kept``, in their order; how many.

    ``end_of`` (slots,) numbers the bodies that joints keep from others, from 0 up to ``end_count``, −1 for all else;
    ``keys`` (k,), ascending, are lower · end_count + higher for the two ends of each such joint.
    """
    count = 0
    for k in range(pairs.shape[0]):
        a = pairs[k, 0]
        b = pairs[k, 1]
        if not is_joined(a, b, end_of, keys, end_count):
            kept[count, 0] = a
            kept[count, 1] = b
            count += 1
    return count
