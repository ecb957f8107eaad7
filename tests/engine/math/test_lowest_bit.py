"""The lowest bit of a number, as Python and as machine code."""

from __future__ import annotations

import numpy as np

from ecsphys.engine.kernels.array_types import Int64s
from ecsphys.engine.kernels.compilation import kernel
from ecsphys.engine.math.lowest_bit import lowest_bit


@kernel
def _find_lowest(numbers: Int64s) -> None:
    for k in range(numbers.shape[0]):
        numbers[k] = lowest_bit(numbers[k])


def test_the_lowest_bit_is_found_at_every_place() -> None:
    rng = np.random.default_rng(1)
    expected = np.repeat(np.arange(62), 3)
    numbers = np.array([int(rng.integers(0, 2 ** (61 - bit))) * 2 + 1 << bit for bit in expected], np.int64)
    by_text = [len(bin(number)) - len(bin(number).rstrip("0")) for number in numbers.tolist()]
    assert by_text == expected.tolist()
    _find_lowest(numbers)
    assert numbers.tolist() == expected.tolist()
