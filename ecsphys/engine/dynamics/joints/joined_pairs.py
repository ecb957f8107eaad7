"""Pairs of colliders that joints keep from colliding."""

from __future__ import annotations

from typing import NamedTuple

from ecsphys.engine.kernels.array_types import Int32Rows, Int32s, Uint8s
from ecsphys.engine.kernels.bundles import packed
from ecsphys.engine.kernels.compilation import inlined_scalar, kernel


@packed
class JoinedEnds(NamedTuple):
    """Which ends joints keep from colliding.

    ``end_of`` (slots,): the number of the end that a collider belongs to, −1 for none. ``others``: the ends, of higher
    numbers and ascending, that each is kept from; for end k from ``starts[k]`` to ``starts[k + 1]``.
    """

    end_of: Int32s
    starts: Int32s
    others: Int32s


@inlined_scalar
def _is_joined(a: int, b: int, joined: JoinedEnds) -> bool:
    """Whether the colliders in two slots are of ends that a joint keeps apart."""
    first = int(joined.end_of[a]) + 0
    second = int(joined.end_of[b]) + 0
    if first < 0 or second < 0 or first == second:
        return False
    lower = min(first, second)
    other = max(first, second)
    low = int(joined.starts[lower]) + 0
    end = int(joined.starts[lower + 1]) + 0
    high = end
    while low < high:
        middle = (low + high) // 2
        if joined.others[middle] < other:
            low = middle + 1
        else:
            high = middle
    return bool(low < end and joined.others[low] == other)


@kernel
def tell_joined(pairs: Int32Rows, joined: JoinedEnds, found: Uint8s) -> None:
    """Write for each of the pairs (m, 2) of slots whether a joint keeps them from colliding, 1 or 0."""
    for k in range(pairs.shape[0]):
        found[k] = _is_joined(int(pairs[k, 0]) + 0, int(pairs[k, 1]) + 0, joined)


@kernel
def leave_out_joined(pairs: Int32Rows, joined: JoinedEnds, kept: Int32Rows) -> int:
    """Copy the pairs (m, 2) of slots that no joint keeps from colliding to ``kept``, in their order; how many."""
    count = 0
    for k in range(pairs.shape[0]):
        a = int(pairs[k, 0]) + 0
        b = int(pairs[k, 1]) + 0
        if not _is_joined(a, b, joined):
            kept[count, 0] = a
            kept[count, 1] = b
            count += 1
    return count
