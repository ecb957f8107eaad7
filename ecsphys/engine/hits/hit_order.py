"""The public order of hits: by the entities, then the kinds, then the parts of their colliders."""

from __future__ import annotations

from numpy import int64

from ecsphys.engine.kernels import Int32Rows, Int64Rows, Int64s, NamedTuple, index, inlined_scalar, packed, scalar
from ecsphys.engine.tables.collider_slots import LAST_ORDERED, ORDERED_COUNT, ColliderSlots
from ecsphys.engine.tables.entity_rows import COLLIDER_KINDS

# Bits of a key for one of two numbers, at most, and for two kinds; of a digit by which keys are sorted.
_NUMBER_BITS, _KIND_BITS = 28, (COLLIDER_KINDS * COLLIDER_KINDS - 1).bit_length()
_DIGIT_BITS = 14
SORT_COUNTS = 1 << _DIGIT_BITS

# So many bits of longer keys, all different, are left for insertions: by the others they are in order, and
# of 2^6 in a row each is moved by 16 places at most on average.
_INSERTED_BITS = 6
_SHORT_BITS = 24

# Of so many contacts at most with the same bodies and kinds each is put in its place among them by itself.
_MOST_EQUAL = 16


@packed
class SortRoom(NamedTuple):
    """Scratch: ``keys`` and ``order`` (2, m), ``counts`` (SORT_COUNTS,).

    Afterwards ``keys`` list the contacts that were found: each with the row that it goes to, and below it the last
    step's contact of the same pair, −1 for none.
    """

    keys: Int64Rows
    order: Int32Rows
    counts: Int64s


@inlined_scalar
def rank_key(a: int, b: int, bits: int, colliders: ColliderSlots) -> int:
    """A number that orders hits by the ranks of their colliders, which have so many bits."""
    return int(colliders.rank[a]) << bits | int(colliders.rank[b])


@inlined_scalar
def body_key(a: int, b: int, bits: int, colliders: ColliderSlots) -> int:
    """A number that orders hits by (body a, body b, kind a, kind b).

    Bodies, whose numbers have so many bits, are numbered in the order of entities.
    """
    return (int(colliders.body[a]) << bits | int(colliders.body[b])) << _KIND_BITS | int(
        colliders.kind[a]
    ) * COLLIDER_KINDS + int(colliders.kind[b])


@scalar
def sort_different(room: SortRoom, source: int, count: int, bits: int) -> int:
    """:func:`sort_by_digits` by all ``bits`` of keys that are nearly all different."""
    keys, order, _ = room
    if bits <= _SHORT_BITS:
        return sort_by_digits(room, source, count, int(int64(0)), bits)
    row = sort_by_digits(room, source, count, min(_INSERTED_BITS, bits), bits)
    for k in range(1, count):
        key = keys[row, k]
        number = order[row, k]
        j = k
        while j > 0 and keys[row, j - 1] > key:
            keys[row, j] = keys[row, j - 1]
            order[row, j] = order[row, j - 1]
            j -= 1
        keys[row, j] = key
        order[row, j] = number
    return row


