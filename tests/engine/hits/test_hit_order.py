"""The order of hits: sorting by digits and insertions gives what sorting by whole keys does."""

from __future__ import annotations

import numpy as np
import pytest
from kernels_of_tests import kernel_of_tests
from numpy import int32, int64
from numpy.typing import NDArray

from ecsphys.engine.hits.hit_order import SORT_COUNTS, SortRoom


def room_with(keys: NDArray[int64]) -> SortRoom:
    room = SortRoom(np.zeros((2, len(keys)), int64), np.zeros((2, len(keys)), int32), np.zeros(SORT_COUNTS, int64))
    room.keys[0] = keys
    room.order[0] = np.arange(len(keys))
    return room


@pytest.mark.parametrize("bits", [1, 2, 5, 6, 7, 8, 14, 20, 28, 34, 52])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 17, 60, 300, 2048, 5000])
def test_keys_of_every_size_are_in_order_and_equal_ones_as_they_were(bits: int, count: int) -> None:
    rng = np.random.default_rng(bits * 10_000 + count)
    keys = rng.integers(0, 1 << bits, count)
    room = room_with(keys)
    row = kernel_of_tests("hit_order.sort_keys")(room, count, bits)
    expected = np.argsort(keys, kind="stable")
    assert np.array_equal(room.order[row], expected)
    assert np.array_equal(room.keys[row], keys[expected])


@pytest.mark.parametrize(("first_bit", "end_bit"), [(0, 6), (3, 17), (6, 40), (0, 62), (5, 5)])
def test_some_bits_decide_and_the_others_do_not(first_bit: int, end_bit: int) -> None:
    keys = np.random.default_rng(3).integers(0, 1 << 62, 700)
    room = room_with(keys)
    row = kernel_of_tests("hit_order.sort_by_some_bits")(room, len(keys), first_bit, end_bit)
    expected = np.argsort(keys >> first_bit & (1 << (end_bit - first_bit)) - 1, kind="stable")
    assert np.array_equal(room.order[row], expected)


def test_one_collider_with_thousands_of_hits_has_them_in_order() -> None:
    """All that is equal in the digits is left for insertions: a floor, and what lies on it, drawn at random."""
    keys = (37 << 13) + np.random.default_rng(4).permutation(6000)
    room = room_with(keys)
    row = kernel_of_tests("hit_order.sort_keys")(room, len(keys), 26)
    assert np.array_equal(room.keys[row], np.sort(keys))
