"""The lowest bit of a number, as Python and as machine code."""

from __future__ import annotations

import numpy as np
from kernels_of_tests import kernel_of_tests


def test_the_lowest_bit_is_found_at_every_place() -> None:
    rng = np.random.default_rng(1)
    expected = np.repeat(np.arange(62), 3)
    numbers = np.array([int(rng.integers(0, 2 ** (61 - bit))) * 2 + 1 << bit for bit in expected], np.int64)
    by_text = [len(bin(number)) - len(bin(number).rstrip("0")) for number in numbers.tolist()]
    assert by_text == expected.tolist()
    kernel_of_tests("bits.find_lowest")(numbers)
    assert numbers.tolist() == expected.tolist()
