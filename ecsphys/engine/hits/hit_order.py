"""The public order of hits, by the entities, then the kinds, then the parts of their colliders; and sorted numbers."""

from __future__ import annotations

from numpy import int64
from numpy.typing import NDArray

from ecsphys.engine.kernels import Int32Rows, Int64Rows, Int64s, NamedTuple, index, inlined_scalar, packed, scalar
from ecsphys.engine.tables.collider_slots import LAST_ORDERED, ORDERED_COUNT, ColliderSlots
from ecsphys.engine.tables.entity_rows import COLLIDER_KINDS


@scalar
def find_number(numbers: NDArray[int64], number: int) -> int:
    """The place of a number among others, ascending; −1 where it is not."""
    low = 0
    high = int(numbers.shape[0])
    while low < high:
        middle = (low + high) // 2
        if numbers[middle] == number:
            return middle
        if numbers[middle] < number:
            low = middle + 1
        else:
            high = middle
    return -1


@scalar
def sort_numbers(numbers: NDArray[int64], first: int, end: int) -> None:
    """Sort the numbers ``first`` … ``end − 1``, ascending.

    Shell's method ("A high-speed sorting procedure", 1959) with Knuth's gaps: most often they are few.
    """
    gap = 1
    while 3 * gap < end - first:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(first + gap, end):
            number = numbers[k]
            place = k
            while place - gap >= first and numbers[place - gap] > number:
                numbers[place] = numbers[place - gap]
                place -= gap
            numbers[place] = number
        gap //= 3


@scalar
def sort_distinct(numbers: NDArray[int64], first: int, end: int) -> int:
    """Sort the numbers ``first`` … ``end − 1`` and leave each once; returns where they end then."""
    sort_numbers(numbers, first, end)
    kept = first
    for k in range(first, end):
        if kept == first or numbers[k] != numbers[kept - 1]:
            numbers[kept] = numbers[k]
            kept += 1
    return kept


# Bits of a key for one of two numbers, at most, and for two kinds; of a digit by which keys are sorted.
_NUMBER_BITS, _KIND_BITS = 28, (COLLIDER_KINDS * COLLIDER_KINDS - 1).bit_length()
_DIGIT_BITS = 14
SORT_COUNTS = 1 << _DIGIT_BITS

# So many bits of longer keys, all different, are left for insertions: by the others they are in order, and
# of 2^6 in a row each is moved by 16 places at most on average.
_INSERTED_BITS = 6
_SHORT_BITS = 24


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
def sort_different(room: SortRoom, count: int, bits: int) -> int:
    """:func:`sort_by_digits` by all ``bits`` of keys that are nearly all different."""
    keys, order, _ = room
    if bits <= _SHORT_BITS:
        return sort_by_digits(room, count, int(int64(0)), bits)
    row = sort_by_digits(room, count, min(_INSERTED_BITS, bits), bits)
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
def sort_by_digits(room: SortRoom, count: int, first_bit: int, end_bit: int) -> int:
    """Sort ``count`` pairs of key and order by some bits of the keys, stably; returns the row where they are then.

    ``keys`` and ``order`` have two rows; the pairs are in the first. Digits have as many bits as there are pairs that
    use them, up to the SORT_COUNTS ``counts``.
    """
    keys, order, counts = room
    source = int(int64(0))
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
    row = sort_different(room, total, 2 * bits if alone else 2 * bits + _KIND_BITS)
    if alone:
        return row, total
    first = 0
    for k in range(1, total + 1):
        if k == total or room.keys[row, k] != room.keys[row, first]:
            if k - first > 1:
                _sort_equal(pairs, room, row, first, k, colliders)
            first = k
    return row, total


@scalar
def _sort_equal(pairs: Int32Rows, room: SortRoom, row: int, first: int, end: int, colliders: ColliderSlots) -> None:
    """Put the contacts in the places first … end − 1, of the same bodies and kinds, in the order of their parts, and
    those of one pair as they were found; by Shell's method, as :func:`sort_numbers`."""
    keys, order, _ = room
    for k in range(first, end):
        contact = index(order[row, k])
        keys[row, k] = rank_key(index(pairs[contact, 0]), index(pairs[contact, 1]), _NUMBER_BITS, colliders)
    gap = 1
    while 3 * gap < end - first:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(first + gap, end):
            key, contact = keys[row, k], order[row, k]
            j = k
            while j - gap >= first:
                before = keys[row, j - gap]
                if before < key or (before == key and order[row, j - gap] < contact):
                    break
                keys[row, j], order[row, j] = before, order[row, j - gap]
                j -= gap
            keys[row, j], order[row, j] = key, contact
        gap //= 3
