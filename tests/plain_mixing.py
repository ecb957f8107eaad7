"""What the kernels of :mod:`ecsphys.engine.tables.row_copies` compute, in numpy."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy import int64, uint64
from numpy.typing import NDArray

from ecsphys.engine.hits.contact_table import HitRows
from ecsphys.engine.tables.row_copies import FACTOR, LOW, NAN, WEIGHT

Words = NDArray[int64]

_ALL: Final = (1 << 64) - 1
_INFINITY: Final = 0x7FF0000000000000


def mix_floats(words: Words, rows: NDArray[Any]) -> int:
    """See :func:`ecsphys.engine.tables.row_copies.mix_floats`."""
    return _sum_of(_of_floats(words[:, rows]))


def mix_words(words: Words, are_floats: bool) -> int:
    """See :func:`ecsphys.engine.tables.row_copies.mix_words`."""
    return _sum_of(_of_floats(words) if are_floats else words)


def mix_contacts(hits: HitRows, normal: Words, depth: Words, impulses: Words, count: int) -> int:
    """See :func:`ecsphys.engine.tables.row_copies.mix_contacts`."""
    colliders = [column[:count].astype(int64) for column in (hits.collider_a, hits.collider_b, hits.is_near)]
    columns = [
        hits.entity_a[:count],
        hits.entity_b[:count],
        colliders[0] + 256 * colliders[1] + 65536 * colliders[2],
        (hits.part_a[:count].astype(int64) & LOW) + (hits.part_b[:count].astype(int64) << 32),
        *_of_floats(normal[:count]).T,
        _of_floats(depth[:count]),
        *_of_floats(impulses[:count]).T,
    ]
    return _sum_of(np.stack([column for column in columns if len(column) == count], axis=1))


def _of_floats(words: Words) -> Words:
    found: Words = np.where((words & (_ALL >> 1)) > _INFINITY, NAN, words)
    return found


def _sum_of(words: Words) -> int:
    mixed = words.ravel().view(uint64) * uint64(FACTOR & _ALL)
    mixed ^= mixed >> uint64(32)
    weights = (2 * np.arange(mixed.size, dtype=uint64) + uint64(1)) * uint64(WEIGHT & _ALL)
    return int(np.dot(mixed, weights))
