"""Kernels of snapshots: copies of the rows of many arrays in one call, and arrays mixed into digests.

Of each copied array the memory is known, not the type: rows are copied byte by byte.

Arrays are mixed into numbers of 64 bits. Each word is multiplied, folded, and weighted by its place. Folding spreads
the change of a single bit, a sign for example: of a sum of products alone, two of these could cancel. All weights are
odd multiples of the same odd number, so that no two of them have a sum or a difference that is 0 in its lower half. All
is integers, which wrap: the same on every machine.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy import int64, uint8
from numpy.typing import NDArray

from ecsphys.engine.hits.contact_table import IMPULSE_COLUMNS, HitRows
from ecsphys.engine.kernels import (
    IS_BUILDING,
    Int32s,
    Int64Rows,
    Int64s,
    NamedTuple,
    Uint8s,
    address_of,
    index,
    inlined_scalar,
    kernel,
    scalar,
)

if IS_BUILDING:
    from ecsphys.engine.compiler.instructions import arrays_at

    _memory_at = arrays_at(np.dtype(uint8), 1)
else:

    def _memory_at(numbers: int, first: int) -> Uint8s:
        raise NotImplementedError


class Memory(NamedTuple):
    """Where the memory of some arrays is.

    ``numbers``: the address and the bytes of each, one after the other, themselves at ``address``. ``sizes``: the bytes
    of a row of each.
    """

    arrays: tuple[NDArray[Any], ...]
    numbers: NDArray[int64]
    address: int
    sizes: NDArray[int64]


def memory_of(arrays: tuple[NDArray[Any], ...]) -> Memory:
    """The memory of arrays that lie without gaps, and stay where they are."""
    numbers = np.array([number for array in arrays for number in (address_of(array), array.nbytes)], int64)
    sizes = np.array([array[:1].nbytes for array in arrays], int64)
    return Memory(arrays, numbers, address_of(numbers), sizes)


def copy_rows(source: Memory, target: Memory, count: int, rows: NDArray[int64] | None = None) -> None:
    """Copy the first ``count`` rows of all arrays, or these ``rows``, to the first ones of others that have room."""
    if rows is None:
        copy_first_rows(source.address, target.address, target.sizes, count)
    else:
        copy_some_rows(source.address, target.address, target.sizes, rows)


@kernel
def copy_first_rows(sources: int, targets: int, sizes: Int64s, count: int) -> None:
    """Copy the first so many rows, by the addresses of :class:`Memory`."""
    for k in range(sizes.shape[0]):
        source = _memory_at(sources, 2 * k)
        target = _memory_at(targets, 2 * k)
        for place in range(count * sizes[k]):
            target[place] = source[place]


@kernel
def copy_some_rows(sources: int, targets: int, sizes: Int64s, rows: Int64s) -> None:
    """Copy some rows to the first ones, by the addresses of :class:`Memory`."""
    for k in range(sizes.shape[0]):
        source = _memory_at(sources, 2 * k)
        target = _memory_at(targets, 2 * k)
        size = sizes[k]
        for row in range(rows.shape[0]):
            for place in range(size):
                target[row * size + place] = source[rows[row] * size + place]


# Odd, with about as many ones as zeros: Knuth's golden ratio, and a prime of xxHash; as signed integers.
FACTOR: Final = 0x9E3779B97F4A7C15 - (1 << 64)
WEIGHT: Final = 0xC2B2AE3D27D4EB4F - (1 << 64)
# WEIGHT twice, wrapped: the growth of the weight from place to place.
WEIGHT_STEP: Final = 0x85655C7A4FA9D69E - (1 << 64)

LOW: Final = 0xFFFFFFFF
_NO_SIGN: Final = 0x7FFFFFFFFFFFFFFF
_INFINITY: Final = 0x7FF0000000000000
# All NaN count as this one.
NAN: Final = 0x7FF8000000000000

# Words of a contact: both entities, both colliders with their parts, normal and depth.
CONTACT_WORDS: Final = 7


@scalar
def _mixed(word: int) -> int:
    mixed = word * FACTOR
    return mixed ^ ((mixed >> 32) & LOW)


@scalar
def _of_float(bits: int) -> int:
    return NAN if (bits & _NO_SIGN) > _INFINITY else bits


@kernel
def mix_floats(words: Int64Rows, rows: Int32s) -> int:
    """The mixed bits of floats, of some rows of a block (fields, rows) that is seen as integers: field by field."""
    total = 0
    weight = WEIGHT
    for field in range(words.shape[0]):
        for k in range(rows.shape[0]):
            total += _mixed(_of_float(words[field, index(rows[k])])) * weight
            weight += WEIGHT_STEP
    return total


@kernel
def mix_words(words: Int64s, are_floats: bool) -> int:
    """The mixed words, or the mixed bits of floats."""
    total = 0
    weight = WEIGHT
    for k in range(words.shape[0]):
        word = _of_float(words[k]) if are_floats else words[k]
        total += _mixed(word) * weight
        weight += WEIGHT_STEP
    return total


@inlined_scalar
def _contact_words(hits: HitRows, normal: Int64Rows, depth: Int64s, k: int, weight: int) -> int:
    shapes = int(hits.collider_a[k]) + 256 * int(hits.collider_b[k]) + 65536 * int(hits.is_near[k])
    parts = (int(hits.part_a[k]) & LOW) + (int(hits.part_b[k]) << 32)
    total = _mixed(hits.entity_a[k]) * weight
    total += _mixed(hits.entity_b[k]) * (weight + WEIGHT_STEP)
    total += _mixed(shapes) * (weight + 2 * WEIGHT_STEP)
    total += _mixed(parts) * (weight + 3 * WEIGHT_STEP)
    total += _mixed(_of_float(normal[k, 0])) * (weight + 4 * WEIGHT_STEP)
    total += _mixed(_of_float(normal[k, 1])) * (weight + 5 * WEIGHT_STEP)
    return total + _mixed(_of_float(depth[k])) * (weight + 6 * WEIGHT_STEP)


@kernel
def mix_contacts(hits: HitRows, normal: Int64Rows, depth: Int64s, impulses: Int64Rows, count: int) -> int:
    """The first so many contacts, with the impulses if there are any; the floats are seen as integers."""
    total = 0
    weight = WEIGHT
    has_points = impulses.shape[0] > 0
    for k in range(count):
        total += _contact_words(hits, normal, depth, k, weight)
        weight += CONTACT_WORDS * WEIGHT_STEP
        if has_points:
            for column in range(IMPULSE_COLUMNS):
                total += _mixed(_of_float(impulses[k, column])) * weight
                weight += WEIGHT_STEP
    return total