@scalar
def sort_by_digits(room: SortRoom, source: int, count: int, first_bit: int, end_bit: int) -> int:
    """Sort ``count`` pairs of key and order by some bits of the keys, stably; returns the row where they are then.

    ``keys`` and ``order`` have two rows; the pairs are in row ``source`` at first. Digits have as many bits as there
    are pairs that use them, up to the SORT_COUNTS ``counts``.
    """
    keys, order, counts = room
    width = 4
    while width < _DIGIT_BITS and (1 << width) < count:
        width += 1
    # All as wide: no pass for a few bits that are left.
    digits = max((end_bit - first_bit + width - 1) // width, 1)
    width = max((end_bit - first_bit + digits - 1) // digits, 1)
    for shift in range(first_bit, end_bit, width):
        mask = (1 << min(width, end_bit - shift)) - 1
        counts[: mask + 1] = 0
        for k in range(count):
            counts[(keys[source, k] >> shift) & mask] += 1
        total = 0
        for digit in range(mask + 1):
            total += counts[digit]
            counts[digit] = total - counts[digit]
        for k in range(count):
            digit = (keys[source, k] >> shift) & mask
            keys[1 - source, counts[digit]] = keys[source, k]
            order[1 - source, counts[digit]] = order[source, k]
            counts[digit] += 1
        source = 1 - source
    return source


@scalar
def ranks_say_all(extent: Int64s, colliders: ColliderSlots) -> bool:
    """Whether every entity has one collider: then the ranks alone order hits. ``extent``: of the order of all
    colliders."""
    last = extent[LAST_ORDERED]
    return bool(last < 0 or colliders.body[last] == extent[ORDERED_COUNT] - 1)


@inlined_scalar
def comes_first(a: int, b: int, c: int, d: int, colliders: ColliderSlots, alone: bool) -> bool:
    """Whether the hit of a and b comes before the hit of c and d: by their bodies and kinds, then by parts.

    ``alone``: every entity has one collider.
    """
    if not alone:
        key = body_key(a, b, _NUMBER_BITS, colliders)
        other = body_key(c, d, _NUMBER_BITS, colliders)
        if key != other:
            return key < other
    return rank_key(a, b, _NUMBER_BITS, colliders) < rank_key(c, d, _NUMBER_BITS, colliders)


@scalar
def sort_contacts(
    pairs: Int32Rows, runs: Int64Rows, room: SortRoom, colliders: ColliderSlots, collider_count: int, alone: bool
) -> tuple[int, int]:
    """Put the contacts of some ``runs`` of pairs, (k, 2) of the first row and how many, in their public order.

    Returns the row of ``room.order`` with this order, and how many contacts there are. ``alone``: every entity has one
    collider.
    """
    bits = 1
    while collider_count >> bits:
        bits += 1
    total = 0
    for run in range(runs.shape[0]):
        first = index(runs[run, 0])
        for k in range(first, first + index(runs[run, 1])):
            a = index(pairs[k, 0])
            b = index(pairs[k, 1])
            room.keys[0, total] = rank_key(a, b, bits, colliders) if alone else body_key(a, b, bits, colliders)
            room.order[0, total] = k
            total += 1
    row = sort_different(room, int(int64(0)), total, 2 * bits if alone else 2 * bits + _KIND_BITS)
    if alone:
        return row, total
    first = 0
    for k in range(1, total + 1):
        if k == total or room.keys[row, k] != room.keys[row, first]:
            if k - first > _MOST_EQUAL:
                return _sort_anew(pairs, room, row, total, bits, colliders), total
            _sort_equal(pairs, room, row, first, k, colliders)
            first = k
    return row, total


@inlined_scalar
def _sort_equal(pairs: Int32Rows, room: SortRoom, row: int, first: int, end: int, colliders: ColliderSlots) -> None:
    """Put the contacts in the places first … end − 1, of the same bodies and kinds, in the order of their parts."""
    order = room.order
    for k in range(first + 1, end):
        contact = index(order[row, k])
        key = rank_key(index(pairs[contact, 0]), index(pairs[contact, 1]), _NUMBER_BITS, colliders)
        j = k
        while j > first:
            before = index(order[row, j - 1])
            if rank_key(index(pairs[before, 0]), index(pairs[before, 1]), _NUMBER_BITS, colliders) <= key:
                break
            order[row, j] = before
            j -= 1
        order[row, j] = contact


@inlined_scalar
def _sort_anew(pairs: Int32Rows, room: SortRoom, row: int, total: int, bits: int, colliders: ColliderSlots) -> int:
    """Put all contacts in their order by their parts first, then by bodies and kinds; returns the row where they are
    then."""
    for k in range(total):
        contact = index(room.order[row, k])
        room.keys[row, k] = rank_key(index(pairs[contact, 0]), index(pairs[contact, 1]), bits, colliders)
    row = sort_different(room, row, total, 2 * bits)
    for k in range(total):
        contact = index(room.order[row, k])
        room.keys[row, k] = body_key(index(pairs[contact, 0]), index(pairs[contact, 1]), bits, colliders)
    return sort_by_digits(room, row, total, int(int64(0)), _KIND_BITS + 2 * bits)
