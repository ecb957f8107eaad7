"""Which pairs of colliders may hit each other at all: filters, and joints that keep their bodies from colliding."""

from __future__ import annotations

from numpy import uint32

from ecsphys.engine.kernels import NamedTuple, inlined_scalar, kernel, packed, scalar
from ecsphys.engine.kernels.arrays import Int32Rows, Int32s, Int64Rows, Uint8s, Uint32Rows
from ecsphys.engine.tables.collider_slots import PRESENT, ColliderSlots


@packed
class FilterBlocks(NamedTuple):
    """The blocks of CollisionFilter: layers and masks (2, rows), groups (1, rows)."""

    layers_and_masks: Uint32Rows
    groups: Int64Rows


@scalar
def may_collide(row_a: int, row_b: int, filters: FilterBlocks) -> bool:
    """Whether two filters let their entities meet; row −1 is an entity without one: layer 1, mask of all, no group.

    A shared group other than 0 decides alone, by its sign; else each mask must hold one of the other's layers.
    """
    if row_a >= 0 and row_b >= 0:
        group = filters.groups[0, row_a]
        if group != 0 and group == filters.groups[0, row_b]:
            return bool(group > 0)
    layers_a = filters.layers_and_masks[0, row_a] if row_a >= 0 else uint32(1)
    layers_b = filters.layers_and_masks[0, row_b] if row_b >= 0 else uint32(1)
    mask_a = filters.layers_and_masks[1, row_a] if row_a >= 0 else uint32(0xFFFFFFFF)
    mask_b = filters.layers_and_masks[1, row_b] if row_b >= 0 else uint32(0xFFFFFFFF)
    return bool((mask_a & layers_b) != 0 and (mask_b & layers_a) != 0)


@scalar
def is_sought(own_row: int, row: int, filters: FilterBlocks) -> bool:
    """Whether a query with a filter meets an entity: as :func:`may_collide`, but without a look at the other's mask."""
    if row >= 0:
        group = filters.groups[0, own_row]
        if group != 0 and group == filters.groups[0, row]:
            return bool(group > 0)
    layers = filters.layers_and_masks[0, row] if row >= 0 else uint32(1)
    return bool((filters.layers_and_masks[1, own_row] & layers) != 0)


@kernel
def filter_pairs(
    pairs: Int32Rows, colliders: ColliderSlots, dead: Uint8s, filters: FilterBlocks, tested: Int32Rows
) -> int:
    """Copy the candidate pairs (m, 2) of slots worth testing to ``tested``, lower body first; returns how many.

    Left out are pairs of one body, of a collider that is absent or ``dead``, and of entities whose filters do not let
    them meet.
    """
    count = 0
    for k in range(pairs.shape[0]):
        a = pairs[k, 0]
        b = pairs[k, 1]
        if colliders.absence[a] != PRESENT or colliders.absence[b] != PRESENT or dead[a] or dead[b]:
            continue
        if colliders.body[a] == colliders.body[b]:
            continue
        if not may_collide(colliders.filter_row[a], colliders.filter_row[b], filters):
            continue
        in_order = colliders.body[a] < colliders.body[b]
        tested[count, 0] = a if in_order else b
        tested[count, 1] = b if in_order else a
        count += 1
    return count


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
