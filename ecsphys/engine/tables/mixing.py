"""Mixing arrays into numbers of 64 bits, for digests.

Each word is multiplied, folded, and weighted by its place. Folding spreads the change of a single bit, a sign for
example: of a sum of products alone, two of these could cancel. All weights are odd multiples of the same odd number, so
that no two of them have a sum or a difference that is 0 in its lower half.

All is integers, which wrap: the same on every machine.
"""

from __future__ import annotations

from typing import Final

from ecsphys.engine.hits.contact_table import IMPULSE_COLUMNS, HitRows
from ecsphys.engine.kernels import Int32s, Int64Rows, Int64s, index, inlined_scalar, kernel, scalar

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
