"""Whom a query meets at all: those that its filter meets, but none that it is to pass over."""

from __future__ import annotations

from numpy import int32, int64, uint8, uint32
from numpy.typing import NDArray

from ecsphys.engine.contacts.hit_tracking import may_collide
from ecsphys.engine.kernels.compilation import inlined_scalar, kernel


@inlined_scalar
def is_met(
    i: int,
    entities: NDArray[int64],
    filter_rows: NDArray[int32],
    layers_and_masks: NDArray[uint32],
    groups: NDArray[int64],
    own_filter: int,
    passed_over: NDArray[int64],
    left: NDArray[uint8],
) -> bool:
    """Whether a query with filter row ``own_filter`` (−1: none) meets proxy i.

    ``entities`` and ``filter_rows`` (n,), or nothing where no proxy has a filter, are of all proxies; ``passed_over``
    are the entities, ascending, that it never meets; ``left`` (n,), or nothing, marks those that are not any more where
    they are filed.
    """
    if left.shape[0] > 0 and left[i] != 0:
        return False
    filter_row = int(int64(filter_rows[i])) if filter_rows.shape[0] > 0 else -1
    if (own_filter >= 0 or filter_row >= 0) and not may_collide(own_filter, filter_row, layers_and_masks, groups):
        return False
    low = 0
    high = passed_over.shape[0]
    while low < high:
        middle = (low + high) // 2
        if passed_over[middle] == entities[i]:
            return False
        if passed_over[middle] < entities[i]:
            low = middle + 1
        else:
            high = middle
    return True


@kernel("i8(i4[:,::1], i8[::1], i4[::1], u4[:,::1], i8[:,::1], i8, i8[::1], u1[::1], i4[:,::1])")
def sieve_pairs(
    pairs: NDArray[int32],
    entities: NDArray[int64],
    filter_rows: NDArray[int32],
    layers_and_masks: NDArray[uint32],
    groups: NDArray[int64],
    own_filter: int,
    passed_over: NDArray[int64],
    left: NDArray[uint8],
    kept: NDArray[int32],
) -> int:
    """Copy those pairs (query, proxy) to ``kept`` in which the query meets the proxy; returns how many.

    The arrays between are those of :func:`is_met`.
    """
    count = 0
    for k in range(pairs.shape[0]):
        if is_met(
            int(int64(pairs[k, 1])), entities, filter_rows, layers_and_masks, groups, own_filter, passed_over, left
        ):
            kept[count, 0] = pairs[k, 0]
            kept[count, 1] = pairs[k, 1]
            count += 1
    return count
